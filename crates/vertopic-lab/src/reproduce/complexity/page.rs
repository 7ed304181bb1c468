//! Measured exponents beside the predicted ones.

use vertopic_io::IoError;

use super::{Along, Measured, Piece, Timed};
use crate::figure::{Axis, Chart, Panel, Point, Series};
use crate::reproduce::{Folder, markdown};

/// How far a measured exponent may be from the predicted one without a word on it.
const NEAR: f64 = 0.15;

/// Why slopes are off where they are known to be.
const REASONS: &str = "\
Where a slope is off, as far as we could trace it:\n\n\
- **DDP, pairs in N**: for each word of a document a row of the table is fetched, and its partners are then added quickly. \
Up to a few hundred tokens the fetching costs as much as the adding, and it grows like N: the time per couple falls by a factor \
of three to four from the shortest documents to the longest.\n\
- **RP in K**: the W × 50·K sums of 8 bytes outgrow a cache between two of the sizes (51 and 102 MB); before and after that \
the slope is about 0.9.\n\
- **RP, regressions in M**, and **binning**: a few milliseconds, and more documents mean less noise and fewer steps of a \
regression; times this short are not worth a slope.\n\
- **Gibbs sampling in K**: Table 3 counts all topics for every token. Our sampler visits those that the document or the word \
has, which are soon fewer than K.\n\
- **RecoverL2 in N**: documents are summed in blocks of 1 MB, and each block touches the sums of all words once. With \
1,000 columns a block has 256 documents, so that this weighs as much as documents of 100 tokens do.\n\
- **Excess correlation analysis in K**: the K³ terms are long loops that run fast, the others short ones that do not, so the \
exponent nears 3 only beyond these sizes. The decomposition after it grows like K⁴ and soon takes all the time.\n\
- Machines with other programs on them add noise: a slope of ten-millisecond steps moves by 0.2 from run to run.\n";

pub(super) fn write(
    folder: &Folder,
    measured: &[Measured],
    pieces: &[Piece],
    timed: &[Timed],
) -> Result<(), IoError> {
    folder.figure("complexity", &chart(measured).to_svg())?;
    let mut rows = Vec::new();
    for (piece, timed) in pieces.iter().zip(timed) {
        for (stage, seconds) in &timed.seconds {
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
        let off = m.slope - m.counted;
        let seconds = m.points.last().map_or(f64::NAN, |p| p.1);
        vec![
            m.claim.method.to_owned(),
            m.claim.stage.to_owned(),
            m.claim.along.letter().to_owned(),
            format!("{:.0}", m.claim.exponent),
            format!("{:.2}", m.counted),
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
        "Table 3",
        "counted",
        "measured",
        "measured within 0.15 of counted",
        "seconds at the largest",
        "what is counted",
    ];
    let near = |from: fn(&Measured) -> f64| {
        measured.iter().filter(|m| (m.slope - from(m)).abs() <= NEAR).count()
    };
    format!(
        "# Growth of time (Table 3)\n\n![time of each step](complexity.png)\n\n\
         Slope of log time over log size for each step; sizes double from one to the next, and the others stay at \
         M = 2,000 (where N grows 8,000, 4,000 for DDP), N = 100, W = 4,000 (1,000 for DDP), K = 10. Generated corpora \
         with words of even frequency, one thread, the least of several times. Gibbs sampling and NMF: ten sweeps or \
         rounds. All times: `complexity.csv`.\n\n{}\n\
         **Table 3** is the exponent for large sizes; **counted** that of the steps of the innermost loops on these very \
         corpora, where a document of twice the tokens has less than twice the distinct words, and terms that vanish in \
         the limit are still there.\n\n\
         **Reading.** {} of {} slopes are within {NEAR} of Table 3, {} of what was counted.\n\n{}",
        markdown(&head, &rows),
        near(|m| m.claim.exponent),
        measured.len(),
        near(|m| m.counted),
        REASONS,
    )
}
