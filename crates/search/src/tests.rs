//! Agents on the toy game, whose values are known.

use std::time::Duration;

use game::{
    Game, Seat, Values,
    toy::{Take, TakeMove, TakeRules},
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::{Agent, Greedy, Limits, Mcts, Random, Report, Stop};

pub(crate) fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn think(position: &Take, simulations: u64, seed: u64) -> Report<TakeMove> {
    Mcts::new(generator(seed)).think(position, &Limits::nodes(simulations), &Stop::default())
}

pub(crate) fn after(position: &Take, m: TakeMove) -> Take {
    let mut child = position.clone();
    child.play(m).unwrap();
    child
}

/// What every seat gets if all play well, or `None` where a seat's equal choices are not equal to the others.
pub(crate) fn exact(position: &Take) -> Option<Values> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome.values());
    }
    let mover = position.to_move();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let children: Vec<_> = moves.into_iter().map(|m| exact(&after(position, m))).collect();
    if let Some(win) = children.iter().flatten().find(|values| values.of(mover) >= 1.0) {
        return Some(*win);
    }
    // Without a win every choice loses, here at the same price.
    let first = children[0]?;
    children.iter().all(|child| *child == Some(first)).then_some(first)
}

/// Every decision with a choice that occurs in a game.
pub(crate) fn decisions(rules: TakeRules) -> Vec<Take> {
    let mut all: Vec<Take> = vec![Take::new(&rules)];
    let mut next = 0;
    while next < all.len() {
        let position = all[next].clone();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for m in moves {
            let child = after(&position, m);
            if !all.contains(&child) {
                all.push(child);
            }
        }
        next += 1;
    }
    all.retain(|position| position.is_legal(TakeMove::One) && position.is_legal(TakeMove::Stop));
    all
}

#[test]
fn a_won_position_of_two_seats_is_won_whoever_moves() {
    for most in 2..=4 {
        for position in decisions(TakeRules { tokens: 12, most, seats: 2 }) {
            if position.mover_wins() {
                let report = think(&position, 3_000, 5);
                let child = after(&position, report.best);
                let mover = position.to_move();
                let kept = match child.outcome() {
                    Some(outcome) => outcome.winner() == Some(mover),
                    None => child.mover_wins() == (child.to_move() == mover),
                };
                assert!(kept, "{position:?}: {report:?}");
            }
        }
    }
}

#[test]
fn a_win_is_found_at_three_and_four_seats() {
    for seats in 3..=4 {
        for position in decisions(TakeRules { tokens: 9, most: 3, seats }) {
            let mover = position.to_move();
            if exact(&position).is_some_and(|values| values.of(mover) >= 1.0) {
                let report = think(&position, 3_000, 11);
                let kept = exact(&after(&position, report.best)).map(|values| values.of(mover));
                assert_eq!(kept, Some(1.0), "{position:?}: {report:?}");
            }
        }
    }
}

#[test]
fn values_have_the_sign_of_their_seat_at_own_and_at_opposing_nodes() {
    for position in decisions(TakeRules { tokens: 8, most: 3, seats: 2 }) {
        let report = think(&position, 4_000, 2);
        let values = report.values.unwrap();
        let (mover, other) = (position.to_move(), Seat::new(1 - position.to_move().index()));
        let wins = position.mover_wins();
        assert_eq!(values.of(mover) > 0.0, wins, "{position:?}: {values:?}");
        assert_eq!(values.of(other) > 0.0, !wins, "{position:?}: {values:?}");
        for candidate in &report.candidates {
            let child = after(&position, candidate.m);
            // After taking, the same seat often moves again; after stopping, the other does.
            let expected = match child.outcome() {
                Some(outcome) => outcome.values().of(mover) > 0.0,
                None => child.mover_wins() == (child.to_move() == mover),
            };
            if let Some(values) = candidate.values.filter(|_| candidate.solved) {
                assert_eq!(values.of(mover) > 0.0, expected, "{position:?}: {candidate:?}");
            }
        }
    }
}

#[test]
fn what_is_called_solved_is_exact_for_every_number_of_seats() {
    for seats in 2..=4 {
        let mut solved = 0;
        for position in decisions(TakeRules { tokens: 7, most: 3, seats }) {
            for candidate in think(&position, 2_000, 3).candidates {
                if candidate.solved {
                    solved += 1;
                    assert_eq!(
                        candidate.values,
                        exact(&after(&position, candidate.m)),
                        "{position:?}: {candidate:?}"
                    );
                }
            }
        }
        assert!(solved > 10, "{seats} seats: only {solved} solved moves were seen");
    }
}

