//! The weights' way to frequencies and back.

#![expect(clippy::inline_always, reason = "lanes stay in registers only if everything is inlined")]

use super::{Lane, Tile};
use crate::{
    Scalar,
    linear::add_scaled,
    wide::{self, Work, each_lane},
};

/// Weights of a kernel: its rows times its columns.
const PLACES: usize = 9;

/// The most frequencies that a tile has.
const FREQUENCIES: usize = super::MOST * super::MOST;

/// Transforms weights, by place of the kernel, to frequencies. Both have matrices of `rows` rows.
pub(crate) fn to_frequencies<K: Tile, T: Scalar>(weights: &[T], rows: usize, frequencies: &mut [T]) {
    let mut factors = [Factors::none(); FREQUENCIES];
    for_each_factor::<K>(|frequency, place, factor| factors[frequency].push(place, factor));
    let size = weights.len() / PLACES;
    let (from, to) = (weights, frequencies);
    wide::run(Combinations { factors: &factors[..frequencies_of::<K>()], rows, size, from, to, add: false });
}

/// Adds the gradient with respect to the weights, given that with respect to the frequencies.
pub(crate) fn to_weights<K: Tile, T: Scalar>(frequencies: &[T], rows: usize, weights: &mut [T]) {
    let mut factors = [Factors::none(); PLACES];
    for_each_factor::<K>(|frequency, place, factor| factors[place].push(frequency, factor));
    let size = weights.len() / PLACES;
    wide::run(Combinations { factors: &factors, rows, size, from: frequencies, to: weights, add: true });
}

/// The number of frequencies of a tile.
pub(crate) const fn frequencies_of<K: Tile>() -> usize {
    (K::SIDE + 2) * (K::SIDE + 2)
}

/// Calls `call` with every frequency, place of the kernel and factor of the weights' transform that is not zero.
fn for_each_factor<K: Tile>(mut call: impl FnMut(usize, usize, f64)) {
    let length = K::SIDE + 2;
    for i in 0..length {
        for j in 0..length {
            for place in 0..PLACES {
                let factor = K::WEIGHTS[i][place / 3] * K::WEIGHTS[j][place % 3];
                if factor != 0.0 {
                    call(i * length + j, place, factor);
                }
            }
        }
    }
}

/// Which matrices are added up, and times what.
#[derive(Clone, Copy)]
struct Factors<T> {
    count: usize,
    of: [(usize, T); FREQUENCIES],
}

impl<T: Scalar> Factors<T> {
    fn none() -> Self {
        Self { count: 0, of: [(0, T::ZERO); FREQUENCIES] }
    }

    fn push(&mut self, matrix: usize, factor: f64) {
        self.of[self.count] = (matrix, T::from_f64(factor));
        self.count += 1;
    }
}

/// Computes or adds combinations of matrices, one row after the other, because a row of every matrix fits the cache.
struct Combinations<'a, T> {
    factors: &'a [Factors<T>],
    rows: usize,
    /// The numbers of a matrix.
    size: usize,
    from: &'a [T],
    to: &'a mut [T],
    add: bool,
}

impl<T: Scalar> Combinations<'_, T> {
    #[inline(always)]
    fn lanes<const L: usize>(&mut self, target: usize, factors: &Factors<T>, place: usize) {
        let target = &mut self.to[target * self.size + place..];
        let mut sum = if self.add { Lane::<T, L>::load(target) } else { Lane::ZERO };
        for &(matrix, factor) in &factors.of[..factors.count] {
            sum = sum.plus_product(factor, Lane::load(&self.from[matrix * self.size + place..]));
        }
        sum.store(target);
    }
}

impl<T: Scalar> Work for Combinations<'_, T> {
    #[inline(always)]
    fn run(mut self, wide: bool) {
        let columns = self.size / self.rows;
        for row in 0..self.rows {
            for (target, factors) in self.factors.iter().enumerate() {
                let mut column = 0;
                // Each factor is used several times while it is in a register.
                if wide {
                    while column + 64 <= columns {
                        self.lanes::<64>(target, factors, row * columns + column);
                        column += 64;
                    }
                }
                let (first, rest) = (row * columns + column, columns - column);
                each_lane!(wide, rest, |column, LENGTH| {
                    self.lanes::<LENGTH>(target, factors, first + column);
                });
            }
        }
    }
}

