//! Files are cut into chunks and batches, which are small in tests; nothing of it may show.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use super::*;
use crate::source;

/// An entry as planned: document and word from 0, count, and how its line is written.
type Entry = (u64, u32, u32, u8);

/// A line in one of the ways that mean the same.
fn styled(fields: [String; 3], style: u8) -> String {
    let [a, b, c] = fields;
    match style {
        0 => format!(" {a} {b} {c}\n"),
        1 => format!("{a}  {b}\t{c}  \n"),
        2 => format!("{a} {b} {c}\r\n"),
        3 => format!("\n{a} {b} {c}\n \r\n"),
        4 => format!("{a} 000{b} 0000000{c}\n"),
        _ => format!("{a} {b} {c}\n"),
    }
}

/// The documents of the entries, word by word.
fn expected(entries: &[Entry], n_documents: u64) -> Corpus {
    let mut documents: BTreeMap<u64, Vec<(u32, u32)>> = BTreeMap::new();
    for &(document, word, count, _) in entries {
        documents.entry(document).or_default().push((word, count));
    }
    let mut builder = CorpusBuilder::with_words(words());
    for document in 0..n_documents {
        let mut pairs = documents.remove(&document).unwrap_or_default();
        builder.push(&mut pairs, DocumentInfo::default()).expect("good");
    }
    builder.finish().expect("good")
}

/// Words whose byte order is not that of their ids.
fn words() -> Vec<String> {
    (0..1200).map(|i| format!("w{}", i * 7 % 1200)).collect()
}

fn options(given: bool, transpose: bool) -> CountOptions {
    let vocab = given.then(words);
    CountOptions { vocab, transpose, ..CountOptions::default() }
}

/// Reads a text as a stream, as a plain file, and on one thread; all must agree.
fn every_way(
    format: CountFormat,
    text: &str,
    options: &CountOptions,
) -> Result<CountsRead, (String, Option<String>)> {
    let told = |e: IoError| (e.to_string(), e.hint());
    let stream = format.read(file("x", text), options).map_err(told);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x");
    std::fs::write(&path, text).expect("written");
    let shown = format!("{}/", folder.path().display());
    let plain_file = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let plain = |text: String| text.replace(&shown, "");
        match pool.install(|| format.read(source::open(&path)?, options)).map_err(told) {
            Ok(back) => {
                Ok(CountsRead { warnings: back.warnings.into_iter().map(plain).collect(), ..back })
            }
            Err((message, hint)) => Err((plain(message), hint)),
        }
    };
    assert_eq!(plain_file(1), stream);
    assert_eq!(plain_file(3), stream);
    stream
}

