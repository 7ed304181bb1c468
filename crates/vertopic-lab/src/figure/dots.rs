//! Dot plots: one number per category and series, with error bars (Cleveland & McGill 1984).
//!
//! Positions along a common scale are read more exactly than lengths of bars, need no zero, and leave room for
//! long names.

use std::fmt::Write;

use super::axis::{Axis, TICK_SIZE, is_inside};
use super::legend::{self, Entry};
use super::style::Pen;
use super::svg::{Anchor, GRID, INK, Look, Num, Sheet, escape};
use super::{MARGIN, WIDTH, text};

/// A figure with a row per category and a dot per series in every row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DotChart {
    /// What the figure says.
    pub title: String,
    /// What a reader must know to read it.
    pub caption: Option<String>,
    /// What is measured.
    pub axis: Axis,
    /// The rows, from top to bottom.
    pub categories: Vec<String>,
    /// What is compared in every row.
    pub series: Vec<DotSeries>,
}

/// One dot per category.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DotSeries {
    /// Name in the legend.
    pub name: String,
    /// Number of its style among [`STYLES`](super::STYLES).
    pub style: usize,
    /// The dots in the order of the categories; a value that is not a number has none.
    pub dots: Vec<Dot>,
    /// Drawn larger.
    pub emphasis: bool,
}

/// A value with an error bar.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Dot {
    /// The value.
    pub value: f64,
    /// Half the length of the error bar; 0 for none.
    pub error: f64,
}

const NAME: f64 = 13.0;
const LINE: f64 = 16.0;

