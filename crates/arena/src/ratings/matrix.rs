//! Small symmetric positive definite matrices, for Newton's method.

/// A symmetric matrix, of which the lower half is stored by rows.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Symmetric {
    size: usize,
    lower: Vec<f64>,
}

impl Symmetric {
    pub(super) fn zero(size: usize) -> Self {
        Self { size, lower: vec![0.0; size * (size + 1) / 2] }
    }

    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.lower[index(i, j)]
    }

    /// Adds to the entry at (i, j), which is also the one at (j, i).
    pub(super) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.lower[index(i, j)] += value;
    }

    pub(super) fn scaled(mut self, factor: f64) -> Self {
        self.lower.iter_mut().for_each(|value| *value *= factor);
        self
    }

    /// The lower triangle L with L·Lᵀ = self (Cholesky).
    fn root(&self) -> Self {
        let mut root = Self::zero(self.size);
        for i in 0..self.size {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| root.at(i, k) * root.at(j, k)).sum();
                let rest = self.at(i, j) - sum;
                // A pivot that vanishes by rounding belongs to a rating that is hardly determined.
                let value = if i == j { rest.max(1e-12).sqrt() } else { rest / root.at(j, j) };
                root.lower[index(i, j)] = value;
            }
        }
        root
    }

    /// Solves self·x = `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        self.root().solve_both(right)
    }

    /// Solves L·Lᵀ·x = `right`, where self is L.
    fn solve_both(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for i in 0..self.size {
            let sum: f64 = (0..i).map(|k| self.at(i, k) * x[k]).sum();
            x[i] = (x[i] - sum) / self.at(i, i);
        }
        for i in (0..self.size).rev() {
            let sum: f64 = (i + 1..self.size).map(|k| self.at(k, i) * x[k]).sum();
            x[i] = (x[i] - sum) / self.at(i, i);
        }
        x
    }

    pub(super) fn inverse(&self) -> Self {
        let root = self.root();
        let mut inverse = Self::zero(self.size);
        for j in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[j] = 1.0;
            let column = root.solve_both(&unit);
            (j..self.size).for_each(|i| inverse.lower[index(i, j)] = column[i]);
        }
        inverse
    }
}

fn index(i: usize, j: usize) -> usize {
    let (i, j) = if i >= j { (i, j) } else { (j, i) };
    i * (i + 1) / 2 + j
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let mut matrix = Symmetric::zero(3);
        for (i, j, value) in [(0, 0, 4.0), (1, 0, 1.0), (1, 1, 3.0), (2, 0, -0.5), (2, 1, 0.25), (2, 2, 2.0)]
        {
            matrix.add(i, j, value);
        }
        let inverse = matrix.inverse();
        for i in 0..3 {
            let solved = matrix.solve(&[1.0, 2.0, 3.0]);
            let product: f64 = (0..3).map(|k| matrix.at(i, k) * solved[k]).sum();
            assert!((product - (i + 1) as f64).abs() < 1e-12);
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| matrix.at(i, k) * inverse.at(k, j)).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j}: {product}");
            }
        }
    }
}
