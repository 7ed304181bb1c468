use super::*;
use crate::seed::{Seed, Stage};

/// All operations on many numbers of all sizes.
struct All<'a>(&'a [Lane]);

impl Kernel for All<'_> {
    type Output = (Vec<u32>, [i64; LANES]);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let (mut bits, mut sums) = (Vec::new(), [0; LANES]);
        for pair in L::view(self.0).windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let all = [
                lanes.add(a, b),
                lanes.mul(a, b),
                lanes.min(a, b),
                lanes.max(a, b),
                lanes.div(a, b),
                lanes.add(lanes.mul(a, b), lanes.splat(0.1)),
                lanes.mul_add(a, b, lanes.splat(0.1)),
            ];
            bits.extend(all.map(|v| lanes.sum(v).to_bits()));
            bits.extend(all.map(|v| lanes.most(v).to_bits()));
            let mut out = [[0.0; LANES]; 7];
            L::view_mut(&mut out).copy_from_slice(&all);
            bits.extend(out.iter().flatten().map(|v| v.to_bits()));
            lanes.tally(&mut sums, a);
        }
        (bits, sums)
    }
}

/// Sums of products of integers, up to the largest.
struct Products<'a>(&'a [Integers]);

impl Kernel for Products<'_> {
    type Output = [i64; 16];

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [i64; 16] {
        let numbers = L::view_integers(self.0).windows(2).zip(self.0);
        let sums = numbers.fold(lanes.no_sums(), |sums, (two, factors)| {
            lanes.add_products(sums, two[0], two[1], [factors[0], -3])
        });
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
    let found = run(Products(&numbers));
    assert_eq!(found, Products(&numbers).run(Plain));
    let expected = |l: usize| {
        let one = |two: &[Integers]| {
            i64::from(two[0][l]) * i64::from(two[0][0]) - 3 * i64::from(two[1][l])
        };
        let sum = numbers.windows(2).map(one).sum::<i64>() as i32;
        l as i64 + (i64::from(sum) << 5)
    };
    assert_eq!(found, std::array::from_fn(expected));
}

#[test]
fn every_machine_gives_the_same_bits() {
    let mut random = Seed(3).stream(Stage::Tie, 0);
    let mut number = || {
        let size = libm::ldexp(1.0, (random.unit() * 60.0) as i32 - 30);
        ((random.unit() - 0.5) * size) as f32
    };
    let numbers: Vec<Lane> = (0..500).map(|_| std::array::from_fn(|_| number())).collect();
    let plain = All(&numbers).run(Plain);
    assert_eq!(run(All(&numbers)), plain);
    let expected: Vec<i64> = (0..LANES)
        .map(|l| numbers[..499].iter().map(|v| v[l].round_ties_even() as i64).sum())
        .collect();
    assert_eq!(plain.1.to_vec(), expected);
    assert!(expected.iter().any(|&sum| sum.abs() > 1 << 24), "some are too large for an f32");
}
