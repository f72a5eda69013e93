//! What is climbed: worth, with a bonus for what is unknown.

use game::FieldView;

/// The bonus of a point for what is not known about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bonus {
    /// The standard deviation for want of knowledge, as in upper confidence bounds.
    Deviation,
    /// The mutual information of the result and what is unknown: ½ ln(1 + variance for want of knowledge ÷ variance of
    /// results).
    Information,
}

/// Keeps ratios of variances finite.
const LEAST: f32 = 1e-8;

/// Keeps the slope of a standard deviation finite where there is none.
const LEAST_DEVIATION: f32 = 1e-4;

/// Keeps the logarithm of a legality finite, and the barrier flat where moves are legal.
const LEAST_LEGALITY: f32 = 0.1;

/// What a view says about one point.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Appraisal {
    /// The mean worth.
    pub(super) mean: f32,
    /// The variance for want of knowledge.
    pub(super) variance: f32,
    /// The variance of results.
    pub(super) noise: f32,
    /// The probability of being legal, 1 if it is not judged.
    pub(super) legality: f32,
}

impl Appraisal {
    /// What `view` says about point `index` of `points`.
    pub(super) fn new(view: &FieldView, index: usize, points: usize) -> Self {
        let samples = || view.samples[index..].iter().step_by(points);
        let count = view.samples.len() / points;
        let mean = samples().sum::<f32>() / count as f32;
        let squares: f32 = samples().map(|sample| (sample - mean) * (sample - mean)).sum();
        let spread = if count > 1 { squares / (count - 1) as f32 } else { 0.0 };
        Self {
            mean,
            variance: view.spread.get(index).copied().unwrap_or(spread),
            noise: view.noise.get(index).copied().unwrap_or(1.0),
            legality: view.legality.get(index).copied().unwrap_or(1.0),
        }
    }

    /// The bonus for what is unknown.
    pub(super) fn bonus(&self, kind: Bonus) -> f32 {
        match kind {
            Bonus::Deviation => self.variance.max(0.0).sqrt(),
            Bonus::Information => 0.5 * (1.0 + self.variance / (self.noise + LEAST)).ln(),
        }
    }

    /// The barrier in front of points that are not legal.
    pub(super) fn barrier(&self) -> f32 {
        (self.legality + LEAST_LEGALITY).ln()
    }

    /// The slopes of the bonus with respect to the two variances.
    fn bonus_slopes(&self, kind: Bonus) -> [f32; 2] {
        match kind {
            Bonus::Deviation => [0.5 / self.variance.max(0.0).sqrt().max(LEAST_DEVIATION), 0.0],
            Bonus::Information => {
                let (noise, sum) = (self.noise + LEAST, self.noise + LEAST + self.variance);
                [0.5 / sum, 0.5 / sum - 0.5 / noise]
            }
        }
    }
}

/// What a step climbs: the mean, the bonus times `weight`, and the barrier times `barrier`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Objective {
    pub(super) bonus: Bonus,
    pub(super) weight: f32,
    pub(super) barrier: f32,
}

impl Objective {
    /// The objective at a point.
    pub(super) fn at(&self, appraisal: &Appraisal) -> f32 {
        let barrier = if self.barrier > 0.0 { self.barrier * appraisal.barrier() } else { 0.0 };
        appraisal.mean + self.weight * appraisal.bonus(self.bonus) + barrier
    }

    /// Writes the slopes of the sum of all points' objectives with respect to a view.
    pub(super) fn slopes(&self, view: &FieldView, points: usize, slopes: &mut FieldView) {
        let count = view.samples.len() / points;
        slopes.samples.clear();
        slopes.samples.resize(view.samples.len(), 0.0);
        for (to, from) in [
            (&mut slopes.noise, &view.noise),
            (&mut slopes.spread, &view.spread),
            (&mut slopes.legality, &view.legality),
        ] {
            to.clear();
            to.resize(from.len(), 0.0);
        }
        for index in 0..points {
            let appraisal = Appraisal::new(view, index, points);
            let [of_variance, of_noise] = appraisal.bonus_slopes(self.bonus).map(|slope| self.weight * slope);
            for sample in 0..count {
                let place = sample * points + index;
                slopes.samples[place] = 1.0 / count as f32;
                if view.spread.is_empty() && count > 1 {
                    let off = view.samples[place] - appraisal.mean;
                    slopes.samples[place] += of_variance * 2.0 * off / (count - 1) as f32;
                }
            }
            if let Some(slope) = slopes.spread.get_mut(index) {
                *slope = of_variance;
            }
            if let Some(slope) = slopes.noise.get_mut(index) {
                *slope = of_noise;
            }
            if let Some(slope) = slopes.legality.get_mut(index) {
                *slope = self.barrier / (appraisal.legality + LEAST_LEGALITY);
            }
        }
    }
}
