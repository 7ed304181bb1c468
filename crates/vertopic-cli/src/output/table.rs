//! The topics of a model as a table, as JSON and as tab-separated values.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;
use vertopic::TopicModel;
use vertopic::model::{Assessment, Weakness};

use crate::advice;
use crate::flags::RankFlag;
use crate::output::Style;

/// Text that is safe to show on a terminal: a corpus may hold anything, escape sequences included.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let odd = |c: char| c.is_control() && c != '\n';
    if text.contains(odd) { text.replace(odd, "\u{fffd}").into() } else { text.into() }
}

/// After a word in the table: it is novel.
const MARK: &str = "*";

/// Which words of each topic are shown, and how many.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    pub(crate) n: usize,
    pub(crate) rank: RankFlag,
}

impl Words {
    /// The `n` most discriminative words.
    pub(crate) fn discriminative_words(n: usize) -> Self {
        Self { n, rank: RankFlag::Discriminative }
    }

    fn of(self, model: &TopicModel, topic: usize) -> Vec<u32> {
        match self.rank {
            RankFlag::Discriminative => model.display_words(topic, self.n),
            RankFlag::Probability => {
                model.topics().top_words(topic, self.n).into_iter().map(|(w, _)| w).collect()
            }
        }
    }

    /// The words with the novel ones marked.
    fn marked(self, model: &TopicModel, topic: usize) -> Vec<String> {
        let mark = |w: u32| {
            let word = model.vocabulary().word(w);
            if is_novel(model, topic, word) { format!("{word}{MARK}") } else { word.to_owned() }
        };
        self.of(model, topic).into_iter().map(mark).collect()
    }
}

fn is_novel(model: &TopicModel, topic: usize, word: &str) -> bool {
    model.info()[topic].novel_words.iter().any(|n| n.word == word)
}

/// A table of the topics, at most `width` columns wide: a label, the words and its weaknesses.
pub(crate) fn topics_table(model: &TopicModel, words: Words, width: usize, style: Style) -> String {
    let head = "topic  weight  novel  separation  residual  stability  ";
    let room = width.saturating_sub(head.len()).max(24);
    let mut out = style.bold(&format!("{head}words")) + "\n";
    let (labels, assessments) = (model.labels(), model.assessments());
    let mut marks = false;
    for k in 0..model.topics().n_topics() {
        let diagnostics = &model.info()[k].diagnostics;
        let none = || "-".to_owned();
        let mut left = format!(
            "{k:>5}  {:>5.1}%  {:>5}  {:>10}  {:>8}  {:>9}  ",
            f64::from(model.weights()[k]) * 100.0,
            diagnostics.novel_words,
            diagnostics.separation.map_or_else(none, short),
            diagnostics.residual.map_or_else(none, |r| format!("{r:.3}")),
            diagnostics.stability.map_or_else(none, |a| format!("{a:.2}")),
        );
        let marked = words.marked(model, k);
        marks |= marked.iter().any(|word| word.ends_with(MARK));
        let weaknesses = match &assessments[k] {
            Assessment::Sound => Vec::new(),
            weak @ Assessment::Weak(_) => wrap_text(&weak.to_string(), room),
        };
        let lines = wrap_text(&labels[k], room).into_iter().map(|line| style.bold(&line));
        let lines = lines.chain(wrap(&marked, room));
        for line in lines.chain(weaknesses.iter().map(|line| style.warning(line))) {
            let _ = writeln!(out, "{left}{line}"); // a String takes everything
            left = " ".repeat(head.len());
        }
    }
    if marks {
        let caption = format!("{MARK} a novel word: the fit found it in this topic alone");
        let _ = writeln!(out, "{}", style.dim(&caption));
    }
    out
}

