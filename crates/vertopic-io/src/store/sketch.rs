//! The sketch file: one `.sketch` file, which is safetensors, with the sums and the rest as JSON.
//!
//! | in the file | what |
//! |---|---|
//! | tensor `words` | u64, 5 × W: tokens, document frequencies, row sums of whole documents, of X and of X′ |
//! | tensor `offsets` | u64, W + 1: where the pairs of each word begin |
//! | tensor `columns` | u32, n: the second word of each pair, not before the first |
//! | tensor `forward` | u64, n: sums of pairs, the first word in X′ and the second in X |
//! | tensor `backward` | u64, n: the other way round; only where documents are split |
//! | tensor `projections` | i64, W × P: projections on P directions; only for `rp` |
//! | tensor `high` | i64, 3 × W and n (2 n with a split) and W × P: what is above the lowest 64 bits of row sums, pairs and projections; only if a sum needs more than 64 bits |
//! | `__metadata__`, key `vertopic-sketch` | all the rest, as JSON: words, settings, numbers of documents |
//!
//! That is 48 bytes and 8·P for each word, and 12 (20 with a split) for each pair of words that occur together. The
//! same sketch is the same file, byte for byte. A file that was cut or altered is refused.

use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use vertopic::moments::PairScheme;
use vertopic::sketch::{Sketch, SketchParams, SketchParts};

use crate::advice;
use crate::atomic::{write_atomically, write_error};
use crate::error::IoError;
use crate::store::tensors::{Kind, bad, read};

const SKETCH: Kind = Kind {
    name: "sketch",
    key: "vertopic-sketch",
    again: "make the sketch again, or copy the file again",
    smaller: &[advice::WORDS],
    made_by: "vertopic sketch writes sketch files",
};

/// Writes the sketch to `path`: whole, or not at all.
pub fn write_sketch(path: &Path, sketch: &Sketch) -> Result<(), IoError> {
    let bytes = to_bytes(path, sketch)?;
    write_atomically(path, |out| out.write_all(&bytes).map_err(|e| write_error(path, e)))
}

/// Reads a sketch. Refuses a file that is not a sketch, is cut or altered, or is of a newer format.
pub fn read_sketch(path: &Path) -> Result<Sketch, IoError> {
    from_bytes(path, &read(path)?)
}

fn to_bytes(path: &Path, sketch: &Sketch) -> Result<Vec<u8>, IoError> {
    let parts = sketch.parts();
    let long = |numbers: &[u64]| numbers.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let data = [
        long(&parts.words),
        long(&parts.offsets),
        parts.columns.iter().flat_map(|v| v.to_le_bytes()).collect(),
        long(&parts.forward),
        long(&parts.backward),
        parts.projections.iter().flat_map(|v| v.to_le_bytes()).collect(),
        parts.high.iter().flat_map(|v| v.to_le_bytes()).collect(),
    ];
    let all = layout(sketch, parts.high.len()).into_iter().zip(&data);
    let there = all.filter(|((name, ..), data)| !is_optional(name) || !data.is_empty());
    let views =
        there.map(|((name, dtype, shape), data)| (name, TensorView::new(dtype, shape, data)));
    SKETCH.bytes(path, sketch.metadata()?, views)
}

/// The tensors of a sketch.
fn layout(sketch: &Sketch, high: usize) -> [(&'static str, Dtype, Vec<usize>); 7] {
    let SketchParams { pairs, projections, .. } = *sketch.params();
    let (words, n) = (sketch.vocabulary().len(), sketch.nnz());
    [
        ("words", Dtype::U64, vec![5, words]),
        ("offsets", Dtype::U64, vec![words + 1]),
        ("columns", Dtype::U32, vec![n]),
        ("forward", Dtype::U64, vec![n]),
        ("backward", Dtype::U64, vec![if pairs == PairScheme::Split { n } else { 0 }]),
        ("projections", Dtype::I64, vec![words, projections]),
        ("high", Dtype::I64, vec![high]),
    ]
}

/// Not there when it has no numbers.
fn is_optional(tensor: &str) -> bool {
    matches!(tensor, "backward" | "projections" | "high")
}

fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Sketch, IoError> {
    let (file, metadata) = SKETCH.open(path, bytes)?;
    let wrong = |problem: String| bad(path, problem, Some(SKETCH.again));
    let long = |name: &str, dtype| numbers::<8>(&file, name, dtype).map_err(wrong);
    let unsigned = |name: &str| -> Result<Vec<u64>, IoError> {
        Ok(long(name, Dtype::U64)?.iter().map(|&b| u64::from_le_bytes(b)).collect())
    };
    let columns = numbers::<4>(&file, "columns", Dtype::U32).map_err(wrong)?;
    let signed = |name: &str| -> Result<Vec<i64>, IoError> {
        Ok(long(name, Dtype::I64)?.iter().map(|&b| i64::from_le_bytes(b)).collect())
    };
    let projections = signed("projections")?;
    let parts = SketchParts {
        words: unsigned("words")?.into(),
        offsets: unsigned("offsets")?.into(),
        columns: columns.iter().map(|&b| u32::from_le_bytes(b)).collect(),
        forward: unsigned("forward")?.into(),
        backward: unsigned("backward")?.into(),
        projections: projections.into(),
        high: signed("high")?.into(),
    };
    let high = parts.high.len();
    let sketch = Sketch::from_parts(&metadata, parts).map_err(|e| wrong(e.to_string()))?;
    // The fingerprint covers the numbers; this covers how they stand in the file.
    let fits = |(name, _, shape): (&str, Dtype, Vec<usize>)| match file.tensor(name) {
        Ok(tensor) => tensor.shape() == shape,
        Err(_) => is_optional(name),
    };
    if !layout(&sketch, high).into_iter().all(fits) {
        let problem = "not a sound sketch: its parts do not fit together; it was altered";
        return Err(wrong(problem.to_owned()));
    }
    Ok(sketch)
}

/// The numbers of a tensor, or what is wrong with it.
fn numbers<'b, const SIZE: usize>(
    file: &SafeTensors<'b>,
    name: &str,
    dtype: Dtype,
) -> Result<&'b [[u8; SIZE]], String> {
    match file.tensor(name) {
        Err(_) if is_optional(name) => Ok(&[]),
        Err(_) => Err(format!("the tensor {name:?} is missing")),
        Ok(tensor) if tensor.dtype() != dtype => {
            let has = tensor.dtype();
            Err(format!("the tensor {name:?} holds {has:?}, but must hold {dtype:?}"))
        }
        Ok(tensor) => Ok(tensor.data().as_chunks().0),
    }
}

#[cfg(test)]
mod tests;
