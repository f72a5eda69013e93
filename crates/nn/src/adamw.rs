//! The optimiser.

/// How [`AdamW`] steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdamWOptions {
    /// How fast the mean of gradients forgets.
    pub beta1: f32,
    /// How fast the mean of their squares forgets.
    pub beta2: f32,
    /// Keeps steps finite where gradients vanish.
    pub epsilon: f32,
    /// How much of itself a weight loses with every step, times the learning rate.
    pub weight_decay: f32,
    /// The longest gradient, by its Euclidean norm over all weights; longer ones are scaled down.
    pub max_norm: Option<f32>,
    /// Weights stay within this distance of zero, so that they can be quantised.
    pub clip: Option<f32>,
}

impl Default for AdamWOptions {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.01, max_norm: None, clip: Some(1.98) }
    }
}

/// Adam with decoupled weight decay.
///
/// Loshchilov & Hutter, *Decoupled Weight Decay Regularization* (2019).
#[derive(Clone, PartialEq, Debug)]
pub struct AdamW {
    options: AdamWOptions,
    /// Steps taken.
    steps: u64,
    /// Means of gradients and of their squares, one pair of vectors per group of weights.
    moments: Vec<[Vec<f32>; 2]>,
}

impl AdamW {
    /// An optimiser that has not taken a step, for groups of weights of these lengths.
    pub fn new(options: AdamWOptions, lengths: impl IntoIterator<Item = usize>) -> Self {
        let moments = lengths.into_iter().map(|length| [vec![0.0; length], vec![0.0; length]]).collect();
        Self { options, steps: 0, moments }
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The means of gradients and of squared gradients, group by group, for a checkpoint.
    pub fn moments(&self) -> &[[Vec<f32>; 2]] {
        &self.moments
    }

    /// Continues from the state of a checkpoint.
    pub fn restore(options: AdamWOptions, steps: u64, moments: Vec<[Vec<f32>; 2]>) -> Self {
        Self { options, steps, moments }
    }

    /// Takes one step against `gradients`, which are the mean over a batch. Returns the norm they had before clipping.
    ///
    /// # Panics
    /// If groups or their lengths are not those the optimiser was made for.
    pub fn step(&mut self, weights: &mut [&mut [f32]], gradients: &[&[f32]], learning_rate: f32) -> f32 {
        assert_eq!((weights.len(), gradients.len()), (self.moments.len(), self.moments.len()));
        let AdamWOptions { beta1, beta2, epsilon, weight_decay, max_norm, clip } = self.options;
        let norm = gradients.iter().map(|group| squared_norm(group)).sum::<f64>().sqrt() as f32;
        let scale = max_norm.map_or(1.0, |most| if norm > most { most / norm } else { 1.0 });
        self.steps += 1;
        let correction = |beta: f32| 1.0 - f64::from(beta).powf(self.steps as f64) as f32;
        let (first, second) = (correction(beta1), correction(beta2));
        let keep = 1.0 - learning_rate * weight_decay;
        let bound = clip.unwrap_or(f32::INFINITY);
        for ((group, slopes), [means, variances]) in weights.iter_mut().zip(gradients).zip(&mut self.moments)
        {
            assert_eq!((group.len(), slopes.len()), (means.len(), means.len()));
            let state = means.iter_mut().zip(variances);
            for ((weight, &slope), (mean, variance)) in group.iter_mut().zip(*slopes).zip(state) {
                let slope = slope * scale;
                *mean = beta1 * *mean + (1.0 - beta1) * slope;
                *variance = beta2 * *variance + (1.0 - beta2) * slope * slope;
                let step = (*mean / first) / ((*variance / second).sqrt() + epsilon);
                *weight = (*weight * keep - learning_rate * step).clamp(-bound, bound);
            }
        }
        norm
    }
}

/// The sum of squares, in eight lanes so that it vectorises and always adds in the same order.
fn squared_norm(slopes: &[f32]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0_f64; LANES];
    let (blocks, rest) = slopes.as_chunks::<LANES>();
    for block in blocks {
        for (sum, &slope) in sums.iter_mut().zip(block) {
            *sum += f64::from(slope) * f64::from(slope);
        }
    }
    sums.iter().sum::<f64>() + rest.iter().map(|&slope| f64::from(slope).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_steps_are_those_computed_by_hand() {
        let options = AdamWOptions { weight_decay: 0.1, clip: None, ..AdamWOptions::default() };
        let mut optimiser = AdamW::new(options, [1]);
        let mut weight = [1.0_f32];
        // The corrected first step is the sign of the gradient, whatever its size.
        optimiser.step(&mut [&mut weight], &[&[0.5]], 0.01);
        assert!((weight[0] - (1.0 * 0.999 - 0.01)).abs() < 1e-6, "{weight:?}");
        optimiser.step(&mut [&mut weight], &[&[-0.5]], 0.01);
        let mean = (0.9 * 0.05 - 0.1 * 0.5) / (1.0 - 0.81);
        let variance = (0.999 * 0.00025 + 0.00025) / (1.0 - 0.998_001);
        let expected = 0.989 * 0.999 - 0.01 * mean / f64::sqrt(variance);
        assert!((f64::from(weight[0]) - expected).abs() < 1e-5, "{weight:?} {expected}");
    }

    #[test]
    fn it_finds_the_bottom_of_a_bowl_and_keeps_within_the_clip() {
        let options = AdamWOptions { weight_decay: 0.0, clip: Some(2.0), ..AdamWOptions::default() };
        let mut optimiser = AdamW::new(options, [2]);
        let mut weights = [5.0_f32, -5.0];
        for _ in 0..2_000 {
            // Bottom at (1, 3), of which the clip allows (1, 2).
            let slopes = [2.0 * (weights[0] - 1.0), 2.0 * (weights[1] - 3.0)];
            optimiser.step(&mut [&mut weights], &[&slopes], 0.01);
        }
        assert!((weights[0] - 1.0).abs() < 1e-2 && (weights[1] - 2.0).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn long_gradients_are_scaled_to_the_longest_allowed() {
        let options = AdamWOptions { max_norm: Some(1.0), ..AdamWOptions::default() };
        let (mut clipped, mut plain) = (AdamW::new(options, [2]), AdamW::new(AdamWOptions::default(), [2]));
        let (mut one, mut other) = ([0.5_f32, 0.5], [0.5_f32, 0.5]);
        assert!((clipped.step(&mut [&mut one], &[&[30.0, 40.0]], 0.1) - 50.0).abs() < 1e-4);
        plain.step(&mut [&mut other], &[&[0.6, 0.8]], 0.1);
        assert!(one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-7), "{one:?} {other:?}");
    }
}
