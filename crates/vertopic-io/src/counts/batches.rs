//! A stream, cut at line ends into batches.

use std::io::{self, Read};

use memchr::memrchr;

use crate::counts::chunks::BATCH;

/// Bytes that are asked of a stream at a time: a decompressor that finds damage may forget the last of them.
const PIECE: usize = 1 << 18;

/// Bytes of whole lines; what comes after the first `len` is scratch.
#[derive(Default)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    len: usize,
}

impl Batch {
    pub(super) fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Cuts a stream at line ends.
pub(super) struct Batches<R> {
    reader: R,
    /// The start of a line whose end was not read yet.
    tail: Vec<u8>,
    pub(super) failure: Option<io::Error>,
    ended: bool,
}

impl<R: Read> Batches<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, tail: Vec::new(), failure: None, ended: false }
    }

    /// The next lines; none at the end, or after a failure to read. The last line may lack its end.
    pub(super) fn fill(&mut self, batch: &mut Batch) {
        let (bytes, mut len) = (&mut batch.bytes, self.tail.len());
        batch.len = 0;
        if bytes.len() < 2 * len + BATCH {
            bytes.resize(2 * len + BATCH, 0);
        }
        bytes[..len].copy_from_slice(&self.tail);
        self.tail.clear();
        while !self.ended {
            let to = bytes.len().min(len + PIECE);
            match self.reader.read(&mut bytes[len..to]) {
                Ok(0) => self.ended = true,
                Ok(n) => len += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => (self.ended, self.failure) = (true, Some(e)),
            }
            if len < bytes.len() {
                continue;
            }
            if let Some(last) = memrchr(b'\n', bytes) {
                self.tail.extend_from_slice(&bytes[last + 1..]);
                batch.len = last + 1;
                return;
            }
            bytes.resize(2 * len, 0);
        }
        // Before a failure a line without its end may be a piece of one.
        let whole = memrchr(b'\n', &bytes[..len]).map_or(0, |last| last + 1);
        batch.len = if self.failure.is_some() { whole } else { len };
    }
}
