//! The backward pass.

use super::{
    PvInput, PvKernels, PvLosses, PvNet, PvTarget, PvWeights, PvWorkspace,
    kernels::Squeezed,
    target::{softened, summary_loss},
};
use crate::{
    Grid, Linear, Scalar,
    conv::{ConvKernel, sized},
    dense::{inputs_backward, keep_positive, weights_backward, zeros},
    linear::add_scaled,
    loss::softmax_cross_entropy,
    matrix::{Left, Sizes, multiply},
    pool::{POOLS, pool_backward},
    winograd::ConvSums,
};

/// Sums of gradients, with those of convolutions still transformed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PvGradient<T> {
    /// All weights but those of convolutions.
    net: PvNet<T>,
    /// The transformed weights of every convolution.
    convs: Vec<ConvSums<T>>,
}

/// Gradients with respect to the layers of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Slopes<T> {
    cells: Vec<T>,
    hidden: Vec<T>,
    outputs: Vec<T>,
    policy: Vec<T>,
    owners: Vec<T>,
    readout: Vec<T>,
    pools: Vec<T>,
    /// Small lists that belong to one board.
    short: [Vec<T>; 3],
    logits: Vec<T>,
    of_logits: Vec<T>,
    soft: Vec<T>,
}

impl<T: Scalar> PvGradient<T> {
    /// Sets all sums to zero.
    pub(crate) fn clear(&mut self) {
        self.net.parameters_mut().into_iter().for_each(|group| group.fill(T::ZERO));
        self.convs.iter_mut().for_each(ConvSums::clear);
    }

    /// Adds the sums of another gradient.
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, (_, _, more)) in self.net.parameters_mut().into_iter().zip(other.net.parameters()) {
            add_scaled(sum, more, T::ONE);
        }
        for (sum, more) in self.convs.iter_mut().zip(&other.convs) {
            sum.add(more);
        }
    }
}

impl<T: Scalar> PvKernels<T> {
    /// A gradient of zeros.
    pub(crate) fn no_gradient(&self) -> PvGradient<T> {
        let convs = self.convs.iter().map(ConvKernel::no_gradient).collect();
        PvGradient { net: PvNet::zeros(&self.net.shape), convs }
    }

    /// The gradient with respect to the weights, times `scale`.
    pub(crate) fn finish(&self, gradient: &PvGradient<T>, scale: T) -> PvNet<T> {
        let mut net = gradient.net.clone();
        for ((kernel, transformed), conv) in self.convs.iter().zip(&gradient.convs).zip(net.convs_mut()) {
            kernel.add_gradient(transformed, conv);
        }
        for group in net.parameters_mut() {
            for slope in group.iter_mut() {
                *slope = *slope * scale;
            }
        }
        net
    }

    /// The losses of positions; their gradients, times the positions' weights, are added to `gradient`.
    ///
    /// # Panics
    /// If the network was prepared for play only, or a position has other sizes than the network.
    pub(super) fn accumulate(
        &self,
        positions: &[(&PvInput<T>, &PvTarget<T>)],
        weights: &PvWeights,
        gradient: &mut PvGradient<T>,
        workspace: &mut PvWorkspace<T>,
    ) -> PvLosses {
        assert_eq!(workspace.hidden.len(), self.net.blocks.len(), "a workspace for learning");
        let mut losses = PvLosses::default();
        for positions in positions.chunks(workspace.capacity) {
            self.forward(positions.iter().map(|position| position.0), workspace);
            let mut slopes = std::mem::take(&mut workspace.slopes);
            self.losses(positions, weights, gradient, workspace, &mut slopes, &mut losses);
            self.heads_backward(positions.len(), gradient, workspace, &mut slopes);
            for index in (0..self.net.blocks.len()).rev() {
                self.block_backward(index, positions.len(), gradient, workspace, &mut slopes);
            }
            let inputs: Vec<&PvInput<T>> = positions.iter().map(|position| position.0).collect();
            self.input_backward(&inputs, gradient, workspace, &mut slopes);
            workspace.slopes = slopes;
        }
        losses
    }

