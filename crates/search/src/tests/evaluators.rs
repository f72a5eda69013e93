//! The answers of evaluators, alone and in batches.

use std::cell::Cell;

use game::{
    Evaluation, Evaluator, FromScratch, Game, MAX_SEATS, Request, StaticEvaluator, Values, ValuesOnly, Wants,
    toy::{Take, TakeMove, TakeRules},
};

use super::toy::{Pie, after, decisions, generator, theory, wide};
use crate::{
    AfterTurn, AlphaBetaOptions, HeuristicPrior, PolicyFrom, Rollout, SearchedValues, ShortRollout,
    UniformPolicy,
};

fn legal<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The answer of `evaluator` to a single request.
fn ask<G: Game>(evaluator: &mut impl Evaluator<G>, position: &G, wants: Wants) -> Evaluation<G::Move> {
    let mut answers = [Evaluation::default()];
    let moves = legal(position);
    evaluator.evaluate(&[Request { position, moves: &moves, wants }], &mut answers);
    let [answer] = answers;
    answer
}

fn values<G: Game>(evaluator: &mut impl Evaluator<G>, position: &G) -> Values {
    ask(evaluator, position, Wants::Values).values
}

#[test]
fn a_batch_is_answered_like_its_requests_one_by_one() {
    let positions = decisions(TakeRules { tokens: 12, most: 3, seats: 2 });
    let moves: Vec<_> = positions.iter().map(legal).collect();
    // A mix of values and policies.
    let wants = |index: usize| if index.is_multiple_of(3) { Wants::Policy } else { Wants::Values };
    let requests: Vec<_> = (positions.iter().zip(&moves).enumerate())
        .map(|(index, (position, moves))| Request { position, moves, wants: wants(index) })
        .collect();
    // Two copies of an evaluator: one gets the batch, the other its requests in order.
    let prior = || HeuristicPrior::new(ValuesOnly(theory), 3.0);
    let split = || PolicyFrom::new(prior(), ValuesOnly(theory));
    let searched = || SearchedValues::new(FromScratch(theory), AlphaBetaOptions::default(), 50);
    let pairs: [[Box<dyn Evaluator<Take>>; 2]; 8] = [
        [Box::new(split()), Box::new(split())],
        [Box::new(UniformPolicy(prior())), Box::new(UniformPolicy(prior()))],
        [Box::new(searched()), Box::new(searched())],
        [Box::new(ValuesOnly(theory)), Box::new(ValuesOnly(theory))],
        [Box::new(prior()), Box::new(prior())],
        [Box::new(AfterTurn::new(ValuesOnly(theory))), Box::new(AfterTurn::new(ValuesOnly(theory)))],
        [Box::new(Rollout::new(generator(1))), Box::new(Rollout::new(generator(1)))],
        [
            Box::new(ShortRollout::new(ValuesOnly(theory), 2, generator(1))),
            Box::new(ShortRollout::new(ValuesOnly(theory), 2, generator(1))),
        ],
    ];
    for [mut whole, mut single] in pairs {
        let mut answers = vec![Evaluation::default(); requests.len()];
        whole.evaluate(&requests, &mut answers);
        for (request, answer) in requests.iter().zip(&answers) {
            assert_eq!(ask(&mut single, request.position, request.wants), *answer, "{request:?}");
        }
    }
}

#[test]
fn a_prior_is_the_value_after_each_move() {
    let mut prior = HeuristicPrior::new(ValuesOnly(theory), 3.0);
    for position in decisions(TakeRules { tokens: 12, most: 3, seats: 2 }) {
        let answer = ask(&mut prior, &position, Wants::Values);
        assert_eq!((answer.values, answer.logits.len()), (theory(&position), 0));
        let answer = ask(&mut prior, &position, Wants::Policy);
        let mover = position.to_move();
        assert_eq!(answer.logits.len(), legal(&position).len());
        for (m, logit) in legal(&position).into_iter().zip(answer.logits) {
            let child = after(&position, m);
            let expected = child.outcome().map_or_else(|| theory(&child), |outcome| outcome.values());
            assert!((logit - 3.0 * expected.of(mover)).abs() < 1e-6, "{m:?} in {position:?}");
        }
    }
}

