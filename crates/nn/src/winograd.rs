//! Winograd's transforms for 3×3 convolutions.
//!
//! A tile of m×m outputs depends on (m+2)×(m+2) inputs. After a linear transform of inputs and weights, the convolution
//! is (m+2)² independent products, summed over channels, and a transform takes the sums back. Lavin & Gray, *Fast
//! Algorithms for Convolutional Neural Networks* (2016). The transforms are those of polynomials evaluated at 0, 1, −1, 2
//! (and −2 for m = 4) and infinity; the adjoints serve the backward pass.
//!
//! Tiles of 4×4 save the most multiplications; on boards of 5 or 9 cells a side, tiles of 3×3 fit better.

#![expect(clippy::inline_always, reason = "lanes stay in registers only if everything is inlined")]
#![expect(clippy::needless_range_loop, reason = "rows and columns of tiles are exchanged")]

use crate::{Grid, Scalar};

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

/// 4×4 outputs from 6×6 inputs.
pub(crate) struct Four;

impl Tile for Four {
    const SIDE: usize = 4;
    const WEIGHTS: [[f64; 3]; MOST] = [
        [1.0 / 4.0, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];

    #[inline(always)]
    fn inputs<T: Scalar, const L: usize>(d: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST] {
        let (even, odd) = (d[4].minus(d[2]), d[3].minus(d[1]));
        [
            d[4].plus_times(-5.0, d[2]).plus_times(4.0, d[0]),
            d[3].plus(d[4]).plus_times(-4.0, d[1].plus(d[2])),
            d[4].minus(d[3]).plus_times(4.0, d[1].minus(d[2])),
            even.plus_times(2.0, odd),
            even.plus_times(-2.0, odd),
            d[5].plus_times(-5.0, d[3]).plus_times(4.0, d[1]),
        ]
    }

    #[inline(always)]
    fn inputs_adjoint<T: Scalar, const L: usize>(v: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST] {
        let (sum, difference) = (v[1].plus(v[2]), v[1].minus(v[2]));
        let (wide, skew) = (v[3].plus(v[4]), v[3].minus(v[4]));
        [
            Lane::ZERO.plus_times(4.0, v[0]),
            Lane::ZERO.plus_times(-2.0, skew).plus_times(4.0, v[5].minus(difference)),
            Lane::ZERO.minus(wide).plus_times(-4.0, sum).plus_times(-5.0, v[0]),
            difference.plus_times(2.0, skew).plus_times(-5.0, v[5]),
            v[0].plus(sum).plus(wide),
            v[5],
        ]
    }

    #[inline(always)]
    fn outputs<T: Scalar, const L: usize>(m: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST] {
        let (sum, difference) = (m[1].plus(m[2]), m[1].minus(m[2]));
        let (wide, skew) = (m[3].plus(m[4]), m[3].minus(m[4]));
        [
            m[0].plus(sum).plus(wide),
            difference.plus_times(2.0, skew),
            sum.plus_times(4.0, wide),
            difference.plus(m[5]).plus_times(8.0, skew),
            Lane::ZERO,
            Lane::ZERO,
        ]
    }

    #[inline(always)]
    fn outputs_adjoint<T: Scalar, const L: usize>(y: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST] {
        let (even, odd) = (y[0].plus(y[2]), y[1].plus(y[3]));
        let (wide, skew) = (y[0].plus_times(4.0, y[2]), y[1].plus_times(4.0, y[3]));
        [y[0], even.plus(odd), even.minus(odd), wide.plus_times(2.0, skew), wide.plus_times(-2.0, skew), y[3]]
    }
}

/// 3×3 outputs from 5×5 inputs.
pub(crate) struct Three;

impl Tile for Three {
    const SIDE: usize = 3;
    const WEIGHTS: [[f64; 3]; MOST] = [
        [1.0 / 2.0, 0.0, 0.0],
        [-1.0 / 2.0, -1.0 / 2.0, -1.0 / 2.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0],
    ];

    #[inline(always)]
    fn inputs<T: Scalar, const L: usize>(d: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST] {
        let odd = d[3].minus(d[1]);
        [
            odd.plus_times(2.0, d[0].minus(d[2])),
            d[3].minus(d[2]).plus_times(-2.0, d[1]),
            d[3].plus_times(-3.0, d[2]).plus_times(2.0, d[1]),
            odd,
            d[4].minus(d[2]).plus_times(-2.0, odd),
            Lane::ZERO,
        ]
    }

