//! Monte Carlo tree search with every combination of options.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use game::{
    Evaluation, Evaluator, Game, Observer, Outcome, Request, Seat, StaticEvaluator, Values, ValuesOnly,
    Wants,
    toy::{Take, TakeFault, TakeMove, TakeRules},
};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::toy::{Pie, after, ask, decisions, exact, exact_after, generator, keeps_the_win, wide};
use crate::{
    Agent, HeuristicPrior, Limits, Mcts, MctsOptions, MctsSearch, Report, Rollout, RootNoise, Search,
    Selection, Stop, Widening, stepwise::OwnedEvaluator,
};

fn mcts(options: MctsOptions, seed: u64) -> Mcts<Take, Xoshiro256PlusPlus> {
    Mcts::new(Rollout::new(generator(seed ^ 0xBEEF)), generator(seed), options)
}

fn think(position: &Take, simulations: u64, seed: u64) -> Report<TakeMove> {
    ask(&mut mcts(MctsOptions::default(), seed), position, simulations)
}

/// Every option that affects selection or the order of work, one at a time and some together.
fn variants() -> Vec<MctsOptions> {
    let plain = MctsOptions { selection: Selection::UCT, reuse: false, ..MctsOptions::default() };
    let batched = MctsOptions { batch: 8, ..plain };
    vec![
        plain,
        batched,
        MctsOptions { selection: Selection::PUCT, ..plain },
        MctsOptions { selection: Selection::PUCT, virtual_loss: 0.5, ..batched },
        MctsOptions { virtual_loss: 0.0, ..batched },
        MctsOptions { reuse: true, ..plain },
        MctsOptions { rave: Some(50.0), ..plain },
        MctsOptions { rave: Some(50.0), prior_visits: 10.0, ..plain },
        MctsOptions { rave: Some(50.0), reuse: true, ..batched },
        MctsOptions { widening: Some(Widening { factor: 1.0, power: 0.3 }), ..plain },
        MctsOptions { noise: Some(RootNoise::default()), selection: Selection::PUCT, ..plain },
        MctsOptions { implicit: Some(0.4), ..plain },
        MctsOptions { implicit: Some(1.0), reuse: true, ..batched },
        MctsOptions { threads: 3, ..plain },
        MctsOptions { threads: 2, reuse: true, ..batched },
    ]
}

#[test]
fn a_won_position_of_two_seats_is_won_whoever_moves() {
    for most in 2..=4 {
        for position in decisions(TakeRules { tokens: 12, most, seats: 2 }) {
            if position.mover_wins() {
                let report = think(&position, 3_000, 5);
                assert!(keeps_the_win(&position, report.best), "{position:?}: {report:?}");
            }
        }
    }
}

#[test]
fn every_variant_wins_what_can_be_won() {
    for options in variants() {
        for position in decisions(TakeRules { tokens: 9, most: 3, seats: 2 }) {
            if position.mover_wins() {
                let report = ask(&mut mcts(options, 5), &position, 3_000);
                assert!(keeps_the_win(&position, report.best), "{options:?} {position:?}: {report:?}");
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
            // After taking, the same seat often moves again; after stopping, the other seat moves.
            if let Some(values) = candidate.values.filter(|_| candidate.solved) {
                let expected = keeps_the_win(&position, candidate.m);
                assert_eq!(values.of(mover) > 0.0, expected, "{position:?}: {candidate:?}");
            }
        }
    }
}

#[test]
fn solved_moves_are_exact_for_every_number_of_seats_and_variant() {
    for options in variants() {
        for seats in 2..=4 {
            let mut solved = 0;
            for position in decisions(TakeRules { tokens: 7, most: 3, seats }) {
                for candidate in ask(&mut mcts(options, 3), &position, 1_000).candidates {
                    if candidate.solved {
                        solved += 1;
                        let expected = exact(&after(&position, candidate.m));
                        assert_eq!(candidate.values, expected, "{position:?}: {candidate:?}");
                    }
                }
            }
            assert!(solved > 10, "{options:?}, {seats} seats: only {solved} solved moves were seen");
        }
    }
}

#[test]
fn the_budget_is_spent_exactly_and_every_simulation_is_in_a_candidate() {
    for options in variants() {
        for budget in [0, 1, 2, 3, 17, 100, 1_000] {
            let report = ask(&mut mcts(options, 7), &wide(), budget);
            assert_eq!(report.nodes, budget, "{options:?}");
            assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), budget);
            assert_eq!(report.candidates.len(), 2);
            assert_eq!(report.values.is_some(), budget > 0);
            assert!(report.candidates.is_sorted_by(|one, other| one.visits >= other.visits));
        }
    }
}

