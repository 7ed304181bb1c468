//! Generated corpora with known topics.
//!
//! | module | what it makes |
//! |---|---|
//! | [`separable`] | the paper's synthetic recipe (Section 6.2), and a fairer one |
//! | [`swimmer`] | the paper's image set (Section 6.3) |
//! | [`lda`] | LDA corpora of any size with Zipf word frequencies, as a stream |
//! | [`prior`] | topic mixtures: Dirichlet or logistic-normal |
//! | [`moments`] | what the paper assumes of a prior, in numbers |
//! | [`alias`] | draws from a fixed distribution in constant time |
//! | [`truth`] | a corpus with what it was drawn from, and the truth as a model |
//!
//! The same seed gives the same corpus, for any number of threads.

pub mod alias;
pub mod lda;
pub mod moments;
pub mod prior;
pub mod separable;
pub mod swimmer;
pub mod truth;

use crate::parameter::{self, require};
use vertopic::{Error, Parameter};

/// Entries of a topic matrix, at most: what fits into the memory of a common machine.
const MOST_ENTRIES: usize = 1 << 30;
/// Tokens of a document, at most.
const MOST_TOKENS: usize = 1_000_000;

/// Checks the paper's W, K, M and N.
fn check_sizes(words: usize, topics: usize, documents: usize, tokens: usize) -> Result<(), Error> {
    require(topics >= 2, Parameter::Topics, "at least 2", topics)?;
    require(words >= topics, parameter::WORDS, "at least that of topics", words)?;
    let entries = words.saturating_mul(topics);
    require(entries <= MOST_ENTRIES, parameter::ENTRIES, "at most 1,073,741,824", entries)?;
    require(
        (1..=u32::MAX as usize).contains(&documents),
        parameter::DOCUMENTS,
        "from 1 to 4,294,967,295",
        documents,
    )?;
    require((1..=MOST_TOKENS).contains(&tokens), parameter::TOKENS, "from 1 to 1,000,000", tokens)
}

/// Novel words of each topic: a share of the words, equally many for each topic.
fn novel_per_topic(share: f64, words: usize, topics: usize) -> usize {
    (share * words as f64 / topics as f64).round() as usize
}

/// The name of a word. Names sort like numbers, so a word's id is its number.
fn word_name(word: usize, words: usize) -> String {
    let width = words.saturating_sub(1).max(1).ilog10() as usize + 1;
    format!("w{word:0width$}", width = width.max(6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_like_numbers() {
        for words in [1, 10, 500, 1_000_000, 1_000_001, 12_345_678] {
            let names = [0, 9, 499, 999_999, 1_000_000, 12_345_677].map(|w| word_name(w, words));
            let below = names.iter().zip([0, 9, 499, 999_999, 1_000_000, 12_345_677]);
            let below: Vec<&String> = below.filter(|(_, w)| *w < words).map(|(n, _)| n).collect();
            assert!(below.is_sorted() && !below.is_empty(), "{words}: {below:?}");
        }
        assert_eq!(word_name(7, 500), "w000007");
        assert_eq!(word_name(7, 1_000_001), "w0000007");
    }

    #[test]
    fn sizes_have_limits() {
        check_sizes(500, 5, 1, 1).expect("fine");
        for (sizes, part) in [
            ([500, 1, 10, 10], "topics must be at least 2, got 1"),
            ([4, 5, 10, 10], "words must be at least that of topics, got 4"),
            ([usize::MAX, 5, 10, 10], "words times topics must be at most"),
            ([500, 5, 0, 10], "documents must be from 1 to 4,294,967,295, got 0"),
            ([500, 5, 10, 0], "tokens of a document must be from 1 to 1,000,000, got 0"),
            ([500, 5, 10, 1_000_001], "got 1000001"),
        ] {
            let [words, topics, documents, tokens] = sizes;
            let error = check_sizes(words, topics, documents, tokens).expect_err(part);
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
