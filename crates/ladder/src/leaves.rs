//! What evaluates the leaves of tree searches.

use game::{Evaluator, Game, StaticEvaluator, Values, ValuesOnly, identity_of};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{AfterTurn, HeuristicPrior, ShortRollout};

use crate::{AgentConfig, Playable};

/// What evaluates the leaves of a tree search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The heuristic, with a uniform policy.
    Heuristic,
    /// The heuristic, with a policy from its values after each move, at the price of as many evaluations.
    Prior,
    /// The heuristic after the turn, played on by one ply, with a uniform policy.
    AfterTurn,
    /// One random game.
    Rollout,
    /// The heuristic after a few random moves.
    ShortRollout,
    /// Nothing: all positions and moves are alike until a game is over.
    Uniform,
}

impl Leaves {
    /// The evaluator that `config` asks for, drawing from `rng` if it plays random moves.
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

/// Knows the results of finished games and nothing else.
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
