//! The transforms of the two sizes of tiles.

#![expect(clippy::inline_always, reason = "lanes stay in registers only if everything is inlined")]

use super::{Lane, MOST, Tile};
use crate::Scalar;

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
#[cfg(test)]
#[expect(clippy::float_cmp, clippy::needless_range_loop, reason = "small whole numbers are exact")]
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
