//! The forward pass, and the gradient with respect to embeddings.

use super::{DropoutMasks, ENSEMBLE, ERROR, GmoInput, GmoNet, LOG_VARIANCE, VALUE, graph::GraphRows};
use crate::{
    Scalar,
    conv::sized,
    dense::{Dense, inputs_backward, keep_positive, rectify, zeros},
    linear::{add_scaled, dot},
};

/// The least and the largest logarithm of a variance that a network can say.
pub(super) const LOG_VARIANCES: [f64; 2] = [-4.0, 4.0];

/// A network prepared for products of many rows.
///
/// Several threads can share it; each has a [`GmoWorkspace`] of its own.
#[derive(Clone, Debug)]
pub struct GmoKernels<T> {
    pub(super) net: GmoNet<T>,
    pub(super) state: Dense<T>,
    pub(super) words: Dense<T>,
    pub(super) moves: Dense<T>,
    pub(super) first: [Dense<T>; 2],
    pub(super) second: Dense<T>,
    pub(super) readout: Dense<T>,
    pub(super) projection: Option<[Dense<T>; 3]>,
    pub(super) legality: Option<[Dense<T>; 4]>,
    pub(super) after: Option<Dense<T>>,
    /// By rows, the covariance of the value head's weights; empty if it is not known.
    covariance: Vec<T>,
}

/// Buffers for a position and points of its embedding space. They grow to what is needed and are used again.
#[derive(Clone, Debug, Default)]
pub struct GmoWorkspace<T> {
    /// Sums of features, one row per position.
    pub(super) features: Vec<T>,
    /// What embeddings of positions are made from: those sums, or what graph attention reads; rectified.
    pub(super) sums: Vec<T>,
    /// Graph attention, by position.
    pub(super) graphs: Vec<GraphRows<T>>,
    /// Rectified sums of the features after each move.
    pub(super) after: Vec<T>,
    /// Embeddings of positions.
    pub(super) states: Vec<T>,
    /// What the first layer of the value network reads of positions.
    pub(super) bases: Vec<T>,
    /// Embeddings of words, side by side, one row per move.
    pub(super) words: Vec<T>,
    /// Rectified, one row per move.
    pub(super) inside: Vec<T>,
    /// Embeddings of moves.
    pub(super) moves: Vec<T>,
    pub(super) value: ValueRows<T>,
    pub(super) legality: LegalityRows<T>,
    pub(super) slopes: [Vec<T>; 4],
}

/// The value network's layers.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueRows<T> {
    pub(super) points: usize,
    /// Sums of the first layer, one row per point.
    pub(super) sums: Vec<T>,
    /// Rectified and masked, one row per pass and point.
    pub(super) first: Vec<T>,
    pub(super) second: Vec<T>,
    /// What it says, raw.
    pub(super) raw: Vec<T>,
    /// The points' values as they were told.
    pub(super) told: GmoPoints<T>,
}

/// The legality network's layers.
#[derive(Clone, Debug, Default)]
pub(super) struct LegalityRows<T> {
    pub(super) first: Vec<T>,
    pub(super) second: Vec<T>,
}

/// What a network says about points of the embedding space, or slopes with respect to that.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GmoPoints<T> {
    /// Values in (−1, 1) by pass and point.
    pub values: Vec<T>,
    /// Logarithms of variances by pass and point.
    pub log_variances: Vec<T>,
    /// Expected squared errors by pass and point.
    pub errors: Vec<T>,
    /// Values of the ensemble by pass, point and member.
    pub ensemble: Vec<T>,
    /// Variances under the posterior of the value head by pass and point, if it is known.
    pub spreads: Vec<T>,
    /// Probabilities of being legal by point, if the network judges them.
    pub legality: Vec<T>,
}

impl<T: Scalar> GmoPoints<T> {
    /// Makes all numbers zero, for `points` points in `passes` passes of a network.
    pub fn reset(&mut self, kernels: &GmoKernels<T>, points: usize, passes: usize) {
        let rows = points * passes;
        zeros(&mut self.values, rows);
        zeros(&mut self.log_variances, rows);
        zeros(&mut self.errors, rows);
        zeros(&mut self.ensemble, rows * kernels.net.shape.ensemble);
        zeros(&mut self.spreads, if kernels.covariance.is_empty() { 0 } else { rows });
        zeros(&mut self.legality, if kernels.legality.is_some() { points } else { 0 });
    }
}