    /// Given the gradients with respect to the summaries and to the cells of the trunk's last layer, adds that with respect
    /// to the weights of everything below them, for the inputs that went forward last.
    pub(crate) fn body_backward(
        &self,
        inputs: &[&PvInput<T>],
        summary_slopes: &mut [T],
        cell_slopes: &[T],
        gradient: &mut PvGradient<T>,
        workspace: &mut PvWorkspace<T>,
    ) {
        assert_eq!(workspace.hidden.len(), self.net.blocks.len(), "a workspace for learning");
        let (net, grid, filters, boards) = (&self.net, &self.grid, self.net.shape.filters, inputs.len());
        let mut slopes = std::mem::take(&mut workspace.slopes);
        slopes.cells.clear();
        slopes.cells.extend_from_slice(cell_slopes);
        let summary = &workspace.summary[..boards * net.shape.summary];
        keep_positive(summary, summary_slopes);
        let pools = &workspace.pools[net.blocks.len()][..boards * POOLS * filters];
        weights_backward(boards, pools, summary_slopes, &mut gradient.net.summary);
        zeros(&mut slopes.pools, pools.len());
        inputs_backward(&net.summary, boards, summary_slopes, &mut slopes.pools, false);
        let cells = &workspace.trunk[net.blocks.len()][..boards * grid.cells() * filters];
        pool_backward(grid, filters, cells, pools, &slopes.pools, &mut slopes.cells);
        for index in (0..net.blocks.len()).rev() {
            self.block_backward(index, boards, gradient, workspace, &mut slopes);
        }
        self.input_backward(inputs, gradient, workspace, &mut slopes);
        workspace.slopes = slopes;
    }

    /// Computes losses and their slopes, and takes those of owners and policies to the cells.
    fn losses(
        &self,
        positions: &[(&PvInput<T>, &PvTarget<T>)],
        weights: &PvWeights,
        gradient: &mut PvGradient<T>,
        workspace: &mut PvWorkspace<T>,
        slopes: &mut Slopes<T>,
        losses: &mut PvLosses,
    ) {
        let (filters, places) = (self.net.shape.filters, self.net.shape.readout());
        let rows = positions.len() * self.grid.cells();
        zeros(&mut slopes.cells, rows * filters);
        zeros(&mut slopes.policy, rows * filters);
        zeros(&mut slopes.readout, positions.len() * places.len);
        for (index, (input, target)) in positions.iter().enumerate() {
            assert_eq!(target.value.len(), input.seats, "one share per seat");
            let readout = &workspace.readout[index * places.len..][..places.len];
            let read = &mut slopes.readout[index * places.len..][..places.len];
            summary_loss(readout, target, weights, read, losses);
            if target.policy.is_empty() {
                continue;
            }
            assert_eq!(target.policy.len(), input.moves(), "one probability per move");
            let weight = target.weight.to_f64();
            losses.policy_weight += weight;
            let size = self.grid.cells() * filters;
            let cells = &workspace.policy[index * size..][..size];
            let cell_slopes = &mut slopes.policy[index * size..][..size];
            softened(&target.policy, &mut slopes.soft);
            for soft in [false, true] {
                let (planes, first) = if soft {
                    (&self.net.soft_planes, places.soft_pooled)
                } else {
                    (&self.net.policy_planes, places.pooled)
                };
                let pooled = first..first + self.net.shape.layout.policy_pooled;
                let goal = if soft { &slopes.soft } else { &target.policy };
                zeros(&mut slopes.logits, input.moves());
                zeros(&mut slopes.of_logits, input.moves());
                self.move_logits(planes, input, cells, &readout[pooled.clone()], &mut slopes.logits);
                let loss = softmax_cross_entropy(&slopes.logits, goal, &mut slopes.of_logits).to_f64();
                let factor = if soft { weights.soft_policy } else { weights.policy };
                let factor = target.weight * T::from_f64(factor);
                for slope in &mut slopes.of_logits {
                    *slope = *slope * factor;
                }
                let collected =
                    if soft { &mut gradient.net.soft_planes } else { &mut gradient.net.policy_planes };
                let moves = Moves { input, slopes: &slopes.of_logits, cells: self.grid.cells() };
                moves.backward(planes, cells, collected, cell_slopes, &mut read[pooled]);
                if soft {
                    losses.soft_policy += weight * loss;
                } else {
                    losses.policy += weight * loss;
                    let hit = first_best(&slopes.logits) == first_best(&target.policy);
                    losses.policy_hits += if hit { weight } else { 0.0 };
                }
            }
        }
        if positions.iter().any(|(_, target)| !target.owner.is_empty()) {
            self.owner_losses(positions, weights, gradient, workspace, slopes, losses);
        }
    }