/// Counts requests and returns default values.
#[derive(Clone, Default)]
struct Counting(Arc<Mutex<Counts>>);

#[derive(Clone, Copy, Default)]
struct Counts {
    batches: u64,
    values: u64,
    policies: u64,
    largest: usize,
}

impl Evaluator<Take> for Counting {
    fn evaluate(&mut self, requests: &[Request<'_, Take>], evaluations: &mut [Evaluation<TakeMove>]) {
        let mut counts = self.0.lock().unwrap();
        counts.batches += 1;
        counts.largest = counts.largest.max(requests.len());
        for (request, evaluation) in requests.iter().zip(evaluations) {
            match request.wants {
                Wants::Values => counts.values += 1,
                Wants::Policy => counts.policies += 1,
            }
            assert!(request.moves.len() == 2 && evaluation.logits.is_empty(), "{request:?}");
        }
    }
}

#[test]
fn every_simulation_requests_values_once_and_every_node_its_policy_at_most_once() {
    for (batch, most_batches) in [(1, 1_001), (8, 180), (64, 60)] {
        let counting = Counting::default();
        let options = MctsOptions { batch, reuse: false, ..MctsOptions::default() };
        let report = ask(&mut Mcts::new(counting.clone(), generator(1), options), &wide(), 500);
        let counts = *counting.0.lock().unwrap();
        assert_eq!(report.nodes, 500);
        assert_eq!(
            counts.values, 501,
            "batch {batch}: 500 simulations and the root, none of which is solved"
        );
        let nodes = report.details.iter().find(|detail| detail.0 == "tree").unwrap().1 as u64;
        assert!(counts.policies <= nodes, "batch {batch}: {} policies for {nodes} nodes", counts.policies);
        assert!(counts.batches <= most_batches, "batch {batch}: {} batches", counts.batches);
        assert!(counts.largest <= batch && (batch == 1 || counts.largest > 1), "{}", counts.largest);
    }
}

#[test]
fn a_solved_root_ends_the_search() {
    let last = after(&Take::new(&TakeRules { tokens: 2, most: 2, seats: 2 }), TakeMove::One);
    for options in variants() {
        let report = ask(&mut mcts(options, 1), &last, 1_000);
        assert_eq!(report.best, TakeMove::One);
        assert!(report.nodes < 30, "{report:?}");
        assert!(report.candidates[0].solved);
        assert!(report.values.unwrap().of(last.to_move()) >= 1.0);
    }
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
    for options in variants() {
        let [one, again, other] = [3, 3, 4].map(|seed| timeless(ask(&mut mcts(options, seed), &wide(), 500)));
        assert_eq!(one, again, "{options:?}");
        assert_ne!(one, other, "{options:?}");
    }
}

#[test]
fn a_raised_stop_and_a_spent_clock_end_the_search() {
    let stop = Stop::default();
    stop.raise();
    for options in variants() {
        let mut agent = mcts(options, 1);
        assert_eq!(agent.think(&wide(), &Limits::nodes(1_000), &stop).nodes, 0);
        let limits = Limits::nodes(u64::MAX).within(Duration::from_millis(5));
        let report = agent.think(&wide(), &limits, &Stop::default());
        assert!(report.time >= Duration::from_millis(5), "{options:?}: {report:?}");
        assert!(wide().is_legal(report.best));
    }
}

#[test]
fn a_stop_during_the_search_ends_it_with_a_legal_move() {
    let stop = Stop::default();
    let mut heard = Vec::new();
    let mut agent = mcts(MctsOptions::default(), 1);
    let report = agent.think_with_progress(&wide(), &Limits::nodes(1_000_000), &stop, &mut |report| {
        heard.push(report.nodes);
        if report.nodes >= 512 {
            stop.raise();
        }
    });
    assert_eq!(heard, [64, 128, 256, 512]);
    assert_eq!(report.nodes, 512);
    assert!(wide().is_legal(report.best));
}

#[test]
fn the_line_is_legal_and_starts_with_the_best_move() {
    let report = think(&wide(), 2_000, 3);
    assert_eq!(report.line[0], report.best);
    assert!(report.line.len() > 3, "{report:?}");
    let mut position = wide();
    for &m in &report.line {
        position.play(m).unwrap();
    }
}

#[test]
fn a_swap_is_rated_for_the_seat_it_leads_to() {
    let mut swaps = 0;
    for (options, seats) in variants().into_iter().flat_map(|options| [(options, 2), (options, 3)]) {
        for tokens in 2..=8 {
            let start = Pie::new(&TakeRules { tokens, most: 3, seats });
            let rng = generator(tokens.into());
            let report = ask(&mut Mcts::new(Rollout::new(rng.clone()), rng, options), &start, 3_000);
            let mover = start.to_move();
            let best = exact(&start).map(|values| values.of(mover));
            let found = exact_after(&start, report.best).map(|values| values.of(mover));
            assert!(best.is_none() || best == found, "{options:?} {start:?}: {report:?}");
            for candidate in report.candidates.iter().filter(|candidate| candidate.solved) {
                // Values are in the parent's seat order.
                let expected = exact_after(&start, candidate.m);
                assert_eq!(candidate.values, expected, "{options:?} {start:?}: {candidate:?}");
                swaps += u32::from(candidate.m.is_none());
            }
        }
    }
    assert!(swaps > 50, "only {swaps} swaps were solved");
}

#[test]
fn the_value_of_a_swap_is_in_the_parents_seat_order() {
    let start = Pie::new(&TakeRules { tokens: 60, most: 3, seats: 2 });
    // The first seat always has the advantage.
    let evaluator = |_: &Pie| Values([0.5, -0.5, 0.0, 0.0]);
    let report = ask(&mut Mcts::new(ValuesOnly(evaluator), generator(1), MctsOptions::default()), &start, 1);
    let tried = report.candidates[0];
    let sign = if tried.m.is_none() { -1.0 } else { 1.0 };
    assert_eq!(tried.values, Some(Values([0.5 * sign, -0.5 * sign, 0.0, 0.0])));
    let report =
        ask(&mut Mcts::new(ValuesOnly(evaluator), generator(1), MctsOptions::default()), &start, 200);
    assert_eq!(report.best, Some(TakeMove::One), "{report:?}");
}

#[test]
fn priors_steer_puct_and_are_reported() {
    let position = wide();
    let evaluator = |take: &Take| {
        let mut values = Values::default();
        // Favours positions in which the first seat has stopped.
        values.0[0] = if take.to_move() == Seat::FIRST { -0.5 } else { 0.5 };
        values
    };
    assert!(evaluator.clone().values(&after(&position, TakeMove::Stop)).of(position.to_move()) > 0.0);
    let prior = HeuristicPrior::new(ValuesOnly(evaluator), 3.0);
    let options = MctsOptions { selection: Selection::PUCT, ..MctsOptions::default() };
    let report = ask(&mut Mcts::new(prior, generator(1), options), &position, 5);
    assert_eq!(report.best, TakeMove::Stop);
    let priors: Vec<f32> = report.candidates.iter().map(|candidate| candidate.prior.unwrap()).collect();
    assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    assert!(
        (priors[0] / priors[1] - 3f32.exp()).abs() < 0.01,
        "one unit of value is three units of logit: {priors:?}"
    );
    let policy: f32 = report.candidates.iter().map(|candidate| candidate.policy.unwrap()).sum();
    assert!((policy - 1.0).abs() < 1e-5);
}

#[test]
fn a_temperature_samples_by_visits_and_zero_plays_the_best_move() {
    let drawn = |temperature: f32| {
        let options = MctsOptions { temperature, reuse: false, ..MctsOptions::default() };
        let mut agent = mcts(options, 9);
        let reports = (0..400).map(|_| ask(&mut agent, &wide(), 20));
        let (mut not_first, mut expected) = (0.0, 0.0);
        for report in reports {
            not_first += f32::from(u8::from(report.best != report.candidates[0].m));
            expected += report.candidates[1].share;
            assert_eq!(report.line[0], report.best);
        }
        (not_first / 400.0, expected / 400.0)
    };
    assert!(drawn(0.0).0 < f32::EPSILON);
    let (not_first, expected) = drawn(1.0);
    assert!((not_first - expected).abs() < 0.08, "{not_first} {expected}");
    assert!(drawn(0.2).0 < not_first);
}

#[test]
fn a_tree_never_exceeds_its_size_and_the_report_says_that_it_is_full() {
    for options in variants() {
        let options = MctsOptions { max_bytes: 30_000, ..options };
        let mut search = MctsSearch::new(generator(1), options);
        let mut position = wide();
        for _ in 0..5 {
            let report = run(&mut search, &position, 10_000);
            let is_forced = report.candidates.len() == 1;
            position = after(&position, report.best);
            if is_forced {
                continue;
            }
            let bytes = search.tree.bytes();
            // The last batch may exceed the size.
            assert!(bytes < options.max_bytes + 300 * options.batch, "{bytes} {options:?}");
            let is_full = report.details.contains(&("full", 1.0));
            assert_eq!(is_full, report.nodes < 10_000, "{options:?}: {:?}", report.details);
            assert!(report.nodes > 20, "a reused tree leaves room: {options:?}: {}", report.nodes);
        }
        let report = run(&mut MctsSearch::new(generator(1), options), &wide(), 10);
        assert!(report.details.iter().all(|detail| detail.0 != "full"), "{:?}", report.details);
    }
    let options = MctsOptions { threads: 2, max_bytes: 30_000, ..MctsOptions::default() };
    let report = ask(&mut mcts(options, 1), &wide(), 10_000);
    assert!(report.nodes < 10_000 && report.details.contains(&("full", 1.0)), "{:?}", report.details);
}

/// Runs a search with random playouts.
fn run(search: &mut MctsSearch<Take, Xoshiro256PlusPlus>, position: &Take, nodes: u64) -> Report<TakeMove> {
    search.begin(position, &Limits::nodes(nodes));
    let mut evaluator = OwnedEvaluator::new(Box::new(Rollout::new(generator(2))));
    evaluator.run(search, &Stop::default(), &mut |_| ())
}

#[test]
fn implicit_minimax_values_find_a_refutation_that_means_hide() {
    // After the first move the opponent has many replies, of which one refutes it; after the second, all are a little bad.
    let value = |position: &Choice| match position.played[..] {
        [0, 7] => -0.9,
        [0, _] => 0.3,
        [0] => 0.25,
        _ => -0.1,
    };
    let values = move |position: &Choice| Values([value(position), -value(position), 0.0, 0.0]);
    let best = |implicit| {
        let options = MctsOptions { selection: Selection::UCT, implicit, ..MctsOptions::default() };
        let mut agent = Mcts::new(ValuesOnly(values), generator(1), options);
        let report = ask(&mut agent, &Choice { played: Vec::new() }, 60);
        (report.best, report.candidates[0].share)
    };
    let ((plain, _), (implicit, share)) = (best(None), best(Some(0.8)));
    assert_eq!((plain, implicit), (0, 1), "{share}");
}

/// Two moves, then many replies, then an end that is far away.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Choice {
    played: Vec<u8>,
}

