//! Random variates for searches: uniform, Gumbel and Dirichlet.

use rand::Rng;

/// Uniform in the open interval (0, 1), so that the logarithm is finite.
pub(crate) fn open_unit(rng: &mut impl Rng) -> f64 {
    ((rng.next_u64() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
}

/// A draw from the standard Gumbel distribution. The argmax of `logit + gumbel` is distributed as the softmax of the
/// logits.
pub(crate) fn gumbel(rng: &mut impl Rng) -> f32 {
    -(-open_unit(rng).ln()).ln() as f32
}

/// Fills `shares` with a draw from the symmetric Dirichlet distribution with concentration `alpha`.
pub(crate) fn dirichlet(shares: &mut [f32], alpha: f64, rng: &mut impl Rng) {
    let logs: Vec<f64> = shares.iter().map(|_| log_gamma_draw(alpha, rng)).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| (log - most).exp()).sum();
    for (share, log) in shares.iter_mut().zip(logs) {
        *share = ((log - most).exp() / sum) as f32;
    }
}

/// The logarithm of a draw from the gamma distribution with shape `alpha`, since the draw itself would underflow for
/// small shapes. Marsaglia & Tsang, *A Simple Method for Generating Gamma Variables* (2000).
fn log_gamma_draw(alpha: f64, rng: &mut impl Rng) -> f64 {
    if alpha < 1.0 {
        return log_gamma_draw(alpha + 1.0, rng) + open_unit(rng).ln() / alpha;
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && open_unit(rng).ln() < 0.5 * x * x + d * (1.0 - v + v.ln()) {
            return (d * v).ln();
        }
    }
}

/// A draw from the standard normal distribution, by the Box–Muller transform.
pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    (-2.0 * open_unit(rng).ln()).sqrt() * (std::f64::consts::TAU * open_unit(rng)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    #[test]
    fn dirichlet_shares_sum_to_one_and_vary_as_they_should() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for alpha in [0.03, 0.3, 1.0, 5.0] {
            let (count, draws) = (4, 20_000);
            let (mut mean, mut square) = (0.0, 0.0);
            let mut shares = vec![0.0; count];
            for _ in 0..draws {
                dirichlet(&mut shares, alpha, &mut rng);
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                mean += f64::from(shares[0]) / f64::from(draws);
                square += f64::from(shares[0]).powi(2) / f64::from(draws);
            }
            // Mean 1/k and variance (k − 1) / k² / (kα + 1).
            let variance = 3.0 / 16.0 / (4.0 * alpha + 1.0);
            assert!((mean - 0.25).abs() < 0.02, "{alpha}: mean {mean}");
            assert!((square - mean * mean - variance).abs() < 0.1 * variance, "{alpha}: {square}");
        }
    }

    #[test]
    fn the_largest_of_logit_and_gumbel_is_drawn_by_softmax() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let shares = [0.5f32, 0.3, 0.2];
        let mut drawn = [0; 3];
        for _ in 0..30_000 {
            let scores = shares.map(|share| share.ln() + gumbel(&mut rng));
            let best = (0..3).max_by(|&one, &other| scores[one].total_cmp(&scores[other])).unwrap();
            drawn[best] += 1;
        }
        for (share, drawn) in shares.iter().zip(drawn) {
            assert!((share - drawn as f32 / 30_000.0).abs() < 0.015, "{drawn:?}");
        }
    }
}
