//! Learning rates over the course of a run.

/// A learning rate that warms up linearly and then falls along a cosine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// The highest rate.
    pub peak: f32,
    /// The rate of the last step.
    pub last: f32,
    /// Steps until the highest rate is reached.
    pub warmup: u64,
    /// Steps of the whole run.
    pub steps: u64,
}

impl Schedule {
    /// The rate of a step, counted from 0. Steps after the last have the last one's rate.
    pub fn rate(&self, step: u64) -> f32 {
        if step < self.warmup {
            return self.peak * (step + 1) as f32 / (self.warmup + 1) as f32;
        }
        let falling = self.steps.saturating_sub(self.warmup + 1).max(1) as f64;
        let progress = ((step - self.warmup) as f64 / falling).min(1.0);
        let height = 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
        self.last + (self.peak - self.last) * height as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rises_to_the_peak_and_falls_to_the_last_rate() {
        let schedule = Schedule { peak: 1.0, last: 0.1, warmup: 4, steps: 105 };
        let rates: Vec<f32> = (0..110).map(|step| schedule.rate(step)).collect();
        assert_eq!(rates[..5], [0.2, 0.4, 0.6, 0.8, 1.0]);
        assert!((rates[54] - 0.55).abs() < 1e-6, "half way down: {}", rates[54]);
        assert!(rates[104..].iter().all(|rate| (rate - 0.1).abs() < 1e-6));
        assert!(rates[4..105].windows(2).all(|pair| pair[1] < pair[0]));
    }

    #[test]
    fn runs_of_no_length_have_a_rate() {
        let schedule = Schedule { peak: 1.0, last: 0.5, warmup: 0, steps: 0 };
        assert!((schedule.rate(0) - 1.0).abs() < 1e-6);
        assert!((schedule.rate(1) - 0.5).abs() < 1e-6);
    }
}
