use super::*;
use crate::text::tests::{all, read_text, read_text_with, source};

fn csv(text: &str, columns: &Columns) -> Result<Vec<String>, IoError> {
    Ok(all(&read_text(|g| read(source(text), b',', columns, g))?.corpus))
}

fn columns(text: &[&str]) -> Columns {
    Columns { text: text.iter().map(|t| (*t).to_owned()).collect(), ..Columns::default() }
}

fn error(text: &str, columns: &Columns) -> IoError {
    csv(text, columns).expect_err("must be refused")
}

#[test]
fn columns_are_found_by_their_usual_names() {
    let text = "\u{feff}id,Label,date,body\n1,news,2020,\"Sea, fog\"\n2,,,\n";
    assert_eq!(csv(text, &Columns::default()).expect("good"), ["1/news/2020 fog sea", "2// "]);
    assert_eq!(csv("whatever\nsea\n\"\"\n", &Columns::default()).expect("one"), ["// sea", "// "]);
}

#[test]
fn a_lone_first_row_that_may_be_a_document_is_pointed_out() {
    let warnings = |text: &str| {
        read_text(|g| read(source(text), b',', &Columns::default(), g)).expect("good").warnings
    };
    let expected = "docs: the first row, \"sea fog\", was taken for the header; \
                    if it is a document, the file has no header";
    assert_eq!(warnings("sea fog\nsun\n"), [expected]);
    assert!(warnings("Text\nsun\n").is_empty());
}

#[test]
fn columns_are_found_by_name_and_number() {
    let text = "a,b,2\nsea,fog,sun\n";
    assert_eq!(csv(text, &columns(&["b"])).expect("by name"), ["// fog"]);
    assert_eq!(csv(text, &columns(&["1"])).expect("by number"), ["// sea"]);
    assert_eq!(csv(text, &columns(&["2"])).expect("a name goes first"), ["// sun"]);
    let both = Columns { id: Some("3".to_owned()), ..columns(&["a", "b"]) };
    assert_eq!(csv(text, &both).expect("both"), ["sun// fog sea"]);
}

#[test]
fn without_a_header_the_first_row_is_a_document() {
    let all = Columns { no_header: true, id: Some("1".into()), ..columns(&["2"]) };
    assert_eq!(csv("x,sea\ny,fog\n", &all).expect("good"), ["x// sea", "y// fog"]);
    let err = error("x,sea\n", &Columns { no_header: true, ..columns(&["text"]) });
    assert_eq!(err.to_string(), "docs: there is no column \"text\"; the columns are 1 to 2");
    assert!(err.hint().expect("has one").contains("number"));
}

#[test]
fn tabs_separate_the_fields_of_tsv() {
    let read =
        read_text(|g| read(source("id\ttext\n1\tsea, fog\n"), b'\t', &Columns::default(), g));
    assert_eq!(all(&read.expect("good").corpus), ["1// fog sea"]);
}

#[test]
fn a_column_that_cannot_be_told_is_asked_for() {
    let err = error("a,b\n1,2\n", &Columns::default());
    assert_eq!(
        err.to_string(),
        "docs: cannot tell which column is the text; the columns are \"a\", \"b\""
    );
    assert!(err.hint().expect("has one").starts_with("say which it is, and if the first row"));
    let err = error("a,b\n1,2\n", &columns(&["3"]));
    assert!(err.to_string().contains("no column \"3\"; the columns are \"a\", \"b\""), "{err}");
    let err = error("a,b,a\n1,2,3\n", &columns(&["a"]));
    assert!(err.to_string().contains("two columns, 1 and 3, are named \"a\""), "{err}");
}

#[test]
fn a_row_with_other_fields_is_named_by_its_line() {
    for text in ["id,text\n1,sea\n\n2,fog,x\n", "id,text\r\n1,\"se\na\"\r\n2,fog,x\r\n"] {
        let err = error(text, &Columns::default());
        assert_eq!(
            err.to_string(),
            "docs, line 4: this row has 3 fields, but the first row has 2",
            "{text:?}"
        );
        assert_eq!(err.hint(), None);
    }
}

#[test]
fn a_quote_that_is_never_closed_is_an_error_and_not_one_long_document() {
    let err = error("text\nsea\n\"fog\nsun\nsky\n", &Columns::default());
    assert_eq!(err.to_string(), "docs, line 3: the quote (\") opened here is never closed");
    let err = error("id,text\r\n1,sea\r\n2,\"fog\r\n3,sun\r\n4,\"sky\r\n", &Columns::default());
    assert_eq!(
        err.to_string(),
        "docs, line 3: the quote (\") opened here is closed in the middle of a field"
    );
    assert!(err.hint().expect("has one").contains("written twice"));
}

#[test]
fn quotes_within_a_line_and_closed_ones_are_good() {
    let good = "\u{feff}\"text\"\n5\" pipe\n\"sea\n\"\"fog\"\"\"\n\"so\" called\nlast\" pipe";
    assert_eq!(csv(good, &Columns::default()).expect("closed").len(), 4);
}

#[test]
fn a_file_without_rows_has_no_documents() {
    assert_eq!(csv("", &Columns::default()).expect("empty").len(), 0);
    assert_eq!(csv("id,text\n", &Columns::default()).expect("a header").len(), 0);
}

#[test]
fn a_document_with_several_bad_fields_is_counted_once() {
    let bytes = b"id,text\n1,sea\n\xe9,caf\xe9\n";
    let read =
        |strict| read_text_with(strict, 1, |g| read(source(bytes), b',', &Columns::default(), g));
    let warnings = read(false).expect("lenient").warnings;
    assert!(warnings[0].starts_with("1 of 2 documents") && warnings[0].contains("line 3"));
    let err = read(true).expect_err("strict");
    assert!(err.to_string().starts_with("docs, line 3: byte 0xE9"), "{err}");
}
