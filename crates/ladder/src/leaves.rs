//! What judges the leaves of tree searches.

use eval::Persona;
use game::{Evaluate, Game, Values};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{Flat, Guide, Leaf, Rollout, Sighted};

use crate::Playable;

/// What judges the leaves of a tree search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The heuristic; all moves look alike.
    Heuristic,
    /// The heuristic, also on the position after each move: a prior for moves, at the price of as many evaluations.
    Sighted,
    /// One random game.
    Rollout,
    /// Nothing: all positions and moves are alike until a game is over.
    Uniform,
}

impl Leaves {
    pub(crate) fn guide<G: Playable>(
        self,
        persona: Persona,
        sharpness: f32,
        rng: Xoshiro256PlusPlus,
    ) -> Judge<G> {
        match self {
            Self::Heuristic => Judge::Heuristic(Flat(G::sight(persona))),
            Self::Sighted => Judge::Sighted(Sighted { evaluator: G::sight(persona), sharpness }),
            Self::Rollout => Judge::Rollout(Rollout::new(rng)),
            Self::Uniform => Judge::Uniform(Flat(Indifferent)),
        }
    }
}

/// One type for all of them, so that each search is compiled once for a game.
#[derive(Clone)]
pub(crate) enum Judge<G: Playable> {
    Heuristic(Flat<G::Sight>),
    Sighted(Sighted<G::Sight>),
    Rollout(Rollout<Xoshiro256PlusPlus>),
    Uniform(Flat<Indifferent>),
}

impl<G: Playable> Guide<G> for Judge<G> {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) {
        match self {
            Self::Heuristic(guide) => guide.judge(leaves),
            Self::Sighted(guide) => guide.judge(leaves),
            Self::Rollout(guide) => guide.judge(leaves),
            Self::Uniform(guide) => guide.judge(leaves),
        }
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
