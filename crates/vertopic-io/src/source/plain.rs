//! A plain file that many threads read at once, each where it wants to.
//!
//! It is read, not mapped: a map of a file that another program cuts short ends the program.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use memchr::memchr;

use crate::error::IoError;

/// Bytes read after a span in the hope of the end of its last line, and again as many as there are while it is not
/// found. So few in tests that it is often not found.
const MORE: usize = if cfg!(test) { 4 } else { 512 };

/// A plain file.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// Its bytes when it was opened.
    pub(super) size: u64,
}

impl Plain {
    /// Its bytes when it was opened.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The lines that start within a span, each of them whole. Their bytes come into `buffer`.
    pub(crate) fn lines<'b>(
        &self,
        span: Range<u64>,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], IoError> {
        // A line starts where the byte before ends one.
        let from = span.start.saturating_sub(1);
        let before_last = (span.end - from - 1) as usize;
        let mut len = self.fill(from, before_last + 1 + MORE, 0, buffer)?;
        let start = if span.start == 0 {
            0
        } else if let Some(end) = memchr(b'\n', &buffer[..before_last]) {
            end + 1
        } else {
            return Ok(&[]); // all of it is part of a longer line
        };
        let mut searched = before_last;
        loop {
            if let Some(end) = memchr(b'\n', &buffer[searched..len]) {
                return Ok(&buffer[start..=searched + end]);
            }
            if from + len as u64 == self.size {
                return Ok(&buffer[start..len]); // the last line may lack its end
            }
            searched = len;
            len = self.fill(from, 2 * len, len, buffer)?;
        }
    }

    /// Reads the bytes from `from` on into the buffer, `len` of them or as many as there are, of which it has `has`
    /// already. Gives back how many it has then.
    fn fill(
        &self,
        from: u64,
        len: usize,
        has: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<usize, IoError> {
        let len = usize::try_from(self.size - from).map_or(len, |left| left.min(len));
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        let mut has = has;
        while has < len {
            match read_at(&self.file, &mut buffer[has..len], from + has as u64) {
                Ok(0) => return Err(self.shorter(from + has as u64)),
                Ok(n) => has += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => {
                    let path = self.path.clone();
                    return Err(IoError::File { path, what: "cannot read", source });
                }
            }
        }
        Ok(len)
    }

    fn shorter(&self, end: u64) -> IoError {
        let problem = format!(
            "had {} bytes when it was opened, but now has no more than {end}: it was cut short while it was read",
            self.size
        );
        let hint = "read it when no other program writes it";
        IoError::Data { path: self.path.clone(), line: None, problem, hint: Some(hint.into()) }
    }
}

/// Reads bytes from a place on; 0 of them at the end.
#[cfg(unix)]
fn read_at(file: &File, to: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, to, at)
}

/// Reads bytes from a place on; 0 of them at the end.
#[cfg(windows)]
fn read_at(file: &File, to: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, to, at)
}

/// Such systems have no reading at a place: [`super::open`] leaves their files to streams.
#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_lines_of_all_spans_are_the_file(text in "[ab\n]{0,300}", span in 1_usize..40) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("x");
            std::fs::write(&path, &text).expect("written");
            let size = text.len() as u64;
            let file = Plain { file: File::open(&path).expect("there"), path, size };
            let (mut buffer, mut all) = (Vec::new(), Vec::new());
            for start in (0..size).step_by(span) {
                let end = size.min(start + span as u64);
                let lines = file.lines(start..end, &mut buffer).expect("good");
                all.extend_from_slice(lines);
            }
            prop_assert_eq!(String::from_utf8(all).expect("as written"), text);
        }
    }
}
