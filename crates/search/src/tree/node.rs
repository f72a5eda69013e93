//! Nodes and edges of a search tree.

use std::ops::Range;

use game::{MAX_SEATS, Seat, SeatPermutation, Values};

/// The index of a missing node.
pub(crate) const NONE: u32 = u32::MAX;

/// A legal move of a node, visited or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<M> {
    /// The move.
    pub(crate) m: M,
    /// The logarithm of the evaluator's prior.
    pub(crate) logit: f32,
    /// The prior used in selection: the evaluator's, mixed with noise at the root if configured.
    pub(crate) prior: f32,
    /// The child, or [`NONE`] before the first visit.
    pub(crate) node: u32,
}

/// AMAF statistics of an edge: simulations in which the same participant played its move here or later.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amaf {
    pub(crate) visits: u32,
    /// The sum of the results for the mover of the node.
    pub(crate) total: f32,
}

/// A position in the tree: a decision or the end of the game.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The parent, or [`NONE`] at the root.
    pub(crate) parent: u32,
    /// The edge that leads here.
    pub(crate) edge: u32,
    /// The forced moves after that edge's move.
    pub(crate) forced: Range<u32>,
    /// The legal moves; empty until there are logits or a second visit.
    pub(crate) edges: Range<u32>,
    /// Simulations through this node.
    pub(crate) visits: u32,
    /// Simulations through this node that are not backed up yet.
    pub(crate) pending: u32,
    /// The sum of the results in this node's seat order, or the exact result if the node is solved.
    pub(crate) total: [f64; MAX_SEATS],
    /// The key of the position, by which a later search finds the node.
    pub(crate) key: u64,
    /// The evaluator's value of the position itself, for the mover.
    pub(crate) evaluated: f32,
    /// The seat to move.
    pub(crate) mover: Seat,
    /// Maps the seats of the parent to those of this node.
    pub(crate) permutation: SeatPermutation,
    /// Whether `total` is the exact result.
    pub(crate) solved: bool,
    /// Whether a simulation awaits the policy of this node.
    pub(crate) awaits_policy: bool,
}

impl Node {
    pub(crate) fn new(parent: u32, edge: u32) -> Self {
        Self {
            parent,
            edge,
            forced: 0..0,
            edges: 0..0,
            visits: 0,
            pending: 0,
            total: [0.0; MAX_SEATS],
            key: 0,
            evaluated: 0.0,
            mover: Seat::FIRST,
            permutation: SeatPermutation::default(),
            solved: false,
            awaits_policy: false,
        }
    }

    /// The mean value for each seat of this node, or `None` before the first evaluation.
    pub(crate) fn values(&self) -> Option<Values> {
        let by = if self.solved { 1.0 } else { f64::from(self.visits) };
        (self.solved || self.visits > 0).then(|| Values(self.total.map(|sum| (sum / by) as f32)))
    }

    /// The mean value for one seat of this node, or 0 before the first evaluation.
    #[inline]
    pub(crate) fn mean(&self, seat: Seat) -> f32 {
        let by = if self.solved { 1.0 } else { f64::from(self.visits.max(1)) };
        (self.total[seat.index()] / by) as f32
    }

    /// Visits, including pending ones.
    #[inline]
    pub(crate) fn trials(&self) -> u32 {
        self.visits + self.pending
    }

    /// Marks the node as solved with its exact result.
    pub(crate) fn mark_solved(&mut self, values: Values) {
        self.total = values.0.map(f64::from);
        self.solved = true;
    }

    /// Counts one result.
    #[inline]
    pub(crate) fn add(&mut self, result: &Values) {
        self.visits += 1;
        if !self.solved {
            for (sum, value) in self.total.iter_mut().zip(result.0) {
                *sum += f64::from(value);
            }
        }
    }
}
