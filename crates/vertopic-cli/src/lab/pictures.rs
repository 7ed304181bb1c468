//! Small grey pictures in the terminal, two rows of pixels per line of text.

/// A picture: brightness of each pixel in [0, 1], row by row.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) pixels: Vec<f32>,
    pub(crate) caption: String,
}

impl Picture {
    fn height(&self) -> usize {
        self.pixels.len() / self.width.max(1)
    }

    fn lit(&self, row: usize, column: usize) -> f32 {
        self.pixels.get(row * self.width + column).copied().unwrap_or(0.0)
    }
}

/// Above this, a pixel is drawn.
const LIT: f32 = 0.5;

/// Pictures side by side, `per_row` of them, with captions under them.
pub(crate) fn pictures(all: &[Picture], per_row: usize) -> String {
    let mut out = String::new();
    for row in all.chunks(per_row.max(1)) {
        let height = row.iter().map(Picture::height).max().unwrap_or(0);
        for top in (0..height).step_by(2) {
            let line: Vec<String> = row.iter().map(|p| half_blocks(p, top)).collect();
            out += line.join("  ").trim_end();
            out.push('\n');
        }
        let captions: Vec<String> =
            row.iter().map(|p| format!("{:^width$}", p.caption, width = p.width)).collect();
        out += captions.join("  ").trim_end();
        out += "\n\n";
    }
    out
}

/// Two rows of pixels as one line. An unlit pixel that is not dark shows as a dot.
fn half_blocks(picture: &Picture, top: usize) -> String {
    (0..picture.width)
        .map(|column| {
            let (upper, lower) = (picture.lit(top, column), picture.lit(top + 1, column));
            match (upper > LIT, lower > LIT) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) if upper.max(lower) > LIT / 5.0 => '░',
                (false, false) => '·',
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_of_pixels_are_one_line() {
        let pixels = vec![1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.2];
        let picture = Picture { width: 4, pixels, caption: "a".to_owned() };
        assert_eq!(pictures(&[picture.clone(), picture], 2), "▀▄█░  ▀▄█░\n a     a\n\n");
    }
}
