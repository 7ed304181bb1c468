//! What the numbers say: the figure, the tables, who wins where.

use std::fmt::Write as _;

use vertopic_io::IoError;

use super::contender::{Contender, Outcome};
use super::{Along, Cell, Measured, Piece, REPLICATES};
use crate::figure::{Axis, Chart, Panel as Plot, Point, Scale, Series};
use crate::reproduce::{Folder, log_slope, markdown};

/// Standard errors within which two means count as equal.
const TIE: f64 = 2.0;

pub(super) fn write(
    folder: &Folder,
    measured: &[Measured],
    pieces: &[Piece],
    outcomes: &[Outcome],
    replicates: usize,
) -> Result<(), IoError> {
    folder.figure("figure2", &chart(measured, replicates).to_svg())?;
    raw(folder, measured, pieces, outcomes)?;
    folder.text("synthetic.md", &page(measured, replicates))
}

fn raw(
    folder: &Folder,
    measured: &[Measured],
    pieces: &[Piece],
    outcomes: &[Outcome],
) -> Result<(), IoError> {
    let head = [
        "panel",
        "words",
        "novel_share",
        "topics",
        "documents",
        "tokens",
        "seed",
        "method",
        "error",
        "topics_found",
        "seconds",
        "problem",
    ];
    let row = |(piece, outcome): (&Piece, &Outcome)| {
        let panel = &measured[piece.panel].panel;
        let recipe = panel.at(piece.x);
        vec![
            panel.name.to_owned(),
            recipe.words.to_string(),
            recipe.novel_share.to_string(),
            recipe.topics.to_string(),
            recipe.documents.to_string(),
            recipe.tokens.to_string(),
            piece.seed.to_string(),
            piece.contender.name().to_owned(),
            outcome.error.map_or_else(String::new, |e| format!("{e:.6}")),
            outcome.topics.to_string(),
            format!("{:.4}", outcome.seconds),
            outcome.problem.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = pieces.iter().zip(outcomes).map(row).collect();
    folder.csv("synthetic.csv", &head, &rows)
}

fn chart(measured: &[Measured], replicates: usize) -> Chart {
    let plot = |m: &Measured| Plot {
        title: m.panel.title.to_owned(),
        x: Axis { label: along(m).to_owned(), scale: Scale::Log, range: None },
        y: Axis { label: "ℓ1 error, sum over topics".to_owned(), scale: Scale::Log, range: None },
        series: (0..m.contenders.len()).map(|c| series(m, c)).collect(),
    };
    Chart {
        title: "Error of the topics on generated corpora (the paper's Figure 2)".to_owned(),
        caption: Some(format!(
            "W = 500, a fifth of the words novel, α = 0.1; mean of {replicates} corpora with its standard error"
        )),
        panels: measured.iter().map(plot).collect(),
        columns: 2,
    }
}

fn series(m: &Measured, c: usize) -> Series {
    let point = |cell: &Cell| {
        let s = cell.summary(c);
        Point { x: cell.x as f64, y: s.mean, error: s.error }
    };
    Series {
        name: m.contenders[c].name().to_owned(),
        style: c,
        points: m.cells.iter().filter(|cell| !cell.errors[c].is_empty()).map(point).collect(),
        line: true,
        emphasis: m.contenders[c].name().contains("paper"),
    }
}

fn along(m: &Measured) -> &'static str {
    match m.panel.along {
        Along::Documents => "documents, M",
        Along::Tokens => "tokens of a document, N",
    }
}

/// Contenders that no one beats clearly at a cell: the best mean, and those within two standard errors.
fn winners(m: &Measured, cell: &Cell) -> (usize, Vec<usize>) {
    let competing: Vec<usize> = (0..m.contenders.len())
        .filter(|&c| m.contenders[c].competes() && !cell.errors[c].is_empty())
        .collect();
    let mean = |c: usize| cell.summary(c).mean;
    let best = competing.iter().copied().min_by(|&a, &b| mean(a).total_cmp(&mean(b))).unwrap_or(0);
    let tied = |&c: &usize| {
        let (a, b) = (cell.summary(best), cell.summary(c));
        b.mean - a.mean <= TIE * a.error.hypot(b.error)
    };
    (best, competing.into_iter().filter(tied).collect())
}

fn page(measured: &[Measured], replicates: usize) -> String {
    let mut out = format!(
        "# Error on generated corpora (Figure 2)\n\n\
         ![error against documents and length](figure2.png)\n\n\
         ℓ1 distance between the estimated and the true topics after the best matching, summed over the topics \
         (0 is perfect, 2K the worst). Mean of {replicates} corpora with its standard error{}. Corpora: W = 500, \
         ρ = 0.2, α = 0.1; seeds 0 to {}, the same for all methods. *frequency-matched* draws the frequency of a \
         word independently of whether it is novel; in the paper's recipe novel words are also the rarest, which \
         helps projections of documents. A topic that a method did not find counts as the even distribution. \
         Raw numbers: `synthetic.csv`.\n\n",
        if replicates == REPLICATES { ", as in the paper" } else { " (the paper: 50)" },
        replicates.saturating_sub(1)
    );
    out.push_str(&reading(measured));
    for m in measured {
        let _ = write!(out, "## {}\n\n{}\n", capital(m.panel.title), table(m)); // a String takes everything
        out.push_str(&slopes(m));
        out.push('\n');
    }
    out.push_str(&settings(measured));
    out
}

/// Who wins, over all cells.
fn reading(measured: &[Measured]) -> String {
    let mut out = String::from("## Reading\n\n");
    for m in measured {
        let cells = m.cells.len();
        let count = |c: usize| m.cells.iter().filter(|cell| winners(m, cell).0 == c).count();
        let near = |c: usize| m.cells.iter().filter(|cell| winners(m, cell).1.contains(&c)).count();
        let mut parts: Vec<(usize, String)> = (0..m.contenders.len())
            .filter(|&c| m.contenders[c].competes() && near(c) > 0)
            .map(|c| {
                let (best, near) = (count(c), near(c));
                (
                    best,
                    format!(
                        "{} {best} (within two standard errors of the best: {near})",
                        m.contenders[c].name()
                    ),
                )
            })
            .collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.0));
        let parts: Vec<String> = parts.into_iter().map(|p| p.1).collect();
        let _ = writeln!(
            out,
            "- **{}**, best in how many of {cells} cells: {}.",
            m.panel.title,
            parts.join(", ")
        );
        for name in ["rp (paper)", "ddp (paper)"] {
            let lost: Vec<String> = m
                .cells
                .iter()
                .filter(|cell| {
                    let c = position(&m.contenders, name);
                    !winners(m, cell).1.contains(&c)
                })
                .map(|cell| {
                    let (best, _) = winners(m, cell);
                    let c = position(&m.contenders, name);
                    let ratio = cell.summary(c).mean / cell.summary(best).mean;
                    format!("{} ({ratio:.1} × {})", cell.x, m.contenders[best].name())
                })
                .collect();
            let assessment = if lost.is_empty() {
                "is among the best everywhere".to_owned()
            } else {
                format!("is clearly beaten at {} of {cells}: {}", lost.len(), lost.join(", "))
            };
            let _ = writeln!(out, "  - {name} {assessment}.");
        }
    }
    out.push('\n');
    out
}

