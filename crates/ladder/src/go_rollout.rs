//! Evaluation of Go positions by fast playouts.

use game::{Evaluation, Evaluator, Request, Wants, evaluate_in_pieces};
use go::{CarefulPlayouts, Colour, Move, Point, Points, Position, Score};
use rand::{Rng, SeedableRng};

/// Evaluates a position by one [careful playout](CarefulPlayouts) and returns its moves for AMAF. The policy is made of
/// [simple knowledge](go::move_priors).
///
/// Playouts are scored by area under all rules: at the end of a playout hardly anything but eyes is empty, so area and
/// territory differ by at most about a point.
#[derive(Clone, Debug)]
pub struct GoRollout<R> {
    rng: R,
    stones: Vec<(Colour, Point)>,
}

impl<R: Rng> GoRollout<R> {
    /// Creates an evaluator that draws playouts from `rng`.
    pub fn new(rng: R) -> Self {
        Self { rng, stones: Vec::new() }
    }
}

impl<P: Points, R: Rng + SeedableRng> Evaluator<Position<P>> for GoRollout<R> {
    fn evaluate(&mut self, requests: &[Request<'_, Position<P>>], evaluations: &mut [Evaluation<Move>]) {
        for (request, evaluation) in requests.iter().zip(evaluations) {
            if request.wants == Wants::Policy {
                go::move_priors(request.position, request.moves, &mut evaluation.logits);
                continue;
            }
            let finished = CarefulPlayouts::new(request.position).run(&mut self.rng, &mut self.stones);
            let komi = request.position.rules().komi.half_points();
            let outcome = Score::from_half_points(2 * finished.area - komi).outcome();
            evaluation.values = outcome.values();
            evaluation.playout.extend(self.stones.iter().map(|&(colour, at)| (colour.seat(), Move::at(at))));
        }
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, Position<P>>],
        evaluations: &mut [Evaluation<Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        evaluate_in_pieces(self, requests, evaluations, is_interrupted)
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = R::seed_from_u64(seed);
    }
}
