//! Rows of small grey images, for example the topics that methods find in the Swimmer.

use std::fmt::Write;

use super::svg::{Anchor, Look, Num, Sheet, escape};
use super::{MARGIN, WIDTH, text};

/// A figure of rows of small images.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gallery {
    /// What the figure says.
    pub title: String,
    /// What a reader must know to read it.
    pub caption: Option<String>,
    /// What a mark on a picture means; said below the rows.
    pub mark: Option<String>,
    /// The rows, from top to bottom.
    pub rows: Vec<GalleryRow>,
}

/// Images that belong together. A row that is too long goes on in a new line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GalleryRow {
    /// What they are; stands above them.
    pub label: String,
    /// The images.
    pub images: Vec<Picture>,
}

/// A grey image.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row by row, from 0 (white, as paper) to 1 (black, as ink). Other values are cut off; missing ones
    /// and those that are not numbers are white.
    pub pixels: Vec<f32>,
    /// A word or two below the image.
    pub caption: Option<String>,
    /// Whether it is marked, for example as a miss: with a heavy frame and a cross in the corner.
    pub marked: bool,
}

/// Shades of grey between white and black: one hexadecimal digit.
const SHADES: f32 = 15.0;
/// Size of the captions of pictures.
const SMALL: f64 = 10.0;
/// Room between pictures.
const GAP: f64 = 5.0;

impl Gallery {
    /// The figure as SVG. It never fails: what cannot be drawn is left out.
    pub fn to_svg(&self) -> String {
        let (mut sheet, mut top) = Sheet::new(&self.title);
        let room = WIDTH - 2.0 * MARGIN;
        let longest = self.rows.iter().map(|r| r.images.len()).max().unwrap_or(0);
        // Half units are whole pixels at scale 2.
        let halves = |v: f64| (2.0 * v).floor() / 2.0;
        let columns = longest.clamp(8, 16);
        let side = halves((room + GAP) / columns as f64 - GAP);
        let pitch = (room + GAP) / columns as f64;
        for row in &self.rows {
            let look = Look::new(13.0, Anchor::Start);
            let after = sheet.paragraph(&row.label, MARGIN, top, room, look);
            top = if after > top { after + 5.0 } else { top };
            for line in row.images.chunks(columns) {
                let mut height: f64 = 0.0;
                for (i, picture) in line.iter().enumerate() {
                    let (x, y) = (halves(MARGIN + i as f64 * pitch), halves(top));
                    height = height.max(picture.draw(&mut sheet, x, y, side));
                }
                let captions = line.iter().any(|p| p.caption.is_some());
                top += height + GAP + if captions { 1.4 * SMALL } else { 0.0 };
            }
            top += 13.0;
        }
        if let Some(mark) = self.mark.as_deref().filter(|m| !m.trim().is_empty()) {
            let (y, size) = (halves(top + 2.0), 16.0);
            frame(&mut sheet, MARGIN, y, size, size, true);
            let x = MARGIN + size + 8.0;
            let look = Look::new(12.5, Anchor::Start).pale();
            let after = sheet.paragraph(mark, x, y + 0.5, WIDTH - MARGIN - x, look);
            top = after.max(y + size) - 4.0;
        }
        sheet.finish(self.caption.as_deref(), top)
    }
}

impl Picture {
    /// Draws the picture in a square at (x, y); gives its height.
    fn draw(&self, sheet: &mut Sheet, x: f64, y: f64, side: f64) -> f64 {
        // Pixels of half units stay sharp at scale 2; images too large for that take what there is.
        let exact = side / self.width.max(self.height).max(1) as f64;
        let pixel = if exact >= 0.5 { (2.0 * exact).floor() / 2.0 } else { exact };
        let (width, height) = (self.width as f64 * pixel, self.height as f64 * pixel);
        let left = (2.0 * x + side - width).floor() / 2.0; // in the middle of the square
        sheet.push(format_args!(
            r#"<g class="picture" transform="translate({} {}) scale({pixel})" fill="none" shape-rendering="crispEdges">"#,
            Num(left),
            Num(y + pixel / 2.0)
        ));
        if let Some(caption) = &self.caption {
            sheet.push(format_args!("<title>{}</title>", escape(caption)));
        }
        for (shade, path) in self.runs() {
            let grey = 15 - shade;
            sheet.push(format_args!("<path stroke=\"#{grey:x}{grey:x}{grey:x}\" d=\"{path}\"/>"));
        }
        sheet.push(format_args!("</g>"));
        frame(sheet, left, y, width, height, self.marked);
        if let Some(caption) = &self.caption {
            let caption = text::cut(caption, SMALL, side + GAP - 2.0);
            let look = Look::new(SMALL, Anchor::Middle).pale();
            sheet.text(left + width / 2.0, y + height + 3.0 + SMALL, &caption, look);
        }
        height
    }

