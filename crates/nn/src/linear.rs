//! Dense layers, one sample at a time.

use rand::Rng;

use crate::{Scalar, init::uniform};

/// `outputs = weights · inputs + biases`; weights are stored one row per output.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear<T> {
    /// How many numbers go in.
    pub inputs: usize,
    /// One row of `inputs` weights per output.
    pub weights: Vec<T>,
    /// One per output.
    pub biases: Vec<T>,
}

impl<T: Scalar> Linear<T> {
    /// A layer of zeros, also used to collect gradients.
    pub fn zeros(inputs: usize, outputs: usize) -> Self {
        Self { inputs, weights: vec![T::ZERO; inputs * outputs], biases: vec![T::ZERO; outputs] }
    }

    /// A layer with weights drawn uniformly from ±1/√inputs and biases of zero.
    pub fn random(inputs: usize, outputs: usize, rng: &mut impl Rng) -> Self {
        let bound = 1.0 / (inputs as f64).sqrt();
        let weights = (0..inputs * outputs).map(|_| uniform(rng, bound)).collect();
        Self { inputs, weights, biases: vec![T::ZERO; outputs] }
    }

    /// How many numbers come out.
    pub fn outputs(&self) -> usize {
        self.biases.len()
    }

    /// Computes the outputs of one sample.
    pub fn forward(&self, inputs: &[T], outputs: &mut [T]) {
        debug_assert_eq!((inputs.len(), outputs.len()), (self.inputs, self.outputs()));
        let rows = self.weights.chunks_exact(self.inputs).zip(&self.biases);
        for (output, (row, &bias)) in outputs.iter_mut().zip(rows) {
            *output = bias + dot(row, inputs);
        }
    }

    /// Adds the gradient of one sample to `gradient` and writes that of its inputs to `input_slopes`.
    pub fn backward(&self, inputs: &[T], output_slopes: &[T], gradient: &mut Self, input_slopes: &mut [T]) {
        input_slopes.fill(T::ZERO);
        for (index, &slope) in output_slopes.iter().enumerate() {
            let row = index * self.inputs..(index + 1) * self.inputs;
            gradient.biases[index] += slope;
            add_scaled(&mut gradient.weights[row.clone()], inputs, slope);
            add_scaled(input_slopes, &self.weights[row], slope);
        }
    }
}

/// The inner product, summed in eight lanes so that it vectorises and always adds in the same order.
#[inline]
pub(crate) fn dot<T: Scalar>(one: &[T], other: &[T]) -> T {
    const LANES: usize = 8;
    let mut sums = [T::ZERO; LANES];
    let (blocks, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest = blocks.remainder().iter().zip(others.remainder()).map(|(&a, &b)| a * b).sum::<T>();
    for (block, other) in blocks.zip(others) {
        for lane in 0..LANES {
            sums[lane] += block[lane] * other[lane];
        }
    }
    sums.into_iter().sum::<T>() + rest
}

/// `target += factor · source`.
#[inline]
pub(crate) fn add_scaled<T: Scalar>(target: &mut [T], source: &[T], factor: T) {
    for (sum, &value) in target.iter_mut().zip(source) {
        *sum += factor * value;
    }
}
