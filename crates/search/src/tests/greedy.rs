//! One-ply search.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use game::{
    Game, Seat, StaticEvaluator, Values, ValuesOnly,
    toy::{Take, TakeMove, TakeRules},
};

use super::toy::{Pie, after, decisions, generator, keeps_the_win, theory, wide};
use crate::{Agent, Greedy, Limits, Report, Stop};

fn greedy(
    position: &Take,
    evaluator: impl StaticEvaluator<Take> + Send + 'static,
    seed: u64,
) -> Report<TakeMove> {
    Greedy::new(ValuesOnly(evaluator), generator(seed)).think(position, &Limits::nodes(0), &Stop::default())
}

#[test]
fn one_ply_with_a_perfect_evaluator_keeps_every_win() {
    for most in 2..=4 {
        for position in decisions(TakeRules { tokens: 12, most, seats: 2 }) {
            let report = greedy(&position, theory, 1);
            assert_eq!(report.nodes, 2);
            let mover = position.to_move();
            if position.mover_wins() {
                assert!(keeps_the_win(&position, report.best), "{position:?}: {report:?}");
            }
            assert_eq!(report.values.unwrap().of(mover) > 0.0, position.mover_wins(), "{report:?}");
        }
    }
}

#[test]
fn an_immediate_win_needs_no_evaluation_and_is_solved() {
    let last = after(&Take::new(&TakeRules { tokens: 2, most: 2, seats: 3 }), TakeMove::One);
    let report = greedy(&last, |_: &Take| Values([0.9; 4]), 1);
    assert_eq!(report.best, TakeMove::One);
    assert!(report.candidates[0].solved && report.values.unwrap().of(Seat::FIRST) >= 1.0);
}

#[test]
fn forced_moves_are_followed_to_the_next_decision() {
    let asked = Arc::new(AtomicU32::new(0));
    for position in decisions(TakeRules { tokens: 9, most: 3, seats: 3 }) {
        let asked = Arc::clone(&asked);
        greedy(
            &position,
            move |asked_about: &Take| {
                asked.fetch_add(1, Ordering::Relaxed);
                assert!(asked_about.is_legal(TakeMove::One) && asked_about.is_legal(TakeMove::Stop));
                Values::default()
            },
            1,
        );
    }
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked > 20, "only {asked} positions were evaluated");
}

#[test]
fn ties_are_broken_at_random_and_reproducibly() {
    let stops = |seeds: std::ops::Range<u64>| {
        let indifferent = |_: &Take| Values::default();
        seeds.filter(|&seed| greedy(&wide(), indifferent, seed).best == TakeMove::Stop).count()
    };
    assert!((60..140).contains(&stops(0..200)));
    assert_eq!(stops(0..50), stops(0..50));
}

#[test]
fn a_forced_move_and_a_raised_stop_need_no_evaluation() {
    let never = |_: &Take| -> Values { panic!("nothing to evaluate") };
    let start = Take::new(&TakeRules { tokens: 9, most: 3, seats: 2 });
    let report = greedy(&start, never, 1);
    assert_eq!((report.best, report.nodes, report.values), (TakeMove::One, 0, None));
    let stop = Stop::default();
    stop.raise();
    let report = Greedy::new(ValuesOnly(never), generator(1)).think(&wide(), &Limits::nodes(9), &stop);
    assert_eq!((report.nodes, report.values), (0, None));
}

#[test]
fn a_swap_is_rated_for_the_seat_it_leads_to() {
    for tokens in 2..=13 {
        let start = Pie::new(&TakeRules { tokens, most: 3, seats: 2 });
        let mut agent = Greedy::new(ValuesOnly(|pie: &Pie| theory(&pie.take)), generator(1));
        let report = agent.think(&start, &Limits::nodes(0), &Stop::default());
        assert_eq!(report.best.is_none(), !start.take.mover_wins(), "{tokens}: {report:?}");
        // A participant who can choose the seat need not lose. Values are in the parent's seat order.
        assert!(report.values.unwrap().of(start.to_move()) > 0.0, "{tokens}: {report:?}");
    }
}
