//! Players as step-wise searches, for callers that evaluate the positions of many games together.

use game::Evaluator;
use search::Search;

use crate::{Kind, Playable, Player};

impl Player {
    /// Whether its decisions are those of [`Player::search`] with the answers of [`Player::leaf_evaluator`].
    pub fn is_stepwise(&self) -> bool {
        let config = &self.config;
        config.kind == Kind::Gumbel && config.leaves.is_static() && config.randomness == 0.0
    }

    /// A search for one seat of one game; `None` for agents that are none. `seed` is used unless the spec has its own. It
    /// makes the decisions of [`Player::agent`] with the same seed.
    pub fn search<G: Playable>(&self, seed: u64) -> Option<Box<dyn Search<G>>> {
        self.is_stepwise().then(|| (G::builders().search)(self, seed))
    }

    /// What answers the requests of [`Player::search`]. `seed` is used where it draws random moves.
    pub fn leaf_evaluator<G: Playable>(&self, seed: u64) -> Box<dyn Evaluator<G> + Send> {
        (G::builders().leaf_evaluator)(self, seed)
    }
}
