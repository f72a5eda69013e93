//! What can be chosen about a Monte Carlo tree search.

use crate::Widening;

/// The choices of an [`Mcts`](crate::Mcts) search. The defaults are what measured best with heuristic leaves; see
/// `docs/agents/mcts.md`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// How to weigh what is known of a move against what is not.
    pub selection: Selection,
    /// Noise on the priors of the root, for self-play.
    pub noise: Option<RootNoise>,
    /// With 0 the best move is played. Above, a move is drawn in proportion to its visits to the power of
    /// 1 / temperature; the report still lists the best one first.
    pub temperature: f32,
    /// Considers only some of the moves of a node that was seldom visited.
    pub widening: Option<Widening>,
    /// How many visits the results of a move count as much as its all-moves-as-first results, if these count at all.
    pub rave: Option<f32>,
    /// Whether to go on with the tree of the last decision, if the position lies in it. The budget is that of new
    /// simulations all the same; visits in the report count old ones too.
    pub reuse: bool,
    /// The most requests that are gathered into one batch for the evaluator.
    pub batch: usize,
    /// How many lost games a visit that waits for its answer counts as, which leads the next descent elsewhere. Matters
    /// in batches only.
    pub virtual_loss: f32,
    /// How many trees are grown side by side, each in a thread of its own and with its part of the budget, and put
    /// together for the report.
    pub threads: usize,
}

impl Default for MctsOptions {
    fn default() -> Self {
        Self {
            selection: Selection::default(),
            noise: None,
            temperature: 0.0,
            widening: None,
            rave: None,
            reuse: false,
            batch: 1,
            virtual_loss: 1.0,
            threads: 1,
        }
    }
}

/// How to weigh the known against the unknown, for values in [−1, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// Upper confidence bounds (UCB1). Priors do not matter.
    Uct {
        /// The weight of the unknown.
        exploration: f32,
    },
    /// Bounds in proportion to the priors.
    Puct {
        /// The weight of the unknown.
        c_puct: f32,
        /// How much worse than its parent a move is taken to be before it is tried, times the square root of the prior
        /// of the moves that were.
        fpu_reduction: f32,
    },
}

impl Selection {
    /// UCT as it measured best.
    pub const UCT: Self = Self::Uct { exploration: 0.7 };
    /// PUCT as it measured best, with priors from heuristic values and more than a hundred moves. Priors that leave few
    /// moves worth trying want a smaller weight.
    pub const PUCT: Self = Self::Puct { c_puct: 1.5, fpu_reduction: 0.2 };
}

impl Default for Selection {
    fn default() -> Self {
        Self::PUCT
    }
}

/// Dirichlet noise: a prior becomes `(1 − share) · prior + share · noise`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootNoise {
    /// The smaller, the fewer moves get most of the noise.
    pub alpha: f32,
    /// The part of the noise.
    pub share: f32,
}

impl Default for RootNoise {
    fn default() -> Self {
        Self { alpha: 0.3, share: 0.25 }
    }
}
