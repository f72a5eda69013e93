//! Learning: losses and their gradients with respect to all weights.

use super::{EbmoKernels, EbmoNet, EbmoWorkspace};
use crate::{
    PvInput, Scalar,
    conv::sized,
    dense::{inputs_backward, keep_positive, weights_backward, zeros},
    linear::add_scaled,
    loss::softmax_cross_entropy,
    pv::PvGradient,
};

/// What is known about a position and its actions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EbmoLabels<T> {
    /// The probability that each action of the input should have: of one positive action among negative ones, or of a
    /// search over all legal moves.
    pub policy: Vec<T>,
    /// The action that was played, and its result for the mover in \[−1, 1\].
    pub played: Option<(usize, T)>,
    /// How much the position counts.
    pub weight: T,
}

/// How much each loss counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EbmoWeights {
    /// Energies are divided by this before they become probabilities.
    pub temperature: f64,
    /// The squared difference of the played action's energy and its result's opposite.
    pub outcome: f64,
}

impl Default for EbmoWeights {
    fn default() -> Self {
        Self { temperature: 0.1, outcome: 0.5 }
    }
}

/// Sums of losses.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct EbmoLosses {
    /// The sum of the positions' weights.
    pub weight: f64,
    /// The cross-entropy of the policy, less the entropy of its target.
    pub policy: f64,
    /// The squared errors of energies, and the sum of the weights of the positions that have a result.
    pub outcome: (f64, f64),
    /// How often the action of the lowest energy is the most probable one.
    pub hits: f64,
}

impl EbmoLosses {
    /// Adds the sums of other positions.
    pub fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        self.policy += other.policy;
        self.outcome.0 += other.outcome.0;
        self.outcome.1 += other.outcome.1;
        self.hits += other.hits;
    }
}

/// Sums of gradients, with those of the trunk's convolutions still transformed.
#[derive(Clone, Debug)]
pub struct EbmoGradient<T> {
    net: EbmoNet<T>,
    trunk: PvGradient<T>,
}

impl EbmoKernels<f32> {
    /// A gradient of zeros.
    pub fn no_gradient(&self) -> EbmoGradient<f32> {
        self.zero_gradient()
    }

    /// The losses of positions; their gradients, times the positions' weights, are added to `gradient`.
    ///
    /// # Panics
    /// If the network was prepared for play only, or a position has other sizes than the network.
    pub fn accumulate(
        &self,
        positions: &[(&PvInput<f32>, &EbmoLabels<f32>)],
        weights: &EbmoWeights,
        gradient: &mut EbmoGradient<f32>,
        workspace: &mut EbmoWorkspace<f32>,
    ) -> EbmoLosses {
        self.add_gradients(positions, weights, gradient, workspace)
    }

    /// The losses of each position, without gradients.
    ///
    /// # Panics
    /// If a position has other sizes than the network.
    pub fn losses(
        &self,
        positions: &[(&PvInput<f32>, &EbmoLabels<f32>)],
        weights: &EbmoWeights,
        workspace: &mut EbmoWorkspace<f32>,
    ) -> Vec<EbmoLosses> {
        let mut losses = Vec::with_capacity(positions.len());
        for positions in positions.chunks(workspace.trunk.capacity()) {
            let inputs: Vec<&PvInput<f32>> = positions.iter().map(|position| position.0).collect();
            let energies = self.energies_of(&inputs, workspace);
            let mut row = 0;
            for (input, labels) in positions {
                let energies = &energies[row..row + input.moves()];
                row += input.moves();
                let mut of_position = EbmoLosses::default();
                let mut slopes = vec![0.0; energies.len()];
                position_loss(energies, labels, weights, &mut slopes, &mut of_position);
                losses.push(of_position);
            }
        }
        losses
    }

    /// The gradient with respect to the weights.
    pub fn finish(&self, gradient: &EbmoGradient<f32>) -> EbmoNet<f32> {
        self.finished(gradient)
    }
}

