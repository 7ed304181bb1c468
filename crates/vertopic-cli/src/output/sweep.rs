//! Numbers of topics side by side: as a table and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use vertopic::choose::Sweep;

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

/// All measures, and the seed.
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
