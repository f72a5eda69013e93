//! Steps along slopes.

/// Adam's steps uphill, with moments for some numbers.
#[derive(Clone, Debug, Default)]
pub struct Ascent {
    steps: i32,
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Ascent {
    /// Forgets everything and prepares for `count` numbers.
    pub fn reset(&mut self, count: usize) {
        self.steps = 0;
        for list in [&mut self.means, &mut self.squares] {
            list.clear();
            list.resize(count, 0.0);
        }
    }

    /// Moves numbers uphill.
    pub fn step(&mut self, numbers: &mut [f32], slopes: &[f32], rate: f32) {
        const FIRST: f32 = 0.9;
        const SECOND: f32 = 0.999;
        self.steps += 1;
        let [first, second] = [FIRST, SECOND].map(|decay| 1.0 - decay.powi(self.steps));
        let state = self.means.iter_mut().zip(&mut self.squares);
        for ((number, &slope), (mean, square)) in numbers.iter_mut().zip(slopes).zip(state) {
            *mean = FIRST * *mean + (1.0 - FIRST) * slope;
            *square = SECOND * *square + (1.0 - SECOND) * slope * slope;
            *number += rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
        }
    }
}

/// The place of the row of `rows` that has the largest cosine with `point`.
pub fn nearest_by_angle(point: &[f32], rows: &[f32]) -> usize {
    let norm = |row: &[f32]| row.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-12);
    let cosine = |row: &[f32]| row.iter().zip(point).map(|(a, b)| a * b).sum::<f32>() / norm(row);
    first_best(rows.chunks_exact(point.len()).map(cosine))
}

/// The place of the row of `rows` that is nearest to `point`.
pub(super) fn nearest(point: &[f32], rows: &[f32]) -> usize {
    first_best(rows.chunks_exact(point.len()).map(|row| -super::squared_distance(row, point)))
}

/// The first place of the largest number.
pub(super) fn first_best(numbers: impl Iterator<Item = f32>) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, number) in numbers.enumerate() {
        if number > best.1 {
            best = (index, number);
        }
    }
    best.0
}
