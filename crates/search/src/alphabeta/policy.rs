//! Move ordering by the policy of an evaluator.

use game::{Evaluation, Evaluator, Game, Request, Wants, cleared};

use super::{ordering::Ranked, stack::TURN};

/// The policy that orders moves far from the leaves.
pub(super) struct MovePolicy<G: Game> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    /// The least depth at which it is asked.
    depth: i32,
    answer: Vec<Evaluation<G::Move>>,
}

/// Ranks per unit of a logit: ranks are whole numbers.
const PER_LOGIT: f32 = 1000.0;

impl<G: Game> MovePolicy<G> {
    pub(super) fn new(evaluator: Box<dyn Evaluator<G> + Send>, turns: u32) -> Self {
        Self { evaluator, depth: turns as i32 * TURN, answer: Vec::new() }
    }

    /// Whether it orders the moves of positions with this much depth left.
    pub(super) fn covers(&self, depth: i32) -> bool {
        depth >= self.depth
    }

    /// Ranks the entries of `ranked`, which are moves of `position`, by the logits of its legal `moves`. Returns `false` if
    /// the evaluator has no policy.
    pub(super) fn rank(&mut self, position: &G, moves: &[G::Move], ranked: &mut [Ranked<G::Move>]) -> bool {
        let answers = cleared(&mut self.answer, 1);
        self.evaluator.evaluate(&[Request { position, moves, wants: Wants::Policy }], answers);
        let logits = &answers[0].logits;
        if logits.is_empty() {
            return false;
        }
        for entry in ranked {
            entry.set_rank((PER_LOGIT * logits[entry.index()]) as i32);
        }
        true
    }
}
