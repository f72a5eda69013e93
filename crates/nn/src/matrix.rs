//! Products of matrices, summed in one fixed order.
//!
//! Every number of a product is one chain of fused multiplications and additions along the inner dimension, whatever the
//! sizes of the matrices and the width of the machine's registers. A row of a product therefore does not depend on the
//! number of other rows, and all machines that have these instructions find the same bits.

#![expect(clippy::inline_always, reason = "tiles stay in registers only if they are inlined")]

use crate::Scalar;

/// The sizes of a product.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Rows of the left matrix and of the product.
    pub(crate) rows: usize,
    /// Columns of the left matrix, rows of the right one.
    pub(crate) inner: usize,
    /// Columns of the right matrix and of the product.
    pub(crate) columns: usize,
}

/// The left matrix, stored by rows or, for a transposed one, by columns.
#[derive(Clone, Copy, Debug)]
pub struct Left<'a, T> {
    values: &'a [T],
    row: usize,
    column: usize,
}

impl<'a, T> Left<'a, T> {
    /// A matrix stored row by row.
    pub(crate) fn by_rows(values: &'a [T], inner: usize) -> Self {
        Self { values, row: inner, column: 1 }
    }

    /// The transpose of a matrix with `rows` columns that is stored row by row.
    pub(crate) fn transposed(values: &'a [T], rows: usize) -> Self {
        Self { values, row: 1, column: rows }
    }
}

/// `product = left · right`, or `product += left · right` if `add` is set; `right` and `product` are stored row by row.
pub(crate) fn multiply<T: Scalar>(
    sizes: Sizes,
    left: Left<'_, T>,
    right: &[T],
    product: &mut [T],
    add: bool,
) {
    let Sizes { rows, inner, columns } = sizes;
    if rows == 0 || columns == 0 {
        return;
    }
    if inner == 0 {
        if !add {
            product[..rows * columns].fill(T::ZERO);
        }
        return;
    }
    // The fast kernels rely on these bounds.
    assert!(
        (rows - 1) * left.row + (inner - 1) * left.column < left.values.len(),
        "the left matrix is whole"
    );
    assert!(right.len() >= inner * columns && product.len() >= rows * columns, "matrices have their sizes");
    let done = T::multiply_columns(sizes, left, right, product, add);
    plain_columns(done, sizes, left, right, product, add);
}

/// What a type of number can do faster than [`plain_columns`]. Only the crate's own types of numbers have it.
pub trait Multiply: Sized {
    /// Computes the first columns of a product, or all, and returns how many they are.
    fn multiply_columns(
        sizes: Sizes,
        left: Left<'_, Self>,
        right: &[Self],
        product: &mut [Self],
        add: bool,
    ) -> usize {
        let _ = (sizes, left, right, product, add);
        0
    }
}

impl Multiply for f64 {}

impl Multiply for f32 {
    #[cfg(target_arch = "x86_64")]
    fn multiply_columns(
        sizes: Sizes,
        left: Left<'_, Self>,
        right: &[Self],
        product: &mut [Self],
        add: bool,
    ) -> usize {
        avx512::multiply_columns(sizes, left, right, product, add)
    }
}

/// Columns of the product from `first` on, in tiles that the compiler can keep in registers.
pub(crate) fn plain_columns<T: Scalar>(
    first: usize,
    sizes: Sizes,
    left: Left<'_, T>,
    right: &[T],
    product: &mut [T],
    add: bool,
) {
    let mut column = first;
    while column + 16 <= sizes.columns {
        plain_panel::<T, 16>(column, sizes, left, right, product, add);
        column += 16;
    }
    while column + 8 <= sizes.columns {
        plain_panel::<T, 8>(column, sizes, left, right, product, add);
        column += 8;
    }
    while column < sizes.columns {
        plain_panel::<T, 1>(column, sizes, left, right, product, add);
        column += 1;
    }
}

fn plain_panel<T: Scalar, const WIDTH: usize>(
    column: usize,
    sizes: Sizes,
    left: Left<'_, T>,
    right: &[T],
    product: &mut [T],
    add: bool,
) {
    let mut row = 0;
    while row + 4 <= sizes.rows {
        plain_tile::<T, 4, WIDTH>(row, column, sizes, left, right, product, add);
        row += 4;
    }
    while row < sizes.rows {
        plain_tile::<T, 1, WIDTH>(row, column, sizes, left, right, product, add);
        row += 1;
    }
}