    fn owner_losses(
        &self,
        positions: &[(&PvInput<T>, &PvTarget<T>)],
        weights: &PvWeights,
        gradient: &mut PvGradient<T>,
        workspace: &mut PvWorkspace<T>,
        slopes: &mut Slopes<T>,
        losses: &mut PvLosses,
    ) {
        let (grid, owners) = (&self.grid, self.net.shape.owners);
        let rows = positions.len() * grid.cells();
        self.owner_logits(positions.len(), workspace);
        zeros(&mut slopes.owners, rows * owners);
        let mut goal = vec![T::ZERO; owners];
        for (index, (_, target)) in positions.iter().enumerate() {
            let known =
                |cell: &usize| grid.on_board()[*cell] && target.owner[*cell] != PvTarget::<T>::UNKNOWN;
            let count = (0..target.owner.len()).filter(known).count();
            let share = 1.0 / count.max(1) as f64;
            for cell in (0..target.owner.len()).filter(known) {
                goal[usize::from(target.owner[cell])] = T::ONE;
                let place = (index * grid.cells() + cell) * owners;
                let cell_slopes = &mut slopes.owners[place..][..owners];
                let loss = softmax_cross_entropy(&workspace.owners[place..][..owners], &goal, cell_slopes);
                losses.owner += target.weight.to_f64() * share * loss.to_f64();
                let factor = target.weight * T::from_f64(weights.owner * share);
                for slope in cell_slopes.iter_mut() {
                    *slope = *slope * factor;
                }
                goal[usize::from(target.owner[cell])] = T::ZERO;
            }
        }
        let cells = &workspace.trunk[self.net.blocks.len()];
        cells_backward(
            &self.net.owners,
            rows,
            cells,
            &slopes.owners,
            &mut gradient.net.owners,
            &mut slopes.cells,
        );
    }

    /// Takes the slopes of the policy's hidden layer and of the readout to the trunk's last layer.
    fn heads_backward(
        &self,
        boards: usize,
        gradient: &mut PvGradient<T>,
        workspace: &PvWorkspace<T>,
        slopes: &mut Slopes<T>,
    ) {
        let (net, grid, filters) = (&self.net, &self.grid, self.net.shape.filters);
        let (size, pooled) = (grid.cells() * filters, POOLS * filters);
        let cells = &workspace.trunk[net.blocks.len()][..boards * size];
        let pools = &workspace.pools[net.blocks.len()][..boards * pooled];
        keep_positive(&workspace.policy, &mut slopes.policy);
        let collected = &mut gradient.net.policy;
        cells_backward(
            &net.policy,
            boards * grid.cells(),
            cells,
            &slopes.policy,
            collected,
            &mut slopes.cells,
        );
        zeros(&mut slopes.pools, boards * pooled);
        let [sums, short, pool_slopes] = &mut slopes.short;
        let pool_slopes = sized(pool_slopes, pooled);
        for board in 0..boards {
            let pools = &pools[board * pooled..][..pooled];
            let collected = &mut slopes.pools[board * pooled..][..pooled];
            let sums = sum_of_cells(filters, &slopes.policy[board * size..][..size], sums);
            net.policy_pool.backward(pools, sums, &mut gradient.net.policy_pool, pool_slopes);
            add_scaled(collected, pool_slopes, T::ONE);
            let summary = &workspace.summary[board * net.shape.summary..][..net.shape.summary];
            let length = net.readout.outputs();
            let short = sized(short, net.shape.summary);
            let read = &slopes.readout[board * length..][..length];
            net.readout.backward(summary, read, &mut gradient.net.readout, short);
            keep_positive(summary, short);
            net.summary.backward(pools, short, &mut gradient.net.summary, pool_slopes);
            add_scaled(collected, pool_slopes, T::ONE);
        }
        pool_backward(grid, filters, cells, pools, &slopes.pools, &mut slopes.cells);
    }