/// A middle of the game that no small budget solves.
fn wide() -> Take {
    after(&Take::new(&TakeRules { tokens: 60, most: 5, seats: 3 }), TakeMove::One)
}

#[test]
fn the_budget_is_spent_exactly_and_every_simulation_is_in_a_candidate() {
    for budget in [0, 1, 2, 3, 17, 100, 1_000] {
        let report = think(&wide(), budget, 7);
        assert_eq!(report.nodes, budget);
        assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), budget);
        assert_eq!(report.values.is_some(), budget > 0);
        assert!(report.candidates.is_sorted_by(|one, other| one.visits >= other.visits));
    }
}

#[test]
fn a_solved_root_ends_the_search() {
    let last = after(&Take::new(&TakeRules { tokens: 2, most: 2, seats: 2 }), TakeMove::One);
    let report = think(&last, 1_000, 1);
    assert_eq!(report.best, TakeMove::One);
    assert!(report.nodes < 10, "{report:?}");
    assert!(report.candidates[0].solved);
    assert!(report.values.unwrap().of(last.to_move()) >= 1.0);
}

#[test]
fn a_single_legal_move_costs_nothing() {
    let start = Take::new(&TakeRules { tokens: 9, most: 3, seats: 2 });
    let report = think(&start, 1_000, 1);
    assert_eq!((report.best, report.nodes, report.values), (TakeMove::One, 0, None));
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let timeless = |report: Report<TakeMove>| Report { time: Duration::ZERO, ..report };
    let [one, again, other] = [3, 3, 4].map(|seed| timeless(think(&wide(), 500, seed)));
    assert_eq!(one, again);
    assert_ne!(one, other);
}

#[test]
fn a_raised_stop_and_a_spent_clock_end_the_search() {
    let stop = Stop::default();
    stop.raise();
    let mut agent = Mcts::new(generator(1));
    assert_eq!(agent.think(&wide(), &Limits::nodes(1_000), &stop).nodes, 0);
    let limits = Limits::nodes(u64::MAX).within(Duration::from_millis(20));
    let report = agent.think(&wide(), &limits, &Stop::default());
    assert!(report.nodes > 0 && report.time >= Duration::from_millis(20));
}

#[test]
fn the_random_agent_is_fair_and_repeatable() {
    let stop = Stop::default();
    let play = |seed| {
        let mut agent = Random::new(generator(seed));
        let stops =
            (0..1_000).filter(|_| agent.think(&wide(), &Limits::nodes(0), &stop).best == TakeMove::Stop);
        stops.count()
    };
    assert!((400..600).contains(&play(1)));
    assert_eq!(play(1), play(1));
}

/// What the theory of the game says, as an evaluator: +½ for who wins, −½ for the others.
pub(crate) fn theory(position: &Take) -> Values {
    let winner = position.to_move().index() ^ usize::from(!position.mover_wins());
    let mut values = Values([-0.5; game::MAX_SEATS]);
    values.0[winner] = 0.5;
    values
}

fn greedy<E: game::Evaluate<Take> + Send>(position: &Take, evaluator: E, seed: u64) -> Report<TakeMove> {
    Greedy::new(evaluator, generator(seed)).think(position, &Limits::nodes(0), &Stop::default())
}

#[test]
fn one_ply_with_a_perfect_evaluator_keeps_every_win_whoever_moves_next() {
    for most in 2..=4 {
        for position in decisions(TakeRules { tokens: 12, most, seats: 2 }) {
            let report = greedy(&position, theory, 1);
            assert_eq!(report.nodes, 2);
            let mover = position.to_move();
            if position.mover_wins() {
                let child = after(&position, report.best);
                let kept = match child.outcome() {
                    Some(outcome) => outcome.winner() == Some(mover),
                    None => child.mover_wins() == (child.to_move() == mover),
                };
                assert!(kept, "{position:?}: {report:?}");
            }
            assert_eq!(report.values.unwrap().of(mover) > 0.0, position.mover_wins(), "{report:?}");
        }
    }
}