/// A file of entries, in UCI or as a matrix, perhaps without its last line end.
fn declared(
    entries: &[Entry],
    n_documents: u64,
    matrix: bool,
    transpose: bool,
    end: bool,
) -> String {
    let (a, b) = if transpose { (1200, n_documents) } else { (n_documents, 1200) };
    let n = entries.len();
    let mut text = if matrix {
        format!("%%MatrixMarket matrix coordinate integer general\n% by hand\n{a} {b} {n}\n")
    } else {
        format!("{a}\n{b}\n{n}\n")
    };
    for &(document, word, count, style) in entries {
        let (document, word) = ((document + 1).to_string(), (word + 1).to_string());
        let (a, b) = if transpose { (word, document) } else { (document, word) };
        text += &styled([a, b, count.to_string()], style);
    }
    if !end && text.ends_with('\n') {
        text.pop();
    }
    text
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let count = prop_oneof![5 => 1_u32..10, 1 => 10_u32..10_000_000, 1 => Just(100_000_000)];
    // Mostly as it is commonly written.
    let style = prop_oneof![8 => Just(9_u8), 1 => 0_u8..5];
    prop::collection::vec((0_u64..12, 0_u32..1200, count, style), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))] // each reads many files

    #[test]
    fn entries_are_read_as_one_by_one(
        mut entries in entries(),
        sorted in prop::bool::weighted(0.7),
        end in any::<bool>(),
    ) {
        if sorted {
            entries.sort_by_key(|entry| entry.0);
        }
        let want = expected(&entries, 14);
        for (format, matrix, transpose) in [
            (CountFormat::Uci, false, false),
            (CountFormat::MatrixMarket, true, false),
            (CountFormat::MatrixMarket, true, true),
        ] {
            let text = declared(&entries, 14, matrix, transpose, end);
            let back = every_way(format, &text, &options(true, transpose)).expect("good");
            prop_assert_eq!(&back.corpus, &want);
            // Numbers instead of words: the same counts under other names.
            let back = every_way(format, &text, &options(false, transpose)).expect("good").corpus;
            prop_assert_eq!(back.n_tokens(), want.n_tokens());
            for (numbered, named) in back.documents().zip(want.documents()) {
                let name = |w| words()[back.vocabulary().word(w).parse::<usize>().expect("a number") - 1].clone();
                let mut pairs: Vec<_> = numbered.entries().map(|(w, c)| (name(w), c)).collect();
                pairs.sort_unstable();
                let own: Vec<_> =
                    named.entries().map(|(w, c)| (want.vocabulary().word(w).to_owned(), c)).collect();
                prop_assert_eq!(pairs, own);
            }
        }
    }

    #[test]
    fn lines_of_pairs_are_read_as_one_by_one(
        mut entries in entries(),
        end in any::<bool>(),
        blanks in prop::collection::vec(0_usize..4, 14),
    ) {
        entries.sort_by_key(|entry| entry.0);
        let want = expected(&entries, 14);
        let (mut svm, mut ldac) = (String::new(), String::new());
        for document in 0..14 {
            let own: Vec<&Entry> = entries.iter().filter(|entry| entry.0 == document).collect();
            let blank = " ".repeat(blanks[document as usize]);
            svm += ["", "# nothing\n", "\n", "\r\n"][blanks[document as usize]];
            write!(svm, "{blank}l{document}").expect("in memory");
            write!(ldac, "{blank}{}", own.len()).expect("in memory");
            for (_, word, count, style) in own {
                let blank = if *style == 1 { "\t  " } else { " " };
                write!(svm, "{blank}{}:{count}", word + 1).expect("in memory");
                write!(ldac, "{blank}{word}:{count}").expect("in memory");
            }
            svm += ["\n", " \r\n", "#\n", " # 7:7\n"][blanks[document as usize]];
            ldac += ["\n", "\r\n", " \n", "\t\r\n"][blanks[document as usize]];
        }
        if !end {
            (svm, ldac) = (svm.trim_end().to_owned(), ldac.trim_end().to_owned());
        }
        let back = every_way(CountFormat::LdaC, &ldac, &options(true, false)).expect("good");
        prop_assert_eq!(&back.corpus, &want);
        let back = every_way(CountFormat::Svmlight, &svm, &options(true, false)).expect("good").corpus;
        prop_assert_eq!(documents(&back), documents(&want));
        for d in 0..14 {
            let label = format!("l{d}");
            prop_assert_eq!(back.label(d), Some(&*label));
        }
    }

    /// Of two bad lines the first is reported, with its line, wherever the file is cut.
    #[test]
    fn the_first_bad_line_is_reported(
        first in 0_usize..150,
        second in 0_usize..150,
        crlf in any::<bool>(),
        bom in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let rule = "is not a whole number from 1 to 4294967295";
        for (name, head, good, bad) in [
            ("uci", "9\n9\n150\n", ["1 2 3", "7 1 1", ""], ["1 2 a", "1 2 b"]),
            (
                "mtx",
                "%%MatrixMarket matrix coordinate integer general\n9 9 150\n",
                ["1 2 3", "7 1 1", ""],
                ["1 2 a", "1 2 b"],
            ),
            ("svm", "", ["x 1:2 3:12", "", "5"], ["x 1:2 3:a", "3:b"]),
            ("ldac", "", ["2 1:2 3:12", "0", "1 5:1"], ["2 1:2 3:a", "1 3:b"]),
        ] {
            let mut lines: Vec<&str> = (0..150).map(|i| good[i % 3]).collect();
            lines[first] = bad[0];
            lines[second] = bad[1];
            let mark = if bom { "\u{feff}" } else { "" };
            let text = format!("{mark}{head}{}{end}", lines.join(end));
            let format = FORMATS.iter().find(|format| format.0 == name).expect("known").1;
            let line = head.lines().count() + first.min(second) + 1;
            let value = if first < second { "a" } else { "b" };
            let (message, _) = every_way(format, &text, &CountOptions::default()).expect_err("bad");
            prop_assert_eq!(message, format!("x, line {line}: the count {value} {rule}"));
        }
    }
}

