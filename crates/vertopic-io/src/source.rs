//! Files and standard input, plain or compressed, as bytes or as lines.
//!
//! A file is decompressed by its ending (`.gz`, `.zst`), standard input by its first bytes. What goes
//! wrong while reading becomes an [`IoError`] that names the file; compressed data that stop short are
//! told apart from other failures, because half a corpus must never pass for a whole one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::error::IoError;

pub(crate) use plain::Plain;

mod plain;

/// Name of standard input in messages.
pub const STDIN: &str = "<stdin>";

/// Bytes read from the system at a time.
const BUFFER: usize = 1 << 18;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// Something to read: a file or standard input, already decompressed.
pub struct Source {
    /// The file; [`STDIN`] for standard input.
    pub path: PathBuf,
    reader: Box<dyn Read + Send>,
    /// The file, if it is a plain one.
    file: Option<Plain>,
    /// Whether it can be opened again by its path.
    on_disk: bool,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Opens a file, or standard input if the path is `-`.
pub fn open(path: &Path) -> Result<Source, IoError> {
    if path == Path::new("-") {
        return sniff(PathBuf::from(STDIN), io::stdin());
    }
    let file = File::open(path).map_err(|source| IoError::File {
        path: path.to_owned(),
        what: "cannot open",
        source,
    })?;
    let compression = Compression::of(path);
    let about = file.metadata().ok().filter(std::fs::Metadata::is_file);
    let on_disk = about.is_some();
    let uncompressed = compression == Compression::None && cfg!(any(unix, windows));
    let plain = about.filter(|_| uncompressed).and_then(|about| {
        let (path, file) = (path.to_owned(), file.try_clone().ok()?);
        Some(Plain { path, file, size: about.len() })
    });
    Ok(Source { file: plain, on_disk, ..decompress(path.to_owned(), compression, file)? })
}

/// The path without its compression ending: `a.csv.gz` gives `a.csv`. The ending that is left tells the
/// format.
///
/// ```
/// use std::path::Path;
/// use vertopic_io::source::strip_compression;
/// assert_eq!(strip_compression(Path::new("x/docs.jsonl.zst")), Path::new("x/docs.jsonl"));
/// assert_eq!(strip_compression(Path::new("docs.txt")), Path::new("docs.txt"));
/// ```
pub fn strip_compression(path: &Path) -> PathBuf {
    match Compression::of(path) {
        Compression::None => path.to_owned(),
        Compression::Gzip | Compression::Zstd => path.with_extension(""),
    }
}

/// The error for a failed read of `path`: for compressed data that are cut or damaged, one that says so.
pub fn read_error(path: &Path, source: io::Error) -> IoError {
    let path = path.to_owned();
    // Failures of the system carry its code; the others were raised by a decompressor.
    if source.raw_os_error().is_some() {
        return IoError::File { path, what: "cannot read", source };
    }
    let problem = if source.kind() == io::ErrorKind::UnexpectedEof {
        "ends before its compressed data do; it may be truncated".to_owned()
    } else {
        format!("its compressed data are damaged: {source}")
    };
    IoError::Data { path, line: None, problem, hint: None }
}

impl Source {
    /// Anything that can be read, under the name that messages shall give it.
    pub fn from_reader(name: impl Into<PathBuf>, reader: impl Read + Send + 'static) -> Self {
        Self { path: name.into(), reader: Box::new(reader), file: None, on_disk: false }
    }

    /// To be read from its start to its end alone.
    pub(crate) fn streamed(self) -> Self {
        Self { file: None, ..self }
    }

    /// The same bytes for several passes. What cannot be opened again is copied to a temporary file.
    pub(crate) fn repeatable(self) -> Result<Repeatable, IoError> {
        let path = self.path.clone();
        let copy = if self.on_disk { None } else { Some(self.copy()?) };
        Ok(Repeatable { path, copy })
    }

    /// A copy in a temporary file without a name, decompressed.
    pub(crate) fn copy(mut self) -> Result<File, IoError> {
        let failed = |source| {
            let what = "cannot make a temporary copy";
            IoError::File { path: self.path.clone(), what, source }
        };
        let mut copy = tempfile::tempfile().map_err(failed)?;
        let mut buffer = vec![0; BUFFER];
        loop {
            match self.reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => copy.write_all(&buffer[..n]).map_err(failed)?,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(read_error(&self.path, e)),
            }
        }
        copy.rewind().map_err(failed)?;
        Ok(copy)
    }

    /// The lines, one by one.
    pub fn lines(self) -> Lines {
        let Self { path, reader, file, .. } = self;
        Lines {
            path,
            file,
            bytes: 0,
            reader: BufReader::with_capacity(BUFFER, reader),
            line: Vec::new(),
            number: 0,
        }
    }

