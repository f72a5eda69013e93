//! Budgets, clocks and what a report looks like.

use super::*;
use std::time::Duration;

fn timeless<M>(report: Report<M>) -> Report<M> {
    Report { time: Duration::ZERO, ..report }
}

#[test]
fn the_budget_is_never_exceeded_and_nearly_spent() {
    for mode in BOTH {
        for budget in [0, 1, 2, 3, 17, 100] {
            let report = think(&mut in_mode(mode), &wide(), budget);
            assert!(report.nodes <= budget, "{report:?}");
            // An expansion of the toy opens two moves; at the root they are opened singly if need be.
            assert!(report.nodes + 1 >= budget, "{report:?}");
            assert_eq!(report.values.is_some(), budget > 0);
            assert_eq!(report.candidates.len(), 2);
        }
    }
}

#[test]
fn every_new_position_is_judged_once_and_counted() {
    for mode in BOTH {
        let mut judged: Vec<Take> = Vec::new();
        let mut ends = 0;
        let start = wide();
        {
            let guide = |position: &Take| {
                assert!(legal(position).len() > 1, "steps without a choice are passed through");
                assert!(!judged.contains(position), "judged twice: {position:?}");
                judged.push(position.clone());
                Values::default()
            };
            let options = DescentOptions { mode, ..DescentOptions::default() };
            let mut agent = Descent::new(Flat(guide), options);
            let report = agent.think(&start, &Limits::nodes(150), &Stop::default());
            ends += report.nodes;
        }
        ends -= judged.len() as u64;
        assert!(ends <= 1 + 150 / 4, "{ends} of 150 positions were ends");
    }
}

#[test]
fn the_same_search_gives_the_same_report() {
    for mode in BOTH {
        let [one, again] = [(); 2].map(|()| timeless(think(&mut in_mode(mode), &wide(), 500)));
        assert_eq!(one, again);
    }
}

#[test]
fn a_raised_stop_and_a_spent_clock_end_the_search_with_a_legal_move() {
    let stop = Stop::default();
    stop.raise();
    for mode in BOTH {
        let report = in_mode(mode).think(&wide(), &Limits::nodes(1_000), &stop);
        assert_eq!((report.nodes, report.values), (0, None));
        assert!(wide().is_legal(report.best));
        let limits = Limits::nodes(1_000).within(Duration::ZERO);
        let report = in_mode(mode).think(&wide(), &limits, &Stop::default());
        assert_eq!(report.nodes, 0);
        assert!(wide().is_legal(report.best));
    }
}

#[test]
fn a_single_legal_move_costs_nothing() {
    let report = think(&mut in_mode(DescentMode::BestFirst), &pile(9, 3, 2), 1_000);
    assert_eq!((report.best, report.nodes, report.values), (TakeMove::One, 0, None));
}

#[test]
fn the_report_says_which_search_ran_and_its_line_can_be_played() {
    for (mode, engine) in BOTH.into_iter().zip(["ubfm", "descent"]) {
        let report = think(&mut in_mode(mode), &wide(), 300);
        assert_eq!(report.engine, engine);
        assert_eq!(report.line[0], report.best);
        let mut position = wide();
        for &m in &report.line {
            position.play(m).unwrap();
        }
        assert!(report.line.len() > 3, "{report:?}");
        let share: f32 = report.candidates.iter().map(|candidate| candidate.share).sum();
        assert!((share - 1.0).abs() < 1e-5);
    }
}

#[test]
fn descent_reaches_the_end_of_the_game_where_best_first_does_not() {
    // Twenty turns of one to five tokens: every way to the end has at least twelve turns.
    let nodes = 100;
    let deep = think(&mut in_mode(DescentMode::ToTheEnd), &wide(), nodes);
    let broad = think(&mut in_mode(DescentMode::BestFirst), &wide(), nodes);
    assert!(detail(&deep, "depth") >= 11, "{deep:?}");
    assert!(detail(&deep, "iterations") < detail(&broad, "iterations") / 2);
}

#[test]
fn what_was_found_so_far_is_told_on_the_way() {
    let mut told = Vec::new();
    let mut agent = in_mode(DescentMode::BestFirst);
    let last = agent.think_aloud(&wide(), &Limits::nodes(200), &Stop::default(), &mut |report| {
        told.push(report.nodes);
    });
    assert!(told.len() >= 5 && told.is_sorted() && told[told.len() - 1] < last.nodes, "{told:?}");
}