    /// Takes the slopes of a block's output, in `slopes.cells`, to its input.
    fn block_backward(
        &self,
        index: usize,
        boards: usize,
        gradient: &mut PvGradient<T>,
        workspace: &mut PvWorkspace<T>,
        slopes: &mut Slopes<T>,
    ) {
        let (grid, filters, block) = (&self.grid, self.net.shape.filters, &self.net.blocks[index]);
        let layer = boards * grid.cells() * filters;
        let PvWorkspace { trunk, hidden, squeezed, pools, frequencies, .. } = workspace;
        keep_positive(&trunk[index + 1], &mut slopes.cells);
        let inside = &hidden[index][..layer];
        let (below, rest) = gradient.convs.split_at_mut(2 + 2 * index);
        let (first, second) = (&mut below[1 + 2 * index], &mut rest[0]);
        let Slopes { cells, hidden: hidden_slopes, outputs, short, pools: pool_slopes, .. } = slopes;
        let collected = &mut gradient.net.blocks[index];
        let output_slopes = match (&block.squeeze, &mut collected.squeeze) {
            (Some(layers), Some(collected)) => {
                let outputs = sized(outputs, layer);
                squeeze_backward(grid, layers, collected, &squeezed[index], cells, outputs, short);
                &*outputs
            }
            _ => &cells[..],
        };
        let hidden_slopes = sized(hidden_slopes, layer);
        let collected_second = (second, &mut collected.second.biases[..]);
        let kernel = &self.convs[2 + 2 * index];
        let into = Some((&mut hidden_slopes[..], false));
        kernel.backward(grid, boards, inside, output_slopes, collected_second, into, frequencies);
        keep_positive(inside, hidden_slopes);
        let below = &trunk[index][..layer];
        if let (Some(linear), Some(collected)) = (&block.pool, &mut collected.pool) {
            let pools = &pools[index][..boards * POOLS * filters];
            zeros(pool_slopes, pools.len());
            let size = grid.cells() * filters;
            let boards = hidden_slopes.chunks_exact(size).zip(pools.chunks_exact(POOLS * filters));
            for ((hidden, pools), slopes) in boards.zip(pool_slopes.chunks_exact_mut(POOLS * filters)) {
                let sums = sum_of_cells(filters, hidden, &mut short[0]);
                linear.backward(pools, sums, collected, slopes);
            }
            pool_backward(grid, filters, below, pools, pool_slopes, cells);
        }
        let collected_first = (first, &mut collected.first.biases[..]);
        let kernel = &self.convs[1 + 2 * index];
        kernel.backward(
            grid,
            boards,
            below,
            hidden_slopes,
            collected_first,
            Some((cells, true)),
            frequencies,
        );
    }

    fn input_backward(
        &self,
        inputs: &[&PvInput<T>],
        gradient: &mut PvGradient<T>,
        workspace: &mut PvWorkspace<T>,
        slopes: &mut Slopes<T>,
    ) {
        let (grid, filters) = (&self.grid, self.net.shape.filters);
        keep_positive(&workspace.trunk[0], &mut slopes.cells);
        let [sums, unused, _] = &mut slopes.short;
        let unused = sized(unused, self.net.globals.inputs);
        for (input, cells) in inputs.iter().zip(slopes.cells.chunks_exact(grid.cells() * filters)) {
            let sums = sum_of_cells(filters, cells, sums);
            self.net.globals.backward(&input.globals, sums, &mut gradient.net.globals, unused);
        }
        let collected = (&mut gradient.convs[0], &mut gradient.net.input.biases[..]);
        let PvWorkspace { planes, frequencies, .. } = workspace;
        self.convs[0].backward(grid, inputs.len(), planes, &slopes.cells, collected, None, frequencies);
    }
}

/// The moves of an input with the slopes of their logits.
struct Moves<'a, T> {
    input: &'a PvInput<T>,
    slopes: &'a [T],
    cells: usize,
}

