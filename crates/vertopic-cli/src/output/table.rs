//! The topics of a model as a table, as JSON and as tab-separated values.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Value, json};
use vertopic::TopicModel;

use crate::output::Style;

/// How many novel words of a topic are named in the table.
const NOVEL: usize = 5;

/// Text that is safe to show on a terminal: a corpus may hold anything, escape sequences included.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let odd = |c: char| c.is_control() && c != '\n';
    if text.contains(odd) { text.replace(odd, "\u{fffd}").into() } else { text.into() }
}

/// A table with the `n` most probable words of each topic, at most `width` columns wide.
pub(crate) fn topics_table(model: &TopicModel, n: usize, width: usize, style: Style) -> String {
    let head = "topic  weight  novel  separation  residual  ";
    let room = width.saturating_sub(head.len()).max(24);
    let mut out = style.bold(&format!("{head}words")) + "\n";
    for k in 0..model.topics().n_topics() {
        let certificate = &model.info()[k].certificate;
        let none = || "-".to_owned();
        let mut left = format!(
            "{k:>5}  {:>5.1}%  {:>5}  {:>10}  {:>8}  ",
            f64::from(model.weights()[k]) * 100.0,
            certificate.novel_words,
            certificate.separation.map_or_else(none, short),
            certificate.residual.map_or_else(none, |r| format!("{r:.3}")),
        );
        for line in wrap(&words(model, k, n), room) {
            let _ = writeln!(out, "{left}{line}"); // a String takes everything
            left = " ".repeat(head.len());
        }
        let names = novel_words(model, k, NOVEL);
        if names.is_empty() {
            continue;
        }
        for line in wrap(&[vec!["novel:"], names].concat(), room) {
            let _ = writeln!(out, "{left}{}", style.dim(&line));
        }
    }
    out
}

/// Id, weight, words and novel words of each topic, like the topic keys of MALLET.
pub(crate) fn topics_tsv(model: &TopicModel, n: usize) -> String {
    let line = |k: usize| {
        let words = printable_line(&words(model, k, n));
        let novel = printable_line(&novel_words(model, k, usize::MAX));
        format!("{k}\t{:?}\t{words}\t{novel}\n", model.weights()[k])
    };
    (0..model.topics().n_topics()).map(line).collect()
}

/// All that is known of each topic, with its `n` most probable words.
pub(crate) fn topics_json(model: &TopicModel, n: usize) -> Value {
    let topic = |k: usize| {
        let word =
            |(w, p): (u32, f32)| json!({"word": model.vocabulary().word(w), "probability": p});
        let words: Vec<Value> = model.topics().top_words(k, n).into_iter().map(word).collect();
        let info = &model.info()[k];
        json!({
            "id": k,
            "weight": model.weights()[k],
            "words": words,
            "novel_words": info.novel_words,
            "certificate": info.certificate,
        })
    };
    (0..model.topics().n_topics()).map(topic).collect()
}

fn words(model: &TopicModel, k: usize, n: usize) -> Vec<&str> {
    let top = model.topics().top_words(k, n);
    top.into_iter().map(|(w, _)| model.vocabulary().word(w)).collect()
}

fn novel_words(model: &TopicModel, k: usize, n: usize) -> Vec<&str> {
    model.info()[k].novel_words.iter().take(n).map(|w| w.word.as_str()).collect()
}

fn printable_line(words: &[&str]) -> String {
    printable(&words.join(" ")).replace('\n', "\u{fffd}")
}

/// A number in a few characters, whatever its size.
fn short(x: f64) -> String {
    if x == 0.0 || (0.01..100_000.0).contains(&x.abs()) {
        format!("{x:.2}")
    } else {
        format!("{x:.1e}")
    }
}

/// Words as lines of at most `width` characters; a longer word has a line of its own.
fn wrap(words: &[&str], width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in words {
        let word = printable(word).replace('\n', "\u{fffd}");
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(&word);
            used += length;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use vertopic::corpus::{CorpusBuilder, DocumentInfo};
    use vertopic::detect::Method;
    use vertopic::run::Run;
    use vertopic::{FitParams, fit};

    fn model() -> TopicModel {
        let name = |i| if i < 4 { format!("sea{i}") } else { format!("\x1b[31mhill{i}\t") };
        let mut b = CorpusBuilder::with_words((0..8).map(name).collect());
        for d in 0..60_u32 {
            let own = 4 * (d % 2);
            let mut pairs: Vec<(u32, u32)> = (0..4).map(|i| (own + i, 3 + (d + i) % 3)).collect();
            pairs.push((4 - own + d % 4, 1));
            b.push(&mut pairs, DocumentInfo::default()).expect("good");
        }
        let run = Run::silent().expect("threads");
        let params = FitParams::improved(2, Method::Rp);
        fit(&b.finish().expect("good"), &params, &run).expect("fitted")
    }

    #[test]
    fn the_table_keeps_its_width_and_shows_no_escape_sequence() {
        let model = model();
        for width in [60, 80, 200] {
            let table = topics_table(&model, 8, width, Style::PLAIN);
            assert!(table.lines().all(|line| line.chars().count() <= width.max(68)), "{table}");
            assert!(!table.contains(['\x1b', '\t']), "{table:?}");
            assert_eq!(table.matches("novel:").count(), 2);
        }
    }

    #[test]
    fn a_row_of_tsv_has_four_fields_whatever_the_words() {
        let tsv = topics_tsv(&model(), 8);
        assert_eq!(tsv.lines().count(), 2);
        assert!(tsv.lines().all(|line| line.split('\t').count() == 4), "{tsv:?}");
    }

    #[test]
    fn json_has_every_field() {
        let json = topics_json(&model(), 3);
        for (k, topic) in json.as_array().expect("an array").iter().enumerate() {
            assert_eq!(topic["id"], k);
            assert_eq!(topic["words"].as_array().map(Vec::len), Some(3));
            assert!(topic["words"][0]["probability"].is_number());
            assert!(topic["novel_words"][0]["word"].is_string());
            assert!(topic["novel_words"][0]["strength"].is_number());
            for field in ["novel_words", "strength", "separation", "residual", "effective_words"] {
                assert!(topic["certificate"][field].is_number(), "{field}");
            }
        }
    }

    #[test]
    fn long_words_have_a_line_of_their_own() {
        assert_eq!(wrap(&["ab", "cd", "abcdefgh", "e"], 5), ["ab cd", "abcdefgh", "e"]);
        assert_eq!(wrap(&[], 5), [""]);
    }
}
