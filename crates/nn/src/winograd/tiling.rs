//! Boards cut into tiles, and their way to frequencies and back.

#![expect(clippy::inline_always, reason = "lanes stay in registers only if everything is inlined")]
#![expect(clippy::needless_range_loop, reason = "rows and columns of tiles are exchanged")]

use std::marker::PhantomData;

use super::{Lane, MOST, Tile};
use crate::{
    Grid, Scalar,
    wide::{self, Work, each_lane},
};

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
        wide::run(self.each_tile::<K, _>(Inputs { cells, frequencies }));
    }

    /// Writes what the frequencies' gradient means for the cells, or adds it if `add` is set.
    pub(crate) fn inputs_adjoint<K: Tile, T: Scalar>(self, frequencies: &[T], cells: &mut [T], add: bool) {
        wide::run(self.each_tile::<K, _>(InputsAdjoint { frequencies, cells, add }));
    }

    /// Transforms frequencies to cells and hands the value of each cell to `finish`, with the number of the cell in the
    /// batch and the first channel.
    pub(crate) fn outputs<K: Tile, T: Scalar>(self, frequencies: &[T], finish: &mut impl Finish<T>) {
        wide::run(self.each_tile::<K, _>(Outputs { frequencies, finish }));
    }

    /// Transforms the gradient of cells to that of frequencies.
    pub(crate) fn outputs_adjoint<K: Tile, T: Scalar>(self, cells: &[T], frequencies: &mut [T]) {
        wide::run(self.each_tile::<K, _>(OutputsAdjoint { cells, frequencies }));
    }

    fn each_tile<K: Tile, P: Pass>(&self, pass: P) -> EachTile<'_, K, P> {
        EachTile { tiling: self, pass, tile: PhantomData }
    }

    #[inline(always)]
    fn place<K: Tile>(self, tile: usize) -> Place {
        let (rows, columns) = (self.grid.height().div_ceil(K::SIDE), self.grid.width().div_ceil(K::SIDE));
        let (board, within) = (tile / (rows * columns), tile % (rows * columns));
        Place { tile, board, top: within / columns * K::SIDE, left: within % columns * K::SIDE }
    }
}

/// One way between cells and frequencies, for `L` channels of one tile.
trait Pass {
    fn lanes<K: Tile, const L: usize>(&mut self, tiling: Tiling<'_>, place: Place, channel: usize);
}

/// A pass over all tiles and channels.
struct EachTile<'a, K, P> {
    tiling: &'a Tiling<'a>,
    pass: P,
    tile: PhantomData<K>,
}

impl<K: Tile, P: Pass> Work for EachTile<'_, K, P> {
    #[inline(always)]
    fn run(mut self, wide: bool) {
        let tiling = *self.tiling;
        for tile in 0..tiling.boards * tiles_of::<K>(tiling.grid) {
            let place = tiling.place::<K>(tile);
            each_lane!(wide, tiling.channels, |channel, LENGTH| {
                self.pass.lanes::<K, LENGTH>(tiling, place, channel);
            });
        }
    }
}

struct Inputs<'a, T> {
    cells: &'a [T],
    frequencies: &'a mut [T],
}

impl<T: Scalar> Pass for Inputs<'_, T> {
    #[inline(always)]
    fn lanes<K: Tile, const L: usize>(
        &mut self,
        tiling: Tiling<'_>,
        Place { tile, board, top, left }: Place,
        channel: usize,
    ) {
        let (height, width, side) = (tiling.grid.height(), tiling.grid.width(), K::SIDE + 2);
        let plane = tiling.plane::<K>();
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
                    *value = Lane::load(&self.cells[cell * tiling.channels + channel..]);
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
                let place = (i * side + j) * plane + tile * tiling.channels + channel;
                value.store(&mut self.frequencies[place..]);
            }
        }
    }
}

struct InputsAdjoint<'a, T> {
    frequencies: &'a [T],
    cells: &'a mut [T],
    add: bool,
}

impl<T: Scalar> Pass for InputsAdjoint<'_, T> {
    #[inline(always)]
    fn lanes<K: Tile, const L: usize>(
        &mut self,
        tiling: Tiling<'_>,
        Place { tile, board, top, left }: Place,
        channel: usize,
    ) {
        let (height, width, side) = (tiling.grid.height(), tiling.grid.width(), K::SIDE + 2);
        if !self.add && (top, left) == (0, 0) {
            for cell in board * height * width..(board + 1) * height * width {
                Lane::<T, L>::ZERO.store(&mut self.cells[cell * tiling.channels + channel..]);
            }
        }
        let plane = tiling.plane::<K>();
        let mut columns = [[Lane::<T, L>::ZERO; MOST]; MOST];
        for i in 0..side {
            let mut line = [Lane::ZERO; MOST];
            for (j, value) in line.iter_mut().enumerate().take(side) {
                let place = (i * side + j) * plane + tile * tiling.channels + channel;
                *value = Lane::load(&self.frequencies[place..]);
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
                    let place = &mut self.cells[cell * tiling.channels + channel..];
                    Lane::load(place).plus(value).store(place);
                }
            }
        }
    }
}

struct Outputs<'a, T, F> {
    frequencies: &'a [T],
    finish: &'a mut F,
}

