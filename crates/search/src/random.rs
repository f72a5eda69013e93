//! Uniformly random play, the baseline of every rating scale.

use std::time::Instant;

use game::{Game, pick};
use rand::Rng;

use crate::{Agent, Candidate, Limits, Report, Stop};

/// Plays a uniformly random legal move.
#[derive(Clone, Debug)]
pub struct Random<R> {
    rng: R,
}

impl<R: Rng> Random<R> {
    /// Creates an agent that draws moves from `rng`.
    pub fn new(rng: R) -> Self {
        Self { rng }
    }
}

impl<G: Game, R: Rng + Send> Agent<G> for Random<R> {
    fn think_with_progress(
        &mut self,
        root: &G,
        _: &Limits,
        _: &Stop,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        let best = moves[pick(&mut self.rng, moves.len())];
        let share = 1.0 / moves.len() as f32;
        let candidate = |m| Candidate { prior: Some(share), ..Candidate::new(m) };
        let candidates = moves.into_iter().map(candidate).collect();
        Report { best, time: start.elapsed(), ..Report::new("random", candidates) }
    }
}
