//! Linear layers over many rows at a time.

use crate::{
    Linear, Scalar,
    linear::add_scaled,
    matrix::{Left, Sizes, multiply},
    winograd::transpose,
};

/// A [`Linear`] layer with its weights by input, the order in which products of many rows read them.
#[derive(Clone, Debug)]
pub(crate) struct Dense<T> {
    inputs: usize,
    by_input: Vec<T>,
    biases: Vec<T>,
}

impl<T: Scalar> Dense<T> {
    /// Prepares a layer.
    pub(crate) fn new(layer: &Linear<T>) -> Self {
        let mut by_input = vec![T::ZERO; layer.weights.len()];
        transpose(&layer.weights, layer.outputs(), &mut by_input);
        Self { inputs: layer.inputs, by_input, biases: layer.biases.clone() }
    }

    /// The number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.biases.len()
    }

    /// Computes the outputs of `rows` rows.
    pub(crate) fn forward(&self, rows: usize, inputs: &[T], outputs: &mut [T]) {
        let columns = self.outputs();
        for row in outputs[..rows * columns].chunks_exact_mut(columns) {
            row.fill(T::ZERO);
        }
        self.forward_onto(rows, inputs, outputs);
    }

    /// Adds the outputs of `rows` rows to what is there.
    pub(crate) fn forward_onto(&self, rows: usize, inputs: &[T], outputs: &mut [T]) {
        let columns = self.outputs();
        for row in outputs[..rows * columns].chunks_exact_mut(columns) {
            add_scaled(row, &self.biases, T::ONE);
        }
        let sizes = Sizes { rows, inner: self.inputs, columns };
        multiply(sizes, Left::by_rows(inputs, self.inputs), &self.by_input, outputs, true);
    }
}

/// Adds the gradient of `rows` rows with respect to the weights of `layer` to `gradient`.
pub(crate) fn weights_backward<T: Scalar>(rows: usize, inputs: &[T], slopes: &[T], gradient: &mut Linear<T>) {
    let (columns, outputs) = (gradient.inputs, gradient.outputs());
    for row in slopes[..rows * outputs].chunks_exact(outputs) {
        add_scaled(&mut gradient.biases, row, T::ONE);
    }
    let sizes = Sizes { rows: outputs, inner: rows, columns };
    multiply(sizes, Left::transposed(slopes, outputs), inputs, &mut gradient.weights, true);
}

/// Writes the gradient with respect to the inputs of `rows` rows, or adds it if `add` is set.
pub(crate) fn inputs_backward<T: Scalar>(
    layer: &Linear<T>,
    rows: usize,
    slopes: &[T],
    input_slopes: &mut [T],
    add: bool,
) {
    let sizes = Sizes { rows, inner: layer.outputs(), columns: layer.inputs };
    multiply(sizes, Left::by_rows(slopes, layer.outputs()), &layer.weights, input_slopes, add);
}

/// Replaces negative numbers by zero.
pub(crate) fn rectify<T: Scalar>(values: &mut [T]) {
    for value in values.iter_mut() {
        *value = value.max(T::ZERO);
    }
}

/// Sets slopes to zero where the rectified value is zero.
pub(crate) fn keep_positive<T: Scalar>(values: &[T], slopes: &mut [T]) {
    for (slope, &value) in slopes.iter_mut().zip(values) {
        if value <= T::ZERO {
            *slope = T::ZERO;
        }
    }
}

/// Makes a list of zeros.
pub(crate) fn zeros<T: Scalar>(values: &mut Vec<T>, length: usize) {
    values.clear();
    values.resize(length, T::ZERO);
}
