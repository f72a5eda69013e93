//! Gumbel search: budgets, exact values, sampling and the improved policy.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use game::{
    Evaluation, Evaluator, Game, Observer, Outcome, Request, Seat, Values, ValuesOnly,
    toy::{Take, TakeFault, TakeMove, TakeRules},
};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::toy::{Pie, after, ask, decisions, exact, exact_after, generator, keeps_the_win, theory, wide};
use crate::{
    Agent, Completion, Gumbel, GumbelOptions, GumbelSearch, HeuristicPrior, Interior, Limits, Report,
    Rollout, Scale, Search, Stop, stepwise::OwnedEvaluator,
};

fn gumbel<G: Game>(options: GumbelOptions, seed: u64) -> Gumbel<G, Xoshiro256PlusPlus> {
    Gumbel::new(Rollout::new(generator(seed ^ 0xBEEF)), generator(seed), options)
}

/// Every option that affects selection, one at a time and some together.
fn variants() -> Vec<GumbelOptions> {
    let plain = GumbelOptions::default();
    vec![
        plain,
        GumbelOptions { noise: 1.0, ..plain },
        GumbelOptions { batch: 8, ..plain },
        GumbelOptions { interior: Interior::Puct { c_puct: 1.5 }, depth_limit: Some(10), ..plain },
        GumbelOptions { completion: Completion::VisitWeighted, batch: 3, ..plain },
        GumbelOptions { scale: Scale::MinMax, c_scale: 0.1, noise: 1.0, ..plain },
    ]
}

#[test]
fn every_variant_wins_what_can_be_won_whoever_moves() {
    for options in variants() {
        for most in 2..=4 {
            for position in decisions(TakeRules { tokens: 9, most, seats: 2 }) {
                if position.mover_wins() {
                    let report = ask(&mut gumbel(options, 5), &position, 3_000);
                    assert!(keeps_the_win(&position, report.best), "{options:?} {position:?}: {report:?}");
                }
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
                let report = ask(&mut gumbel(GumbelOptions::default(), 11), &position, 3_000);
                let kept = exact_after(&position, report.best).map(|values| values.of(mover));
                assert_eq!(kept, Some(1.0), "{position:?}: {report:?}");
            }
        }
    }
}

#[test]
fn values_have_the_sign_of_their_seat_at_own_and_at_opposing_nodes() {
    for options in variants() {
        for position in decisions(TakeRules { tokens: 8, most: 3, seats: 2 }) {
            let report = ask(&mut gumbel(options, 2), &position, 3_000);
            let (mover, wins) = (position.to_move(), position.mover_wins());
            let values = report.values.unwrap();
            assert_eq!(values.of(mover) > 0.0, wins, "{options:?} {position:?}: {report:?}");
            assert_eq!(values.of(Seat::new(1 - mover.index())) > 0.0, !wins, "{position:?}: {report:?}");
        }
    }
}

#[test]
fn solved_moves_are_exact_for_every_number_of_seats_and_variant() {
    for options in variants() {
        for seats in 2..=4 {
            let mut solved = 0;
            for position in decisions(TakeRules { tokens: 7, most: 3, seats }) {
                let report = ask(&mut gumbel(options, 3), &position, 1_000);
                for candidate in report.candidates.iter().filter(|candidate| candidate.solved) {
                    solved += 1;
                    let expected = exact_after(&position, candidate.m);
                    assert_eq!(candidate.values, expected, "{position:?}: {candidate:?}");
                }
            }
            assert!(solved > 10, "{options:?}, {seats} seats: only {solved} solved moves were seen");
        }
    }
}

#[test]
fn a_swap_is_rated_for_the_seat_it_leads_to() {
    for options in variants() {
        for tokens in 2..=8 {
            let start = Pie::new(&TakeRules { tokens, most: 3, seats: 2 });
            let report = ask(&mut gumbel(options, 1), &start, 3_000);
            let mover = start.to_move();
            let [best, found] = [exact(&start), exact_after(&start, report.best)];
            assert_eq!(
                best.map(|values| values.of(mover)),
                found.map(|values| values.of(mover)),
                "{report:?}"
            );
        }
    }
}