fn position(contenders: &[Contender], name: &str) -> usize {
    contenders.iter().position(|c| c.name() == name).unwrap_or(0)
}

/// A row per point, a column per contender; the best is bold, what is as good as it italic.
fn table(m: &Measured) -> String {
    let x = match m.panel.along {
        Along::Documents => "M",
        Along::Tokens => "N",
    };
    let head: Vec<&str> =
        std::iter::once(x).chain(m.contenders.iter().map(Contender::name)).collect();
    let row = |cell: &Cell| {
        let (best, tied) = winners(m, cell);
        let entry = |c: usize| {
            let s = cell.summary(c);
            let failed = cell.failed[c];
            let note = if failed > 0 { format!(" ({failed} failed)") } else { String::new() };
            if s.n == 0 {
                return "failed".to_owned();
            }
            let number = format!("{:.3} ± {:.3}", s.mean, s.error);
            let number = match c {
                c if c == best && m.contenders[c].competes() => format!("**{number}**"),
                c if tied.contains(&c) => format!("*{number}*"),
                _ => number,
            };
            number + &note
        };
        std::iter::once(cell.x.to_string())
            .chain((0..m.contenders.len()).map(entry))
            .collect::<Vec<String>>()
    };
    let rows: Vec<Vec<String>> = m.cells.iter().map(row).collect();
    markdown(&head, &rows)
}

/// How fast each error falls, and what a corpus costs.
fn slopes(m: &Measured) -> String {
    let last = m.cells.last();
    let rows: Vec<Vec<String>> = (0..m.contenders.len())
        .map(|c| {
            let points: Vec<(f64, f64)> = m
                .cells
                .iter()
                .filter(|cell| !cell.errors[c].is_empty())
                .map(|cell| (cell.x as f64, cell.summary(c).mean))
                .collect();
            let seconds = last.map_or(f64::NAN, |cell| cell.seconds[c]);
            vec![
                m.contenders[c].name().to_owned(),
                format!("{:.2}", log_slope(&points)),
                format!("{seconds:.2}"),
            ]
        })
        .collect();
    let largest = last.map_or(0, |cell| cell.x);
    let cost = format!("seconds on one thread at {largest}");
    let head = ["method", "exponent of the error", &cost];
    format!(
        "A consistent method's exponent is negative; −0.5 is the usual statistical rate.\n\n{}",
        markdown(&head, &rows)
    )
}

fn settings(measured: &[Measured]) -> String {
    let mut out = String::from(
        "## Settings\n\nThe sampler's priors were chosen in pilot runs on three corpora of other seeds at one point of \
         each panel (best mean error first); all its runs have 1,000 sweeps:\n\n",
    );
    for m in measured {
        let list: Vec<String> = m
            .pilots
            .iter()
            .map(|(p, e)| {
                let learnt = if p.optimise.is_some() { ", learnt" } else { "" };
                format!("α {} β {}{learnt}: {e:.3}", p.alpha, p.beta)
            })
            .collect();
        let _ = writeln!(out, "- {}: {}", m.panel.title, list.join("; "));
    }
    out.push_str("\nAll settings, as they would stand in a model:\n\n");
    if let Some(m) = measured.first() {
        for contender in &m.contenders {
            let _ = writeln!(out, "- {}: `{}`", contender.name(), contender.settings());
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