    /// The bytes. Turn errors of reading them into [`IoError`] with [`read_error`].
    pub fn into_reader(self) -> Box<dyn Read + Send> {
        self.reader
    }
}

/// A [`Source`] that can be read several times.
pub(crate) struct Repeatable {
    path: PathBuf,
    copy: Option<File>,
}

impl Repeatable {
    /// The source from its start, to be read from its start to its end.
    pub(crate) fn open(&self) -> Result<Source, IoError> {
        let Some(copy) = &self.copy else { return Ok(open(&self.path)?.streamed()) };
        let failed = |source| {
            let what = "cannot read a temporary copy";
            IoError::File { path: self.path.clone(), what, source }
        };
        let mut copy = copy.try_clone().map_err(failed)?; // shares the position with the other clones
        copy.rewind().map_err(failed)?;
        Ok(Source::from_reader(&self.path, copy))
    }

    /// The file; [`STDIN`] for standard input.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The lines of a [`Source`] as bytes, without their ends (`\n` or `\r\n`) and without a byte order mark.
pub struct Lines {
    path: PathBuf,
    file: Option<Plain>,
    /// Bytes of the lines so far.
    bytes: u64,
    reader: BufReader<Box<dyn Read + Send>>,
    line: Vec<u8>,
    number: u64,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("Lines");
        out.field("path", &self.path).field("number", &self.number).finish_non_exhaustive()
    }
}

impl Lines {
    /// The next line and its number, from 1. The line is lent until the next call, which reuses its memory.
    #[allow(clippy::should_implement_trait)] // an iterator cannot lend
    pub fn next(&mut self) -> Result<Option<(u64, &[u8])>, IoError> {
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line);
        if read.map_err(|e| read_error(&self.path, e))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.bytes += self.line.len() as u64;
        let mut line = &self.line[..];
        line = line.strip_suffix(b"\n").unwrap_or(line);
        line = line.strip_suffix(b"\r").unwrap_or(line);
        if self.number == 1 {
            line = line.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(line);
        }
        Ok(Some((self.number, line)))
    }

    /// Number of lines read so far.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The file, as messages name it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The lines that were not read yet, without a byte order mark.
    pub(crate) fn into_rest(mut self) -> Result<Rest, IoError> {
        // What has no size may be one of the files that the system makes up as they are read.
        if let Some(file) = self.file.take().filter(|file| self.bytes < file.size()) {
            let ahead = self.reader.fill_buf().map_err(|e| read_error(&self.path, e))?;
            if self.number > 0 || !ahead.starts_with(&BYTE_ORDER_MARK) {
                return Ok(Rest::Plain(file, self.bytes));
            }
        }
        let mut start = Vec::new();
        if self.number == 0
            && let Some((_, line)) = self.next()?
        {
            start.extend_from_slice(line);
            start.push(b'\n');
        }
        Ok(Rest::Stream(Box::new(Cursor::new(start).chain(self.reader))))
    }
}

/// What is left of a [`Source`].
pub(crate) enum Rest {
    /// A plain file, from so many bytes on.
    Plain(Plain, u64),
    /// A stream.
    Stream(Box<dyn Read + Send>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    /// By the file's ending.
    fn of(path: &Path) -> Self {
        let is = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
        if is("gz") {
            Self::Gzip
        } else if is("zst") {
            Self::Zstd
        } else {
            Self::None
        }
    }

    /// By the first bytes.
    fn of_bytes(start: &[u8]) -> Self {
        if start.starts_with(&GZIP_MAGIC) {
            Self::Gzip
        } else if start.starts_with(&ZSTD_MAGIC) {
            Self::Zstd
        } else {
            Self::None
        }
    }
}

/// A stream without a file name, decompressed by its first bytes.
fn sniff(path: PathBuf, reader: impl Read + Send + 'static) -> Result<Source, IoError> {
    let mut reader = reader;
    let mut start = Vec::with_capacity(ZSTD_MAGIC.len());
    let head = reader.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut start);
    head.map_err(|e| read_error(&path, e))?;
    let compression = Compression::of_bytes(&start);
    decompress(path, compression, Cursor::new(start).chain(reader))
}

fn decompress(
    path: PathBuf,
    compression: Compression,
    reader: impl Read + Send + 'static,
) -> Result<Source, IoError> {
    let reader: Box<dyn Read + Send> = match compression {
        Compression::None => Box::new(reader),
        Compression::Gzip => {
            Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, reader)))
        }
        Compression::Zstd => {
            Box::new(zstd::stream::read::Decoder::new(reader).map_err(|e| read_error(&path, e))?)
        }
    };
    Ok(Source { path, reader, file: None, on_disk: false })
}

#[cfg(test)]
mod tests;
