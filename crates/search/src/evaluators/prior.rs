//! A policy derived from the values of the children.

use game::{Evaluation, Evaluator, Game, Request, SeatPermutation, Wants, identity_of};

use super::children::Children;

/// Adds a policy to another evaluator: the logit of a move is proportional to the value after it.
///
/// The policy costs an evaluation per legal move, so it is computed only for [`Wants::Policy`], when a search revisits
/// a position. All children of a position are evaluated together.
#[derive(Clone, Debug)]
pub struct HeuristicPrior<G: Game, E> {
    evaluator: E,
    sharpness: f32,
    children: Children<G>,
}

impl<G: Game, E: Evaluator<G>> HeuristicPrior<G, E> {
    /// Creates an evaluator with the values of `evaluator` and logits of `sharpness` times the value after each move.
    pub fn new(evaluator: E, sharpness: f32) -> Self {
        Self { evaluator, sharpness, children: Children::new() }
    }

    /// Fills in the logits. Returns `false` if the evaluation is interrupted.
    fn policy(
        &mut self,
        request: &Request<'_, G>,
        logits: &mut Vec<f32>,
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let &Request { position, moves, .. } = request;
        let mover = position.to_move();
        let sharpness = self.sharpness;
        logits.resize(moves.len(), 0.0);
        self.children.evaluate(&mut self.evaluator, position, moves, is_interrupted, |index, values| {
            let mut permutation = SeatPermutation::default();
            permutation.advance(position, moves[index]);
            logits[index] = sharpness * values.of(permutation.of(mover));
        })
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for HeuristicPrior<G, E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let mut done = 0;
        for same in requests.chunk_by(|one, other| one.wants == other.wants) {
            let answers = &mut evaluations[done..done + same.len()];
            done += same.len();
            if same[0].wants == Wants::Values {
                if !self.evaluator.evaluate_unless(same, answers, is_interrupted) {
                    return false;
                }
                for answer in answers {
                    answer.logits.clear();
                }
            } else {
                for (request, answer) in same.iter().zip(answers) {
                    if !self.policy(request, &mut answer.logits, is_interrupted) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn identity(&self) -> Option<u64> {
        let inner = self.evaluator.identity()?;
        Some(identity_of(("prior", inner, self.sharpness.to_bits())))
    }

    fn reseed(&mut self, seed: u64) {
        self.evaluator.reseed(seed);
    }
}