impl<T: Scalar> EbmoGradient<T> {
    /// Sets all sums to zero.
    pub fn clear(&mut self) {
        self.net.parameters_mut().into_iter().for_each(|group| group.fill(T::ZERO));
        self.trunk.clear();
    }
}

impl<T: Scalar> EbmoKernels<T> {
    pub(super) fn zero_gradient(&self) -> EbmoGradient<T> {
        EbmoGradient { net: EbmoNet::zeros(&self.net.shape), trunk: self.trunk.no_gradient() }
    }

    pub(super) fn finished(&self, gradient: &EbmoGradient<T>) -> EbmoNet<T> {
        EbmoNet { trunk: self.trunk.finish(&gradient.trunk, T::ONE), ..gradient.net.clone() }
    }

    pub(super) fn add_gradients(
        &self,
        positions: &[(&PvInput<T>, &EbmoLabels<T>)],
        weights: &EbmoWeights,
        gradient: &mut EbmoGradient<T>,
        workspace: &mut EbmoWorkspace<T>,
    ) -> EbmoLosses {
        let mut losses = EbmoLosses::default();
        for positions in positions.chunks(workspace.trunk.capacity()) {
            self.add_some(positions, weights, gradient, workspace, &mut losses);
        }
        losses
    }

    fn add_some(
        &self,
        positions: &[(&PvInput<T>, &EbmoLabels<T>)],
        weights: &EbmoWeights,
        gradient: &mut EbmoGradient<T>,
        workspace: &mut EbmoWorkspace<T>,
        losses: &mut EbmoLosses,
    ) {
        let (shape, hidden) = (&self.net.shape, self.net.shape.hidden);
        let inputs: Vec<&PvInput<T>> = positions.iter().map(|position| position.0).collect();
        let energies = self.energies_of(&inputs, workspace);
        let rows = energies.len();
        let mut slopes = vec![T::ZERO; rows];
        let mut row = 0;
        for (input, labels) in positions {
            let range = row..row + input.moves();
            position_loss(&energies[range.clone()], labels, weights, &mut slopes[range.clone()], losses);
            row = range.end;
        }
        // The energy network.
        let net = &mut gradient.net;
        let EbmoWorkspace { layers, slopes: [above, below, of_embeddings], .. } = workspace;
        weights_backward(rows, &layers[self.inner.len()], &slopes, &mut net.energy);
        inputs_backward(&self.net.energy, rows, &slopes, sized(above, rows * hidden), false);
        keep_positive(&layers[self.inner.len()], &mut above[..rows * hidden]);
        for (index, layer) in self.net.inner.iter().enumerate().rev() {
            weights_backward(rows, &layers[index], above, &mut net.inner[index]);
            inputs_backward(layer, rows, above, sized(below, rows * hidden), false);
            keep_positive(&layers[index], &mut below[..rows * hidden]);
            std::mem::swap(above, below);
        }
        weights_backward(rows, &workspace.embeddings, above, &mut net.first[1]);
        zeros(of_embeddings, rows * shape.action);
        inputs_backward(&self.net.first[1], rows, above, of_embeddings, false);
        zeros(below, positions.len() * hidden);
        let mut of_rows = above.chunks_exact(hidden);
        for (input, sums) in inputs.iter().zip(below.chunks_exact_mut(hidden)) {
            of_rows.by_ref().take(input.moves()).for_each(|row| add_scaled(sums, row, T::ONE));
        }
        let count = positions.len();
        weights_backward(count, &workspace.trunk.summary, below, &mut net.first[0]);
        let mut summaries = vec![T::ZERO; count * shape.trunk.summary];
        inputs_backward(&self.net.first[0], count, below, &mut summaries, false);
        let cells = self.actions_backward(&inputs, rows, net, workspace);
        self.trunk.body_backward(&inputs, &mut summaries, &cells, &mut gradient.trunk, &mut workspace.trunk);
    }

