//! Measured exponents beside the predicted ones.

use std::collections::BTreeMap;

use vertopic_io::IoError;

use super::{Along, Measured, Piece};
use crate::figure::{Axis, Chart, Panel, Point, Series};
use crate::reproduce::{Folder, markdown};

/// How far a measured exponent may be from the predicted one without a word on it.
const NEAR: f64 = 0.15;

pub(super) fn write(
    folder: &Folder,
    measured: &[Measured],
    pieces: &[Piece],
    times: &[BTreeMap<String, f64>],
) -> Result<(), IoError> {
    folder.figure("complexity", &chart(measured).to_svg())?;
    let mut rows = Vec::new();
    for (piece, times) in pieces.iter().zip(times) {
        for (stage, seconds) in times {
            rows.push(vec![
                piece.method.to_owned(),
                piece.along.letter().to_owned(),
                piece.size.to_string(),
                piece.repeat.to_string(),
                stage.clone(),
                format!("{seconds:.6}"),
            ]);
        }
    }
    let head = ["method", "along", "size", "repeat", "stage", "seconds"];
    folder.csv("complexity.csv", &head, &rows)?;
    folder.text("complexity.md", &page(measured))
}

fn chart(measured: &[Measured]) -> Chart {
    let panel = |along: Along| {
        let here = measured.iter().enumerate().filter(|(_, m)| m.claim.along == along);
        let series = here.map(|(_, m)| {
            let points = m.points.iter().map(|&(x, y)| Point { x, y, error: 0.0 }).collect();
            let name = format!("{}: {}", m.claim.method, m.claim.stage);
            Series::new(name.clone(), style(measured, &name), points)
        });
        let label = match along {
            Along::Documents => "documents, M",
            Along::Tokens => "tokens of a document, N",
            Along::Words => "words, W",
            Along::Topics => "topics, K",
        };
        Panel {
            title: format!("growth in {}", along.letter()),
            x: Axis::log(label),
            y: Axis::log("seconds"),
            series: series.collect(),
        }
    };
    let all = [Along::Documents, Along::Tokens, Along::Words, Along::Topics];
    Chart {
        title: "Time of each step (the paper's Table 3)".to_owned(),
        caption: Some("one thread; the least of several times".to_owned()),
        panels: all.map(panel).to_vec(),
        columns: 2,
    }
}

/// The same look for the same step in every panel.
fn style(measured: &[Measured], name: &str) -> usize {
    let mut names: Vec<String> =
        measured.iter().map(|m| format!("{}: {}", m.claim.method, m.claim.stage)).collect();
    names.dedup();
    let mut seen = Vec::new();
    names.into_iter().for_each(|n| {
        if !seen.contains(&n) {
            seen.push(n);
        }
    });
    seen.iter().position(|n| n == name).unwrap_or(0)
}

fn page(measured: &[Measured]) -> String {
    let row = |m: &Measured| {
        let off = m.slope - m.claim.exponent;
        let seconds = m.points.last().map_or(f64::NAN, |p| p.1);
        vec![
            m.claim.method.to_owned(),
            m.claim.stage.to_owned(),
            m.claim.along.letter().to_owned(),
            format!("{:.0}", m.claim.exponent),
            format!("{:.2}", m.slope),
            if off.abs() <= NEAR { "yes".to_owned() } else { format!("{off:+.2}") },
            format!("{:.3}", seconds),
            m.claim.because.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = measured.iter().map(row).collect();
    let head = [
        "method",
        "step",
        "in",
        "predicted",
        "measured",
        "within 0.15",
        "seconds at the largest",
        "why",
    ];
    let near = measured.iter().filter(|m| (m.slope - m.claim.exponent).abs() <= NEAR).count();
    format!(
        "# Growth of time (Table 3)\n\n![time of each step](complexity.png)\n\n\
         Slope of log time over log size for each step; sizes double from one to the next, and the others stay at \
         M = 2,000 (8,000 where N grows), N = 100, W = 4,000 (1,000 for DDP), K = 10. Generated corpora with words of \
         even frequency, one thread, the least of several times. Gibbs sampling and NMF: ten sweeps or rounds. All \
         times: `complexity.csv`.\n\n{}\n\
         **Reading.** {near} of {} slopes are within {NEAR} of the prediction. A \
         slope that is off was not traced to its cause; costs that do not grow weigh most where the seconds are few.\n",
        markdown(&head, &rows),
        measured.len(),
    )
}
