//! Batches across searches, evaluators shared between threads, and batches within a search.

use std::{
    collections::VecDeque,
    panic,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use game::{
    Evaluation, Evaluator, Game, Request, Values, ValuesOnly, Wants,
    toy::{Take, TakeMove, TakeRules},
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::toy::{ask, generator, wide};
use crate::{
    Agent, DescentOptions, DescentSearch, Gumbel, GumbelOptions, GumbelSearch, HeuristicPrior, Limits, Mcts,
    MctsOptions, MctsSearch, ParallelEvaluator, QueuedEvaluator, Report, Search, Step, Stop, drive,
};

/// An arbitrary evaluation that depends on the position alone.
fn noise(position: &Take) -> Values {
    let number = |seat: u64| (position.key() ^ seat << 50).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    Values([0, 1, 2, 3].map(|seat| number(seat) as f32 / (1 << 24) as f32 - 0.5))
}

fn start(game: usize) -> Take {
    Take::new(&TakeRules { tokens: 30 + (game % 17) as u16, most: 4, seats: 2 + (game % 3) as u8 })
}

const LIMITS: Limits = Limits::nodes(24);

fn mcts(game: usize) -> MctsSearch<Take, Xoshiro256PlusPlus> {
    // As an agent does, give the search its own generator.
    MctsSearch::new(Xoshiro256PlusPlus::from_rng(&mut generator(game as u64)), MctsOptions::default())
}

fn gumbel(game: usize) -> GumbelSearch<Take, Xoshiro256PlusPlus> {
    GumbelSearch::new(generator(game as u64), GumbelOptions { noise: 1.0, ..GumbelOptions::default() })
}

/// Plays all games, 64 at a time in one thread, and returns their moves and the mean number of requests per batch.
fn interleaved<S: Search<Take>>(
    games: usize,
    search: impl Fn(usize) -> S,
    evaluator: &mut dyn Evaluator<Take>,
) -> (Vec<Vec<TakeMove>>, f64) {
    const TABLES: usize = 64;
    let mut played = vec![Vec::new(); games];
    let mut waiting: VecDeque<usize> = (0..games).collect();
    let mut tables: Vec<(usize, Take)> = Vec::new();
    let mut searches = Vec::new();
    for game in waiting.drain(..TABLES) {
        let mut first = search(game);
        first.begin(&start(game), &LIMITS);
        tables.push((game, start(game)));
        searches.push(first);
    }
    let counts = drive(&mut searches, evaluator, TABLES, &Stop::default(), |table, found| {
        let (game, position) = &mut tables[table];
        let best = found.report().best;
        played[*game].push(best);
        position.play(best).unwrap();
        if position.is_over() {
            let Some(next) = waiting.pop_front() else { return false };
            (*game, *position) = (next, start(next));
            *found = search(next);
        }
        found.begin(position, &LIMITS);
        true
    });
    (played, counts.mean())
}

/// The moves of one game played alone.
fn alone(game: usize, agent: &mut impl Agent<Take>) -> Vec<TakeMove> {
    let (mut position, mut moves) = (start(game), Vec::new());
    while !position.is_over() {
        let report = agent.think(&position, &LIMITS, &Stop::default());
        moves.push(report.best);
        position.play(report.best).unwrap();
    }
    moves
}

#[test]
fn sixty_four_interleaved_games_fill_their_batches_and_are_played_as_alone() {
    // New games start as others finish; the mean covers the whole run, including its end.
    let games = 256;
    let prior = || HeuristicPrior::new(ValuesOnly(noise), 5.0);
    let (played, mean) = interleaved(games, mcts, &mut prior());
    assert!(mean >= 48.0, "{mean} requests per batch");
    for (game, moves) in played.iter().enumerate() {
        let mut agent = Mcts::new(prior(), generator(game as u64), MctsOptions::default());
        assert_eq!(*moves, alone(game, &mut agent), "game {game}");
    }
    let (played, mean) = interleaved(games, gumbel, &mut prior());
    // Some searches ask for two positions at a time, so a full batch may be followed by a partial one.
    assert!(mean >= 40.0, "{mean} requests per batch");
    for (game, moves) in played.iter().enumerate() {
        let options = GumbelOptions { noise: 1.0, ..GumbelOptions::default() };
        let mut agent = Gumbel::new(prior(), generator(game as u64), options);
        assert_eq!(*moves, alone(game, &mut agent), "game {game}");
    }
    let descent = |_| DescentSearch::new(DescentOptions { batch: 1, ..DescentOptions::default() });
    let (played, mean) = interleaved(games, descent, &mut prior());
    assert!(mean >= 48.0, "{mean} requests per batch");
    for (game, moves) in played.iter().enumerate() {
        let mut agent = crate::Descent::new(prior(), DescentOptions::default());
        assert_eq!(*moves, alone(game, &mut agent), "game {game}");
    }
}

#[test]
fn searches_of_different_kinds_share_batches() {
    let mut searches: Vec<Box<dyn Search<Take>>> = vec![
        Box::new(mcts(1)),
        Box::new(gumbel(2)),
        Box::new(DescentSearch::new(DescentOptions { batch: 1, ..DescentOptions::default() })),
    ];
    for search in &mut searches {
        search.begin(&wide(), &LIMITS);
    }
    let mut prior = HeuristicPrior::new(ValuesOnly(noise), 5.0);
    let mut finished = Vec::new();
    drive(&mut searches, &mut prior, 64, &Stop::default(), |index, search| {
        finished.push(index);
        assert_eq!(search.report().nodes, 24);
        false
    });
    finished.sort_unstable();
    assert_eq!(finished, [0, 1, 2]);
}

/// The contents of a report, except for the time.
fn found(report: &Report<TakeMove>) -> (TakeMove, Vec<(TakeMove, u64, Option<Values>)>) {
    let candidates = report.candidates.iter().map(|of| (of.m, of.visits, of.values));
    (report.best, candidates.collect())
}

#[test]
fn threads_that_share_an_evaluator_find_what_they_find_alone() {
    let shared =
        QueuedEvaluator::start(HeuristicPrior::new(ValuesOnly(noise), 5.0), 16).expect("a thread starts");
    thread::scope(|scope| {
        for seed in 0..6 {
            let shared = shared.clone();
            scope.spawn(move || {
                for batch in [1, 4] {
                    let options = MctsOptions { batch, ..MctsOptions::default() };
                    let own = HeuristicPrior::new(ValuesOnly(noise), 5.0);
                    let one = ask(&mut Mcts::new(own, generator(seed), options), &wide(), 200);
                    let other = ask(&mut Mcts::new(shared.clone(), generator(seed), options), &wide(), 200);
                    assert_eq!(found(&one), found(&other), "seed {seed}, batch {batch}");
                }
            });
        }
    });
}

#[test]
fn threads_in_one_tree_find_what_one_thread_finds() {
    let own = || HeuristicPrior::new(ValuesOnly(noise), 5.0);
    for (batch, threads) in [(2, 2), (8, 3), (5, 9)] {
        let one = MctsOptions { batch, ..MctsOptions::default() };
        let several = MctsOptions { threads, ..one };
        let alone = ask(&mut Mcts::new(own(), generator(1), one), &wide(), 300);
        let together = ask(&mut Mcts::new(own(), generator(1), several), &wide(), 300);
        assert_eq!(found(&alone), found(&together), "batch {batch}, {threads} threads");
        let one = GumbelOptions { batch, ..GumbelOptions::default() };
        let several = GumbelOptions { threads, ..one };
        let make = || Box::new(own()) as Box<dyn Evaluator<Take> + Send>;
        let alone = ask(&mut Gumbel::with_evaluators(make, generator(1), one), &wide(), 300);
        let together = ask(&mut Gumbel::with_evaluators(make, generator(1), several), &wide(), 300);
        assert_eq!(found(&alone).1, found(&together).1, "batch {batch}, {threads} threads");
    }
}

#[test]
fn every_thread_answers_its_part_of_a_batch() {
    let sizes = [Sizes::default(), Sizes::default(), Sizes::default()];
    let evaluators = sizes.iter().map(|sizes| Box::new(sizes.clone()) as Box<dyn Evaluator<Take> + Send>);
    let mut parallel = ParallelEvaluator::new(evaluators.collect());
    let position = wide();
    for count in [0, 1, 2, 3, 7] {
        let request = Request { position: &position, moves: &[], wants: Wants::Values };
        let mut answers = vec![Evaluation::default(); count];
        parallel.evaluate(&vec![request; count], &mut answers);
        assert!(answers.iter().all(|answer| answer.values == noise(&position)));
    }
    let sizes = sizes.map(|sizes| sizes.0.lock().unwrap().clone());
    assert_eq!(sizes, [vec![1, 1, 1, 3], vec![1, 1, 3], vec![1, 1]]);
    // An interruption that the first copy notices ends all of them.
    let request = Request { position: &position, moves: &[], wants: Wants::Values };
    let slow = || Box::new(UntilInterrupted) as Box<dyn Evaluator<Take> + Send>;
    let mut parallel = ParallelEvaluator::new(vec![slow(), slow()]);
    let mut answers = vec![Evaluation::default(); 4];
    assert!(!parallel.evaluate_unless(&[request; 4], &mut answers, &|| true));
}

/// An evaluator that gives up when it is interrupted, and never answers before.
struct UntilInterrupted;

impl Evaluator<Take> for UntilInterrupted {
    fn evaluate(&mut self, _: &[Request<'_, Take>], _: &mut [Evaluation<TakeMove>]) {
        unreachable!("only asked with a way to interrupt it");
    }

    fn evaluate_unless(
        &mut self,
        _: &[Request<'_, Take>],
        _: &mut [Evaluation<TakeMove>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        while !is_interrupted() {
            thread::yield_now();
        }
        false
    }
}

#[test]
fn a_dropped_caller_does_not_block_others() {
    let mut shared = QueuedEvaluator::start(ValuesOnly(noise), 4).expect("a thread starts");
    for _ in 0..10 {
        // A search that is dropped before its answer arrives.
        let mut search = mcts(1);
        search.begin(&wide(), &LIMITS);
        assert_eq!(search.step(&Stop::default()), Step::Evaluate);
        let mut gone = shared.clone();
        thread::spawn(move || {
            let mut answers = [Evaluation::default()];
            gone.evaluate(&[search.request(0)], &mut answers);
        });
    }
    let mut answers = [Evaluation::default()];
    let position = wide();
    shared.evaluate(&[Request { position: &position, moves: &[], wants: Wants::Values }], &mut answers);
    assert_eq!(answers[0].values, noise(&position));
}

#[test]
fn a_panic_of_the_shared_evaluator_reaches_all_callers() {
    let asked = AtomicU64::new(0);
    let fragile = ValuesOnly(move |position: &Take| {
        assert!(asked.fetch_add(1, Ordering::Relaxed) < 20, "broken on purpose");
        noise(position)
    });
    let shared = QueuedEvaluator::start(fragile, 4).expect("a thread starts");
    let ends: Vec<bool> = thread::scope(|scope| {
        let search = |seed| {
            let shared = shared.clone();
            move || ask(&mut Mcts::new(shared, generator(seed), MctsOptions::default()), &wide(), 100).best
        };
        let threads: Vec<_> = (0..4).map(|seed| scope.spawn(search(seed))).collect();
        threads.into_iter().map(|thread| thread.join().is_err()).collect()
    });
    assert_eq!(ends, [true; 4], "every caller panics instead of waiting or getting a wrong answer");
    let late = panic::catch_unwind(|| {
        ask(&mut Mcts::new(shared.clone(), generator(1), MctsOptions::default()), &wide(), 100).best
    });
    assert!(late.is_err());
}

/// Records the size of every batch.
#[derive(Clone, Default)]
struct Sizes(Arc<Mutex<Vec<usize>>>);

impl Evaluator<Take> for Sizes {
    fn evaluate(&mut self, requests: &[Request<'_, Take>], evaluations: &mut [Evaluation<TakeMove>]) {
        self.0.lock().unwrap().push(requests.len());
        ValuesOnly(noise).evaluate(requests, evaluations);
    }
}

#[test]
fn collisions_are_retried_and_the_fill_is_reported() {
    // Every node has two moves, so without retries a batch would end after a handful of requests.
    let (nodes, batch) = (2_000, 16);
    let plain = MctsOptions { batch, ..MctsOptions::default() };
    let fill_of = |report: &Report<TakeMove>| {
        report.details.iter().find(|detail| detail.0 == "fill").map(|&(_, fill)| fill)
    };
    let sizes = Sizes::default();
    let report = ask(&mut Mcts::new(sizes.clone(), generator(1), plain), &wide(), nodes);
    assert_eq!(report.nodes, nodes);
    // The first two requests are for the root.
    let sizes = sizes.0.lock().unwrap();
    let mean = sizes[2..].iter().sum::<usize>() as f64 / (sizes.len() - 2) as f64;
    let fill = fill_of(&report).expect("batches have a fill");
    assert!((fill - mean / batch as f64).abs() < 1e-9, "{fill}, but {mean} of {batch}");
    assert!(fill > 0.8, "{fill}");
    // Without virtual loss, retries follow the same path.
    let without = MctsOptions { virtual_loss: 0.0, ..plain };
    let poor = fill_of(&ask(&mut Mcts::new(ValuesOnly(noise), generator(1), without), &wide(), nodes));
    assert!(poor.is_some_and(|poor| poor < fill), "{poor:?} {fill}");
    let single = ask(&mut Mcts::new(ValuesOnly(noise), generator(1), MctsOptions::default()), &wide(), 100);
    assert_eq!(fill_of(&single), None);
    // Gumbel search keeps its schedule: retries differ only below the root's moves.
    let options = GumbelOptions { batch, ..GumbelOptions::default() };
    let mut agent = Gumbel::new(ValuesOnly(noise), generator(1), options);
    let report = ask(&mut agent, &wide(), nodes);
    assert!(fill_of(&report).is_some_and(|fill| fill > 0.3), "{report:?}");
    assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), nodes);
}

#[test]
fn a_search_abandoned_with_pending_requests_can_begin_again() {
    let options = MctsOptions { batch: 8, reuse: true, ..MctsOptions::default() };
    let mut search = MctsSearch::new(generator(1), options);
    let no_reuse = DescentOptions { reuse: false, ..DescentOptions::default() };
    let (mut descent, mut reusing) =
        (DescentSearch::new(no_reuse), DescentSearch::new(DescentOptions::default()));
    let (stop, raised) = (Stop::default(), Stop::default());
    raised.raise();
    for (round, position) in [wide(), wide(), start(3), wide()].into_iter().enumerate() {
        for answered in 0..5 {
            run_some(&mut search, &position, answered + 4 * round);
            run_some(&mut descent, &position, answered + round);
            run_some(&mut reusing, &position, answered + round);
        }
        // After a stop, the report is complete and every visit in it has been evaluated.
        run_some(&mut search, &position, 9);
        if search.step(&raised) == Step::Done {
            let report = search.report();
            assert!(position.is_legal(report.best));
        }
    }
    search.begin(&wide(), &Limits::nodes(300));
    let counts = drive(std::slice::from_mut(&mut search), &mut ValuesOnly(noise), 8, &stop, |_, _| false);
    assert!(counts.requests >= 300);
    assert_eq!(search.report().nodes, 300);
    for search in [&mut descent, &mut reusing] {
        search.begin(&wide(), &Limits::nodes(300));
        drive(std::slice::from_mut(search), &mut ValuesOnly(noise), 8, &stop, |_, _| false);
    }
    let mut fresh = crate::Descent::new(ValuesOnly(noise), DescentOptions::default());
    assert_eq!(found(&descent.report()), found(&ask(&mut fresh, &wide(), 300)));
    // Batches that were answered before a search was abandoned are not lost.
    let kept = reusing.report().details.iter().find(|detail| detail.0 == "kept").map(|detail| detail.1);
    assert!(kept > Some(0.0), "{kept:?}");
}

/// Begins a search, answers some batches, and leaves it with pending requests.
fn run_some(search: &mut impl Search<Take>, root: &Take, batches: usize) {
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    search.begin(root, &Limits::nodes(1_000));
    for batch in 0..=batches {
        while search.step(&Stop::default()) == Step::Progress {}
        if batch == batches || search.pending() == 0 {
            return;
        }
        let requests: Vec<_> = (0..search.pending()).map(|index| search.request(index)).collect();
        let mut answers = vec![Evaluation::default(); requests.len()];
        ValuesOnly(noise).evaluate(&requests, &mut answers);
        search.resume(&answers);
    }
}