    /// The energies of all actions of positions, one position after the other.
    fn energies_of(&self, inputs: &[&PvInput<T>], workspace: &mut EbmoWorkspace<T>) -> Vec<T> {
        let hidden = self.net.shape.hidden;
        let rows: usize = inputs.iter().map(|input| input.moves()).sum();
        self.states_forward(inputs.iter().copied(), workspace);
        self.actions_forward(inputs, workspace);
        let sums = sized(&mut workspace.layers[0], rows * hidden);
        self.first[1].forward(rows, &workspace.embeddings, sums);
        let mut of_rows = sums.chunks_exact_mut(hidden);
        for (index, input) in inputs.iter().enumerate() {
            let base = &workspace.bases[index * hidden..][..hidden];
            of_rows.by_ref().take(input.moves()).for_each(|row| add_scaled(row, base, T::ONE));
        }
        let mut energies = vec![T::ZERO; rows];
        self.energies_forward(rows, &mut energies, workspace);
        energies
    }

    /// Takes the slopes of embeddings to the weights that they are made with. Returns the slopes of the trunk's last layer.
    fn actions_backward(
        &self,
        inputs: &[&PvInput<T>],
        rows: usize,
        net: &mut EbmoNet<T>,
        workspace: &mut EbmoWorkspace<T>,
    ) -> Vec<T> {
        let (shape, filters) = (&self.net.shape, self.net.shape.trunk.filters);
        let EbmoWorkspace { inside: [first, second], inputs: numbers, slopes, .. } = workspace;
        let [above, below, of_embeddings] = slopes;
        let hidden = rows * shape.action_hidden;
        weights_backward(rows, second, of_embeddings, &mut net.action[2]);
        inputs_backward(&self.net.action[2], rows, of_embeddings, sized(above, hidden), false);
        keep_positive(second, &mut above[..hidden]);
        weights_backward(rows, first, above, &mut net.action[1]);
        inputs_backward(&self.net.action[1], rows, above, sized(below, hidden), false);
        keep_positive(first, &mut below[..hidden]);
        weights_backward(rows, numbers, below, &mut net.action[0]);
        let size = self.trunk.grid().cells() * filters;
        let mut cells = vec![T::ZERO; inputs.len() * size];
        if shape.local {
            let width = shape.inputs();
            inputs_backward(&self.net.action[0], rows, below, sized(above, rows * width), false);
            let mut of_rows = above.chunks_exact(width);
            for (board, input) in inputs.iter().enumerate() {
                for (m, row) in (0..input.moves()).zip(of_rows.by_ref()) {
                    for (side, cell) in input.terms(m).iter().filter_map(|term| self.touched(term.0)) {
                        let part = &row[shape.features + side * filters..][..filters];
                        add_scaled(&mut cells[board * size + cell * filters..][..filters], part, T::ONE);
                    }
                }
            }
        }
        cells
    }
}

/// Adds the losses of a position and writes the slopes of its energies.
fn position_loss<T: Scalar>(
    energies: &[T],
    labels: &EbmoLabels<T>,
    weights: &EbmoWeights,
    slopes: &mut [T],
    losses: &mut EbmoLosses,
) {
    let weight = labels.weight.to_f64();
    losses.weight += weight;
    if !labels.policy.is_empty() {
        assert_eq!(labels.policy.len(), energies.len(), "one probability per action");
        let scale = T::from_f64(-1.0 / weights.temperature);
        let logits: Vec<T> = energies.iter().map(|&energy| energy * scale).collect();
        losses.policy += weight * softmax_cross_entropy(&logits, &labels.policy, slopes).to_f64();
        for slope in slopes.iter_mut() {
            *slope = *slope * scale * labels.weight;
        }
        let best = |numbers: &[T]| {
            (0..numbers.len())
                .fold(0, |best, index| if numbers[index] > numbers[best] { index } else { best })
        };
        losses.hits += if best(&logits) == best(&labels.policy) { weight } else { 0.0 };
    }
    if let Some((played, result)) = labels.played {
        let off = energies[played] + result;
        let factor = labels.weight * T::from_f64(2.0 * weights.outcome);
        slopes[played] += factor * off;
        losses.outcome.0 += weight * (off * off).to_f64();
        losses.outcome.1 += weight;
    }
}
