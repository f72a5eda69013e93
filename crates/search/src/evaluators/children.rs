//! Batched evaluation of all children of a position.

use game::{Evaluation, Evaluator, Game, Request, Values, Wants, cleared};

/// The maximum batch size: large enough to fill a batch, and small enough to stay in the processor's cache.
const MAX_BATCH: usize = 32;

/// Buffers for the children of a position.
#[derive(Clone, Debug)]
pub(super) struct Children<G: Game> {
    positions: Vec<G>,
    evaluations: Vec<Evaluation<G::Move>>,
}

impl<G: Game> Children<G> {
    pub(super) fn new() -> Self {
        Self { positions: Vec::new(), evaluations: Vec::new() }
    }

    /// Calls `each` once with the index of every move and the values after it, in the seat order after the move, but
    /// not necessarily in the order of the moves. Finished games have the values of their outcome; `evaluator`
    /// evaluates the others. Returns `false`, before all moves are evaluated, if `is_interrupted` does between batches.
    pub(super) fn evaluate(
        &mut self,
        evaluator: &mut impl Evaluator<G>,
        parent: &G,
        moves: &[G::Move],
        is_interrupted: &dyn Fn() -> bool,
        mut each: impl FnMut(usize, Values),
    ) -> bool {
        let mut open = [0; MAX_BATCH];
        let mut count = 0;
        for (index, &m) in moves.iter().enumerate() {
            if count == self.positions.len() {
                self.positions.push(parent.clone());
            }
            let child = &mut self.positions[count];
            child.clone_from(parent);
            child.play_unchecked(m, &mut ());
            if let Some(outcome) = child.outcome() {
                each(index, outcome.values());
            } else {
                open[count] = index;
                count += 1;
            }
            if count == MAX_BATCH || (index + 1 == moves.len() && count > 0) {
                let request = |position| Request { position, moves: &[], wants: Wants::Values };
                let requests: Vec<_> = self.positions[..count].iter().map(request).collect();
                let answers = cleared(&mut self.evaluations, count);
                if is_interrupted() || !evaluator.evaluate_unless(&requests, answers, is_interrupted) {
                    return false;
                }
                for (&index, answer) in open.iter().zip(&*answers) {
                    each(index, answer.values);
                }
                count = 0;
            }
        }
        true
    }
}
