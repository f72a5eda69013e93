//! Agents that sometimes play a random move.

use game::Game;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{Agent, Limits, Random, Report, Stop};

/// Plays a random legal move with probability epsilon, and otherwise the move of the wrapped agent.
pub(crate) struct EpsilonRandom<G: Game> {
    agent: Box<dyn Agent<G>>,
    epsilon: f64,
    rng: Xoshiro256PlusPlus,
}

impl<G: Game> EpsilonRandom<G> {
    pub(crate) fn new(agent: Box<dyn Agent<G>>, epsilon: f64, rng: Xoshiro256PlusPlus) -> Self {
        Self { agent, epsilon, rng }
    }
}

impl<G: Game> Agent<G> for EpsilonRandom<G> {
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        // 53 bits give a uniform double in [0, 1).
        let draw = (self.rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        if draw < self.epsilon {
            Random::new(&mut self.rng).think_with_progress(root, limits, stop, on_progress)
        } else {
            self.agent.think_with_progress(root, limits, stop, on_progress)
        }
    }
}