impl DotChart {
    /// The figure as SVG. It never fails: what cannot be drawn is left out.
    pub fn to_svg(&self) -> String {
        let (mut sheet, top) = Sheet::new(&self.title);
        let room = WIDTH - 2.0 * MARGIN;
        let widest = self.categories.iter().map(|c| text::width(c, NAME)).fold(0.0, f64::max);
        let names = widest.min(0.35 * room);
        let left = MARGIN + names + 16.0;
        let width = WIDTH - MARGIN - 14.0 - left;
        let scale = self.axis.scale;
        let dots = self.series.iter().flat_map(|s| s.dots.iter().take(self.categories.len()));
        let values =
            dots.filter(|d| scale.can_draw(d.value)).flat_map(|d| scale.reach(d.value, d.error));
        let ruler = self.axis.ruler(values, width, true);
        let x = |at: f64| left + at * width;

        // The dots of a row stand below each other, so that none hides another.
        let lane = 12.0;
        let dodge = lane * self.series.len().max(1) as f64;
        let lines: Vec<Vec<String>> =
            self.categories.iter().map(|c| text::wrap(c, NAME, names)).collect();
        let heights = lines.iter().map(|l| (LINE * l.len() as f64).max(dodge) + 14.0);
        let mut tops = vec![top];
        for height in heights {
            tops.push(tops[tops.len() - 1] + height);
        }
        let bottom = tops[tops.len() - 1].max(top + 40.0);

        for (at, label) in ruler.labels() {
            sheet.line((x(at), top), (x(at), bottom), GRID, 0.8);
            let look = Look::new(TICK_SIZE, Anchor::Middle);
            sheet.text(x(at), bottom + 8.0 + TICK_SIZE, label, look);
        }
        for (row, lines) in lines.iter().enumerate() {
            if row > 0 {
                sheet.line((MARGIN, tops[row]), (left + width, tops[row]), GRID, 0.8);
            }
            let middle = f64::midpoint(tops[row], tops[row + 1]);
            let first = middle - LINE * (lines.len() as f64 - 1.0) / 2.0 + 0.35 * NAME;
            for (i, line) in lines.iter().enumerate() {
                let look = Look::new(NAME, Anchor::End);
                sheet.text(left - 14.0, first + LINE * i as f64, line, look);
            }
        }
        let mut path = format!("M{} {}H{}", Num(left), Num(bottom), Num(left + width));
        for tick in &ruler.ticks {
            let Some(at) = ruler.at(tick.value) else { continue };
            let length = if tick.label.is_some() { 5.0 } else { 2.5 };
            let _ = write!(path, "M{} {}v{}", Num(x(at)), Num(bottom), Num(length));
        }
        sheet.push(format_args!(
            r#"<path d="{path}" fill="none" stroke="{INK}" stroke-width="0.8"/>"#
        ));
        let label = text::cut(&self.axis.label, NAME, width + names);
        let look = Look::new(NAME, Anchor::Middle);
        sheet.text(left + width / 2.0, bottom + 41.0, &label, look);

        for (i, series) in self.series.iter().enumerate() {
            let pen = Pen::new(series.style, series.emphasis);
            let shift = lane * (i as f64 - (self.series.len() as f64 - 1.0) / 2.0);
            let name = escape(&series.name);
            sheet.push(format_args!(r#"<g class="series"><title>{name}</title>"#));
            for (dot, row) in series.dots.iter().zip(tops.windows(2)) {
                let y = f64::midpoint(row[0], row[1]) + shift;
                if let Some(bar) = ruler.bar(dot.value, dot.error) {
                    let mut path = format!("M{} {}H{}", Num(x(bar[0].0)), Num(y), Num(x(bar[1].0)));
                    for (end, _) in bar.into_iter().filter(|end| end.1) {
                        let _ = write!(path, "M{} {}v6", Num(x(end)), Num(y - 3.0));
                    }
                    pen.error_bar(&mut sheet, &path);
                }
                let at = ruler.at(dot.value).filter(|at| is_inside(*at));
                if let Some(at) = at {
                    pen.marker(&mut sheet, x(at), y);
                }
            }
            sheet.push(format_args!("</g>"));
        }
        let entries = self.series.iter().map(|s| Entry {
            name: &s.name,
            pen: Pen::new(s.style, s.emphasis),
            line: false,
        });
        let end = legend::draw(&mut sheet, &legend::distinct(entries), bottom + 60.0);
        sheet.finish(self.caption.as_deref(), end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::chart::tests::points;
    use crate::figure::svg::tests::{size, texts};
    use proptest::prelude::*;

    fn chart(dots: &[&[(f64, f64)]]) -> DotChart {
        let series = |(i, dots): (usize, &&[(f64, f64)])| DotSeries {
            name: format!("s{i}"),
            style: i,
            dots: dots.iter().map(|&(value, error)| Dot { value, error }).collect(),
            emphasis: i == 0,
        };
        DotChart {
            axis: Axis::linear("found"),
            categories: vec!["one".into(), "two & three".into()],
            series: dots.iter().enumerate().map(series).collect(),
            ..DotChart::default()
        }
    }

    #[test]
    fn dots_stand_at_their_values_and_rows_do_not_mix() {
        let chart = chart(&[&[(0.0, 0.0), (8.0, 2.0)], &[(16.0, 0.0), (f64::NAN, 0.0)]]);
        let svg = chart.to_svg();
        size(&svg);
        let points = points(&svg);
        // Each series: its dots; then one in the legend.
        assert_eq!(points.len(), 3 + 2);
        let (zero, eight, sixteen) = (points[0], points[1], points[2]);
        assert!((eight.0 - f64::midpoint(zero.0, sixteen.0)).abs() < 0.011);
        assert_eq!(sixteen.1 - zero.1, 12.0, "two series of a row dodge each other");
        assert!(eight.1 > sixteen.1, "rows go down");
        let label = |name: &str| texts(&svg).into_iter().find(|t| t.0 == name).expect("a label");
        assert!((label("0").1 - zero.0).abs() < 0.011);
        assert!((label("16").1 - sixteen.0).abs() < 0.011);
        let ten = (sixteen.0 - zero.0) / 16.0 * 10.0 + zero.0;
        assert!(svg.contains(&format!("H{}", Num(ten))), "the bar of 8 ± 2 ends at 10");
    }

    #[test]
    fn values_at_both_ends_of_the_floats_have_an_axis() {
        let mut chart = chart(&[&[(1e-290, 0.0), (1e300, 0.0)]]);
        chart.axis = Axis::log("found");
        size(&chart.to_svg());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_values_give_a_figure(
            values in prop::collection::vec((any::<f64>(), any::<f64>()), 0..6), log: bool,
        ) {
            let mut chart = chart(&[&values, &[]]);
            if log {
                chart.axis = Axis::log("found");
            }
            size(&chart.to_svg());
            chart.categories.clear();
            size(&chart.to_svg());
        }
    }
}
