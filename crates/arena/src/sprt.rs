//! The sequential probability ratio test, which stops a match as soon as the result is significant.
//!
//! This is the generalised test (GSPRT) on rounds: a round is one opening from all seats, so its games are not
//! independent, but rounds are. Under each hypothesis, the likelihood of the observed rounds is maximised over all
//! distributions of round scores with the hypothesis' mean; no model of draws is needed.

use crate::expected_score;

/// Two hypotheses about the strength of A relative to B, with error rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The Elo difference of H0.
    pub elo0: f64,
    /// The Elo difference of H1, above that of H0.
    pub elo1: f64,
    /// The probability of accepting H1 if H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 if H1 holds.
    pub beta: f64,
}

/// The accepted hypothesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hypothesis {
    /// A is at most `elo0` stronger.
    H0,
    /// A is at least `elo1` stronger.
    H1,
}

/// The error for hypotheses that cannot be tested against each other.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("elo0 {elo0} and elo1 {elo1}: expected two numbers within ±1000, the first below the second")]
pub struct SprtError {
    elo0: f64,
    elo1: f64,
}

impl Sprt {
    /// Creates a test with error rates of 5 %.
    ///
    /// # Errors
    /// If `elo0` is not below `elo1`, or one of them is out of range.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        let sane = elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0 && elo0 < elo1;
        if sane { Ok(Self { elo0, elo1, alpha: 0.05, beta: 0.05 }) } else { Err(SprtError { elo0, elo1 }) }
    }

    /// H0 is accepted at or below this log-likelihood ratio.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// H1 is accepted at or above this log-likelihood ratio.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 to H0, from pairs of a round score from 0 to 1 and its count.
    pub fn llr(&self, rounds: &[(f64, u64)], seats: usize) -> f64 {
        if rounds.iter().all(|&(_, count)| count == 0) {
            return 0.0;
        }
        // A tiny weight on the extremes, without which equal rounds could not have any other mean.
        let trace = [(0.0, 1e-3), (1.0, 1e-3)];
        let seen = rounds.iter().map(|&(score, count)| (score, count as f64));
        let seen: Vec<(f64, f64)> = seen.chain(trace).filter(|&(_, count)| count > 0.0).collect();
        let [mean0, mean1] = [self.elo0, self.elo1].map(|elo| expected_score(elo, seats));
        let [tilt0, tilt1] = [mean0, mean1].map(|mean| tilt(&seen, mean));
        // The most likely distribution with mean m has weights p/(1 + t(x − m)), p being the observed share.
        let ratio = |x: f64| ((1.0 + tilt0 * (x - mean0)) / (1.0 + tilt1 * (x - mean1))).ln();
        seen.iter().map(|&(x, count)| count * ratio(x)).sum()
    }

    /// Whether `llr` ends the test.
    pub fn decide(&self, llr: f64) -> Option<Hypothesis> {
        if llr >= self.upper() {
            Some(Hypothesis::H1)
        } else if llr <= self.lower() {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }
}

/// The root t of Σ count·(x − mean)/(1 + t(x − mean)) between the poles of the extremes, where the sum is decreasing.
fn tilt(seen: &[(f64, f64)], mean: f64) -> f64 {
    // The extremes 0 and 1 are among the scores, and the mean lies strictly between them.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let t = f64::midpoint(low, high);
        let sum: f64 = seen.iter().map(|&(x, count)| count * (x - mean) / (1.0 + t * (x - mean))).sum();
        if sum > 0.0 {
            low = t;
        } else {
            high = t;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pick;
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    fn penta(counts: [u64; 5]) -> Vec<(f64, u64)> {
        (0..5).map(|quarter| f64::from(quarter) / 4.0).zip(counts).collect()
    }

    #[test]
    fn bounds_are_walds() {
        let sprt = Sprt::new(0.0, 10.0).unwrap();
        assert!((sprt.upper() - 19_f64.ln()).abs() < 1e-12 && (sprt.lower() + 19_f64.ln()).abs() < 1e-12);
        assert_eq!(sprt.decide(2.95), Some(Hypothesis::H1));
        assert_eq!(sprt.decide(-2.95), Some(Hypothesis::H0));
        assert_eq!(sprt.decide(2.94), None);
    }

    #[test]
    fn hypotheses_have_to_make_sense() {
        for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(Sprt::new(elo0, elo1).is_err(), "{elo0} {elo1}");
        }
    }

    #[test]
    fn two_possible_scores_are_a_plain_binomial_test() {
        // With only lost and won rounds the constrained maximum is the hypothesis itself.
        let sprt = Sprt::new(-20.0, 30.0).unwrap();
        let [s0, s1] = [-20.0, 30.0].map(|elo| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
        let expected = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        let found = sprt.llr(&penta([40, 0, 0, 0, 60]), 2);
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }

    #[test]
    fn mirrored_results_and_hypotheses_mirror_the_ratio() {
        let narrow = Sprt::new(-5.0, 5.0).unwrap();
        assert!(narrow.llr(&penta([10, 20, 40, 20, 10]), 2).abs() < 1e-9);
        let [up, down] = [[1, 5, 30, 9, 4], [4, 9, 30, 5, 1]].map(|counts| narrow.llr(&penta(counts), 2));
        assert!(up > 0.0 && (up + down).abs() < 1e-9, "{up} {down}");
        assert!(narrow.llr(&penta([0; 5]), 2).abs() < 1e-12, "no rounds give no evidence");
    }

    #[test]
    fn near_the_hypotheses_it_is_the_normal_approximation() {
        let counts = [39, 213, 502, 240, 62];
        let n = counts.iter().sum::<u64>() as f64;
        let mean = penta(counts).iter().map(|&(x, count)| x * count as f64).sum::<f64>() / n;
        let variance =
            penta(counts).iter().map(|&(x, count)| (x - mean).powi(2) * count as f64).sum::<f64>() / n;
        let [s0, s1] = [0.0, 10.0].map(|elo| expected_score(elo, 2));
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let found = Sprt::new(0.0, 10.0).unwrap().llr(&penta(counts), 2);
        assert!((found - normal).abs() < 0.02 * normal.abs().max(1.0), "{found} {normal}");
    }

    #[test]
    fn error_rates_are_within_bounds() {
        // Pairs drawn with a mean that is exactly H0's (one half), or exactly H1's.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
        let sprt = Sprt::new(0.0, 100.0).unwrap();
        let shift = expected_score(100.0, 2) - 0.5;
        for (moved, wrong) in [(0.0, Hypothesis::H1), (shift, Hypothesis::H0)] {
            let mut errors = 0;
            for _ in 0..300 {
                let mut counts = [0; 5];
                let decision = loop {
                    // Equal probabilities shifted from lost to won pairs.
                    let draw = pick(&mut rng, 1_000_000) as f64 / 1e6;
                    let edges = [0.2 - moved, 0.4 - moved, 0.6 - moved, 0.8 - moved];
                    counts[edges.iter().filter(|&&edge| draw >= edge).count()] += 1;
                    if let Some(decision) = sprt.decide(sprt.llr(&penta(counts), 2)) {
                        break decision;
                    }
                };
                errors += usize::from(decision == wrong);
            }
            // Fifteen errors are expected at 5 %; thirty would be more than three standard deviations above.
            assert!(errors <= 30, "{errors} of 300 wrong");
        }
    }
}
