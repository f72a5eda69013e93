//! Budgets, clocks and reports of descent.

use super::*;
use game::{Evaluation, Evaluator, Request};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

fn timeless<M>(report: Report<M>) -> Report<M> {
    Report { time: Duration::ZERO, ..report }
}

#[test]
fn the_budget_is_never_exceeded_and_nearly_spent() {
    for mode in BOTH {
        for budget in [0, 1, 2, 3, 17, 100] {
            let report = think(&mut in_mode(mode), &wide(), budget);
            assert!(report.nodes <= budget, "{report:?}");
            // An expansion of the toy adds two moves; at the root they are added one by one if the budget requires it.
            assert!(report.nodes + 1 >= budget, "{report:?}");
            assert_eq!(report.values.is_some(), budget > 0);
            assert_eq!(report.candidates.len(), 2);
        }
    }
}

#[test]
fn every_new_position_is_evaluated_once_and_counted() {
    for mode in BOTH {
        let evaluated: Arc<Mutex<Vec<Take>>> = Arc::default();
        let mut ends = 0;
        let start = wide();
        {
            let evaluated = Arc::clone(&evaluated);
            let evaluator = move |position: &Take| {
                let mut evaluated = evaluated.lock().unwrap();
                assert!(legal(position).len() > 1, "forced moves are passed through");
                assert!(!evaluated.contains(position), "evaluated twice: {position:?}");
                evaluated.push(position.clone());
                Values::default()
            };
            let options = DescentOptions { mode, ..DescentOptions::default() };
            let mut agent = Descent::new(ValuesOnly(evaluator), options);
            let report = agent.think(&start, &Limits::nodes(150), &Stop::default());
            ends += report.nodes;
        }
        ends -= evaluated.lock().unwrap().len() as u64;
        assert!(ends <= 1 + 150 / 4, "{ends} of 150 positions were finished games");
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
    // Turns take one to five tokens, so every game has at least twelve turns.
    let nodes = 100;
    let deep = think(&mut in_mode(DescentMode::Descent), &wide(), nodes);
    let broad = think(&mut in_mode(DescentMode::BestFirst), &wide(), nodes);
    assert!(detail(&deep, "depth") >= 11, "{deep:?}");
    assert!(detail(&deep, "iterations") < detail(&broad, "iterations") / 2);
}

#[test]
fn progress_is_reported_during_the_search() {
    let mut node_counts = Vec::new();
    let mut agent = in_mode(DescentMode::BestFirst);
    let last = agent.think_with_progress(&wide(), &Limits::nodes(200), &Stop::default(), &mut |report| {
        node_counts.push(report.nodes);
    });
    assert!(
        node_counts.len() >= 5 && node_counts.is_sorted() && node_counts[node_counts.len() - 1] < last.nodes,
        "{node_counts:?}"
    );
}

/// A game with many moves at the start and two at every later decision.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Wide {
    played: Vec<u16>,
}

impl Game for Wide {
    type Config = ();
    type Move = u16;
    type Change = ();
    type Illegal = game::toy::TakeFault;

    fn new((): &()) -> Self {
        Self { played: Vec::new() }
    }
    fn config(&self) {}
    fn seats(&self) -> usize {
        2
    }
    fn to_move(&self) -> game::Seat {
        game::Seat::new(self.played.len() % 2)
    }
    fn outcome(&self) -> Option<game::Outcome> {
        (self.played.len() == 6).then(|| game::Outcome::draw(2))
    }
    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.clear();
        if !self.is_over() {
            moves.extend(0..if self.played.is_empty() { 1_000 } else { 2 });
        }
    }
    fn check(&self, m: u16) -> Result<(), game::toy::TakeFault> {
        if legal(self).contains(&m) { Ok(()) } else { Err(game::toy::TakeFault::Over) }
    }
    fn play_unchecked(&mut self, m: u16, _: &mut impl game::Observer<Self>) {
        self.played.push(m);
    }
    fn key(&self) -> u64 {
        self.played.iter().fold(1, |key, &m| key * 1_009 + u64::from(m))
    }
    fn key_from_scratch(&self) -> u64 {
        self.key()
    }
}

fn worth(position: &Wide) -> Values {
    Values([f32::from(position.played[0] % 7) / 10.0; game::MAX_SEATS])
}

