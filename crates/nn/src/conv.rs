//! Convolutions over 3×3 cells, with zeros around the board.

#![expect(clippy::inline_always, reason = "lanes stay in registers only if everything is inlined")]
#![expect(clippy::too_many_arguments, reason = "a backward pass reads and writes this much")]

use rand::Rng;

use crate::{
    Grid, Scalar,
    init::uniform,
    matrix::{Left, Sizes, multiply},
    winograd::{
        ConvSums, Finish, Four, Lane, Three, Tile, Tiling, frequencies_of, tiles_of, to_frequencies,
        to_weights, transpose,
    },
};

/// Weights, or gradients of weights, of a convolution.
#[derive(Clone, PartialEq, Debug)]
pub struct Conv<T> {
    /// Channels that go in.
    pub inputs: usize,
    /// Channels that come out.
    pub outputs: usize,
    /// By row and column of the kernel, input channel and output channel.
    pub weights: Vec<T>,
    /// One per output channel.
    pub biases: Vec<T>,
}

impl<T: Scalar> Conv<T> {
    /// A convolution of zeros, also used to collect gradients.
    pub fn zeros(inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs, weights: vec![T::ZERO; 9 * inputs * outputs], biases: vec![T::ZERO; outputs] }
    }

    /// A convolution whose outputs vary `gain` times as much as its inputs, if those are rectified.
    pub fn random(inputs: usize, outputs: usize, gain: f64, rng: &mut impl Rng) -> Self {
        // The variance of a uniform number is a third of its bound's square; rectified inputs have half of theirs.
        let bound = gain * (6.0 / (9 * inputs) as f64).sqrt();
        let weights = (0..9 * inputs * outputs).map(|_| uniform(rng, bound)).collect();
        Self { inputs, outputs, weights, biases: vec![T::ZERO; outputs] }
    }
}

/// The size of tiles that needs the fewest multiplications.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Four,
    Three,
}

impl Side {
    fn for_grid(grid: &Grid) -> Self {
        if 25 * tiles_of::<Three>(grid) < 36 * tiles_of::<Four>(grid) { Self::Three } else { Self::Four }
    }

    fn frequencies(self) -> usize {
        match self {
            Self::Four => frequencies_of::<Four>(),
            Self::Three => frequencies_of::<Three>(),
        }
    }

    fn tiles(self, grid: &Grid) -> usize {
        match self {
            Self::Four => tiles_of::<Four>(grid),
            Self::Three => tiles_of::<Three>(grid),
        }
    }

    fn to_frequencies<T: Scalar>(self, weights: &[T], rows: usize, frequencies: &mut [T]) {
        match self {
            Self::Four => to_frequencies::<Four, T>(weights, rows, frequencies),
            Self::Three => to_frequencies::<Three, T>(weights, rows, frequencies),
        }
    }
}

/// The transformed weights of a [`Conv`] for one grid.
#[derive(Clone, Debug)]
pub(crate) struct ConvKernel<T> {
    inputs: usize,
    outputs: usize,
    side: Side,
    /// By frequency, input channel and output channel.
    forward: Vec<T>,
    /// By frequency, output channel and input channel; empty if only play is wanted.
    backward: Vec<T>,
    biases: Vec<T>,
}

/// Buffers for the frequencies of some boards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frequencies<T> {
    values: Vec<T>,
    products: Vec<T>,
}

/// What is added to the sums of a convolution.
#[derive(Clone, Copy)]
pub(crate) struct Additions<'a, T> {
    /// Further biases, one list of output channels per board.
    pub(crate) boards: Option<&'a [T]>,
    /// Further summands, like the outputs.
    pub(crate) residual: Option<&'a [T]>,
    /// Whether the sum is rectified.
    pub(crate) rectified: bool,
}

/// Tiles that are worked on at a time: few enough to stay in the cache, enough to use each weight often.
const TILES_AT_A_TIME: usize = 64;

impl<T: Scalar> ConvKernel<T> {
    /// Transforms the weights of `conv`; `learning` makes a backward pass possible.
    pub(crate) fn new(conv: &Conv<T>, grid: &Grid, learning: bool) -> Self {
        let side = Side::for_grid(grid);
        let (inputs, outputs) = (conv.inputs, conv.outputs);
        let forward = vec![T::ZERO; side.frequencies() * inputs * outputs];
        let backward = if learning { forward.clone() } else { Vec::new() };
        let mut kernel = Self { inputs, outputs, side, forward, backward, biases: Vec::new() };
        kernel.renew(conv);
        kernel
    }

