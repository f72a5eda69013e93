//! Judging a position after the turn that is under way.

use game::{Evaluate, Game, Places, Values};

/// Plays on for the seat to move, each step the one whose position `E` likes best for it, and judges the position in
/// which another seat is to move.
///
/// A turn may be a chain of decisions. In the middle of one an evaluator that looks at the board alone sees a move half
/// made, and a search that compares such positions with those after whole turns is misled. This costs as many
/// judgements as the rest of the turn has moves to choose from.
#[derive(Clone, Debug)]
pub struct Settled<E>(pub E);

impl<G: Game, E: Evaluate<G>> Evaluate<G> for Settled<E> {
    fn values(&mut self, position: &G) -> Values {
        let mover = position.to_move();
        let (mut settled, mut places) = (position.clone(), Places::default());
        let mut moves = Vec::new();
        while !settled.is_over() && settled.to_move() == places.of(mover) {
            settled.legal_moves(&mut moves);
            let mut best: Option<(f32, G, Places)> = None;
            for &m in &moves {
                let (mut child, mut places) = (settled.clone(), places);
                places.follow(&child, m);
                child.play_unchecked(m, &mut ());
                // A step without a choice needs no opinion.
                let value = if moves.len() == 1 { 0.0 } else { self.0.values(&child).of(places.of(mover)) };
                if best.as_ref().is_none_or(|(other, ..)| value > *other) {
                    best = Some((value, child, places));
                }
            }
            (_, settled, places) = best.expect("a game that goes on has moves");
        }
        places.told_before(self.0.values(&settled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{
        Seat,
        toy::{Take, TakeMove, TakeRules},
    };

    /// Likes piles whose size is a multiple of four to be before the other seat, and knows nothing of turns.
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
    fn a_turn_is_played_to_its_end_and_judged_there() {
        let mut asked = Vec::new();
        let start = Take::new(&TakeRules { tokens: 7, most: 3, seats: 2 });
        let values = Settled(|position: &Take| {
            asked.push(position.clone());
            piles(position)
        })
        .values(&start);
        // Three of seven leave four, a lost pile for the other.
        assert!(values.of(Seat::FIRST) > 0.0 && values.of(Seat::new(1)) < 0.0, "{values:?}");
        let last = asked.last().expect("asked at least once");
        assert_eq!((last.to_move(), last.mover_wins()), (Seat::new(1), false));
    }

    #[test]
    fn a_turn_that_wins_is_worth_a_win_and_a_finished_game_its_outcome() {
        let mut position = Take::new(&TakeRules { tokens: 3, most: 3, seats: 3 });
        assert!(Settled(winners).values(&position).of(Seat::FIRST) >= 1.0);
        for _ in 0..3 {
            position.play(TakeMove::One).expect("tokens are left");
        }
        assert!(Settled(winners).values(&position).of(Seat::FIRST) >= 1.0);
    }

    /// Fewer tokens are better for who is to move; finished games are as they are.
    fn winners(position: &Take) -> Values {
        let mut values = Values::default();
        values.0[position.to_move().index()] = 0.1;
        position.outcome().map_or(values, |outcome| outcome.values())
    }
}