impl<T: Scalar> GmoKernels<T> {
    /// Prepares a network.
    pub fn new(net: GmoNet<T>) -> Self {
        Self {
            state: Dense::new(&net.state),
            words: Dense::new(&net.words),
            moves: Dense::new(&net.moves),
            first: [0, 1].map(|half: usize| Dense::new(&net.first[half])),
            second: Dense::new(&net.second),
            readout: Dense::new(&net.readout),
            projection: net.projection.as_ref().map(|layers| layers.each_ref().map(Dense::new)),
            legality: net.legality.as_ref().map(|layers| layers.each_ref().map(Dense::new)),
            after: net.after.as_ref().map(Dense::new),
            net,
            covariance: Vec::new(),
        }
    }

    /// Adds the covariance of the value head's weights, from which [`GmoPoints::spreads`] are computed.
    ///
    /// # Panics
    /// If it is not a square of as many rows as there are hidden neurons.
    #[must_use]
    pub fn with_covariance(self, covariance: Vec<T>) -> Self {
        let hidden = self.net.shape.hidden;
        assert_eq!(covariance.len(), hidden * hidden, "one row and column per hidden neuron");
        Self { covariance, ..self }
    }

    /// The network.
    pub fn net(&self) -> &GmoNet<T> {
        &self.net
    }

    /// Embeds a position, which further calls are about, and its moves, one row of `embeddings` each.
    pub fn begin(&self, input: &GmoInput, embeddings: &mut Vec<T>, workspace: &mut GmoWorkspace<T>) {
        self.states_forward(std::iter::once(input), workspace);
        let moves = input.moves(self.net.shape.groups.len());
        self.moves_forward(std::iter::once(input), moves, workspace);
        embeddings.clear();
        embeddings.extend_from_slice(&workspace.moves[..moves * self.net.shape.moves]);
    }