impl<T: Scalar> Moves<'_, T> {
    /// Adds the slopes of the planes' weights, of the cells' hidden layers and of the pooled scores.
    fn backward(
        &self,
        planes: &Linear<T>,
        cells: &[T],
        gradient: &mut Linear<T>,
        cell_slopes: &mut [T],
        pooled: &mut [T],
    ) {
        let (filters, count) = (planes.inputs, planes.outputs());
        for (terms, &slope) in self.input.each_move().zip(self.slopes) {
            for &(score, weight) in terms {
                let (score, slope) = (score as usize, slope * weight);
                if score >= self.cells * count {
                    pooled[score - self.cells * count] += slope;
                    continue;
                }
                let (cell, plane) = (score / count * filters, score % count * filters);
                gradient.biases[score % count] += slope;
                add_scaled(&mut gradient.weights[plane..][..filters], &cells[cell..][..filters], slope);
                add_scaled(&mut cell_slopes[cell..][..filters], &planes.weights[plane..][..filters], slope);
            }
        }
    }
}

/// The backward pass of a layer that is applied to every cell.
fn cells_backward<T: Scalar>(
    layer: &Linear<T>,
    rows: usize,
    cells: &[T],
    slopes: &[T],
    gradient: &mut Linear<T>,
    cell_slopes: &mut [T],
) {
    let (inputs, outputs) = (layer.inputs, layer.outputs());
    let slopes = &slopes[..rows * outputs];
    for cell in slopes.chunks_exact(outputs) {
        add_scaled(&mut gradient.biases, cell, T::ONE);
    }
    let sizes = Sizes { rows: outputs, inner: rows, columns: inputs };
    multiply(sizes, Left::transposed(slopes, outputs), cells, &mut gradient.weights, true);
    let sizes = Sizes { rows, inner: outputs, columns: inputs };
    multiply(sizes, Left::by_rows(slopes, outputs), &layer.weights, cell_slopes, true);
}

/// Given the slopes of `cells + gates · outputs`, adds those of the outputs and of the layers that make the gates.
fn squeeze_backward<T: Scalar>(
    grid: &Grid,
    [squeeze, excite]: &[Linear<T>; 2],
    [squeeze_gradient, excite_gradient]: &mut [Linear<T>; 2],
    squeezed: &Squeezed<T>,
    slopes: &[T],
    output_slopes: &mut [T],
    [gate_slopes, small_slopes, mean_slopes]: &mut [Vec<T>; 3],
) {
    let (filters, small) = (squeeze.inputs, squeeze.outputs());
    let size = grid.cells() * filters;
    let share = T::from_f64(1.0 / grid.area() as f64);
    let boards = slopes.chunks_exact(size).zip(output_slopes.chunks_exact_mut(size));
    for (board, (slopes, output_slopes)) in boards.enumerate() {
        let outputs = &squeezed.outputs[board * size..][..size];
        let gates = &squeezed.gates[board * filters..][..filters];
        zeros(gate_slopes, filters);
        for (slopes, outputs) in slopes.chunks_exact(filters).zip(outputs.chunks_exact(filters)) {
            for channel in 0..filters {
                gate_slopes[channel] += slopes[channel] * outputs[channel];
            }
        }
        for (slope, &gate) in gate_slopes.iter_mut().zip(gates) {
            *slope = *slope * gate * (T::ONE - gate);
        }
        let means = &squeezed.means[board * filters..][..filters];
        let smalls = &squeezed.small[board * small..][..small];
        zeros(small_slopes, small);
        excite.backward(smalls, gate_slopes, excite_gradient, small_slopes);
        keep_positive(smalls, small_slopes);
        zeros(mean_slopes, filters);
        squeeze.backward(means, small_slopes, squeeze_gradient, mean_slopes);
        let rows =
            slopes.chunks_exact(filters).zip(output_slopes.chunks_exact_mut(filters)).zip(grid.on_board());
        for ((slopes, output_slopes), on) in rows {
            if !on {
                output_slopes.fill(T::ZERO);
                continue;
            }
            for channel in 0..filters {
                output_slopes[channel] = slopes[channel] * gates[channel] + share * mean_slopes[channel];
            }
        }
    }
}

/// The sum over cells of every channel of one board.
fn sum_of_cells<'s, T: Scalar>(channels: usize, cells: &[T], sums: &'s mut Vec<T>) -> &'s [T] {
    zeros(sums, channels);
    for cell in cells.chunks_exact(channels) {
        add_scaled(sums, cell, T::ONE);
    }
    sums
}

/// The first place of the largest number.
fn first_best<T: Scalar>(values: &[T]) -> usize {
    let mut best = 0;
    for (index, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = index;
        }
    }
    best
}