impl Game for Choice {
    type Config = ();
    type Move = u8;
    type Change = ();
    type Illegal = TakeFault;

    fn new((): &()) -> Self {
        Self { played: Vec::new() }
    }
    fn config(&self) {}
    fn seats(&self) -> usize {
        2
    }
    fn to_move(&self) -> Seat {
        Seat::new(self.played.len() % 2)
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.played.len() == 40).then(|| Outcome::win(2, Seat::FIRST))
    }
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if !self.is_over() {
            moves.extend(0..if self.played.is_empty() { 2 } else { 12 });
        }
    }
    fn check(&self, _: u8) -> Result<(), TakeFault> {
        if self.is_over() { Err(TakeFault::Over) } else { Ok(()) }
    }
    fn play_unchecked(&mut self, m: u8, _: &mut impl Observer<Self>) {
        self.played.push(m);
    }
    fn key(&self) -> u64 {
        self.key_from_scratch()
    }
    fn key_from_scratch(&self) -> u64 {
        self.played.iter().fold(1, |key: u64, &m| key.wrapping_mul(101).wrapping_add(u64::from(m)))
    }
}

/// Values all positions equally and prefers stopping, by odds of nine to one.
#[derive(Clone)]
struct Stopper;

impl Evaluator<Take> for Stopper {
    fn evaluate(&mut self, requests: &[Request<'_, Take>], evaluations: &mut [Evaluation<TakeMove>]) {
        for (request, evaluation) in requests.iter().zip(evaluations) {
            let logit = |m: &TakeMove| if *m == TakeMove::Stop { 9.0_f32.ln() } else { 0.0 };
            evaluation.logits.extend(request.moves.iter().map(logit));
        }
    }
}

#[test]
fn priors_that_count_as_visits_direct_uct_and_fade() {
    let share = |prior_visits: f32, simulations: u64| {
        let options = MctsOptions { selection: Selection::UCT, prior_visits, ..MctsOptions::default() };
        let report = ask(&mut Mcts::new(Stopper, generator(3), options), &wide(), simulations);
        report.candidates.iter().find(|candidate| candidate.m == TakeMove::Stop).unwrap().share
    };
    assert!((share(0.0, 200) - 0.5).abs() < 0.05, "without, all moves are equal");
    assert!(share(20.0, 40) > 0.8);
    assert!(share(20.0, 20_000) < share(20.0, 40));
}
