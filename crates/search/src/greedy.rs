//! One-ply search.

use std::time::Instant;

use game::{Evaluation, Evaluator, Game, Request, SeatPermutation, Wants, cleared, pick};
use rand::Rng;

use crate::{Agent, Candidate, Limits, Report, Stop};

/// Tries every legal move, plays forced moves up to the next decision of any seat, and chooses the move with the best
/// evaluation for the mover.
///
/// A turn may be a chain of decisions, so the same seat is often to move in the evaluated position. Each move is rated
/// for the seat that the mover occupies after it ([`Game::seat_after`]), which covers the pie rule. Ties are broken at
/// random. The budget of [`Limits`] is ignored, since the cost is one evaluation per move. When time runs out or
/// [`Stop`] is raised, the remaining moves have no values.
pub struct Greedy<G: Game, R> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    rng: R,
    children: Vec<Child<G>>,
    evaluations: Vec<Evaluation<G::Move>>,
}

/// The position after a move.
struct Child<G: Game> {
    position: G,
    /// Maps the seats of the root to those after the move.
    permutation: SeatPermutation,
    moves: Vec<G::Move>,
}

/// The maximum batch size. Time and [`Stop`] are checked between batches.
const MAX_BATCH: usize = 32;

impl<G: Game, R: Rng> Greedy<G, R> {
    /// Creates an agent that uses `evaluator` and breaks ties with `rng`.
    pub fn new(evaluator: impl Evaluator<G> + Send + 'static, rng: R) -> Self {
        let evaluator = Box::new(evaluator);
        Self { evaluator, rng, children: Vec::new(), evaluations: Vec::new() }
    }

    /// Evaluates `moves` in one batch.
    fn evaluate(&mut self, root: &G, moves: &[G::Move], candidates: &mut Vec<Candidate<G::Move>>) {
        for (index, &m) in moves.iter().enumerate() {
            if index == self.children.len() {
                let (position, permutation) = (root.clone(), SeatPermutation::default());
                self.children.push(Child { position, permutation, moves: Vec::new() });
            }
            self.children[index].play(root, m);
        }
        let children = &self.children[..moves.len()];
        let open = children.iter().filter(|child| !child.position.is_over());
        let requests: Vec<_> = open
            .map(|Child { position, moves, .. }| Request { position, moves, wants: Wants::Values })
            .collect();
        let answers = cleared(&mut self.evaluations, requests.len());
        if !requests.is_empty() {
            self.evaluator.evaluate(&requests, answers);
        }
        let mut answers = answers.iter();
        for (child, &m) in children.iter().zip(moves) {
            let outcome = child.position.outcome();
            let values = match outcome {
                Some(outcome) => outcome.values(),
                None => answers.next().expect("one answer per request").values,
            };
            // Values in a report are in the seat order of the root.
            let values = Some(child.permutation.to_parent(values));
            candidates.push(Candidate { visits: 1, values, solved: outcome.is_some(), ..Candidate::new(m) });
        }
    }
}

impl<G: Game> Child<G> {
    /// Plays `m` and the forced moves after it.
    fn play(&mut self, root: &G, m: G::Move) {
        self.position.clone_from(root);
        self.permutation = SeatPermutation::default();
        self.moves.clear();
        self.moves.push(m);
        while let [only] = self.moves[..] {
            self.permutation.advance(&self.position, only);
            self.position.play_unchecked(only, &mut ());
            self.position.legal_moves(&mut self.moves);
        }
    }
}

impl<G: Game, R: Rng + Send> Agent<G> for Greedy<G, R> {
    /// A forced move is not evaluated and has no values.
    fn think_with_progress(
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
        // Shuffling the moves breaks ties at random.
        for last in (1..moves.len()).rev() {
            moves.swap(last, pick(&mut self.rng, last + 1));
        }
        let in_time = || limits.time.is_none_or(|most| start.elapsed() < most);
        let mut candidates: Vec<Candidate<G::Move>> = Vec::with_capacity(moves.len());
        for some in moves.chunks(MAX_BATCH) {
            if moves.len() > 1 && !stop.is_raised() && in_time() {
                self.evaluate(root, some, &mut candidates);
            } else {
                candidates.extend(some.iter().map(|&m| Candidate::new(m)));
            }
        }
        let nodes: u64 = candidates.iter().map(|candidate| candidate.visits).sum();
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
