//! `vertopic sweep --plot`: numbers of topics as a chart.

use std::path::Path;

use vertopic::choose::{Step, Sweep};
use vertopic_io::atomic::{write_atomically, write_error};
use vertopic_lab::figure::{Axis, Chart, FigureError, Panel, Point, Series, to_png};

use crate::failure::Failure;

/// Pixels of a PNG per unit of the figure.
const SHARPNESS: f32 = 2.0;

/// Draws the chart, as PNG or as SVG.
pub(crate) fn draw(found: &Sweep, plot: &Path, png: bool) -> Result<(), Failure> {
    let svg = sweep_chart(found).to_svg();
    let bytes = if png {
        let bad = |e: FigureError| Failure::Run {
            problem: format!("{}: {e}", plot.display()),
            hint: Some("draw an .svg instead".to_owned()),
        };
        to_png(&svg, SHARPNESS).map_err(bad)?
    } else {
        svg.into_bytes()
    };
    Ok(write_atomically(plot, |out| out.write_all(&bytes).map_err(|e| write_error(plot, e)))?)
}

/// Perplexity, coherence with diversity, and stability, against K.
fn sweep_chart(found: &Sweep) -> Chart {
    let series = |name: &str, style: usize, of: &dyn Fn(&Step) -> Option<(f64, f64)>| {
        let point = |s: &Step| {
            let (y, error) = of(s)?;
            Some(Point { x: s.n_topics as f64, y, error })
        };
        Series::new(name, style, found.steps.iter().filter_map(point).collect())
    };
    let panel = |title: &str, label: &str, series: Vec<Series>| Panel {
        title: title.to_owned(),
        x: Axis::log("topics"),
        y: Axis::linear(label),
        series,
    };
    let recommended = Series {
        line: false,
        emphasis: true,
        ..series("recommended", 3, &|s| {
            (s.n_topics == found.recommended).then_some((s.perplexity, 0.0))
        })
    };
    let exact = |y: Option<f64>| y.map(|y| (y, 0.0));
    Chart {
        title: "What is gained and lost with the number of topics".to_owned(),
        caption: Some(format!("Recommended: {} topics; {}.", found.recommended, found.reason)),
        panels: vec![
            panel(
                "Documents held out",
                "perplexity",
                vec![
                    series("perplexity ± standard error", 0, &|s| {
                        Some((s.perplexity, s.perplexity_error))
                    }),
                    recommended,
                ],
            ),
            panel(
                "Words and topics",
                "value",
                vec![
                    series("NPMI", 1, &|s| exact(s.coherence)),
                    series("diversity", 2, &|s| exact(s.diversity)),
                    series("stability", 4, &|s| exact(s.stability)),
                ],
            ),
        ],
        columns: 2,
    }
}
