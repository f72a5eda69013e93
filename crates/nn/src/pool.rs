//! Summaries of a whole board.

use crate::{Grid, Scalar};

/// Numbers per channel of a pool: the mean over the board, the same scaled by the board's size, and the maximum.
pub(crate) const POOLS: usize = 3;

/// How much a board is larger than one of 14×14 cells: the factor of the scaled mean.
fn scale<T: Scalar>(grid: &Grid) -> T {
    T::from_f64(((grid.area() as f64).sqrt() - 14.0) / 10.0)
}

/// Pools `boards` boards of cells with `channels` channels each. `pools` has three lists of channels per board.
pub(crate) fn pool<T: Scalar>(grid: &Grid, channels: usize, cells: &[T], pools: &mut [T]) {
    let share = T::from_f64(1.0 / grid.area() as f64);
    let boards = cells.chunks_exact(grid.cells() * channels);
    for (cells, pools) in boards.zip(pools.chunks_exact_mut(POOLS * channels)) {
        let (means, rest) = pools.split_at_mut(channels);
        let (scaled, most) = rest.split_at_mut(channels);
        means.fill(T::ZERO);
        let mut first = true;
        for (cell, _) in cells.chunks_exact(channels).zip(grid.on_board()).filter(|(_, on)| **on) {
            if first {
                most.copy_from_slice(cell);
            }
            first = false;
            for ((sum, most), &value) in means.iter_mut().zip(most.iter_mut()).zip(cell) {
                *sum += value;
                *most = most.max(value);
            }
        }
        for (mean, scaled) in means.iter_mut().zip(scaled) {
            *mean = *mean * share;
            *scaled = *mean * scale(grid);
        }
    }
}

/// Adds the gradient with respect to the cells, given that with respect to the pools. A maximum that several cells share
/// belongs to the first.
pub(crate) fn pool_backward<T: Scalar>(
    grid: &Grid,
    channels: usize,
    cells: &[T],
    pools: &[T],
    pool_slopes: &[T],
    slopes: &mut [T],
) {
    let share = T::from_f64(1.0 / grid.area() as f64);
    let mut mean_slopes = vec![T::ZERO; channels];
    let mut open = vec![true; channels];
    let boards =
        cells.chunks_exact(grid.cells() * channels).zip(slopes.chunks_exact_mut(grid.cells() * channels));
    let pools = pools.chunks_exact(POOLS * channels).zip(pool_slopes.chunks_exact(POOLS * channels));
    for ((cells, slopes), (pools, pool_slopes)) in boards.zip(pools) {
        for (channel, slope) in mean_slopes.iter_mut().enumerate() {
            *slope = share * (pool_slopes[channel] + pool_slopes[channels + channel] * scale(grid));
        }
        open.fill(true);
        let (most, most_slopes) = (&pools[2 * channels..], &pool_slopes[2 * channels..]);
        let rows = cells.chunks_exact(channels).zip(slopes.chunks_exact_mut(channels)).zip(grid.on_board());
        for ((cell, slopes), _) in rows.filter(|(_, on)| **on) {
            for channel in 0..channels {
                slopes[channel] += mean_slopes[channel];
                if open[channel] && cell[channel] >= most[channel] {
                    open[channel] = false;
                    slopes[channel] += most_slopes[channel];
                }
            }
        }
    }
}

/// The mean over the board of every channel of one board.
pub(crate) fn mean<T: Scalar>(grid: &Grid, channels: usize, cells: &[T], means: &mut [T]) {
    means.fill(T::ZERO);
    // Cells off the board are zero.
    for cell in cells.chunks_exact(channels) {
        crate::linear::add_scaled(means, cell, T::ONE);
    }
    let share = T::from_f64(1.0 / grid.area() as f64);
    for mean in means.iter_mut() {
        *mean = *mean * share;
    }
}
