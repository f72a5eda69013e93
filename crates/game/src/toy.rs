//! A toy game whose value is known in closed form, for tests of searches.

use crate::{Game, Observer, Outcome, Seat};

/// Players take tokens from one pile; the player who takes the last one wins.
///
/// A turn is a chain of decisions: take one token, then take another or stop, up to [`TakeRules::most`] tokens. The
/// mover often stays the same, which exposes searches that negate values at every ply. With two seats this is the
/// subtraction game: at the start of a turn the mover loses if and only if the number of tokens is a multiple of
/// `most + 1`. [`Take::mover_wins`] gives the value in mid-turn as well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Take {
    rules: TakeRules,
    tokens: u16,
    taken_this_turn: u16,
    seat: Seat,
}

/// The configuration of a game of [`Take`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakeRules {
    /// Tokens in the pile at the start, at least one.
    pub tokens: u16,
    /// The maximum number of tokens per turn, at least one.
    pub most: u16,
    /// The number of seats, two to four.
    pub seats: u8,
}

/// A decision in [`Take`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TakeMove {
    /// Take one token.
    One,
    /// End the turn.
    Stop,
}

/// Why a move in [`Take`] is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TakeFault {
    /// No token is left.
    #[error("the pile is empty: the game is over")]
    Over,
    /// A turn takes at least one token.
    #[error("a turn must take at least one token before it can stop")]
    NothingTaken,
}

impl Take {
    /// Whether the seat to move wins a two-seat game with best play from here on.
    pub fn mover_wins(&self) -> bool {
        // The rest of the turn must be able to leave a multiple of most + 1.
        let least = u16::from(self.taken_this_turn == 0);
        let most = self.rules.most - self.taken_this_turn;
        (least..=most.min(self.tokens)).any(|more| (self.tokens - more).is_multiple_of(self.rules.most + 1))
    }

    fn pass_on(&mut self) {
        self.taken_this_turn = 0;
        self.seat = Seat::new((self.seat.index() + 1) % self.rules.seats as usize);
    }
}

impl Game for Take {
    type Config = TakeRules;
    type Move = TakeMove;
    type Change = u16;
    type Illegal = TakeFault;

    fn new(config: &TakeRules) -> Self {
        Self { rules: *config, tokens: config.tokens, taken_this_turn: 0, seat: Seat::FIRST }
    }

    fn config(&self) -> TakeRules {
        self.rules
    }

    fn seats(&self) -> usize {
        self.rules.seats as usize
    }

    fn to_move(&self) -> Seat {
        self.seat
    }

    fn outcome(&self) -> Option<Outcome> {
        // The turn does not pass on when the pile is empty, so the seat that took the last token is still to move.
        (self.tokens == 0).then(|| Outcome::win(self.seats(), self.seat))
    }

    fn legal_moves(&self, moves: &mut Vec<TakeMove>) {
        moves.clear();
        moves.extend([TakeMove::One, TakeMove::Stop].into_iter().filter(|&m| self.is_legal(m)));
    }

    fn check(&self, m: TakeMove) -> Result<(), TakeFault> {
        match m {
            _ if self.tokens == 0 => Err(TakeFault::Over),
            TakeMove::Stop if self.taken_this_turn == 0 => Err(TakeFault::NothingTaken),
            _ => Ok(()),
        }
    }

    fn play_unchecked(&mut self, m: TakeMove, observer: &mut impl Observer<Self>) {
        match m {
            TakeMove::Stop => self.pass_on(),
            TakeMove::One => {
                self.tokens -= 1;
                self.taken_this_turn += 1;
                observer.changed(self.tokens);
                if self.taken_this_turn == self.rules.most && self.tokens > 0 {
                    self.pass_on();
                }
            }
        }
    }

    fn key(&self) -> u64 {
        self.key_from_scratch()
    }

    fn key_from_scratch(&self) -> u64 {
        let fields = [self.tokens, self.taken_this_turn, self.seat.index() as u16];
        fields.iter().fold(0, |key, &field| key << 16 | u64::from(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit;
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    /// The exhaustive value for the seat to move, negated only when the seat changes.
    fn solve(position: &Take) -> bool {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.iter().any(|&m| {
            let mut child = position.clone();
            child.play_unchecked(m, &mut ());
            match child.outcome() {
                Some(outcome) => outcome.winner() == Some(position.seat),
                None => solve(&child) == (child.seat == position.seat),
            }
        })
    }

    #[test]
    fn the_closed_form_agrees_with_exhaustive_search() {
        for most in 1..=4 {
            for tokens in 1..=12 {
                let start = Take::new(&TakeRules { tokens, most, seats: 2 });
                assert_eq!(start.mover_wins(), solve(&start), "{start:?}");
                assert_eq!(start.mover_wins(), tokens % (most + 1) != 0, "{start:?}");
                let mut middle = start.clone();
                middle.play_unchecked(TakeMove::One, &mut ());
                if !middle.is_over() {
                    assert_eq!(middle.mover_wins(), solve(&middle), "{middle:?}");
                }
            }
        }
    }

    #[test]
    fn it_passes_the_conformance_kit() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for seats in 2..=4 {
            testkit::check_games::<Take>(&TakeRules { tokens: 17, most: 3, seats }, 20, 34, &mut rng);
        }
    }

    #[test]
    fn a_turn_cannot_stop_before_it_took_something() {
        let mut position = Take::new(&TakeRules { tokens: 3, most: 2, seats: 2 });
        let before = position.clone();
        assert_eq!(position.play(TakeMove::Stop), Err(TakeFault::NothingTaken));
        assert_eq!(position, before);
    }
}
