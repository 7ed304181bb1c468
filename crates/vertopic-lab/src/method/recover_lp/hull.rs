//! The ℓ1 distance of a point to a convex hull, by linear programming.
//!
//! Its dual says which direction tells the point q from the hull of rows r_i best:
//!
//! ```text
//! min_b ‖q − Σ_i b_i r_i‖₁  =  max_{y, t}  q·y − t   with  r_i·y ≤ t for all i,  −1 ≤ y ≤ 1
//! ```
//!
//! The dual needs a constraint for a row only if it cuts, and few do: they are added as they are violated,
//! each the most violated one, until none is. The answer is the same as with all of them.

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, Variable};

/// A constraint is kept to this, in units of a mean entry.
const TOLERANCE: f64 = 1e-7;

/// The ℓ1 distance of two points.
pub fn l1(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum()
}

/// The ℓ1 distance of `point` to the convex hull of `rows`, all of them distributions. Without
/// rows it is 2, the largest there is; `None` if the solver fails.
pub fn distance(point: &[f64], rows: &[&[f64]]) -> Option<f64> {
    let Some(first) = rows.iter().min_by(|a, b| l1(a, point).total_cmp(&l1(b, point))) else {
        return Some(2.0);
    };
    // Entries of distributions are about 1/W; the solver likes them about 1.
    let scale = point.len() as f64;
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let y: Vec<Variable> = point.iter().map(|q| problem.add_var(q * scale, (-1.0, 1.0))).collect();
    let t = problem.add_var(-1.0, (-scale, scale));
    let constraint = |row: &[f64]| -> LinearExpr {
        let mut expression = LinearExpr::empty();
        for (&y, r) in y.iter().zip(row) {
            if *r > 0.0 {
                expression.add(y, r * scale);
            }
        }
        expression.add(t, -1.0);
        expression
    };
    problem.add_constraint(constraint(first), ComparisonOp::Le, 0.0);
    let mut solution = problem.solve().ok()?.into_solution().ok()?;
    // Every round adds a row that was not in, so there are at most as many as rows.
    for _ in 0..rows.len() {
        let direction: Vec<f64> = y.iter().map(|&y| solution.var_value(y)).collect();
        let limit = solution.var_value(t);
        let excess = |row: &&[f64]| {
            scale * row.iter().zip(&direction).map(|(r, y)| r * y).sum::<f64>() - limit
        };
        let worst = rows
            .iter()
            .map(|row| (excess(row), row))
            .reduce(|a, b| if b.0 > a.0 { b } else { a })
            .filter(|(excess, _)| *excess > TOLERANCE);
        let Some((_, row)) = worst else { break };
        let outcome = solution.add_constraint(constraint(row), ComparisonOp::Le, 0.0).ok()?;
        solution = outcome.into_solution().ok()?;
    }
    Some((solution.objective() / scale).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_in_the_plane_of_three_words() {
        let corners: [&[f64]; 3] = [&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]];
        let inside = distance(&[0.2, 0.3, 0.5], &corners).expect("solved");
        assert!(inside < 1e-9, "{inside}");
        // Half of the third corner must go to the others: 1/2 is missing there and 1/2 too much here.
        let edge = distance(&[0.25, 0.25, 0.5], &corners[..2]).expect("solved");
        assert!((edge - 1.0).abs() < 1e-9, "{edge}");
        let corner = distance(corners[0], &[&[0.6, 0.2, 0.2], &[0.1, 0.9, 0.0]]).expect("solved");
        assert!((corner - 0.8).abs() < 1e-9, "{corner}");
        assert_eq!(distance(corners[0], &[]), Some(2.0));
    }
}
