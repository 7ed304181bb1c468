//! One legend for all panels, below them.

use super::style::Pen;
use super::svg::{Anchor, Look, Num, Sheet};
use super::{MARGIN, WIDTH, text};

/// A series as the legend shows it.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) pen: Pen,
    pub(super) line: bool,
}

/// Keeps the first entry of every name; nameless series have none.
pub(super) fn distinct<'a>(entries: impl Iterator<Item = Entry<'a>>) -> Vec<Entry<'a>> {
    let mut kept: Vec<Entry<'a>> = Vec::new();
    for entry in entries {
        if !entry.name.trim().is_empty() && kept.iter().all(|k| k.name != entry.name) {
            kept.push(entry);
        }
    }
    kept
}

const SIZE: f64 = 13.0;
const LINE: f64 = 38.0;
const ROW: f64 = 21.0;

/// Draws the entries in equal columns, as many as fit; gives where they end.
pub(super) fn draw(sheet: &mut Sheet, entries: &[Entry<'_>], top: f64) -> f64 {
    if entries.is_empty() {
        return top;
    }
    let room = WIDTH - 2.0 * MARGIN;
    let key = if entries.iter().any(|e| e.line) { LINE } else { 12.0 };
    let (gap, between) = (7.0, 30.0);
    // As many columns as fit, then as even as the number of rows allows.
    let widths = |columns: usize| -> Vec<f64> {
        let widest = |c: usize| {
            let column = entries.iter().skip(c).step_by(columns);
            column.map(|e| text::width(e.name, SIZE)).fold(0.0, f64::max)
        };
        (0..columns).map(|c| (key + gap + widest(c)).min(room)).collect()
    };
    let total = |widths: &[f64]| widths.iter().sum::<f64>() + between * (widths.len() - 1) as f64;
    let fits = |columns: &usize| {
        entries.len().div_ceil(entries.len().div_ceil(*columns)) == *columns
            && total(&widths(*columns)) <= room
    };
    let columns = (1..=entries.len()).rev().find(fits).unwrap_or(1);
    let (widths, rows) = (widths(columns), entries.len().div_ceil(columns));
    let left = (WIDTH - total(&widths)) / 2.0;
    let starts: Vec<f64> =
        (0..columns).map(|c| left + widths[..c].iter().map(|w| w + between).sum::<f64>()).collect();
    for (i, entry) in entries.iter().enumerate() {
        let (x, width) = (starts[i % columns], widths[i % columns]);
        let y = top + ROW * ((i / columns) as f64 + 0.5);
        if entry.line {
            let path = format!("M{} {}H{}", Num(x), Num(y), Num(x + key));
            entry.pen.path(sheet, &path);
        }
        entry.pen.marker(sheet, x + key / 2.0, y);
        let look = Look::new(SIZE, Anchor::Start);
        let look = if entry.pen.emphasis { look.strong() } else { look };
        let name = text::cut(entry.name, SIZE, width - key - gap + 1e-6);
        sheet.text(x + key + gap, y + 0.35 * SIZE, &name, look);
    }
    top + ROW * rows as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::svg::tests::texts;

    fn entries(names: &[String]) -> Vec<Entry<'_>> {
        names
            .iter()
            .enumerate()
            .map(|(i, name)| Entry { name, pen: Pen::new(i, false), line: true })
            .collect()
    }

    #[test]
    fn a_long_legend_wraps_and_stays_inside() {
        let names: Vec<String> =
            (0..23).map(|i| format!("method number {i} of quite a few")).collect();
        let (mut sheet, top) = Sheet::new("");
        let bottom = draw(&mut sheet, &entries(&names), top);
        let texts = texts(&sheet.finish(None, bottom));
        assert!(texts.iter().map(|t| &t.0).eq(&names), "nothing is cut");
        for (name, x, y) in &texts {
            assert!(*x > MARGIN && x + text::width(name, SIZE) < WIDTH - MARGIN + 0.01, "{name}");
            assert!(*y > top && *y < bottom);
        }
        let mut places: Vec<(i64, i64)> = texts.iter().map(|t| (t.1 as i64, t.2 as i64)).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 23, "two entries in one place");
    }

    #[test]
    fn a_name_stands_once() {
        let names = ["DDP", "RP", "DDP", " "].map(str::to_owned);
        let names: Vec<&str> =
            distinct(entries(&names).into_iter()).iter().map(|e| e.name).collect();
        assert_eq!(names, ["DDP", "RP"]);
    }
}
