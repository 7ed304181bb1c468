//! Where an axis has ticks: round numbers, few of them, with short labels.

/// A tick; without a label it is a small one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: Option<String>,
}

/// A round number `digits · 10^power`, kept in two whole numbers so that 0.3 stays 0.3.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Round {
    digits: f64,
    power: i32,
}

impl Round {
    fn value(self) -> f64 {
        // Division by a power of ten gives the float nearest to the decimal number.
        if self.power < 0 {
            self.digits / libm::pow(10.0, f64::from(-self.power))
        } else {
            self.digits * libm::pow(10.0, f64::from(self.power))
        }
    }

    /// The steps 1, 2, 5, 10, 20, … from about `least` on.
    fn steps(least: f64) -> impl Iterator<Item = Self> {
        let power = libm::floor(libm::log10(least)) as i32;
        (power..power + 5)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|digits| Self { digits, power }))
            .filter(move |step| step.value() >= least * (1.0 - 1e-9))
    }
}

/// Ticks at multiples of the smallest round step that gives at most `most` over the least range that holds
/// `lo..hi` and ends at ticks.
pub(super) fn around(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    let ends = |unit: f64| (libm::floor(lo / unit + 1e-9), libm::ceil(hi / unit - 1e-9));
    multiples(hi - lo, most.max(3), ends)
}

/// Ticks of `lo..hi` at multiples of the smallest of the steps 1, 2, 5, 10, … that gives at most `most`.
pub(super) fn linear(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    let ends = |unit: f64| (libm::ceil(lo / unit - 1e-9), libm::floor(hi / unit + 1e-9));
    multiples(hi - lo, most.max(4), ends) // with four there is always one inside
}

/// The multiples of the smallest round step that gives at most `most` of them between the ends.
fn multiples(span: f64, most: usize, ends: impl Fn(f64) -> (f64, f64)) -> Vec<Tick> {
    if !(span > 0.0 && span.is_finite()) {
        return Vec::new(); // too wide or too narrow for floats: no tick is better than a wrong one
    }
    for step in Round::steps(span / most as f64) {
        let (first, last) = ends(step.value());
        if last - first < most as f64 {
            let count = (last - first + 1.0).max(0.0) as usize;
            let multiple = |i| Round { digits: (first + i as f64) * step.digits, ..step };
            return labelled(&(0..count).map(multiple).collect::<Vec<_>>());
        }
    }
    Vec::new()
}

/// Ticks of `lo..hi`, both positive: decades if there are at least three, else 1, 2 and 5 times decades, else as on
/// a linear axis; small ticks between them.
pub(super) fn log(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    let most = most.max(4);
    if !(lo > 0.0 && hi.is_finite()) {
        return Vec::new();
    }
    let powers = libm::floor(libm::log10(lo)) as i32..=libm::ceil(libm::log10(hi)) as i32;
    let within =
        |round: &Round| round.value() >= lo * (1.0 - 1e-9) && round.value() <= hi * (1.0 + 1e-9);
    let times = |digits: &[f64]| -> Vec<Round> {
        let all = powers
            .clone()
            .flat_map(|power| digits.iter().map(move |&digits| Round { digits, power }));
        all.filter(within).collect()
    };
    let decades = times(&[1.0]);
    let fine = times(&[1.0, 2.0, 5.0]);
    let (large, small) = if decades.len() > most {
        let every = decades.len().div_ceil(most) as i32;
        let large = decades.iter().copied().filter(|d| d.power.rem_euclid(every) == 0).collect();
        (large, decades)
    } else if decades.len() >= 3 || (decades.len() == 2 && fine.len() > most) {
        let crowded = decades.len() > 4;
        (
            decades,
            if crowded { Vec::new() } else { times(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]) },
        )
    } else if (3..=most).contains(&fine.len()) {
        (fine, times(&[3.0, 4.0, 6.0, 7.0, 8.0, 9.0]))
    } else {
        return linear(lo, hi, most);
    };
    let mut ticks = labelled(&large);
    let is_small = |round: &Round| !large.contains(round);
    let small = small.iter().filter(|round| is_small(round));
    ticks.extend(small.map(|round| Tick { value: round.value(), label: None }));
    ticks.sort_by(|a, b| a.value.total_cmp(&b.value));
    ticks
}

fn labelled(values: &[Round]) -> Vec<Tick> {
    let sizes = || values.iter().map(|r| r.value().abs()).filter(|v| *v > 0.0);
    let largest = sizes().fold(0.0, f64::max);
    let decimals = values.iter().map(|r| -r.power).max().unwrap_or(0).max(0);
    let plain = largest < 1e7 && decimals <= 4;
    let spans_decades = values.windows(2).any(|w| w[0].power != w[1].power);
    let label = |round: &Round| {
        if plain {
            number(round.value(), (-round.power).max(0) as usize)
        } else if spans_decades {
            times_ten(round.digits, 0, round.power)
        } else {
            // One power of ten for the whole axis.
            let power = if largest > 0.0 { libm::floor(libm::log10(largest)) as i32 } else { 0 };
            let digits = round.digits / libm::pow(10.0, f64::from(power - round.power));
            times_ten(digits, (power - round.power).clamp(0, 15) as usize, power)
        }
    };
    values.iter().map(|r| Tick { value: r.value(), label: Some(label(r)) }).collect()
}

