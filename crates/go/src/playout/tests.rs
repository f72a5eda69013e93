use game::{Game, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;
use crate::{Board, Colour, Ko, Large, Move, Point, Rules, Start};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

#[test]
fn playouts_start_from_the_position_they_are_given() {
    let mut rng = rng(2);
    let mut moves = Vec::new();
    let mut position = Position::<Large>::new(&Rules::new(8));
    for _ in 0..30 {
        let playouts = Playouts::new(&position);
        let SizedBoard::Nine(playout_board) = &playouts.0 else { panic!("8×8 uses the board for 9×9") };
        assert_eq!(playout_board.board::<Large>(), *position.board());
        position.legal_moves(&mut moves);
        position.play_unchecked(moves[pick(&mut rng, moves.len() - 1)], &mut ());
    }
}

#[test]
fn a_forbidden_ko_is_forbidden_in_playouts_under_every_rule() {
    for ko in [Ko::Positional, Ko::Situational, Ko::Simple] {
        let board =
            Board::<Large>::from_drawing(". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . .").unwrap();
        let start = Start { board, to_move: Colour::White, prisoners: [0; 2] };
        let mut position = Position::set_up(&Rules { ko, ..Rules::new(5) }, &start).unwrap();
        position.play(Move::at(Point::parse("B4").unwrap())).unwrap();
        assert_eq!(position.banned_ko(), Point::parse("C4"));
    }
}

#[test]
fn playouts_on_9x9_have_the_length_and_score_that_other_programs_report() {
    let playouts = Playouts::new(&Position::<Large>::new(&Rules::new(9)));
    let mut rng = rng(4);
    let (mut area, mut moves) = (0i64, 0u64);
    for _ in 0..2000 {
        let finished = playouts.run(&mut rng);
        area += i64::from(finished.area);
        moves += u64::from(finished.moves);
    }
    // Other programs report about 111 moves, and a lead of two to three points for Black.
    assert!((105..=120).contains(&(moves / 2000)), "{moves}");
    assert!((2000..=6000).contains(&area), "{area}");
}
