//! An evaluator without its policy.

use game::{Evaluation, Evaluator, Game, Request, Wants, cleared, identity_of};

/// The values of another evaluator, with a uniform policy.
#[derive(Clone, Debug)]
pub struct UniformPolicy<E>(pub E);

impl<G: Game, E: Evaluator<G>> Evaluator<G> for UniformPolicy<E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        // Without moves, the evaluator spares the policy.
        let wanted: Vec<Request<'_, G>> = requests
            .iter()
            .filter(|request| request.wants == Wants::Values)
            .map(|request| Request { moves: &[], ..*request })
            .collect();
        let mut answers = Vec::new();
        let answers = cleared(&mut answers, wanted.len());
        if !wanted.is_empty() && !self.0.evaluate_unless(&wanted, answers, is_interrupted) {
            return false;
        }
        let mut answers = answers.iter_mut();
        for (request, evaluation) in requests.iter().zip(evaluations) {
            if request.wants == Wants::Values {
                *evaluation = std::mem::take(answers.next().expect("one answer per request"));
                evaluation.logits.clear();
            }
        }
        true
    }

    fn identity(&self) -> Option<u64> {
        self.0.identity().map(|inner| identity_of(("uniform policy", inner)))
    }

    fn reseed(&mut self, seed: u64) {
        self.0.reseed(seed);
    }
}
