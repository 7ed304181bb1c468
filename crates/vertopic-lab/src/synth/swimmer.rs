//! The Swimmer of Donoho & Stodden (2003): 256 images of a torso with four limbs in four positions each.
//!
//! Pixels are words and images are documents. The 16 limb positions are the topics: each has five
//! pixels that light up with no other. As in the paper, body pixels have value 10 and background pixels
//! 1, and a document is N pixels drawn from the image.

use crate::parameter::{self, require};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::Distribution;
use rand_distr::weighted::WeightedIndex;
use vertopic::Error;
use vertopic::corpus::{Corpus, CorpusBuilder, DocumentInfo};
use vertopic::estimate::Topics;

use super::MOST_TOKENS;
use super::truth::Planted;

/// Height and width of an image.
pub const SIDE: usize = 32;
/// Limb positions: the topics.
pub const LIMBS: usize = 16;
/// Value of a body pixel.
const BODY: f64 = 10.0;
/// Share of a topic's mass on limb pixels that must lie on one limb for it to count as found.
const FOUND: f64 = 0.7;

/// Where each limb position starts and how it goes on for five pixels: four of each limb in turn.
const POSITIONS: [((usize, usize), (isize, isize)); LIMBS] = [
    ((8, 13), (-1, -1)),
    ((8, 14), (-1, 0)),
    ((9, 13), (0, -1)),
    ((10, 13), (1, -1)),
    ((8, 17), (-1, 1)),
    ((8, 16), (-1, 0)),
    ((9, 17), (0, 1)),
    ((10, 17), (1, 1)),
    ((20, 13), (-1, -1)),
    ((21, 13), (0, -1)),
    ((22, 13), (1, -1)),
    ((22, 14), (1, 0)),
    ((20, 17), (-1, 1)),
    ((21, 17), (0, 1)),
    ((22, 17), (1, 1)),
    ((22, 16), (1, 0)),
];

/// The five pixels (32·row + column) of a limb position.
pub fn limb(position: usize) -> [usize; 5] {
    let ((row, column), (down, right)) = POSITIONS[position];
    std::array::from_fn(|i| {
        let i = i as isize;
        SIDE * row.wrapping_add_signed(i * down) + column.wrapping_add_signed(i * right)
    })
}

/// The seventeen pixels of the torso.
pub fn torso() -> Vec<usize> {
    let ends = [9, 21].into_iter().flat_map(|row| [14, 16].map(|column| (row, column)));
    (9..=21).map(|row| (row, 15)).chain(ends).map(|(row, column)| SIDE * row + column).collect()
}

/// The limb positions of image `image` (below 256): one of four for each of the four limbs.
pub fn pose(image: usize) -> [usize; 4] {
    std::array::from_fn(|limb| 4 * limb + (image >> (2 * limb)) % 4)
}

/// The value of every pixel of image `image`, with this value in the background.
pub fn clean(image: usize, background: f64) -> Vec<f64> {
    let mut pixels = vec![background; SIDE * SIDE];
    let lit = pose(image).into_iter().flat_map(limb).chain(torso());
    lit.for_each(|pixel| pixels[pixel] = BODY);
    pixels
}

/// The name of a pixel as a word. Names sort like pixels.
pub fn word(pixel: usize) -> String {
    format!("r{:02}c{:02}", pixel / SIDE, pixel % SIDE)
}

/// 256 documents of `tokens` pixels each, drawn from the images with background 1, as in the paper.
///
/// ```
/// let corpus = vertopic_lab::synth::swimmer::noisy(200, 1)?;
/// assert_eq!((corpus.n_documents(), corpus.n_tokens()), (256, 51_200));
/// # Ok::<(), vertopic::Error>(())
/// ```
pub fn noisy(tokens: u32, seed: u64) -> Result<Corpus, Error> {
    with_background(1.0, tokens, seed)
}