/// The topics in short, a line each with its label and words; of many topics the heaviest.
pub(crate) fn topics_lines(model: &TopicModel, most: usize, width: usize) -> Vec<String> {
    let line = |k: usize| {
        let weight = f64::from(model.weights()[k]) * 100.0;
        let words = Words::discriminative_words(10).marked(model, k);
        let first = wrap(&words, width.saturating_sub(15).max(24)).into_iter().next();
        format!("{k:>5}  {weight:>5.1}%  {}", first.unwrap_or_default())
    };
    let topics = model.topics().n_topics();
    let mut lines: Vec<String> = (0..topics.min(most)).map(line).collect();
    if topics > most {
        lines.push(format!("{:>5}  and {} more", "…", topics - most));
    }
    lines
}

/// Number, weight, label, words and novel words of each topic, like the topic keys of MALLET, then its
/// diagnostics and assessment.
pub(crate) fn topics_tsv(model: &TopicModel, words: Words) -> String {
    let (labels, assessments) = (model.labels(), model.assessments());
    let number = |x: Option<f64>| x.map(|x| format!("{x:?}")).unwrap_or_default();
    let line = |k: usize| {
        let info = &model.info()[k];
        let shown: Vec<&str> =
            words.of(model, k).into_iter().map(|w| model.vocabulary().word(w)).collect();
        let novel: Vec<&str> = info.novel_words.iter().map(|n| n.word.as_str()).collect();
        let c = &info.diagnostics;
        let fields = [
            k.to_string(),
            format!("{:?}", model.weights()[k]),
            printable_line(&[&labels[k]]),
            printable_line(&shown),
            printable_line(&novel),
            number(c.separation),
            number(c.residual),
            number(c.stability),
            number(Some(c.effective_words)),
            assessments[k].to_string(),
        ];
        fields.join("\t") + "\n"
    };
    (0..model.topics().n_topics()).map(line).collect()
}

