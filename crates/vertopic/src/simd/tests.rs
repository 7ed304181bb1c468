use super::*;
use crate::seed::{Seed, Stage};

/// The output of a kernel for every kind of instructions that this processor has, plain code first.
pub(crate) fn everywhere<K: Kernel>(kernel: impl Fn() -> K) -> Vec<K::Output> {
    let mut found = vec![kernel().run(Plain)];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = pulp::x86::V3::try_new() {
        found.push(avx2.vectorize(|| kernel().run(avx2)));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = pulp::x86::V4::try_new() {
        found.push(avx512.vectorize(|| kernel().run(avx512)));
    }
    found.push(run(kernel()));
    found
}

/// Comparisons of eight elements with a number.
struct Compared(f64);

impl Kernel for Compared {
    type Output = [u8; 2];

    #[inline(always)]
    fn run<L: Simd>(self, lanes: L) -> [u8; 2] {
        let numbers = [0.5, 1.0, f64::NAN, 1.0, -3.0, f64::INFINITY, 0.0, 1.5];
        [lanes.equal(&numbers, self.0), lanes.above(&numbers, self.0)]
    }
}

#[test]
fn comparisons_return_one_bit_per_element() {
    for (with, expected) in [
        (1.0, [0b0000_1010, 0b1010_0000]),
        (0.0, [0b0100_0000, 0b1010_1011]),
        (f64::NAN, [0, 0]),
        (f64::NEG_INFINITY, [0, 0b1111_1011]),
    ] {
        for found in everywhere(|| Compared(with)) {
            assert_eq!(found, expected, "{with}");
        }
    }
}

/// All operations on two rows.
struct All<'a>(&'a [Lane], &'a [Lane]);

impl Kernel for All<'_> {
    type Output = (Vec<u32>, Vec<i64>, Vec<i64>);

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> Self::Output {
        let (a, b) = (L::view(self.0), L::view(self.1));
        let mut out = vec![[0.0; LANES]; 7 * self.0.len()];
        let (mut bits, mut nearest) = (Vec::new(), vec![[1; LANES]; self.0.len()]);
        let mut tallied = nearest.clone();
        let mut most = f32::NEG_INFINITY;
        for (j, seven) in L::view_mut(&mut out).chunks_exact_mut(7).enumerate() {
            let (a, b) = (a[j], b[j]);
            seven.copy_from_slice(&[
                simd.add(a, b),
                simd.mul(a, b),
                simd.min(a, b),
                simd.max(a, b),
                simd.div(a, b),
                simd.add(simd.mul(a, b), simd.splat(0.1)),
                simd.mul_add(a, b, simd.splat(0.1)),
            ]);
            let to = j * L::WIDTH..(j + 1) * L::WIDTH;
            simd.tally(&mut tallied[to.clone()], a);
            let twice = simd.add_nearest(simd.add_nearest(simd.no_integers(), a), b);
            simd.put_integers(&mut nearest[to], twice);
            most = most.max(simd.most(a));
        }
        // Regrouped, so that the results of an operation stand together whatever the width of a register.
        for op in 0..7 {
            for seven in out.chunks_exact(7 * L::WIDTH) {
                let one = &seven[op * L::WIDTH..(op + 1) * L::WIDTH];
                bits.extend(one.iter().flatten().map(|v| v.to_bits()));
            }
        }
        let sum = sum_over(simd, a.len(), |j, sum| simd.add(sum, a[j]));
        let dot = sum_over(simd, a.len(), |j, sum| simd.mul_add(a[j], b[j], sum));
        bits.extend([simd.sum(sum), simd.sum(dot), most].map(f32::to_bits));
        (bits, tallied.into_flattened(), nearest.into_flattened())
    }
}

/// Sums of products of `i16`, up to the largest.
struct Products<'a>(&'a [Integers]);

impl Kernel for Products<'_> {
    type Output = [i64; 32];

    #[inline(always)]
    fn run<L: Simd>(self, lanes: L) -> [i64; 32] {
        let mut sums = lanes.no_sums();
        for (two, factors) in L::view_integers(self.0).windows(2).zip(self.0) {
            sums = lanes.add_products(sums, &two[0], &two[1], [factors[0], -3]);
        }
        let mut out = std::array::from_fn(|l| l as i64);
        lanes.put(&mut out, sums, 5);
        out
    }
}