    /// Transforms other weights of the same sizes.
    pub(crate) fn renew(&mut self, conv: &Conv<T>) {
        assert_eq!((conv.inputs, conv.outputs), (self.inputs, self.outputs), "the sizes of the convolution");
        self.side.to_frequencies(&conv.weights, self.inputs, &mut self.forward);
        if !self.backward.is_empty() {
            let size = self.inputs * self.outputs;
            let mut transposed = vec![T::ZERO; conv.weights.len()];
            for (target, source) in transposed.chunks_exact_mut(size).zip(conv.weights.chunks_exact(size)) {
                transpose(source, self.inputs, target);
            }
            self.side.to_frequencies(&transposed, self.outputs, &mut self.backward);
        }
        self.biases.clone_from(&conv.biases);
    }

    /// A gradient of zeros with respect to the transformed weights.
    pub(crate) fn no_gradient(&self) -> ConvSums<T> {
        ConvSums::zeros(self.forward.len())
    }

    /// Adds the gradient with respect to the weights, given that with respect to the transformed ones.
    pub(crate) fn add_gradient(&self, transformed: &ConvSums<T>, gradient: &mut Conv<T>) {
        let Some(transformed) = transformed.get() else { return };
        match self.side {
            Side::Four => to_weights::<Four, T>(transformed, self.inputs, &mut gradient.weights),
            Side::Three => to_weights::<Three, T>(transformed, self.inputs, &mut gradient.weights),
        }
    }

    /// How many boards are worked on at a time.
    fn chunk(&self, grid: &Grid) -> usize {
        (TILES_AT_A_TIME / self.side.tiles(grid)).max(1)
    }

    /// Computes `boards` boards of outputs.
    pub(crate) fn forward(
        &self,
        grid: &Grid,
        boards: usize,
        cells: &[T],
        additions: Additions<'_, T>,
        outputs: &mut [T],
        buffers: &mut Frequencies<T>,
    ) {
        match self.side {
            Side::Four => self.forward_by::<Four>(grid, boards, cells, additions, outputs, buffers),
            Side::Three => self.forward_by::<Three>(grid, boards, cells, additions, outputs, buffers),
        }
    }

    fn forward_by<K: Tile>(
        &self,
        grid: &Grid,
        boards: usize,
        cells: &[T],
        additions: Additions<'_, T>,
        outputs: &mut [T],
        buffers: &mut Frequencies<T>,
    ) {
        let chunk = self.chunk(grid);
        for first in (0..boards).step_by(chunk) {
            let boards = chunk.min(boards - first);
            let tiles = boards * tiles_of::<K>(grid);
            let tiling = |channels| Tiling { grid, boards, channels };
            let cells = &cells[first * grid.cells() * self.inputs..];
            let (from, to) = (tiling(self.inputs).plane::<K>(), tiling(self.outputs).plane::<K>());
            let values = sized(&mut buffers.values, self.side.frequencies() * from);
            tiling(self.inputs).inputs::<K, T>(cells, values);
            let products = sized(&mut buffers.products, self.side.frequencies() * to);
            let sizes = Sizes { rows: tiles, inner: self.inputs, columns: self.outputs };
            for frequency in 0..self.side.frequencies() {
                multiply(
                    sizes,
                    Left::by_rows(&values[frequency * from..], self.inputs),
                    &self.forward[frequency * self.inputs * self.outputs..],
                    &mut products[frequency * to..],
                    false,
                );
            }
            let mut sum = Sum { kernel: self, grid, first, additions, outputs };
            tiling(self.outputs).outputs::<K, T>(products, &mut sum);
        }
    }

    /// Given the gradient with respect to the outputs' sums, which is zero off the board, adds that with respect to the
    /// transformed weights and the biases. If wanted, writes that with respect to the inputs, or adds it if the flag beside
    /// them is set.
    pub(crate) fn backward(
        &self,
        grid: &Grid,
        boards: usize,
        cells: &[T],
        slopes: &[T],
        gradient: (&mut ConvSums<T>, &mut [T]),
        input_slopes: Option<(&mut [T], bool)>,
        buffers: &mut Frequencies<T>,
    ) {
        match self.side {
            Side::Four => {
                self.backward_by::<Four>(grid, boards, cells, slopes, gradient, input_slopes, buffers);
            }
            Side::Three => {
                self.backward_by::<Three>(grid, boards, cells, slopes, gradient, input_slopes, buffers);
            }
        }
    }