/// One seat chooses among many moves, then the other. Some moves lose at once, and none wins before that.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fan {
    moves: u16,
    lost: u16,
    played: Vec<u16>,
}

impl Game for Fan {
    type Config = (u16, u16);
    type Move = u16;
    type Change = ();
    type Illegal = TakeFault;

    fn new(&(moves, lost): &(u16, u16)) -> Self {
        Self { moves, lost, played: Vec::new() }
    }
    fn config(&self) -> (u16, u16) {
        (self.moves, self.lost)
    }
    fn seats(&self) -> usize {
        2
    }
    fn to_move(&self) -> Seat {
        Seat::new(self.played.len() % 2)
    }
    fn outcome(&self) -> Option<Outcome> {
        let first_loses = self.played.first().is_some_and(|&m| m < self.lost);
        let won = (first_loses || self.played.len() == 12).then_some(Seat::new(usize::from(first_loses)));
        won.map(|seat| Outcome::win(2, seat))
    }
    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.clear();
        if !self.is_over() {
            moves.extend(0..self.moves);
        }
    }
    fn check(&self, m: u16) -> Result<(), TakeFault> {
        if m < self.moves && !self.is_over() { Ok(()) } else { Err(TakeFault::Over) }
    }
    fn play_unchecked(&mut self, m: u16, _: &mut impl Observer<Self>) {
        self.played.push(m);
    }
    fn key(&self) -> u64 {
        self.key_from_scratch()
    }
    fn key_from_scratch(&self) -> u64 {
        self.played.iter().fold(1, |key, &m| key * 101 + u64::from(m))
    }
}

#[test]
fn the_budget_is_spent_whatever_the_moves_the_budget_and_the_options() {
    for options in variants() {
        for (moves, lost) in [(2, 0), (2, 1), (5, 0), (5, 4), (9, 3), (30, 0), (30, 29)] {
            for m in [1, 2, 3, 4, 16, 50] {
                for budget in [1, 2, 5, 15, 16, 17, 64, 200] {
                    let start = Fan::new(&(moves, lost));
                    let mut agent = gumbel(GumbelOptions { m: Some(m), ..options }, 1);
                    let report = ask(&mut agent, &start, budget);
                    let case = format!("{moves} moves, {lost} lost, m {m}, budget {budget}, {options:?}");
                    assert_eq!(report.nodes, budget, "{case}");
                    let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
                    assert_eq!(visits, budget, "{case}");
                    let visited = report.candidates.iter().filter(|candidate| candidate.visits > 0).count();
                    let possible = m.min(moves.into()).min(budget as usize);
                    assert_eq!(visited, possible, "{case}");
                    assert_eq!(report.candidates.len(), usize::from(moves), "{case}");
                    if visited > usize::from(lost) {
                        assert!(report.best >= lost, "a move that loses at once: {case}");
                    }
                }
            }
        }
    }
}

#[test]
fn halving_distributes_visits_as_scheduled() {
    // Four moves, sixteen simulations: 4 × 2, then 2 × 4 more. That many are considered by default as well.
    for options in variants() {
        for m in [Some(4), None] {
            let report = ask(&mut gumbel(GumbelOptions { m, ..options }, 3), &Fan::new(&(9, 0)), 16);
            let visits: Vec<u64> = report.candidates.iter().map(|candidate| candidate.visits).collect();
            assert_eq!(visits, [6, 6, 2, 2, 0, 0, 0, 0, 0], "{options:?}");
        }
    }
}

