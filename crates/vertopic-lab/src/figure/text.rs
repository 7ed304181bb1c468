//! How wide text is, so that nothing overlaps.

/// Advances of the letters from space to `~` in Ubuntu Light, in thousandths of the font size.
const ADVANCES: [u16; 95] = [
    228, 274, 392, 653, 564, 831, 648, 240, 310, 310, 472, 564, 246, 282, 246, 359, 564, 564, 564,
    564, 564, 564, 564, 564, 564, 564, 246, 246, 564, 564, 564, 380, 940, 641, 630, 609, 702, 555,
    520, 658, 692, 248, 487, 599, 502, 865, 709, 774, 592, 774, 618, 517, 548, 680, 624, 921, 608,
    569, 560, 310, 359, 310, 564, 490, 376, 509, 583, 460, 583, 548, 376, 573, 569, 237, 237, 495,
    255, 863, 569, 582, 583, 583, 374, 428, 387, 569, 480, 775, 499, 474, 455, 319, 262, 319, 564,
];

/// Room a letter outside ASCII gets.
const OTHER: u16 = 600;

/// Width of a line of text. Other fonts a viewer may take instead are about as wide.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let advance = |c: char| {
        (c as usize).checked_sub(32).and_then(|i| ADVANCES.get(i)).copied().unwrap_or(OTHER)
    };
    text.chars().map(|c| f64::from(advance(c))).sum::<f64>() * size / 1000.0
}

/// Breaks text at spaces into lines of at most `room`; a word longer than that keeps a line of its own, cut.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| cut(line, size, room)).collect()
}

/// The text if it fits, else as much of it as fits with an ellipsis.
pub(super) fn cut(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = width("…", size);
    for c in text.chars() {
        used += width(c.encode_utf8(&mut [0; 4]), size);
        if used > room {
            break;
        }
        kept.push(c);
    }
    kept.truncate(kept.trim_end().len());
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::png::options;
    use proptest::prelude::*;
    use resvg::usvg::{Node, Tree};

    /// The drawn width of a line, as the renderer lays it out, between two bars that leave no side bearing.
    fn drawn(text: &str) -> f64 {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-family="Ubuntu" font-size="1000">{text}</text></svg>"#
        );
        let tree = Tree::from_str(&svg, &options()).unwrap();
        let Node::Text(node) = &tree.root().children()[0] else { panic!("a text") };
        f64::from(node.bounding_box().width())
    }

    #[test]
    fn widths_are_those_of_the_font() {
        let bar = drawn("||");
        for c in ('!'..='~').filter(|c| *c != '|') {
            // Kerning with the bars may move a letter a little.
            let wide = drawn(&format!("|{c}|")) - bar;
            assert!((wide - width(&c.to_string(), 1000.0)).abs() < 30.0, "{c}: {wide}");
        }
    }

    #[test]
    fn text_wraps_at_spaces() {
        let room = width("two words", 10.0);
        assert_eq!(wrap(" two words  and\nmore", 10.0, room), ["two words", "and more"]);
        assert_eq!(wrap("", 10.0, room), [] as [&str; 0]);
        assert_eq!(wrap("a verylongwordindeed b", 10.0, 40.0), ["a", "verylon…", "b"]);
        assert_eq!(cut("short", 10.0, 100.0), "short");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_its_room(text in ".{0,60}", room in 20.0_f64..200.0) {
            for line in wrap(&text, 12.0, room) {
                prop_assert!(width(&line, 12.0) <= room + 1e-9, "{line}");
            }
        }
    }
}
