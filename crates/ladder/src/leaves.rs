//! What judges the leaves of tree searches.

use game::{Evaluate, Game, Values};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{Flat, Guide, Leaf, Settled, ShortRollout, Sighted};

use crate::{AgentConfig, Playable};

/// What judges the leaves of a tree search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The heuristic; all moves look alike.
    Heuristic,
    /// The heuristic, also on the position after each move: a prior for moves, at the price of as many evaluations.
    Sighted,
    /// The heuristic at the end of the turn, played on at sight; all moves look alike.
    Settled,
    /// One random game.
    Rollout,
    /// The heuristic after a few random moves.
    ShortRollout,
    /// Nothing: all positions and moves are alike until a game is over.
    Uniform,
}

impl Leaves {
    pub(crate) fn guide<G: Playable>(self, config: &AgentConfig, rng: Xoshiro256PlusPlus) -> Judge<G> {
        let sight = G::sight(config.persona);
        match self {
            Self::Heuristic => Judge::Heuristic(Flat(sight)),
            Self::Sighted => Judge::Sighted(Sighted { evaluator: sight, sharpness: config.sharpness }),
            Self::Settled => Judge::Settled(Flat(Settled(sight))),
            Self::Rollout => Judge::Rollout(G::rollout(rng)),
            Self::ShortRollout => Judge::ShortRollout(ShortRollout::new(sight, config.rollout_plies, rng)),
            Self::Uniform => Judge::Uniform(Flat(Indifferent)),
        }
    }
}

/// One type for all of them, so that each search is compiled once for a game.
#[derive(Clone)]
pub(crate) enum Judge<G: Playable> {
    Heuristic(Flat<G::Sight>),
    Sighted(Sighted<G::Sight>),
    Settled(Flat<Settled<G::Sight>>),
    Rollout(G::Rollout),
    ShortRollout(ShortRollout<G::Sight, Xoshiro256PlusPlus>),
    Uniform(Flat<Indifferent>),
}

/// Hands a call on to whichever it is.
macro_rules! each {
    ($judge:expr, $guide:ident => $call:expr) => {
        match $judge {
            Judge::Heuristic($guide) => $call,
            Judge::Sighted($guide) => $call,
            Judge::Settled($guide) => $call,
            Judge::Rollout($guide) => $call,
            Judge::ShortRollout($guide) => $call,
            Judge::Uniform($guide) => $call,
        }
    };
}

impl<G: Playable> Guide<G> for Judge<G> {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) {
        each!(self, guide => guide.judge(leaves));
    }

    fn prefer(&mut self, leaf: &mut Leaf<G>) {
        each!(self, guide => guide.prefer(leaf));
    }

    fn reseed(&mut self, seed: u64) {
        each!(self, guide => Guide::<G>::reseed(guide, seed));
    }
}

/// Expects nothing before the end.
#[derive(Clone)]
pub(crate) struct Indifferent;

impl<G: Game> Evaluate<G> for Indifferent {
    fn values(&mut self, position: &G) -> Values {
        position.outcome().map(|outcome| outcome.values()).unwrap_or_default()
    }
}
