//! The forward pass.

use super::{PvInput, PvNet, PvOutput, SEATS};
use crate::{
    Conv, Grid, Linear, Scalar,
    conv::{Additions, ConvKernel, Frequencies, sized},
    dense::rectify,
    linear::dot,
    matrix::{Left, Sizes, multiply},
    pool::{POOLS, mean, pool},
    winograd::transpose,
};

/// A network prepared for boards of one shape: its convolutions are transformed once and used often.
///
/// Several threads can share it; each has a [`PvWorkspace`] of its own. The answer to an input does not depend on the other
/// inputs of its batch, down to the last bit.
#[derive(Clone, Debug)]
pub struct PvKernels<T> {
    pub(super) net: PvNet<T>,
    pub(super) grid: Grid,
    pub(super) convs: Vec<ConvKernel<T>>,
    /// The weights of `net.policy` and `net.owners`, by input and output.
    policy: Vec<T>,
    owners: Vec<T>,
    learning: bool,
}

/// Buffers for a batch on its way through a network. They grow to what is needed and are used again.
#[derive(Clone, Debug)]
pub struct PvWorkspace<T> {
    /// Inputs that are worked on at a time.
    pub(super) capacity: usize,
    pub(super) planes: Vec<T>,
    /// The place of the trunk's last layer.
    last: usize,
    /// The trunk's layers: all of them for learning, two in turn for play.
    pub(super) trunk: Vec<Vec<T>>,
    /// The layers inside the blocks: all, or one.
    pub(super) hidden: Vec<Vec<T>>,
    /// The second convolutions' outputs, where they are squeezed: all, or one.
    pub(super) squeezed: Vec<Squeezed<T>>,
    /// Pools of the trunk's layers: all, or one.
    pub(super) pools: Vec<Vec<T>>,
    /// Biases of boards.
    pub(super) biases: Vec<T>,
    pub(crate) summary: Vec<T>,
    pub(super) readout: Vec<T>,
    pub(super) policy: Vec<T>,
    pub(super) owners: Vec<T>,
    pub(super) frequencies: Frequencies<T>,
    /// Gradients of the backward pass.
    pub(super) slopes: super::backward::Slopes<T>,
}

/// The way of one block's output through squeezing and excitation.
#[derive(Clone, Debug, Default)]
pub(super) struct Squeezed<T> {
    pub(super) outputs: Vec<T>,
    pub(super) means: Vec<T>,
    pub(super) small: Vec<T>,
    pub(super) gates: Vec<T>,
}

/// What other crates use is compiled once, here.
impl PvKernels<f32> {
    /// Prepares a network for play.
    pub fn new(net: PvNet<f32>, grid: Grid) -> Self {
        Self::prepared(net, grid, false)
    }

    /// Prepares a network for learning, which takes twice the memory.
    pub fn for_learning(net: PvNet<f32>, grid: Grid) -> Self {
        Self::prepared(net, grid, true)
    }

    /// Prepares another network of the same shape for the same board, in the memory of this one.
    ///
    /// # Panics
    /// If the shape differs.
    #[must_use]
    pub fn renewed(self, net: PvNet<f32>) -> Self {
        self.with(net)
    }

    /// Answers `inputs[i]` in `outputs[i]`, for any number of inputs. Owners are computed if `owners` is set.
    ///
    /// # Panics
    /// If an input has other sizes than the network.
    pub fn evaluate(
        &self,
        inputs: &[PvInput<f32>],
        owners: bool,
        workspace: &mut PvWorkspace<f32>,
        outputs: &mut [PvOutput<f32>],
    ) {
        let capacity = workspace.capacity;
        for (inputs, outputs) in inputs.chunks(capacity).zip(outputs.chunks_mut(capacity)) {
            self.forward(inputs.iter(), workspace);
            if owners {
                self.owner_logits(inputs.len(), workspace);
            }
            for (index, (input, output)) in inputs.iter().zip(outputs).enumerate() {
                self.read(index, input, workspace, output);
                output.owners.clear();
                if owners {
                    let size = self.grid.cells() * self.net.shape.owners;
                    output.owners.extend_from_slice(&workspace.owners[index * size..][..size]);
                }
            }
        }
    }
}

impl<T: Scalar> PvWorkspace<T> {
    /// Inputs that are worked on at a time.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The cells of the trunk's last layer, for the inputs that went forward last.
    pub(crate) fn last_layer(&self) -> &[T] {
        &self.trunk[self.last]
    }
}

