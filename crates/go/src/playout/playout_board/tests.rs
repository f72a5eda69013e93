use game::Game;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;
use crate::{Ko, Move, Position, Rules};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Checks everything that the playout board maintains against the stones.
fn check_counts<const CELLS: usize>(playout_board: &PlayoutBoard<CELLS>) {
    let board = playout_board.board::<Large>();
    assert_eq!(playout_board.empties as u32, board.empty().len());
    for (index, &at) in playout_board.empty[..playout_board.empties].iter().enumerate() {
        assert_eq!(playout_board.place[at as usize] as usize, index);
        assert!(board.empty().has(playout_board.point(at as usize)));
    }
    for colour in Colour::BOTH {
        for chain in board.chains(colour) {
            let names: Vec<u16> =
                chain.iter().map(|point| playout_board.chain[playout_board.cell(point)]).collect();
            assert!(names.iter().all(|name| *name == names[0]), "one name for one chain");
            let name = names[0] as usize;
            assert_eq!(u32::from(playout_board.stones[name]), chain.len());
            let touched: u32 = chain.iter().map(|stone| board.liberties(Large::only(stone)).len()).sum();
            assert_eq!(u32::from(playout_board.liberties[name]), touched);
        }
    }
}

/// Plays a playout alongside the rules and checks that the sensible points are the legal ones that fill no own eye.
fn check_playout<const CELLS: usize>(size: usize, rng: &mut Xoshiro256PlusPlus) {
    let rules = Rules { ko: Ko::Simple, ..Rules::new(size as u8) };
    let mut position = Position::<Large>::new(&rules);
    let mut playout_board = PlayoutBoard::<CELLS>::new(size);
    for _ in 0..3 * size * size {
        check_counts(&playout_board);
        assert_eq!(playout_board.board(), *position.board());
        let mut sensible = Large::EMPTY;
        for point in position.board().empty().iter() {
            if playout_board.is_sensible(playout_board.cell(point), playout_board.to_move) {
                sensible = sensible | Large::only(point);
            }
        }
        let colour = position.turn();
        let expected = position.legal_points().without(position.board().eyes(colour));
        assert_eq!(sensible, expected, "{colour} in\n{}", position.draw());
        let chosen = playout_board.choose_any(rng);
        playout_board.play_or_pass(chosen);
        let m = chosen.map_or(Move::PASS, |at| Move::at(playout_board.point(at)));
        if m == Move::PASS {
            assert!(sensible.is_empty());
        }
        position.play_unchecked(m, &mut ());
        if position.passes() == 2 {
            assert_eq!(playout_board.final_area(), position.board().area(), "\n{}", position.draw());
        }
        // A long cycle ends a game under the simple ko rule, but not a playout.
        if position.is_over() {
            return;
        }
    }
}

#[test]
fn playouts_follow_the_rules_move_by_move() {
    let mut rng = rng(1);
    for _ in 0..60 {
        check_playout::<64>(2, &mut rng);
        check_playout::<64>(3, &mut rng);
        check_playout::<64>(5, &mut rng);
    }
    for _ in 0..6 {
        check_playout::<128>(9, &mut rng);
    }
    check_playout::<256>(13, &mut rng);
    check_playout::<512>(19, &mut rng);
}

#[test]
fn every_sensible_point_is_chosen_equally_often() {
    let board =
        Board::<Large>::from_drawing(". X . . .\nX X . . .\n. . . O O\nO O . O .\n. O . O O").unwrap();
    let mut playout_board = PlayoutBoard::<64>::from_board(&board, Colour::Black);
    let mut rng = rng(3);
    let mut counts = std::collections::BTreeMap::new();
    let (draws, mut sensible) = (20_000, 0);
    for point in board.empty().iter() {
        sensible += u32::from(playout_board.is_sensible(playout_board.cell(point), BLACK));
    }
    for _ in 0..draws {
        let at = playout_board.clone().choose_any(&mut rng).unwrap();
        *counts.entry(playout_board.point(at)).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len() as u32, sensible);
    assert!(!counts.contains_key(&Point::parse("A5").unwrap()), "an own eye");
    let expected = f64::from(draws) / f64::from(sensible);
    let squares: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    // Chi-squared with about ten degrees of freedom exceeds 30 once in a thousand runs; the seed is fixed.
    assert!(squares < 30.0, "{squares} from {counts:?}");
}
