//! The posterior of a value head's weights, given the last hidden layer of labelled moves.
//!
//! The head is a linear function of the last hidden layer φ. With a normal prior of precision λ on its weights and noise of
//! variance σ² on labels, their covariance is (λ + Σ φφᵀ ÷ σ²)⁻¹, and the variance of a move's raw value is φᵀ times it
//! times φ.

use std::{fs, path::Path};

use lab::atomic_file;
use nn::{GmoKernels, GmoWorkspace, ModelFile};

use super::{GmoLearner, GmoRowEncoder};
use crate::{Source, TrainError};

/// Moves that the posterior is fitted to: as many as make its shape clear, and few enough to take seconds.
const MOVES: usize = 40_000;

/// The precision of the prior.
const PRIOR: f64 = 1.0;

/// Adds the posterior to the model file at `path`. Returns the hash of the new file.
pub(super) fn add(
    path: &Path,
    source: &mut Source<GmoRowEncoder>,
    learner: &GmoLearner,
) -> Result<String, TrainError> {
    let io = |source| TrainError::Io { path: path.to_owned(), source };
    let named = |source| TrainError::Model { path: path.to_owned(), source };
    let mut file = ModelFile::from_bytes(&fs::read(path).map_err(io)?).map_err(named)?;
    let kernels = GmoKernels::from_file(&file).map_err(named)?;
    let hidden = learner.shape.hidden;
    let covariance = source.with_block(0, 0, |rows| {
        let (mut precision, mut layers, mut workspace) =
            (vec![0.0_f64; hidden * hidden], Vec::new(), GmoWorkspace::default());
        let (mut moves, mut squares) = (0, 0.0);
        for row in &rows.rows {
            if moves >= MOVES {
                break;
            }
            kernels.last_layers(&row.input, &mut layers, &mut workspace);
            moves += row.labels.values.len();
            for layer in layers.chunks_exact(hidden) {
                squares += add_outer(&mut precision, layer);
            }
        }
        Ok(covariance(&mut precision, moves, squares))
    })?;
    let Some(covariance) = covariance else { return Err(TrainError::Empty) };
    let numbers = covariance.into_iter().map(|number| number as f32).collect();
    file.tensors.insert("covariance".to_owned(), (vec![hidden, hidden], numbers));
    let bytes = file.to_bytes();
    let hash = ModelFile::hash(&bytes);
    atomic_file::write(path, bytes).map_err(io)?;
    Ok(hash)
}

/// Adds the products of a layer with itself to the lower half of a matrix. Returns the sum of its squares.
fn add_outer(matrix: &mut [f64], layer: &[f32]) -> f64 {
    let hidden = layer.len();
    let mut squares = 0.0;
    for (row, &a) in layer.iter().enumerate().filter(|(_, a)| **a != 0.0) {
        squares += f64::from(a) * f64::from(a);
        for (sum, &b) in matrix[row * hidden..].iter_mut().zip(&layer[..=row]) {
            *sum += f64::from(a) * f64::from(b);
        }
    }
    squares
}

/// The inverse of the precision, given the sum of products of layers in its lower half.
fn covariance(precision: &mut [f64], moves: usize, squares: f64) -> Vec<f64> {
    let hidden = precision.len().isqrt();
    // Labels are taken to be a tenth off: values are in [−1, 1]. The prior is scaled by the size of the layers.
    let noise = 0.01;
    let scale = PRIOR * (squares / (moves.max(1) * hidden) as f64).max(1e-6);
    for row in 0..hidden {
        for column in 0..=row {
            let place = row * hidden + column;
            precision[place] = precision[place] / noise + if row == column { scale } else { 0.0 };
        }
    }
    inverse(precision, hidden)
}

/// The inverse of a positive definite matrix whose lower half is given, by Cholesky's factors.
fn inverse(matrix: &mut [f64], size: usize) -> Vec<f64> {
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| matrix[row * size + k] * matrix[column * size + k]).sum();
            let rest = matrix[row * size + column] - known;
            matrix[row * size + column] =
                if row == column { rest.max(1e-12).sqrt() } else { rest / matrix[column * size + column] };
        }
    }
    let mut inverse = vec![0.0; size * size];
    for unit in 0..size {
        let column = &mut inverse[unit * size..][..size];
        // Forward, then backward substitution.
        for row in 0..size {
            let known: f64 = (0..row).map(|k| matrix[row * size + k] * column[k]).sum();
            column[row] = (f64::from(u8::from(row == unit)) - known) / matrix[row * size + row];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|k| matrix[k * size + row] * column[k]).sum();
            column[row] = (column[row] - known) / matrix[row * size + row];
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_a_matrix_times_the_matrix_is_one() {
        let size = 5;
        let mut lower = vec![0.0; size * size];
        for (index, layer) in
            [[1.0, 0.0, 2.0, -1.0, 0.5], [0.0, 1.0, 1.0, 0.0, 3.0], [2.0, 2.0, 0.0, 1.0, 0.0]]
                .iter()
                .enumerate()
        {
            assert!(add_outer(&mut lower, layer) > index as f64);
        }
        let full = |row: usize, column: usize| lower[row.max(column) * size + row.min(column)];
        let full: Vec<f64> = (0..size * size)
            .map(|place| full(place / size, place % size) + if place % (size + 1) == 0 { 0.7 } else { 0.0 })
            .collect();
        let inverse = inverse(&mut full.clone(), size);
        for row in 0..size {
            for column in 0..size {
                let product: f64 = (0..size).map(|k| full[row * size + k] * inverse[k * size + column]).sum();
                let expected = if row == column { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-9, "{row} {column} {product}");
            }
        }
    }
}
