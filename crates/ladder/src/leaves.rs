//! Leaf evaluation of tree searches.

use game::{Evaluator, Game, StaticEvaluator, Values, ValuesOnly, identity_of};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{
    AfterTurn, AlphaBetaOptions, HeuristicPrior, PolicyFrom, SearchedValues, ShortRollout, UniformPolicy,
};

use crate::{Playable, Player};

/// The leaf evaluation of a tree search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The evaluator (the heuristic or a net), with a uniform policy.
    Heuristic,
    /// The evaluator, with a policy: that of a policy and value net, in the same pass, or else one derived from the
    /// values of the children, which costs one evaluation per move.
    Prior,
    /// The evaluator at the end of the turn, whose rest is played greedily, with a uniform policy.
    AfterTurn,
    /// A small alpha-beta search from the position, with the policy of [`Leaves::Prior`].
    AlphaBeta,
    /// One random playout.
    Rollout,
    /// The evaluator after a few random moves.
    ShortRollout,
    /// Equal values for all unfinished games, with a uniform policy.
    Uniform,
}

impl Leaves {
    /// Whether leaves are evaluated by the heuristic or a net.
    pub(crate) fn is_static(self) -> bool {
        !matches!(self, Self::Rollout | Self::Uniform)
    }

    /// Creates the evaluator of `player`'s leaves. It draws random moves from `rng`.
    pub(crate) fn evaluator<G: Playable>(
        self,
        player: &Player,
        rng: Xoshiro256PlusPlus,
    ) -> Box<dyn Evaluator<G> + Send> {
        let config = &player.config;
        let plain = || player.batch_evaluator::<G>();
        // Where the policy comes from: another net, the net itself, or the values of the children.
        let derived = || HeuristicPrior::new(plain(), config.sharpness);
        match (self, player.policy_evaluator()) {
            (Self::Heuristic, _) if player.has_policy() => Box::new(UniformPolicy(plain())),
            (Self::Heuristic, _) => plain(),
            (Self::Prior, Some(policy)) => Box::new(PolicyFrom::new(policy, plain())),
            (Self::Prior, None) if player.has_policy() => plain(),
            (Self::Prior, None) => Box::new(derived()),
            (Self::AlphaBeta, policy) => {
                let options = AlphaBetaOptions { megabytes: LEAF_MEGABYTES, ..config.alphabeta };
                let values = SearchedValues::new(player.line_evaluator::<G>(), options, config.leaf_nodes);
                let own = || if player.has_policy() { plain() } else { Box::new(derived()) };
                Box::new(PolicyFrom::new(policy.unwrap_or_else(own), values))
            }
            (Self::AfterTurn, _) => Box::new(AfterTurn::new(plain())),
            (Self::Rollout, Some(policy)) => Box::new(PolicyFrom::joint(policy, G::rollout(rng))),
            (Self::Rollout, None) => G::rollout(rng),
            (Self::ShortRollout, _) => Box::new(ShortRollout::new(plain(), config.rollout_plies, rng)),
            (Self::Uniform, _) => Box::new(ValuesOnly(ResultsOnly)),
        }
    }

    /// Whether priors are derived from values if no net gives them.
    pub(crate) fn has_priors(self) -> bool {
        matches!(self, Self::Prior | Self::AlphaBeta)
    }

    /// Whether the policy of another net is used.
    pub(crate) fn uses_policy(self) -> bool {
        self.has_priors() || self == Self::Rollout
    }
}

/// The size of the table of a search at a leaf.
const LEAF_MEGABYTES: usize = 1;

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
