//! What a tree is made of.

use std::ops::Range;

use game::{MAX_SEATS, Seat, SeatPermutation, Values};

/// The number of a node that is not there.
pub(crate) const NONE: u32 = u32::MAX;

/// A legal move of a node, tried or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<M> {
    /// The move.
    pub(crate) m: M,
    /// Logarithm of the evaluator's prior.
    pub(crate) logit: f32,
    /// The probability that selection goes by: the evaluator's, with noise at the root if there is any.
    pub(crate) prior: f32,
    /// Where it leads, or [`NONE`] before the first visit.
    pub(crate) node: u32,
}

/// All-moves-as-first statistics of an edge: simulations in which its move was played here or later by the same
/// participant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amaf {
    pub(crate) visits: u32,
    /// Sum of the results for the mover of the node.
    pub(crate) total: f32,
}

/// A position that was reached: a decision or the end of the game.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The node above, [`NONE`] at the root.
    pub(crate) parent: u32,
    /// The edge that leads here.
    pub(crate) edge: u32,
    /// The single legal moves that follow that edge's move.
    pub(crate) forced: Range<u32>,
    /// The legal moves; empty until there are logits or a second visit.
    pub(crate) edges: Range<u32>,
    /// Simulations that came through or ended here.
    pub(crate) visits: u32,
    /// Simulations under way through here that are not backed up yet.
    pub(crate) pending: u32,
    /// Sum of the results by the seats of this node; the certain result once there is one.
    pub(crate) total: [f64; MAX_SEATS],
    /// The key of the position, by which a later search finds it again.
    pub(crate) key: u64,
    /// The evaluator's value of the position itself, for the mover.
    pub(crate) evaluated: f32,
    /// Who decides here.
    pub(crate) mover: Seat,
    /// Where the participants of the node above sit here.
    pub(crate) permutation: SeatPermutation,
    /// Whether `total` is the certain result.
    pub(crate) solved: bool,
    /// Whether a simulation waits here for the policy.
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

    /// What each seat of this node can expect; `None` before the first answer.
    pub(crate) fn values(&self) -> Option<Values> {
        let by = if self.solved { 1.0 } else { f64::from(self.visits) };
        (self.solved || self.visits > 0).then(|| Values(self.total.map(|sum| (sum / by) as f32)))
    }

    /// What one seat of this node can expect, 0 before the first answer.
    #[inline]
    pub(crate) fn mean(&self, seat: Seat) -> f32 {
        let by = if self.solved { 1.0 } else { f64::from(self.visits.max(1)) };
        (self.total[seat.index()] / by) as f32
    }

    /// Visits, pending ones included.
    #[inline]
    pub(crate) fn trials(&self) -> u32 {
        self.visits + self.pending
    }

    /// Declares the result certain.
    pub(crate) fn settle(&mut self, values: Values) {
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