    fn backward_by<K: Tile>(
        &self,
        grid: &Grid,
        boards: usize,
        cells: &[T],
        slopes: &[T],
        (weights, biases): (&mut ConvSums<T>, &mut [T]),
        mut input_slopes: Option<(&mut [T], bool)>,
        buffers: &mut Frequencies<T>,
    ) {
        let (chunk, frequencies) = (self.chunk(grid), self.side.frequencies());
        let (inputs, outputs, size) = (self.inputs, self.outputs, self.inputs * self.outputs);
        for cell in slopes[..boards * grid.cells() * outputs].chunks_exact(outputs) {
            crate::linear::add_scaled(biases, cell, T::ONE);
        }
        for first in (0..boards).step_by(chunk) {
            let boards = chunk.min(boards - first);
            let tiles = boards * tiles_of::<K>(grid);
            let tiling = |channels| Tiling { grid, boards, channels };
            let start = first * grid.cells();
            let (from, to) = (tiling(inputs).plane::<K>(), tiling(outputs).plane::<K>());
            let values = sized(&mut buffers.values, frequencies * from);
            let products = sized(&mut buffers.products, frequencies * to);
            tiling(inputs).inputs::<K, T>(&cells[start * inputs..], values);
            tiling(outputs).outputs_adjoint::<K, T>(&slopes[start * outputs..], products);
            let (weights, add) = weights.more();
            for frequency in 0..frequencies {
                // What the inputs' frequencies were is not needed again, so their gradient takes their place.
                let values = &mut values[frequency * from..][..tiles * inputs];
                let products = &products[frequency * to..];
                let sizes = Sizes { rows: inputs, inner: tiles, columns: outputs };
                let target = &mut weights[frequency * size..];
                multiply(sizes, Left::transposed(values, inputs), products, target, add);
                if input_slopes.is_some() {
                    let sizes = Sizes { rows: tiles, inner: outputs, columns: inputs };
                    let weights = &self.backward[frequency * size..];
                    multiply(sizes, Left::by_rows(products, outputs), weights, values, false);
                }
            }
            if let Some((input_slopes, add)) = &mut input_slopes {
                tiling(inputs).inputs_adjoint::<K, T>(values, &mut input_slopes[start * inputs..], *add);
            }
        }
    }
}

/// Writes sums of a convolution with their additions.
struct Sum<'a, T> {
    kernel: &'a ConvKernel<T>,
    grid: &'a Grid,
    first: usize,
    additions: Additions<'a, T>,
    outputs: &'a mut [T],
}

impl<T: Scalar> Finish<T> for Sum<'_, T> {
    #[inline(always)]
    fn cell<const L: usize>(&mut self, board: usize, cell: usize, channel: usize, sums: Lane<T, L>) {
        let (board, channels) = (self.first + board, self.kernel.outputs);
        let place = (board * self.grid.cells() + cell) * channels + channel;
        if !self.grid.on_board()[cell] {
            return Lane::<T, L>::ZERO.store(&mut self.outputs[place..]);
        }
        let mut sums = sums.plus(Lane::load(&self.kernel.biases[channel..]));
        if let Some(biases) = self.additions.boards {
            sums = sums.plus(Lane::load(&biases[board * channels + channel..]));
        }
        if let Some(residual) = self.additions.residual {
            sums = sums.plus(Lane::load(&residual[place..]));
        }
        let sums = if self.additions.rectified { sums.positive() } else { sums };
        sums.store(&mut self.outputs[place..]);
    }
}

