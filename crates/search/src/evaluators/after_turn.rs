//! Evaluation at the end of the current turn.

use game::{Evaluation, Evaluator, Game, Request, SeatPermutation, Values, Wants, cleared, identity_of};

use super::children::Children;

/// Evaluates the position at the end of the current turn, after playing the rest of the turn greedily by another
/// evaluator. The policy is uniform.
///
/// A turn may be a chain of decisions. In the middle of a turn, a static evaluator sees a half-finished action, and a
/// search that compares such positions with those after complete turns is misled. The cost is one evaluation per legal
/// move of each remaining decision of the turn; all children of a decision form one batch.
#[derive(Clone, Debug)]
pub struct AfterTurn<G: Game, E> {
    evaluator: E,
    children: Children<G>,
    moves: Vec<G::Move>,
}

impl<G: Game, E: Evaluator<G>> AfterTurn<G, E> {
    /// Creates an evaluator that uses `evaluator` for the moves of the turn and for the position after it.
    pub fn new(evaluator: E) -> Self {
        Self { evaluator, children: Children::new(), moves: Vec::new() }
    }

    /// The values of `position`, or `None` if the evaluation is interrupted.
    fn values(&mut self, position: &G, is_interrupted: &dyn Fn() -> bool) -> Option<Values> {
        let mover = position.to_move();
        let (mut at, mut permutation) = (position.clone(), SeatPermutation::default());
        while !at.is_over() && at.to_move() == permutation.of(mover) {
            at.legal_moves(&mut self.moves);
            let mut best = (f32::NEG_INFINITY, 0);
            // A forced move needs no evaluation.
            if self.moves.len() > 1 {
                let moves = &self.moves;
                let compare = |index: usize, values: Values| {
                    let mut after = permutation;
                    after.advance(&at, moves[index]);
                    let value = values.of(after.of(mover));
                    // Ties go to the first move.
                    if value > best.0 || (value >= best.0 && index < best.1) {
                        best = (value, index);
                    }
                };
                if !self.children.evaluate(&mut self.evaluator, &at, moves, is_interrupted, compare) {
                    return None;
                }
            }
            let m = self.moves[best.1];
            permutation.advance(&at, m);
            at.play_unchecked(m, &mut ());
        }
        let values = at.outcome().map_or_else(|| self.ask(&at), |outcome| outcome.values());
        Some(permutation.to_parent(values))
    }

    fn ask(&mut self, position: &G) -> Values {
        let mut answer = Vec::new();
        let request = Request { position, moves: &[], wants: Wants::Values };
        self.evaluator.evaluate(&[request], cleared(&mut answer, 1));
        answer[0].values
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for AfterTurn<G, E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let mut pairs =
            requests.iter().zip(evaluations).filter(|(request, _)| request.wants == Wants::Values);
        pairs.all(|(request, evaluation)| {
            let values = self.values(request.position, is_interrupted);
            evaluation.values = values.unwrap_or_default();
            values.is_some()
        })
    }

    fn identity(&self) -> Option<u64> {
        self.evaluator.identity().map(|inner| identity_of(("after turn", inner)))
    }

    fn reseed(&mut self, seed: u64) {
        self.evaluator.reseed(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{
        Seat, ValuesOnly,
        toy::{Take, TakeMove, TakeRules},
    };

    /// Favours leaving the other seat a pile whose size is a multiple of four, and knows nothing about turns.
    fn piles(position: &Take) -> Values {
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let good = if position.mover_wins() { 0.5 } else { -0.5 };
        let mut values = Values([-good; game::MAX_SEATS]);
        values.0[position.to_move().index()] = good;
        values
    }

    #[test]
    fn a_turn_is_played_to_its_end_and_evaluated_there() {
        let mut asked = Vec::new();
        let start = Take::new(&TakeRules { tokens: 7, most: 3, seats: 2 });
        let values = AfterTurn::new(ValuesOnly(|position: &Take| {
            asked.push(position.clone());
            piles(position)
        }))
        .values(&start, &|| false)
        .expect("not interrupted");
        // Taking three of seven leaves four, a lost pile for the other seat.
        assert!(values.of(Seat::FIRST) > 0.0 && values.of(Seat::new(1)) < 0.0, "{values:?}");
        let last = asked.last().expect("asked at least once");
        assert_eq!((last.to_move(), last.mover_wins()), (Seat::new(1), false));
    }

    #[test]
    fn a_turn_that_wins_is_worth_a_win_and_a_finished_game_its_outcome() {
        let mut position = Take::new(&TakeRules { tokens: 3, most: 3, seats: 3 });
        assert!(value_of_first(&position) >= 1.0);
        for _ in 0..3 {
            position.play(TakeMove::One).expect("tokens are left");
        }
        assert!(value_of_first(&position) >= 1.0);
    }

    fn value_of_first(position: &Take) -> f32 {
        let values = AfterTurn::new(ValuesOnly(winners)).values(position, &|| false);
        values.expect("not interrupted").of(Seat::FIRST)
    }

    /// Fewer tokens are better for the seat to move; finished games have the values of their outcomes.
    fn winners(position: &Take) -> Values {
        let mut values = Values::default();
        values.0[position.to_move().index()] = 0.1;
        position.outcome().map_or(values, |outcome| outcome.values())
    }
}
