//! The weights of a plane network.

use rand::Rng;

use super::{PlaneHead, PlaneShape};
use crate::{Conv, Linear, Scalar, pool::POOLS};

/// Weights, or gradients of weights, of a plane network.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaneNet<T> {
    /// The sizes.
    pub shape: PlaneShape,
    /// The convolutions, first to last.
    pub convs: Vec<Conv<T>>,
    /// A value's hidden layer, read from the pools of the last convolution; a map's logit of the whole board.
    pub pooled: Linear<T>,
    /// A value, read from its hidden layer; a map's logit of a cell, read from its channels.
    pub readout: Linear<T>,
}

impl<T: Scalar> PlaneNet<T> {
    /// A network of zeros, also used to collect gradients.
    pub fn zeros(shape: &PlaneShape) -> Self {
        let convs = (0..shape.layers)
            .map(|layer| Conv::zeros(if layer == 0 { shape.planes } else { shape.channels }, shape.channels));
        let hidden = if shape.head == PlaneHead::Value { shape.channels } else { 1 };
        Self {
            shape: *shape,
            convs: convs.collect(),
            pooled: Linear::zeros(POOLS * shape.channels, hidden),
            readout: Linear::zeros(shape.channels, 1),
        }
    }

    /// A network to start training from.
    pub fn random(shape: &PlaneShape, rng: &mut impl Rng) -> Self {
        let mut net = Self::zeros(shape);
        // There is no normalisation: blocks add little at first, so that numbers keep their size through all of them.
        let quiet = 0.5 / ((shape.layers / 2).max(1) as f64).sqrt();
        for (layer, conv) in net.convs.iter_mut().enumerate() {
            let gain = if shape.residual && layer > 0 && layer % 2 == 0 { quiet } else { 1.0 };
            *conv = Conv::random(conv.inputs, conv.outputs, gain, rng);
        }
        net.pooled = Linear::random(net.pooled.inputs, net.pooled.outputs(), rng);
        net.readout = Linear::random(net.readout.inputs, 1, rng);
        net
    }

    /// Every group of weights with its name and sizes, in the order of [`PlaneNet::parameters_mut`].
    pub fn parameters(&self) -> Vec<(String, Vec<usize>, &[T])> {
        let mut all = Vec::new();
        for (layer, conv) in self.convs.iter().enumerate() {
            let sizes = vec![3, 3, conv.inputs, conv.outputs];
            all.push((format!("conv.{layer}.weight"), sizes, &conv.weights[..]));
            all.push((format!("conv.{layer}.bias"), vec![conv.outputs], &conv.biases[..]));
        }
        for (name, layer) in [("pooled", &self.pooled), ("readout", &self.readout)] {
            let sizes = vec![layer.outputs(), layer.inputs];
            all.push((format!("{name}.weight"), sizes, &layer.weights[..]));
            all.push((format!("{name}.bias"), vec![layer.outputs()], &layer.biases[..]));
        }
        all
    }

    /// The same weights to change.
    pub fn parameters_mut(&mut self) -> Vec<&mut [T]> {
        let convs = self.convs.iter_mut().flat_map(|conv| [&mut conv.weights[..], &mut conv.biases[..]]);
        let linears = [&mut self.pooled, &mut self.readout];
        let linears = linears.into_iter().flat_map(|layer| [&mut layer.weights[..], &mut layer.biases[..]]);
        convs.chain(linears).collect()
    }
}
