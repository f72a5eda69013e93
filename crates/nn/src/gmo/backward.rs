//! Learning: losses and their gradients with respect to all weights.

use std::borrow::Cow;

use super::{
    DropoutMasks, ENSEMBLE, ERROR, GmoInput, GmoKernels, GmoNet, GmoWorkspace, LOG_VARIANCE, VALUE,
    kernels::{bounded, bounded_slope, change_of, masked_backward, sigmoid, softplus, tanh},
};
use crate::{
    Linear, Scalar,
    conv::sized,
    dense::{inputs_backward, keep_positive, rectify, weights_backward, zeros},
    linear::add_scaled,
    loss::{softmax, softmax_cross_entropy},
};

/// What is known about the moves of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GmoLabels<T> {
    /// The value of every move of the input for the seat to move, in \[−1, 1\].
    pub values: Vec<T>,
    /// How much each counts; 0 for a move whose value is not known.
    pub weights: Vec<T>,
    /// How probable a search made each move, where it did not value them all; otherwise empty, and the order of values tells.
    pub policy: Vec<T>,
    /// Decides which moves count for which members of the ensemble.
    pub draw: u64,
}

impl<T: Scalar> GmoLabels<T> {
    /// How probable each move should be.
    pub fn goal(&self, temperature: f64) -> Cow<'_, [T]> {
        if self.policy.is_empty() {
            preferred(&self.values, temperature).into()
        } else {
            self.policy.as_slice().into()
        }
    }
}

/// How much each loss counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GmoLossWeights {
    /// The error of the expected squared error.
    pub error: f64,
    /// The squared errors of the ensemble.
    pub ensemble: f64,
    /// The cross-entropy of the order of a position's moves.
    pub ranking: f64,
    /// The cross-entropy of the projection.
    pub projection: f64,
    /// The cross-entropy of the legality.
    pub legality: f64,
    /// Values are turned into distributions over moves by a softmax at this temperature.
    pub temperature: f64,
    /// By how much embeddings are disturbed before they are projected or judged, as a share of their norm.
    pub noise: f64,
}

impl Default for GmoLossWeights {
    fn default() -> Self {
        Self {
            error: 0.25,
            ensemble: 1.0,
            ranking: 1.0,
            projection: 0.1,
            legality: 0.1,
            temperature: 0.1,
            noise: 0.5,
        }
    }
}

/// Sums of losses.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct GmoLosses {
    /// The sum of the moves' weights.
    pub weight: f64,
    /// Moves, whatever their weights.
    pub moves: u64,
    /// The negative logarithm of the likelihood, up to a constant.
    pub likelihood: f64,
    /// The squared errors of values.
    pub squared: f64,
    /// The errors of expected squared errors.
    pub error: f64,
    /// The squared errors of the ensemble's members, averaged over members.
    pub ensemble: f64,
    /// The cross-entropy of the order of moves, and the weight of the positions that it was computed for.
    pub ranking: (f64, f64),
    /// The cross-entropy of the projection, and the number of positions that it was computed for.
    pub projection: (f64, f64),
    /// The cross-entropy of the legality, and the number of embeddings that were judged.
    pub legality: (f64, f64),
}

impl GmoLosses {
    /// Adds the sums of other positions.
    pub fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        self.moves += other.moves;
        self.likelihood += other.likelihood;
        self.squared += other.squared;
        self.error += other.error;
        self.ensemble += other.ensemble;
        self.ranking.0 += other.ranking.0;
        self.ranking.1 += other.ranking.1;
        self.projection.0 += other.projection.0;
        self.projection.1 += other.projection.1;
        self.legality.0 += other.legality.0;
        self.legality.1 += other.legality.1;
    }
}

/// Sums of gradients.
pub type GmoGradient<T> = GmoNet<T>;

