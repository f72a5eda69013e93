//! The positions after every move of a decision, evaluated together.

use game::{Evaluation, Evaluator, Game, Request, Values, Wants, cleared};

/// The most positions in one request: enough to fill a batch, and few enough to stay in the processor's cache.
const MOST: usize = 32;

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

    /// Calls `each` with the index of every move and the values after it, in the seat order after the move. Finished
    /// games have the values of their outcome; `evaluator` is asked about the others.
    pub(super) fn evaluate(
        &mut self,
        evaluator: &mut impl Evaluator<G>,
        parent: &G,
        moves: &[G::Move],
        mut each: impl FnMut(usize, Values),
    ) {
        for (chunk, moves) in moves.chunks(MOST).enumerate() {
            for (index, &m) in moves.iter().enumerate() {
                match self.positions.get_mut(index) {
                    Some(position) => position.clone_from(parent),
                    None => self.positions.push(parent.clone()),
                }
                self.positions[index].play_unchecked(m, &mut ());
            }
            let children = &self.positions[..moves.len()];
            let open = children.iter().filter(|position| !position.is_over());
            let requests: Vec<_> =
                open.map(|position| Request { position, moves: &[], wants: Wants::Values }).collect();
            let answers = cleared(&mut self.evaluations, requests.len());
            if !requests.is_empty() {
                evaluator.evaluate(&requests, answers);
            }
            let mut answers = answers.iter();
            for (index, position) in children.iter().enumerate() {
                let values = match position.outcome() {
                    Some(outcome) => outcome.values(),
                    None => answers.next().expect("one answer per request").values,
                };
                each(chunk * MOST + index, values);
            }
        }
    }
}