/// The first `length` places of a buffer that grows when necessary.
pub(crate) fn sized<T: Scalar>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    if buffer.len() < length {
        buffer.resize(length, T::ZERO);
    }
    &mut buffer[..length]
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;

    /// Grids for which tiles of both sizes are chosen, with and without cells off the board.
    fn grids() -> Vec<Grid> {
        let hexagon: Vec<bool> = (0..81).map(|cell| (4..=12).contains(&(cell / 9 + cell % 9))).collect();
        vec![
            Grid::full(8, 8),
            Grid::full(9, 9),
            Grid::masked(9, 9, hexagon),
            Grid::full(5, 7),
            Grid::full(3, 3),
            Grid::full(2, 1),
        ]
    }

    fn numbers<T: Scalar>(count: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<T> {
        (0..count).map(|_| uniform(rng, 1.0)).collect()
    }

    /// The convolution as plain loops.
    fn plain(conv: &Conv<f64>, grid: &Grid, boards: usize, cells: &[f64]) -> Vec<f64> {
        let (height, width) = (grid.height() as i32, grid.width() as i32);
        let mut sums = Vec::new();
        for board in 0..boards {
            for cell in 0..grid.cells() {
                for output in 0..conv.outputs {
                    let mut sum = conv.biases[output];
                    for place in 0..9_i32 {
                        let y = cell as i32 / width + place / 3 - 1;
                        let x = cell as i32 % width + place % 3 - 1;
                        if y < 0 || y >= height || x < 0 || x >= width {
                            continue;
                        }
                        let from = board * grid.cells() + (y * width + x) as usize;
                        for input in 0..conv.inputs {
                            let weight = (place as usize * conv.inputs + input) * conv.outputs + output;
                            sum += conv.weights[weight] * cells[from * conv.inputs + input];
                        }
                    }
                    sums.push(if grid.on_board()[cell] { sum } else { 0.0 });
                }
            }
        }
        sums
    }

    #[test]
    fn outputs_are_those_of_plain_loops() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for grid in grids() {
            for (inputs, outputs) in [(3, 5), (16, 8), (9, 33)] {
                let boards = 5;
                let mut conv = Conv::<f64>::random(inputs, outputs, 1.0, &mut rng);
                conv.biases = numbers(outputs, &mut rng);
                let cells: Vec<f64> = numbers(boards * grid.cells() * inputs, &mut rng);
                let expected = plain(&conv, &grid, boards, &cells);
                let nothing = Additions { boards: None, residual: None, rectified: false };
                let mut found = vec![9.0; expected.len()];
                let kernel = ConvKernel::new(&conv, &grid, false);
                kernel.forward(&grid, boards, &cells, nothing, &mut found, &mut Frequencies::default());
                let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(worst < 1e-12, "{grid:?} {inputs} {outputs}: {worst}");

                // With numbers of 32 bits, the error stays within a few units of the sixth digit.
                let single = |values: &[f64]| values.iter().map(|&value| value as f32).collect::<Vec<f32>>();
                let narrow =
                    Conv { inputs, outputs, weights: single(&conv.weights), biases: single(&conv.biases) };
                let (residual, boards_biases) = (
                    single(&numbers(expected.len(), &mut rng)),
                    single(&numbers(boards * outputs, &mut rng)),
                );
                let additions =
                    Additions { boards: Some(&boards_biases), residual: Some(&residual), rectified: true };
                let mut narrow_found = vec![9.0_f32; expected.len()];
                let kernel = ConvKernel::new(&narrow, &grid, false);
                let buffers = &mut Frequencies::default();
                kernel.forward(&grid, boards, &single(&cells), additions, &mut narrow_found, buffers);
                for (index, (&found, &sum)) in narrow_found.iter().zip(&expected).enumerate() {
                    let (cell, output) = (index / outputs, index % outputs);
                    let bias = boards_biases[cell / grid.cells() * outputs + output];
                    let mut expected = (sum + f64::from(bias) + f64::from(residual[index])).max(0.0);
                    if !grid.on_board()[cell % grid.cells()] {
                        expected = 0.0;
                    }
                    assert!((f64::from(found) - expected).abs() < 3e-5, "{found} {expected}");
                }
            }
        }
    }

    #[test]
    fn gradients_are_the_adjoints_of_the_outputs() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        for grid in grids() {
            let (inputs, outputs, boards) = (9, 4, 4);
            let conv = Conv::<f64>::random(inputs, outputs, 1.0, &mut rng);
            let cells: Vec<f64> = numbers(boards * grid.cells() * inputs, &mut rng);
            // A linear function of the outputs, which ignores cells off the board.
            let mut slopes: Vec<f64> = numbers(boards * grid.cells() * outputs, &mut rng);
            for (index, slope) in slopes.iter_mut().enumerate() {
                if !grid.on_board()[index / outputs % grid.cells()] {
                    *slope = 0.0;
                }
            }
            let kernel = ConvKernel::new(&conv, &grid, true);
            let mut transformed = kernel.no_gradient();
            let mut gradient = Conv::zeros(inputs, outputs);
            let mut input_slopes = vec![0.0; cells.len()];
            kernel.backward(
                &grid,
                boards,
                &cells,
                &slopes,
                (&mut transformed, &mut gradient.biases),
                Some((&mut input_slopes, false)),
                &mut Frequencies::default(),
            );
            kernel.add_gradient(&transformed, &mut gradient);
            // The function is linear in weights, in biases and in inputs, so differences of any size are exact.
            let value = |conv: &Conv<f64>, cells: &[f64]| -> f64 {
                plain(conv, &grid, boards, cells).iter().zip(&slopes).map(|(a, b)| a * b).sum()
            };
            let before = value(&conv, &cells);
            for index in (0..conv.weights.len()).step_by(7) {
                let mut other = conv.clone();
                other.weights[index] += 1.0;
                let found = value(&other, &cells) - before;
                assert!((found - gradient.weights[index]).abs() < 1e-9, "{grid:?} weight {index}");
            }
            for index in 0..outputs {
                let mut other = conv.clone();
                other.biases[index] += 1.0;
                assert!((value(&other, &cells) - before - gradient.biases[index]).abs() < 1e-9);
            }
            for index in (0..cells.len()).step_by(5) {
                let mut other = cells.clone();
                other[index] += 1.0;
                let found = value(&conv, &other) - before;
                assert!((found - input_slopes[index]).abs() < 1e-9, "{grid:?} input {index}");
            }
        }
    }
}
