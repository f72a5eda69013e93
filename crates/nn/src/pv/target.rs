//! What a network should say, and how far it is from that.

use super::SEATS;
use crate::{Scalar, loss::softmax_cross_entropy};

/// What a network should say about a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PvTarget<T> {
    /// The probability of every move; empty if it is not known.
    pub policy: Vec<T>,
    /// The share of the game of every seat, counted from the seat to move; sums to 1.
    pub value: Vec<T>,
    /// The final margin of every seat; empty if it is not known.
    pub margin: Vec<T>,
    /// The final owner of every cell of the grid, below the network's number of owners; [`PvTarget::UNKNOWN`] and cells off
    /// the board do not count. Empty if none is known.
    pub owner: Vec<u8>,
    /// How much the position counts.
    pub weight: T,
}

impl<T> PvTarget<T> {
    /// The mark of a cell whose owner is not known.
    pub const UNKNOWN: u8 = u8::MAX;
}

/// How much the parts of the loss count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PvWeights {
    /// Cross-entropy of the policy.
    pub policy: f64,
    /// Cross-entropy of the soft policy, whose target is the fourth root of the policy's.
    pub soft_policy: f64,
    /// Cross-entropy of the value.
    pub value: f64,
    /// Mean cross-entropy of the cells' owners.
    pub owner: f64,
    /// Mean Huber loss of the margins.
    pub margin: f64,
    /// Huber loss of the value's squared error.
    pub error: f64,
}

impl Default for PvWeights {
    fn default() -> Self {
        Self { policy: 1.0, soft_policy: 1.0, value: 1.0, owner: 0.15, margin: 0.1, error: 0.1 }
    }
}

/// Sums of losses over positions, each times the position's weight.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PvLosses {
    /// Of the policy, above the entropy of its target.
    pub policy: f64,
    /// Of the soft policy, above the entropy of its target.
    pub soft_policy: f64,
    /// Of the value, above the entropy of its target.
    pub value: f64,
    /// Of the cells' owners.
    pub owner: f64,
    /// Of the margins.
    pub margin: f64,
    /// Of the value's squared error.
    pub error: f64,
    /// The weights of all positions.
    pub weight: f64,
    /// The weights of the positions with a policy.
    pub policy_weight: f64,
    /// The weights of the positions with a policy whose most probable move is the target's.
    pub policy_hits: f64,
}

impl PvLosses {
    /// Adds the losses of other positions.
    pub fn add(&mut self, other: &Self) {
        let Self { policy, soft_policy, value, owner, margin, error, weight, policy_weight, policy_hits } =
            other;
        self.policy += policy;
        self.soft_policy += soft_policy;
        self.value += value;
        self.owner += owner;
        self.margin += margin;
        self.error += error;
        self.weight += weight;
        self.policy_weight += policy_weight;
        self.policy_hits += policy_hits;
    }

    /// The sum that training makes small.
    pub fn total(&self, weights: &PvWeights) -> f64 {
        weights.policy * self.policy
            + weights.soft_policy * self.soft_policy
            + weights.value * self.value
            + weights.owner * self.owner
            + weights.margin * self.margin
            + weights.error * self.error
    }
}

/// The Huber loss of a difference, quadratic within ±1, and its slope.
pub(super) fn huber<T: Scalar>(difference: T) -> (T, T) {
    let half = T::from_f64(0.5);
    let size = difference.max(-difference);
    if size <= T::ONE {
        (half * difference * difference, difference)
    } else {
        (size - half, if difference > T::ZERO { T::ONE } else { -T::ONE })
    }
}

/// The fourth roots of a distribution, scaled to sum to 1.
pub(super) fn softened<T: Scalar>(policy: &[T], soft: &mut Vec<T>) {
    soft.clear();
    soft.extend(policy.iter().map(|share| share.sqrt().sqrt()));
    let sum: T = soft.iter().copied().sum();
    for share in soft.iter_mut() {
        *share = *share / sum;
    }
}

/// Losses and slopes of what is read from the summary: values, margins and the error of the values.
pub(super) fn summary_loss<T: Scalar>(
    readout: &[T],
    target: &PvTarget<T>,
    weights: &PvWeights,
    slopes: &mut [T],
    losses: &mut PvLosses,
) {
    let seats = target.value.len();
    let scaled = |part: f64| target.weight * T::from_f64(part);
    let weight = target.weight.to_f64();
    let (values, margins, error) = (&readout[..seats], &readout[SEATS..], readout[2 * SEATS]);
    let mut value_slopes = [T::ZERO; SEATS];
    let value_slopes = &mut value_slopes[..seats];
    losses.value += weight * softmax_cross_entropy(values, &target.value, value_slopes).to_f64();
    // The slope of a logit is the difference between the share and its target. The error is that of the shares as they
    // are: no gradient flows from it to the values.
    let squared: T = value_slopes.iter().map(|&difference| difference * difference).sum();
    for (slope, &difference) in slopes.iter_mut().zip(value_slopes.iter()) {
        *slope = scaled(weights.value) * difference;
    }
    let mean = T::from_f64(1.0 / seats as f64);
    for (seat, &goal) in target.margin.iter().enumerate() {
        let (loss, slope) = huber(margins[seat] - goal);
        losses.margin += weight * (mean * loss).to_f64();
        slopes[SEATS + seat] = scaled(weights.margin) * mean * slope;
    }
    let (loss, slope) = huber(super::kernels::softplus(error) - squared);
    losses.error += weight * loss.to_f64();
    // The derivative of softplus is the logistic function.
    slopes[2 * SEATS] = scaled(weights.error) * slope / (T::ONE + (-error).exp());
    losses.weight += weight;
}
