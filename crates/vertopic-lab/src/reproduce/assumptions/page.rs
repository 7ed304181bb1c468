//! The tables and figures of the assumptions.

use vertopic_io::IoError;

use super::rates::{AtSize, Steps, model};
use super::{Checked, Named, SEED, TOPICS};
use crate::figure::{Axis, Chart, Panel, Point, Series};
use crate::reproduce::{Folder, Summary, log_slope, markdown};

pub(super) fn write(
    folder: &Folder,
    pieces: &[(&Named, usize)],
    checked: &[Checked],
    rates: &[AtSize],
    draws: usize,
) -> Result<(), IoError> {
    folder.figure("priors", &priors(pieces, checked, draws).to_svg())?;
    folder.figure("rates", &steps(rates).to_svg())?;
    let head = ["prior", "topics", "lambda", "lambda_closed", "zeta", "zeta_closed"];
    let number = |v: Option<f64>| v.map_or_else(String::new, |v| format!("{v:.6}"));
    let row = |((p, k), c): (&(&Named, usize), &Checked)| {
        vec![
            p.name.to_owned(),
            k.to_string(),
            number(Some(c.lambda)),
            number(c.lambda_closed),
            number(Some(c.zeta)),
            number(c.zeta_closed),
        ]
    };
    let table: Vec<Vec<String>> = pieces.iter().zip(checked).map(row).collect();
    folder.csv("priors.csv", &head, &table)?;
    let raw = rates.iter().flat_map(|size| {
        size.steps.iter().enumerate().map(|(seed, s)| {
            let numbers = [s.detected, s.clustered, s.largest, s.error].map(|v| format!("{v:.6}"));
            let start = [size.documents.to_string(), seed.to_string()];
            start.into_iter().chain(numbers).collect::<Vec<String>>()
        })
    });
    let raw: Vec<Vec<String>> = raw.collect();
    let names = ["documents", "seed", "detected", "clustered", "largest_error", "l1_error"];
    folder.csv("rates.csv", &names, &raw)?;
    let head = ["prior", "K", "λ∧ estimated", "λ∧ closed", "ζ estimated", "ζ closed"];
    folder.text("assumptions.md", &page(&markdown(&head, &table), pieces, checked, rates, draws))
}

fn priors(pieces: &[(&Named, usize)], checked: &[Checked], draws: usize) -> Chart {
    let names: Vec<&str> = pieces.iter().step_by(TOPICS.len()).map(|(p, _)| p.name).collect();
    let series = |value: fn(&Checked) -> f64| -> Vec<Series> {
        let of = |(style, name): (usize, &&str)| {
            let points = pieces.iter().zip(checked).filter(|((p, _), _)| p.name == *name);
            let points = points.map(|((_, k), c)| Point { x: *k as f64, y: value(c), error: 0.0 });
            Series::new(*name, style, points.collect())
        };
        names.iter().enumerate().map(of).collect()
    };
    let panel = |title: &str, label: &str, series| Panel {
        title: title.to_owned(),
        x: Axis::log("topics, K"),
        y: Axis::log(label),
        series,
    };
    Chart {
        title: "What the theorems assume of the mixtures".to_owned(),
        caption: Some(format!("estimated from {draws} drawn mixtures; both must be positive")),
        panels: vec![
            panel("P1", "smallest eigenvalue of R, λ∧", series(|c| c.lambda)),
            panel("P2", "ζ", series(|c| c.zeta)),
        ],
        columns: 2,
    }
}

fn summary(size: &AtSize, value: fn(&Steps) -> f64) -> Summary {
    Summary::of(&size.steps.iter().map(value).collect::<Vec<f64>>())
}

