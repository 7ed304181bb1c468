//! A checksum over what a corpus file says, whatever way it is laid out in bytes.

use flate2::Crc;
use vertopic::corpus::Corpus;

use crate::store::corpus::CorpusMeta;

/// The checksum as it stands in the file: `crc32:` and eight hexadecimal digits.
pub(super) fn checksum(corpus: &Corpus, meta: &CorpusMeta) -> String {
    let mut sum = Checksum::new(meta, corpus.vocabulary().words());
    for (d, document) in corpus.documents().enumerate() {
        let info = [corpus.id(d), corpus.label(d), corpus.time(d)];
        sum.document(info, document.words, document.counts);
    }
    sum.finish()
}

/// The checksum of documents that come one by one.
#[derive(Default)]
pub(super) struct Checksum {
    crc: Crc,
    bytes: Vec<u8>,
}

impl Checksum {
    pub(super) fn new(meta: &CorpusMeta, words: &[String]) -> Self {
        let mut sum = Self::default();
        sum.text(Some(meta.kind.name()));
        sum.text(meta.tokenizer.as_deref());
        words.iter().for_each(|word| sum.text(Some(word)));
        sum
    }

    /// Adds a document: its id, label and time, its words and their counts.
    pub(super) fn document(&mut self, info: [Option<&str>; 3], words: &[u32], counts: &[u32]) {
        info.into_iter().for_each(|text| self.text(text));
        self.numbers(words);
        self.numbers(counts);
    }

    /// As it stands in the file.
    pub(super) fn finish(&self) -> String {
        format!("crc32:{:08x}", self.crc.sum())
    }

    /// With its length in front, so that no two sequences of texts look alike.
    fn text(&mut self, text: Option<&str>) {
        let len = text.map_or(u64::MAX, |t| t.len() as u64);
        self.crc.update(&len.to_le_bytes());
        self.crc.update(text.unwrap_or_default().as_bytes());
    }

    fn numbers(&mut self, numbers: &[u32]) {
        self.bytes.clear();
        self.bytes.extend((numbers.len() as u64).to_le_bytes());
        self.bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        self.crc.update(&self.bytes);
    }
}
