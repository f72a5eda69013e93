//! Contenders of the toy game.

use arena::Contender;
use game::{Game, toy::Take};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Limits, Mcts, MctsOptions, Random, Rollout};

/// Plays random moves in any game.
pub(crate) fn random<'a, G: Game>() -> Contender<'a, G> {
    Contender::new(Limits::nodes(0), |seed| Box::new(Random::new(Xoshiro256PlusPlus::seed_from_u64(seed))))
}

pub(crate) fn mcts<'a>(simulations: u64) -> Contender<'a, Take> {
    Contender::new(Limits::nodes(simulations), |seed| {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Box::new(Mcts::new(Rollout::new(rng.clone()), rng, MctsOptions::default()))
    })
}
