//! The model file: one `.safetensors` file with two matrices and the rest as JSON.
//!
//! | in the file | what |
//! |---|---|
//! | tensor `topics` | f32, K × W: a topic's distribution over the words per row |
//! | tensor `topic_weights` | f32, K: the topics' shares in the corpus |
//! | `__metadata__`, key `vertopic` | all the rest, as JSON: words, certificates, parameters |
//!
//! The same model is the same file, byte for byte. A file that was cut or altered is refused: the
//! fingerprint is taken again when it is read.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::Deserialize;
use vertopic::model::FORMAT;
use vertopic::{Parameter, TopicModel};

use crate::atomic::{write_atomically, write_error};
use crate::error::IoError;
use crate::store::tensors::{Kind, bad, read};

const MODEL: Kind = Kind {
    name: "model",
    key: "vertopic",
    again: "fit the model again, or copy the file again",
    smaller: &[Parameter::MaxVocab, Parameter::MinDf],
    made_by: "vertopic fit writes model files",
};
const TOPICS: &str = "topics";
const WEIGHTS: &str = "topic_weights";

/// Writes the model to `path`: whole, or not at all.
pub fn write_model(path: &Path, model: &TopicModel) -> Result<(), IoError> {
    let bytes = to_bytes(path, model)?;
    write_atomically(path, |out| out.write_all(&bytes).map_err(|e| write_error(path, e)))
}

/// Reads a model. Refuses a file that is not a model, is cut or altered, or is of a newer format.
pub fn read_model(path: &Path) -> Result<TopicModel, IoError> {
    from_bytes(path, &read(path)?)
}

/// Whether the file begins as a model file does; the rest of it may still be wrong.
pub fn looks_like_model(path: &Path) -> bool {
    let mut start = [0; 10];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    // The length of the header, below 2^27, then the header: a JSON object with a key.
    read.is_ok() && start[4..8] == [0; 4] && start[3] < 8 && start[8..] == *b"{\""
}

fn to_bytes(path: &Path, model: &TopicModel) -> Result<Vec<u8>, IoError> {
    let topics = model.topics();
    let little_endian =
        |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let (rows, weights) = (little_endian(topics.values()), little_endian(model.weights()));
    let view = |shape: Vec<usize>, data| TensorView::new(Dtype::F32, shape, data);
    let tensors = [
        (TOPICS, view(vec![topics.n_topics(), topics.n_words()], &rows)),
        (WEIGHTS, view(vec![model.weights().len()], &weights)),
    ];
    MODEL.bytes(path, model.metadata()?, tensors)
}

fn from_bytes(path: &Path, bytes: &[u8]) -> Result<TopicModel, IoError> {
    let again = MODEL.again;
    let (file, metadata) = MODEL.open(path, bytes)?;
    let metadata = &metadata;
    if let Some(format) = newer_format(metadata) {
        let problem = format!(
            "it was written by a newer vertopic: format {format}, and this one reads up to {FORMAT}"
        );
        return Err(bad(
            path,
            problem,
            Some("update vertopic, or fit the model again with this one"),
        ));
    }
    let values = |name: &str, rank: usize| {
        tensor(&file, name, rank).map_err(|problem| bad(path, problem, Some(again)))
    };
    let (topics, weights) = (values(TOPICS, 2)?, values(WEIGHTS, 1)?);
    let model = TopicModel::from_parts(metadata, topics, weights)
        .map_err(|e| bad(path, e.to_string(), Some(again)))?;
    // The fingerprint covers what the metadata say; this covers how: fields that are not known, or
    // a shape of the matrix that is not the vocabulary's.
    let shape = [model.topics().n_topics(), model.topics().n_words()];
    let same_shape = file.tensor(TOPICS).is_ok_and(|t| t.shape() == shape);
    if !same_shape || model.metadata()? != *metadata {
        let problem = "not a sound model: its parts do not fit together; it was altered".to_owned();
        return Err(bad(path, problem, Some(again)));
    }
    Ok(model)
}

/// The numbers of a tensor, or what is wrong with it.
fn tensor(file: &SafeTensors<'_>, name: &str, rank: usize) -> Result<Vec<f32>, String> {
    let tensor = file.tensor(name).map_err(|_| format!("the tensor {name:?} is missing"))?;
    if tensor.dtype() != Dtype::F32 {
        return Err(format!("the tensor {name:?} holds {:?}, but must hold F32", tensor.dtype()));
    }
    if tensor.shape().len() != rank {
        let has = tensor.shape().len();
        return Err(format!("the tensor {name:?} has {has} dimensions, but must have {rank}"));
    }
    let (numbers, _) = tensor.data().as_chunks::<4>();
    Ok(numbers.iter().map(|&b| f32::from_le_bytes(b)).collect())
}

/// The format of the metadata, if it is one this library does not know yet.
fn newer_format(metadata: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Version {
        format: u64,
    }
    let version: Version = serde_json::from_str(metadata).ok()?;
    (version.format > u64::from(FORMAT)).then_some(version.format)
}

#[cfg(test)]
mod tests;
