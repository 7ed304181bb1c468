//! Memory aligned to cache lines: a register that lies across two lines is loaded twice.

use std::ops::{Deref, DerefMut};

use crate::context::Context;

/// Bytes of a cache line, and of the widest register.
const LINE: usize = 64;

/// Contiguous arrays of N elements; the first starts a cache line.
#[derive(Debug, Default)]
pub(crate) struct Aligned<T, const N: usize> {
    memory: Vec<T>,
    /// Where the first array begins.
    start: usize,
    /// Arrays in use.
    len: usize,
}

impl<T: Copy + Default, const N: usize> Aligned<T, N> {
    /// `len` arrays of zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        Self::of(len, zeros)
    }

    /// `len` arrays of zeros, written by all threads.
    pub(crate) fn shared(len: usize, ctx: &Context<'_>) -> Self
    where
        T: Send + Sync,
    {
        Self::of(len, |n| ctx.zeros(n))
    }

    fn of(len: usize, zeros: impl FnOnce(usize) -> Vec<T>) -> Self {
        let spare = LINE / size_of::<T>() - 1;
        let memory = zeros(len * N + spare);
        let start = memory.as_ptr().align_offset(LINE).min(spare);
        Self { memory, start, len }
    }

    /// Sets the number of arrays in use to `len`. Arrays that were in use keep their elements; new ones hold anything.
    pub(crate) fn resize(&mut self, len: usize) {
        if self.start + len * N > self.memory.len() {
            let mut larger = Self::zeros(len.max(2 * self.len));
            larger[..self.len].copy_from_slice(self);
            *self = larger;
        }
        self.len = len;
    }

    /// Appends `more`.
    pub(crate) fn extend_from_slice(&mut self, more: &[[T; N]]) {
        let before = self.len;
        self.resize(before + more.len());
        self[before..].copy_from_slice(more);
    }

    /// Leaves no array in use.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }
}

/// `len` zeros, on pages that were written to. Fresh zeroed memory has no pages yet: a sum that reads before it writes
/// faults twice a page, and the second fault stops all threads.
fn zeros<T: Copy + Default>(len: usize) -> Vec<T> {
    const PAGE: usize = 4096;
    let mut zeros = vec![T::default(); len];
    for page in zeros.chunks_mut(PAGE / size_of::<T>()) {
        page[0] = std::hint::black_box(T::default());
    }
    zeros
}

impl<T, const N: usize> Deref for Aligned<T, N> {
    type Target = [[T; N]];

    #[inline]
    fn deref(&self) -> &[[T; N]] {
        self.memory[self.start..self.start + self.len * N].as_chunks().0
    }
}

impl<T, const N: usize> DerefMut for Aligned<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [[T; N]] {
        self.memory[self.start..self.start + self.len * N].as_chunks_mut().0
    }
}

impl<T: Copy + Default, const N: usize> Clone for Aligned<T, N> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Aligned<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for Aligned<T, N> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_begin_with_a_line_and_keep_their_numbers() {
        let mut all: Aligned<f32, 8> = Aligned::default();
        let mut expected = Vec::new();
        for n in 0..200_usize {
            let more: Vec<[f32; 8]> = (0..n % 7).map(|i| [(n * i) as f32; 8]).collect();
            all.extend_from_slice(&more);
            expected.extend_from_slice(&more);
            assert_eq!(*all, *expected);
            assert!(all.is_empty() || all.as_ptr().addr().is_multiple_of(LINE));
            let copy = all.clone();
            assert!(copy.is_empty() || copy.as_ptr().addr().is_multiple_of(LINE));
            assert_eq!(copy, all);
        }
        all.clear();
        assert!(all.is_empty());
        all.resize(3);
        assert_eq!(all.len(), 3);
        assert_eq!(*Aligned::<i64, 32>::zeros(5), [[0; 32]; 5]);
        let shared = Aligned::<i64, 32>::shared(5, &Context::silent().expect("threads"));
        assert_eq!(*shared, [[0; 32]; 5]);
        assert!(shared.as_ptr().addr().is_multiple_of(LINE));
    }
}
