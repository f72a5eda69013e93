//! Options of Monte Carlo tree search.

use crate::{Widening, tree::MAX_BYTES};

/// Options of [`Mcts`](crate::Mcts). The defaults performed best with heuristic leaf evaluation; see
/// `docs/agents/mcts.md`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// The selection formula.
    pub selection: Selection,
    /// Dirichlet noise on the priors of the root, for self-play.
    pub noise: Option<RootNoise>,
    /// With 0 the best move is played. Otherwise a move is drawn with a probability proportional to its visits to the
    /// power of 1 / temperature; the report still lists the best one first.
    pub temperature: f32,
    /// Progressive widening: nodes with few visits consider only some of their moves.
    pub widening: Option<Widening>,
    /// UCT: the number of visits that the prior of a move counts as. Its odds against a move with the average prior are
    /// taken for the odds of winning. With 0, priors are ignored.
    pub prior_visits: f32,
    /// RAVE: the number of visits at which a move's own results and many AMAF results have equal weight. `None` disables
    /// RAVE.
    pub rave: Option<f32>,
    /// Implicit minimax backups: the weight of a move's minimax value in selection, against the mean of its results. The
    /// minimax value of a node is its evaluation, or once it has visited moves, the best of their minimax values for its
    /// mover. `None` for means alone. Lanctot, Winands, Pepels & Sturtevant, *Monte Carlo Tree Search with Heuristic
    /// Evaluations using Implicit Minimax Backups* (2014).
    pub implicit: Option<f32>,
    /// Whether to reuse the tree of the last decision if it contains the position. The budget still counts new
    /// simulations only; visits in the report include old ones.
    pub reuse: bool,
    /// The maximum number of requests in one batch for the evaluator.
    pub batch: usize,
    /// Virtual loss: how many losses a pending visit counts as, which directs other simulations elsewhere. Has no
    /// effect without batches.
    pub virtual_loss: f32,
    /// The number of threads. If [batches](Self::batch) have several requests, there is one tree, and the threads divide
    /// every batch. Otherwise each grows its own tree with its part of the budget, and their reports are merged.
    pub threads: usize,
    /// The maximum size of the tree in bytes, or of the trees of all threads together. It may be exceeded by the nodes
    /// of one batch. A search that reaches it ends, and its report has the detail `full`.
    pub max_bytes: usize,
}

impl Default for MctsOptions {
    fn default() -> Self {
        Self {
            selection: Selection::default(),
            noise: None,
            temperature: 0.0,
            widening: None,
            prior_visits: 0.0,
            rave: None,
            implicit: None,
            reuse: false,
            batch: 1,
            virtual_loss: 1.0,
            threads: 1,
            max_bytes: MAX_BYTES,
        }
    }
}

/// The formula that balances exploitation and exploration, for values in [−1, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// UCB1 applied to trees. Ignores priors, unless they [count as visits](MctsOptions::prior_visits).
    Uct {
        /// The weight of exploration.
        exploration: f32,
    },
    /// PUCT: the exploration term is proportional to the prior.
    Puct {
        /// The weight of exploration.
        c_puct: f32,
        /// First-play urgency: the value of an unvisited move is that of its parent, reduced by this much times the
        /// square root of the total prior of the visited moves.
        fpu_reduction: f32,
    },
}

impl Selection {
    /// UCT with the exploration weight that performed best.
    pub const UCT: Self = Self::Uct { exploration: 0.7 };
    /// PUCT with the parameters that performed best, with heuristic priors and more than a hundred moves. Sharper
    /// priors need a smaller weight.
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
    /// The concentration parameter. The smaller it is, the fewer moves get most of the noise.
    pub alpha: f32,
    /// The weight of the noise.
    pub share: f32,
}

impl Default for RootNoise {
    fn default() -> Self {
        Self { alpha: 0.3, share: 0.25 }
    }
}
