//! Alpha-beta in RingRift, whose turns consist of many decisions, against reference searches.

use eval::{Heuristic, Persona};
use game::{Game, pick};
use ringrift::{Geometry, Hex8, Hexagonal, Position, Rules, Square8, Square19};

use super::*;
use crate::tests::toy::generator;

/// Decisions from random games with few rings.
fn samples<B: Geometry>(seats: u8, rings: u16, count: usize, seed: u64) -> Vec<Position<B>> {
    let mut rng = generator(seed);
    let (mut samples, mut moves) = (Vec::new(), Vec::new());
    while samples.len() < count {
        let mut position = Position::<B>::new(&Rules { rings: Some(rings), ..Rules::new(seats) });
        for _ in 0..20 + pick(&mut rng, 80) {
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
        }
        position.legal_moves(&mut moves);
        if moves.len() > 1 {
            samples.push(position);
        }
    }
    samples
}

fn agree<B: Geometry>(seats: u8, rules: &[Rule], least: usize) {
    let evaluator = Heuristic::<B>::new(Persona::Balanced);
    for &rule in rules {
        let mut compared = 0;
        for position in &samples::<B>(seats, 2 + u16::from(seats % 2), 30, seats.into()) {
            for depth in 1..=3 {
                compared += usize::from(compare(position, &evaluator, rule, depth, 3_000, &VARIANTS));
            }
        }
        assert!(compared >= least, "{rule:?} with {seats} seats: only {compared} searches were compared");
    }
}

#[test]
fn two_seats_agree_with_reference_minimax() {
    agree::<Square8>(2, &[Rule::Paranoid], 40);
    agree::<Hex8>(2, &[Rule::Paranoid], 40);
}

#[test]
fn three_seats_agree_with_the_reference_search() {
    agree::<Square8>(3, &RULES, 20);
    agree::<Hex8>(3, &RULES, 20);
}

#[test]
fn four_seats_agree_with_the_reference_search() {
    agree::<Square8>(4, &RULES, 20);
}

/// Plays a game with one agent per seat that reuses its table, and checks every report.
fn play<B: Geometry>(seats: u8, rule: Rule, rings: u16, nodes: u64, longest: u32) {
    let rules = Rules { rings: Some(rings), swap: seats == 2, ..Rules::new(seats) };
    let mut position = Position::<B>::new(&rules);
    let evaluator = Heuristic::<B>::new(Persona::Balanced);
    let options = AlphaBetaOptions { rule, megabytes: 1, ..AlphaBetaOptions::default() };
    let mut agent = AlphaBeta::new(FromScratch(evaluator), options);
    let mut moves = Vec::new();
    for _ in 0..longest {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return;
        }
        let report = agent.think(&position, &Limits::nodes(nodes), &Stop::default());
        assert!(report.nodes <= nodes);
        check_report(&position, &report, &moves);
        position.play(report.best).unwrap();
    }
}

#[test]
fn games_of_every_rule_and_number_of_seats_are_played_soundly() {
    for (seats, rule) in (2..=4).flat_map(|seats| RULES.map(|rule| (seats, rule))) {
        play::<Square8>(seats, rule, 3, 700, 400);
        play::<Hex8>(seats, rule, 3, 700, 60);
    }
}

#[test]
fn positions_with_more_than_a_thousand_moves_are_searched() {
    for (seats, rule) in [(2, Rule::Paranoid), (3, Rule::MaxN), (4, Rule::Brs)] {
        play::<Hexagonal>(seats, rule, 96, 2_500, 6);
        play::<Square19>(seats, rule, 72, 2_500, 6);
    }
}
