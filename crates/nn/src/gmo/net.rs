//! The weights.

use rand::Rng;

use super::{GmoShape, graph::GraphNet};
use crate::{Linear, Scalar, SparseLinear, init::uniform};

/// Weights, or gradients of weights, of a network for gradient move optimisation.
#[derive(Clone, PartialEq, Debug)]
pub struct GmoNet<T> {
    /// The sizes.
    pub shape: GmoShape,
    pub(crate) features: SparseLinear<T>,
    pub(crate) state: Linear<T>,
    /// One table per group of words.
    pub(crate) tables: Vec<SparseLinear<T>>,
    pub(crate) words: Linear<T>,
    pub(crate) moves: Linear<T>,
    /// The first layer of the value network: what it reads of the position, and of the move.
    pub(crate) first: [Linear<T>; 2],
    pub(crate) second: Linear<T>,
    pub(crate) readout: Linear<T>,
    /// From position and embedding to a point whose products with the legal embeddings are logits.
    pub(crate) projection: Option<[Linear<T>; 3]>,
    /// From position and embedding to the logit of being legal.
    pub(crate) legality: Option<[Linear<T>; 4]>,
    /// From the sums of features after a move.
    pub(crate) after: Option<Linear<T>>,
    pub(crate) graph: Option<GraphNet<T>>,
}

/// How many features of a position are usually active.
const ACTIVE: f64 = 40.0;

impl<T: Scalar> GmoNet<T> {
    /// A network of zeros, also used to collect gradients.
    pub fn zeros(shape: &GmoShape) -> Self {
        Self::build(shape, &mut SparseLinear::zeros, &mut Linear::zeros)
    }

    /// A network to start learning from.
    pub fn random(shape: &GmoShape, rng: &mut impl Rng) -> Self {
        let rng = std::cell::RefCell::new(rng);
        let mut sparse = |words: usize, outputs: usize| {
            let mut layer = SparseLinear::zeros(words, outputs);
            let bound = (6.0 / ACTIVE).sqrt();
            for weight in &mut layer.weights {
                *weight = uniform(&mut **rng.borrow_mut(), bound);
            }
            layer
        };
        let mut linear = |inputs: usize, outputs: usize| {
            let mut layer = Linear::zeros(inputs, outputs);
            // Keeps the variance of rectified inputs.
            let bound = (6.0 / inputs as f64).sqrt();
            for weight in &mut layer.weights {
                *weight = uniform(&mut **rng.borrow_mut(), bound);
            }
            layer
        };
        let mut net = Self::build(shape, &mut sparse, &mut linear);
        // Values start near zero, whatever the embeddings are.
        for weight in &mut net.readout.weights {
            *weight = *weight * T::from_f64(0.1);
        }
        net
    }

    fn build(
        shape: &GmoShape,
        sparse: &mut impl FnMut(usize, usize) -> SparseLinear<T>,
        linear: &mut impl FnMut(usize, usize) -> Linear<T>,
    ) -> Self {
        let GmoShape { state, moves, hidden, projection, legality, .. } = *shape;
        Self {
            shape: shape.clone(),
            features: sparse(shape.features, hidden),
            state: linear(hidden, state),
            tables: shape.groups.iter().map(|group| sparse(group.words, group.width)).collect(),
            words: linear(shape.width(), moves),
            moves: linear(moves, moves),
            first: [linear(state, hidden), linear(moves, hidden)],
            second: linear(hidden, hidden),
            readout: linear(hidden, shape.heads()),
            projection: (projection > 0)
                .then(|| [linear(state, projection), linear(moves, projection), linear(projection, moves)]),
            legality: (legality > 0).then(|| {
                [
                    linear(state, legality),
                    linear(moves, legality),
                    linear(legality, legality),
                    linear(legality, 1),
                ]
            }),
            after: shape.after.then(|| linear(hidden, moves)),
            graph: shape.graph.as_ref().map(|graph| GraphNet::build(graph, hidden, sparse, linear)),
        }
    }

    /// Every group of weights with its name and sizes, in the order of [`GmoNet::parameters_mut`].
    pub fn parameters(&self) -> Vec<(String, Vec<usize>, &[T])> {
        let mut all = Vec::new();
        let tables = self.tables.iter().enumerate().map(|(index, table)| (format!("moves.{index}"), table));
        let kinds = self.graph.iter().map(|graph| ("graph.kinds".to_owned(), &graph.kinds));
        for (name, layer) in [("features".to_owned(), &self.features)].into_iter().chain(tables).chain(kinds)
        {
            all.push((format!("{name}.weight"), vec![layer.features(), layer.outputs], &layer.weights[..]));
            all.push((format!("{name}.bias"), vec![layer.outputs], &layer.biases[..]));
        }
        let mut linears = vec![
            ("state".to_owned(), &self.state),
            ("words".to_owned(), &self.words),
            ("moves".to_owned(), &self.moves),
            ("first.state".to_owned(), &self.first[0]),
            ("first.move".to_owned(), &self.first[1]),
            ("second".to_owned(), &self.second),
            ("readout".to_owned(), &self.readout),
        ];
        let named = |name: &'static str| move |(index, layer)| (format!("{name}.{index}"), layer);
        linears.extend(self.projection.iter().flatten().enumerate().map(named("projection")));
        linears.extend(self.legality.iter().flatten().enumerate().map(named("legality")));
        linears.extend(self.after.iter().map(|layer| ("after".to_owned(), layer)));
        linears.extend(self.graph.iter().flat_map(GraphNet::linears));
        for (name, layer) in linears {
            all.push((format!("{name}.weight"), vec![layer.outputs(), layer.inputs], &layer.weights[..]));
            all.push((format!("{name}.bias"), vec![layer.outputs()], &layer.biases[..]));
        }
        all
    }

    /// The same weights to change.
    pub fn parameters_mut(&mut self) -> Vec<&mut [T]> {
        let Self { features, state, tables, words, moves, first, second, readout, .. } = self;
        let (mut kinds, mut of_graph) = (None, Vec::new());
        if let Some(GraphNet { kinds: own, layers, readout }) = &mut self.graph {
            kinds = Some(own);
            of_graph.extend(layers.iter_mut().flatten().chain([readout]));
        }
        let sparse = std::iter::once(features).chain(tables).chain(kinds);
        let sparse = sparse.flat_map(|layer| [&mut layer.weights[..], &mut layer.biases[..]]);
        let [first_state, first_move] = first;
        let mut linears = vec![state, words, moves, first_state, first_move, second, readout];
        linears.extend(self.projection.iter_mut().flatten());
        linears.extend(self.legality.iter_mut().flatten());
        linears.extend(self.after.as_mut());
        linears.extend(of_graph);
        sparse
            .chain(linears.into_iter().flat_map(|layer| [&mut layer.weights[..], &mut layer.biases[..]]))
            .collect()
    }
}