    /// Embeds positions and computes what the value network reads of them.
    pub(super) fn states_forward<'i>(
        &self,
        inputs: impl ExactSizeIterator<Item = &'i GmoInput>,
        workspace: &mut GmoWorkspace<T>,
    ) {
        let (hidden, count) = (self.net.shape.hidden, inputs.len());
        let GmoWorkspace { features, sums, graphs, states, bases, .. } = workspace;
        let features = sized(features, count * hidden);
        let sums = sized(sums, count * hidden);
        graphs.resize_with(graphs.len().max(count), GraphRows::default);
        let rows = features.chunks_exact_mut(hidden).zip(sums.chunks_exact_mut(hidden)).zip(graphs);
        for (input, ((features, sums), graphs)) in inputs.zip(rows) {
            self.net.features.forward(&input.features, features);
            match (&self.net.graph, &self.net.shape.graph) {
                (Some(graph), Some(shape)) => graph.forward(shape, &input.features, graphs, sums),
                _ => sums.copy_from_slice(features),
            }
        }
        rectify(sums);
        let states = sized(states, count * self.net.shape.state);
        self.state.forward(count, sums, states);
        let bases = sized(bases, count * hidden);
        self.first[0].forward(count, states, bases);
    }

    /// Embeds all moves of positions, one row after the other.
    pub(super) fn moves_forward<'i>(
        &self,
        inputs: impl Iterator<Item = &'i GmoInput>,
        count: usize,
        workspace: &mut GmoWorkspace<T>,
    ) {
        let (shape, groups) = (&self.net.shape, self.net.shape.groups.len());
        let GmoWorkspace { words, inside, moves, features, after, .. } = workspace;
        let words = sized(words, count * shape.width());
        let mut rows = words.chunks_exact_mut(shape.width());
        let after = sized(after, if shape.after { count * shape.hidden } else { 0 });
        let mut after_rows = after.chunks_exact_mut(shape.hidden);
        for (input, features) in inputs.zip(features.chunks_exact(shape.hidden)) {
            for (m, mut row) in (0..input.moves(groups)).zip(rows.by_ref()) {
                if let Some(after) = after_rows.next() {
                    after.copy_from_slice(features);
                    for &change in input.words(m, groups - 1, groups) {
                        let (feature, sign) = change_of(change, shape.features);
                        add_scaled(after, self.net.features.row(feature), sign);
                    }
                }
                for (group, table) in self.net.tables.iter().enumerate() {
                    let (of_group, rest) = row.split_at_mut(table.outputs);
                    table.forward(input.words(m, group, groups), of_group);
                    row = rest;
                }
            }
        }
        let inside = sized(inside, count * shape.moves);
        self.words.forward(count, words, inside);
        if let Some(layer) = &self.after {
            rectify(after);
            layer.forward_onto(count, after, inside);
        }
        rectify(inside);
        self.moves.forward(count, inside, sized(moves, count * shape.moves));
    }

    /// Says what the network thinks of points of the embedding space, once for every mask.
    pub fn forward(
        &self,
        points: &[T],
        masks: &DropoutMasks<T>,
        told: &mut GmoPoints<T>,
        workspace: &mut GmoWorkspace<T>,
    ) {
        let hidden = self.net.shape.hidden;
        let (count, passes) = (points.len() / self.net.shape.moves, masks.count());
        let value = &mut workspace.value;
        self.first[1].forward(count, points, sized(&mut value.sums, count * hidden));
        for row in value.sums[..count * hidden].chunks_exact_mut(hidden) {
            add_scaled(row, &workspace.bases[..hidden], T::ONE);
        }
        value.points = count;
        self.value_forward(passes, |row| masks.of(row / count.max(1)), value);
        told.reset(self, count, passes);
        self.tell(value, told);
        if self.legality.is_some() {
            self.legality_forward(points, count, &mut told.legality, workspace);
        }
        workspace.value.told.clone_from(told);
    }

    /// The value network from the first layer's sums on. `mask` has the factors of every row of pass and point.
    pub(super) fn value_forward<'m>(
        &self,
        passes: usize,
        mask: impl Fn(usize) -> [&'m [T]; 2],
        value: &mut ValueRows<T>,
    ) where
        T: 'm,
    {
        let (hidden, rows) = (self.net.shape.hidden, passes * value.points);
        let first = sized(&mut value.first, rows * hidden);
        for (index, row) in first.chunks_exact_mut(hidden).enumerate() {
            let sums = &value.sums[index % value.points * hidden..][..hidden];
            for ((cell, &sum), &factor) in row.iter_mut().zip(sums).zip(mask(index)[0]) {
                *cell = sum.max(T::ZERO) * factor;
            }
        }
        let second = sized(&mut value.second, rows * hidden);
        self.second.forward(rows, first, second);
        for (index, row) in second.chunks_exact_mut(hidden).enumerate() {
            for (cell, &factor) in row.iter_mut().zip(mask(index)[1]) {
                *cell = cell.max(T::ZERO) * factor;
            }
        }
        self.readout.forward(rows, second, sized(&mut value.raw, rows * self.net.shape.heads()));
    }

    /// Turns raw outputs into what they mean.
    fn tell(&self, value: &ValueRows<T>, told: &mut GmoPoints<T>) {
        let (heads, hidden) = (self.net.shape.heads(), self.net.shape.hidden);
        let members = heads - ENSEMBLE;
        for row in 0..told.values.len() {
            let raw = &value.raw[row * heads..][..heads];
            told.values[row] = tanh(raw[VALUE]);
            told.log_variances[row] = bounded(raw[LOG_VARIANCE]);
            told.errors[row] = softplus(raw[ERROR]);
            for (member, &raw) in told.ensemble[row * members..][..members].iter_mut().zip(&raw[ENSEMBLE..]) {
                *member = tanh(raw);
            }
            if !told.spreads.is_empty() {
                let features = &value.second[row * hidden..][..hidden];
                told.spreads[row] = self.spread(features);
            }
        }
    }

    fn spread(&self, features: &[T]) -> T {
        let rows = self.covariance.chunks_exact(features.len());
        rows.zip(features).map(|(row, &feature)| feature * dot(row, features)).sum()
    }

    /// The gradient with respect to the points of the last forward pass, given that with respect to what was told.
    ///
    /// # Panics
    /// If the numbers of points or passes are not those of the last forward pass.
    pub fn backward(
        &self,
        slopes: &GmoPoints<T>,
        masks: &DropoutMasks<T>,
        point_slopes: &mut Vec<T>,
        workspace: &mut GmoWorkspace<T>,
    ) {
        let (hidden, heads) = (self.net.shape.hidden, self.net.shape.heads());
        let GmoWorkspace { value, slopes: [raw, second, first, sums], .. } = workspace;
        let (points, rows) = (value.points, value.points * masks.count());
        assert_eq!(slopes.values.len(), rows, "slopes of the last forward pass");
        zeros(raw, rows * heads);
        let members = heads - ENSEMBLE;
        let told = &value.told;
        for (row, raw) in raw.chunks_exact_mut(heads).enumerate() {
            raw[VALUE] = slopes.values[row] * (T::ONE - told.values[row] * told.values[row]);
            let saw = value.raw[row * heads + LOG_VARIANCE];
            raw[LOG_VARIANCE] = slopes.log_variances[row] * bounded_slope(saw);
            raw[ERROR] = slopes.errors[row] * sigmoid(value.raw[row * heads + ERROR]);
            for (member, raw) in raw[ENSEMBLE..].iter_mut().enumerate() {
                let told = told.ensemble[row * members + member];
                *raw = slopes.ensemble[row * members + member] * (T::ONE - told * told);
            }
        }
        inputs_backward(&self.net.readout, rows, raw, sized(second, rows * hidden), false);
        if !slopes.spreads.is_empty() {
            let two = T::ONE + T::ONE;
            for (row, second) in second.chunks_exact_mut(hidden).enumerate().take(rows) {
                let features = &value.second[row * hidden..][..hidden];
                for (slope, covariances) in second.iter_mut().zip(self.covariance.chunks_exact(hidden)) {
                    *slope += slopes.spreads[row] * two * dot(covariances, features);
                }
            }
        }
        let mask = |row: usize| masks.of(row / points.max(1));
        masked_backward(hidden, &value.second[..rows * hidden], |row| mask(row)[1], second);
        inputs_backward(&self.net.second, rows, second, sized(first, rows * hidden), false);
        masked_backward(hidden, &value.first[..rows * hidden], |row| mask(row)[0], first);
        zeros(sums, points * hidden);
        for (row, slopes) in first[..rows * hidden].chunks_exact(hidden).enumerate() {
            add_scaled(&mut sums[row % points * hidden..][..hidden], slopes, T::ONE);
        }
        zeros(point_slopes, points * self.net.shape.moves);
        inputs_backward(&self.net.first[1], points, sums, point_slopes, false);
        if !slopes.legality.is_empty() {
            self.legality_backward(points, &slopes.legality, point_slopes, workspace);
        }
    }

    /// The probability that each point is the embedding of a legal move.
    pub(super) fn legality_forward(
        &self,
        points: &[T],
        count: usize,
        probabilities: &mut [T],
        workspace: &mut GmoWorkspace<T>,
    ) {
        let Some([states, moves, inner, last]) = &self.legality else { return };
        let width = states.outputs();
        let LegalityRows { first, second } = &mut workspace.legality;
        let mut base = vec![T::ZERO; width];
        states.forward(1, &workspace.states[..self.net.shape.state], &mut base);
        let first = sized(first, count * width);
        moves.forward(count, points, first);
        first.chunks_exact_mut(width).for_each(|row| add_scaled(row, &base, T::ONE));
        rectify(first);
        let second = sized(second, count * width);
        inner.forward(count, first, second);
        rectify(second);
        last.forward(count, second, probabilities);
        for probability in probabilities.iter_mut() {
            *probability = sigmoid(*probability);
        }
    }

    fn legality_backward(
        &self,
        count: usize,
        slopes: &[T],
        point_slopes: &mut [T],
        workspace: &mut GmoWorkspace<T>,
    ) {
        let Some([_, moves, inner, last]) = &self.net.legality else { return };
        let width = inner.inputs;
        let GmoWorkspace { legality, slopes: [raw, second, first, _], value, .. } = workspace;
        zeros(raw, count);
        for ((raw, &slope), &told) in raw.iter_mut().zip(slopes).zip(&value.told.legality) {
            *raw = slope * told * (T::ONE - told);
        }
        let second = sized(second, count * width);
        inputs_backward(last, count, raw, second, false);
        keep_positive(&legality.second, second);
        let first = sized(first, count * width);
        inputs_backward(inner, count, second, first, false);
        keep_positive(&legality.first, first);
        inputs_backward(moves, count, first, point_slopes, true);
    }

    /// Logits of the legal moves, whose embeddings are given, for the move that a point stands for. Returns whether the
    /// network has learnt to project.
    pub fn project(
        &self,
        point: &[T],
        embeddings: &[T],
        logits: &mut Vec<T>,
        workspace: &mut GmoWorkspace<T>,
    ) -> bool {
        let Some([states, moves, last]) = &self.projection else { return false };
        let [base, inside, query, _] = &mut workspace.slopes;
        let width = states.outputs();
        let (base, inside) = (sized(base, width), sized(inside, width));
        states.forward(1, &workspace.states[..self.net.shape.state], base);
        moves.forward(1, point, inside);
        add_scaled(inside, base, T::ONE);
        rectify(inside);
        let query = sized(query, point.len());
        last.forward(1, inside, query);
        logits.clear();
        let scale = T::from_f64(1.0 / (point.len() as f64).sqrt());
        logits.extend(embeddings.chunks_exact(point.len()).map(|embedding| scale * dot(query, embedding)));
        true
    }

    /// The last hidden layer of every move of a position, without dropout: what a Bayesian value head regresses on.
    pub fn last_layers(&self, input: &GmoInput, layers: &mut Vec<T>, workspace: &mut GmoWorkspace<T>) {
        let mut embeddings = Vec::new();
        self.begin(input, &mut embeddings, workspace);
        let mut masks = DropoutMasks::default();
        masks.nothing(self.net.shape.hidden);
        self.forward(&embeddings, &masks, &mut GmoPoints::default(), workspace);
        layers.clear();
        layers.extend_from_slice(&workspace.value.second[..workspace.value.points * self.net.shape.hidden]);
    }
}