/// Sums of gradients with respect to weights that are transformed to frequencies.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ConvSums<T> {
    values: Vec<T>,
    /// Whether all sums are zero, whatever `values` holds: it is large, and so it is not cleared.
    cleared: bool,
}

impl<T: Scalar> ConvSums<T> {
    /// Sums of zero for this many weights.
    pub(crate) fn zeros(length: usize) -> Self {
        Self { values: vec![T::ZERO; length], cleared: true }
    }

    /// Sets all sums to zero.
    pub(crate) fn clear(&mut self) {
        self.cleared = true;
    }

    /// The sums; `None` if they are zero.
    pub(crate) fn get(&self) -> Option<&[T]> {
        (!self.cleared).then_some(&self.values)
    }

    /// Room for the sums, and whether more is to be added to what is there instead of replacing it.
    pub(crate) fn more(&mut self) -> (&mut [T], bool) {
        (&mut self.values, !std::mem::replace(&mut self.cleared, false))
    }

    /// Adds other sums.
    pub(crate) fn add(&mut self, other: &Self) {
        let Some(more) = other.get() else { return };
        let (values, add) = self.more();
        if add {
            add_scaled(values, more, T::ONE);
        } else {
            values.copy_from_slice(more);
        }
    }
}

/// Writes the transpose of a matrix with `rows` rows.
pub(crate) fn transpose<T: Copy>(source: &[T], rows: usize, target: &mut [T]) {
    /// Rows and columns of a block, which stays in the cache.
    const BLOCK: usize = 16;
    let columns = source.len() / rows;
    for top in (0..rows).step_by(BLOCK) {
        for left in (0..columns).step_by(BLOCK) {
            for row in top..rows.min(top + BLOCK) {
                for column in left..columns.min(left + BLOCK) {
                    target[column * rows + row] = source[row * columns + column];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;
    use crate::{init::uniform, wide::run_anywhere};

    #[test]
    fn wide_registers_find_the_same_bits() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (rows, size) = (3, 3 * (64 + 16 + 8 + 4 + 1));
        let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| uniform(&mut rng, 1.0)).collect() };
        let from = numbers(5 * size);
        let mut factors = [Factors::none(); 2];
        for (matrix, factor) in [(0, 0.3), (2, -1.7), (4, 0.9)] {
            factors[0].push(matrix, factor);
            factors[1].push(matrix, 1.0 - factor);
        }
        for add in [false, true] {
            let mut wide = numbers(2 * size);
            let mut plain = wide.clone();
            wide::run(Combinations { factors: &factors, rows, size, from: &from, to: &mut wide, add });
            run_anywhere(Combinations { factors: &factors, rows, size, from: &from, to: &mut plain, add });
            assert_eq!(wide, plain);
        }
    }

    #[test]
    fn sums_that_are_cleared_are_zero() {
        let (mut sums, mut other) = (ConvSums::<f32>::zeros(2), ConvSums::<f32>::zeros(2));
        other.more().0.copy_from_slice(&[1.0, 2.0]);
        sums.add(&other);
        sums.add(&other);
        assert_eq!(sums.get(), Some(&[2.0, 4.0][..]));
        sums.clear();
        assert_eq!(sums.get(), None);
        sums.add(&other);
        assert_eq!(sums.get(), Some(&[1.0, 2.0][..]));
    }

    #[test]
    fn transposes_have_rows_for_columns() {
        let (rows, columns) = (19, 35);
        let source: Vec<usize> = (0..rows * columns).collect();
        let mut target = vec![0; source.len()];
        transpose(&source, rows, &mut target);
        assert!((0..source.len()).all(|place| target[place] == place % rows * columns + place / rows));
    }
}