/// Counts the batches and the requests it gets.
#[derive(Default)]
struct Counting {
    batches: usize,
    requests: usize,
}

impl<G: Game> Evaluator<G> for &mut Counting {
    fn evaluate(&mut self, requests: &[Request<'_, G>], _: &mut [Evaluation<G::Move>]) {
        self.batches += 1;
        self.requests += requests.len();
    }
}

#[test]
fn the_children_of_a_decision_are_evaluated_in_one_batch() {
    let mut counting = Counting::default();
    ask(&mut HeuristicPrior::new(&mut counting, 1.0), &wide(), Wants::Policy);
    assert_eq!((counting.batches, counting.requests), (1, 2));
    // The rest of a turn with one of five tokens taken: two moves each time, and the end of the turn.
    let mut counting = Counting::default();
    values(&mut AfterTurn::new(&mut counting), &wide());
    assert_eq!(counting.requests, 2 * (counting.batches - 1) + 1, "{}", counting.batches);
}

#[test]
fn evaluators_give_up_soon_after_an_interruption() {
    let position = wide();
    let moves = legal(&position);
    let ask_many = |evaluator: &mut dyn Evaluator<Take>, wants, checks: usize| {
        let requests = [Request { position: &position, moves: &moves, wants }; 100];
        let mut answers = vec![Evaluation::default(); requests.len()];
        let left = Cell::new(checks);
        let is_interrupted = || {
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        };
        evaluator.evaluate_unless(&requests, &mut answers, &is_interrupted)
    };
    for (checks, answered) in [(4, false), (usize::MAX, true)] {
        let mut prior = Counting::default();
        assert_eq!(ask_many(&mut HeuristicPrior::new(&mut prior, 1.0), Wants::Policy, checks), answered);
        let mut after_turn = Counting::default();
        assert_eq!(ask_many(&mut AfterTurn::new(&mut after_turn), Wants::Values, checks), answered);
        let mut evaluated = 0;
        let mut values = ValuesOnly(|_: &Take| {
            evaluated += 1;
            Values::default()
        });
        assert_eq!(ask_many(&mut values, Wants::Values, checks), answered);
        assert_eq!(ask_many(&mut Rollout::new(generator(1)), Wants::Values, checks), answered);
        // Two evaluations for a policy or a decision of a turn, and a part of the batch otherwise.
        let counts = [prior.requests, after_turn.requests, evaluated];
        if answered {
            assert!(counts[0] == 200 && counts[1] > 200 && counts[2] == 100, "{counts:?}");
        } else {
            assert!(counts[0] <= 8 && counts[1] <= 12 && counts[2] <= 64, "{counts:?}");
        }
    }
}

#[test]
fn rollouts_end_the_game_and_are_fair() {
    let position = after(&Take::new(&TakeRules { tokens: 2, most: 2, seats: 2 }), TakeMove::One);
    // Taking the last token wins, and stopping leaves it to the other seat, so the chances are even.
    let mut evaluator = Rollout::new(generator(1));
    let wins = (0..1_000).filter(|_| values(&mut evaluator, &position).of(position.to_move()) >= 1.0).count();
    assert!((430..570).contains(&wins), "{wins}");
}

#[test]
fn a_rollout_has_its_values_in_the_seat_order_of_the_request() {
    // One token and a swap: the mover takes the token. Half of all games swap first, and then the other participant
    // wins.
    let start = Pie::new(&TakeRules { tokens: 1, most: 1, seats: 2 });
    let mut wins = [0; 2];
    let mut long = Rollout::new(generator(3));
    let mut short = ShortRollout::new(
        ValuesOnly(|_: &Pie| -> Values { panic!("the game ends before") }),
        9,
        generator(4),
    );
    for _ in 0..1_000 {
        for (wins, values) in wins.iter_mut().zip([values(&mut long, &start), values(&mut short, &start)]) {
            *wins += u32::from(values.of(start.to_move()) >= 1.0);
        }
    }
    assert!(wins.iter().all(|wins| (430..570).contains(wins)), "{wins:?}");
}

#[test]
fn a_short_rollout_calls_its_evaluator_after_the_given_number_of_decisions() {
    /// Returns the number of tokens taken as the value of every seat.
    struct Gone;
    impl StaticEvaluator<Take> for Gone {
        fn values(&mut self, position: &Take) -> Values {
            let tokens = (position.key() >> 32) as f32;
            Values([1.0 - tokens / 100.0; MAX_SEATS])
        }
    }
    let position = wide();
    let gone = |evaluator: &mut ShortRollout<ValuesOnly<Gone>, _>| values(evaluator, &position).0[0];
    let now = gone(&mut ShortRollout::new(ValuesOnly(Gone), 0, generator(1)));
    assert!((now - Gone.values(&position).0[0]).abs() < 1e-6);
    let mean = |plies| {
        let mut evaluator = ShortRollout::new(ValuesOnly(Gone), plies, generator(1));
        (0..200).map(|_| gone(&mut evaluator)).sum::<f32>() / 200.0
    };
    assert!(now < mean(2) && mean(2) < mean(8), "{now} {} {}", mean(2), mean(8));
    // So many moves that every game ends first.
    let mut evaluator =
        ShortRollout::new(ValuesOnly(|_: &Take| -> Values { panic!("the game is over") }), 500, generator(1));
    let values = values(&mut evaluator, &position);
    assert!(values.0.contains(&1.0), "{values:?}");
}

#[test]
fn values_and_policy_come_from_different_evaluators() {
    let position = wide();
    let mut prior = HeuristicPrior::new(ValuesOnly(theory), 3.0);
    let flat = |_: &Take| Values([0.25; MAX_SEATS]);
    let mut split = PolicyFrom::new(HeuristicPrior::new(ValuesOnly(theory), 3.0), ValuesOnly(flat));
    assert_eq!(values(&mut split, &position), flat(&position));
    let [expected, found] =
        [ask(&mut prior, &position, Wants::Policy), ask(&mut split, &position, Wants::Policy)];
    assert_eq!(expected.logits, found.logits);
    assert!(!found.logits.is_empty());
    // A joint policy multiplies odds; an evaluator without a policy changes nothing.
    let mut twice = PolicyFrom::joint(prior.clone(), HeuristicPrior::new(ValuesOnly(flat), 3.0));
    let mut squared = PolicyFrom::joint(prior.clone(), prior.clone());
    let mut alone = PolicyFrom::joint(prior.clone(), ValuesOnly(flat));
    assert_eq!(values(&mut twice, &position), flat(&position));
    let doubled: Vec<f32> = expected.logits.iter().map(|logit| 2.0 * logit).collect();
    assert_eq!(ask(&mut squared, &position, Wants::Policy).logits, doubled);
    assert_eq!(ask(&mut alone, &position, Wants::Policy).logits, expected.logits);
    let mut uniform = UniformPolicy(prior);
    assert!(ask(&mut uniform, &position, Wants::Policy).logits.is_empty());
    assert_eq!(values(&mut uniform, &position), theory(&position));
}

#[test]
fn searched_values_see_what_a_static_evaluator_does_not() {
    let results = |position: &Take| position.outcome().map(|outcome| outcome.values()).unwrap_or_default();
    let mut searched = SearchedValues::new(FromScratch(results), AlphaBetaOptions::default(), 100_000);
    for position in decisions(TakeRules { tokens: 9, most: 3, seats: 2 }) {
        let (mover, found) = (position.to_move(), values(&mut searched, &position));
        assert_eq!(found.of(mover) > 0.0, position.mover_wins(), "{position:?}: {found:?}");
        assert!(ask(&mut searched, &position, Wants::Policy).logits.is_empty());
    }
}
