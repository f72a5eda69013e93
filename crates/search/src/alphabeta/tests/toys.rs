//! Alpha-beta on toy games with known values.

use game::{
    Game, Seat,
    toy::{Take, TakeMove, TakeRules},
};

use super::*;
use crate::tests::toy::{Pie, after, decisions, exact as solution, theory};

#[test]
fn two_seats_are_solved_exactly_under_every_rule() {
    for (most, rule) in [(2, Rule::Paranoid), (3, Rule::MaxN), (4, Rule::Brs)] {
        for position in decisions(TakeRules { tokens: 12, most, seats: 2 }) {
            let report = think(&position, blind::<Take>, exact(rule, None));
            let (mover, other) = (position.to_move(), Seat::new(1 - position.to_move().index()));
            let sign = if position.mover_wins() { 1.0 } else { -1.0 };
            let values = report.values.unwrap();
            assert_eq!((values.of(mover), values.of(other)), (sign, -sign), "{position:?}: {report:?}");
            assert!(report.candidates[0].solved, "{report:?}");
            assert_eq!(report.engine, "alpha-beta", "with two seats all rules are equivalent");
            if sign > 0.0 {
                let child = after(&position, report.best);
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
fn max_n_finds_the_exact_values_of_three_and_four_seats() {
    let mut known = 0;
    for seats in 3..=4 {
        for position in decisions(TakeRules { tokens: 9, most: 3, seats }) {
            if let Some(values) = solution(&position) {
                known += 1;
                let report = think(&position, blind::<Take>, exact(Rule::MaxN, None));
                let found = report.values.unwrap();
                assert_eq!(found.0[..seats as usize], values.0[..seats as usize], "{position:?}: {report:?}");
            }
        }
    }
    assert!(known > 20, "only {known} positions have a unique value");
}

#[test]
fn every_rule_agrees_with_the_reference_search_on_every_decision_of_the_toy() {
    // An evaluation that is wrong, not zero-sum, and different for every seat.
    let opinion = |position: &Take| {
        position.outcome().map_or_else(
            || {
                let key = position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15);
                Values([16, 24, 32, 40].map(|shift| (key >> shift & 0xff) as f32 / 150.0 - 0.85))
            },
            |outcome| outcome.values(),
        )
    };
    for (seats, rule) in (2..=4).flat_map(|seats| RULES.map(|rule| (seats, rule))) {
        for position in decisions(TakeRules { tokens: 9, most: 3, seats }) {
            for depth in 1..=4 {
                assert!(compare(&position, &opinion, rule, depth, u64::MAX, &VARIANTS));
            }
            assert!(compare(&position, &blind::<Take>, rule, 9, u64::MAX, &VARIANTS));
        }
    }
}

#[test]
fn wins_come_soon_and_losses_late() {
    for (tokens, most) in [(11, 2), (12, 3), (9, 2), (13, 4)] {
        for position in decisions(TakeRules { tokens, most, seats: 2 }) {
            let report = think(&position, blind::<Take>, exact(Rule::Paranoid, None));
            let turns = detail(&report, "turns_to_end").unwrap();
            // No shallower search finds the end, so the distance is exact.
            let depth = (turns as u32).max(1);
            let shallow = think(&position, blind::<Take>, exact(Rule::Paranoid, Some(depth)));
            let seen = detail(&shallow, "turns_to_end").is_some();
            assert_eq!(seen, turns == 0.0, "{position:?}: {turns} turns, {shallow:?}");
        }
    }
}

#[test]
fn a_swap_is_rated_for_the_seat_it_leads_to() {
    for tokens in 2..=13 {
        let start = Pie::new(&TakeRules { tokens, most: 3, seats: 2 });
        let evaluator =
            |pie: &Pie| pie.take.outcome().map_or_else(|| theory(&pie.take), |outcome| outcome.values());
        let report = think(&start, evaluator, exact(Rule::Paranoid, Some(1)));
        assert_eq!(report.best.is_none(), !start.take.mover_wins(), "{tokens}: {report:?}");
        assert!(report.values.unwrap().of(start.to_move()) > 0.0, "{tokens}: {report:?}");
        for depth in 1..=4 {
            // Seats can be swapped back and forth in this toy, and the table would then return a deeper search of the
            // same pile.
            assert!(compare(
                &start,
                &evaluator,
                Rule::Paranoid,
                depth,
                u64::MAX,
                &[VARIANTS[1], VARIANTS[4]]
            ));
        }
    }
}

#[test]
fn a_single_legal_move_costs_nothing() {
    let start = Take::new(&TakeRules { tokens: 9, most: 3, seats: 3 });
    let never = |_: &Take| -> Values { panic!("nothing to evaluate") };
    let report = think(&start, never, exact(Rule::Brs, None));
    assert_eq!((report.best, report.nodes, report.values), (TakeMove::One, 0, None));
    assert_eq!(report.engine, "brs");
}

#[test]
fn solved_moves_are_exact_even_with_late_move_reductions() {
    for (seats, rule) in (2..=4).flat_map(|seats| RULES.map(|rule| (seats, rule))) {
        let mut solved = 0;
        for position in decisions(TakeRules { tokens: 10, most: 4, seats }) {
            let options = AlphaBetaOptions { megabytes: 1, rule, ..AlphaBetaOptions::default() };
            let report = think(&position, blind::<Take>, options);
            let mover = position.to_move();
            let mut reference = Reference { evaluator: blind::<Take>, rule: Rule::Paranoid, most: u64::MAX };
            let worst = reference.scores(&position, 20).unwrap();
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for candidate in report.candidates.iter().filter(|candidate| candidate.solved) {
                solved += 1;
                // A proven result holds against a coalition of all opponents.
                let index = moves.iter().position(|&m| m == candidate.m).unwrap();
                let wins = candidate.values.unwrap().of(mover) > 0.0;
                assert_eq!(wins, worst[index] > 0, "{rule:?}: {position:?}: {candidate:?}");
            }
        }
        assert!(solved > 5, "{rule:?}, {seats} seats: only {solved} solved moves were seen");
    }
}

#[test]
fn a_policy_that_knows_the_best_move_saves_nodes() {
    /// Gives the move that keeps the win a high logit.
    struct Knowing;
    impl Evaluator<Take> for Knowing {
        fn evaluate(&mut self, requests: &[Request<'_, Take>], evaluations: &mut [Evaluation<TakeMove>]) {
            for (request, evaluation) in requests.iter().zip(evaluations) {
                let keeps = |&m: &TakeMove| crate::tests::toy::keeps_the_win(request.position, m);
                let logit = |m| if keeps(m) { 5.0 } else { -5.0 };
                evaluation.logits.extend(request.moves.iter().map(logit));
            }
        }
    }
    let position = Take::new(&TakeRules { tokens: 23, most: 4, seats: 2 });
    // Wrong about every pile.
    let misled = |position: &Take| {
        let values = theory(position);
        position.outcome().map_or(Values(values.0.map(|value| -value)), |outcome| outcome.values())
    };
    let nodes = |agent: AlphaBeta<Take>| {
        let mut agent = agent;
        agent.think(&position, &Limits::nodes(u64::MAX), &Stop::default()).nodes
    };
    let agent = || AlphaBeta::new(FromScratch(misled), exact(Rule::Paranoid, Some(6)));
    let (plain, ordered) = (nodes(agent()), nodes(agent().with_policy(Knowing, 1)));
    assert!(ordered < plain, "{ordered} with the policy, {plain} without");
}
