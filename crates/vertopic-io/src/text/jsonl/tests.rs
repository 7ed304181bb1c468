use super::*;
use crate::text::tests::{all, read_text, read_text_with, source};

fn jsonl(text: &str, columns: &Columns) -> Result<Vec<String>, IoError> {
    Ok(all(&read_text(|g| read(source(text), columns, g))?.corpus))
}

fn error(text: &str) -> IoError {
    jsonl(text, &Columns::default()).expect_err("must be refused")
}

#[test]
fn fields_are_found_by_their_usual_names() {
    let text = "{\"id\": 7, \"text\": \"Sea\", \"year\": 1984, \"label\": true}\r\n\
                {\"text\": null, \"id\": null}\n\
                {\"text\": \"fog\", \"other\": [1], \"label\": \"\"}\n\n \n";
    assert_eq!(
        jsonl(text, &Columns::default()).expect("good"),
        ["7/true/1984 sea", "// ", "// fog"]
    );
    assert_eq!(jsonl("{\"x\": \"sea\"}", &Columns::default()).expect("the only one"), ["// sea"]);
}

#[test]
fn fields_are_found_by_path_and_joined() {
    let columns = Columns {
        text: vec!["a.b".to_owned(), "title".to_owned()],
        time: Some("meta.when.year".to_owned()),
        ..Columns::default()
    };
    let text = r#"{"a": {"b": "sea"}, "title": "fog", "meta": {"when": {"year": 2020.5}}}
{"a.b": "sun", "title": "sky"}"#;
    assert_eq!(jsonl(text, &columns).expect("good"), ["//2020.5 fog sea", "// sky sun"]);
}

#[test]
fn what_is_not_an_object_is_named() {
    let err = error("{\"text\": \"sea\"}\n[1, 2]\n");
    assert_eq!(err.to_string(), "docs, line 2: [1,2] is not a JSON object");
    let err = error("{\"text\": \"sea\"\n");
    assert_eq!(err.to_string(), "docs, line 1: not JSON: EOF while parsing an object at column 14");
    let err = error(&format!("\"{}\"\n", "é".repeat(99)));
    assert!(err.to_string().contains("éé… is not a JSON object"), "{err}");
    let err = error(&"[".repeat(100_000));
    assert!(err.to_string().contains("not JSON: recursion limit exceeded"), "{err}");
}

#[test]
fn a_text_that_is_missing_or_no_string_is_named() {
    let err = error("{\"text\": \"sea\"}\n{\"txt\": \"fog\", \"id\": 1}\n");
    assert_eq!(
        err.to_string(),
        "docs, line 2: there is no field \"text\"; the fields are \"id\", \"txt\""
    );
    let err = error("{\"text\": 12}\n");
    assert_eq!(err.to_string(), "docs, line 1: the text \"text\" is 12, not a string");
    let err = error("{\"text\": \"sea\", \"id\": [3]}\n");
    assert_eq!(err.to_string(), "docs, line 1: \"id\" is [3], not a string or a number");
    let err = error("{\"a\": \"sea\", \"b\": \"fog\"}\n");
    assert_eq!(
        err.to_string(),
        "docs: cannot tell which field is the text; the fields are \"a\", \"b\""
    );
    assert_eq!(err.hint().expect("has one"), "say which field is the text");
}

#[test]
fn a_field_the_user_named_must_occur() {
    let columns = Columns { label: Some("klass".to_owned()), ..Columns::default() };
    let err = jsonl("{\"text\": \"sea\"}\n", &columns).expect_err("a slip");
    assert_eq!(err.to_string(), "docs: no line has the field \"klass\"");
}

#[test]
fn empty_lines_may_only_end_the_file() {
    let err = error("{\"text\": \"sea\"}\n\n\n{\"text\": \"fog\"}\n");
    assert!(err.to_string().starts_with("docs, line 2: an empty line is no JSON object"), "{err}");
}

#[test]
fn bytes_that_are_not_utf8_are_replaced_or_refused() {
    let bytes = b"{\"text\": \"caf\xe9 sea\"}\n";
    let read = |strict| read_text_with(strict, 1, |g| read(source(bytes), &Columns::default(), g));
    assert_eq!(read(false).expect("lenient").warnings.len(), 1);
    let err = read(true).expect_err("strict");
    assert_eq!(err.to_string(), "docs, line 1: byte 0xE9 at byte offset 13 is not UTF-8");
}