impl<T: Scalar> GmoKernels<T> {
    /// The losses of positions with labelled moves. Adds their gradients to `gradient`.
    ///
    /// Row by row, moves use the masks in turn. Noise comes from the masks as well, so that everything random is handed in.
    ///
    /// # Panics
    /// If there are not as many labels as moves.
    pub fn accumulate(
        &self,
        positions: &[(&GmoInput, &GmoLabels<T>)],
        weights: &GmoLossWeights,
        masks: &DropoutMasks<T>,
        noise: &[T],
        gradient: &mut GmoGradient<T>,
        workspace: &mut GmoWorkspace<T>,
    ) -> GmoLosses {
        let (shape, groups) = (&self.net.shape, self.net.shape.groups.len());
        let inputs = || positions.iter().map(|position| position.0);
        let rows: usize = inputs().map(|input| input.moves(groups)).sum();
        let mut losses = GmoLosses::default();
        if rows == 0 {
            return losses;
        }
        self.states_forward(inputs(), workspace);
        self.moves_forward(inputs(), rows, workspace);
        let hidden = shape.hidden;
        let sums = sized(&mut workspace.value.sums, rows * hidden);
        self.first[1].forward(rows, &workspace.moves, sums);
        let mut row = 0;
        for (index, input) in inputs().enumerate() {
            let count = input.moves(groups);
            let base = &workspace.bases[index * hidden..][..hidden];
            for sums in sums[row * hidden..(row + count) * hidden].chunks_exact_mut(hidden) {
                add_scaled(sums, base, T::ONE);
            }
            row += count;
        }
        workspace.value.points = rows;
        let mask = |row: usize| masks.of(row % masks.count());
        self.value_forward(1, mask, &mut workspace.value);
        let GmoWorkspace { value, slopes: [raw, second, first, move_slopes], .. } = workspace;
        zeros(raw, rows * shape.heads());
        let (mut row, heads) = (0, shape.heads());
        for (input, labels) in positions {
            let count = input.moves(groups);
            assert_eq!((labels.values.len(), labels.weights.len()), (count, count), "one label per move");
            let slopes = &mut raw[row * heads..(row + count) * heads];
            let said = &value.raw[row * heads..(row + count) * heads];
            for (m, (slopes, raw)) in slopes.chunks_exact_mut(heads).zip(said.chunks_exact(heads)).enumerate()
            {
                // Every move and member has one bit of its own.
                let draw = labels.draw.rotate_left(m as u32 * 7);
                let sample = Sample { value: labels.values[m], weight: labels.weights[m], draw };
                sample.loss(raw, weights, slopes, &mut losses);
            }
            ranking_loss(said, labels, weights, heads, slopes, &mut losses);
            row += count;
        }
        // The value network.
        weights_backward(rows, &value.second, raw, &mut gradient.readout);
        let second = sized(second, rows * hidden);
        inputs_backward(&self.net.readout, rows, raw, second, false);
        masked_backward(hidden, &value.second[..rows * hidden], |row| mask(row)[1], second);
        weights_backward(rows, &value.first, second, &mut gradient.second);
        let first = sized(first, rows * hidden);
        inputs_backward(&self.net.second, rows, second, first, false);
        masked_backward(hidden, &value.first[..rows * hidden], |row| mask(row)[0], first);
        weights_backward(rows, &workspace.moves, first, &mut gradient.first[1]);
        zeros(move_slopes, rows * shape.moves);
        inputs_backward(&self.net.first[1], rows, first, move_slopes, false);
        // What it reads of positions is shared by their moves.
        zeros(raw, positions.len() * hidden);
        let mut rows_of = first.chunks_exact(hidden);
        for (input, sums) in inputs().zip(raw.chunks_exact_mut(hidden)) {
            rows_of.by_ref().take(input.moves(groups)).for_each(|row| add_scaled(sums, row, T::ONE));
        }
        weights_backward(positions.len(), &workspace.states, raw, &mut gradient.first[0]);
        let states = &mut vec![T::ZERO; positions.len() * shape.state];
        inputs_backward(&self.net.first[0], positions.len(), raw, states, false);
        weights_backward(positions.len(), &workspace.sums, states, &mut gradient.state);
        let sums = sized(raw, positions.len() * hidden);
        inputs_backward(&self.net.state, positions.len(), states, sums, false);
        keep_positive(&workspace.sums, sums);
        let mut of_features = vec![T::ZERO; positions.len() * hidden];
        let of_sums = sums[..positions.len() * hidden].to_vec();
        if let (Some(graph), Some(shape), Some(gradient)) =
            (&self.net.graph, &shape.graph, &mut gradient.graph)
        {
            for (slopes, rows) in of_sums.chunks_exact(hidden).zip(&mut workspace.graphs) {
                graph.backward(shape, slopes, rows, gradient);
            }
        } else {
            of_features = of_sums;
        }
        self.moves_backward(inputs(), rows, &mut of_features, gradient, workspace);
        for (input, slopes) in inputs().zip(of_features.chunks_exact(hidden)) {
            self.net.features.backward(&input.features, slopes, &mut gradient.features);
        }
        self.side_losses(positions, weights, noise, gradient, workspace, &mut losses);
        losses
    }

