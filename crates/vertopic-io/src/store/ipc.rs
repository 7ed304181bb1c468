//! Arrow IPC files that may be cut, altered or made to harm.
//!
//! Arrow's decoder checks values, but it takes the places and lengths that a file gives for granted and
//! panics where they are wrong. So each of them is checked here before the decoder sees it; what is
//! left to panic in it is caught.

use std::collections::HashMap;
use std::fs::File;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, Message, Type};
use arrow_schema::{DataType, Schema};

use crate::guard::guarded;
use crate::spool::read_exact_at;

const MAGIC: &[u8] = b"ARROW1";
/// The magic and its padding at the start of a file.
const HEAD: usize = 8;
/// The length of the footer and the magic at its end.
const TAIL: usize = 10;
/// The continuation marker and the length in front of a message.
const PREFIX: usize = 8;

const DAMAGED: &str = "the file is damaged";

/// Where the bytes of a file are.
pub(super) enum Bytes {
    /// In memory, or mapped.
    Buffer(Buffer),
    /// On the disk, to be read when they are wanted.
    File(File, u64),
}

impl Bytes {
    fn len(&self) -> usize {
        match self {
            Self::Buffer(buffer) => buffer.len(),
            Self::File(_, len) => usize::try_from(*len).unwrap_or(usize::MAX),
        }
    }

    /// A part that lies inside.
    fn part(&self, start: usize, len: usize) -> Result<Buffer, String> {
        match self {
            Self::Buffer(buffer) => Ok(buffer.slice_with_length(start, len)),
            Self::File(file, _) => {
                let mut bytes = vec![0; len];
                read_exact_at(file, &mut bytes, start as u64)
                    .map_err(|e| format!("cannot be read: {e}"))?;
                Ok(Buffer::from_vec(bytes))
            }
        }
    }
}

/// An Arrow IPC file of a known schema.
pub(super) struct IpcFile {
    bytes: Bytes,
    blocks: Vec<Block>,
    decoder: FileDecoder,
    /// Width of the values in each buffer of a record batch.
    widths: Vec<usize>,
}

/// The metadata of the schema; looked up, never walked.
pub(super) type Metadata = HashMap<String, String>;

impl IpcFile {
    /// Opens a file. `check` judges its metadata before its columns are compared with `schema`.
    /// The error is what is wrong, for a message.
    pub(super) fn open<E: From<String>>(
        bytes: Bytes,
        schema: Schema,
        check: impl FnOnce(&Metadata) -> Result<(), E>,
    ) -> Result<(Self, Metadata), E> {
        let footer = footer_bytes(&bytes)?;
        let footer = arrow_ipc::root_as_footer(&footer)
            .map_err(|e| format!("{DAMAGED}: its footer cannot be read ({})", first_line(&e)))?;
        let found = footer.schema().ok_or_else(|| format!("{DAMAGED}: it has no schema"))?;
        if !found.endianness().equals_to_target_endianness() {
            return Err("was written on a machine of other byte order".to_owned().into());
        }
        let mut metadata = Metadata::new();
        for pair in found.custom_metadata().iter().flatten() {
            let (key, value) = (pair.key().unwrap_or_default(), pair.value().unwrap_or_default());
            metadata.insert(key.to_owned(), value.to_owned());
        }
        check(&metadata)?;
        check_columns(&found, &schema)?;
        let blocks: Vec<Block> = footer.recordBatches().iter().flatten().copied().collect();
        // Batches that share bytes would let a small file fill any memory.
        let named: i128 = blocks
            .iter()
            .map(|b| i128::from(b.bodyLength()) + i128::from(b.metaDataLength()))
            .sum();
        if named > bytes.len() as i128 {
            return Err(format!("{DAMAGED}: its batches are longer than the file").into());
        }
        let widths = schema.fields().iter().flat_map(|f| widths(f.data_type())).collect();
        let decoder = FileDecoder::new(Arc::new(schema), footer.version());
        Ok((Self { bytes, blocks, decoder, widths }, metadata))
    }

    /// Bytes of the largest record batch.
    pub(super) fn largest(&self) -> u64 {
        let bytes = |b: &Block| b.bodyLength().max(0) as u64;
        self.blocks.iter().map(bytes).max().unwrap_or(0)
    }

    /// Number of record batches.
    pub(super) fn n_batches(&self) -> usize {
        self.blocks.len()
    }

    /// Decodes and validates a record batch.
    pub(super) fn batch(&self, i: usize) -> Result<RecordBatch, String> {
        let block = &self.blocks[i];
        let damaged = |what: &str| format!("{DAMAGED}: record batch {i} {what}");
        let (start, head, body) = self
            .place(block)
            .ok_or_else(|| damaged("lies outside the file; it may have been cut"))?;
        let data = self.bytes.part(start, head + body)?;
        let skip = if data.starts_with(&[0xff; 4]) { PREFIX } else { PREFIX / 2 };
        let message = arrow_ipc::root_as_message(&data[skip..])
            .map_err(|e| damaged(&format!("cannot be read ({})", first_line(&e))))?;
        check_message(&message, body, &self.widths)
            .ok_or_else(|| damaged("has lengths that do not fit"))?;
        match guarded(|| self.decoder.read_record_batch(block, &data)) {
            Ok(Ok(Some(batch))) => Ok(batch),
            Ok(Ok(None)) => Err(damaged("is missing")),
            Ok(Err(e)) => Err(damaged(&format!("is not valid ({})", first_line(&e)))),
            Err(e) => Err(damaged(&format!("is not valid ({})", first_line(&e)))),
        }
    }

