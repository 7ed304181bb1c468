//! An axis: its range, its ticks, and where a value stands on it.

use super::text;
use super::ticks::{self, Tick};

/// How values are laid out along an axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far.
    #[default]
    Linear,
    /// Equal ratios are equally far; values must be positive.
    Log,
}

/// An axis of a figure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Axis {
    /// What it measures, with its unit.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// From where to where; by default what the data need. A range that makes no sense is not used.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis over what the data need.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, range: None }
    }

    /// A logarithmic axis over what the data need.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log, range: None }
    }

    /// The same axis from `low` to `high`, for example to give panels the same range.
    #[must_use]
    pub fn with_range(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// The ruler for these values, `length` long and lying or standing.
    pub(super) fn ruler(
        &self,
        values: impl Iterator<Item = f64>,
        length: f64,
        lies: bool,
    ) -> Ruler {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| self.scale.can_draw(*v)) {
            (low, high) = (low.min(value), high.max(value));
        }
        let data = (low <= high).then_some((low, high));
        if !lies {
            return self.ruler_with(data, ((length / 28.0) as usize).clamp(4, 9));
        }
        // As many labels as fit side by side.
        let mut most = 10;
        loop {
            let ruler = self.ruler_with(data, most);
            if most == 4 || ruler.labels_fit(length) {
                return ruler;
            }
            most -= 1;
        }
    }

    fn ruler_with(&self, data: Option<(f64, f64)>, most: usize) -> Ruler {
        let scale = self.scale;
        let fixed = self.range.map(|(a, b)| (a.min(b), a.max(b))).filter(|&(lo, hi)| {
            let wide = match scale {
                Scale::Linear => hi - lo > NARROW * hi.abs().max(lo.abs()) + SMALLEST,
                Scale::Log => hi > lo * (1.0 + NARROW),
            };
            scale.can_draw(lo) && scale.can_draw(hi) && wide
        });
        let ((lo, hi), ticks) = match (scale, fixed) {
            (Scale::Linear, Some((lo, hi))) => ((lo, hi), ticks::linear(lo, hi, most)),
            (Scale::Linear, None) => {
                let (lo, hi) = linear_range(data);
                let ticks = ticks::around(lo, hi, most);
                let ends = ticks.first().zip(ticks.last()).map(|(a, b)| (a.value, b.value));
                (ends.unwrap_or((lo, hi)), ticks)
            }
            (Scale::Log, fixed) => {
                let (lo, hi) = fixed.unwrap_or_else(|| log_range(data));
                ((lo, hi), ticks::log(lo, hi, most))
            }
        };
        Ruler { scale, lo, hi, ticks }
    }
}

/// Values beyond this cannot be drawn: their differences would not be finite.
const LARGEST: f64 = 1e300;
/// Values closer to 0 than this count as 0.
const SMALLEST: f64 = 1e-290;
/// A range narrower than this, relative to its ends, is a point.
const NARROW: f64 = 1e-9;

impl Scale {
    /// Whether a value has a place on such an axis.
    pub(super) fn can_draw(self, value: f64) -> bool {
        match self {
            Self::Linear => value.abs() <= LARGEST,
            Self::Log => (SMALLEST..=LARGEST).contains(&value),
        }
    }

    /// What the range makes room for: a value and the ends of its error bar. On a logarithmic axis a bar
    /// that reaches to 0 would have no end, so downwards it gets at most a factor of four.
    pub(super) fn reach(self, value: f64, error: f64) -> [f64; 3] {
        let error = if is_error(error) { error } else { 0.0 };
        let low = match self {
            Self::Linear => value - error,
            Self::Log => (value - error).max(value / 4.0),
        };
        [low, value, value + error]
    }
}

/// What linear data need, with 0 if that costs little.
fn linear_range(data: Option<(f64, f64)>) -> (f64, f64) {
    let Some((mut lo, mut hi)) = data else { return (0.0, 1.0) };
    if hi - lo <= NARROW * hi.abs().max(lo.abs()) {
        (lo, hi) = ((1.25 * lo).min(0.0), (1.25 * hi).max(0.0));
    }
    if hi - lo <= SMALLEST {
        return (0.0, 1.0);
    }
    if lo > 0.0 && lo < 0.4 * hi {
        lo = 0.0;
    } else if hi < 0.0 && hi > 0.4 * lo {
        hi = 0.0;
    }
    (lo, hi)
}

/// What logarithmic data need, and a little room on both sides.
fn log_range(data: Option<(f64, f64)>) -> (f64, f64) {
    let Some((lo, hi)) = data else { return (1.0, 10.0) };
    if hi <= lo * (1.0 + NARROW) {
        return (lo / 4.0, hi * 4.0);
    }
    let room = libm::pow(hi / lo, 0.05);
    let room = if room.is_finite() { room.max(1.05) } else { 1e15 };
    // The widest data there can be are 590 decades apart; their room must not leave the floats.
    ((lo / room).max(f64::MIN_POSITIVE), (hi * room).min(f64::MAX))
}

/// An axis ready to draw.
#[derive(Debug, Clone)]
pub(super) struct Ruler {
    scale: Scale,
    lo: f64,
    hi: f64,
    pub(super) ticks: Vec<Tick>,
}

/// Size of the labels of ticks.
pub(super) const TICK_SIZE: f64 = 11.5;