    /// Takes the slopes of embeddings of moves to the weights that they are made with, and adds those with respect to the
    /// sums of features of every position.
    fn moves_backward<'i>(
        &self,
        inputs: impl Iterator<Item = &'i GmoInput>,
        rows: usize,
        of_features: &mut [T],
        gradient: &mut GmoGradient<T>,
        workspace: &mut GmoWorkspace<T>,
    ) {
        let (shape, groups) = (&self.net.shape, self.net.shape.groups.len());
        let GmoWorkspace { inside, words, after, slopes: [raw, second, first, moves], .. } = workspace;
        weights_backward(rows, inside, moves, &mut gradient.moves);
        let inside_slopes = sized(second, rows * shape.moves);
        inputs_backward(&self.net.moves, rows, moves, inside_slopes, false);
        keep_positive(inside, inside_slopes);
        weights_backward(rows, words, inside_slopes, &mut gradient.words);
        let word_slopes = sized(raw, rows * shape.width());
        inputs_backward(&self.net.words, rows, inside_slopes, word_slopes, false);
        let mut after_slopes = [].chunks_exact(shape.hidden);
        if let (Some(layer), Some(collected)) = (&self.net.after, &mut gradient.after) {
            weights_backward(rows, after, inside_slopes, collected);
            let slopes = sized(first, rows * shape.hidden);
            inputs_backward(layer, rows, inside_slopes, slopes, false);
            keep_positive(after, slopes);
            after_slopes = slopes.chunks_exact(shape.hidden);
        }
        let mut word_slopes = word_slopes.chunks_exact(shape.width());
        for (input, of_features) in inputs.zip(of_features.chunks_exact_mut(shape.hidden)) {
            for (m, mut slopes) in (0..input.moves(groups)).zip(word_slopes.by_ref()) {
                if let Some(slopes) = after_slopes.next() {
                    add_scaled(of_features, slopes, T::ONE);
                    for &change in input.words(m, groups - 1, groups) {
                        let (feature, sign) = change_of(change, shape.features);
                        let start = usize::from(feature) * shape.hidden;
                        add_scaled(&mut gradient.features.weights[start..start + shape.hidden], slopes, sign);
                    }
                }
                for (group, table) in self.net.tables.iter().enumerate() {
                    let (of_group, rest) = slopes.split_at(table.outputs);
                    table.backward(input.words(m, group, groups), of_group, &mut gradient.tables[group]);
                    slopes = rest;
                }
            }
        }
    }

    /// The losses of the networks beside the value network. They learn from embeddings without changing them.
    fn side_losses(
        &self,
        positions: &[(&GmoInput, &GmoLabels<T>)],
        weights: &GmoLossWeights,
        noise: &[T],
        gradient: &mut GmoGradient<T>,
        workspace: &mut GmoWorkspace<T>,
        losses: &mut GmoLosses,
    ) {
        if self.projection.is_none() && self.legality.is_none() {
            return;
        }
        let (shape, groups) = (&self.net.shape, self.net.shape.groups.len());
        let width = shape.moves;
        let rows: usize = positions.iter().map(|(input, _)| input.moves(groups)).sum();
        let mut noise = noise.iter().copied().cycle();
        let (mut row, mut point) = (0, vec![T::ZERO; width]);
        for (index, (input, labels)) in positions.iter().enumerate() {
            let count = input.moves(groups);
            let own = &workspace.moves[row * width..(row + count) * width];
            let state = &workspace.states[index * shape.state..][..shape.state];
            let chosen = labels.draw as usize % count.max(1);
            if count >= 2 {
                disturbed(&own[chosen * width..][..width], weights.noise, &mut noise, &mut point);
                if let (Some(_), Some(collected)) = (&self.projection, &mut gradient.projection) {
                    let factor = T::from_f64(weights.projection);
                    let goal = labels.goal(weights.temperature);
                    let loss = self.projection_loss(state, &point, own, &goal, factor, collected);
                    losses.projection.0 += loss.to_f64();
                    losses.projection.1 += 1.0;
                }
            }
            if let (Some(layers), Some(collected)) = (&self.net.legality, &mut gradient.legality) {
                let factor = T::from_f64(weights.legality);
                // A legal move, a disturbed one, and one of another position.
                let stranger = (labels.draw >> 20) as usize % rows;
                let others = &workspace.moves[stranger * width..][..width];
                let mut judge = |embedding: &[T], legal: bool| {
                    let loss = legality_loss(layers, [state, embedding], legal, factor, collected);
                    losses.legality.0 += loss.to_f64();
                    losses.legality.1 += 1.0;
                };
                if count > 0 {
                    judge(&own[chosen * width..][..width], true);
                }
                if count >= 2 {
                    judge(&point, false);
                }
                if !(row..row + count).contains(&stranger)
                    && !own.chunks_exact(width).any(|own| own == others)
                {
                    judge(others, false);
                }
            }
            row += count;
        }
    }

    /// The cross-entropy of the projection of `point` onto `moves`, times `factor` added to the gradient.
    fn projection_loss(
        &self,
        state: &[T],
        point: &[T],
        moves: &[T],
        goal: &[T],
        factor: T,
        gradient: &mut [Linear<T>; 3],
    ) -> T {
        let Some([states, points, last]) = &self.net.projection else { return T::ZERO };
        let width = point.len();
        let mut inside = vec![T::ZERO; states.outputs()];
        let mut other = inside.clone();
        states.forward(state, &mut inside);
        points.forward(point, &mut other);
        add_scaled(&mut inside, &other, T::ONE);
        rectify(&mut inside);
        let mut query = vec![T::ZERO; width];
        last.forward(&inside, &mut query);
        let scale = T::from_f64(1.0 / (width as f64).sqrt());
        let logits: Vec<T> =
            moves.chunks_exact(width).map(|own| scale * crate::linear::dot(&query, own)).collect();
        let mut slopes = vec![T::ZERO; logits.len()];
        let loss = softmax_cross_entropy(&logits, goal, &mut slopes);
        let mut query_slopes = vec![T::ZERO; width];
        for (own, &slope) in moves.chunks_exact(width).zip(&slopes) {
            add_scaled(&mut query_slopes, own, slope * scale * factor);
        }
        let mut inside_slopes = vec![T::ZERO; inside.len()];
        last.backward(&inside, &query_slopes, &mut gradient[2], &mut inside_slopes);
        keep_positive(&inside, &mut inside_slopes);
        add_outer(&mut gradient[0], state, &inside_slopes);
        add_outer(&mut gradient[1], point, &inside_slopes);
        loss
    }
}