/// A number with these decimals, a comma after thousands and a real minus sign.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|b| b.is_ascii_digit() && b != b'0') {
        out.push('−');
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// `digits × 10ᵖ`, without the digits if they are 1.
fn times_ten(digits: f64, decimals: usize, power: i32) -> String {
    if digits == 0.0 {
        return "0".to_owned();
    }
    let raised: String = power
        .to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            c => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).unwrap_or(c),
        })
        .collect();
    if digits == 1.0 { format!("10{raised}") } else { number(digits, decimals) + "×10" + &raised }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().filter_map(|t| t.label.as_deref()).collect()
    }

    #[test]
    fn labels_are_what_a_paper_prints() {
        assert_eq!(labels(&linear(0.0, 1.0, 6)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&linear(-1e4, 1e4, 5)), ["−10,000", "−5,000", "0", "5,000", "10,000"]);
        assert_eq!(labels(&linear(0.0, 4e8, 5)), ["0", "10⁸", "2×10⁸", "3×10⁸", "4×10⁸"]);
        assert_eq!(labels(&linear(0.0, 1e-6, 4)), ["0", "0.5×10⁻⁶", "10⁻⁶"]);
        assert_eq!(labels(&log(80.0, 12_000.0, 6)), ["100", "1,000", "10,000"]);
        assert_eq!(labels(&log(90.0, 1_100.0, 6)), ["100", "200", "500", "1,000"]);
        assert_eq!(labels(&log(0.009, 1.1, 5)), ["0.01", "0.1", "1"]);
        assert_eq!(labels(&log(1.0, 1e9, 4)), ["10⁰", "10³", "10⁶", "10⁹"]);
        assert_eq!(labels(&log(2.5, 3.6, 6)), ["2.6", "2.8", "3.0", "3.2", "3.4", "3.6"]);
    }

    #[test]
    fn a_range_beyond_floats_has_no_ticks() {
        for (lo, hi) in [(0.0, 1.0), (1.0, f64::INFINITY), (f64::NAN, 1.0)] {
            assert_eq!(log(lo, hi, 5), [], "{lo} {hi}");
        }
        for (lo, hi) in [(-f64::MAX, f64::MAX), (1.0, 1.0), (f64::NAN, 1.0)] {
            assert_eq!(linear(lo, hi, 5), [], "{lo} {hi}");
        }
    }

    #[test]
    fn small_ticks_of_a_decade_are_its_multiples() {
        let small: Vec<f64> = log(9.0, 2_000.0, 6)
            .iter()
            .filter(|t| t.label.is_none() && t.value < 100.0)
            .map(|t| t.value)
            .collect();
        assert_eq!(small, [9.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0]);
    }

    proptest! {
        #[test]
        fn linear_ticks_are_round_few_and_cover_the_range(
            lo in -1e6_f64..1e6, exponent in -6_i32..7, factor in 1.0_f64..10.0, most in 4_usize..12,
        ) {
            let hi = lo + factor * libm::pow(10.0, f64::from(exponent));
            let ticks = linear(lo, hi, most);
            prop_assert!(!ticks.is_empty() && ticks.len() <= most);
            let span = hi - lo;
            prop_assert!(ticks.iter().all(|t| t.value >= lo - 1e-6 * span && t.value <= hi + 1e-6 * span));
            if ticks.len() > 1 {
                let step = ticks[1].value - ticks[0].value;
                let mantissa = step / libm::pow(10.0, libm::floor(libm::log10(step) + 1e-4));
                prop_assert!([1.0, 2.0, 5.0].iter().any(|m| (mantissa / m - 1.0).abs() < 1e-3), "{step}");
                // Nothing round is missing at the ends.
                prop_assert!(ticks[0].value - lo < step * 1.001);
                prop_assert!(hi - ticks[ticks.len() - 1].value < step * 1.001);
            }
            if most >= 6 {
                prop_assert!(ticks.len() >= 2);
            }
            let mut labels = labels(&ticks);
            labels.dedup();
            prop_assert_eq!(labels.len(), ticks.len(), "two ticks with one label");
        }

        #[test]
        fn ticks_around_a_range_hold_it(
            lo in -1e3_f64..1e3, span in 1e-3_f64..1e4, most in 4_usize..12,
        ) {
            let ticks = around(lo, lo + span, most);
            prop_assert!((2..=most).contains(&ticks.len()));
            let (first, last) = (ticks[0].value, ticks[ticks.len() - 1].value);
            prop_assert!(first <= lo + 1e-6 * span && last >= lo + span - 1e-6 * span);
            // The ticks next to the ends are inside: no tick is spent for nothing.
            prop_assert!(ticks[1].value > lo && ticks[ticks.len() - 2].value < lo + span);
        }

        #[test]
        fn log_ticks_are_few_rising_and_inside(
            lo in -20.0_f64..20.0, span in 0.05_f64..30.0, most in 4_usize..12,
        ) {
            let (lo, hi) = (libm::pow(10.0, lo), libm::pow(10.0, lo + span));
            let ticks = log(lo, hi, most);
            prop_assert!(ticks.windows(2).all(|w| w[0].value < w[1].value));
            prop_assert!(ticks.iter().all(|t| t.value >= lo * 0.999 && t.value <= hi * 1.001));
            let large = labels(&ticks).len();
            prop_assert!((1..=most).contains(&large), "{large}");
        }
    }
}
