//! Graph attention over the cells of a board (Veličković et al. 2018): what replaces the table of features for positions.
//!
//! Every cell is a node. It starts as the sum of the rows of its own features and of those of the whole position. In each
//! layer a node becomes the mean of its neighbours and itself, weighted by a softmax of scores that several heads give to
//! pairs, added to what it was. The mean over all nodes is what is read of the position.

use super::{CellGraph, GraphShape};
use crate::{
    Linear, Scalar, SparseLinear,
    conv::sized,
    dense::{inputs_backward, keep_positive, rectify, weights_backward, zeros},
    linear::add_scaled,
    loss::softmax,
};

/// The slope of scores below zero.
const LEAK: f64 = 0.2;

/// Weights, or gradients of weights, of graph attention.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GraphNet<T> {
    /// One row per kind of feature.
    pub(super) kinds: SparseLinear<T>,
    /// For each layer: what neighbours are told, and the scores of being told and of telling, by head.
    pub(super) layers: Vec<[Linear<T>; 2]>,
    /// From the mean of all nodes, and the features of the whole position.
    pub(super) readout: Linear<T>,
}

/// One position on its way through the layers.
#[derive(Clone, Debug, Default)]
pub(super) struct GraphRows<T> {
    /// Kinds of features by cell; last, those of the whole position.
    kinds: Vec<Vec<u16>>,
    /// Nodes before each layer, and after the last.
    nodes: Vec<Vec<T>>,
    /// What neighbours are told in each layer.
    told: Vec<Vec<T>>,
    /// Scores of being told and of telling.
    scores: Vec<Vec<T>>,
    /// By cell, head and neighbour: the weights.
    shares: Vec<Vec<T>>,
    pooled: Vec<T>,
    slopes: [Vec<T>; 4],
}

impl<T: Scalar> GraphNet<T> {
    pub(super) fn build(
        shape: &GraphShape,
        outputs: usize,
        sparse: &mut impl FnMut(usize, usize) -> SparseLinear<T>,
        linear: &mut impl FnMut(usize, usize) -> Linear<T>,
    ) -> Self {
        let GraphShape { width, heads, layers, ref graph } = *shape;
        Self {
            kinds: sparse(graph.kinds(), width),
            layers: (0..layers).map(|_| [linear(width, width), linear(width, 2 * heads)]).collect(),
            readout: linear(2 * width, outputs),
        }
    }

    /// The linear layers with their names, in a fixed order.
    pub(super) fn linears(&self) -> Vec<(String, &Linear<T>)> {
        let names = ["told", "scores"];
        let layers = self.layers.iter().enumerate().flat_map(|(index, layer)| {
            names.iter().zip(layer).map(move |(name, layer)| (format!("graph.{index}.{name}"), layer))
        });
        layers.chain([("graph.readout".to_owned(), &self.readout)]).collect()
    }

    /// Writes what is read of a position with these active features.
    pub(super) fn forward(
        &self,
        shape: &GraphShape,
        features: &[u16],
        rows: &mut GraphRows<T>,
        outputs: &mut [T],
    ) {
        let GraphShape { width, heads, ref graph, .. } = *shape;
        let cells = graph.neighbours.len();
        rows.prepare(cells, self.layers.len());
        for &feature in features {
            let (cell, kind) = graph.places[usize::from(feature)];
            rows.kinds[usize::from(cell).min(cells)].push(kind);
        }
        let mut whole = vec![T::ZERO; width];
        rows.kinds[cells].iter().for_each(|&kind| add_scaled(&mut whole, self.kinds.row(kind), T::ONE));
        let nodes = sized(&mut rows.nodes[0], cells * width);
        for (node, kinds) in nodes.chunks_exact_mut(width).zip(&rows.kinds) {
            self.kinds.forward(kinds, node);
            add_scaled(node, &whole, T::ONE);
        }
        for (index, [telling, scoring]) in self.layers.iter().enumerate() {
            let (before, after) = rows.nodes.split_at_mut(index + 1);
            let before = &before[index][..cells * width];
            let told = sized(&mut rows.told[index], cells * width);
            let scores = sized(&mut rows.scores[index], cells * 2 * heads);
            for cell in 0..cells {
                let own = &mut told[cell * width..][..width];
                telling.forward(&before[cell * width..][..width], own);
                scoring.forward(own, &mut scores[cell * 2 * heads..][..2 * heads]);
            }
            let shares = sized(&mut rows.shares[index], heads * graph.edges());
            let after = sized(&mut after[0], cells * width);
            after.copy_from_slice(before);
            each_head(graph, heads, |cell, head, first, neighbours| {
                let shares = &mut shares[first..first + neighbours.len()];
                for (share, &other) in shares.iter_mut().zip(neighbours) {
                    *share = leaky(score(scores, heads, cell, other, head));
                }
                softmax(shares);
                let slice = head * width / heads..(head + 1) * width / heads;
                for (&share, &other) in shares.iter().zip(neighbours) {
                    let from = &told[usize::from(other) * width..][slice.clone()];
                    add_scaled(&mut after[cell * width..][slice.clone()], from, share);
                }
            });
            rectify(after);
        }
        let pooled = &mut rows.pooled;
        zeros(pooled, 2 * width);
        let share = T::from_f64(1.0 / cells as f64);
        for node in rows.nodes[self.layers.len()][..cells * width].chunks_exact(width) {
            add_scaled(&mut pooled[..width], node, share);
        }
        pooled[width..].copy_from_slice(&whole);
        self.readout.forward(pooled, outputs);
    }