#[test]
fn a_won_game_is_taken_without_asking_and_is_certain() {
    let last = after(&Take::new(&TakeRules { tokens: 2, most: 2, seats: 3 }), TakeMove::One);
    let report = greedy(&last, |_: &Take| Values([0.9; 4]), 1);
    assert_eq!(report.best, TakeMove::One);
    assert!(report.candidates[0].solved && report.values.unwrap().of(Seat::FIRST) >= 1.0);
}

#[test]
fn forced_moves_are_followed_to_the_next_decision() {
    let mut asked = 0;
    for position in decisions(TakeRules { tokens: 9, most: 3, seats: 3 }) {
        greedy(
            &position,
            |asked_about: &Take| {
                asked += 1;
                assert!(asked_about.is_legal(TakeMove::One) && asked_about.is_legal(TakeMove::Stop));
                Values::default()
            },
            1,
        );
    }
    assert!(asked > 20, "only {asked} positions were asked about");
}

#[test]
fn equal_moves_are_chosen_between_at_random_and_repeatably() {
    let stops = |seeds: std::ops::Range<u64>| {
        let indifferent = |_: &Take| Values::default();
        seeds.filter(|&seed| greedy(&wide(), indifferent, seed).best == TakeMove::Stop).count()
    };
    assert!((60..140).contains(&stops(0..200)));
    assert_eq!(stops(0..50), stops(0..50));
}

#[test]
fn a_single_legal_move_and_a_raised_stop_are_not_looked_at() {
    let never = |_: &Take| -> Values { panic!("nothing to evaluate") };
    let start = Take::new(&TakeRules { tokens: 9, most: 3, seats: 2 });
    let report = greedy(&start, never, 1);
    assert_eq!((report.best, report.nodes, report.values), (TakeMove::One, 0, None));
    let stop = Stop::default();
    stop.raise();
    let report = Greedy::new(never, generator(1)).think(&wide(), &Limits::nodes(9), &stop);
    assert_eq!((report.nodes, report.values), (0, None));
}

/// [`Take`] with a pie rule: instead of its first token a turn may change places with the next participant.
pub(crate) mod pie {
    use super::*;
    use game::{Observer, Outcome, toy::TakeFault};

    #[derive(Clone, PartialEq, Eq, Debug)]
    pub(crate) struct Pie(pub(crate) Take);

    /// `None` is the swap, after which the same pile is before the same seat, in which somebody else sits.
    pub(crate) type PieMove = Option<TakeMove>;

    impl Game for Pie {
        type Config = TakeRules;
        type Move = PieMove;
        type Change = u16;
        type Illegal = TakeFault;

        fn new(config: &TakeRules) -> Self {
            Self(Take::new(config))
        }
        fn config(&self) -> TakeRules {
            self.0.config()
        }
        fn seats(&self) -> usize {
            self.0.seats()
        }
        fn to_move(&self) -> Seat {
            self.0.to_move()
        }
        fn outcome(&self) -> Option<Outcome> {
            self.0.outcome()
        }
        fn legal_moves(&self, moves: &mut Vec<PieMove>) {
            moves.clear();
            let all = [Some(TakeMove::One), Some(TakeMove::Stop), None];
            moves.extend(all.into_iter().filter(|&m| self.is_legal(m)));
        }
        fn check(&self, m: PieMove) -> Result<(), TakeFault> {
            self.0.check(m.unwrap_or(TakeMove::One))
        }
        fn play_unchecked(&mut self, m: PieMove, _: &mut impl Observer<Self>) {
            if let Some(m) = m {
                self.0.play_unchecked(m, &mut ());
            }
        }
        fn seat_after(&self, m: PieMove, seat: Seat) -> Seat {
            if m.is_none() { Seat::new(1 - seat.index()) } else { seat }
        }
        fn key(&self) -> u64 {
            self.0.key()
        }
        fn key_from_scratch(&self) -> u64 {
            self.0.key_from_scratch()
        }
    }

    #[test]
    fn a_swap_is_judged_from_the_seat_it_leads_to() {
        for tokens in 2..=13 {
            let start = Pie::new(&TakeRules { tokens, most: 3, seats: 2 });
            let mut agent = Greedy::new(|pie: &Pie| theory(&pie.0), generator(1));
            let report = agent.think(&start, &Limits::nodes(0), &Stop::default());
            assert_eq!(report.best.is_none(), !start.0.mover_wins(), "{tokens}: {report:?}");
            // With the choice of seats nobody need lose, and values are told by the seats before the swap.
            assert!(report.values.unwrap().of(start.to_move()) > 0.0, "{tokens}: {report:?}");
        }
    }
}