    /// Start of a block in the file and lengths of its message and its body.
    fn place(&self, block: &Block) -> Option<(usize, usize, usize)> {
        let start = usize::try_from(block.offset()).ok()?;
        let head = usize::try_from(block.metaDataLength()).ok()?;
        let body = usize::try_from(block.bodyLength()).ok()?;
        let end = start.checked_add(head)?.checked_add(body)?;
        (head >= PREFIX && end <= self.bytes.len()).then_some((start, head, body))
    }
}

/// The footer, found from the end of the file.
fn footer_bytes(bytes: &Bytes) -> Result<Buffer, String> {
    if bytes.len() < MAGIC.len() || !bytes.part(0, MAGIC.len())?.starts_with(MAGIC) {
        return Err("is not an Arrow IPC file".to_owned());
    }
    let truncated = || "ends without an Arrow footer; it may be truncated".to_owned();
    let end = bytes.len().checked_sub(TAIL).filter(|&at| at >= HEAD).ok_or_else(truncated)?;
    let tail = bytes.part(end, TAIL)?;
    let tail = tail.first_chunk::<TAIL>().filter(|bytes| bytes.ends_with(MAGIC));
    let length = tail.and_then(|bytes| read_footer_length(*bytes).ok());
    let start = length.and_then(|length| end.checked_sub(length)).filter(|&start| start >= HEAD);
    let start = start.ok_or_else(truncated)?;
    bytes.part(start, end - start)
}

/// The columns must be those expected: name, order and type.
fn check_columns(found: &arrow_ipc::Schema<'_>, expected: &Schema) -> Result<(), String> {
    let found: Vec<arrow_ipc::Field<'_>> = found.fields().iter().flatten().collect();
    let fits = found.len() == expected.fields().len()
        && found.iter().zip(expected.fields()).all(|(found, expected)| {
            found.name() == Some(expected.name()) && has_type(found, expected.data_type())
        });
    if fits {
        return Ok(());
    }
    let names: Vec<&str> = found.iter().map(|f| f.name().unwrap_or_default()).collect();
    let wanted: Vec<String> =
        expected.fields().iter().map(|f| format!("{}: {}", f.name(), f.data_type())).collect();
    Err(format!(
        "its columns ({}) are not those of a corpus ({})",
        names.join(", "),
        wanted.join(", ")
    ))
}

fn has_type(field: &arrow_ipc::Field<'_>, expected: &DataType) -> bool {
    field.dictionary().is_none()
        && match expected {
            DataType::Utf8 => field.type_type() == Type::Utf8,
            DataType::UInt32 => {
                field.type_as_int().is_some_and(|int| int.bitWidth() == 32 && !int.is_signed())
            }
            DataType::List(item) => {
                let children = field.children();
                field.type_type() == Type::List
                    && children
                        .is_some_and(|c| c.len() == 1 && has_type(&c.get(0), item.data_type()))
            }
            _ => false,
        }
}

/// Width in bytes of the values in each buffer of a column, in the order of the file.
fn widths(column: &DataType) -> Vec<usize> {
    match column {
        DataType::Utf8 => vec![1, 4, 1], // validity, offsets, bytes
        DataType::List(item) => [vec![1, 4], widths(item.data_type())].concat(),
        _ => vec![1, 4], // validity, numbers
    }
}

/// Checks that every array and buffer that the message tells of lies in its body and is made of whole
/// values.
fn check_message(message: &Message<'_>, body: usize, widths: &[usize]) -> Option<()> {
    let batch = message.header_as_record_batch()?;
    let inside = |n: i64, limit: usize| usize::try_from(n).is_ok_and(|n| n <= limit);
    let values = body / 4; // every column has a buffer with four bytes for each row
    let nodes = batch.nodes()?.iter().all(|node| {
        inside(node.length(), values) && inside(node.null_count(), node.length() as usize)
    });
    let buffers = batch.buffers()?;
    let fits = buffers.len() == widths.len()
        && buffers.iter().zip(widths).all(|(buffer, width)| {
            inside(buffer.offset(), body)
                && inside(buffer.length(), body - buffer.offset() as usize)
                && (buffer.length() as usize).is_multiple_of(*width)
        });
    let plain = batch.compression().is_none() && inside(batch.length(), values);
    (nodes && fits && plain).then_some(())
}

/// The first line of a message from below; the rest is a trace.
fn first_line(error: &impl std::fmt::Display) -> String {
    error.to_string().lines().next().unwrap_or_default().trim_end_matches([':', '.']).to_owned()
}
