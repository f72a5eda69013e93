//! Budgets of alpha-beta, and results of interrupted searches.

use std::time::Duration;

use eval::{Heuristic, Persona};
use game::toy::{Take, TakeMove, TakeRules};
use ringrift::{Position, Square8};

use super::*;
use crate::tests::toy::after;

fn wide(seats: u8) -> Take {
    after(&Take::new(&TakeRules { tokens: 60, most: 5, seats }), TakeMove::One)
}

fn options(rule: Rule) -> AlphaBetaOptions {
    AlphaBetaOptions { rule, megabytes: 1, ..AlphaBetaOptions::default() }
}

#[test]
fn the_budget_is_spent_exactly_and_every_node_is_in_a_candidate() {
    for rule in RULES {
        for budget in [0, 1, 2, 3, 17, 100, 1_000, 5_000] {
            let root = wide(3);
            let mut agent = AlphaBeta::new(FromScratch(blind::<Take>), options(rule));
            let report = agent.think(&root, &Limits::nodes(budget), &Stop::default());
            assert_eq!(report.nodes, budget, "{rule:?}");
            check_report(&root, &report, &[TakeMove::One, TakeMove::Stop]);
            assert_eq!(report.values.is_some(), budget > 0);
        }
    }
}

/// A position of RingRift with many legal moves.
fn middle() -> Position<Square8> {
    game::Setup::from_text("square8 2 1:movement hands=0,0 credits=1,1 cells=b2:1,c5:12,d4:2,e5:22,f3*1,f6*2")
        .unwrap()
}

#[test]
fn an_interrupted_search_plays_the_best_move_of_the_last_completed_depth_or_better() {
    let root = middle();
    let evaluator = Heuristic::<Square8>::new(Persona::Balanced);
    let fresh = || AlphaBeta::new(FromScratch(evaluator.clone()), exact(Rule::Paranoid, Some(3)));
    let mut finished = Vec::new();
    let whole =
        fresh().think_with_progress(&root, &Limits::nodes(u64::MAX), &Stop::default(), &mut |report| {
            finished.push((report.nodes, report.best));
        });
    assert_eq!(finished.len(), 3);
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    let mut reference = Reference { evaluator: evaluator.clone(), rule: Rule::Paranoid, most: u64::MAX };
    let scores: Vec<_> = (1..=3).map(|depth| reference.scores(&root, depth).unwrap()).collect();
    let score = |depth: usize, m| scores[depth - 1][moves.iter().position(|&legal| legal == m).unwrap()];
    let step = (whole.nodes / 120).max(1);
    let mut changed = 0;
    for budget in (0..whole.nodes).step_by(step as usize) {
        let report = fresh().think(&root, &Limits::nodes(budget), &Stop::default());
        assert_eq!(report.nodes, budget);
        check_report(&root, &report, &moves);
        let done = finished.iter().filter(|(nodes, _)| *nodes <= budget).count();
        if done > 0 && report.best != finished[done - 1].1 {
            changed += 1;
            let (now, before) = (score(done + 1, report.best), score(done + 1, finished[done - 1].1));
            assert!(now > before, "after {budget} nodes {:?} is no better: {now} {before}", report.best);
        }
    }
    assert!(changed > 0, "no interrupted search changed its best move");
}

#[test]
fn searches_are_deterministic_and_a_reused_table_only_saves_work() {
    let timeless = |report: Report<_>| Report { time: Duration::ZERO, ..report };
    let root = middle();
    let fresh =
        || AlphaBeta::new(FromScratch(Heuristic::<Square8>::new(Persona::Balanced)), options(Rule::Paranoid));
    let limits = Limits::nodes(20_000);
    let one = timeless(fresh().think(&root, &limits, &Stop::default()));
    assert_eq!(one, timeless(fresh().think(&root, &limits, &Stop::default())));
    let exact = || {
        let options = AlphaBetaOptions { reductions: false, depth: Some(2), ..options(Rule::Paranoid) };
        AlphaBeta::new(FromScratch(Heuristic::<Square8>::new(Persona::Balanced)), options)
    };
    let mut agent = exact();
    let first = agent.think(&root, &Limits::nodes(u64::MAX), &Stop::default());
    let second = agent.think(&root, &Limits::nodes(u64::MAX), &Stop::default());
    assert_eq!((first.best, first.values), (second.best, second.values));
    assert!(second.nodes < first.nodes, "{} {}", second.nodes, first.nodes);
}

#[test]
fn a_raised_stop_and_a_spent_clock_end_the_search() {
    let stop = Stop::default();
    stop.raise();
    for rule in RULES {
        let mut agent = AlphaBeta::new(FromScratch(blind::<Take>), options(rule));
        assert_eq!(agent.think(&wide(3), &Limits::nodes(1_000), &stop).nodes, 0);
        let limits = Limits::nodes(u64::MAX).within(Duration::from_millis(20));
        let report = agent.think(&wide(3), &limits, &Stop::default());
        assert!(report.nodes > 0 && report.time >= Duration::from_millis(20));
    }
}

#[test]
fn key_collisions_do_no_harm() {
    /// All positions of a size share a key, so the table returns entries of other positions.
    #[derive(Clone, PartialEq, Eq, Debug)]
    struct Blurred(Take);
    impl Game for Blurred {
        type Config = TakeRules;
        type Move = TakeMove;
        type Change = u16;
        type Illegal = game::toy::TakeFault;
        fn new(config: &TakeRules) -> Self {
            Self(Take::new(config))
        }
        fn config(&self) -> TakeRules {
            self.0.config()
        }
        fn seats(&self) -> usize {
            self.0.seats()
        }
        fn to_move(&self) -> game::Seat {
            self.0.to_move()
        }
        fn outcome(&self) -> Option<game::Outcome> {
            self.0.outcome()
        }
        fn legal_moves(&self, moves: &mut Vec<TakeMove>) {
            self.0.legal_moves(moves);
        }
        fn check(&self, m: TakeMove) -> Result<(), Self::Illegal> {
            self.0.check(m)
        }
        fn play_unchecked(&mut self, m: TakeMove, _: &mut impl game::Observer<Self>) {
            self.check(m).expect("only legal moves are played");
            self.0.play_unchecked(m, &mut ());
        }
        fn key(&self) -> u64 {
            self.0.key() % 7
        }
        fn key_from_scratch(&self) -> u64 {
            self.key()
        }
    }
    for (seats, rule) in (2..=4).flat_map(|seats| RULES.map(|rule| (seats, rule))) {
        let root = Blurred(wide(seats));
        let mut agent = AlphaBeta::new(FromScratch(blind::<Blurred>), options(rule));
        let report = agent.think(&root, &Limits::nodes(3_000), &Stop::default());
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        check_report(&root, &report, &moves);
    }
}
