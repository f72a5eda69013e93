//! Descent in games with a pie rule and with repetitions.

use super::*;
use game::{Observer, Outcome, Seat, toy::TakeFault};

/// [`Take`] in which the mover may swap seats with the other participant instead of taking the first token of a turn,
/// up to `swaps` times or without a limit.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Pie {
    take: Take,
    swaps: Option<u8>,
}

/// `None` is the swap.
type PieMove = Option<TakeMove>;

impl Game for Pie {
    type Config = (TakeRules, Option<u8>);
    type Move = PieMove;
    type Change = u16;
    type Illegal = TakeFault;

    fn new(&(rules, swaps): &Self::Config) -> Self {
        Self { take: Take::new(&rules), swaps }
    }
    fn config(&self) -> Self::Config {
        (self.take.config(), self.swaps)
    }
    fn seats(&self) -> usize {
        self.take.seats()
    }
    fn to_move(&self) -> Seat {
        self.take.to_move()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.take.outcome()
    }
    fn legal_moves(&self, moves: &mut Vec<PieMove>) {
        moves.clear();
        let all = [Some(TakeMove::One), Some(TakeMove::Stop), None];
        moves.extend(all.into_iter().filter(|&m| self.is_legal(m)));
    }
    fn check(&self, m: PieMove) -> Result<(), TakeFault> {
        match m {
            Some(m) => self.take.check(m),
            None if self.swaps == Some(0) || self.take.is_legal(TakeMove::Stop) => Err(TakeFault::Over),
            None => self.take.check(TakeMove::One),
        }
    }
    fn play_unchecked(&mut self, m: PieMove, _: &mut impl Observer<Self>) {
        match m {
            Some(m) => self.take.play_unchecked(m, &mut ()),
            None => self.swaps = self.swaps.map(|swaps| swaps - 1),
        }
    }
    fn seat_after(&self, m: PieMove, seat: Seat) -> Seat {
        if m.is_none() { Seat::new(1 - seat.index()) } else { seat }
    }
    fn key(&self) -> u64 {
        self.take.key() << 8 | u64::from(self.swaps.unwrap_or(255))
    }
    fn key_from_scratch(&self) -> u64 {
        self.key()
    }
}

fn start(tokens: u16, swaps: Option<u8>) -> Pie {
    Pie::new(&(TakeRules { tokens, most: 3, seats: 2 }, swaps))
}

#[test]
fn swaps_are_rated_for_the_seat_they_lead_to() {
    for mode in BOTH {
        for swaps in 1..=3 {
            for position in decisions(start(9, Some(swaps))) {
                let report = think(&mut in_mode(mode), &position, 10_000);
                let [exact] = results(&position)[..] else { panic!("two seats: {position:?}") };
                assert_eq!(report.values.unwrap().0[..2], exact.0[..2], "{position:?}: {report:?}");
                let kept = results_after(&position, report.best);
                assert_eq!(kept[0].0[..2], exact.0[..2], "{position:?}: {report:?}");
                for candidate in report.candidates.iter().filter(|candidate| candidate.solved) {
                    let found = candidate.values.unwrap();
                    assert_eq!(found.0[..2], results_after(&position, candidate.m)[0].0[..2], "{position:?}");
                }
            }
        }
    }
}

#[test]
fn the_last_swap_is_taken_where_the_pile_is_lost() {
    for tokens in 2..=13 {
        let position = start(tokens, Some(1));
        let report = think(&mut in_mode(DescentMode::BestFirst), &position, 10_000);
        assert_eq!(report.best.is_none(), !position.take.mover_wins(), "{tokens}: {report:?}");
    }
}

#[test]
fn a_game_with_repetitions_is_searched_without_false_proofs() {
    for mode in BOTH {
        for tokens in 2..=9 {
            let position = start(tokens, None);
            let report = think(&mut in_mode(mode), &position, 2_000);
            assert!(position.is_legal(report.best));
            // A participant who gives a lost pile away may get it back, so a swap decides nothing.
            let swap = report.candidates.iter().find(|candidate| candidate.m.is_none()).unwrap();
            assert!(!swap.solved || tokens <= 3, "{tokens}: {report:?}");
        }
    }
}
