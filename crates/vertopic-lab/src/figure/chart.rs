//! Charts of one number against another: panels of lines with error bars, and one legend.

use std::fmt::Write;

use super::axis::{Axis, Ruler, TICK_SIZE, is_inside};
use super::legend::{self, Entry};
use super::style::Pen;
use super::svg::{Anchor, GRID, INK, Look, Num, Sheet, escape};
use super::{MARGIN, WIDTH, text};

/// A figure of one or more panels that share a legend.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// What the figure says.
    pub title: String,
    /// What a reader must know to read it.
    pub caption: Option<String>,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Panels side by side, from 1 to 5; other numbers count as the nearest of these.
    pub columns: usize,
}

/// One coordinate system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// What sets it apart from the other panels.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis. Its label is left out if the panel to the left has the same.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// Points that belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Name in the legend; series of one name share an entry.
    pub name: String,
    /// Number of its style among [`STYLES`](super::STYLES): the same for a method in all panels.
    pub style: usize,
    /// The points, in the order the line takes. A point that cannot be drawn interrupts the line.
    pub points: Vec<Point>,
    /// Whether a line joins the points.
    pub line: bool,
    /// Drawn thicker and on top.
    pub emphasis: bool,
}

/// A point with an error bar.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Point {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// Half the length of the vertical error bar; 0 for none.
    pub error: f64,
}

impl Series {
    /// Points joined by a line.
    pub fn new(name: impl Into<String>, style: usize, points: Vec<Point>) -> Self {
        Self { name: name.into(), style, points, line: true, emphasis: false }
    }

    /// The same, thicker and on top.
    #[must_use]
    pub fn emphasised(self) -> Self {
        Self { emphasis: true, ..self }
    }

    fn pen(&self) -> Pen {
        Pen::new(self.style, self.emphasis)
    }
}

/// Where the data of a panel are drawn.
#[derive(Debug, Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Area {
    fn x(&self, at: f64) -> f64 {
        self.left + at * self.width
    }

    fn y(&self, at: f64) -> f64 {
        self.top + (1.0 - at) * self.height
    }
}

const GAP: f64 = 26.0;
const LABEL: Look = Look::new(13.0, Anchor::Middle);
const TICK: Look = Look::new(TICK_SIZE, Anchor::Middle);

impl Chart {
    /// The figure as SVG. It never fails: what cannot be drawn is left out.
    pub fn to_svg(&self) -> String {
        let (mut sheet, mut top) = Sheet::new(&self.title);
        let columns = self.columns.min(self.panels.len()).clamp(1, 5);
        let panel_width = (WIDTH - 2.0 * MARGIN - (columns - 1) as f64 * GAP) / columns as f64;
        let height = (0.66 * panel_width).clamp(150.0, 360.0);
        let rulers: Vec<Ruler> =
            self.panels.iter().map(|p| p.y.ruler(p.heights(), height, false)).collect();
        // All panels leave the same room for the numbers on their left, so that they line up.
        let numbers = rulers.iter().map(Ruler::widest_label).fold(0.0, f64::max) + 9.0;
        let rooms: Vec<f64> = (0..columns)
            .map(|i| numbers + if self.has_label(i, columns) { 26.0 } else { 0.0 })
            .map(|room| room.min(panel_width / 2.0))
            .collect();
        let width = panel_width - 10.0 - rooms.iter().sum::<f64>() / columns as f64;
        for (panels, rulers) in self.panels.chunks(columns).zip(rulers.chunks(columns)) {
            if panels.iter().any(|p| !p.title.trim().is_empty()) {
                top += 22.0;
            }
            let mut left = MARGIN;
            for (i, (panel, ruler)) in panels.iter().zip(rulers).enumerate() {
                let area = Area { left: left + rooms[i], top, width, height };
                let repeated = i > 0 && panels[i - 1].y.label == panel.y.label;
                panel.draw(&mut sheet, area, ruler, (!repeated).then_some(left + 12.0));
                left += rooms[i] + width + 10.0 + GAP;
            }
            top += height + 66.0;
        }
        let series = self.panels.iter().flat_map(|p| &p.series);
        let entries = series.map(|s| Entry { name: &s.name, pen: s.pen(), line: s.line });
        let bottom = legend::draw(&mut sheet, &legend::distinct(entries), top);
        sheet.finish(self.caption.as_deref(), bottom)
    }
}

impl Chart {
    /// Whether a panel of this column has a label on its vertical axis.
    fn has_label(&self, column: usize, columns: usize) -> bool {
        column == 0
            || self
                .panels
                .chunks(columns)
                .any(|row| row.get(column).is_some_and(|p| p.y.label != row[column - 1].y.label))
    }
}

impl Panel {
    /// The heights the vertical axis must have room for.
    fn heights(&self) -> impl Iterator<Item = f64> {
        let points = self.series.iter().flat_map(|s| &s.points);
        points
            .filter(|p| self.x.scale.can_draw(p.x) && self.y.scale.can_draw(p.y))
            .flat_map(|p| self.y.scale.reach(p.y, p.error))
    }