    /// For every shade in use, its runs of equal pixels as lines of width 1, in units of pixels. White is the paper.
    fn runs(&self) -> Vec<(u8, String)> {
        let mut paths = vec![String::new(); SHADES as usize + 1];
        let rows = self.pixels.chunks(self.width.max(1)).take(self.height).enumerate();
        for (y, row) in rows.filter(|_| self.width > 0) {
            let mut x = 0;
            for ctx in row.chunk_by(|a, b| shade(*a) == shade(*b)) {
                let (path, n) = (&mut paths[shade(ctx[0]) as usize], ctx.len());
                let _ = write!(path, "M{x} {y}h{n}");
                x += n;
            }
        }
        (0..).zip(paths).skip(1).filter(|(_, path)| !path.is_empty()).collect()
    }
}

/// The shade of a pixel: 0 is white.
fn shade(pixel: f32) -> u8 {
    (pixel.clamp(0.0, 1.0) * SHADES).round() as u8 // not a number: 0
}

/// A hairline around a picture, or a heavy line with a cross in the upper right corner.
fn frame(sheet: &mut Sheet, x: f64, y: f64, width: f64, height: f64, marked: bool) {
    let (colour, line) = if marked { ("#d55e00", 1.6) } else { ("#bbb", 0.5) };
    let (w, h) = (Num(width), Num(height));
    sheet.push(format_args!(
        r#"<path d="M{} {}h{w}v{h}h-{w}z" fill="none" stroke="{colour}" stroke-width="{line}"/>"#,
        Num(x),
        Num(y)
    ));
    if marked {
        let size = (0.28 * width.min(height)).clamp(9.0, 13.0).min(width.min(height));
        let (l, t, s, arm) = (x + width - size, y, Num(size), Num(0.5 * size));
        let (a, b) = (Num(l + 0.25 * size), Num(t + 0.25 * size));
        sheet.push(format_args!(
            r##"<path class="mark" d="M{} {}h{s}v{s}h-{s}zM{a} {b}l{arm} {arm}m0 -{arm}l-{arm} {arm}" fill="#fff" stroke="#d55e00" stroke-width="1.2"/>"##,
            Num(l),
            Num(t)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::svg::tests::{size, texts};
    use crate::synth::swimmer::{LIMBS, SIDE, limb};
    use proptest::prelude::*;

    fn swimmer(position: usize) -> Picture {
        let mut pixels = vec![0.0; SIDE * SIDE];
        limb(position).iter().for_each(|&p| pixels[p] = 1.0);
        Picture { width: SIDE, height: SIDE, pixels, ..Picture::default() }
    }

    #[test]
    fn equal_neighbours_are_one_run_and_white_is_nothing() {
        let pixels = vec![0.0, 1.0, 1.0, 0.2, 1.0, f32::NAN, -1.0, 9.0];
        let picture = Picture { width: 4, height: 3, pixels, ..Picture::default() };
        assert_eq!(
            picture.runs(),
            [(3, "M3 0h1".to_owned()), (15, "M1 0h2M0 1h1M3 1h1".to_owned()),]
        );
    }

    #[test]
    fn rows_wrap_and_the_file_stays_small() {
        let images: Vec<Picture> = (0..40).map(|i| swimmer(i % LIMBS)).collect();
        let row = GalleryRow { label: "limbs <40>".into(), images };
        let gallery = Gallery { rows: vec![row; 3], ..Gallery::default() };
        let svg = gallery.to_svg();
        let (width, height) = size(&svg);
        assert_eq!(width, WIDTH);
        assert!(height > 3.0 * 3.0 * 48.0, "40 pictures need three lines of 16");
        assert!(svg.len() < 60_000, "{}", svg.len());
        assert_eq!(svg.matches("class=\"picture\"").count(), 120);
        assert_eq!(texts(&svg)[0].0, "limbs <40>");
    }

    #[test]
    fn only_a_marked_picture_has_a_mark() {
        let marked = Picture { marked: true, caption: Some("a & b".into()), ..swimmer(0) };
        let row = GalleryRow { label: String::new(), images: vec![swimmer(1), marked] };
        let mut gallery = Gallery { rows: vec![row], ..Gallery::default() };
        assert_eq!(gallery.to_svg().matches("class=\"mark\"").count(), 1);
        gallery.mark = Some("no limb".into());
        let svg = gallery.to_svg();
        assert_eq!(svg.matches("class=\"mark\"").count(), 2);
        let texts: Vec<String> = texts(&svg).into_iter().map(|t| t.0).collect();
        assert_eq!(texts, ["a & b", "no limb"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_picture_gives_a_figure(
            width in prop_oneof![0_usize..9, Just(usize::MAX)],
            height in prop_oneof![0_usize..9, Just(usize::MAX)],
            pixels in prop::collection::vec(any::<f32>(), 0..40),
            marked: bool,
        ) {
            let caption = Some("\u{1}caption of some length".to_owned());
            let picture = Picture { width, height, pixels, caption, marked };
            let rows = vec![GalleryRow { label: "a".into(), images: vec![picture] }];
            size(&Gallery { rows, ..Gallery::default() }.to_svg());
        }
    }
}
