//! Solved results of descent are exact, and with enough budget everything is solved.

use super::*;
use crate::{DescentChoice, Widening};
use game::Seat;

/// Enough to resolve every pile in these tests.
const PLENTY: u64 = 100_000;

fn options_of_all_kinds() -> Vec<DescentOptions> {
    let mut all = Vec::new();
    for mode in BOTH {
        for choice in [DescentChoice::Safest, DescentChoice::BestValue] {
            for widen in [None, Some(Widening { factor: 0.1, power: 0.5 })] {
                all.push(DescentOptions { mode, choice, widen, ..DescentOptions::default() });
            }
        }
    }
    all
}

#[test]
fn an_unlimited_search_resolves_every_position_to_its_exact_value() {
    for options in options_of_all_kinds() {
        for seats in 2..=4 {
            for position in decisions(pile(9, 3, seats)) {
                let report = think(&mut agent(options), &position, PLENTY);
                assert!(detail(&report, "resolved") == 1, "{position:?}: {report:?}");
                let found = report.values.unwrap();
                assert!(results(&position).contains(&found), "{position:?}: {report:?}");
                let best = results_after(&position, report.best);
                assert!(best.contains(&found), "{position:?}: {report:?}");
                if seats == 2 {
                    assert_eq!(best, results(&position), "{position:?}: {report:?}");
                }
            }
        }
    }
}

#[test]
fn solved_moves_are_exact_at_any_budget() {
    for options in options_of_all_kinds() {
        for seats in 2..=4 {
            let mut solved = 0;
            for position in decisions(pile(8, 3, seats)) {
                for nodes in [1, 2, 5, 10, 20, 40] {
                    for candidate in think(&mut agent(options), &position, nodes).candidates {
                        if candidate.solved {
                            solved += 1;
                            let exact = results_after(&position, candidate.m);
                            assert_eq!(exact, [candidate.values.unwrap()], "{position:?}: {candidate:?}");
                        }
                    }
                }
            }
            assert!(solved > 50, "{options:?} {seats} seats: only {solved} solved moves were seen");
        }
    }
}

#[test]
fn wins_and_losses_many_decisions_away_are_proved_for_two_seats() {
    for mode in BOTH {
        for tokens in [6, 12, 18, 24] {
            for more in 0..3 {
                let position = after(&pile(tokens + more, 3, 2), TakeMove::One);
                let report = think(&mut in_mode(mode), &position, PLENTY);
                let value = report.values.unwrap().of(position.to_move());
                let (won, lost) = (value >= 1.0, value <= -1.0);
                assert_eq!(
                    (won, lost),
                    (position.mover_wins(), !position.mover_wins()),
                    "{position:?}: {report:?}"
                );
                assert!(report.candidates[0].solved, "{position:?}: {report:?}");
            }
        }
    }
}

#[test]
fn values_have_the_sign_of_their_seat_at_own_and_at_opposing_nodes() {
    // The theory as an evaluator that is right but proves nothing: backup must preserve the signs.
    let theory = |position: &Take| {
        let winner = position.to_move().index() ^ usize::from(!position.mover_wins());
        let mut values = Values([-0.5; game::MAX_SEATS]);
        values.0[winner] = 0.5;
        values
    };
    for mode in BOTH {
        for position in decisions(pile(14, 4, 2)) {
            let options = DescentOptions { mode, ..DescentOptions::default() };
            let report = Descent::new(ValuesOnly(theory), options).think(
                &position,
                &Limits::nodes(20),
                &Stop::default(),
            );
            let (mover, other) = (position.to_move(), Seat::new(1 - position.to_move().index()));
            let values = report.values.unwrap();
            assert_eq!(values.of(mover) > 0.0, position.mover_wins(), "{position:?}: {report:?}");
            assert_eq!(values.of(other) > 0.0, !position.mover_wins(), "{position:?}: {report:?}");
            for candidate in &report.candidates {
                let exact = results_after(&position, candidate.m)[0];
                let found = candidate.values.unwrap();
                assert_eq!(found.of(mover) > 0.0, exact.of(mover) > 0.0, "{position:?}: {candidate:?}");
            }
        }
    }
}

#[test]
fn a_position_with_an_unexpanded_move_is_not_lost() {
    // A lost position with two moves; a budget of one expands only the first.
    let lost: Vec<Take> =
        decisions(pile(12, 3, 2)).into_iter().filter(|position| !position.mover_wins()).collect();
    assert!(lost.len() > 3);
    for position in lost {
        let report = think(&mut in_mode(DescentMode::BestFirst), &position, 1);
        assert_eq!(report.nodes, 1);
        assert!(detail(&report, "resolved") == 0, "{position:?}: {report:?}");
        let unexpanded = report.candidates.iter().filter(|candidate| candidate.values.is_none());
        assert_eq!(unexpanded.count(), 1, "{position:?}: {report:?}");
    }
}