/// The feature that a word of a change stands for, and whether the change adds it (1) or removes it (−1).
pub(super) fn change_of<T: Scalar>(word: u16, features: usize) -> (u16, T) {
    if usize::from(word) < features { (word, T::ONE) } else { (word - features as u16, -T::ONE) }
}

/// Takes slopes of masked, rectified rows to those of their sums.
pub(super) fn masked_backward<'m, T: Scalar>(
    hidden: usize,
    values: &[T],
    mask: impl Fn(usize) -> &'m [T],
    slopes: &mut [T],
) {
    for ((index, row), slopes) in values.chunks_exact(hidden).enumerate().zip(slopes.chunks_exact_mut(hidden))
    {
        for ((slope, &value), &factor) in slopes.iter_mut().zip(row).zip(mask(index)) {
            *slope = if value > T::ZERO { *slope * factor } else { T::ZERO };
        }
    }
}

/// The hyperbolic tangent.
pub(super) fn tanh<T: Scalar>(x: T) -> T {
    let two = T::ONE + T::ONE;
    let power = (-(two * x.max(-x))).exp();
    let size = (T::ONE - power) / (T::ONE + power);
    if x < T::ZERO { -size } else { size }
}

/// The logistic function.
pub(super) fn sigmoid<T: Scalar>(x: T) -> T {
    T::ONE / (T::ONE + (-x).exp())
}

/// A smooth function that is positive, and nearly the identity for large numbers.
pub(super) fn softplus<T: Scalar>(x: T) -> T {
    x.max(T::ZERO) + (T::ONE + (-(x.max(-x))).exp()).ln()
}

/// A logarithm of a variance, within [`LOG_VARIANCES`].
pub(super) fn bounded<T: Scalar>(raw: T) -> T {
    let [least, most] = LOG_VARIANCES.map(T::from_f64);
    raw.clamp(least, most)
}

/// The slope of [`bounded`].
pub(super) fn bounded_slope<T: Scalar>(raw: T) -> T {
    let [least, most] = LOG_VARIANCES.map(T::from_f64);
    if raw > least && raw < most { T::ONE } else { T::ZERO }
}
