//! A trained network in small integers, for play.
//!
//! Accumulators are `i16`, so that sixteen neurons fit a vector register and a feature that comes or goes is one addition
//! per register. Activations are squared on the way to the output without leaving `i16`: a clamped value of at most 255
//! times a weight of at most 127 fits.

use crate::{
    Activation, Nnue,
    dot::{Block, LANES, MOST, squared_dot},
};

/// Blocks that stay in registers while the rows of several features are added. Accumulators have a multiple of these.
const PART: usize = 4;
/// One unit of an output weight.
const OUTPUT_SCALE: f32 = 64.0;
/// One unit of an accumulator: activations are clamped to this.
const ACCUMULATOR_SCALE: f32 = MOST as f32;

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
    /// The output could overflow.
    #[error("the logit can reach {0:.0}, but at most {limit:.0} can be played in small integers", limit = i32::MAX as f32 / QuantisedNnue::unit())]
    Logit(f64),
}

/// An [`Nnue`] in small integers.
#[derive(Clone, PartialEq, Debug)]
pub struct QuantisedNnue {
    /// Blocks of neurons in an accumulator, the last ones padded with neurons that are always 0.
    blocks: usize,
    /// One row per feature.
    weights: Vec<Block>,
    biases: Vec<Block>,
    /// One row per head.
    outputs: Vec<Block>,
    output_biases: Vec<i32>,
    /// The weights of scalars, one row per head. Scalars are few and not incremental, so they stay numbers.
    scalars: Vec<f32>,
    /// The largest sum that an accumulator can hold.
    reach: i32,
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
        let reach = reach(net, groups);
        if let Some(neuron) = reach.iter().position(|&reach| reach > i32::from(i16::MAX)) {
            return Err(QuantiseError::Overflow { neuron, reach: reach[neuron] });
        }
        let mut outputs = Vec::new();
        let mut output_biases = Vec::with_capacity(shape.buckets);
        let mut scalars = Vec::with_capacity(shape.buckets * shape.scalars);
        for head in &net.heads {
            let mut row = Vec::with_capacity(hidden);
            let (of_neurons, of_scalars) = head[0].weights.split_at(hidden);
            scalars.extend_from_slice(of_scalars);
            for &weight in of_neurons {
                let rounded = (weight * OUTPUT_SCALE).round();
                if rounded.abs() > 127.0 {
                    return Err(QuantiseError::Weight(weight));
                }
                row.push(rounded as i16);
            }
            let size: i64 = row.iter().map(|&weight| i64::from(weight).abs()).sum();
            let bias = f64::from(head[0].biases[0]) * f64::from(Self::unit());
            let most = size as f64 * f64::from(MOST) * f64::from(MOST) + bias.abs();
            if most > f64::from(i32::MAX) {
                return Err(QuantiseError::Logit(most / f64::from(Self::unit())));
            }
            outputs.extend(padded(&row));
            output_biases.push(bias.round() as i32);
        }
        let rounded = |weights: &[f32]| {
            let row: Vec<i16> = weights.iter().map(|&weight| round(weight) as i16).collect();
            padded(&row)
        };
        Ok(Self {
            blocks: hidden.div_ceil(LANES).next_multiple_of(PART),
            weights: net.input.weights.chunks_exact(hidden).flat_map(rounded).collect(),
            biases: rounded(&net.input.biases),
            outputs,
            output_biases,
            scalars,
            reach: reach.into_iter().max().unwrap_or(0),
        })
    }

    /// How many units of [`QuantisedNnue::output`] make a logit of 1.
    pub fn unit() -> f32 {
        ACCUMULATOR_SCALE * ACCUMULATOR_SCALE * OUTPUT_SCALE
    }

    /// An accumulator without active features.
    pub fn accumulator(&self) -> Vec<Block> {
        self.biases.clone()
    }

    /// The number of blocks in an accumulator.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Features of one perspective.
    pub fn features(&self) -> usize {
        self.weights.len() / self.blocks
    }

    /// The number of heads.
    pub fn buckets(&self) -> usize {
        self.output_biases.len()
    }

    /// Numbers of one perspective that a head reads beside its accumulator.
    pub fn scalars(&self) -> usize {
        self.scalars.len() / self.buckets()
    }

    /// What the scalars of a perspective add to its logit by one of the heads.
    #[inline]
    pub fn scalar_logit(&self, scalars: &[f32], head: usize) -> f32 {
        let weights = &self.scalars[head * scalars.len()..(head + 1) * scalars.len()];
        scalars.iter().zip(weights).map(|(scalar, weight)| scalar * weight).sum()
    }

    /// The largest sum in size that an accumulator can hold; at most 32,767.
    pub fn reach(&self) -> i32 {
        self.reach
    }

    /// Counts a feature that becomes active.
    #[inline]
    pub fn add(&self, feature: u16, accumulator: &mut [Block]) {
        for (sums, weights) in accumulator.iter_mut().zip(self.row(feature)) {
            sums.add(weights);
        }
    }

    /// Takes back a feature that is no longer active.
    #[inline]
    pub fn remove(&self, feature: u16, accumulator: &mut [Block]) {
        for (sums, weights) in accumulator.iter_mut().zip(self.row(feature)) {
            sums.subtract(weights);
        }
    }

    /// Takes back one feature and counts another.
    #[inline]
    pub fn replace(&self, before: u16, after: u16, accumulator: &mut [Block]) {
        let rows = self.row(before).iter().zip(self.row(after));
        for (sums, (old, new)) in accumulator.iter_mut().zip(rows) {
            sums.subtract(old);
            sums.add(new);
        }
    }

    #[inline]
    fn row(&self, feature: u16) -> &[Block] {
        let start = usize::from(feature) * self.blocks;
        &self.weights[start..start + self.blocks]
    }

    /// The logit of an accumulator in which the features `more` become active, by one of the heads, in
    /// [units](QuantisedNnue::unit).
    #[inline]
    pub fn output(&self, accumulator: &[Block], more: &[u16], head: usize) -> i32 {
        let outputs = &self.outputs[head * self.blocks..(head + 1) * self.blocks];
        let parts = accumulator.as_chunks::<PART>().0.iter().zip(outputs.as_chunks::<PART>().0);
        let mut total = self.output_biases[head];
        for (part, (sums, outputs)) in parts.enumerate() {
            let mut sums = *sums;
            for &feature in more {
                let start = usize::from(feature) * self.blocks + part * PART;
                for (sums, weights) in sums.iter_mut().zip(&self.weights[start..start + PART]) {
                    sums.add(weights);
                }
            }
            total += squared_dot(&sums, outputs);
        }
        total
    }
}

