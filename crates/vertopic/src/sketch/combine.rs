//! Sums and differences of sketches.

use crate::corpus::Vocabulary;
use crate::error::Error;
use crate::exact::ExactSums;
use crate::moments::WordSums;
use crate::sketch::Sketch;
use crate::sketch::triangle::Triangle;

/// Sum or difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

impl Sign {
    fn of(self, a: u64, b: u64) -> Option<u64> {
        match self {
            Self::Plus => a.checked_add(b),
            Self::Minus => a.checked_sub(b),
        }
    }

    fn of_signed(self, a: i128, b: i128) -> i128 {
        match self {
            Self::Plus => a + b,
            Self::Minus => a - b,
        }
    }

    /// The same for sums that are never negative.
    fn of_sums(self, a: i128, b: i128) -> Option<i128> {
        Some(self.of_signed(a, b)).filter(|&sum| sum >= 0)
    }
}

impl Sketch {
    /// The sketch of the documents of both. Words may be new in either.
    pub fn merge(&self, other: &Self) -> Result<Self, Error> {
        let all = self.combine(other, Sign::Plus)?;
        all.check().map_err(Error::BadSketch)?;
        Ok(all)
    }

    /// The sketch without the documents of `other`, which must be part of it. Words that no longer occur are dropped.
    ///
    /// An error if a sum would fall below 0, or if a word would lose its tokens but keep other sums. Other mistakes go unnoticed:
    /// sums do not tell documents apart.
    pub fn subtract(&self, other: &Self) -> Result<Self, Error> {
        if let Some(word) =
            other.vocabulary.words().iter().find(|w| self.vocabulary.id(w).is_none())
        {
            return Err(Error::NotPart { what: format!("{word:?} occurs in them alone") });
        }
        let left = self.combine(other, Sign::Minus)?.without_unused()?;
        left.check().map_err(|what| Error::NotPart { what: format!("what is left: {what}") })?;
        Ok(left)
    }

    fn combine(&self, other: &Self, sign: Sign) -> Result<Self, Error> {
        if self.params != other.params {
            let (one, other) = (self.params.to_string(), other.params.to_string());
            return Err(Error::SketchesDiffer { what: "what is counted", one, other });
        }
        if self.preprocessing != other.preprocessing {
            let what = "how documents were turned into words";
            let (one, other) = (self.preprocessing.to_string(), other.preprocessing.to_string());
            return Err(Error::SketchesDiffer { what, one, other });
        }
        let union = Union::of(&self.vocabulary, &other.vocabulary)?;
        let sums = union.sums(&self.sums, &other.sums, sign)?;
        let pairs = union.pairs(&self.pairs, &other.pairs, sign)?;
        let width = self.params.projections;
        let projections = union.projections(&self.projections, &other.projections, width, sign);
        let (params, preprocessing) = (self.params, self.preprocessing.clone());
        Ok(Self { params, vocabulary: union.vocabulary, sums, pairs, projections, preprocessing })
    }

    /// The same without words that do not occur. An error if such a word has sums.
    fn without_unused(self) -> Result<Self, Error> {
        let words = self.vocabulary.len() as u32;
        let (used, unused): (Vec<u32>, Vec<u32>) =
            (0..words).partition(|&w| self.sums.tokens[w as usize] > 0);
        if unused.is_empty() {
            return Ok(self);
        }
        let width = self.params.projections;
        let row = |w: u32| {
            (w as usize * width..(w as usize + 1) * width).map(|at| self.projections.get(at))
        };
        let sums = self.sums.of_words(&unused);
        let parts = [&sums.whole, &sums.first, &sums.second];
        let mut new_id = vec![u32::MAX; words as usize];
        used.iter().enumerate().for_each(|(new, &old)| new_id[old as usize] = new as u32);
        let mut pairs = Triangle::empty(self.pairs.backward.is_some());
        let mut clean = sums.df.iter().all(|&df| df == 0)
            && parts.iter().all(|sums| sums.iter().all(|sum| sum == 0))
            && unused.iter().all(|&w| row(w).all(|sum| sum == 0));
        for w in 0..words {
            for (column, forward, backward) in self.pairs.row(w) {
                clean &= new_id[w as usize] != u32::MAX && new_id[column as usize] != u32::MAX;
                pairs.push(new_id[column as usize], forward, backward);
            }
            if new_id[w as usize] != u32::MAX {
                pairs.end_row();
            }
        }
        if !clean {
            let what = "a word that no longer occurs would leave sums behind".to_owned();
            return Err(Error::NotPart { what });
        }
        let name = |&w: &u32| self.vocabulary.word(w).to_owned();
        Ok(Self {
            vocabulary: Vocabulary::new(used.iter().map(name).collect())?,
            sums: self.sums.of_words(&used),
            projections: used.iter().flat_map(|&w| row(w)).collect(),
            pairs,
            ..self
        })
    }
}

/// The words of two vocabularies, and which ids they have there.
struct Union {
    vocabulary: Vocabulary,
    /// For each word its id in the one and in the other.
    old: Vec<[Option<u32>; 2]>,
    /// For each word of the one and of the other its new id. Ascending, since words are in byte order.
    new: [Vec<u32>; 2],
}

