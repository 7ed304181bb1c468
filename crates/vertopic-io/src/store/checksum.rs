//! A checksum over what a corpus file says, whatever way it is laid out in bytes.

use flate2::Crc;
use vertopic::corpus::Corpus;

use crate::store::corpus::CorpusMeta;

/// The checksum as it stands in the file: `crc32:` and eight hexadecimal digits.
pub(super) fn checksum(corpus: &Corpus, meta: &CorpusMeta) -> String {
    let mut sum = Checksum::default();
    sum.text(Some(meta.kind.name()));
    sum.text(meta.tokenizer.as_deref());
    for word in corpus.vocabulary().words() {
        sum.text(Some(word));
    }
    for (d, document) in corpus.documents().enumerate() {
        sum.text(corpus.id(d));
        sum.text(corpus.label(d));
        sum.text(corpus.time(d));
        sum.numbers(document.words);
        sum.numbers(document.counts);
    }
    format!("crc32:{:08x}", sum.crc.sum())
}

#[derive(Default)]
struct Checksum {
    crc: Crc,
    bytes: Vec<u8>,
}

impl Checksum {
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