impl Nnue<f32> {
    /// The network with the weights that small integers stand for: it quantises to the same [`QuantisedNnue`], and its
    /// weights survive [half precision](crate::Precision::Half), because no integer has more than eleven bits. The weights
    /// of scalars have no integers and are rounded to half precision.
    ///
    /// # Panics
    /// If the network has layers between accumulator and output, and so no integer form.
    #[must_use]
    pub fn rounded(&self) -> Self {
        assert!(self.shape.layers.is_empty(), "only a head without layers has an integer form");
        let mut net = self.clone();
        let input = net.input.weights.iter_mut().chain(&mut net.input.biases);
        input.for_each(|weight| *weight = round(*weight) as f32 / ACCUMULATOR_SCALE);
        for layer in net.heads.iter_mut().flatten() {
            let (of_neurons, of_scalars) = layer.weights.split_at_mut(net.shape.hidden);
            for weight in of_neurons {
                *weight = (*weight * OUTPUT_SCALE).round() / OUTPUT_SCALE;
            }
            for weight in of_scalars {
                *weight = half::f16::from_f32(*weight).to_f32();
            }
        }
        net
    }

    /// Shrinks the input weights of every neuron whose accumulator could overflow in [`QuantisedNnue`], with the same
    /// `groups`. The more cells a board has, the sooner training exceeds the bound; applied after every step, it keeps the
    /// network playable.
    pub fn limit_reach(&mut self, groups: &[usize]) {
        let hidden = self.shape.hidden;
        // Rounding moves the extremes of every group by at most half a unit.
        let limit = f32::from(i16::MAX) / ACCUMULATOR_SCALE - groups.len() as f32 / ACCUMULATOR_SCALE;
        let mut ranges: Vec<[f32; 2]> = self.input.biases.iter().map(|&bias| [bias, bias]).collect();
        let mut extremes = vec![[0.0_f32; 2]; hidden];
        let mut start = 0;
        for &end in groups {
            extremes.fill([0.0; 2]);
            for row in self.input.weights[start * hidden..end * hidden].chunks_exact(hidden) {
                for ([least, most], &weight) in extremes.iter_mut().zip(row) {
                    (*least, *most) = (weight.min(*least), weight.max(*most));
                }
            }
            for ([low, high], [least, most]) in ranges.iter_mut().zip(&extremes) {
                (*low, *high) = (*low + least, *high + most);
            }
            start = end;
        }
        for (neuron, [low, high]) in ranges.into_iter().enumerate() {
            let reach = low.abs().max(high.abs());
            if reach > limit {
                let factor = limit / reach;
                self.input.biases[neuron] *= factor;
                let weights = self.input.weights[neuron..].iter_mut().step_by(hidden);
                weights.for_each(|weight| *weight *= factor);
            }
        }
    }
}

/// A weight in units of the accumulator.
fn round(weight: f32) -> i32 {
    (weight * ACCUMULATOR_SCALE).round() as i32
}

/// How far each neuron can go from 0, in units of the accumulator: up by the largest weight of every group, or down by the
/// smallest.
fn reach(net: &Nnue<f32>, groups: &[usize]) -> Vec<i32> {
    let hidden = net.shape.hidden;
    let biases = net.input.biases.iter().map(|&bias| round(bias));
    let mut ranges: Vec<[i32; 2]> = biases.map(|bias| [bias, bias]).collect();
    let mut extremes = vec![[0; 2]; hidden];
    let mut start = 0;
    for &end in groups {
        // No feature of the group may be active, which adds nothing.
        extremes.fill([0; 2]);
        for row in net.input.weights[start * hidden..end * hidden].chunks_exact(hidden) {
            for ([least, most], &weight) in extremes.iter_mut().zip(row) {
                let weight = round(weight);
                (*least, *most) = (weight.min(*least), weight.max(*most));
            }
        }
        for ([low, high], [least, most]) in ranges.iter_mut().zip(&extremes) {
            (*low, *high) = (low.saturating_add(*least), high.saturating_add(*most));
        }
        start = end;
    }
    ranges.into_iter().map(|[low, high]| low.saturating_abs().max(high.saturating_abs())).collect()
}

/// Numbers as blocks, with zeros at the end.
fn padded(numbers: &[i16]) -> Vec<Block> {
    let mut blocks = vec![Block::default(); numbers.len().div_ceil(LANES).next_multiple_of(PART)];
    for (block, some) in blocks.iter_mut().zip(numbers.chunks(LANES)) {
        block.0[..some.len()].copy_from_slice(some);
    }
    blocks
}
