//! Options of Gumbel search.

use crate::tree::MAX_BYTES;

/// Options of [`Gumbel`](crate::Gumbel) search. `docs/agents/gumbel.md` has measurements.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GumbelOptions {
    /// The maximum number of root moves that are considered. `None` for as many as the budget has
    /// [`SIMULATIONS_PER_MOVE`](Self::SIMULATIONS_PER_MOVE) for, from 4 to 16: a move that is visited once is hardly
    /// compared.
    pub m: Option<usize>,
    /// The offset added to the visits in σ; the larger it is, the more values count early on.
    pub c_visit: f32,
    /// The scale of σ: the weight of values against priors.
    pub c_scale: f32,
    /// The weight of the Gumbel noise: 1 samples moves in proportion to their priors, as in self-play; 0 takes the
    /// moves with the highest priors.
    pub noise: f32,
    /// Selection below the root.
    pub interior: Interior,
    /// The maximum number of decisions below the root.
    pub depth_limit: Option<u32>,
    /// How missing and unreliable values are completed.
    pub completion: Completion,
    /// How values are scaled.
    pub scale: Scale,
    /// The maximum number of requests in one batch for the evaluator. The simulations of one round of halving are
    /// evaluated together in any case, since this does not change the result; a larger batch begins the next rounds before
    /// their results are known.
    pub batch: usize,
    /// The number of threads, which divide every batch.
    pub threads: usize,
    /// The maximum size of the tree in bytes. It may be exceeded by the nodes of one batch. A search that reaches it
    /// ends, and its report has the detail `full`.
    pub max_bytes: usize,
}

impl GumbelOptions {
    /// The simulations per considered move, unless [`m`](Self::m) is set.
    pub const SIMULATIONS_PER_MOVE: u64 = 16;

    /// The maximum number of root moves that a search with this budget considers; at least 1.
    pub(super) fn considered(&self, simulations: u64) -> usize {
        let by_budget = || (simulations / Self::SIMULATIONS_PER_MOVE).clamp(4, 16) as usize;
        self.m.unwrap_or_else(by_budget).max(1)
    }
}

impl Default for GumbelOptions {
    fn default() -> Self {
        Self {
            m: None,
            c_visit: 50.0,
            c_scale: 1.0,
            noise: 0.0,
            interior: Interior::Deterministic,
            depth_limit: None,
            completion: Completion::Published,
            scale: Scale::Fixed,
            batch: 1,
            threads: 1,
            max_bytes: MAX_BYTES,
        }
    }
}

/// Selection below the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Interior {
    /// The move whose visits lag furthest behind the improved policy, as published.
    Deterministic,
    /// PUCT.
    Puct {
        /// The weight of exploration.
        c_puct: f32,
    },
}

/// How missing and unreliable values are completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// A visited move has its own value and any other the mixed value of the node, as published.
    Published,
    /// The value of a move with `n` visits is weighted by `n / (n + c_visit)`, and the evaluator's value of the node by
    /// the rest.
    VisitWeighted,
}

/// How values are scaled to be comparable with logits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// From −1 … 1 to 0 … 1 at every node.
    Fixed,
    /// From the range of the values at the node to 0 … 1, for values of unknown range.
    MinMax,
    /// Not at all: −1 … 1, so that `c_scale` counts twice as much as with a fixed scale.
    Unscaled,
}
