//! Figures: charts and galleries as SVG text, and as PNG.
//!
//! | figure | what it shows |
//! |---|---|
//! | [`Chart`] | a number against another, one line per method, in panels with one legend |
//! | [`DotChart`] | a number per category and method, for example the limbs each method finds |
//! | [`Gallery`] | rows of small grey images, for example the topics of the Swimmer |
//!
//! Every figure can be read without colour: the [`STYLES`] differ in marker, dashes and colour. The same figure
//! gives the same bytes, and [`to_png`] brings its own font, so a PNG is the same on every machine. Values
//! that cannot be drawn (not finite, or not positive on a logarithmic axis) are left out.
//!
//! ```
//! use vertopic_lab::figure::{Axis, Chart, Panel, Point, Series, to_png};
//! let points = [(100.0, 0.31, 0.02), (1_000.0, 0.09, 0.01)].map(|(x, y, error)| Point { x, y, error });
//! let chart = Chart {
//!     title: "More documents, less error".into(),
//!     panels: vec![Panel {
//!         x: Axis::log("documents"),
//!         y: Axis::log("ℓ₁ error"),
//!         series: vec![Series::new("DDP", 0, points.to_vec()).emphasised()],
//!         ..Panel::default()
//!     }],
//!     ..Chart::default()
//! };
//! let png = to_png(&chart.to_svg(), 2.0)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), vertopic_lab::figure::FigureError>(())
//! ```

mod axis;
mod chart;
mod dots;
mod gallery;
mod legend;
mod png;
mod style;
mod svg;
mod text;
mod ticks;

pub use axis::{Axis, Scale};
pub use chart::{Chart, Panel, Point, Series};
pub use dots::{Dot, DotChart, DotSeries};
pub use gallery::{Gallery, GalleryRow, Picture};
pub use png::{FigureError, to_png};
pub use style::{Marker, STYLES, Style};

/// Width of every figure, in pixels at scale 1.
pub const WIDTH: f64 = 900.0;

/// White space around a figure.
const MARGIN: f64 = 28.0;