impl<T: Scalar> PvKernels<T> {
    pub(crate) fn prepared(net: PvNet<T>, grid: Grid, learning: bool) -> Self {
        let convs = net.convs().map(|conv: &Conv<T>| ConvKernel::new(conv, &grid, learning)).collect();
        let (policy, owners) = (by_input(&net.policy), by_input(&net.owners));
        Self { net, grid, convs, policy, owners, learning }
    }

    /// The same with another network.
    pub(crate) fn with(mut self, net: PvNet<T>) -> Self {
        assert_eq!(net.shape, self.net.shape, "networks of one shape");
        for (kernel, conv) in self.convs.iter_mut().zip(net.convs()) {
            kernel.renew(conv);
        }
        let (policy, owners) = (by_input(&net.policy), by_input(&net.owners));
        Self { net, policy, owners, ..self }
    }

    /// The network.
    pub fn net(&self) -> &PvNet<T> {
        &self.net
    }

    /// The board.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Buffers for this network. Batches are worked on `capacity` inputs at a time.
    pub fn workspace(&self, capacity: usize) -> PvWorkspace<T> {
        let layers = |all: usize, few: usize| vec![Vec::new(); if self.learning { all } else { few }];
        let blocks = self.net.blocks.len();
        PvWorkspace {
            capacity: capacity.max(1),
            planes: Vec::new(),
            last: if self.learning { blocks } else { blocks % 2 },
            trunk: layers(blocks + 1, 2),
            hidden: layers(blocks, 1),
            squeezed: vec![Squeezed::default(); if self.learning { blocks } else { 1 }],
            pools: layers(blocks + 1, 1),
            biases: Vec::new(),
            summary: Vec::new(),
            readout: Vec::new(),
            policy: Vec::new(),
            owners: Vec::new(),
            frequencies: Frequencies::default(),
            slopes: super::backward::Slopes::default(),
        }
    }

