//! PNG of a figure, with a font of its own.

use std::fmt;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

/// The most pixels a PNG may have: a scale mistyped by a factor of 100 must not eat the memory.
const MOST_PIXELS: f64 = 1e8;

/// The fonts of every PNG: Ubuntu, and Hack for the signs it does not have. No font of the system is asked.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
    Arc::new(fonts)
});

/// Why a PNG could not be made.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FigureError {
    /// The text is not an SVG.
    Svg {
        /// What the parser says.
        reason: String,
    },
    /// The picture would have no pixels, or too many.
    Size {
        /// Pixels per unit of the SVG.
        scale: f32,
        /// Width of the SVG.
        width: f32,
        /// Height of the SVG.
        height: f32,
    },
    /// The pixels could not be written as PNG.
    Png {
        /// What the encoder says.
        reason: String,
    },
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Svg { reason } => write!(f, "the figure is not an SVG: {reason}"),
            Self::Size { scale, width, height } => write!(
                f,
                "a figure of {width} × {height} at scale {scale} has no pixels or more than 100 million"
            ),
            Self::Png { reason } => write!(f, "the figure could not be written as PNG: {reason}"),
        }
    }
}

impl std::error::Error for FigureError {}

/// How figures are read: with the fonts above, whatever the text asks for.
pub(super) fn options() -> Options<'static> {
    Options { fontdb: Arc::clone(&FONTS), font_family: "Ubuntu".to_owned(), ..Options::default() }
}

/// Draws an SVG on white, with `scale` pixels per unit; 2 is sharp on screen and in print.
pub fn to_png(svg: &str, scale: f32) -> Result<Vec<u8>, FigureError> {
    let tree = Tree::from_str(svg, &options())
        .map_err(|reason| FigureError::Svg { reason: reason.to_string() })?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let pixels = |length: f32| f64::from(length * scale).round();
    let (w, h) = (pixels(width), pixels(height));
    let size = || FigureError::Size { scale, width, height };
    // Also false if the scale is not a number.
    if !(w >= 1.0 && h >= 1.0 && w * h <= MOST_PIXELS) {
        return Err(size());
    }
    let mut canvas = Pixmap::new(w as u32, h as u32).ok_or_else(size)?;
    canvas.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut canvas.as_mut());
    canvas.encode_png().map_err(|reason| FigureError::Png { reason: reason.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(png: &[u8]) -> (u32, u32) {
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        (number(16), number(20)) // the header chunk comes first
    }

    const WORD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20">
        <text x="5" y="15" font-family="Ubuntu" font-size="14">topic ⁻</text></svg>"#;
    const EMPTY: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"/>"#;

    #[test]
    fn a_png_has_its_signature_its_size_and_its_text() {
        let png = to_png(WORD, 2.0).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(size(&png), (120, 40));
        assert_eq!(size(&to_png(WORD, 0.5).unwrap()), (30, 10));
        assert_ne!(png, to_png(EMPTY, 2.0).unwrap(), "letters must leave ink");
        assert_eq!(png, to_png(WORD, 2.0).unwrap());
    }

    #[test]
    fn what_cannot_be_drawn_is_an_error() {
        assert!(matches!(to_png("<svg", 1.0), Err(FigureError::Svg { .. })));
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e6] {
            assert!(matches!(to_png(WORD, scale), Err(FigureError::Size { .. })), "{scale}");
        }
    }
}