    #[inline(always)]
    fn inputs_adjoint<T: Scalar, const L: usize>(v: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST] {
        let near = v[0].plus(v[3]);
        [
            Lane::ZERO.plus_times(2.0, v[0]),
            Lane::ZERO.minus(near).plus_times(2.0, v[2].minus(v[1]).plus(v[4])),
            Lane::ZERO.minus(v[1]).minus(v[4]).plus_times(-2.0, v[0]).plus_times(-3.0, v[2]),
            near.plus(v[1]).plus(v[2]).plus_times(-2.0, v[4]),
            v[4],
            Lane::ZERO,
        ]
    }

    #[inline(always)]
    fn outputs<T: Scalar, const L: usize>(m: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST] {
        let sum = m[1].plus(m[2]);
        [
            m[0].plus(sum).plus(m[3]),
            m[1].minus(m[2]).plus_times(2.0, m[3]),
            sum.plus(m[4]).plus_times(4.0, m[3]),
            Lane::ZERO,
            Lane::ZERO,
            Lane::ZERO,
        ]
    }

    #[inline(always)]
    fn outputs_adjoint<T: Scalar, const L: usize>(y: [Lane<T, L>; MOST]) -> [Lane<T, L>; MOST] {
        let even = y[0].plus(y[2]);
        [
            y[0],
            even.plus(y[1]),
            even.minus(y[1]),
            y[0].plus_times(2.0, y[1]).plus_times(4.0, y[2]),
            y[2],
            Lane::ZERO,
        ]
    }
}

/// Where the tiles of a batch of boards are, and how their numbers are stored: by frequency, tile and channel.
#[derive(Clone, Copy)]
pub(crate) struct Tiling<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) boards: usize,
    pub(crate) channels: usize,
}

/// The number of tiles of one board.
pub(crate) fn tiles_of<K: Tile>(grid: &Grid) -> usize {
    grid.height().div_ceil(K::SIDE) * grid.width().div_ceil(K::SIDE)
}

/// One tile: its number in the batch, its board, and the row and column of its first output.
#[derive(Clone, Copy)]
struct Place {
    tile: usize,
    board: usize,
    top: usize,
    left: usize,
}

