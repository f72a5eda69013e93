use std::sync::Arc;

use ::go::{Colour, Komi, Move, Point, Position, Rules, Small};
use game::{Evaluation, Evaluator, Game, Request, Seat, StaticEvaluator, Wants};
use nn::{ModelFile, PlanePreset};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;

fn nets(stages: usize) -> OmegaNets {
    OmegaNets::random(PlanePreset::Seed, PlanePreset::Seed, stages, &mut Xoshiro256PlusPlus::seed_from_u64(1))
}

fn played(komi: i16, moves: &[&str]) -> Position<Small> {
    let rules = Rules { komi: Komi::from_half_points(komi), ..Rules::new(5) };
    let mut position = Position::new(&rules);
    for name in moves {
        let m = if *name == "pass" { Move::PASS } else { Move::at(Point::parse(name).unwrap()) };
        position.play(m).unwrap();
    }
    position
}

fn planes(position: &Position<Small>) -> Vec<f32> {
    let mut planes = Vec::new();
    omega_planes(position, sensible(position), &mut planes);
    planes
}

#[test]
fn the_planes_are_those_of_the_table() {
    let position = played(5, &["A1", "B1", "C3"]);
    assert_eq!(position.turn(), Colour::White);
    let planes = planes(&position);
    let at = |name: &str| {
        let point = Point::parse(name).unwrap();
        &planes[(point.row() * 5 + point.column()) * OMEGA_PLANES..][..OMEGA_PLANES]
    };
    // White's komi of 2.5 is an advantage to the mover.
    assert_eq!(at("B1"), vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.1]);
    assert_eq!(at("A1"), vec![0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.1]);
    assert_eq!(at("C3"), vec![0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.1]);
    assert_eq!(at("D4"), vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.1]);
}

#[test]
fn colours_exchanged_with_komi_are_the_same_to_the_networks() {
    let (black, white) =
        (played(7, &["B2", "C3", "D2", "pass"]), played(-7, &["pass", "B2", "C3", "D2", "pass"]));
    assert_eq!([black.turn(), white.turn()], [Colour::Black, Colour::White]);
    assert_eq!(planes(&black), planes(&white));
    let mut evaluator = OmegaEvaluator::new(Arc::new(OmegaKernels::new(&nets(1), 5)), 1);
    let values = [&black, &white].map(|position| StaticEvaluator::values(&mut evaluator, position));
    // The value belongs to the seat to move, and answers are absolute.
    assert_eq!(values[0].of(Seat::new(0)).to_bits(), values[1].of(Seat::new(1)).to_bits());
    assert_eq!(values[0].of(Seat::new(0)).to_bits(), (-values[0].of(Seat::new(1))).to_bits());
    assert!(values[0].of(Seat::new(0)).abs() > 1e-6);
}

#[test]
fn every_legal_move_has_a_logit_and_eye_filling_the_least() {
    let position = played(0, &["A2", "E5", "B2", "D5", "B1", "C5"]);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut evaluator = OmegaEvaluator::new(Arc::new(OmegaKernels::new(&nets(1), 5)), 1);
    let mut answers = [Evaluation::default(), Evaluation::default()];
    let request = |wants| Request { position: &position, moves: &moves, wants };
    evaluator.evaluate(&[request(Wants::Policy), request(Wants::Values)], &mut answers);
    assert_eq!(answers[0].logits.len(), moves.len());
    assert!(answers[1].logits.is_empty() && answers[1].values.of(Seat::new(0)) != 0.0);
    let eye = moves.iter().position(|m| *m == Move::at(Point::parse("A1").unwrap())).unwrap();
    let least = answers[0].logits.iter().copied().fold(f32::INFINITY, f32::min);
    assert_eq!(answers[0].logits[eye].to_bits(), least.to_bits());
}

#[test]
fn stages_have_their_networks_in_any_order_of_positions() {
    let nets = nets(3);
    let positions = [
        played(0, &[]),
        played(0, &["A2", "E5", "B2", "D5", "B1", "C5", "C2", "E4", "D2"]),
        played(0, &["A1"]),
    ];
    let read = |nets: &OmegaNets, some: &[&Position<Small>]| {
        let mut reader = OmegaReader::new(Arc::new(OmegaKernels::new(nets, 5)));
        reader.values(some.iter().map(|position| (*position, sensible(position)))).to_vec()
    };
    let all = read(&nets, &positions.iter().collect::<Vec<_>>());
    for (index, stage) in [0, 1, 0].into_iter().enumerate() {
        let alone = OmegaNets { values: vec![nets.values[stage].clone()], policy: nets.policy.clone() };
        assert_eq!(read(&alone, &[&positions[index]]), vec![all[index]]);
    }
}

#[test]
fn files_read_back_and_others_are_refused() {
    let nets = nets(2);
    let file = nets.to_file([("by".to_owned(), "test".to_owned())].into());
    assert_eq!(OmegaNets::from_bytes(&file.to_bytes()).unwrap(), nets);
    let with = |change: fn(&mut ModelFile)| {
        let mut file = file.clone();
        change(&mut file);
        OmegaNets::from_file(&file).unwrap_err().to_string()
    };
    assert!(with(|file| file.header.kind = "pv".to_owned()).contains("pv"));
    assert!(with(|file| file.header.encoder = "go-pv1".to_owned()).contains("go-pv1"));
    assert!(
        with(|file| drop(file.header.shape.insert("stages".to_owned(), "3".to_owned()))).contains("planes")
    );
}

#[test]
fn unconditional_life_decides_games_and_nothing_else_does() {
    let board = |drawing: &str, komi: i16| {
        let start = ::go::Start {
            board: ::go::Board::<Small>::from_drawing(drawing).unwrap(),
            to_move: Colour::White,
            prisoners: [0; 2],
        };
        let rules = Rules { komi: Komi::from_half_points(komi), ..Rules::new(5) };
        Position::set_up(&rules, &start).unwrap()
    };
    let alive = "
        . X . X X
        X X X X .
        X X X X X
        O O . . .
        . . . . .";
    assert_eq!(decided(&board(alive, 1)), Some(1.0));
    assert_eq!(decided(&board(alive, 11)), None, "fifteen points are certain, not eighteen");
    let open = "
        X X X X X
        X X X X X
        X X X X .
        O O . . .
        . . . . .";
    assert_eq!(decided(&board(open, 1)), None);
    // An evaluator of networks that know nothing says so, for the colour to move.
    let mut evaluator = OmegaEvaluator::new(Arc::new(OmegaKernels::new(&nets(1), 5)), 1);
    let values = StaticEvaluator::values(&mut evaluator, &board(alive, 1));
    assert!(values.of(Seat::new(0)) > 0.99 && values.of(Seat::new(1)) < -0.99, "{values:?}");
    let territory = Rules { scoring: ::go::Scoring::Territory, ..Rules::new(5) };
    let start = board(alive, 1).start();
    assert_eq!(decided(&Position::set_up(&territory, &start).unwrap()), None, "points count otherwise");
}
