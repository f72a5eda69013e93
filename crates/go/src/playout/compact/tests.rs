use game::Game;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;
use crate::{Ko, Move, Position, Rules, Start};

fn point(at: usize) -> Point {
    Point::new(at % 8, at / 8)
}

/// Plays a playout alongside the rules and checks that the sensible points are the legal ones that fill no own eye.
fn check_playout(size: usize, rng: &mut Xoshiro256PlusPlus) {
    let rules = Rules { ko: Ko::Simple, ..Rules::new(size as u8) };
    let mut position = Position::<Small>::new(&rules);
    let mut compact = Compact::from_board(position.board(), Colour::Black);
    for _ in 0..3 * size * size {
        assert_eq!(compact.board::<Small>(), *position.board());
        assert_eq!(compact.empties as u32, position.board().empty().len());
        let mut sensible = Small::EMPTY;
        for (index, &at) in compact.list[..compact.empties].iter().enumerate() {
            assert_eq!(compact.place[at as usize] as usize, index);
            assert!(position.board().empty().has(point(at.into())));
            if compact.is_sensible(at.into()) {
                sensible = sensible | Small::only(point(at.into()));
            }
        }
        let colour = position.turn();
        let expected = position.legal_points().without(position.board().eyes(colour));
        assert_eq!(sensible, expected, "{colour} in\n{}", position.draw());
        let chosen = compact.choose(rng);
        compact.play_or_pass(chosen);
        let m = chosen.map_or(Move::PASS, |at| Move::at(point(at)));
        position.play_unchecked(m, &mut ());
        if m == Move::PASS {
            assert!(sensible.is_empty());
            if compact.passes == 2 {
                assert_eq!(compact.final_area(), position.board().area(), "\n{}", position.draw());
                return;
            }
            // A playout may complete a cycle that contains a pass, so the position drops its history.
            let start = Start { board: *position.board(), to_move: position.turn(), prisoners: [0; 2] };
            position = Position::set_up(&rules, &start).unwrap();
        }
        // A long cycle ends a game under the simple ko rule, but not a playout.
        if position.is_over() {
            return;
        }
    }
}

#[test]
fn playouts_follow_the_rules_move_by_move() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for size in 2..=Compact::LARGEST {
        for _ in 0..200 {
            check_playout(size, &mut rng);
        }
    }
}

#[test]
fn every_sensible_point_is_chosen_equally_often() {
    let board =
        Board::<Small>::from_drawing(". X . . .\nX X . . .\n. . . O O\nO O . O .\n. O . O O").unwrap();
    let compact = Compact::from_board(&board, Colour::Black);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut counts = std::collections::BTreeMap::new();
    let draws = 20_000;
    let sensible = board.empty().iter().filter(|&at| compact.is_sensible(bit(at).trailing_zeros() as usize));
    let sensible = sensible.count() as u32;
    for _ in 0..draws {
        let at = compact.clone().choose(&mut rng).unwrap();
        *counts.entry(point(at)).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len() as u32, sensible);
    assert!(!counts.contains_key(&Point::parse("A5").unwrap()), "an own eye");
    let expected = f64::from(draws) / f64::from(sensible);
    let squares: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    // Chi-squared with about ten degrees of freedom exceeds 30 once in a thousand runs; the seed is fixed.
    assert!(squares < 30.0, "{squares} from {counts:?}");
}