impl Tiling<'_> {
    /// How far apart the numbers of one frequency and the next are. The gap keeps tiles of different frequencies out of
    /// each other's way in caches, where distances of 4096 bytes compete for the same places.
    pub(crate) fn plane<K: Tile>(self) -> usize {
        self.boards * tiles_of::<K>(self.grid) * self.channels + 16
    }

    /// Transforms tiles of the board's cells, with zeros around the board.
    pub(crate) fn inputs<K: Tile, T: Scalar>(self, cells: &[T], frequencies: &mut [T]) {
        self.each_tile::<K>(|place| {
            let mut channel = 0;
            while channel + 8 <= self.channels {
                self.inputs_of::<K, T, 8>(place, channel, cells, frequencies);
                channel += 8;
            }
            if channel + 4 <= self.channels {
                self.inputs_of::<K, T, 4>(place, channel, cells, frequencies);
                channel += 4;
            }
            while channel < self.channels {
                self.inputs_of::<K, T, 1>(place, channel, cells, frequencies);
                channel += 1;
            }
        });
    }

    /// Adds what the frequencies' gradient means for the cells.
    pub(crate) fn inputs_adjoint<K: Tile, T: Scalar>(self, frequencies: &[T], cells: &mut [T]) {
        self.each_tile::<K>(|place| {
            let mut channel = 0;
            while channel + 8 <= self.channels {
                self.inputs_adjoint_of::<K, T, 8>(place, channel, frequencies, cells);
                channel += 8;
            }
            if channel + 4 <= self.channels {
                self.inputs_adjoint_of::<K, T, 4>(place, channel, frequencies, cells);
                channel += 4;
            }
            while channel < self.channels {
                self.inputs_adjoint_of::<K, T, 1>(place, channel, frequencies, cells);
                channel += 1;
            }
        });
    }

    /// Transforms frequencies to cells and hands the value of each cell to `finish`, with the number of the cell in the
    /// batch and the first channel.
    pub(crate) fn outputs<K: Tile, T: Scalar>(self, frequencies: &[T], finish: &mut impl Finish<T>) {
        self.each_tile::<K>(|place| {
            let mut channel = 0;
            while channel + 8 <= self.channels {
                self.outputs_of::<K, T, 8>(place, channel, frequencies, finish);
                channel += 8;
            }
            if channel + 4 <= self.channels {
                self.outputs_of::<K, T, 4>(place, channel, frequencies, finish);
                channel += 4;
            }
            while channel < self.channels {
                self.outputs_of::<K, T, 1>(place, channel, frequencies, finish);
                channel += 1;
            }
        });
    }

    /// Transforms the gradient of cells to that of frequencies.
    pub(crate) fn outputs_adjoint<K: Tile, T: Scalar>(self, cells: &[T], frequencies: &mut [T]) {
        self.each_tile::<K>(|place| {
            let mut channel = 0;
            while channel + 8 <= self.channels {
                self.outputs_adjoint_of::<K, T, 8>(place, channel, cells, frequencies);
                channel += 8;
            }
            if channel + 4 <= self.channels {
                self.outputs_adjoint_of::<K, T, 4>(place, channel, cells, frequencies);
                channel += 4;
            }
            while channel < self.channels {
                self.outputs_adjoint_of::<K, T, 1>(place, channel, cells, frequencies);
                channel += 1;
            }
        });
    }

    /// Calls `call` with every tile of every board.
    #[inline(always)]
    fn each_tile<K: Tile>(self, mut call: impl FnMut(Place)) {
        let mut tile = 0;
        for board in 0..self.boards {
            for top in (0..self.grid.height()).step_by(K::SIDE) {
                for left in (0..self.grid.width()).step_by(K::SIDE) {
                    call(Place { tile, board, top, left });
                    tile += 1;
                }
            }
        }
    }

    #[inline(always)]
    fn inputs_of<K: Tile, T: Scalar, const L: usize>(
        self,
        Place { tile, board, top, left }: Place,
        channel: usize,
        cells: &[T],
        frequencies: &mut [T],
    ) {
        let (height, width, side) = (self.grid.height(), self.grid.width(), K::SIDE + 2);
        let plane = self.plane::<K>();
        let mut columns = [[Lane::<T, L>::ZERO; MOST]; MOST];
        for j in 0..side {
            let x = left + j;
            if x < 1 || x > width {
                continue;
            }
            let mut line = [Lane::ZERO; MOST];
            for (i, value) in line.iter_mut().enumerate().take(side) {
                let y = top + i;
                if y >= 1 && y <= height {
                    let cell = (board * height + y - 1) * width + x - 1;
                    *value = Lane::load(&cells[cell * self.channels + channel..]);
                }
            }
            let line = K::inputs(line);
            for i in 0..side {
                columns[i][j] = line[i];
            }
        }
        for (i, &line) in columns.iter().enumerate().take(side) {
            let line = K::inputs(line);
            for (j, value) in line.iter().enumerate().take(side) {
                let place = (i * side + j) * plane + tile * self.channels + channel;
                value.store(&mut frequencies[place..]);
            }
        }
    }

    #[inline(always)]
    fn inputs_adjoint_of<K: Tile, T: Scalar, const L: usize>(
        self,
        Place { tile, board, top, left }: Place,
        channel: usize,
        frequencies: &[T],
        cells: &mut [T],
    ) {
        let (height, width, side) = (self.grid.height(), self.grid.width(), K::SIDE + 2);
        let plane = self.plane::<K>();
        let mut columns = [[Lane::<T, L>::ZERO; MOST]; MOST];
        for i in 0..side {
            let mut line = [Lane::ZERO; MOST];
            for (j, value) in line.iter_mut().enumerate().take(side) {
                let place = (i * side + j) * plane + tile * self.channels + channel;
                *value = Lane::load(&frequencies[place..]);
            }
            let line = K::inputs_adjoint(line);
            for j in 0..side {
                columns[j][i] = line[j];
            }
        }
        for (j, &line) in columns.iter().enumerate().take(side) {
            let x = left + j;
            if x < 1 || x > width {
                continue;
            }
            let line = K::inputs_adjoint(line);
            for (i, &value) in line.iter().enumerate().take(side) {
                let y = top + i;
                if y >= 1 && y <= height {
                    let cell = (board * height + y - 1) * width + x - 1;
                    let place = &mut cells[cell * self.channels + channel..];
                    Lane::load(place).plus(value).store(place);
                }
            }
        }
    }

    #[inline(always)]
    fn outputs_of<K: Tile, T: Scalar, const L: usize>(
        self,
        Place { tile, board, top, left }: Place,
        channel: usize,
        frequencies: &[T],
        finish: &mut impl Finish<T>,
    ) {
        let (height, width, side) = (self.grid.height(), self.grid.width(), K::SIDE + 2);
        let plane = self.plane::<K>();
        let mut rows = [[Lane::<T, L>::ZERO; MOST]; MOST];
        for j in 0..side {
            let mut line = [Lane::ZERO; MOST];
            for (i, value) in line.iter_mut().enumerate().take(side) {
                let place = (i * side + j) * plane + tile * self.channels + channel;
                *value = Lane::load(&frequencies[place..]);
            }
            let line = K::outputs(line);
            for i in 0..K::SIDE {
                rows[i][j] = line[i];
            }
        }
        for (i, &line) in rows.iter().enumerate().take(K::SIDE.min(height - top)) {
            let line = K::outputs(line);
            for (j, &value) in line.iter().enumerate().take(K::SIDE.min(width - left)) {
                finish.cell::<L>(board, (top + i) * width + left + j, channel, value);
            }
        }
    }

    #[inline(always)]
    fn outputs_adjoint_of<K: Tile, T: Scalar, const L: usize>(
        self,
        Place { tile, board, top, left }: Place,
        channel: usize,
        cells: &[T],
        frequencies: &mut [T],
    ) {
        let (height, width, side) = (self.grid.height(), self.grid.width(), K::SIDE + 2);
        let plane = self.plane::<K>();
        let mut columns = [[Lane::<T, L>::ZERO; MOST]; MOST];
        for j in 0..K::SIDE.min(width - left) {
            let mut line = [Lane::ZERO; MOST];
            for (i, value) in line.iter_mut().enumerate().take(K::SIDE.min(height - top)) {
                let cell = (board * height + top + i) * width + left + j;
                *value = Lane::load(&cells[cell * self.channels + channel..]);
            }
            let line = K::outputs_adjoint(line);
            for i in 0..side {
                columns[i][j] = line[i];
            }
        }
        for (i, &line) in columns.iter().enumerate().take(side) {
            let line = K::outputs_adjoint(line);
            for (j, value) in line.iter().enumerate().take(side) {
                let place = (i * side + j) * plane + tile * self.channels + channel;
                value.store(&mut frequencies[place..]);
            }
        }
    }
}

