//! Changes to a fitted model by hand.

use crate::error::{Error, Parameter};
use crate::estimate::Topics;
use crate::model::{
    Diagnostics, Edit, NovelWordInfo, Provenance, TopicInfo, TopicModel, effective_words,
};

impl TopicModel {
    /// The same model with each group of topics joined to one: the distributions' average by weight, the
    /// sum of the weights, all the novel words. Topics are again heaviest first, so numbers change; where
    /// the model comes from says what was done.
    ///
    /// The residual of the joined topic is the average by weight, as that of one topic is over its words.
    /// Strength, separation and stability belong to a vertex and are not known of a topic that is none.
    ///
    /// ```
    /// use vertopic::{CorpusBuilder, DocumentInfo, FitParams, Method};
    /// let mut b = CorpusBuilder::new();
    /// for d in 0..300 {
    ///     let own = ["sea", "hill", "oven"][d % 3];
    ///     let mut pairs: Vec<(u32, u32)> =
    ///         (0..4).map(|i| (b.word(&format!("{own}{i}")), 3 + (d as u32 + i) % 2)).collect();
    ///     b.push(&mut pairs, DocumentInfo::default())?;
    /// }
    /// let model = FitParams::paper(3, Method::Rp).fit(&b.finish()?)?;
    /// let merged = model.merge_topics(&[vec![0, 2]])?;
    /// assert_eq!(merged.topics().n_topics(), 2);
    /// assert!((merged.weights()[0] - model.weights()[0] - model.weights()[2]).abs() < 1e-6);
    /// # Ok::<(), vertopic::Error>(())
    /// ```
    pub fn merge_topics(&self, groups: &[Vec<usize>]) -> Result<Self, Error> {
        self.check_groups(groups)?;
        let mut groups: Vec<Vec<usize>> = groups.to_vec(); // in an order that is not the caller's
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort_unstable();
        let grouped = |k: &usize| groups.iter().any(|group| group.contains(k));
        let alone = (0..self.weights.len()).filter(|k| !grouped(k)).map(|k| vec![k]);
        let mut all: Vec<Vec<usize>> = groups.iter().cloned().chain(alone).collect();
        let weight =
            |group: &[usize]| group.iter().map(|&k| f64::from(self.weights[k])).sum::<f64>();
        all.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.cmp(b)));

        let rows: Vec<Vec<f32>> = all.iter().map(|group| self.average(group)).collect();
        let info = all.iter().zip(&rows).map(|(group, row)| self.joined(group, row)).collect();
        Self::new(
            self.vocabulary.clone(),
            Topics::new(self.topics.n_words(), rows.concat())?,
            all.iter().map(|group| weight(group) as f32).collect(),
            info,
            self.edited(Edit::Merge { groups, of: self.fingerprint.clone() }),
        )
    }

    fn check_groups(&self, groups: &[Vec<usize>]) -> Result<(), Error> {
        let refuse =
            |rule, value: String| Err(Error::parameter(Parameter::MergedTopics, rule, value));
        let k = self.weights.len();
        let mut seen = vec![false; k];
        if groups.is_empty() {
            return refuse("given", "none".to_owned());
        }
        for group in groups {
            if group.len() < 2 {
                return refuse("two or more at a time", format!("{group:?}"));
            }
            for &topic in group {
                if topic >= k {
                    let value = format!("{topic}, and the last topic is {}", k - 1);
                    return refuse("numbers of topics, from 0", value);
                }
                if seen[topic] {
                    return refuse("named once", format!("{topic} twice"));
                }
                seen[topic] = true;
            }
        }
        Ok(())
    }

    /// How much each topic of a group counts: its weight, or alike if none has any.
    fn shares(&self, group: &[usize]) -> Vec<f64> {
        let weights: Vec<f64> = group.iter().map(|&k| f64::from(self.weights[k])).collect();
        let sum: f64 = weights.iter().sum();
        let even = 1.0 / group.len() as f64;
        weights.iter().map(|a| if sum > 0.0 { a / sum } else { even }).collect()
    }

    fn average(&self, group: &[usize]) -> Vec<f32> {
        if let [k] = group {
            return self.topics.topic(*k).to_vec();
        }
        let mut average = vec![0.0; self.topics.n_words()];
        for (&k, share) in group.iter().zip(self.shares(group)) {
            for (sum, &p) in average.iter_mut().zip(self.topics.topic(k)) {
                *sum += share * f64::from(p);
            }
        }
        average.into_iter().map(|p| p as f32).collect()
    }

    fn joined(&self, group: &[usize], row: &[f32]) -> TopicInfo {
        if let [k] = group {
            return self.info[*k].clone();
        }
        let mut novel_words: Vec<NovelWordInfo> =
            group.iter().flat_map(|&k| self.info[k].novel_words.iter().cloned()).collect();
        let by = |a: &NovelWordInfo, b: &NovelWordInfo| b.strength.total_cmp(&a.strength);
        novel_words.sort_by(|a, b| a.word.cmp(&b.word).then(by(a, b)));
        novel_words.dedup_by(|later, first| later.word == first.word);
        novel_words.sort_by(by); // stable: words of equal strength stay in their order
        let residuals = group.iter().zip(self.shares(group));
        let residual: Option<f64> =
            residuals.map(|(&k, share)| Some(share * self.info[k].diagnostics.residual?)).sum();
        TopicInfo {
            diagnostics: Diagnostics {
                novel_words: novel_words.len(),
                strength: None,
                separation: None,
                stability: None,
                residual,
                effective_words: effective_words(row),
            },
            novel_words,
            display_words: Vec::new(),
        }
    }

    /// The provenance with one more edit.
    fn edited(&self, edit: Edit) -> Provenance {
        let mut provenance = self.provenance.clone();
        provenance.edits.push(edit);
        provenance
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Edit;
    use crate::model::tests::{novel, planted};

    #[test]
    fn merging_averages_by_weight_and_sorts_again() {
        let mut model = planted(
            &[0.4, 0.3, 0.2, 0.1],
            &[
                &[1.0, 0.0, 0.0, 0.0],
                &[0.0, 1.0, 0.0, 0.0],
                &[0.0, 0.0, 0.5, 0.5],
                &[0.0, 0.5, 0.0, 0.5],
            ],
        );
        model = novel(model, 1, &[("w1", 0.2)]);
        model = novel(model, 2, &[("w2", 0.3), ("w3", 0.1)]);
        model.info[1].diagnostics.stability = Some(0.9);
        model.info[1].diagnostics.residual = Some(0.5);
        model.info[2].diagnostics.residual = Some(0.25);
        let merged = model.merge_topics(&[vec![2, 1]]).expect("sound");
        let weights: Vec<String> = merged.weights().iter().map(|a| format!("{a:.3}")).collect();
        assert_eq!(weights, ["0.500", "0.400", "0.100"], "heaviest first");
        let row = merged.topics().topic(0);
        for (p, expected) in row.iter().zip([0.0, 0.6, 0.2, 0.2]) {
            assert!((p - expected).abs() < 1e-6, "{row:?}");
        }
        assert_eq!(merged.topics().topic(1), model.topics().topic(0), "others stay as they are");
        let info = &merged.info()[0];
        let words: Vec<&str> = info.novel_words.iter().map(|n| n.word.as_str()).collect();
        assert_eq!(words, ["w2", "w1", "w3"], "strongest first");
        assert_eq!(info.diagnostics.novel_words, 3);
        assert!(info.diagnostics.residual.is_some_and(|r| (r - 0.4).abs() < 1e-6));
        let c = &info.diagnostics;
        assert_eq!([c.separation, c.strength, c.stability], [None; 3]);
        assert!((info.diagnostics.effective_words - 2.586).abs() < 1e-3, "e^.950");
    }

    #[test]
    fn the_corpus_keeps_its_distribution() {
        let model = crate::model::tests::model();
        let merged = model.merge_topics(&[vec![0, 1]]).expect("sound");
        assert_eq!(merged.topics().n_topics(), 1);
        for w in 0..model.vocabulary().len() {
            let before: f32 = (0..2).map(|k| model.weights()[k] * model.topics().topic(k)[w]).sum();
            assert!((before - merged.topics().topic(0)[w]).abs() < 1e-6);
        }
    }

    #[test]
    fn edits_are_on_record_and_reach_the_fingerprint() {
        let model = planted(&[0.4, 0.3, 0.2, 0.1], &[&[0.5, 0.5][..]; 4]);
        let once = model.merge_topics(&[vec![1, 0]]).expect("sound");
        let same = model.merge_topics(&[vec![0, 1]]).expect("sound");
        assert_eq!(once, same, "the order of the numbers does not matter");
        assert_ne!(once.fingerprint(), model.fingerprint());
        let twice = once.merge_topics(&[vec![1, 2]]).expect("sound");
        let merge = |groups: &[usize], of: &crate::TopicModel| Edit::Merge {
            groups: vec![groups.to_vec()],
            of: of.fingerprint().to_owned(),
        };
        assert_eq!(twice.provenance().edits, [merge(&[0, 1], &model), merge(&[1, 2], &once)]);
        let both = model.merge_topics(&[vec![2, 3], vec![0, 1]]).expect("sound");
        assert_eq!(both.weights(), twice.weights());
        assert_ne!(both.fingerprint(), twice.fingerprint());
    }

    #[test]
    fn groups_that_make_no_sense_are_refused() {
        let model = planted(&[0.5, 0.3, 0.2], &[&[0.5, 0.5][..]; 3]);
        for (groups, part) in [
            (vec![], "must be given, got none"),
            (vec![vec![1]], "two or more at a time, got [1]"),
            (vec![vec![0, 3]], "got 3, and the last topic is 2"),
            (vec![vec![0, 0]], "must be named once, got 0 twice"),
            (vec![vec![0, 1], vec![1, 2]], "must be named once, got 1 twice"),
        ] {
            let err = model.merge_topics(&groups).expect_err("refused").to_string();
            assert!(err.starts_with("the topics to merge must be") && err.contains(part), "{err}");
        }
    }

    #[test]
    fn topics_without_weight_count_alike() {
        let model = planted(&[1.0, 0.0, 0.0], &[&[0.5, 0.5], &[1.0, 0.0], &[0.0, 1.0]]);
        let merged = model.merge_topics(&[vec![1, 2]]).expect("sound");
        assert_eq!(merged.topics().topic(1), [0.5, 0.5]);
    }
}
