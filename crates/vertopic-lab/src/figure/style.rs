//! How series look: twelve styles, each with its own marker, dashes and colour.

use super::svg::{Num, Sheet};

/// The shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// ●
    Disc,
    /// ■
    Square,
    /// ▲
    Up,
    /// ◆
    Diamond,
    /// ▼
    Down,
    /// ○
    Circle,
    /// ×
    Cross,
    /// □
    OpenSquare,
    /// △
    OpenUp,
    /// +
    Plus,
    /// ◇
    OpenDiamond,
    /// ✳
    Star,
}

/// How a series looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Colour, as SVG writes it.
    pub colour: &'static str,
    /// Lengths of dashes and gaps; empty is solid.
    pub dashes: &'static str,
    /// Shape of the points.
    pub marker: Marker,
}

const fn style(colour: &'static str, dashes: &'static str, marker: Marker) -> Style {
    Style { colour, dashes, marker }
}

/// The styles. A method keeps its number in all figures, so that it looks the same everywhere.
///
/// The first eight colours are those of Okabe & Ito (2008) with grey for their yellow, which is lost on
/// white; the last four are from the "muted" scheme of Tol (2021). Both are made for colour-blind readers.
pub const STYLES: [Style; 12] = [
    style("#0072b2", "", Marker::Disc),
    style("#d55e00", "8 3", Marker::Square),
    style("#009e73", "2 2.5", Marker::Up),
    style("#cc79a7", "9 3 2 3", Marker::Diamond),
    style("#000000", "5 2.5", Marker::Circle),
    style("#e69f00", "12 4", Marker::Down),
    style("#56b4e9", "4 2 1 2", Marker::OpenSquare),
    style("#7f7f7f", "1 2", Marker::Cross),
    style("#882255", "9 2.5 2 2.5 2 2.5", Marker::OpenUp),
    style("#332288", "3 4", Marker::Plus),
    style("#999933", "14 3 4 3", Marker::OpenDiamond),
    style("#44aa99", "6 2 6 5", Marker::Star),
];

/// The style with this number; numbers past the last start again.
pub(super) fn of(number: usize) -> &'static Style {
    &STYLES[number % STYLES.len()]
}

/// The outline of a marker of about radius `r` around (0, 0), and whether it is filled with the colour.
///
/// The sizes are such that all markers look equally large.
fn outline(marker: Marker, r: f64) -> (String, Fill) {
    let polygon = |points: &[(f64, f64)]| {
        let points: Vec<String> =
            points.iter().map(|(x, y)| format!("{} {}", Num(x * r), Num(y * r))).collect();
        format!("M{}Z", points.join("L"))
    };
    let strokes = |ends: &[(f64, f64)]| {
        let one = |(x, y): &(f64, f64)| {
            let (x, y) = (x * r, y * r);
            format!("M{} {}L{} {}", Num(-x), Num(-y), Num(x), Num(y))
        };
        ends.iter().map(one).collect::<String>()
    };
    let round = |r: f64| {
        let (r, d) = (Num(r), Num(2.0 * r));
        format!("M-{r} 0a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z")
    };
    let square = [(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)];
    let up = [(0.0, -1.2), (1.1, 0.75), (-1.1, 0.75)];
    let down = up.map(|(x, y)| (x, -y));
    let diamond = [(0.0, -1.25), (1.05, 0.0), (0.0, 1.25), (-1.05, 0.0)];
    match marker {
        Marker::Disc => (round(r), Fill::Solid),
        Marker::Circle => (round(0.95 * r), Fill::Open),
        Marker::Square => (polygon(&square), Fill::Solid),
        Marker::OpenSquare => (polygon(&square.map(|(x, y)| (0.95 * x, 0.95 * y))), Fill::Open),
        Marker::Up => (polygon(&up), Fill::Solid),
        Marker::OpenUp => (polygon(&up), Fill::Open),
        Marker::Down => (polygon(&down), Fill::Solid),
        Marker::Diamond => (polygon(&diamond), Fill::Solid),
        Marker::OpenDiamond => (polygon(&diamond), Fill::Open),
        Marker::Cross => (strokes(&[(0.9, 0.9), (0.9, -0.9)]), Fill::Strokes),
        Marker::Plus => (strokes(&[(1.15, 0.0), (0.0, 1.15)]), Fill::Strokes),
        Marker::Star => (strokes(&[(0.0, 1.15), (1.0, 0.575), (1.0, -0.575)]), Fill::Strokes),
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fill {
    Solid,
    Open,
    Strokes,
}

/// How thick a series is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pen {
    pub(super) style: &'static Style,
    pub(super) emphasis: bool,
}

impl Pen {
    pub(super) fn new(style: usize, emphasis: bool) -> Self {
        Self { style: of(style), emphasis }
    }

    /// Draws a line along a path.
    pub(super) fn path(self, sheet: &mut Sheet, path: &str) {
        if path.is_empty() {
            return;
        }
        let Style { colour, dashes, .. } = self.style;
        let dashes = if dashes.is_empty() {
            String::new()
        } else {
            format!(r#" stroke-dasharray="{dashes}""#)
        };
        let width = if self.emphasis { "2.4" } else { "1.3" };
        sheet.push(format_args!(
            r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dashes}/>"#
        ));
    }

    /// Draws an error bar along a path.
    pub(super) fn error_bar(self, sheet: &mut Sheet, path: &str) {
        let width = if self.emphasis { "1.2" } else { "0.9" };
        sheet.push(format_args!(
            r#"<path class="error" d="{path}" fill="none" stroke="{}" stroke-width="{width}"/>"#,
            self.style.colour
        ));
    }

    /// Draws the marker at a point.
    pub(super) fn marker(self, sheet: &mut Sheet, x: f64, y: f64) {
        let (outline, fill) = outline(self.style.marker, if self.emphasis { 4.6 } else { 3.8 });
        let colour = self.style.colour;
        // A white rim keeps solid markers apart where they overlap.
        let (inside, rim, width) = match fill {
            Fill::Solid => (colour, "#fff", "0.5"),
            Fill::Open => ("#fff", colour, "1.3"),
            Fill::Strokes => ("none", colour, "1.5"),
        };
        sheet.push(format_args!(
            r#"<path class="point" transform="translate({} {})" d="{outline}" fill="{inside}" stroke="{rim}" stroke-width="{width}"/>"#,
            Num(x),
            Num(y)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_styles_share_marker_dashes_or_colour() {
        let distinct = |of: &dyn Fn(&Style) -> String| {
            STYLES.iter().map(of).collect::<BTreeSet<String>>().len()
        };
        assert_eq!(distinct(&|s| s.colour.to_owned()), STYLES.len());
        assert_eq!(distinct(&|s| s.dashes.to_owned()), STYLES.len());
        assert_eq!(distinct(&|s| format!("{:?}", outline(s.marker, 4.0))), STYLES.len());
        assert_eq!(of(STYLES.len() + 1), &STYLES[1]);
    }
}
