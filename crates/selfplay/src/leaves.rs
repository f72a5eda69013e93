//! Samples of the positions at which a search calls its evaluator.

use std::sync::{Arc, Mutex, PoisonError};

use game::{Game, LineEvaluator, Values, pick};
use ladder::{AgentConfig, Kind, Playable, Player};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::Agent;

/// A uniform sample of the positions that were evaluated since it was last taken.
#[derive(Debug)]
pub(crate) struct Reservoir<G> {
    positions: Vec<G>,
    capacity: usize,
    seen: usize,
    rng: Xoshiro256PlusPlus,
}

impl<G: Game> Reservoir<G> {
    /// An empty sample of at most `capacity` positions.
    pub(crate) fn new(capacity: usize, seed: u64) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { positions: Vec::new(), capacity, seen: 0, rng }
    }

    fn push(&mut self, position: &G) {
        self.seen += 1;
        if self.positions.len() < self.capacity {
            self.positions.push(position.clone());
        } else {
            // Every position seen so far is in the sample with the same probability.
            let place = pick(&mut self.rng, self.seen);
            if place < self.capacity {
                self.positions[place] = position.clone();
            }
        }
    }

    /// Takes the sample and starts a new one.
    pub(crate) fn take(&mut self) -> Vec<G> {
        self.seen = 0;
        std::mem::take(&mut self.positions)
    }
}

/// An agent whose search samples the positions it evaluates. Only depth-first searches do.
pub(crate) fn sampling_agent<G: Playable>(
    player: &Player,
    reservoir: &Arc<Mutex<Reservoir<G>>>,
) -> Box<dyn Agent<G>> {
    let evaluator = Sampler { evaluator: player.line_evaluator::<G>(), reservoir: Arc::clone(reservoir) };
    player.alphabeta(Box::new(evaluator))
}

/// Whether the searches of an agent can be sampled. [`sampling_agent`] always plays the best move, so an agent that is to
/// play random ones cannot.
pub(crate) fn can_sample(config: &AgentConfig) -> bool {
    matches!(config.kind, Kind::Minimax | Kind::MaxN | Kind::Brs) && config.randomness == 0.0
}

/// A line evaluator that adds the positions it evaluates to a sample.
struct Sampler<G: Game> {
    evaluator: Box<dyn LineEvaluator<G> + Send>,
    reservoir: Arc<Mutex<Reservoir<G>>>,
}

impl<G: Game> LineEvaluator<G> for Sampler<G> {
    fn reset(&mut self, root: &G) {
        self.evaluator.reset(root);
    }

    fn descend(&mut self, ply: usize) {
        self.evaluator.descend(ply);
    }

    fn play(&mut self, ply: usize, position: &mut G, m: G::Move) {
        self.evaluator.play(ply, position, m);
    }

    fn values(&mut self, ply: usize, position: &G) -> Values {
        if !position.is_over() {
            self.reservoir.lock().unwrap_or_else(PoisonError::into_inner).push(position);
        }
        self.evaluator.values(ply, position)
    }
}