/// A labelled move.
struct Sample<T> {
    value: T,
    weight: T,
    draw: u64,
}

impl<T: Scalar> Sample<T> {
    /// Adds the losses of what the network says, `raw`, and writes their slopes.
    fn loss(&self, raw: &[T], weights: &GmoLossWeights, slopes: &mut [T], losses: &mut GmoLosses) {
        let (weight, two) = (self.weight, T::ONE + T::ONE);
        let value = tanh(raw[VALUE]);
        let off = value - self.value;
        let squared = off * off;
        let log_variance = bounded(raw[LOG_VARIANCE]);
        let precision = (-log_variance).exp();
        slopes[VALUE] = weight * precision * two * off * (T::ONE - value * value);
        slopes[LOG_VARIANCE] = weight * (T::ONE - precision * squared) * bounded_slope(raw[LOG_VARIANCE]);
        // The squared error is a label here: nothing flows back into the value.
        let error = softplus(raw[ERROR]) - squared;
        slopes[ERROR] = weight * T::from_f64(weights.error) * two * error * sigmoid(raw[ERROR]);
        let members = &raw[ENSEMBLE..];
        let share = T::from_f64(weights.ensemble / members.len().max(1) as f64);
        let mut ensemble = T::ZERO;
        for (member, (&raw, slope)) in members.iter().zip(&mut slopes[ENSEMBLE..]).enumerate() {
            // Each member learns from its own half of the moves, which count twice.
            let drawn = if self.draw >> member & 1 == 0 { T::ZERO } else { two };
            let value = tanh(raw);
            let off = value - self.value;
            ensemble += drawn * off * off;
            *slope = weight * share * drawn * two * off * (T::ONE - value * value);
        }
        let count = weight.to_f64();
        losses.weight += count;
        losses.moves += 1;
        losses.likelihood += count * (precision * squared + log_variance).to_f64();
        losses.squared += count * squared.to_f64();
        losses.error += count * (error * error).to_f64();
        losses.ensemble += count * ensemble.to_f64() / members.len().max(1) as f64;
    }
}