impl Union {
    fn of(one: &Vocabulary, other: &Vocabulary) -> Result<Self, Error> {
        let mut words: Vec<String> = one.words().iter().chain(other.words()).cloned().collect();
        words.sort_unstable();
        words.dedup();
        let vocabulary = Vocabulary::new(words)?;
        let old: Vec<[Option<u32>; 2]> =
            vocabulary.words().iter().map(|word| [one.id(word), other.id(word)]).collect();
        let ids = |side: usize| {
            (0..).zip(&old).filter(|(_, old)| old[side].is_some()).map(|(new, _)| new).collect()
        };
        let new = [ids(0), ids(1)];
        Ok(Self { vocabulary, old, new })
    }

    /// The error for a sum that falls below 0, or is too large.
    fn wrong(&self, sign: Sign, words: &[usize], what: &str) -> Error {
        let names: Vec<String> =
            words.iter().map(|&w| format!("{:?}", self.vocabulary.word(w as u32))).collect();
        let names = names.join(" with ");
        match sign {
            Sign::Plus => {
                Error::BadSketch(format!("{what} of {names} are more than can be counted"))
            }
            Sign::Minus => Error::NotPart { what: format!("they have more {what} of {names}") },
        }
    }

    fn sums(&self, one: &WordSums, other: &WordSums, sign: Sign) -> Result<WordSums, Error> {
        let count = |a: usize, b: usize, what: &str| {
            sign.of(a as u64, b as u64).map(|n| n as usize).ok_or_else(|| match sign {
                Sign::Plus => Error::BadSketch(format!("{what} are more than can be counted")),
                Sign::Minus => {
                    Error::NotPart { what: format!("they have more {what}: {b}, not {a}") }
                }
            })
        };
        let each = |one: &[u64], other: &[u64], what: &str| -> Result<Vec<u64>, Error> {
            let at = |sums: &[u64], id: Option<u32>| id.map_or(0, |id| sums[id as usize]);
            let sum = |(w, old): (usize, &[Option<u32>; 2])| {
                let sum = sign.of(at(one, old[0]), at(other, old[1]));
                sum.ok_or_else(|| self.wrong(sign, &[w], what))
            };
            self.old.iter().enumerate().map(sum).collect()
        };
        let wide = |one: &ExactSums, other: &ExactSums, what: &str| -> Result<ExactSums, Error> {
            let at = |sums: &ExactSums, id: Option<u32>| id.map_or(0, |id| sums.get(id as usize));
            let sum = |(w, old): (usize, &[Option<u32>; 2])| {
                let sum = sign.of_sums(at(one, old[0]), at(other, old[1]));
                sum.ok_or_else(|| self.wrong(sign, &[w], what))
            };
            self.old.iter().enumerate().map(sum).collect()
        };
        Ok(WordSums {
            documents: count(one.documents, other.documents, "documents")?,
            filled: count(one.filled, other.filled, "documents with words")?,
            paired: count(one.paired, other.paired, "documents with pairs")?,
            tokens: each(&one.tokens, &other.tokens, "tokens")?,
            df: each(&one.df, &other.df, "documents")?,
            whole: wide(&one.whole, &other.whole, "frequencies")?,
            first: wide(&one.first, &other.first, "frequencies")?,
            second: wide(&one.second, &other.second, "frequencies")?,
            diagonal: wide(&one.diagonal, &other.diagonal, "pairs")?,
        })
    }

    /// Row by row, both in ascending order of the new ids.
    fn pairs(&self, one: &Triangle, other: &Triangle, sign: Sign) -> Result<Triangle, Error> {
        let mut all = Triangle::empty(one.backward.is_some());
        for (w, old) in self.old.iter().enumerate() {
            let mut ours = self.row(one, old[0], 0).peekable();
            let mut theirs = self.row(other, old[1], 1).peekable();
            while let Some(column) =
                [ours.peek(), theirs.peek()].into_iter().flatten().map(|entry| entry.0).min()
            {
                let (_, there, back) = ours.next_if(|e| e.0 == column).unwrap_or_default();
                let (_, there2, back2) = theirs.next_if(|e| e.0 == column).unwrap_or_default();
                let sums = sign.of_sums(there, there2).zip(sign.of_sums(back, back2));
                let words = [w, column as usize];
                let (there, back) = sums.ok_or_else(|| self.wrong(sign, &words, "pairs"))?;
                all.push(column, there, back);
            }
            all.end_row();
        }
        Ok(all)
    }

    /// The entries of a row by the new ids, if the side has it.
    fn row<'a>(
        &'a self,
        pairs: &'a Triangle,
        row: Option<u32>,
        side: usize,
    ) -> impl Iterator<Item = (u32, i128, i128)> + 'a {
        let entries = row.into_iter().flat_map(|row| pairs.row(row));
        entries.map(move |(c, there, back)| (self.new[side][c as usize], there, back))
    }

    fn projections(
        &self,
        one: &ExactSums,
        other: &ExactSums,
        width: usize,
        sign: Sign,
    ) -> ExactSums {
        let at = |sums: &ExactSums, id: Option<u32>, p: usize| {
            id.map_or(0, |id| sums.get(id as usize * width + p))
        };
        let sums = self.old.iter().flat_map(|old| {
            (0..width).map(|p| sign.of_signed(at(one, old[0], p), at(other, old[1], p)))
        });
        sums.collect()
    }
}
