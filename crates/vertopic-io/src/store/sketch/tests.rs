use vertopic::context::Context;
use vertopic::corpus::{CorpusBuilder, DocumentInfo};
use vertopic::moments::TokenSample;
use vertopic::note::Note;
use vertopic::seed::Seed;

use super::*;

fn sketch(params: &SketchParams) -> Sketch {
    let mut b = CorpusBuilder::with_words((0..8).map(|i| format!("w\"{i}é")).collect());
    for d in 0..20_u32 {
        let mut pairs: Vec<(u32, u32)> =
            (0..4).map(|i| ((d + i * i) % 8, 3 + (d + i) % 3)).collect();
        b.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    let corpus = b.finish().expect("good");
    let sketch = Sketch::of(&corpus, params, &Context::silent().expect("threads")).expect("sums");
    sketch.with_preprocessing(Note::of(&("counts", ())).expect("plain data"))
}

/// With and without everything that may be missing.
fn sketches() -> [Sketch; 3] {
    let plain = SketchParams::default();
    let full = SketchParams {
        pairs: PairScheme::Split,
        projections: 6,
        sample: TokenSample::Half,
        seed: Seed(3),
    };
    let some = sketch(&plain);
    let none = some.subtract(&some).expect("all of it");
    [some, sketch(&full), none]
}

fn path() -> &'static Path {
    Path::new("s.sketch")
}

#[test]
fn a_sketch_is_the_same_after_writing_and_reading() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("1.sketch"), folder.path().join("2.sketch"));
    for sketch in sketches() {
        write_sketch(&one, &sketch).expect("written");
        let read = read_sketch(&one).expect("read");
        assert_eq!(read, sketch);
        write_sketch(&two, &read).expect("written");
        assert_eq!(std::fs::read(&one).expect("there"), std::fs::read(&two).expect("there"));
    }
}

#[test]
fn the_file_is_as_large_as_it_says() {
    for sketch in sketches() {
        let bytes = to_bytes(path(), &sketch).expect("bytes");
        let (header, _) = SafeTensors::read_metadata(&bytes).expect("safetensors");
        let (words, params) = (sketch.vocabulary().len(), sketch.params());
        let pair = if params.pairs == PairScheme::Split { 20 } else { 12 };
        let numbers = words * (48 + 8 * params.projections) + 8 + pair * sketch.nnz();
        assert_eq!(bytes.len() - 8 - header, numbers);
    }
}

#[test]
fn a_file_cut_or_altered_anywhere_is_refused() {
    for sketch in sketches() {
        let bytes = to_bytes(path(), &sketch).expect("bytes");
        for length in (0..bytes.len()).step_by(7) {
            let message = from_bytes(path(), &bytes[..length]).expect_err("cut").to_string();
            assert!(message.starts_with("s.sketch: not a whole sketch file"), "{message}");
        }
        let mut altered = bytes.clone();
        for at in (0..bytes.len()).step_by(3) {
            altered[at] ^= 1;
            from_bytes(path(), &altered).expect_err("altered");
            altered[at] = bytes[at];
        }
    }
}

#[test]
fn what_is_no_sketch_is_named() {
    let message = |bytes: &[u8]| from_bytes(path(), bytes).expect_err("no sketch").to_string();
    let text = message(b"a text, and a long one, that is no safetensors");
    assert!(text.contains("not a sketch file"), "{text}");
    let data = vec![0; 8];
    let tensor = |dtype| TensorView::new(dtype, vec![1], &data);
    let other = Kind { key: "vertopic", ..SKETCH };
    let model = other.bytes(path(), "{}".into(), [("topics", tensor(Dtype::U64))]).expect("bytes");
    assert!(message(&model).contains("not a vertopic sketch: its metadata have no key"));
    let bare = SKETCH.bytes(path(), "{}".into(), [("words", tensor(Dtype::U64))]).expect("bytes");
    assert!(message(&bare).contains("the tensor \"columns\" is missing"));
    let floats = SKETCH.bytes(path(), "{}".into(), [("projections", tensor(Dtype::F64))]);
    let columns = TensorView::new(Dtype::U32, vec![2], &data);
    let both = SKETCH.bytes(
        path(),
        "{}".into(),
        [("projections", tensor(Dtype::F64)), ("columns", columns)],
    );
    assert!(message(&floats.expect("bytes")).contains("\"columns\" is missing"));
    assert!(message(&both.expect("bytes")).contains("holds F64, but must hold I64"));
}