/// Adds the cross-entropy between the moves of a position in the order of what the network says, `raw`, as a softmax of values,
/// and as probable as their labels make them. A likelihood alone cares as much for the value of a position as for the small
/// differences between its moves, which are all that a choice depends on.
fn ranking_loss<T: Scalar>(
    raw: &[T],
    labels: &GmoLabels<T>,
    weights: &GmoLossWeights,
    heads: usize,
    slopes: &mut [T],
    losses: &mut GmoLosses,
) {
    if labels.values.len() < 2 || weights.ranking <= 0.0 {
        return;
    }
    let scale = T::from_f64(1.0 / weights.temperature);
    // A position counts as much here as all its moves do in the likelihood.
    let weight: T = labels.weights.iter().copied().sum();
    let values: Vec<T> = raw.chunks_exact(heads).map(|raw| tanh(raw[VALUE])).collect();
    let logits: Vec<T> = values.iter().map(|&value| value * scale).collect();
    let goal = labels.goal(weights.temperature);
    let mut logit_slopes = vec![T::ZERO; logits.len()];
    let loss = softmax_cross_entropy(&logits, &goal, &mut logit_slopes);
    let factor = weight * T::from_f64(weights.ranking) * scale;
    for ((slopes, &value), &slope) in slopes.chunks_exact_mut(heads).zip(&values).zip(&logit_slopes) {
        slopes[VALUE] += factor * slope * (T::ONE - value * value);
    }
    losses.ranking.0 += (weight * loss).to_f64();
    losses.ranking.1 += weight.to_f64();
}

/// The cross-entropy of the judgement on an embedding, times `factor` added to the gradient.
fn legality_loss<T: Scalar>(
    [states, points, inner, last]: &[Linear<T>; 4],
    [state, point]: [&[T]; 2],
    legal: bool,
    factor: T,
    gradient: &mut [Linear<T>; 4],
) -> T {
    let width = inner.inputs;
    let (mut first, mut second, mut logit) = (vec![T::ZERO; width], vec![T::ZERO; width], [T::ZERO]);
    states.forward(state, &mut first);
    points.forward(point, &mut second);
    add_scaled(&mut first, &second, T::ONE);
    rectify(&mut first);
    inner.forward(&first, &mut second);
    rectify(&mut second);
    last.forward(&second, &mut logit);
    let goal = if legal { T::ONE } else { T::ZERO };
    let loss = softplus(logit[0]) - goal * logit[0];
    let mut second_slopes = vec![T::ZERO; width];
    last.backward(&second, &[factor * (sigmoid(logit[0]) - goal)], &mut gradient[3], &mut second_slopes);
    keep_positive(&second, &mut second_slopes);
    let mut first_slopes = vec![T::ZERO; width];
    inner.backward(&first, &second_slopes, &mut gradient[2], &mut first_slopes);
    keep_positive(&first, &mut first_slopes);
    add_outer(&mut gradient[0], state, &first_slopes);
    add_outer(&mut gradient[1], point, &first_slopes);
    loss
}

/// Adds the gradient of one row with respect to the weights of a layer.
fn add_outer<T: Scalar>(gradient: &mut Linear<T>, inputs: &[T], slopes: &[T]) {
    weights_backward(1, inputs, slopes, gradient);
}

/// An embedding with noise whose norm is `share` of its own, on average.
fn disturbed<T: Scalar>(embedding: &[T], share: f64, noise: &mut impl Iterator<Item = T>, point: &mut [T]) {
    let norm = embedding.iter().map(|&x| x * x).sum::<T>().sqrt();
    let scale = norm * T::from_f64(share / (embedding.len() as f64).sqrt());
    for ((point, &own), noise) in point.iter_mut().zip(embedding).zip(noise) {
        *point = own + scale * noise;
    }
}

/// The cross-entropy between moves in the order of `values`, as a softmax at `temperature`, and as probable as `goal`.
pub fn ranking_cross_entropy<T: Scalar>(values: &[T], goal: &[T], temperature: f64) -> T {
    let scale = T::from_f64(1.0 / temperature);
    let logits: Vec<T> = values.iter().map(|&value| value * scale).collect();
    softmax_cross_entropy(&logits, goal, &mut vec![T::ZERO; logits.len()])
}

/// The distribution over moves that prefers large values.
fn preferred<T: Scalar>(values: &[T], temperature: f64) -> Vec<T> {
    let scale = T::from_f64(1.0 / temperature);
    let mut shares: Vec<T> = values.iter().map(|&value| value * scale).collect();
    softmax(&mut shares);
    shares
}