fn steps(rates: &[AtSize]) -> Chart {
    let series = |name: &str, style, value: fn(&Steps) -> f64| {
        let point = |size: &AtSize| {
            let s = summary(size, value);
            Point { x: size.documents as f64, y: s.mean, error: s.error }
        };
        Series::new(name, style, rates.iter().map(point).collect())
    };
    let panel = |title: &str, y: Axis, series| Panel {
        title: title.to_owned(),
        x: Axis::log("documents, M"),
        y,
        series,
    };
    Chart {
        title: "Each step as the documents grow (Theorems 1 to 3)".to_owned(),
        caption: Some(format!(
            "mean of {} corpora with its standard error; {}",
            rates.first().map_or(0, |size| size.steps.len()),
            model()
        )),
        panels: vec![
            panel(
                "detection and clustering",
                Axis::linear("share that is wrong"),
                vec![
                    series("words, by Algorithm 1", 0, |s| 1.0 - s.detected),
                    series("pairs of novel words, by Algorithm 4", 1, |s| 1.0 - s.clustered),
                ],
            ),
            panel(
                "estimation (Algorithm 5)",
                Axis::log("error"),
                vec![
                    series("largest error of an entry of β", 2, |s| s.largest),
                    series("ℓ1 error, sum over topics", 3, |s| s.error),
                ],
            ),
        ],
        columns: 2,
    }
}

fn page(
    table: &str,
    pieces: &[(&Named, usize)],
    checked: &[Checked],
    rates: &[AtSize],
    draws: usize,
) -> String {
    let worst = pieces
        .iter()
        .zip(checked)
        .filter_map(|(_, c)| {
            Some(
                (c.lambda / c.lambda_closed? - 1.0)
                    .abs()
                    .max((c.zeta / c.zeta_closed? - 1.0).abs()),
            )
        })
        .fold(0.0, f64::max);
    let positive = checked.iter().all(|c| c.lambda > 0.0 && c.zeta > 0.0);
    let head = [
        "M",
        "words told right",
        "all words right in",
        "pairs told right",
        "all pairs right in",
        "largest error of β",
        "ℓ1 error",
    ];
    let row = |size: &AtSize| {
        let exact = |value: fn(&Steps) -> f64| {
            let n = size.steps.iter().filter(|s| value(s) == 1.0).count();
            format!("{n} of {}", size.steps.len())
        };
        let share =
            |value: fn(&Steps) -> f64| format!("{:.1} %", 100.0 * summary(size, value).mean);
        vec![
            size.documents.to_string(),
            share(|s| s.detected),
            exact(|s| s.detected),
            share(|s| s.clustered),
            exact(|s| s.clustered),
            format!("{:.4}", summary(size, |s| s.largest).mean),
            format!("{:.3}", summary(size, |s| s.error).mean),
        ]
    };
    let rows: Vec<Vec<String>> = rates.iter().map(row).collect();
    let slope = |value: fn(&Steps) -> f64| {
        let point = |size: &AtSize| (size.documents as f64, summary(size, value).mean);
        log_slope(&rates.iter().map(point).collect::<Vec<_>>())
    };
    format!(
        "# Assumptions and rates\n\n## P1 and P2\n\n\
         λ∧ is the smallest eigenvalue of R = E θθᵀ (P1: positive), ζ the least of R_ii/(a_i a_i) − R_ij/(a_i a_j) (P2: \
         positive). Estimated from {draws} drawn mixtures (seed {SEED}); *closed* is exact for the Dirichlet distribution \
         (Proposition A.1 of the paper's supplement).\n\n![P1 and P2](priors.png)\n\n{table}\n\
         **Reading.** {} Estimate and closed form differ by at most {:.1} %. The smallest eigenvalue falls with the number of \
         topics, and with correlation between them: P1 holds, but the theorems need more documents.\n\n\
         ## Rates (Theorems 1 to 3)\n\n\
         Model: {}; a model and corpus per seed. Each step gets what its theorem gives it: detection the thresholds d and γ, \
         clustering the true novel words and d, estimation one novel word of each topic. The theorems' own d = λ∧β∧² and \
         γ = ζa∧β∧ are lower bounds far below the real gaps; d and γ here are the gaps of the population, known from the \
         truth.\n\n![rates](rates.png)\n\n{}\n\
         **Reading.** The errors of estimation fall like M^{:.2} (largest entry) and M^{:.2} (ℓ1); the usual \
         rate is M^−0.5, and Theorem 3 guarantees only M^−0.25.\n",
        if positive {
            "Both hold for every prior tried."
        } else {
            "**Not both hold for every prior tried: see the table.**"
        },
        100.0 * worst,
        model(),
        markdown(&head, &rows),
        slope(|s| s.largest),
        slope(|s| s.error),
    )
}
