//! An efficiently updatable network: one sparse input layer shared by all perspectives, a small head on top.
//!
//! A sample is seen from every seat. Each perspective has its own list of active features and, through the shared input
//! layer, its own accumulator. The head turns accumulators into one logit per seat, and the softmax over seats is the
//! share of the game each seat can expect. With two seats that is the sigmoid of a difference, so one network serves
//! any number of seats.

use rand::Rng;

use crate::{Activation, Linear, Scalar, SparseLinear, loss::softmax_cross_entropy};

/// The most perspectives of a sample.
pub const MAX_PERSPECTIVES: usize = 4;

/// The sizes that describe an [`Nnue`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NnueShape {
    /// Features of one perspective.
    pub features: usize,
    /// Neurons of the accumulator.
    pub hidden: usize,
    /// What accumulator neurons and later layers make of their sums.
    pub activation: Activation,
    /// Sizes of the layers between the accumulator and the output; empty for an output right on the accumulator.
    pub layers: Vec<usize>,
    /// The number of heads; each perspective of a sample names one.
    pub buckets: usize,
    /// Numbers of one perspective that heads read as they are, beside the accumulator.
    pub scalars: usize,
}

impl NnueShape {
    /// How many activations a head reads: those of its own accumulator, and the means of all others if it has layers in
    /// between.
    ///
    /// A head without layers is linear in the activations, and what it would add for the others is the same for all
    /// seats up to its own share: the softmax does not see it.
    fn head_activations(&self) -> usize {
        if self.layers.is_empty() { self.hidden } else { 2 * self.hidden }
    }

    /// How many numbers a head reads: activations, then scalars.
    fn head_inputs(&self) -> usize {
        self.head_activations() + self.scalars
    }

    /// The sizes of one head, from its inputs to its single output.
    fn head_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![self.head_inputs()];
        sizes.extend_from_slice(&self.layers);
        sizes.push(1);
        sizes
    }
}

/// Weights, or gradients of weights, of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Nnue<T> {
    /// The sizes.
    pub shape: NnueShape,
    /// The input layer, shared by all perspectives.
    pub input: SparseLinear<T>,
    /// The layers of each bucket's head.
    pub heads: Vec<Vec<Linear<T>>>,
}

/// One position to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a, T> {
    /// The active features of every perspective, one list per seat.
    pub perspectives: &'a [&'a [u16]],
    /// The scalars of every perspective, one after another.
    pub scalars: &'a [T],
    /// The head of every perspective.
    pub heads: &'a [u8],
    /// The share of the game each seat should be given; sums to 1.
    pub target: &'a [T],
    /// How much the sample counts.
    pub weight: T,
}

/// Buffers of one sample's way through the network.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    /// Sums of every accumulator, perspective by perspective.
    sums: Vec<T>,
    /// Their activations.
    activations: Vec<T>,
    /// Gradient with respect to the activations, then the sums.
    slopes: Vec<T>,
    /// Inputs and sums of every layer of a head, perspective by perspective.
    inputs: Vec<Vec<T>>,
    outputs: Vec<Vec<T>>,
    layer_slopes: [Vec<T>; 2],
    logits: [T; MAX_PERSPECTIVES],
    logit_slopes: [T; MAX_PERSPECTIVES],
}

impl<T: Scalar> Workspace<T> {
    /// Buffers for networks of this shape.
    pub fn new(shape: &NnueShape) -> Self {
        let sizes = shape.head_sizes();
        let widest = sizes.iter().copied().max().unwrap_or(1);
        let accumulators = || vec![T::ZERO; MAX_PERSPECTIVES * shape.hidden];
        let per_layer = |sizes: &[usize]| -> Vec<Vec<T>> {
            let buffer = |&size: &usize| vec![T::ZERO; MAX_PERSPECTIVES * size];
            sizes.iter().map(buffer).collect()
        };
        Self {
            sums: accumulators(),
            activations: accumulators(),
            slopes: accumulators(),
            inputs: per_layer(&sizes[..sizes.len() - 1]),
            outputs: per_layer(&sizes[1..]),
            layer_slopes: [vec![T::ZERO; widest], vec![T::ZERO; widest]],
            logits: [T::ZERO; MAX_PERSPECTIVES],
            logit_slopes: [T::ZERO; MAX_PERSPECTIVES],
        }
    }
}

impl<T: Scalar> Nnue<T> {
    /// A network of zeros, also used to collect gradients.
    pub fn zeros(shape: &NnueShape) -> Self {
        let head = || shape.head_sizes().windows(2).map(|pair| Linear::zeros(pair[0], pair[1])).collect();
        Self {
            shape: shape.clone(),
            input: SparseLinear::zeros(shape.features, shape.hidden),
            heads: (0..shape.buckets).map(|_| head()).collect(),
        }
    }

    /// A network to start training from. `active` is how many features a perspective usually has; all buckets start
    /// with the same head.
    pub fn random(shape: &NnueShape, active: usize, rng: &mut impl Rng) -> Self {
        let input = SparseLinear::random(shape.features, shape.hidden, active, rng);
        let sizes = shape.head_sizes();
        let head: Vec<_> = sizes.windows(2).map(|pair| Linear::random(pair[0], pair[1], rng)).collect();
        Self { shape: shape.clone(), input, heads: vec![head; shape.buckets] }
    }

    /// Every group of weights with its name, in the order of [`Nnue::parameters_mut`].
    pub fn parameters(&self) -> Vec<(String, &[T])> {
        let mut all = vec![
            ("input.weight".to_owned(), &self.input.weights[..]),
            ("input.bias".to_owned(), &self.input.biases[..]),
        ];
        for (bucket, head) in self.heads.iter().enumerate() {
            for (index, layer) in head.iter().enumerate() {
                all.push((format!("head.{bucket}.{index}.weight"), &layer.weights));
                all.push((format!("head.{bucket}.{index}.bias"), &layer.biases));
            }
        }
        all
    }

