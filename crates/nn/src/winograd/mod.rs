//! Winograd's transforms for 3×3 convolutions.
//!
//! A tile of m×m outputs depends on (m+2)×(m+2) inputs. After a linear transform of inputs and weights, the convolution
//! is (m+2)² independent products, summed over channels, and a transform takes the sums back. Lavin & Gray, *Fast
//! Algorithms for Convolutional Neural Networks* (2016). The transforms are those of polynomials evaluated at 0, 1, −1, 2
//! (and −2 for m = 4) and infinity; the adjoints serve the backward pass.
//!
//! Tiles of 4×4 save the most multiplications; on boards of 5 or 9 cells a side, tiles of 3×3 fit better.

#![expect(clippy::inline_always, reason = "lanes stay in registers only if everything is inlined")]

mod tiles;
mod tiling;
mod weights;

use crate::Scalar;

pub(crate) use tiles::{Four, Three};
pub(crate) use tiling::{Finish, Tiling, tiles_of};
pub(crate) use weights::{ConvSums, frequencies_of, to_frequencies, to_weights, transpose};

/// Neighbouring channels that are transformed together.
#[derive(Clone, Copy)]
pub(crate) struct Lane<T, const L: usize>([T; L]);

impl<T: Scalar, const L: usize> Lane<T, L> {
    pub(crate) const ZERO: Self = Self([T::ZERO; L]);

    #[inline(always)]
    pub(crate) fn load(values: &[T]) -> Self {
        Self(values[..L].try_into().expect("a slice of this length"))
    }

    #[inline(always)]
    pub(crate) fn store(self, values: &mut [T]) {
        values[..L].copy_from_slice(&self.0);
    }

    #[inline(always)]
    pub(crate) fn plus(mut self, other: Self) -> Self {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value += other;
        }
        self
    }

    #[inline(always)]
    fn minus(mut self, other: Self) -> Self {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value = *value - other;
        }
        self
    }

    /// `self + factor · other`.
    #[inline(always)]
    fn plus_times(mut self, factor: f64, other: Self) -> Self {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value = other.mul_add(T::from_f64(factor), *value);
        }
        self
    }

    /// `self + factor · other`, rounded twice.
    #[inline(always)]
    fn plus_product(mut self, factor: T, other: Self) -> Self {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value += factor * other;
        }
        self
    }

    #[inline(always)]
    pub(crate) fn positive(mut self) -> Self {
        for value in &mut self.0 {
            *value = value.max(T::ZERO);
        }
        self
    }
}

/// The longest side of a tile of inputs.
const MOST: usize = 6;

/// The transforms of one size of tile. Lines shorter than six leave the last places alone.
pub(crate) trait Tile {
    /// The side of a tile of outputs.
    const SIDE: usize;
    /// The weights' transform.
    const WEIGHTS: [[f64; 3]; MOST];

    /// A line of inputs.
    fn inputs<T: Scalar, const L: usize>(d: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST];

    /// The adjoint of `inputs`.
    fn inputs_adjoint<T: Scalar, const L: usize>(v: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST];

    /// A line of sums, to `SIDE` outputs.
    fn outputs<T: Scalar, const L: usize>(m: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST];

    /// The adjoint of `outputs`.
    fn outputs_adjoint<T: Scalar, const L: usize>(y: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST];
}