    /// Draws the panel; the label of the vertical axis stands at `label_x`.
    fn draw(&self, sheet: &mut Sheet, area: Area, y: &Ruler, label_x: Option<f64>) {
        let drawable = |p: &&Point| self.y.scale.can_draw(p.y);
        let values = self.series.iter().flat_map(|s| &s.points).filter(drawable).map(|p| p.x);
        let x = &self.x.ruler(values, area.width, true);
        let bottom = area.top + area.height;
        let title = text::cut(&self.title, 14.0, area.width + 40.0);
        sheet.text(area.left, area.top - 13.0, &title, Look::new(14.0, Anchor::Start).strong());
        axes(sheet, area, x, y);
        let middle = area.left + area.width / 2.0;
        let label = text::cut(&self.x.label, LABEL.size, area.width + 60.0);
        sheet.text(middle, bottom + 41.0, &label, LABEL);
        if let Some(label_x) = label_x {
            let label = text::cut(&self.y.label, LABEL.size, area.height + 30.0);
            sheet.turned_text(label_x, area.top + area.height / 2.0, &label, LABEL, true);
        }
        let plain = self.series.iter().filter(|s| !s.emphasis);
        for series in plain.chain(self.series.iter().filter(|s| s.emphasis)) {
            series.draw(sheet, area, x, y);
        }
    }
}

/// Two thin lines with ticks outside, and faint lines across at the vertical labels.
fn axes(sheet: &mut Sheet, area: Area, x: &Ruler, y: &Ruler) {
    let (right, bottom) = (area.left + area.width, area.top + area.height);
    for (at, label) in y.labels() {
        let y = area.y(at);
        sheet.line((area.left, y), (right, y), GRID, 0.8);
        let look = Look { anchor: Anchor::End, ..TICK };
        sheet.text(area.left - 8.0, y + 0.35 * TICK.size, label, look);
    }
    for (at, label) in x.labels() {
        sheet.text(area.x(at), bottom + 8.0 + TICK.size, label, TICK);
    }
    let length = |labelled: bool| if labelled { 5.0 } else { 2.5 };
    let mut path = String::new();
    for tick in &x.ticks {
        let Some(at) = x.at(tick.value) else { continue };
        let length = length(tick.label.is_some());
        let _ = write!(path, "M{} {}v{}", Num(area.x(at)), Num(bottom), Num(length));
    }
    for tick in &y.ticks {
        let Some(at) = y.at(tick.value) else { continue };
        let length = length(tick.label.is_some());
        let _ = write!(path, "M{} {}h{}", Num(area.left), Num(area.y(at)), Num(-length));
    }
    let (l, t) = (Num(area.left), Num(area.top));
    let _ = write!(path, "M{l} {t}V{}H{}", Num(bottom), Num(right));
    sheet.push(format_args!(
        r#"<path d="{path}" fill="none" stroke="{INK}" stroke-width="0.8" stroke-linecap="square"/>"#
    ));
}

impl Series {
    fn draw(&self, sheet: &mut Sheet, area: Area, x: &Ruler, y: &Ruler) {
        let pen = self.pen();
        let places: Vec<Option<(f64, f64)>> =
            self.points.iter().map(|p| Some((x.at(p.x)?, y.at(p.y)?))).collect();
        let seen = |&(x, y): &(f64, f64)| is_inside(x) && is_inside(y);
        sheet.push(format_args!(r#"<g class="series"><title>{}</title>"#, escape(&self.name)));
        for (point, place) in self.points.iter().zip(&places) {
            if let (Some(place), Some([low, high])) = (place, y.bar(point.y, point.error))
                && seen(place)
            {
                let cap = 3.0;
                let x = area.x(place.0);
                let (from, to) = (area.y(low.0), area.y(high.0));
                let mut path = format!("M{} {}V{}", Num(x), Num(from), Num(to));
                for (y, _) in [(from, low.1), (to, high.1)].into_iter().filter(|end| end.1) {
                    let _ = write!(path, "M{} {}h{}", Num(x - cap), Num(y), Num(2.0 * cap));
                }
                pen.error_bar(sheet, &path);
            }
        }
        if self.line {
            pen.path(sheet, &line(&places, area));
        }
        for (x, y) in places.iter().flatten().filter(|p| seen(p)) {
            pen.marker(sheet, area.x(*x), area.y(*y));
        }
        sheet.push(format_args!("</g>"));
    }
}

/// The line through the places, cut at the edges of the area and interrupted where there is none.
fn line(places: &[Option<(f64, f64)>], area: Area) -> String {
    let mut path = String::new();
    let mut pen_at = None;
    for pair in places.windows(2) {
        let (Some(a), Some(b)) = (pair[0], pair[1]) else { continue };
        let Some((from, to)) = clip(a, b) else { continue };
        if pen_at != Some(from) {
            let _ = write!(path, "M{} {}", Num(area.x(from.0)), Num(area.y(from.1)));
        }
        let _ = write!(path, "L{} {}", Num(area.x(to.0)), Num(area.y(to.1)));
        pen_at = Some(to);
    }
    path
}

/// The part of a segment inside the unit square (Liang & Barsky 1984).
fn clip(a: (f64, f64), b: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (d, room) in [(-dx, a.0), (dx, 1.0 - a.0), (-dy, a.1), (dy, 1.0 - a.1)] {
        if d == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if d < 0.0 {
            enter = enter.max(room / d);
        } else {
            leave = leave.min(room / d);
        }
    }
    if enter > leave {
        return None;
    }
    // The ends themselves, to the last bit, if they are inside: the line goes on from there.
    let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
    let from = if enter == 0.0 { a } else { at(enter) };
    Some((from, if leave == 1.0 { b } else { at(leave) }))
}

#[cfg(test)]
pub(super) mod tests;