impl Ruler {
    /// Where a value stands: 0 at the start, 1 at the end, beyond them outside. `None` if it has no place.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let place = match self.scale {
            _ if !self.scale.can_draw(value) => return None,
            Scale::Linear => (value - self.lo) / (self.hi - self.lo),
            Scale::Log => libm::log(value / self.lo) / libm::log(self.hi / self.lo),
        };
        // Far outside is outside: keep the arithmetic of lines that leave the panel finite.
        (!place.is_nan()).then(|| place.clamp(-1e6, 1e6))
    }

    /// Both ends of an error bar, cut at the ends of the axis, each with whether it is its true end.
    pub(super) fn bar(&self, value: f64, error: f64) -> Option<[(f64, bool); 2]> {
        let middle = self.at(value)?;
        if !is_error(error) || !is_inside(middle) {
            return None;
        }
        let end = |value: f64, beyond: f64| {
            let place = self.at(value).unwrap_or(beyond);
            (place.clamp(0.0, 1.0), is_inside(place))
        };
        Some([end(value - error, -1.0), end(value + error, 2.0)])
    }

    /// The ticks with a label.
    pub(super) fn labels(&self) -> impl Iterator<Item = (f64, &str)> {
        self.ticks.iter().filter_map(|t| Some((self.at(t.value)?, t.label.as_deref()?)))
    }

    /// Width of the widest label.
    pub(super) fn widest_label(&self) -> f64 {
        self.labels().map(|(_, label)| text::width(label, TICK_SIZE)).fold(0.0, f64::max)
    }

    fn labels_fit(&self, length: f64) -> bool {
        let labels: Vec<(f64, f64)> =
            self.labels().map(|(at, label)| (at * length, text::width(label, TICK_SIZE))).collect();
        labels.windows(2).all(|w| w[1].0 - w[0].0 >= f64::midpoint(w[0].1, w[1].1) + 14.0)
    }
}

/// Whether a place is on the axis, but for rounding.
pub(super) fn is_inside(place: f64) -> bool {
    (-1e-6..=1.0 + 1e-6).contains(&place)
}

/// Whether there is an error bar to draw.
fn is_error(error: f64) -> bool {
    error > 0.0 && error.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(axis: &Axis, values: &[f64]) -> (f64, f64) {
        let ruler = axis.ruler(values.iter().copied(), 300.0, false);
        (ruler.lo, ruler.hi)
    }

    #[test]
    fn a_range_suits_the_data() {
        let linear = Axis::linear("");
        assert_eq!(range(&linear, &[3.0, 16.0]), (0.0, 16.0));
        assert_eq!(range(&linear, &[0.81, 0.97]), (0.8, 1.0));
        assert_eq!(range(&linear, &[-9.0, -1.0]), (-10.0, 0.0));
        assert_eq!(range(&linear, &[f64::NAN, f64::INFINITY]), (0.0, 1.0));
        assert_eq!(range(&linear, &[8.0]), (0.0, 10.0));
        assert_eq!(range(&linear, &[0.0, 0.0]), (0.0, 1.0));
        let log = Axis::log("");
        assert_eq!(range(&log, &[-1.0, 0.0]), (1.0, 10.0));
        assert_eq!(range(&log, &[2.0]), (0.5, 8.0));
        let (lo, hi) = range(&log, &[0.0, 0.01, 1.0]);
        assert!((0.007..0.01).contains(&lo) && hi > 1.0 && hi < 1.5);
    }

    #[test]
    fn a_range_that_makes_no_sense_is_not_used() {
        let values = [3.0, 16.0];
        assert_eq!(range(&Axis::linear("").with_range(20.0, 10.0), &values), (10.0, 20.0));
        for (a, b) in [(1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert_eq!(range(&Axis::linear("").with_range(a, b), &values), (0.0, 16.0));
        }
        let automatic = range(&Axis::log(""), &values);
        assert_eq!(range(&Axis::log("").with_range(0.0, 10.0), &values), automatic);
    }

    #[test]
    fn values_stand_where_the_scale_says() {
        let linear = Axis::linear("").with_range(10.0, 20.0).ruler([].into_iter(), 300.0, true);
        assert_eq!([10.0, 15.0, 25.0].map(|v| linear.at(v)), [Some(0.0), Some(0.5), Some(1.5)]);
        assert_eq!(linear.at(f64::NAN), None);
        let log = Axis::log("").with_range(1.0, 100.0).ruler([].into_iter(), 300.0, true);
        assert!((log.at(10.0).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(log.at(0.0), None);
        // A bar down to 0 ends, without a cap, at the end of the axis.
        let [low, high] = log.bar(10.0, 10.0).unwrap();
        assert_eq!(low, (0.0, false));
        assert!(high.1 && (high.0 - libm::log10(20.0) / 2.0).abs() < 1e-12);
        assert_eq!(log.bar(10.0, f64::NAN), None);
    }

    #[test]
    fn labels_of_a_lying_axis_never_touch() {
        for length in [90.0, 150.0, 260.0, 800.0] {
            for hi in [1.0, 1e4, 123_456.0, 1e9] {
                let ruler = Axis::linear("").ruler([0.0, hi].into_iter(), length, true);
                assert!(ruler.labels_fit(length) || ruler.labels().count() <= 4, "{length} {hi}");
            }
        }
        let dense = Axis::linear("").ruler([0.0, 1e6].into_iter(), 800.0, true);
        assert!(dense.labels_fit(800.0) && dense.labels().count() >= 6);
    }
}
