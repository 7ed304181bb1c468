use std::collections::HashMap;

use safetensors::tensor::{View as _, serialize};
use vertopic::FitParams;
use vertopic::corpus::{CorpusBuilder, DocumentInfo};
use vertopic::detect::Method;

use super::*;

fn model() -> TopicModel {
    let mut b = CorpusBuilder::with_words((0..8).map(|i| format!("w\"{i}é")).collect());
    for d in 0..60_u32 {
        let own = 4 * (d % 2);
        let mut pairs: Vec<(u32, u32)> = (0..4).map(|i| (own + i, 3 + (d + i) % 3)).collect();
        pairs.push((4 - own + d % 4, 1));
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    let corpus = b.finish().expect("good");
    FitParams::paper(2, Method::Rp).fit(&corpus).expect("fitted")
}

fn path() -> &'static Path {
    Path::new("m.safetensors")
}

fn message(bytes: &[u8]) -> String {
    from_bytes(path(), bytes).expect_err("refused").to_string()
}

/// A file with other metadata or tensors.
fn forged(metadata: &str, tensors: &[(&str, Dtype, Vec<usize>, Vec<u8>)]) -> Vec<u8> {
    let views = tensors.iter().map(|(name, dtype, shape, data)| {
        (*name, TensorView::new(*dtype, shape.clone(), data).expect("fits"))
    });
    let metadata = HashMap::from([(MODEL.key.to_owned(), metadata.to_owned())]);
    serialize(views, Some(metadata)).expect("serialised")
}

#[test]
fn a_model_is_the_same_after_writing_and_reading() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("1.safetensors"), folder.path().join("2"));
    let model = model();
    write_model(&one, &model).expect("written");
    let read = read_model(&one).expect("read");
    assert_eq!(read, model);
    write_model(&two, &read).expect("written");
    assert_eq!(std::fs::read(&one).expect("there"), std::fs::read(&two).expect("there"));
    assert!(looks_like_model(&one));
}

#[test]
fn the_file_is_open_to_other_programs() {
    let model = model();
    let bytes = to_bytes(path(), &model).expect("bytes");
    let file = SafeTensors::deserialize(&bytes).expect("safetensors");
    let mut names = file.names();
    names.sort_unstable();
    assert_eq!(names, ["topic_weights", "topics"]);
    let topics = file.tensor("topics").expect("there");
    assert_eq!((topics.dtype(), topics.shape()), (Dtype::F32, &[2, 8][..]));
    assert_eq!(topics.data_len(), 2 * 8 * 4);
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = to_bytes(path(), &model()).expect("bytes");
    for length in 0..bytes.len() {
        let message = message(&bytes[..length]);
        assert!(
            message.starts_with("m.safetensors: not a whole model file: its ")
                && message.contains("it was cut or lengthened"),
            "{message}"
        );
    }
    let longer = [&bytes[..], b"x"].concat();
    from_bytes(path(), &longer).expect_err("something was added");
}

#[test]
fn a_flipped_bit_anywhere_is_refused() {
    let mut bytes = to_bytes(path(), &model()).expect("bytes");
    for at in 0..bytes.len() * 8 {
        bytes[at / 8] ^= 1 << (at % 8);
        let read = from_bytes(path(), &bytes);
        assert!(read.is_err(), "bit {} of byte {} does not matter", at % 8, at / 8);
        bytes[at / 8] ^= 1 << (at % 8);
    }
    from_bytes(path(), &bytes).expect("whole again");
}

#[test]
fn other_files_are_told_apart() {
    assert!(message(b"D W NNZ, and more").starts_with("m.safetensors: not a model file"));
    let strange = serialize::<&str, TensorView<'_>, _>([], None).expect("safetensors");
    let missing = "m.safetensors: not a vertopic model: its metadata have no key \"vertopic\"";
    assert_eq!(message(&strange), missing);
    let err = read_model(Path::new("no/such.safetensors")).expect_err("missing");
    assert!(err.to_string().starts_with("no/such.safetensors: cannot read"));
}

#[test]
fn a_newer_format_is_named_whatever_else_is_in_it() {
    let bytes = forged(r#"{"format": 7, "new": true}"#, &[]);
    let err = from_bytes(path(), &bytes).expect_err("newer");
    assert_eq!(
        err.to_string(),
        "m.safetensors: it was written by a newer vertopic: format 7, and this one reads up to 1"
    );
    assert!(err.hint().expect("a hint").starts_with("update vertopic"));
}

#[test]
fn tensors_must_be_there_and_fit() {
    let model = model();
    let metadata = model.metadata().expect("json");
    let f32s = |n: usize| vec![0; n * 4];
    let weights = (WEIGHTS, Dtype::F32, vec![2], f32s(2));
    let cases = [
        (vec![weights.clone()], "the tensor \"topics\" is missing"),
        (vec![(TOPICS, Dtype::F32, vec![16], f32s(16)), weights.clone()], "has 1 dimensions"),
        (vec![(TOPICS, Dtype::F64, vec![2, 4], f32s(16)), weights.clone()], "holds F64"),
        (vec![(TOPICS, Dtype::F32, vec![2, 8], f32s(16)), weights], "not a probability"),
    ];
    for (tensors, expected) in cases {
        let message = message(&forged(&metadata, &tensors));
        assert!(message.starts_with("m.safetensors: ") && message.contains(expected), "{message}");
    }
}

#[test]
fn metadata_that_say_more_than_we_know_were_altered() {
    let model = model();
    let bytes = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let tensors = [
        (TOPICS, Dtype::F32, vec![2, 8], bytes(model.topics().values())),
        (WEIGHTS, Dtype::F32, vec![2], bytes(model.weights())),
    ];
    let metadata = model.metadata().expect("json");
    from_bytes(path(), &forged(&metadata, &tensors)).expect("the same file");
    let more = metadata.replacen('{', r#"{"unknown":1,"#, 1);
    assert!(message(&forged(&more, &tensors)).contains("it was altered"));
}