/// What becomes of the outputs of a convolution.
pub(crate) trait Finish<T> {
    /// Takes the sums of one cell of one board, for `L` channels from `channel` on.
    fn cell<const L: usize>(&mut self, board: usize, cell: usize, channel: usize, sums: Lane<T, L>);
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "small whole numbers are exact")]
mod tests {
    use super::*;

    /// The matrix of a linear map of lines.
    fn matrix(map: impl Fn([Lane<f64, 1>; MOST]) -> [Lane<f64, 1>; MOST]) -> [[f64; MOST]; MOST] {
        let mut matrix = [[0.0; MOST]; MOST];
        for column in 0..MOST {
            let mut unit = [Lane::ZERO; MOST];
            unit[column] = Lane([1.0]);
            for (row, value) in map(unit).into_iter().enumerate() {
                matrix[row][column] = value.0[0];
            }
        }
        matrix
    }

    /// The coefficients of the product of (x − point) over points.
    fn polynomial(points: impl Iterator<Item = f64>) -> [f64; MOST] {
        let mut product = [0.0; MOST];
        product[0] = 1.0;
        for point in points {
            for power in (0..MOST).rev() {
                let lower = if power > 0 { product[power - 1] } else { 0.0 };
                product[power] = lower - point * product[power];
            }
        }
        product
    }

    fn check<K: Tile>(points: &[f64]) {
        let side = K::SIDE + 2;
        let (inputs, outputs) = (matrix(K::inputs::<f64, 1>), matrix(K::outputs::<f64, 1>));
        let (back, forth) = (matrix(K::inputs_adjoint::<f64, 1>), matrix(K::outputs_adjoint::<f64, 1>));
        for row in 0..side {
            let others = points.iter().copied().enumerate().filter(|&(index, _)| index != row);
            let expected = polynomial(others.clone().map(|(_, point)| point));
            assert_eq!(inputs[row], expected, "row {row} of the inputs' transform");
            let scale: f64 =
                others.map(|(_, point)| points.get(row).map_or(1.0, |own| own - point)).product();
            for power in 0..3 {
                let value = points.get(row).map_or(f64::from(power == 2), |own| own.powi(power) / scale);
                assert!((K::WEIGHTS[row][power as usize] - value).abs() < 1e-12, "weights {row} {power}");
            }
            for power in 0..K::SIDE {
                let last = f64::from(u8::from(power + 1 == K::SIDE));
                let value = points.get(row).map_or(last, |own| own.powi(power as i32));
                assert_eq!(outputs[power][row], value, "outputs {power} {row}");
            }
        }
        for row in 0..MOST {
            for column in 0..MOST {
                assert_eq!(back[row][column], inputs[column][row], "the adjoint is the transpose");
                assert_eq!(forth[row][column], outputs[column][row], "the adjoint is the transpose");
            }
        }
    }

    #[test]
    fn transforms_are_those_of_polynomials_at_their_points() {
        check::<Four>(&[0.0, 1.0, -1.0, 2.0, -2.0]);
        check::<Three>(&[0.0, 1.0, -1.0, 2.0]);
    }
}
