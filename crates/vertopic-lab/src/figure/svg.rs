//! Writing SVG by hand: numbers with two decimals, escaped text, a few shapes.

use std::fmt::{self, Display, Write};

use super::{MARGIN, WIDTH, text};

/// Colour of text and axes.
pub(super) const INK: &str = "#222";
/// Colour of what may be overlooked: captions, ticks.
pub(super) const PALE_INK: &str = "#444";
/// Colour of lines behind the data.
pub(super) const GRID: &str = "#e6e6e6";

/// A coordinate: two decimals, no trailing zeros, no minus zero.
#[derive(Clone, Copy)]
pub(super) struct Num(pub(super) f64);

impl Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

/// Text as it may stand in XML: escaped, and without the control characters XML forbids.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_whitespace() => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

/// Sets raised digits from small plain ones: fonts draw `¹²³` and `⁴` to `⁹` differently and lack `⁻`.
fn raise(text: &str, size: f64) -> String {
    const RAISED: [char; 11] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻'];
    let plain = |c: char| {
        let digit = RAISED.iter().position(|&r| r == c)?;
        Some(char::from_digit(digit as u32, 10).unwrap_or('−'))
    };
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut up = false;
    for run in chars.chunk_by(|a, b| plain(*a).is_some() == plain(*b).is_some()) {
        let raised = plain(run[0]).is_some();
        let run: String = run.iter().map(|&c| plain(c).unwrap_or(c)).collect();
        let (shift, small) = (Num(0.38 * size), Num(0.72 * size));
        let _ = match (raised, up) {
            (true, _) => write!(out, r#"<tspan dy="-{shift}" font-size="{small}">{run}</tspan>"#),
            (false, true) => write!(out, r#"<tspan dy="{shift}">{run}</tspan>"#),
            (false, false) => write!(out, "{run}"),
        };
        up = raised;
    }
    out
}

/// Where text stands relative to its point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How text looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) colour: &'static str,
    /// A hairline around the letters: the font comes in one weight only.
    pub(super) strong: bool,
}

impl Look {
    pub(super) const fn new(size: f64, anchor: Anchor) -> Self {
        Self { size, anchor, colour: INK, strong: false }
    }

    pub(super) const fn strong(self) -> Self {
        Self { strong: true, ..self }
    }

    pub(super) const fn pale(self) -> Self {
        Self { colour: PALE_INK, ..self }
    }
}

/// The sheet a figure is drawn on, from top to bottom.
pub(super) struct Sheet {
    title: String,
    body: String,
}

impl Sheet {
    /// Starts a sheet with its title; gives where the drawing may start.
    pub(super) fn new(title: &str) -> (Self, f64) {
        let mut sheet = Self { title: title.to_owned(), body: String::new() };
        let look = Look::new(18.0, Anchor::Start).strong();
        let bottom = sheet.paragraph(title, MARGIN, MARGIN - 4.0, WIDTH - 2.0 * MARGIN, look);
        (sheet, if title.trim().is_empty() { MARGIN } else { bottom + 14.0 })
    }

    /// Adds markup.
    pub(super) fn push(&mut self, markup: fmt::Arguments<'_>) {
        let _ = self.body.write_fmt(markup); // writing to a string cannot fail
        self.body.push('\n');
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.push(format_args!(
            r#"<path d="M{} {}L{} {}" stroke="{colour}" stroke-width="{}" fill="none"/>"#,
            Num(x1),
            Num(y1),
            Num(x2),
            Num(y2),
            Num(width)
        ));
    }

    /// One line of text with its baseline at `y`.
    pub(super) fn text(&mut self, x: f64, y: f64, text: &str, look: Look) {
        self.turned_text(x, y, text, look, false);
    }

    /// One line of text, turned to read from bottom to top if asked.
    pub(super) fn turned_text(&mut self, x: f64, y: f64, text: &str, look: Look, turned: bool) {
        if text.trim().is_empty() {
            return;
        }
        let anchor = match look.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y) = (Num(x), Num(y));
        let turn =
            if turned { format!(r#" transform="rotate(-90 {x} {y})""#) } else { String::new() };
        let weight = if look.strong {
            format!(r#" stroke="{}" stroke-width="{}""#, look.colour, Num(look.size / 40.0))
        } else {
            String::new()
        };
        self.push(format_args!(
            r#"<text x="{x}" y="{y}" font-size="{}" fill="{}"{anchor}{weight}{turn}>{}</text>"#,
            Num(look.size),
            look.colour,
            raise(&escape(text), look.size)
        ));
    }

    /// Text wrapped to `room`, from `top` down; gives where it ends.
    pub(super) fn paragraph(&mut self, text: &str, x: f64, top: f64, room: f64, look: Look) -> f64 {
        let mut y = top;
        for line in text::wrap(text, look.size, room) {
            self.text(x, y + look.size, &line, look);
            y += 1.35 * look.size;
        }
        y
    }

    /// Ends the sheet with a caption below `bottom`.
    pub(super) fn finish(mut self, caption: Option<&str>, bottom: f64) -> String {
        let mut bottom = bottom;
        if let Some(caption) = caption.filter(|c| !c.trim().is_empty()) {
            let look = Look::new(12.5, Anchor::Start).pale();
            let room = WIDTH - 2.0 * MARGIN;
            bottom = self.paragraph(caption, MARGIN, bottom + 14.0, room, look);
        }
        let (width, height) = (Num(WIDTH), Num((bottom + MARGIN).ceil()));
        let (title, body) = (escape(&self.title), self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" \
             font-family=\"Ubuntu, Helvetica, Arial, sans-serif\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}</svg>\n"
        )
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::figure::png::options;
    use resvg::usvg::{Tree, roxmltree::Document, roxmltree::Node};

    /// Fails unless the text is an SVG, and gives its size.
    pub(in crate::figure) fn size(svg: &str) -> (f64, f64) {
        let tree = Tree::from_str(svg, &options()).expect(svg);
        (f64::from(tree.size().width()), f64::from(tree.size().height()))
    }

    /// The texts of a figure with their positions.
    pub(in crate::figure) fn texts(svg: &str) -> Vec<(String, f64, f64)> {
        let document = Document::parse(svg).expect(svg);
        let number = |v: Option<&str>| v.and_then(|v| v.parse().ok()).expect("a number");
        document
            .descendants()
            .filter(|n| n.has_tag_name("text"))
            .map(|n| {
                let parts = n.descendants().filter(Node::is_text);
                let text = parts.filter_map(|n| n.text()).collect();
                (text, number(n.attribute("x")), number(n.attribute("y")))
            })
            .collect()
    }

    #[test]
    fn numbers_are_short() {
        let text = |v: f64| Num(v).to_string();
        assert_eq!([1.0, 0.125, -0.001, 10.0, 3.456].map(text), ["1", "0.12", "0", "10", "3.46"]);
    }

    #[test]
    fn raised_digits_are_small_plain_ones() {
        assert_eq!(
            raise("2×10⁻¹⁵ s", 10.0),
            r#"2×10<tspan dy="-3.8" font-size="7.2">−15</tspan><tspan dy="3.8"> s</tspan>"#
        );
        assert_eq!(raise("plain", 10.0), "plain");
    }

    #[test]
    fn text_is_escaped() {
        let nasty = "a <b> & \"c\" 'd' \u{0}\u{1b}\u{ffff}\n]]>";
        let (mut sheet, top) = Sheet::new(nasty);
        sheet.text(10.0, top, nasty, Look::new(12.0, Anchor::Start));
        let svg = sheet.finish(Some(nasty), top);
        assert_eq!(size(&svg).0, WIDTH);
        let texts = texts(&svg);
        assert_eq!(texts.len(), 3);
        assert_eq!(texts[1].0, "a <b> & \"c\" 'd'  ]]>");
        assert_eq!(texts[2].0, texts[1].0);
    }
}