#[inline(always)]
fn plain_tile<T: Scalar, const ROWS: usize, const WIDTH: usize>(
    row: usize,
    column: usize,
    sizes: Sizes,
    left: Left<'_, T>,
    right: &[T],
    product: &mut [T],
    add: bool,
) {
    let columns = sizes.columns;
    let mut sums = [[T::ZERO; WIDTH]; ROWS];
    if add {
        for (index, sums) in sums.iter_mut().enumerate() {
            sums.copy_from_slice(&product[(row + index) * columns + column..][..WIDTH]);
        }
    }
    for step in 0..sizes.inner {
        let line: &[T; WIDTH] =
            right[step * columns + column..][..WIDTH].try_into().expect("a slice of this length");
        for (index, sums) in sums.iter_mut().enumerate() {
            let factor = left.values[(row + index) * left.row + step * left.column];
            for (sum, &value) in sums.iter_mut().zip(line) {
                *sum = factor.mul_add(value, *sum);
            }
        }
    }
    for (index, sums) in sums.iter().enumerate() {
        product[(row + index) * columns + column..][..WIDTH].copy_from_slice(sums);
    }
}

/// Registers of sixteen numbers, on processors that have them.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512 {
    use std::arch::x86_64::{
        __m512, __mmask16, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_mask_storeu_ps, _mm512_maskz_loadu_ps,
        _mm512_set1_ps, _mm512_storeu_ps,
    };

    use super::{Left, Sizes};

    /// Computes all columns if the processor has AVX-512F. Returns their number.
    pub(crate) fn multiply_columns(
        sizes: Sizes,
        left: Left<'_, f32>,
        right: &[f32],
        product: &mut [f32],
        add: bool,
    ) -> usize {
        if !std::arch::is_x86_feature_detected!("avx512f") {
            return 0;
        }
        let mut column = 0;
        // SAFETY: the processor has AVX-512F, and the caller has checked that the matrices have their sizes.
        unsafe {
            while column + 64 <= sizes.columns {
                panel::<6, 4>(column, sizes, left, right, product, add);
                column += 64;
            }
            while column + 32 <= sizes.columns {
                panel::<8, 2>(column, sizes, left, right, product, add);
                column += 32;
            }
            while column + 16 <= sizes.columns {
                panel::<8, 1>(column, sizes, left, right, product, add);
                column += 16;
            }
            if column < sizes.columns {
                edge(column, sizes, left, right, product, add);
            }
        }
        sizes.columns
    }

    /// A panel of `16 · REGISTERS` columns.
    ///
    /// # Safety
    /// The processor has AVX-512F, the panel is within the product, and the matrices have their sizes.
    #[target_feature(enable = "avx512f")]
    unsafe fn panel<const ROWS: usize, const REGISTERS: usize>(
        column: usize,
        sizes: Sizes,
        left: Left<'_, f32>,
        right: &[f32],
        product: &mut [f32],
        add: bool,
    ) {
        let mut row = 0;
        // SAFETY: the tiles are within the panel, which is within the product.
        unsafe {
            while row + ROWS <= sizes.rows {
                tile::<ROWS, REGISTERS>(row, column, sizes, left, right, product, add);
                row += ROWS;
            }
            while row + 4 <= sizes.rows {
                tile::<4, REGISTERS>(row, column, sizes, left, right, product, add);
                row += 4;
            }
            while row + 2 <= sizes.rows {
                tile::<2, REGISTERS>(row, column, sizes, left, right, product, add);
                row += 2;
            }
            while row < sizes.rows {
                tile::<1, REGISTERS>(row, column, sizes, left, right, product, add);
                row += 1;
            }
        }
    }

    /// The last columns, fewer than fill a register.
    ///
    /// # Safety
    /// The processor has AVX-512F, there are columns from this one on, and the matrices have their sizes.
    #[target_feature(enable = "avx512f")]
    unsafe fn edge(
        column: usize,
        sizes: Sizes,
        left: Left<'_, f32>,
        right: &[f32],
        product: &mut [f32],
        add: bool,
    ) {
        let mut row = 0;
        // SAFETY: the tiles are within the product.
        unsafe {
            while row + 8 <= sizes.rows {
                edge_tile::<8>(row, column, sizes, left, right, product, add);
                row += 8;
            }
            while row < sizes.rows {
                edge_tile::<1>(row, column, sizes, left, right, product, add);
                row += 1;
            }
        }
    }

    /// # Safety
    /// As for [`edge`]; there are `ROWS` rows from this one on.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn edge_tile<const ROWS: usize>(
        row: usize,
        column: usize,
        sizes: Sizes,
        left: Left<'_, f32>,
        right: &[f32],
        product: &mut [f32],
        add: bool,
    ) {
        let columns = sizes.columns;
        let mask: __mmask16 = (1 << (columns - column)) - 1;
        // SAFETY: rows, masked columns and inner steps are below their sizes, and the slices are that long.
        unsafe {
            let product = product.as_mut_ptr().add(row * columns + column);
            let mut sums = [_mm512_set1_ps(0.0); ROWS];
            if add {
                for (index, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm512_maskz_loadu_ps(mask, product.add(index * columns));
                }
            }
            let mut line = right.as_ptr().add(column);
            let mut factors = left.values.as_ptr().add(row * left.row);
            for _ in 0..sizes.inner {
                let value = _mm512_maskz_loadu_ps(mask, line);
                for (index, sum) in sums.iter_mut().enumerate() {
                    let factor = _mm512_set1_ps(*factors.add(index * left.row));
                    *sum = _mm512_fmadd_ps(factor, value, *sum);
                }
                line = line.wrapping_add(columns);
                factors = factors.wrapping_add(left.column);
            }
            for (index, &sum) in sums.iter().enumerate() {
                _mm512_mask_storeu_ps(product.add(index * columns), mask, sum);
            }
        }
    }

    /// # Safety
    /// As for [`panel`]; the tile is within the panel.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn tile<const ROWS: usize, const REGISTERS: usize>(
        row: usize,
        column: usize,
        sizes: Sizes,
        left: Left<'_, f32>,
        right: &[f32],
        product: &mut [f32],
        add: bool,
    ) {
        let columns = sizes.columns;
        // SAFETY: rows, columns and inner steps are below their sizes, and the slices are that long.
        unsafe {
            let product = product.as_mut_ptr().add(row * columns + column);
            let mut sums = [[_mm512_set1_ps(0.0); REGISTERS]; ROWS];
            if add {
                for (index, sums) in sums.iter_mut().enumerate() {
                    for (register, sum) in sums.iter_mut().enumerate() {
                        *sum = _mm512_loadu_ps(product.add(index * columns + 16 * register));
                    }
                }
            }
            let mut line = right.as_ptr().add(column);
            let mut factors = left.values.as_ptr().add(row * left.row);
            for _ in 0..sizes.inner {
                let mut values: [__m512; REGISTERS] = [_mm512_set1_ps(0.0); REGISTERS];
                for (register, value) in values.iter_mut().enumerate() {
                    *value = _mm512_loadu_ps(line.add(16 * register));
                }
                for (index, sums) in sums.iter_mut().enumerate() {
                    let factor = _mm512_set1_ps(*factors.add(index * left.row));
                    for (sum, &value) in sums.iter_mut().zip(&values) {
                        *sum = _mm512_fmadd_ps(factor, value, *sum);
                    }
                }
                line = line.wrapping_add(columns);
                factors = factors.wrapping_add(left.column);
            }
            for (index, sums) in sums.iter().enumerate() {
                for (register, &sum) in sums.iter().enumerate() {
                    _mm512_storeu_ps(product.add(index * columns + 16 * register), sum);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;
    use crate::init::uniform;

    #[test]
    fn products_have_the_bits_of_plain_loops_whatever_their_sizes() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| uniform(&mut rng, 1.0)).collect() };
        for rows in [1, 2, 3, 4, 7, 13, 64] {
            for (inner, columns) in [(0, 3), (1, 1), (9, 7), (40, 24), (64, 64), (33, 127), (5, 16)] {
                for (add, transposed) in [(false, false), (true, false), (false, true), (true, true)] {
                    let (left, right) = (numbers(rows * inner), numbers(inner * columns));
                    let before = numbers(rows * columns);
                    let of =
                        if transposed { Left::transposed(&left, rows) } else { Left::by_rows(&left, inner) };
                    let mut product = before.clone();
                    multiply(Sizes { rows, inner, columns }, of, &right, &mut product, add);
                    for row in 0..rows {
                        for column in 0..columns {
                            let mut sum = if add { before[row * columns + column] } else { 0.0 };
                            for step in 0..inner {
                                let place = if transposed { step * rows + row } else { row * inner + step };
                                sum = left[place].mul_add(right[step * columns + column], sum);
                            }
                            assert_eq!(product[row * columns + column].to_bits(), sum.to_bits());
                        }
                    }
                    // The portable kernel, whatever this machine has.
                    let mut plain = before.clone();
                    if inner > 0 {
                        plain_columns(0, Sizes { rows, inner, columns }, of, &right, &mut plain, add);
                        assert_eq!(plain, product);
                    }
                }
            }
        }
    }
}
