//! The forward pass.

use super::{PlaneActivation, PlaneHead, PlaneNet};
use crate::{
    Grid, Scalar,
    conv::{Additions, ConvKernel, Frequencies, sized},
    linear::dot,
    pool::{POOLS, pool},
};

/// A network prepared for boards of one shape: its convolutions are transformed once and used often.
///
/// Several threads can share it; each has a [`PlaneWorkspace`] of its own. The answer for a board does not depend on the
/// other boards of its batch, down to the last bit.
#[derive(Clone, Debug)]
pub struct PlaneKernels<T> {
    pub(super) net: PlaneNet<T>,
    pub(super) grid: Grid,
    pub(super) convs: Vec<ConvKernel<T>>,
    pub(super) learning: bool,
}

/// Buffers for a batch on its way through a network. They grow to what is needed and are used again.
#[derive(Clone, Debug)]
pub struct PlaneWorkspace<T> {
    /// Boards that are worked on at a time.
    pub(super) capacity: usize,
    /// The outputs of the convolutions: all of them for learning, three in turn for play.
    pub(super) layers: Vec<Vec<T>>,
    pub(super) pools: Vec<T>,
    /// The hidden layers of values.
    pub(super) hidden: Vec<T>,
    pub(super) outputs: Vec<T>,
    pub(super) frequencies: Frequencies<T>,
    /// Gradients with respect to layers.
    pub(super) slopes: [Vec<T>; 2],
    pub(super) pool_slopes: Vec<T>,
}

/// What other crates use is compiled once, here.
impl PlaneKernels<f32> {
    /// Prepares a network for play.
    pub fn new(net: PlaneNet<f32>, grid: Grid) -> Self {
        Self::prepared(net, grid, false)
    }

    /// Prepares a network for learning, which takes twice the memory.
    pub fn for_learning(net: PlaneNet<f32>, grid: Grid) -> Self {
        Self::prepared(net, grid, true)
    }

    /// Answers any number of boards, whose planes follow each other: the [outputs](super::PlaneShape::outputs) of each are
    /// appended to `outputs`.
    ///
    /// # Panics
    /// If the planes are not those of whole boards.
    pub fn evaluate(&self, planes: &[f32], workspace: &mut PlaneWorkspace<f32>, outputs: &mut Vec<f32>) {
        for planes in planes.chunks(workspace.capacity * self.inputs()) {
            outputs.extend_from_slice(self.forward(planes, workspace));
        }
    }
}

impl<T: Scalar> PlaneKernels<T> {
    pub(super) fn prepared(net: PlaneNet<T>, grid: Grid, learning: bool) -> Self {
        let convs = net.convs.iter().map(|conv| ConvKernel::new(conv, &grid, learning)).collect();
        Self { net, grid, convs, learning }
    }

    /// The network.
    pub fn net(&self) -> &PlaneNet<T> {
        &self.net
    }

    /// The board.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The numbers that go in for one board.
    pub fn inputs(&self) -> usize {
        self.grid.cells() * self.net.shape.planes
    }

    /// Buffers for this network, which work on `capacity` boards at a time.
    pub fn workspace(&self, capacity: usize) -> PlaneWorkspace<T> {
        PlaneWorkspace {
            capacity: capacity.max(1),
            layers: vec![Vec::new(); if self.learning { self.convs.len() } else { 3 }],
            pools: Vec::new(),
            hidden: Vec::new(),
            outputs: Vec::new(),
            frequencies: Frequencies::default(),
            slopes: Default::default(),
            pool_slopes: Vec::new(),
        }
    }

    /// Computes the outputs of at most as many boards as the workspace has room for.
    pub(super) fn forward<'w>(&self, planes: &[T], workspace: &'w mut PlaneWorkspace<T>) -> &'w [T] {
        let (shape, grid) = (&self.net.shape, &self.grid);
        assert_eq!(planes.len() % self.inputs(), 0, "planes of whole boards");
        let boards = planes.len() / self.inputs();
        assert!(boards <= workspace.capacity, "no more boards than the workspace has room for");
        let layer = boards * grid.cells() * shape.channels;
        let rectified = shape.activation == PlaneActivation::Relu;
        let PlaneWorkspace { layers, frequencies, .. } = workspace;
        let places = layers.len();
        for (index, conv) in self.convs.iter().enumerate() {
            let mut outputs = std::mem::take(&mut layers[index % places]);
            let below = if index == 0 { planes } else { &layers[(index - 1) % places][..layer] };
            // The second convolution of a block adds to the block's input.
            let adds = shape.residual && index > 0 && index % 2 == 0;
            let residual = adds.then(|| &layers[(index - 2) % places][..layer]);
            let additions = Additions { boards: None, residual, rectified };
            conv.forward(grid, boards, below, additions, sized(&mut outputs, layer), frequencies);
            if !rectified {
                elu(&mut outputs[..layer]);
            }
            layers[index % places] = outputs;
        }
        self.head_forward(boards, workspace);
        &workspace.outputs[..boards * shape.outputs(grid.cells())]
    }

    fn head_forward(&self, boards: usize, workspace: &mut PlaneWorkspace<T>) {
        let (net, grid, channels) = (&self.net, &self.grid, self.net.shape.channels);
        let PlaneWorkspace { layers, pools, hidden, outputs, .. } = workspace;
        let last = &layers[(self.convs.len() - 1) % layers.len()][..boards * grid.cells() * channels];
        let pools = sized(pools, boards * POOLS * channels);
        pool(grid, channels, last, pools);
        let size = net.shape.outputs(grid.cells());
        let outputs = sized(outputs, boards * size);
        let hidden = sized(hidden, boards * channels);
        for (board, pools) in pools.chunks_exact(POOLS * channels).enumerate() {
            let output = &mut outputs[board * size..][..size];
            match net.shape.head {
                PlaneHead::Value => {
                    let hidden = &mut hidden[board * channels..][..channels];
                    net.pooled.forward(pools, hidden);
                    for neuron in hidden.iter_mut() {
                        *neuron = neuron.max(T::ZERO);
                    }
                    net.readout.forward(hidden, output);
                    output[0] = tanh(output[0]);
                }
                PlaneHead::Map => {
                    let (cells, pass) = output.split_at_mut(size - 1);
                    net.pooled.forward(pools, pass);
                    let board = &last[board * grid.cells() * channels..];
                    for (cell, channels) in cells.iter_mut().zip(board.chunks_exact(channels)) {
                        *cell = net.readout.biases[0] + dot(&net.readout.weights, channels);
                    }
                }
            }
        }
    }
}

/// Replaces negative numbers `x` by `eˣ − 1`.
fn elu<T: Scalar>(values: &mut [T]) {
    for value in values.iter_mut().filter(|value| **value < T::ZERO) {
        *value = value.exp() - T::ONE;
    }
}

/// The hyperbolic tangent.
fn tanh<T: Scalar>(x: T) -> T {
    let power = (-(x + x)).exp();
    // For large negative numbers the power is infinite.
    if power > T::from_f64(1e30) { -T::ONE } else { (T::ONE - power) / (T::ONE + power) }
}
