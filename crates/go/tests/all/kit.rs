//! The checks of `game::testkit`.

use game::{Game, testkit};
use go::{Ko, Large, Medium, Move, Point, Points, Position, Rules, Small, Start};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn rule_sets(size: u8) -> [Rules; 4] {
    let situational = Rules { ko: Ko::Situational, suicide: true, ..Rules::new(size) };
    [Rules::new(size), Rules::tromp_taylor(size), Rules::japanese(size), situational]
}

#[test]
fn random_games_keep_the_contract() {
    let mut rng = rng(1);
    for rules in rule_sets(2).into_iter().chain(rule_sets(3)).chain(rule_sets(5)) {
        testkit::check_games::<Position<Small>>(&rules, 20, 2000, &mut rng);
    }
    for rules in rule_sets(9) {
        testkit::check_games::<Position<Medium>>(&rules, 2, 3000, &mut rng);
    }
    testkit::check_games::<Position<Large>>(&Rules { handicap: 9, ..Rules::new(13) }, 1, 5000, &mut rng);
}

fn everywhere(size: usize) -> impl Iterator<Item = Move> {
    let points = (0..=size).flat_map(move |x| (0..=size).map(move |y| Move::at(Point::new(x, y))));
    points.chain([Move::PASS])
}

fn check_texts<P: Points>(rules: Rules, seed: u64) {
    let mut rng = rng(seed);
    let start = Position::<P>::new(&rules);
    let mut other = rng.clone();
    testkit::check_game(start, 5000, &mut rng, |position| {
        testkit::check_notation(position);
        testkit::check_setup(position);
        testkit::check_symmetry(position, &mut other);
        testkit::check_refusals(position, everywhere(rules.size.into()));
    });
}

#[test]
fn texts_symmetries_and_refusals_hold_in_every_position_of_random_games() {
    for (seed, rules) in rule_sets(3).into_iter().chain(rule_sets(4)).enumerate() {
        check_texts::<Small>(rules, seed as u64);
        check_texts::<Large>(rules, seed as u64 + 100);
    }
    check_texts::<Medium>(Rules { handicap: 3, ..Rules::new(7) }, 200);
}

#[test]
fn a_set_up_position_keeps_the_contract_too() {
    let drawing = "
        . X O . .
        X X O O .
        . X X O O
        X . X X O
        . X . X .";
    let board = go::Board::<Small>::from_drawing(drawing).unwrap();
    let start = Start { board, to_move: go::Colour::White, prisoners: [3, 1] };
    let position = Position::set_up(&Rules::japanese(5), &start).unwrap();
    testkit::check_setup(&position);
    let mut other = rng(7);
    testkit::check_game(position, 2000, &mut rng(6), |position| {
        testkit::check_position(position);
        testkit::check_setup(position);
        testkit::check_symmetry(position, &mut other);
    });
}

#[test]
fn the_kinds_of_sets_play_the_same_game() {
    let rules = Rules::tromp_taylor(6);
    let (mut small, mut medium, mut large) =
        (Position::<Small>::new(&rules), Position::<Medium>::new(&rules), Position::<Large>::new(&rules));
    let mut moves = (Vec::new(), Vec::new(), Vec::new());
    let mut rng = rng(3);
    while !small.is_over() {
        small.legal_moves(&mut moves.0);
        medium.legal_moves(&mut moves.1);
        large.legal_moves(&mut moves.2);
        assert_eq!((&moves.0, &moves.0), (&moves.1, &moves.2));
        assert_eq!((small.key(), small.key()), (medium.key(), large.key()));
        let m = moves.0[game::pick(&mut rng, moves.0.len())];
        small.play_unchecked(m, &mut ());
        medium.play_unchecked(m, &mut ());
        large.play_unchecked(m, &mut ());
    }
}