    /// The same weights to change.
    pub fn parameters_mut(&mut self) -> Vec<&mut [T]> {
        let mut all = vec![&mut self.input.weights[..], &mut self.input.biases[..]];
        for layer in self.heads.iter_mut().flatten() {
            all.push(&mut layer.weights);
            all.push(&mut layer.biases);
        }
        all
    }

    /// One logit per perspective. The scalars of all perspectives follow each other.
    pub fn logits<'w>(
        &self,
        perspectives: &[&[u16]],
        scalars: &[T],
        heads: &[u8],
        workspace: &'w mut Workspace<T>,
    ) -> &'w [T] {
        let hidden = self.shape.hidden;
        for (index, active) in perspectives.iter().enumerate() {
            let span = index * hidden..(index + 1) * hidden;
            self.input.forward(active, &mut workspace.sums[span.clone()]);
            self.shape.activation.forward(&workspace.sums[span.clone()], &mut workspace.activations[span]);
        }
        let (activations, inputs) = (self.shape.head_activations(), self.shape.head_inputs());
        for (index, &head) in heads[..perspectives.len()].iter().enumerate() {
            let own = &scalars[index * self.shape.scalars..(index + 1) * self.shape.scalars];
            workspace.inputs[0][index * inputs + activations..(index + 1) * inputs].copy_from_slice(own);
            self.head_forward(index, perspectives.len(), head.into(), workspace);
        }
        &workspace.logits[..perspectives.len()]
    }

    /// The loss of a sample; its gradient is added to `gradient`.
    pub fn accumulate(&self, sample: &Sample<'_, T>, gradient: &mut Self, workspace: &mut Workspace<T>) -> T {
        let (seats, hidden) = (sample.perspectives.len(), self.shape.hidden);
        self.logits(sample.perspectives, sample.scalars, sample.heads, workspace);
        let Workspace { logits, logit_slopes, .. } = workspace;
        let loss = softmax_cross_entropy(&logits[..seats], sample.target, &mut logit_slopes[..seats]);
        workspace.slopes[..seats * hidden].fill(T::ZERO);
        for index in 0..seats {
            let slope = sample.weight * workspace.logit_slopes[index];
            self.head_backward(index, seats, sample.heads[index].into(), slope, gradient, workspace);
        }
        for (index, active) in sample.perspectives.iter().enumerate() {
            let span = index * hidden..(index + 1) * hidden;
            let Workspace { sums, slopes, .. } = workspace;
            self.shape.activation.backward(&sums[span.clone()], &mut slopes[span.clone()]);
            self.input.backward(active, &slopes[span], &mut gradient.input);
        }
        sample.weight * loss
    }

    /// Computes the logit of one perspective from the activations of all, and its scalars among the inputs of its head.
    fn head_forward(&self, index: usize, seats: usize, bucket: usize, workspace: &mut Workspace<T>) {
        let hidden = self.shape.hidden;
        let head = &self.heads[bucket];
        let Workspace { activations, inputs, outputs, logits, .. } = workspace;
        let (width, inputs_width) = (self.shape.head_activations(), self.shape.head_inputs());
        let first = &mut inputs[0][index * inputs_width..][..width];
        first[..hidden].copy_from_slice(&activations[index * hidden..(index + 1) * hidden]);
        if width > hidden {
            let others = &mut first[hidden..];
            others.fill(T::ZERO);
            let share = T::from_f64(1.0 / (seats - 1) as f64);
            for other in (0..seats).filter(|&other| other != index) {
                let theirs = &activations[other * hidden..(other + 1) * hidden];
                crate::linear::add_scaled(others, theirs, share);
            }
        }
        for (number, layer) in head.iter().enumerate() {
            let (width, height) = (layer.inputs, layer.outputs());
            let sums = &mut outputs[number][index * height..(index + 1) * height];
            layer.forward(&inputs[number][index * width..(index + 1) * width], sums);
            if number + 1 < head.len() {
                let next = &mut inputs[number + 1][index * height..(index + 1) * height];
                self.shape.activation.forward(sums, next);
            } else {
                logits[index] = sums[0];
            }
        }
    }

    /// Takes the slope of one logit back to the activations of all perspectives.
    fn head_backward(
        &self,
        index: usize,
        seats: usize,
        bucket: usize,
        slope: T,
        gradient: &mut Self,
        workspace: &mut Workspace<T>,
    ) {
        let hidden = self.shape.hidden;
        let head = &self.heads[bucket];
        let Workspace { slopes, inputs, outputs, layer_slopes: [above, below], .. } = workspace;
        above[0] = slope;
        for (number, layer) in head.iter().enumerate().rev() {
            let (width, height) = (layer.inputs, layer.outputs());
            if number + 1 < head.len() {
                let sums = &outputs[number][index * height..(index + 1) * height];
                self.shape.activation.backward(sums, &mut above[..height]);
            }
            let fed = &inputs[number][index * width..(index + 1) * width];
            let collected = &mut gradient.heads[bucket][number];
            layer.backward(fed, &above[..height], collected, &mut below[..width]);
            std::mem::swap(above, below);
        }
        crate::linear::add_scaled(
            &mut slopes[index * hidden..(index + 1) * hidden],
            &above[..hidden],
            T::ONE,
        );
        if self.shape.head_activations() > hidden {
            let share = T::from_f64(1.0 / (seats - 1) as f64);
            for other in (0..seats).filter(|&other| other != index) {
                let theirs = &mut slopes[other * hidden..(other + 1) * hidden];
                crate::linear::add_scaled(theirs, &above[hidden..2 * hidden], share);
            }
        }
    }
}
