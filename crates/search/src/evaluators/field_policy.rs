//! The policy of a field of moves.

use game::{Evaluation, Evaluator, FieldView, Game, MoveField, Request};

/// Moves that are looked at in one batch; whether the evaluation is interrupted is checked between batches.
const AT_A_TIME: usize = 64;

/// Gives policies alone: the logit of a move is proportional to its worth at its own point of a [`MoveField`].
///
/// Values stay zero, so a search takes them from another evaluator, as in [`PolicyFrom`](super::PolicyFrom).
pub struct FieldPolicy<G: Game> {
    field: Box<dyn MoveField<G>>,
    sharpness: f32,
    identity: u64,
    points: Vec<f32>,
    view: FieldView,
}

impl<G: Game> FieldPolicy<G> {
    /// Creates an evaluator with logits of `sharpness` times the worth of moves in `field`, which is known by `identity`.
    pub fn new(field: Box<dyn MoveField<G>>, sharpness: f32, identity: u64) -> Self {
        Self { field, sharpness, identity, points: Vec::new(), view: FieldView::default() }
    }
}

impl<G: Game> Evaluator<G> for FieldPolicy<G> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        for (request, answer) in requests.iter().zip(evaluations) {
            answer.logits.clear();
            if request.moves.is_empty() {
                continue;
            }
            self.field.begin(request.position, request.moves, &mut self.points);
            self.field.draw(0, &mut || 0);
            for some in self.points.chunks(AT_A_TIME * self.field.dimension()) {
                if is_interrupted() {
                    return false;
                }
                self.field.look(some, &mut self.view);
                let worths = &self.view.samples[..some.len() / self.field.dimension()];
                answer.logits.extend(worths.iter().map(|worth| self.sharpness * worth));
            }
        }
        true
    }

    fn identity(&self) -> Option<u64> {
        Some(self.identity)
    }
}