impl<T: Scalar, F: Finish<T>> Pass for Outputs<'_, T, F> {
    #[inline(always)]
    fn lanes<K: Tile, const L: usize>(
        &mut self,
        tiling: Tiling<'_>,
        Place { tile, board, top, left }: Place,
        channel: usize,
    ) {
        let (height, width, side) = (tiling.grid.height(), tiling.grid.width(), K::SIDE + 2);
        let plane = tiling.plane::<K>();
        let mut rows = [[Lane::<T, L>::ZERO; MOST]; MOST];
        for j in 0..side {
            let mut line = [Lane::ZERO; MOST];
            for (i, value) in line.iter_mut().enumerate().take(side) {
                let place = (i * side + j) * plane + tile * tiling.channels + channel;
                *value = Lane::load(&self.frequencies[place..]);
            }
            let line = K::outputs(line);
            for i in 0..K::SIDE {
                rows[i][j] = line[i];
            }
        }
        for (i, &line) in rows.iter().enumerate().take(K::SIDE.min(height - top)) {
            let line = K::outputs(line);
            for (j, &value) in line.iter().enumerate().take(K::SIDE.min(width - left)) {
                self.finish.cell::<L>(board, (top + i) * width + left + j, channel, value);
            }
        }
    }
}

struct OutputsAdjoint<'a, T> {
    cells: &'a [T],
    frequencies: &'a mut [T],
}

impl<T: Scalar> Pass for OutputsAdjoint<'_, T> {
    #[inline(always)]
    fn lanes<K: Tile, const L: usize>(
        &mut self,
        tiling: Tiling<'_>,
        Place { tile, board, top, left }: Place,
        channel: usize,
    ) {
        let (height, width, side) = (tiling.grid.height(), tiling.grid.width(), K::SIDE + 2);
        let plane = tiling.plane::<K>();
        let mut columns = [[Lane::<T, L>::ZERO; MOST]; MOST];
        for j in 0..K::SIDE.min(width - left) {
            let mut line = [Lane::ZERO; MOST];
            for (i, value) in line.iter_mut().enumerate().take(K::SIDE.min(height - top)) {
                let cell = (board * height + top + i) * width + left + j;
                *value = Lane::load(&self.cells[cell * tiling.channels + channel..]);
            }
            let line = K::outputs_adjoint(line);
            for i in 0..side {
                columns[i][j] = line[i];
            }
        }
        for (i, &line) in columns.iter().enumerate().take(side) {
            let line = K::outputs_adjoint(line);
            for (j, value) in line.iter().enumerate().take(side) {
                let place = (i * side + j) * plane + tile * tiling.channels + channel;
                value.store(&mut self.frequencies[place..]);
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
mod tests {
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;
    use crate::{
        init::uniform,
        wide::run_anywhere,
        winograd::{Four, Three},
    };

    /// Collects the outputs of all cells.
    struct Collected {
        cells: usize,
        channels: usize,
        outputs: Vec<f32>,
    }

    impl Finish<f32> for Collected {
        fn cell<const L: usize>(&mut self, board: usize, cell: usize, channel: usize, sums: Lane<f32, L>) {
            sums.store(&mut self.outputs[(board * self.cells + cell) * self.channels + channel..]);
        }
    }

    fn check<K: Tile>(grid: &Grid) {
        let (boards, channels) = (3, 16 + 8 + 4 + 1);
        let tiling = Tiling { grid, boards, channels };
        let count = boards * grid.cells() * channels;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| uniform(&mut rng, 1.0)).collect() };
        let cells = numbers(count);
        let frequencies = numbers((K::SIDE + 2) * (K::SIDE + 2) * tiling.plane::<K>());
        let (mut wide, mut plain) = (frequencies.clone(), frequencies.clone());
        tiling.inputs::<K, f32>(&cells, &mut wide);
        run_anywhere(tiling.each_tile::<K, _>(Inputs { cells: &cells, frequencies: &mut plain }));
        assert_eq!(wide, plain);
        tiling.outputs_adjoint::<K, f32>(&cells, &mut wide);
        run_anywhere(tiling.each_tile::<K, _>(OutputsAdjoint { cells: &cells, frequencies: &mut plain }));
        assert_eq!(wide, plain);
        for add in [false, true] {
            let (mut wide, mut plain) = (cells.clone(), cells.clone());
            tiling.inputs_adjoint::<K, f32>(&frequencies, &mut wide, add);
            let pass = InputsAdjoint { frequencies: &frequencies, cells: &mut plain, add };
            run_anywhere(tiling.each_tile::<K, _>(pass));
            assert_eq!(wide, plain);
        }
        let [mut wide, mut plain] =
            [(); 2].map(|()| Collected { cells: grid.cells(), channels, outputs: vec![0.0; count] });
        tiling.outputs::<K, f32>(&frequencies, &mut wide);
        run_anywhere(tiling.each_tile::<K, _>(Outputs { frequencies: &frequencies, finish: &mut plain }));
        assert_eq!(wide.outputs, plain.outputs);
    }

    #[test]
    fn wide_registers_find_the_same_bits() {
        for grid in [Grid::full(8, 8), Grid::full(5, 7), Grid::full(2, 1)] {
            check::<Four>(&grid);
            check::<Three>(&grid);
        }
    }
}
