//! Leaf evaluation of tree searches.

use game::{Evaluator, Game, StaticEvaluator, Values, ValuesOnly, identity_of};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{AfterTurn, HeuristicPrior, ShortRollout};

use crate::{AgentConfig, AgentEvaluator, Playable};

/// The leaf evaluation of a tree search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The static evaluator (the heuristic or a net), with a uniform policy.
    Heuristic,
    /// The static evaluator, with a policy derived from the values of the children, which costs one evaluation per move.
    Prior,
    /// The static evaluator at the end of the turn, whose rest is played greedily, with a uniform policy.
    AfterTurn,
    /// One random playout.
    Rollout,
    /// The static evaluator after a few random moves.
    ShortRollout,
    /// Equal values for all unfinished games, with a uniform policy.
    Uniform,
}

impl Leaves {
    /// Whether leaves are evaluated by the heuristic or a net.
    pub(crate) fn is_static(self) -> bool {
        !matches!(self, Self::Rollout | Self::Uniform)
    }

    /// Creates the evaluator for `config` around `evaluator`. It draws random moves from `rng`.
    pub(crate) fn evaluator<G: Playable>(
        self,
        config: &AgentConfig,
        evaluator: AgentEvaluator<G>,
        rng: Xoshiro256PlusPlus,
    ) -> Box<dyn Evaluator<G> + Send> {
        let values = ValuesOnly(evaluator);
        match self {
            Self::Heuristic => Box::new(values),
            Self::Prior => Box::new(HeuristicPrior::new(values, config.sharpness)),
            Self::AfterTurn => Box::new(AfterTurn::new(values)),
            Self::Rollout => G::rollout(rng),
            Self::ShortRollout => Box::new(ShortRollout::new(values, config.rollout_plies, rng)),
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
