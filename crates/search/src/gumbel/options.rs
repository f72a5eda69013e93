//! What can be chosen about a Gumbel search.

/// The choices of a [`Gumbel`](crate::Gumbel) search. See `docs/agents/gumbel.md` for what was measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GumbelOptions {
    /// The most moves of the root that get simulations.
    pub m: usize,
    /// How much values count before the first visit, in visits.
    pub c_visit: f32,
    /// How much values count against priors.
    pub c_scale: f32,
    /// The weight of the Gumbel noise: 1 samples moves in proportion to their priors, as self-play wants; 0 takes the
    /// most promising ones.
    pub noise: f32,
    /// The way down below the root.
    pub interior: Interior,
    /// The most decisions below the root.
    pub depth_limit: Option<u32>,
    /// What stands in for values that are missing or uncertain.
    pub completion: Completion,
    /// What values are measured by.
    pub scale: Scale,
    /// The most requests that are gathered into one batch for the evaluator.
    pub batch: usize,
}

impl Default for GumbelOptions {
    fn default() -> Self {
        Self {
            m: 16,
            c_visit: 50.0,
            c_scale: 1.0,
            noise: 0.0,
            interior: Interior::Deterministic,
            depth_limit: None,
            completion: Completion::Published,
            scale: Scale::Fixed,
            batch: 1,
        }
    }
}

/// The way down below the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Interior {
    /// Where the visits lag furthest behind the improved policy, as published.
    Deterministic,
    /// By upper bounds in proportion to the priors.
    Puct {
        /// The weight of the unknown.
        c_puct: f32,
    },
}

/// What stands in for values that are missing or uncertain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// A visited move has its own value, any other the mixed value of the node, as published.
    Published,
    /// A move of `n` visits has `n / (n + c_visit)` of its own value and the rest of the evaluator's value of the node.
    Seed,
}

/// The scale on which values become comparable with logits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// From −1 … 1 to 0 … 1, the same everywhere.
    Fixed,
    /// From the least to the greatest value of the node's moves to 0 … 1, for values of unknown extent.
    MinMax,
}