#[test]
fn products_of_integers_are_exact() {
    let mut random = Seed(3).stream(Stage::Tie, 1);
    let mut number = || random.next_u64() as i16;
    let numbers: Vec<Integers> = (0..9).map(|_| std::array::from_fn(|_| number())).collect();
    let expected = |l: usize| {
        let one = |two: &[Integers]| {
            i64::from(two[0][l]) * i64::from(two[0][0]) - 3 * i64::from(two[1][l])
        };
        let sum = numbers.windows(2).map(one).sum::<i64>() as i32;
        l as i64 + (i64::from(sum) << 5)
    };
    for found in everywhere(|| Products(&numbers)) {
        assert_eq!(found, std::array::from_fn(expected));
    }
}

#[test]
fn all_kinds_of_instructions_give_the_same_bits() {
    let mut random = Seed(3).stream(Stage::Tie, 0);
    let mut row = |lanes: usize, size: i32| -> Vec<Lane> {
        let mut number = || {
            let size = libm::ldexp(1.0, (random.unit() * f64::from(size)) as i32 - 30);
            ((random.unit() - 0.5) * size) as f32
        };
        (0..lanes).map(|_| std::array::from_fn(|_| number())).collect()
    };
    for lanes in [2, 4, 14, 100] {
        let (a, b) = (row(lanes, 59), row(lanes, 50));
        let found = everywhere(|| All(&a, &b));
        for other in &found[1..] {
            assert_eq!(*other, found[0], "{lanes} lanes");
        }
        let rounded = |v: &[Lane]| -> Vec<i64> {
            v.as_flattened().iter().map(|v| v.round_ties_even() as i64).collect()
        };
        let tallied: Vec<i64> = rounded(&a).iter().map(|v| v + 1).collect();
        let nearest: Vec<i64> = tallied.iter().zip(rounded(&b)).map(|(a, b)| a + b).collect();
        assert_eq!((&found[0].1, &found[0].2), (&tallied, &nearest));
        let large = tallied.iter().any(|&sum| sum.abs() > 1 << 24);
        assert!(large || lanes < 100, "some have more digits than a single product");
    }
}

#[test]
fn padding_does_not_change_a_sum() {
    // Rows are padded to whole registers, whose width differs between processors.
    let row: Vec<Lane> = (0..13_u8).map(|i| [1.0 / (3.0 + f32::from(i)); LANES]).collect();
    let mut filled = row.clone();
    filled.push([0.0; LANES]);
    let sum = |row: &[Lane]| {
        Plain.sum(sum_over(Plain, row.len(), |j, sum| Plain.add(sum, row[j]))).to_bits()
    };
    assert_eq!(sum(&row), sum(&filled));
    assert!(lanes_for(1) <= 2 && lanes_for(13 * LANES) >= 13);
}

/// All operations on vectors of doubles.
struct AllDoubles<'a>(&'a [Doubles]);

impl Kernel for AllDoubles<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> Vec<u64> {
        let mut out = self.0.to_vec();
        let mut sums = Vec::new();
        for (a, two) in
            L::view_doubles_mut(&mut out).iter_mut().zip(L::view_doubles(self.0).windows(2))
        {
            *a = simd.mul_add_doubles(two[0], two[1], simd.mul_doubles(*a, simd.splat_double(0.1)));
            sums.push(simd.sum_doubles(*a).to_bits());
        }
        out.as_flattened().iter().map(|a| a.to_bits()).chain(sums).collect()
    }
}

#[test]
fn doubles_have_the_same_bits_for_all_kinds_of_instructions() {
    let mut random = Seed(3).stream(Stage::Tie, 2);
    let mut number = || libm::ldexp(random.unit() - 0.5, (random.unit() * 40.0) as i32);
    let vectors: Vec<Doubles> = (0..50).map(|_| std::array::from_fn(|_| number())).collect();
    let found = everywhere(|| AllDoubles(&vectors));
    assert!(found.iter().all(|other| *other == found[0]));
    let [a, b] = [vectors[0][3], vectors[1][3]];
    assert_eq!(found[0][3], a.mul_add(b, a * 0.1).to_bits());
}

#[test]
fn the_widest_instructions_of_the_processor_are_used() {
    #[cfg(target_arch = "x86_64")]
    {
        let wide = is_x86_feature_detected!("avx512f");
        let fused = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        assert_eq!(pulp::x86::V4::try_new().is_some(), wide);
        assert_eq!(pulp::x86::V3::try_new().is_some(), fused);
        assert_eq!(run(Width), if wide { 2 } else { 1 });
        let kinds = 2 + usize::from(fused) + usize::from(wide);
        assert_eq!(everywhere(|| Width).len(), kinds);
    }
}
