//! Means, standard errors, slopes.

/// Mean and its standard error. One number has no error to speak of; none has no mean.
///
/// ```
/// let s = vertopic_lab::reproduce::Summary::of(&[1.0, 2.0, 3.0]);
/// assert_eq!((s.mean, s.n), (2.0, 3));
/// assert!((s.error - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// How many numbers.
    pub n: usize,
}

impl Summary {
    /// Of these numbers.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let error = if n < 2 { 0.0 } else { (squares / (n - 1) as f64 / n as f64).sqrt() };
        Self { mean, error, n }
    }
}

/// Slope of the least-squares line through (log x, log y): the exponent of a power law.
///
/// ```
/// let points = [(1.0, 3.0), (2.0, 12.0), (4.0, 48.0)];
/// assert!((vertopic_lab::reproduce::log_slope(&points) - 2.0).abs() < 1e-12);
/// ```
pub fn log_slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) =
        (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let above: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let below: f64 = logs.iter().map(|p| (p.0 - mx).powi(2)).sum();
    above / below
}