    /// Computes the layers that all outputs are read from, for as many inputs as the workspace has room for.
    pub(super) fn forward<'a>(
        &self,
        inputs: impl ExactSizeIterator<Item = &'a PvInput<T>> + Clone,
        workspace: &mut PvWorkspace<T>,
    ) {
        let boards = inputs.len();
        self.body_forward(inputs, workspace);
        self.heads_forward(boards, workspace);
    }

    /// Computes the trunk and the summaries, for as many inputs as the workspace has room for.
    pub(crate) fn body_forward<'a>(
        &self,
        inputs: impl ExactSizeIterator<Item = &'a PvInput<T>> + Clone,
        workspace: &mut PvWorkspace<T>,
    ) {
        let (net, grid, boards) = (&self.net, &self.grid, inputs.len());
        let (filters, layout) = (net.shape.filters, net.shape.layout);
        let layer = boards * grid.cells() * filters;
        workspace.planes.clear();
        let biases = sized(&mut workspace.biases, boards * filters);
        for (input, biases) in inputs.zip(biases.chunks_exact_mut(filters)) {
            assert_eq!(
                input.planes.len(),
                grid.cells() * layout.planes,
                "planes of the encoder on this board"
            );
            assert_eq!(input.globals.len(), layout.globals, "globals of the encoder");
            workspace.planes.extend_from_slice(&input.planes);
            net.globals.forward(&input.globals, biases);
        }
        let first = sized(&mut workspace.trunk[0], layer);
        let additions = Additions { boards: Some(&workspace.biases), residual: None, rectified: true };
        let buffers = &mut workspace.frequencies;
        self.convs[0].forward(grid, boards, &workspace.planes, additions, first, buffers);
        for index in 0..net.blocks.len() {
            self.block_forward(index, boards, workspace);
        }
        self.summary_forward(boards, workspace);
    }

    fn block_forward(&self, index: usize, boards: usize, workspace: &mut PvWorkspace<T>) {
        let (grid, filters) = (&self.grid, self.net.shape.filters);
        let layer = boards * grid.cells() * filters;
        let block = &self.net.blocks[index];
        let PvWorkspace { trunk, hidden, squeezed, pools, biases, frequencies, .. } = workspace;
        let (from, to) = (index % trunk.len(), (index + 1) % trunk.len());
        let cells = std::mem::take(&mut trunk[from]);
        if let Some(linear) = &block.pool {
            let place = index % pools.len();
            let pools = sized(&mut pools[place], boards * POOLS * filters);
            pool(grid, filters, &cells[..layer], pools);
            let biases = sized(biases, boards * filters);
            for (pools, biases) in pools.chunks_exact(POOLS * filters).zip(biases.chunks_exact_mut(filters)) {
                linear.forward(pools, biases);
            }
        }
        let place = index % hidden.len();
        let hidden = sized(&mut hidden[place], layer);
        let boards_biases = block.pool.as_ref().map(|_| &biases[..]);
        let additions = Additions { boards: boards_biases, residual: None, rectified: true };
        self.convs[1 + 2 * index].forward(grid, boards, &cells, additions, hidden, frequencies);
        let second = &self.convs[2 + 2 * index];
        let next = sized(&mut trunk[to], layer);
        match &block.squeeze {
            None => {
                let additions = Additions { boards: None, residual: Some(&cells), rectified: true };
                second.forward(grid, boards, hidden, additions, next, frequencies);
            }
            Some(layers) => {
                let place = index % squeezed.len();
                let squeezed = &mut squeezed[place];
                let outputs = sized(&mut squeezed.outputs, layer);
                let additions = Additions { boards: None, residual: None, rectified: false };
                second.forward(grid, boards, hidden, additions, outputs, frequencies);
                self.squeeze_forward(layers, boards, &cells, squeezed, next);
            }
        }
        trunk[from] = cells;
    }

    /// `next = rectified(cells + gates · outputs)`, where gates are a function of the outputs' means.
    fn squeeze_forward(
        &self,
        [squeeze, excite]: &[Linear<T>; 2],
        boards: usize,
        cells: &[T],
        squeezed: &mut Squeezed<T>,
        next: &mut [T],
    ) {
        let (filters, small) = (squeeze.inputs, squeeze.outputs());
        let size = self.grid.cells() * filters;
        sized(&mut squeezed.means, boards * filters);
        sized(&mut squeezed.small, boards * small);
        sized(&mut squeezed.gates, boards * filters);
        for board in 0..boards {
            let outputs = &squeezed.outputs[board * size..][..size];
            let means = &mut squeezed.means[board * filters..][..filters];
            mean(&self.grid, filters, outputs, means);
            let small = &mut squeezed.small[board * small..][..small];
            squeeze.forward(means, small);
            rectify(small);
            let gates = &mut squeezed.gates[board * filters..][..filters];
            excite.forward(small, gates);
            for gate in gates.iter_mut() {
                *gate = T::ONE / (T::ONE + (-*gate).exp());
            }
            let rows = outputs.chunks_exact(filters).zip(cells[board * size..][..size].chunks_exact(filters));
            for ((output, cell), next) in rows.zip(next[board * size..][..size].chunks_exact_mut(filters)) {
                for channel in 0..filters {
                    next[channel] = gates[channel].mul_add(output[channel], cell[channel]).max(T::ZERO);
                }
            }
        }
    }

    fn summary_forward(&self, boards: usize, workspace: &mut PvWorkspace<T>) {
        let (net, grid, filters) = (&self.net, &self.grid, self.net.shape.filters);
        let PvWorkspace { last, trunk, pools, summary, .. } = workspace;
        let cells = &trunk[*last][..boards * grid.cells() * filters];
        let place = net.blocks.len() % pools.len();
        let pools = sized(&mut pools[place], boards * POOLS * filters);
        pool(grid, filters, cells, pools);
        let summary = sized(summary, boards * net.shape.summary);
        let rows = pools.chunks_exact(POOLS * filters).zip(summary.chunks_exact_mut(net.shape.summary));
        for (pools, summary) in rows {
            net.summary.forward(pools, summary);
            rectify(summary);
        }
    }

    fn heads_forward(&self, boards: usize, workspace: &mut PvWorkspace<T>) {
        let (net, grid, filters) = (&self.net, &self.grid, self.net.shape.filters);
        let layer = boards * grid.cells() * filters;
        let PvWorkspace { last, trunk, pools, biases, summary, readout, policy, .. } = workspace;
        let cells = &trunk[*last][..layer];
        let pools = &pools[net.blocks.len() % pools.len()];
        let readout = sized(readout, boards * net.readout.outputs());
        let biases = sized(biases, boards * filters);
        let policy = sized(policy, layer);
        for board in 0..boards {
            let pools = &pools[board * POOLS * filters..][..POOLS * filters];
            let summary = &summary[board * net.shape.summary..][..net.shape.summary];
            let length = net.readout.outputs();
            net.readout.forward(summary, &mut readout[board * length..][..length]);
            net.policy_pool.forward(pools, &mut biases[board * filters..][..filters]);
        }
        let sizes = Sizes { rows: boards * grid.cells(), inner: filters, columns: filters };
        multiply(sizes, Left::by_rows(cells, filters), &self.policy, policy, false);
        for (index, cell) in policy.chunks_exact_mut(filters).enumerate() {
            if grid.on_board()[index % grid.cells()] {
                let board = &biases[index / grid.cells() * filters..][..filters];
                for ((value, &bias), &own) in cell.iter_mut().zip(board).zip(&net.policy.biases) {
                    *value = (*value + bias + own).max(T::ZERO);
                }
            } else {
                cell.fill(T::ZERO);
            }
        }
    }

    /// Computes the logits of all cells' owners.
    pub(super) fn owner_logits(&self, boards: usize, workspace: &mut PvWorkspace<T>) {
        let (filters, owners) = (self.net.shape.filters, self.net.shape.owners);
        let rows = boards * self.grid.cells();
        let cells = &workspace.trunk[self.net.blocks.len() % workspace.trunk.len()][..rows * filters];
        let logits = sized(&mut workspace.owners, rows * owners);
        let sizes = Sizes { rows, inner: filters, columns: owners };
        multiply(sizes, Left::by_rows(cells, filters), &self.owners, logits, false);
        for logits in logits.chunks_exact_mut(owners.max(1)) {
            crate::linear::add_scaled(logits, &self.net.owners.biases, T::ONE);
        }
    }

    /// Reads what there is to say about one input of the batch that went forward last.
    fn read(&self, index: usize, input: &PvInput<T>, workspace: &PvWorkspace<T>, output: &mut PvOutput<T>) {
        let places = self.net.shape.readout();
        let readout = &workspace.readout[index * places.len..][..places.len];
        output.values.copy_from_slice(&readout[..SEATS]);
        output.margins.copy_from_slice(&readout[places.margin..][..SEATS]);
        output.error = softplus(readout[places.error]);
        output.logits.clear();
        output.logits.resize(input.moves(), T::ZERO);
        let pooled = &readout[places.pooled..places.soft_pooled];
        let cells = self.policy_cells(index, workspace);
        self.move_logits(&self.net.policy_planes, input, cells, pooled, &mut output.logits);
    }

    /// The hidden layers of the cells of one board.
    pub(super) fn policy_cells<'w>(&self, index: usize, workspace: &'w PvWorkspace<T>) -> &'w [T] {
        let size = self.grid.cells() * self.net.shape.filters;
        &workspace.policy[index * size..][..size]
    }

    /// The logits of an input's moves. Only the scores that occur in them are computed.
    pub(super) fn move_logits(
        &self,
        planes: &Linear<T>,
        input: &PvInput<T>,
        cells: &[T],
        pooled: &[T],
        logits: &mut [T],
    ) {
        let (filters, count) = (planes.inputs, planes.outputs());
        let scores = self.grid.cells() * count;
        for (logit, terms) in logits.iter_mut().zip(input.each_move()) {
            *logit = T::ZERO;
            for &(score, weight) in terms {
                let score = score as usize;
                let value = if score < scores {
                    let (cell, plane) = (score / count, score % count);
                    planes.biases[plane]
                        + dot(
                            &planes.weights[plane * filters..][..filters],
                            &cells[cell * filters..][..filters],
                        )
                } else {
                    pooled[score - scores]
                };
                *logit += weight * value;
            }
        }
    }
}

/// The weights of a layer by input and output.
fn by_input<T: Scalar>(layer: &Linear<T>) -> Vec<T> {
    let mut weights = vec![T::ZERO; layer.weights.len()];
    if !weights.is_empty() {
        transpose(&layer.weights, layer.outputs(), &mut weights);
    }
    weights
}

/// A smooth function that is positive, and nearly the identity for large numbers.
pub(super) fn softplus<T: Scalar>(x: T) -> T {
    x.max(T::ZERO) + (T::ONE + (-(x.max(-x))).exp()).ln()
}
