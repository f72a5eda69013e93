//! Leaf evaluation of tree searches.

use game::{Evaluator, Game, StaticEvaluator, Values, ValuesOnly, identity_of};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{AfterTurn, HeuristicPrior, ShortRollout};

use crate::{AgentConfig, Playable};

/// The leaf evaluation of a tree search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The heuristic, with a uniform policy.
    Heuristic,
    /// The heuristic, with a policy derived from the values of the children, which costs one evaluation per move.
    Prior,
    /// The heuristic at the end of the turn, whose rest is played greedily, with a uniform policy.
    AfterTurn,
    /// One random playout.
    Rollout,
    /// The heuristic after a few random moves.
    ShortRollout,
    /// Equal values for all unfinished games, with a uniform policy.
    Uniform,
}

impl Leaves {
    /// Creates the evaluator for `config`, which draws random moves from `rng`.
    pub(crate) fn evaluator<G: Playable>(
        self,
        config: &AgentConfig,
        rng: Xoshiro256PlusPlus,
    ) -> Box<dyn Evaluator<G> + Send> {
        let heuristic = ValuesOnly(G::heuristic(config.persona));
        match self {
            Self::Heuristic => Box::new(heuristic),
            Self::Prior => Box::new(HeuristicPrior::new(heuristic, config.sharpness)),
            Self::AfterTurn => Box::new(AfterTurn::new(heuristic)),
            Self::Rollout => G::rollout(rng),
            Self::ShortRollout => Box::new(ShortRollout::new(heuristic, config.rollout_plies, rng)),
            Self::Uniform => Box::new(ValuesOnly(ResultsOnly)),
        }
    }
}

/// Evaluates finished games by their outcome and all others as equal.
#[derive(Clone)]
struct ResultsOnly;

impl<G: Game> StaticEvaluator<G> for ResultsOnly {
    fn values(&mut self, position: &G) -> Values {
        position.outcome().map(|outcome| outcome.values()).unwrap_or_default()
    }

    fn identity(&self) -> Option<u64> {
        Some(identity_of("results only"))
    }
}
