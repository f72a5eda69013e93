//! One ply and an opinion.

use std::time::Instant;

use game::{Evaluate, Game, Places, Values, pick};
use rand::Rng;

use crate::{Agent, Candidate, Limits, Report, Stop};

/// Tries every legal move, follows forced moves to the next decision of any seat, and takes what an evaluator finds
/// best for whoever decides.
///
/// A turn may be a chain of decisions, so the position that is scored often belongs to the same seat again. Each
/// move is judged for the seat from which the decider plays on ([`Game::seat_after`]): that is the whole treatment
/// of the pie rule. Equal moves are chosen between at random. The budget of [`Limits`] does not matter, since the
/// work is one evaluation a move; time and [`Stop`] do, and leave the remaining moves without values.
#[derive(Clone, Debug)]
pub struct Greedy<E, R> {
    evaluator: E,
    rng: R,
}

impl<E, R: Rng> Greedy<E, R> {
    /// An agent that asks `evaluator` and breaks ties with `rng`.
    pub fn new(evaluator: E, rng: R) -> Self {
        Self { evaluator, rng }
    }

    /// What the seats of `root` can expect after `m`, and whether that is certain.
    fn look<G: Game>(&mut self, root: &G, m: G::Move, moves: &mut Vec<G::Move>) -> (Values, bool)
    where
        E: Evaluate<G>,
    {
        let (mut position, mut places) = (root.clone(), Places::default());
        moves.clear();
        moves.push(m);
        while let [only] = moves[..] {
            places.follow(&position, only);
            position.play_unchecked(only, &mut ());
            position.legal_moves(moves);
        }
        let outcome = position.outcome();
        let found = outcome.map_or_else(|| self.evaluator.values(&position), |outcome| outcome.values());
        // Told by the seats of the root, like everything in a report.
        (places.told_before(found), outcome.is_some())
    }
}

impl<G: Game, E: Evaluate<G> + Send, R: Rng + Send> Agent<G> for Greedy<E, R> {
    /// A single legal move is not looked at and gets no values.
    fn think_aloud(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        // In random order, so that the first of equals is any of them.
        for last in (1..moves.len()).rev() {
            moves.swap(last, pick(&mut self.rng, last + 1));
        }
        let in_time = || limits.time.is_none_or(|most| start.elapsed() < most);
        let mut scratch = Vec::new();
        let mut nodes = 0;
        let mut candidates: Vec<Candidate<G::Move>> = Vec::with_capacity(moves.len());
        for &m in &moves {
            let mut candidate = Candidate::new(m);
            if moves.len() > 1 && !stop.is_raised() && in_time() {
                let (values, solved) = self.look(root, m, &mut scratch);
                candidate = Candidate { visits: 1, values: Some(values), solved, ..candidate };
                nodes += 1;
            }
            candidates.push(candidate);
        }
        for candidate in &mut candidates {
            candidate.share = candidate.visits as f32 / nodes.max(1) as f32;
        }
        let mover = root.to_move();
        let value = |candidate: &Candidate<G::Move>| {
            candidate.values.map_or(f32::NEG_INFINITY, |values| values.of(mover))
        };
        candidates.sort_by(|one, other| value(other).total_cmp(&value(one)));
        let values = candidates[0].values;
        Report { nodes, time: start.elapsed(), values, ..Report::new("one ply", candidates) }
    }
}
