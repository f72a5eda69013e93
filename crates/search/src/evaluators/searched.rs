//! Values by a small alpha-beta search.

use game::{Evaluation, Evaluator, Game, LineEvaluator, Request, Wants};

use crate::{Agent, AlphaBeta, AlphaBetaOptions, Limits, Stop};

/// Evaluates a position by a small alpha-beta search from it, without a policy.
///
/// Every search starts from scratch, so equal positions get equal answers. The cost is that of the search: its budget of
/// nodes counts for every request.
pub struct SearchedValues<G: Game> {
    search: AlphaBeta<G>,
    limits: Limits,
}

impl<G: Game> SearchedValues<G> {
    /// Creates an evaluator that searches `nodes` positions with `evaluator` at the leaves.
    pub fn new(
        evaluator: impl LineEvaluator<G> + Send + 'static,
        options: AlphaBetaOptions,
        nodes: u64,
    ) -> Self {
        let options = AlphaBetaOptions { reuse: false, ..options };
        Self { search: AlphaBeta::new(evaluator, options), limits: Limits::nodes(nodes) }
    }
}

impl<G: Game> Evaluator<G> for SearchedValues<G> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let wanted = requests.iter().zip(evaluations).filter(|(request, _)| request.wants == Wants::Values);
        for (index, (request, evaluation)) in wanted.enumerate() {
            if index > 0 && is_interrupted() {
                return false;
            }
            let report = self.search.think(request.position, &self.limits, &Stop::default());
            evaluation.values = report.values.unwrap_or_default();
        }
        true
    }
}
