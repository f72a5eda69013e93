//! A trained network in small integers, for play.
//!
//! Accumulators are `i16`, so that sixteen neurons fit a vector register and a feature that comes or goes is one addition
//! per register. Activations are squared on the way to the output without leaving `i16`: a clamped value of at most 255
//! times a weight of at most 127 fits.

use crate::{Activation, Nnue};

/// One unit of an output weight.
const OUTPUT_SCALE: f32 = 64.0;
/// One unit of an accumulator: activations are clamped to this.
const ACCUMULATOR_SCALE: i16 = 255;

/// Why a network cannot be played in small integers.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum QuantiseError {
    /// Only a head without layers and with squared activations has an integer form.
    #[error("the integer form needs a head without layers and the activation screlu")]
    Shape,
    /// Accumulators could overflow.
    #[error("neuron {neuron} can reach {reach}, but an accumulator holds at most {}", i16::MAX)]
    Overflow {
        /// Which neuron.
        neuron: usize,
        /// How far it can go, in units of the accumulator.
        reach: i32,
    },
    /// A weight is infinite or not a number.
    #[error("the weights {0:?} hold infinities or NaN: training diverged; use an earlier checkpoint")]
    NotFinite(String),
    /// An output weight does not fit.
    #[error("an output weight is {0}; at most 1.98 in size can be played in small integers")]
    Weight(f32),
}

/// An [`Nnue`] in small integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuantisedNnue {
    hidden: usize,
    /// One row per feature.
    weights: Vec<i16>,
    biases: Vec<i16>,
    /// One row per bucket.
    outputs: Vec<i16>,
    output_biases: Vec<i32>,
}

impl QuantisedNnue {
    /// Rounds a network. Features that never are active together form a group, given by the index behind its last
    /// feature: an accumulator then reaches at most the sum over groups of their largest weights.
    ///
    /// # Errors
    /// If the network has no integer form, or an accumulator or weight might not fit.
    pub fn new(net: &Nnue<f32>, groups: &[usize]) -> Result<Self, QuantiseError> {
        let shape = &net.shape;
        if !shape.layers.is_empty() || shape.activation != Activation::SquaredClippedRelu {
            return Err(QuantiseError::Shape);
        }
        for (name, numbers) in net.parameters() {
            if numbers.iter().any(|number| !number.is_finite()) {
                return Err(QuantiseError::NotFinite(name));
            }
        }
        let hidden = shape.hidden;
        let round = |weight: f32| (weight * f32::from(ACCUMULATOR_SCALE)).round() as i32;
        let mut reach: Vec<i32> = net.input.biases.iter().map(|&bias| round(bias).abs()).collect();
        let mut largest = vec![0; hidden];
        let mut start = 0;
        for &end in groups {
            largest.fill(0);
            for row in net.input.weights[start * hidden..end * hidden].chunks_exact(hidden) {
                for (largest, &weight) in largest.iter_mut().zip(row) {
                    *largest = i32::max(*largest, round(weight).abs());
                }
            }
            for (reach, &largest) in reach.iter_mut().zip(&largest) {
                *reach = reach.saturating_add(largest);
            }
            start = end;
        }
        if let Some(neuron) = reach.iter().position(|&reach| reach > i32::from(i16::MAX)) {
            return Err(QuantiseError::Overflow { neuron, reach: reach[neuron] });
        }
        let mut outputs = Vec::with_capacity(shape.buckets * hidden);
        let mut output_biases = Vec::with_capacity(shape.buckets);
        for head in &net.heads {
            for &weight in &head[0].weights {
                let rounded = (weight * OUTPUT_SCALE).round();
                if rounded.abs() > 127.0 {
                    return Err(QuantiseError::Weight(weight));
                }
                outputs.push(rounded as i16);
            }
            output_biases.push((head[0].biases[0] * Self::unit()).round() as i32);
        }
        Ok(Self {
            hidden,
            weights: net.input.weights.iter().map(|&weight| round(weight) as i16).collect(),
            biases: net.input.biases.iter().map(|&bias| round(bias) as i16).collect(),
            outputs,
            output_biases,
        })
    }

    /// How many units of [`QuantisedNnue::output`] make a logit of 1.
    pub fn unit() -> f32 {
        f32::from(ACCUMULATOR_SCALE) * f32::from(ACCUMULATOR_SCALE) * OUTPUT_SCALE
    }

    /// Neurons of an accumulator.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Features of one perspective.
    pub fn features(&self) -> usize {
        self.weights.len() / self.hidden
    }

    /// Heads by stage of the game.
    pub fn buckets(&self) -> usize {
        self.output_biases.len()
    }

    /// Sets an accumulator to the sums of a list of active features.
    pub fn refresh(&self, active: impl IntoIterator<Item = u16>, accumulator: &mut [i16]) {
        accumulator.copy_from_slice(&self.biases);
        for feature in active {
            self.add(feature, accumulator);
        }
    }

    /// Counts a feature that becomes active.
    #[inline]
    pub fn add(&self, feature: u16, accumulator: &mut [i16]) {
        for (sum, &weight) in accumulator.iter_mut().zip(self.row(feature)) {
            // Sums may pass the ends of the type on the way, but not in the end: see `new`.
            *sum = sum.wrapping_add(weight);
        }
    }

    /// Takes back a feature that is no longer active.
    #[inline]
    pub fn remove(&self, feature: u16, accumulator: &mut [i16]) {
        for (sum, &weight) in accumulator.iter_mut().zip(self.row(feature)) {
            *sum = sum.wrapping_sub(weight);
        }
    }

    /// Takes back one feature and counts another.
    #[inline]
    pub fn replace(&self, before: u16, after: u16, accumulator: &mut [i16]) {
        let rows = self.row(before).iter().zip(self.row(after));
        for (sum, (&old, &new)) in accumulator.iter_mut().zip(rows) {
            *sum = sum.wrapping_sub(old).wrapping_add(new);
        }
    }

    fn row(&self, feature: u16) -> &[i16] {
        let start = usize::from(feature) * self.hidden;
        &self.weights[start..start + self.hidden]
    }

    /// The logit of an accumulator, in [units](QuantisedNnue::unit).
    #[inline]
    pub fn output(&self, accumulator: &[i16], bucket: usize) -> i32 {
        let weights = &self.outputs[bucket * self.hidden..(bucket + 1) * self.hidden];
        let product = |(&sum, &weight): (&i16, &i16)| {
            let clamped = sum.clamp(0, ACCUMULATOR_SCALE);
            i32::from(clamped.wrapping_mul(weight)) * i32::from(clamped)
        };
        accumulator.iter().zip(weights).map(product).sum::<i32>() + self.output_biases[bucket]
    }
}