#[test]
fn a_stop_interrupts_an_expansion_and_the_rest_is_expanded_later() {
    for mode in BOTH {
        let (stop, asked) = (Arc::new(Stop::default()), Arc::new(AtomicU64::new(0)));
        let (raise, count) = (Arc::clone(&stop), Arc::clone(&asked));
        let evaluator = move |position: &Wide| {
            if count.fetch_add(1, Ordering::Relaxed) == 100 {
                raise.raise();
            }
            worth(position)
        };
        let options = DescentOptions { mode, ..DescentOptions::default() };
        let mut agent = Descent::new(ValuesOnly(evaluator), options);
        let root = Wide::new(&());
        let report = agent.think(&root, &Limits::nodes(1_500), &stop);
        assert!(asked.load(Ordering::Relaxed) <= 100 + 32, "{asked:?} positions were evaluated");
        assert_eq!(report.nodes, asked.load(Ordering::Relaxed));
        let opened = report.candidates.iter().filter(|candidate| candidate.values.is_some()).count();
        assert_eq!(opened as u64, report.nodes);
        assert!(report.values.is_some() && report.candidates[0].values.is_some(), "{:?}", report.best);
        // A second search expands the remaining moves, each once, and finds the same as an uninterrupted search.
        let left = Limits::nodes(1_000 - report.nodes);
        let again = agent.think(&root, &left, &Stop::default());
        assert_eq!(asked.load(Ordering::Relaxed), 1_000);
        let whole =
            Descent::new(ValuesOnly(worth), options).think(&root, &Limits::nodes(1_000), &Stop::default());
        let values = |report: &Report<u16>| {
            let mut all: Vec<_> =
                report.candidates.iter().map(|of| (of.m, of.values.unwrap().0[0])).collect();
            all.sort_by_key(|&(m, _)| m);
            all
        };
        assert_eq!(values(&again), values(&whole));
        assert_eq!(again.values, whole.values);
    }
}

/// Raises `stop` and gives up in the middle of the batch in which `left` positions are evaluated.
struct GivesUp {
    left: Arc<AtomicU64>,
    stop: Arc<Stop>,
}

impl Evaluator<Wide> for GivesUp {
    fn evaluate(&mut self, requests: &[Request<'_, Wide>], evaluations: &mut [Evaluation<u16>]) {
        assert!(self.evaluate_unless(requests, evaluations, &|| false));
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, Wide>],
        evaluations: &mut [Evaluation<u16>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        for (request, evaluation) in requests.iter().zip(evaluations) {
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.stop.raise();
            }
            if is_interrupted() {
                return false;
            }
            evaluation.values = worth(request.position);
        }
        true
    }
}

#[test]
fn a_batch_that_was_interrupted_is_dropped_and_evaluated_later() {
    for mode in BOTH {
        for answered in [0, 3, 8, 100, 101, 900] {
            let left = Arc::new(AtomicU64::new(answered + 1));
            let stop = Arc::new(Stop::default());
            let evaluator = GivesUp { left: Arc::clone(&left), stop: Arc::clone(&stop) };
            let options = DescentOptions { mode, ..DescentOptions::default() };
            let mut agent = Descent::new(evaluator, options);
            let root = Wide::new(&());
            let report = agent.think(&root, &Limits::nodes(1_200), &stop);
            // Only whole batches count.
            assert!(report.nodes <= answered && report.nodes + 8 > answered, "{}", report.nodes);
            let known = report.candidates.iter().filter(|candidate| candidate.values.is_some()).count();
            assert_eq!(known as u64, report.nodes);
            assert_eq!(report.values.is_some(), report.nodes > 0);
            left.store(u64::MAX, Ordering::Relaxed);
            let again = agent.think(&root, &Limits::nodes(1_000 - report.nodes), &Stop::default());
            let mut uninterrupted = Descent::new(ValuesOnly(worth), options);
            let whole = uninterrupted.think(&root, &Limits::nodes(1_000), &Stop::default());
            let values = |report: &Report<u16>| {
                let mut all: Vec<_> =
                    report.candidates.iter().map(|of| (of.m, of.values.unwrap().0[0])).collect();
                all.sort_by_key(|&(m, _)| m);
                all
            };
            assert_eq!(values(&again), values(&whole), "after {answered} answers");
        }
    }
}

#[test]
fn the_batch_size_does_not_change_the_result() {
    for mode in BOTH {
        let found = |batch| {
            let options = DescentOptions { mode, batch, ..DescentOptions::default() };
            let evaluator = |position: &Wide| {
                let noise = position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                Values([noise as f32 / (1 << 25) as f32; game::MAX_SEATS])
            };
            let mut agent = Descent::new(ValuesOnly(evaluator), options);
            timeless(agent.think(&Wide::new(&()), &Limits::nodes(1_200), &Stop::default()))
        };
        assert_eq!(found(1), found(8));
        assert_eq!(found(1), found(10_000));
    }
}