#[test]
fn moves_are_sampled_without_replacement_in_proportion_to_their_priors() {
    /// Gives move `m` the logit `m / 2`.
    struct Sloped;
    impl Evaluator<Fan> for Sloped {
        fn evaluate(&mut self, requests: &[Request<'_, Fan>], evaluations: &mut [Evaluation<u16>]) {
            for (request, evaluation) in requests.iter().zip(evaluations) {
                evaluation.logits.extend(request.moves.iter().map(|&m| 0.5 * f32::from(m)));
            }
        }
    }
    let draws = 6_000;
    let options = GumbelOptions { m: Some(2), noise: 1.0, ..GumbelOptions::default() };
    let mut agent = Gumbel::new(Sloped, generator(1), options);
    let priors: Vec<f64> = (0..4).map(|m| (0.5 * f64::from(m)).exp()).collect();
    let all: f64 = priors.iter().sum();
    let mut pairs = [[0u32; 4]; 4];
    for _ in 0..draws {
        let report = ask(&mut agent, &Fan::new(&(4, 0)), 2);
        let mut pair = [report.candidates[0], report.candidates[1]].map(|candidate| {
            assert_eq!(candidate.visits, 1);
            usize::from(candidate.m)
        });
        pair.sort_unstable();
        pairs[pair[0]][pair[1]] += 1;
    }
    for one in 0..4 {
        for other in one + 1..4 {
            // Either move is drawn first, and the other from the rest.
            let [p, q] = [priors[one] / all, priors[other] / all];
            let expected = p * q / (1.0 - p) + q * p / (1.0 - q);
            let found = f64::from(pairs[one][other]) / f64::from(draws);
            assert!((expected - found).abs() < 0.025, "{one} and {other}: {expected} but {found}");
        }
    }
}

#[test]
fn without_noise_the_most_promising_moves_are_tried() {
    let position = wide();
    let prior = HeuristicPrior::new(ValuesOnly(|_: &Take| Values::default()), 1.0);
    let one = ask(&mut Gumbel::new(prior, generator(1), GumbelOptions::default()), &position, 50);
    assert_eq!(one.candidates.len(), 2);
    let flat = ValuesOnly(|take: &Take| theory(take));
    let two = Take::new(&TakeRules { tokens: 21, most: 3, seats: 2 });
    let position = after(&two, TakeMove::One);
    let report = ask(&mut Gumbel::new(flat, generator(1), GumbelOptions::default()), &position, 50);
    assert!(keeps_the_win(&position, report.best), "{report:?}");
}

#[test]
fn the_policy_sums_to_one_and_favours_better_moves() {
    let two = Take::new(&TakeRules { tokens: 22, most: 3, seats: 2 });
    let position = after(&two, TakeMove::One);
    assert!(position.mover_wins());
    for options in variants() {
        let flat = ValuesOnly(|take: &Take| theory(take));
        let mut agent = Gumbel::new(flat, generator(1), options);
        assert!(agent.visit_distribution().is_empty());
        let report = ask(&mut agent, &position, 100);
        let sum =
            |part: fn(&crate::Candidate<TakeMove>) -> f32| report.candidates.iter().map(part).sum::<f32>();
        assert!((sum(|candidate| candidate.policy.unwrap()) - 1.0).abs() < 1e-5);
        assert!((sum(|candidate| candidate.prior.unwrap()) - 1.0).abs() < 1e-5);
        assert!((sum(|candidate| candidate.share) - 1.0).abs() < 1e-5);
        let better =
            report.candidates.iter().find(|candidate| keeps_the_win(&position, candidate.m)).unwrap();
        assert!(better.policy > better.prior, "{options:?}: {report:?}");
        let visited = agent.visit_distribution();
        assert!((visited.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(visited[0], (report.best, report.candidates[0].share));
        // A search of a forced move clears the results of the previous search.
        ask(&mut agent, &two, 100);
        assert!(agent.visit_distribution().is_empty());
    }
}

#[test]
fn the_depth_limit_is_respected() {
    for limit in [1, 2, 5] {
        let options = GumbelOptions { depth_limit: Some(limit), ..GumbelOptions::default() };
        let report = ask(&mut gumbel(options, 1), &wide(), 400);
        assert_eq!(report.nodes, 400);
        assert!(report.details.contains(&("depth", limit.into())), "{report:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let timeless = |report: Report<TakeMove>| Report { time: Duration::ZERO, ..report };
    for options in variants() {
        let [one, again, other] =
            [3, 3, 4].map(|seed| timeless(ask(&mut gumbel(options, seed), &wide(), 300)));
        assert_eq!(one, again, "{options:?}");
        assert_ne!(one, other, "{options:?}");
    }
}

#[test]
fn no_budget_a_stop_and_the_clock_end_the_search_with_a_legal_move() {
    let mut agent = gumbel(GumbelOptions::default(), 1);
    assert_eq!(ask(&mut agent, &wide(), 0).nodes, 0);
    let stop = Stop::default();
    stop.raise();
    assert_eq!(agent.think(&wide(), &Limits::nodes(100), &stop).nodes, 0);
    let limits = Limits::nodes(u64::MAX).within(Duration::from_millis(5));
    let report = agent.think(&wide(), &limits, &Stop::default());
    assert!(wide().is_legal(report.best));
    let stop = Stop::default();
    let report = agent.think_with_progress(&wide(), &Limits::nodes(100_000), &stop, &mut |report| {
        if report.nodes >= 256 {
            stop.raise();
        }
    });
    assert_eq!(report.nodes, 256);
}

/// Gives all moves equal logits, with the values as a network does, and remembers the sizes of batches.
struct Flat(Arc<Mutex<Vec<usize>>>);

impl Evaluator<Fan> for Flat {
    fn evaluate(&mut self, requests: &[Request<'_, Fan>], evaluations: &mut [Evaluation<u16>]) {
        self.0.lock().unwrap().push(requests.len());
        for (request, evaluation) in requests.iter().zip(evaluations) {
            evaluation.logits.resize(request.moves.len(), 0.0);
        }
    }
}

/// The report of a search, with the simulations of a round evaluated together or one by one.
fn searched<G: Game>(
    position: &G,
    evaluator: impl Evaluator<G> + Send + 'static,
    options: GumbelOptions,
    joins_rounds: bool,
) -> Report<G::Move> {
    let mut search = GumbelSearch::new(generator(7), options);
    search.policy.joins_rounds = joins_rounds;
    search.begin(position, &Limits::nodes(90));
    let report = OwnedEvaluator::new(Box::new(evaluator)).run(&mut search, &Stop::default(), &mut |_| ());
    let details = report.details.into_iter().filter(|detail| detail.0 != "batch").collect();
    Report { time: Duration::ZERO, details, ..report }
}

#[test]
fn evaluating_a_round_together_changes_nothing_but_the_batches() {
    let values = |position: &Fan| {
        let value =
            (position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / (1 << 24) as f32 - 0.5;
        Values([value, -value, 0.0, 0.0])
    };
    // Values alone, policies that are asked for separately, and playouts, which draw random numbers.
    let evaluator = |which: usize| -> Box<dyn Evaluator<Fan> + Send> {
        match which {
            0 => Box::new(ValuesOnly(values)),
            1 => Box::new(HeuristicPrior::new(ValuesOnly(values), 3.0)),
            _ => Box::new(Rollout::new(generator(5))),
        }
    };
    for (moves, lost) in [(2, 0), (3, 1), (9, 0), (12, 3), (30, 0)] {
        let position = Fan::new(&(moves, lost));
        for (noise, m) in [(0.0, 16), (1.0, 16), (1.0, 7)] {
            let options = GumbelOptions { m: Some(m), noise, ..GumbelOptions::default() };
            for which in 0..3 {
                let [one, other] =
                    [true, false].map(|joins| searched(&position, evaluator(which), options, joins));
                assert_eq!(one, other, "{moves} moves, {lost} lost, noise {noise}, m {m}");
            }
        }
    }
}

#[test]
fn the_simulations_of_a_round_make_up_a_batch() {
    let sizes = Arc::<Mutex<Vec<usize>>>::default();
    let evaluator = Flat(Arc::clone(&sizes));
    let options = GumbelOptions { m: Some(8), ..GumbelOptions::default() };
    let report = ask(&mut Gumbel::new(evaluator, generator(1), options), &Fan::new(&(20, 0)), 48);
    assert_eq!(report.nodes, 48);
    let expected = [vec![1], vec![8; 2], vec![4; 4], vec![2; 8]].concat();
    assert_eq!(*sizes.lock().unwrap(), expected);
    let mean = report.details.iter().find(|detail| detail.0 == "batch").map(|detail| detail.1);
    assert_eq!(mean, Some(48.0 / 14.0), "{report:?}");
}