#[test]
fn of_two_documents_that_are_too_long_the_first_is_named() {
    let mut text = "40\n2\n80\n".to_owned();
    for d in 1..=40 {
        let count = if d == 17 || d == 33 { u32::MAX } else { 1 };
        write!(text, "{d} 1 {count}\n{d} 2 1\n").expect("in memory");
    }
    let (message, _) =
        every_way(CountFormat::Uci, &text, &CountOptions::default()).expect_err("long");
    assert!(message.starts_with("x: document 17 has 4294967296 tokens"), "{message}");
}

#[test]
fn lines_longer_than_a_batch_are_read_whole() {
    let pairs = (0..400).map(|w| format!(" {w}:1")).collect::<Vec<_>>().concat();
    let text = format!("0\n400{pairs}\n1 3:5\n400{pairs}");
    let back = every_way(CountFormat::LdaC, &text, &CountOptions::default()).expect("good").corpus;
    let lengths: Vec<usize> = back.documents().map(|d| d.words.len()).collect();
    assert_eq!(lengths, [0, 400, 1, 400]);
}

#[test]
fn a_bad_line_comes_before_the_end_of_truncated_data() {
    let entries: Vec<String> =
        (0..9000_u64).map(|i| format!("1 {} 1\n", i * i % 997 + 1)).collect();
    let entries = entries.concat();
    let good = format!("1\n997\n9000\n{entries}");
    let bad = good.replacen("\n1 5 1\n", "\n1 x 1\n", 1);
    for (text, message) in [
        (good, "x.gz: ends before its compressed data do; it may be truncated"),
        (
            bad,
            "x.gz, line 6: the word id x is not a whole number from 1 to 997, as the header has it",
        ),
    ] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text.as_bytes()).expect("in memory");
        let bytes = gzip.finish().expect("in memory");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.gz");
        std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
        let back =
            source::open(&path).and_then(|s| CountFormat::Uci.read(s, &CountOptions::default()));
        let told = back.expect_err("truncated").to_string();
        assert_eq!(told.replace(&format!("{}/", folder.path().display()), ""), message);
    }
}

#[test]
fn a_file_that_is_cut_short_while_it_is_read_is_an_error() {
    let entries: Vec<String> = (0..90).map(|i| format!("1 {} 1\n", i + 1)).collect();
    let text = format!("1\n99\n90\n{}", entries.concat());
    let (folder, whole) = (tempfile::tempdir().expect("a folder"), text.len());
    for left in [0, 1, 8, 100, whole / 2, whole - 1] {
        let path = folder.path().join("x");
        std::fs::write(&path, &text).expect("written");
        let mut lines = source::open(&path).expect("there").lines();
        (0..3).for_each(|_| assert!(lines.next().expect("there").is_some()));
        let file = std::fs::File::options().write(true).open(&path).expect("there");
        file.set_len(left as u64).expect("cut short");
        let told = chunks::parse(lines, |_, _| Ok(())).expect_err("cut short").to_string();
        let told = told.replace(&format!("{}/", folder.path().display()), "");
        let said = format!("x: had {whole} bytes when it was opened, but now has no more than ");
        assert!(told.starts_with(&said), "{told}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    for text in ["\u{feff}1 3:5\n0\n", "\u{feff}1 3:5\r\n0", "1 3:5\n0"] {
        let back = every_way(CountFormat::LdaC, text, &CountOptions::default()).expect(text);
        assert_eq!(documents(&back.corpus), [vec![("4", 5)], vec![]]);
    }
    // The line of a mark alone is empty, a file without a byte has no line.
    let alone = every_way(CountFormat::LdaC, "\u{feff}", &CountOptions::default());
    assert_eq!(alone.expect_err("empty").0, "x, line 1: the line is empty");
    let empty = every_way(CountFormat::LdaC, "", &CountOptions::default()).expect("no document");
    assert_eq!(empty.corpus.n_documents(), 0);
}