/// The same with another value of the background pixels, below the body's 10; 0 leaves them out.
pub fn with_background(background: f64, tokens: u32, seed: u64) -> Result<Corpus, Error> {
    check_background(background)?;
    let mut builder = CorpusBuilder::with_words((0..SIDE * SIDE).map(word).collect());
    for image in 0..256 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(image as u64);
        let pixels = WeightedIndex::new(clean(image, background))
            .unwrap_or_else(|_| unreachable!("body pixels have weight"));
        let mut pairs: Vec<(u32, u32)> =
            (0..tokens).map(|_| (pixels.sample(&mut random) as u32, 1)).collect();
        let id = Some(pose(image).map(|p| (b'a' + p as u8) as char).iter().collect());
        builder.push(&mut pairs, DocumentInfo { id, ..DocumentInfo::default() })?;
    }
    builder.finish()
}

/// The topics that the images are made of: an image is an even mixture of its four limbs' topics.
///
/// A topic has its limb and a quarter of what all images have, torso and background. Then four topics
/// add up to the image, pixel by pixel: `10 − b` on the limb, `(10 − b)/4` on the torso and `b/4` on all pixels,
/// with b the background. Only without a background are limb pixels novel words in the strict sense.
pub fn truth(background: f64) -> Result<Topics, Error> {
    check_background(background)?;
    let mut rows = Vec::with_capacity(LIMBS * SIDE * SIDE);
    for l in 0..LIMBS {
        let mut row = vec![background / 4.0; SIDE * SIDE];
        torso().into_iter().for_each(|pixel| row[pixel] += (BODY - background) / 4.0);
        limb(l).into_iter().for_each(|pixel| row[pixel] += BODY - background);
        let sum: f64 = row.iter().sum();
        rows.extend(row.iter().map(|v| (v / sum) as f32));
    }
    Topics::new(SIDE * SIDE, rows)
}

/// The images as [`with_background`] draws them, with their truth.
pub fn planted(background: f64, tokens: u32, seed: u64) -> Result<Planted, Error> {
    check(background, tokens)?;
    let topics = truth(background)?;
    Ok(Planted {
        corpus: with_background(background, tokens, seed)?,
        topics,
        novel_words: (0..LIMBS).map(|l| limb(l).map(|pixel| pixel as u32).to_vec()).collect(),
        weights: vec![1.0 / LIMBS as f64; LIMBS], // each limb position is in a quarter of the images
    })
}

/// Refuses values that [`planted`] cannot use.
pub fn check(background: f64, tokens: u32) -> Result<(), Error> {
    check_background(background)?;
    let fits = (1..=MOST_TOKENS).contains(&(tokens as usize));
    require(fits, parameter::TOKENS, "from 1 to 1,000,000", tokens)
}

fn check_background(background: f64) -> Result<(), Error> {
    let fits = (0.0..BODY).contains(&background);
    require(fits, parameter::BACKGROUND, "at least 0 and below 10", background)
}

/// Which limb each topic shows: the one that has over 70 % of the topic's mass on limb pixels, if any.
///
/// The topics are over words that name pixels; `words` are those names in order of the columns.
pub fn shown(topics: &Topics, words: &[String]) -> Vec<Option<usize>> {
    let mut limb_of = vec![None; SIDE * SIDE];
    for l in 0..LIMBS {
        limb(l).into_iter().for_each(|pixel| limb_of[pixel] = Some(l));
    }
    let names: Vec<String> = (0..SIDE * SIDE).map(word).collect();
    (0..topics.n_topics())
        .map(|k| {
            let mut mass = [0.0; LIMBS];
            for (name, &p) in words.iter().zip(topics.topic(k)) {
                if let Ok(pixel) = names.binary_search(name)
                    && let Some(l) = limb_of[pixel]
                {
                    mass[l] += f64::from(p);
                }
            }
            let total: f64 = mass.iter().sum();
            mass.iter().position(|m| *m > FOUND * total)
        })
        .collect()
}