    /// Adds the gradient of the position of the last forward pass, given that of its outputs.
    pub(super) fn backward(
        &self,
        shape: &GraphShape,
        slopes: &[T],
        rows: &mut GraphRows<T>,
        gradient: &mut Self,
    ) {
        let GraphShape { width, heads, ref graph, .. } = *shape;
        let cells = graph.neighbours.len();
        let GraphRows {
            kinds,
            nodes,
            told,
            scores,
            shares,
            pooled,
            slopes: [of_pool, of_nodes, of_told, of_scores],
        } = rows;
        let of_pool = sized(of_pool, 2 * width);
        self.readout.backward(pooled, slopes, &mut gradient.readout, of_pool);
        zeros(of_nodes, cells * width);
        let share = T::from_f64(1.0 / cells as f64);
        of_nodes.chunks_exact_mut(width).for_each(|node| add_scaled(node, &of_pool[..width], share));
        for (index, [telling, scoring]) in self.layers.iter().enumerate().rev() {
            keep_positive(&nodes[index + 1][..cells * width], of_nodes);
            let (told, scores, shares) = (&told[index], &scores[index], &shares[index]);
            zeros(of_told, cells * width);
            zeros(of_scores, cells * 2 * heads);
            each_head(graph, heads, |cell, head, first, neighbours| {
                let slice = head * width / heads..(head + 1) * width / heads;
                let shares = &shares[first..first + neighbours.len()];
                let slopes = &of_nodes[cell * width..][slice.clone()];
                let gains: Vec<T> = neighbours
                    .iter()
                    .map(|&other| {
                        crate::linear::dot(slopes, &told[usize::from(other) * width..][slice.clone()])
                    })
                    .collect();
                let mean: T = gains.iter().zip(shares).map(|(&gain, &share)| gain * share).sum();
                for ((&gain, &share), &other) in gains.iter().zip(shares).zip(neighbours) {
                    let place = usize::from(other);
                    add_scaled(&mut of_told[place * width..][slice.clone()], slopes, share);
                    let raw = score(scores, heads, cell, other, head);
                    let slope = share * (gain - mean) * leaky_slope(raw);
                    of_scores[cell * 2 * heads + head] += slope;
                    of_scores[place * 2 * heads + heads + head] += slope;
                }
            });
            let [gradient_telling, gradient_scoring] = &mut gradient.layers[index];
            weights_backward(cells, told, of_scores, gradient_scoring);
            inputs_backward(scoring, cells, of_scores, of_told, true);
            weights_backward(cells, &nodes[index], of_told, gradient_telling);
            // What a node was is added to what it becomes.
            inputs_backward(telling, cells, of_told, of_nodes, true);
        }
        let mut whole = of_pool[width..].to_vec();
        for (node, kinds) in of_nodes.chunks_exact(width).zip(kinds.iter()) {
            self.kinds.backward(kinds, node, &mut gradient.kinds);
            add_scaled(&mut whole, node, T::ONE);
        }
        for &kind in &kinds[cells] {
            let start = usize::from(kind) * width;
            add_scaled(&mut gradient.kinds.weights[start..start + width], &whole, T::ONE);
        }
    }
}

impl<T: Scalar> GraphRows<T> {
    fn prepare(&mut self, cells: usize, layers: usize) {
        self.kinds.resize_with(cells + 1, Vec::new);
        self.kinds.iter_mut().for_each(Vec::clear);
        self.nodes.resize_with(layers + 1, Vec::new);
        for list in [&mut self.told, &mut self.scores, &mut self.shares] {
            list.resize_with(layers, Vec::new);
        }
    }
}

/// Calls `act` with every cell, head, the place of its first weight, and the cell's neighbours.
fn each_head(graph: &CellGraph, heads: usize, mut act: impl FnMut(usize, usize, usize, &[u16])) {
    let mut first = 0;
    for (cell, neighbours) in graph.neighbours.iter().enumerate() {
        for head in 0..heads {
            act(cell, head, first, neighbours);
            first += neighbours.len();
        }
    }
}

/// How much `cell` attends to `other`, before the softmax.
fn score<T: Scalar>(scores: &[T], heads: usize, cell: usize, other: u16, head: usize) -> T {
    scores[cell * 2 * heads + head] + scores[usize::from(other) * 2 * heads + heads + head]
}

fn leaky<T: Scalar>(x: T) -> T {
    x * leaky_slope(x)
}

fn leaky_slope<T: Scalar>(x: T) -> T {
    if x > T::ZERO { T::ONE } else { T::from_f64(LEAK) }
}
