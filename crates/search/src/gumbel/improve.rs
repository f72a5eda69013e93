//! Policy improvement: completed q-values and the improved policy.

use super::options::{Completion, GumbelOptions, Scale};

/// The statistics of one move of a node, for the mover of the node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Arm {
    /// Logarithm of the prior.
    pub(super) logit: f32,
    /// Visits, including pending ones.
    pub(super) visits: f32,
    /// The mean result in [−1, 1], or `None` without visits.
    pub(super) value: Option<f32>,
}

/// Replaces `scores` with σ(completed q) of every arm. `evaluated` is the evaluator's value of the node itself.
///
/// The completed q of a move is its own value if it has been visited, and otherwise `v_mix`, a mixture of the
/// evaluator's value of the node and the values found so far. σ grows with the visits of the most visited move, so that
/// values eventually outweigh priors.
pub(super) fn transformed(arms: &[Arm], evaluated: f32, options: &GumbelOptions, scores: &mut Vec<f32>) {
    let fallback = match options.completion {
        Completion::Published => mixed_value(arms, evaluated),
        Completion::VisitWeighted => evaluated,
    };
    scores.clear();
    scores.extend(arms.iter().map(|arm| match (arm.value, options.completion) {
        (None, _) => fallback,
        (Some(value), Completion::Published) => value,
        (Some(value), Completion::VisitWeighted) => {
            let trust = arm.visits / (arm.visits + options.c_visit);
            trust * value + (1.0 - trust) * evaluated
        }
    }));
    let (low, range) = match options.scale {
        Scale::Fixed => (-1.0, 2.0),
        Scale::Unscaled => (0.0, 1.0),
        Scale::MinMax => {
            let low = scores.iter().copied().fold(f32::INFINITY, f32::min);
            let high = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            (low, (high - low).max(1e-8))
        }
    };
    let most = arms.iter().map(|arm| arm.visits).fold(0.0, f32::max);
    let weight = (options.c_visit + most) * options.c_scale;
    for score in scores {
        *score = weight * (*score - low) / range;
    }
}

/// `v_mix`: the evaluator's value of a node, mixed with the values of the visited moves weighted by their priors.
fn mixed_value(arms: &[Arm], evaluated: f32) -> f32 {
    let (mut visits, mut priors, mut values) = (0.0, 0.0, 0.0);
    // Relative to the largest logit of a visited move, so that the priors do not underflow.
    let seen = arms.iter().filter(|arm| arm.value.is_some());
    let most = seen.map(|arm| arm.logit).fold(f32::NEG_INFINITY, f32::max);
    for arm in arms {
        if let Some(value) = arm.value {
            let prior = (arm.logit - most).exp();
            visits += arm.visits;
            priors += prior;
            values += prior * value;
        }
    }
    if visits == 0.0 { evaluated } else { (evaluated + visits * values / priors) / (1.0 + visits) }
}

/// Turns σ(completed q) into the improved policy, softmax(logits + σ).
pub(super) fn improved(arms: &[Arm], scores: &mut [f32]) {
    for (score, arm) in scores.iter_mut().zip(arms) {
        *score += arm.logit;
    }
    softmax(scores);
}

/// Softmax in place.
pub(super) fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - most).exp();
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::open_unit;
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    fn policy(arms: &[Arm], evaluated: f32, options: &GumbelOptions) -> Vec<f32> {
        let mut scores = Vec::new();
        transformed(arms, evaluated, options, &mut scores);
        improved(arms, &mut scores);
        scores
    }

    #[test]
    fn the_improved_policy_expects_at_least_what_the_prior_does() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut unit = || open_unit(&mut rng) as f32;
        for round in 0..3_000 {
            let options = GumbelOptions {
                c_visit: 50.0 * unit(),
                c_scale: 2.0 * unit(),
                scale: if round % 2 == 0 { Scale::Fixed } else { Scale::MinMax },
                ..GumbelOptions::default()
            };
            let mut prior: Vec<f32> = (0..2 + round % 9).map(|_| 6.0 * unit()).collect();
            softmax(&mut prior);
            let values: Vec<f32> = prior.iter().map(|_| 2.0 * unit() - 1.0).collect();
            let before: f32 = prior.iter().zip(&values).map(|(share, value)| share * value).sum();
            // Exact values of some or all moves, and an exact value of the node.
            for known in [0.5, 1.0] {
                let arm = |(&share, &value): (&f32, &f32)| {
                    let visits = if unit() < known { (1.0 + 9.0 * unit()).floor() } else { 0.0 };
                    Arm { logit: share.ln(), visits, value: (visits > 0.0).then_some(value) }
                };
                let arms: Vec<Arm> = prior.iter().zip(&values).map(arm).collect();
                let policy = policy(&arms, before, &options);
                assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                if arms.iter().all(|arm| arm.value.is_some()) {
                    let after: f32 = policy.iter().zip(&values).map(|(share, value)| share * value).sum();
                    assert!(after >= before - 1e-5, "{before} became {after}: {arms:?}");
                }
            }
        }
    }

    #[test]
    fn unvisited_moves_have_the_mixed_value() {
        let arm = |prior: f32, visits, value| Arm { logit: prior.ln(), visits, value };
        let arms = [arm(0.5, 3.0, Some(0.8)), arm(0.25, 1.0, Some(-0.4)), arm(0.25, 0.0, None)];
        // (0.2 + 4 · (0.5 · 0.8 − 0.25 · 0.4) / 0.75) / 5 = 0.36.
        assert!((mixed_value(&arms, 0.2) - 0.36).abs() < 1e-6);
        assert!((mixed_value(&arms[2..], 0.2) - 0.2).abs() < 1e-6);
        let options =
            GumbelOptions { c_visit: 7.0, c_scale: 0.5, scale: Scale::Fixed, ..GumbelOptions::default() };
        let mut scores = Vec::new();
        transformed(&arms, 0.2, &options, &mut scores);
        // (7 + 3) · 0.5 · (q + 1) / 2.
        for (score, expected) in scores.iter().zip([4.5, 1.5, 3.4]) {
            assert!((score - expected).abs() < 1e-5, "{scores:?}");
        }
        let options = GumbelOptions { scale: Scale::Unscaled, ..options };
        transformed(&arms, 0.2, &options, &mut scores);
        // (7 + 3) · 0.5 · q.
        assert!(scores.iter().zip([4.0, -2.0, 1.8]).all(|(score, expected)| (score - expected).abs() < 1e-5));
        let options = GumbelOptions { scale: Scale::MinMax, ..options };
        transformed(&arms, 0.2, &options, &mut scores);
        assert!((scores[0] - 5.0).abs() < 1e-5 && scores[1].abs() < 1e-5, "{scores:?}");
    }

    #[test]
    fn visit_weighted_completion_trusts_values_by_their_visits() {
        let options = GumbelOptions {
            completion: Completion::VisitWeighted,
            c_visit: 50.0,
            c_scale: 1.0,
            ..GumbelOptions::default()
        };
        let arms = [
            Arm { logit: 0.0, visits: 50.0, value: Some(1.0) },
            Arm { logit: 0.0, visits: 0.0, value: None },
        ];
        let mut scores = Vec::new();
        transformed(&arms, 0.0, &options, &mut scores);
        // Half of 1 and half of 0, and 0: (50 + 50) · 0.75 and (50 + 50) · 0.5.
        assert!((scores[0] - 75.0).abs() < 1e-4 && (scores[1] - 50.0).abs() < 1e-4, "{scores:?}");
    }
}