/// How many of the 16 limbs some topic shows.
pub fn limbs_found(topics: &Topics, words: &[String]) -> usize {
    let mut limbs: Vec<usize> = shown(topics, words).into_iter().flatten().collect();
    limbs.sort_unstable();
    limbs.dedup();
    limbs.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The published geometry: 256 distinct images, 37 lit pixels each, 97 pixels ever lit, in 17 groups
    /// that light up together: a torso of 17 pixels in all images, 16 limbs of 5 in 64 each.
    #[test]
    fn geometry_is_that_of_the_swimmer() {
        let mut signatures: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut images = Vec::new();
        for image in 0..256 {
            let lit: Vec<usize> = (0..1024).filter(|&p| clean(image, 1.0)[p] > 1.0).collect();
            assert_eq!(lit.len(), 37);
            lit.iter().for_each(|&p| signatures.entry(p).or_default().push(image));
            images.push(lit);
        }
        images.sort();
        images.dedup();
        assert_eq!((images.len(), signatures.len()), (256, 97));
        let mut groups: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        signatures.values().for_each(|s| *groups.entry(s.clone()).or_default() += 1);
        let mut sizes: Vec<(usize, usize)> = groups.iter().map(|(s, &n)| (s.len(), n)).collect();
        sizes.sort_unstable();
        let mut expected = vec![(64, 5); 16];
        expected.push((256, 17));
        assert_eq!(sizes, expected);
        assert_eq!(limb(0).map(|p| (p / 32, p % 32)), [(8, 13), (7, 12), (6, 11), (5, 10), (4, 9)]);
        assert_eq!(
            limb(15).map(|p| (p / 32, p % 32)),
            [(22, 16), (23, 16), (24, 16), (25, 16), (26, 16)]
        );
    }

    #[test]
    fn draws_do_not_change() {
        assert_eq!(
            noisy(200, 1).expect("images").fingerprint(),
            "sha256:9a345252991f0b5e64fc02fe38d528ccd462d2ea7d9367c4c6043aacfefee721"
        );
    }

    #[test]
    fn an_image_is_an_even_mixture_of_its_limbs() {
        for background in [0.0, 1.0, 5.0] {
            let topics = truth(background).expect("topics");
            for image in [0, 77, 255] {
                let pixels = clean(image, background);
                let sum: f64 = pixels.iter().sum();
                for (pixel, value) in pixels.iter().enumerate() {
                    let mixed: f64 =
                        pose(image).iter().map(|&l| f64::from(topics.topic(l)[pixel]) / 4.0).sum();
                    assert!((mixed - value / sum).abs() < 1e-8, "{background} {image} {pixel}");
                }
            }
        }
        let planted = planted(0.0, 50, 1).expect("images");
        assert_eq!(planted.corpus, with_background(0.0, 50, 1).expect("images"));
        assert_eq!(limbs_found(&planted.topics, planted.corpus.vocabulary().words()), LIMBS);
        for (l, novel) in planted.novel_words.iter().enumerate() {
            for &w in novel {
                let topics = (0..LIMBS).filter(|&k| planted.topics.topic(k)[w as usize] > 0.0);
                assert_eq!(topics.collect::<Vec<_>>(), [l]);
            }
        }
        for background in [-1.0, 10.0, f64::NAN] {
            let error = with_background(background, 50, 1).expect_err("out of range").to_string();
            assert!(error.contains("background must be at least 0 and below 10"), "{error}");
        }
    }

    #[test]
    fn a_limb_counts_as_found_above_seventy_percent() {
        let words: Vec<String> = (0..1024).map(word).collect();
        let topic = |parts: &[(usize, f32)]| {
            let mut row = vec![0.0; 1024];
            parts.iter().for_each(|&(l, mass)| limb(l).iter().for_each(|&p| row[p] = mass / 5.0));
            row[0] = 1.0 - row.iter().sum::<f32>();
            row
        };
        let rows = [topic(&[(3, 0.6), (4, 0.2)]), topic(&[(3, 0.5), (5, 0.4)])].concat();
        let topics = Topics::new(1024, rows).expect("rows");
        assert_eq!(shown(&topics, &words), [Some(3), None]);
        assert_eq!(limbs_found(&topics, &words), 1);
    }
}
