//! Evaluation by random playouts.

use game::{Evaluation, Evaluator, Game, Request, SeatPermutation, Wants, cleared, evaluate_in_pieces, pick};
use rand::{Rng, SeedableRng};

/// Evaluates a position by one random playout. The policy is uniform.
#[derive(Clone, Debug)]
pub struct Rollout<R> {
    rng: R,
}

impl<R: Rng> Rollout<R> {
    /// Creates an evaluator that draws random moves from `rng`.
    pub fn new(rng: R) -> Self {
        Self { rng }
    }
}

impl<G: Game, R: Rng + SeedableRng> Evaluator<G> for Rollout<R> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        let mut moves = Vec::new();
        for (request, evaluation) in requests.iter().zip(evaluations) {
            if request.wants == Wants::Values {
                let (end, permutation) = play_on(request, u32::MAX, &mut self.rng, &mut moves);
                let values = end.outcome().map(|outcome| outcome.values()).unwrap_or_default();
                evaluation.values = permutation.to_parent(values);
            }
        }
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        evaluate_in_pieces(self, requests, evaluations, is_interrupted)
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = R::seed_from_u64(seed);
    }
}

/// Plays up to `plies` random moves, not counting forced ones, and returns the resulting seat permutation.
fn play_on<G: Game>(
    request: &Request<'_, G>,
    plies: u32,
    rng: &mut impl Rng,
    moves: &mut Vec<G::Move>,
) -> (G, SeatPermutation) {
    let (mut position, mut permutation) = (request.position.clone(), SeatPermutation::default());
    let mut left = plies;
    moves.clear();
    if request.moves.is_empty() {
        position.legal_moves(moves);
    } else {
        moves.extend_from_slice(request.moves);
    }
    while !moves.is_empty() && (left > 0 || moves.len() == 1) {
        left -= u32::from(moves.len() > 1);
        let m = moves[pick(rng, moves.len())];
        permutation.advance(&position, m);
        position.play_unchecked(m, &mut ());
        position.legal_moves(moves);
    }
    (position, permutation)
}

/// Evaluates a position by a truncated rollout: a few random moves, then another evaluator, or the outcome if the game
/// ends first. The policy is uniform.
#[derive(Clone, Debug)]
pub struct ShortRollout<E, R> {
    evaluator: E,
    plies: u32,
    rng: R,
}

impl<E, R: Rng> ShortRollout<E, R> {
    /// Creates an evaluator that calls `evaluator` after `plies` moves drawn from `rng`. Forced moves are not counted.
    pub fn new(evaluator: E, plies: u32, rng: R) -> Self {
        Self { evaluator, plies, rng }
    }
}

impl<G: Game, E: Evaluator<G>, R: Rng + SeedableRng> Evaluator<G> for ShortRollout<E, R> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        let mut moves = Vec::new();
        let wanted = requests.iter().filter(|request| request.wants == Wants::Values);
        let ends: Vec<(G, SeatPermutation)> =
            wanted.map(|request| play_on(request, self.plies, &mut self.rng, &mut moves)).collect();
        let open = ends.iter().filter(|(end, _)| !end.is_over());
        let asked: Vec<_> =
            open.map(|(position, _)| Request { position, moves: &[], wants: Wants::Values }).collect();
        let mut answers = Vec::new();
        if !asked.is_empty() {
            self.evaluator.evaluate(&asked, cleared(&mut answers, asked.len()));
        }
        let (mut ends, mut answers) = (ends.iter(), answers.iter());
        let wanted = requests.iter().zip(evaluations).filter(|(request, _)| request.wants == Wants::Values);
        for ((_, evaluation), (end, permutation)) in wanted.zip(&mut ends) {
            let values = match end.outcome() {
                Some(outcome) => outcome.values(),
                None => answers.next().expect("one answer per request").values,
            };
            evaluation.values = permutation.to_parent(values);
        }
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        evaluate_in_pieces(self, requests, evaluations, is_interrupted)
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = R::seed_from_u64(seed);
    }
}