/// Everything about each topic.
pub(crate) fn topics_json(model: &TopicModel, words: Words) -> Value {
    let (labels, assessments) = (model.labels(), model.assessments());
    let topic = |k: usize| {
        let word = |w: u32| {
            let name = model.vocabulary().word(w);
            json!({
                "word": name,
                "probability": model.topics().topic(k)[w as usize],
                "posterior": model.posterior(k, w),
                "novel": is_novel(model, k, name),
            })
        };
        let weakness =
            |d: &Weakness| json!({"text": d.to_string(), "hint": advice::hint(&d.advice())});
        let weaknesses = assessments[k].weaknesses();
        let info = &model.info()[k];
        json!({
            "id": k,
            "weight": model.weights()[k],
            "label": labels[k],
            "words": words.of(model, k).into_iter().map(word).collect::<Vec<_>>(),
            "novel_words": info.novel_words,
            "diagnostics": info.diagnostics,
            "assessment": {
                "sound": weaknesses.is_empty(),
                "weaknesses": weaknesses.iter().map(weakness).collect::<Vec<_>>(),
            },
        })
    };
    (0..model.topics().n_topics()).map(topic).collect()
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

fn wrap_text(text: &str, width: usize) -> Vec<String> {
    wrap(&text.split(' ').collect::<Vec<_>>(), width)
}

/// Words as lines of at most `width` columns; a longer word has a line of its own.
pub(super) fn wrap<S: AsRef<str>>(words: &[S], width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in words {
        let word = printable(word.as_ref()).replace('\n', "\u{fffd}");
        let length = word.width();
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
    use vertopic::FitParams;
    use vertopic::corpus::{CorpusBuilder, DocumentInfo};
    use vertopic::detect::Method;

    fn model() -> TopicModel {
        let name = |i| if i < 4 { format!("sea{i}") } else { format!("\x1b[31mhill{i}\t") };
        let mut b = CorpusBuilder::with_words((0..8).map(name).collect());
        for d in 0..60_u32 {
            let own = 4 * (d % 2);
            let mut pairs: Vec<(u32, u32)> = (0..4).map(|i| (own + i, 3 + (d + i) % 3)).collect();
            pairs.push((4 - own + d % 4, 1));
            b.push(&mut pairs, DocumentInfo::default()).expect("good");
        }
        FitParams::improved(2, Method::Rp).fit(&b.finish().expect("good")).expect("fitted")
    }

    #[test]
    fn the_table_keeps_its_width_and_shows_no_escape_sequence() {
        let model = model();
        for width in [60, 80, 200] {
            let table = topics_table(&model, Words::discriminative_words(8), width, Style::PLAIN);
            assert!(table.lines().all(|line| line.width() <= width.max(79)), "{table}");
            assert!(!table.contains(['\x1b', '\t']), "{table:?}");
            assert_eq!(table.matches("a novel word").count(), 1, "one caption: {table}");
            assert_eq!(table.matches('·').count(), 4, "two labels of three words: {table}");
        }
    }

    #[test]
    fn novel_words_are_marked_and_only_they() {
        let model = model();
        for k in 0..2 {
            let novel: Vec<String> =
                model.info()[k].novel_words.iter().map(|n| format!("{}*", n.word)).collect();
            let mut marked = Words::discriminative_words(8).marked(&model, k);
            marked.retain(|word| word.ends_with(MARK));
            assert!(!marked.is_empty() && marked.iter().all(|m| novel.contains(m)), "{marked:?}");
        }
    }

    #[test]
    fn many_topics_are_cut_and_lines_keep_their_width() {
        let lines = topics_lines(&model(), 1, 45);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("    0   5") && lines[0].chars().count() <= 45, "{lines:?}");
        assert_eq!(lines[1], "    …  and 1 more");
        assert_eq!(topics_lines(&model(), 2, 45).len(), 2);
    }

    #[test]
    fn a_weakness_is_a_line_under_the_topic() {
        let table = topics_table(&model(), Words::discriminative_words(3), 100, Style::PLAIN);
        assert!(!table.contains("weak:"), "{table}");
        let m = model();
        let (topics, info) = (m.topics().clone(), m.info().to_vec());
        let (words, provenance) = (m.vocabulary().clone(), m.provenance().clone());
        let tiny = TopicModel::new(words, topics, vec![0.95, 0.05], info, provenance);
        let table =
            topics_table(&tiny.expect("sound"), Words::discriminative_words(3), 100, Style::PLAIN);
        let weaknesses: Vec<&str> =
            table.lines().filter(|l| l.contains("weak: only 5.00 %")).collect();
        assert_eq!(weaknesses.len(), 1, "{table}");
        assert!(weaknesses[0].starts_with(&" ".repeat(55)), "{table}");
    }

    #[test]
    fn a_row_of_tsv_has_ten_fields_whatever_the_words() {
        let tsv = topics_tsv(&model(), Words::discriminative_words(8));
        assert_eq!(tsv.lines().count(), 2);
        assert!(tsv.lines().all(|line| line.split('\t').count() == 10), "{tsv:?}");
    }

    #[test]
    fn json_has_every_field() {
        let json = topics_json(&model(), Words::discriminative_words(3));
        for (k, topic) in json.as_array().expect("an array").iter().enumerate() {
            assert_eq!(topic["id"], k);
            assert_eq!(topic["words"].as_array().map(Vec::len), Some(3));
            for word in topic["words"].as_array().expect("an array") {
                assert!(word["probability"].is_number());
                assert!(word["posterior"].as_f64().is_some_and(|p| p > 0.5 && p <= 1.0));
                assert!(word["novel"].is_boolean());
            }
            assert_eq!(topic["assessment"]["sound"], true);
            assert!(topic["label"].as_str().is_some_and(|label| label.contains(" · ")));
            assert!(topic["novel_words"][0]["word"].is_string());
            assert!(topic["novel_words"][0]["strength"].is_number());
            for field in ["novel_words", "strength", "separation", "residual", "effective_words"] {
                assert!(topic["diagnostics"][field].is_number(), "{field}");
            }
        }
    }

    #[test]
    fn long_words_have_a_line_of_their_own() {
        assert_eq!(wrap(&["ab", "cd", "abcdefgh", "e"], 5), ["ab cd", "abcdefgh", "e"]);
        assert_eq!(wrap::<&str>(&[], 5), [""]);
    }
}
