//! The input layer of a network whose inputs are mostly zero.

use rand::Rng;

use crate::{Scalar, init::uniform, linear::add_scaled};

/// Outputs that stay in registers while the rows of all active features are added.
const BLOCK: usize = 32;

/// Why a block of weights is always there.
const WHOLE: &str = "a row has all blocks of the outputs";

/// Sums one row of weights per active feature, and the biases: a linear layer over inputs that are 0 or 1, of which few
/// are 1.
#[derive(Clone, PartialEq, Debug)]
pub struct SparseLinear<T> {
    /// How many numbers come out.
    pub outputs: usize,
    /// One row of `outputs` weights per feature.
    pub weights: Vec<T>,
    /// One per output.
    pub biases: Vec<T>,
}

impl<T: Scalar> SparseLinear<T> {
    /// A layer of zeros, also used to collect gradients.
    pub fn zeros(features: usize, outputs: usize) -> Self {
        Self { outputs, weights: vec![T::ZERO; features * outputs], biases: vec![T::ZERO; outputs] }
    }

    /// A layer whose outputs start with a spread that does not depend on how many features are active at once:
    /// `active` is how many usually are.
    ///
    /// Biases start in the middle of the interval that [clipped activations](crate::Activation) do not clip.
    pub fn random(features: usize, outputs: usize, active: usize, rng: &mut impl Rng) -> Self {
        let bound = 0.5 / (active.max(1) as f64).sqrt();
        let weights = (0..features * outputs).map(|_| uniform(rng, bound)).collect();
        Self { outputs, weights, biases: vec![T::from_f64(0.5); outputs] }
    }

    /// How many features there are.
    pub fn features(&self) -> usize {
        self.weights.len() / self.outputs
    }

    /// The weights of one feature.
    pub fn row(&self, feature: u16) -> &[T] {
        let start = usize::from(feature) * self.outputs;
        &self.weights[start..start + self.outputs]
    }

    /// Computes the sums of one list of active features.
    ///
    /// # Panics
    /// If a feature is out of range.
    pub fn forward(&self, active: &[u16], sums: &mut [T]) {
        sums.copy_from_slice(&self.biases);
        let (blocks, _) = sums.as_chunks_mut::<BLOCK>();
        for (index, block) in blocks.iter_mut().enumerate() {
            let mut total = *block;
            for &feature in active {
                let start = usize::from(feature) * self.outputs + index * BLOCK;
                let weights: &[T; BLOCK] = self.weights[start..].first_chunk().expect(WHOLE);
                for (sum, &weight) in total.iter_mut().zip(weights) {
                    *sum += weight;
                }
            }
            *block = total;
        }
        let rest = self.outputs / BLOCK * BLOCK;
        for &feature in active {
            for (sum, &weight) in sums[rest..].iter_mut().zip(&self.row(feature)[rest..]) {
                *sum += weight;
            }
        }
    }

    /// Adds the gradient of one list of active features to `gradient`.
    ///
    /// # Panics
    /// If a feature is out of range.
    pub fn backward(&self, active: &[u16], slopes: &[T], gradient: &mut Self) {
        add_scaled(&mut gradient.biases, slopes, T::ONE);
        let (blocks, rest) = slopes.as_chunks::<BLOCK>();
        for (index, slopes) in blocks.iter().enumerate() {
            for &feature in active {
                let start = usize::from(feature) * self.outputs + index * BLOCK;
                let sums: &mut [T; BLOCK] = gradient.weights[start..].first_chunk_mut().expect(WHOLE);
                for (sum, &slope) in sums.iter_mut().zip(slopes) {
                    *sum += slope;
                }
            }
        }
        for &feature in active {
            let end = (usize::from(feature) + 1) * self.outputs;
            add_scaled(&mut gradient.weights[end - rest.len()..end], rest, T::ONE);
        }
    }
}
