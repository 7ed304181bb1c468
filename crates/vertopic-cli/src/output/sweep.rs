//! Numbers of topics side by side: as a table, as JSON, as a chart.

use std::fmt::Write as _;

use serde_json::{Value, json};
use vertopic::choose::{Step, Sweep};
use vertopic_lab::figure::{Axis, Chart, Panel, Point, Series};

use crate::output::Style;

/// A line for each K, with a star at the recommended one.
pub(crate) fn sweep_table(found: &Sweep, style: Style) -> String {
    let mut out =
        style.bold("topics   perplexity           npmi  diversity  stability  residual") + "\n";
    for step in &found.steps {
        let star = if step.n_topics == found.recommended { '*' } else { ' ' };
        let perplexity = format!("{:>8.1} ± {:.1}", step.perplexity, step.perplexity_error);
        let _ = writeln!(
            out, // a String takes everything
            "{:>6}{star}  {perplexity:<16}  {:>7}  {:>9}  {:>9}  {:>8.3}",
            step.n_topics,
            shown(step.coherence),
            shown(step.diversity),
            shown(step.stability),
            step.residual,
        );
    }
    let _ = writeln!(out, "* recommended: {}", found.reason);
    out
}

fn shown(x: Option<f64>) -> String {
    x.map_or_else(|| "–".to_owned(), |x| format!("{x:.3}"))
}

/// Everything, and the seed.
pub(crate) fn sweep_json(found: &Sweep, seed: u64) -> Value {
    json!({
        "recommended": found.recommended,
        "reason": found.reason,
        "steps": found.steps,
        "failed": found.failed,
        "documents": found.documents,
        "held_out": found.held_out,
        "seed": seed,
    })
}

/// Perplexity, coherence with diversity, and stability, against K.
pub(crate) fn sweep_chart(found: &Sweep) -> Chart {
    let series = |name: &str, style: usize, of: &dyn Fn(&Step) -> Option<(f64, f64)>| {
        let point = |s: &Step| {
            let (y, error) = of(s)?;
            Some(Point { x: s.n_topics as f64, y, error })
        };
        Series::new(name, style, found.steps.iter().filter_map(point).collect())
    };
    let panel = |title: &str, label: &str, series: Vec<Series>| Panel {
        title: title.to_owned(),
        x: Axis::log("topics"),
        y: Axis::linear(label),
        series,
    };
    let recommended = Series {
        line: false,
        emphasis: true,
        ..series("recommended", 3, &|s| {
            (s.n_topics == found.recommended).then_some((s.perplexity, 0.0))
        })
    };
    let exact = |y: Option<f64>| y.map(|y| (y, 0.0));
    Chart {
        title: "What is gained and lost with the number of topics".to_owned(),
        caption: Some(format!("Recommended: {} topics; {}.", found.recommended, found.reason)),
        panels: vec![
            panel(
                "Documents held out",
                "perplexity",
                vec![
                    series("perplexity ± standard error", 0, &|s| {
                        Some((s.perplexity, s.perplexity_error))
                    }),
                    recommended,
                ],
            ),
            panel(
                "Words and topics",
                "value",
                vec![
                    series("NPMI", 1, &|s| exact(s.coherence)),
                    series("diversity", 2, &|s| exact(s.diversity)),
                    series("stability", 4, &|s| exact(s.stability)),
                ],
            ),
        ],
        columns: 2,
    }
}
