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

fn board_of(drawing: &str, to_move: Colour) -> PlayoutBoard<128> {
    PlayoutBoard::from_board(&Board::<Large>::from_drawing(drawing).unwrap(), to_move)
}

fn named<const CELLS: usize>(board: &PlayoutBoard<CELLS>, at: Option<usize>) -> Option<String> {
    at.map(|at| board.point(at).to_string())
}

#[test]
fn eye_spaces_have_the_vital_points_that_the_textbooks_name() {
    for (drawing, vital) in [
        // Three in a row, bent three, pyramid four, bulky five, crossed five, rabbity six.
        (". . . X .\nX X X X .\n. . . . .\n. . . . .\n. . . . .", Some("B5")),
        (". . X . .\n. X X . .\nX X . . .\n. . . . .\n. . . . .", Some("A5")),
        (". . . X .\nX . X X .\nX X X . .\n. . . . .\n. . . . .", Some("B5")),
        (". . . X .\n. . X X .\nX X X . .\n. . . . .\n. . . . .", Some("B5")),
        ("X X . X X\nX . . . X\nX X . X X\n. X X X .\n. . . . .", Some("C4")),
        ("X X . X X\nX . . . X\nX . . X X\nX X X X .\n. . . . .", Some("C4")),
        // Four in a row and the square have none, and neither has a space that both colours surround.
        (". . . . X\nX X X X X\n. . . . .\n. . . . .\n. . . . .", None),
        (". . X . .\n. . X . .\nX X X . .\n. . . . .\n. . . . .", None),
        (". . . X .\nX O X X .\n. X . . .\n. . . . .\n. . . . .", None),
    ] {
        let board = board_of(drawing, Colour::Black);
        let top = if drawing.starts_with('X') { "C5" } else { "A5" };
        let found = board.vital_point_around(board.cell(Point::parse(top).unwrap()));
        assert_eq!(named(&board, found).as_deref(), vital, "{drawing}");
    }
}

/// The moves about chains with two liberties after a stone on `last`.
fn race(board: &mut PlayoutBoard<128>, last: &str) -> Vec<String> {
    let last = board.cell(Point::parse(last).unwrap());
    let found = board.race(board.weak_chain(last), &board.weak_chains_beside(last));
    found.points().iter().map(|&at| board.point(at).to_string()).collect()
}

#[test]
fn a_chain_with_two_liberties_is_caught_where_it_cannot_extend() {
    // White has just played C1. At D1 Black drives it against the edge; at B1 it would escape to the right.
    let mut board = board_of(". . . . .\n. . . . .\n. . . . .\nX X X . .\n. . O . .", Colour::Black);
    assert_eq!(race(&mut board, "C1"), ["D1"]);
}

#[test]
fn an_own_chain_that_would_be_caught_is_extended() {
    // White has just played C2 and threatens D1.
    let mut board = board_of(". . . . .\n. . . . .\n. . . . .\n. O O . .\n. . X . .", Colour::Black);
    assert_eq!(race(&mut board, "C2"), ["D1"]);
}

#[test]
fn priors_prefer_captures_and_rescues_to_eyes_and_self_atari() {
    let odds = |drawing: &str, name: &str| {
        let board = Board::<Large>::from_drawing(drawing).unwrap();
        let start = Start { board, to_move: Colour::Black, prisoners: [0; 2] };
        let position = Position::set_up(&Rules::new(board.size() as u8), &start).unwrap();
        let mut logits = Vec::new();
        move_priors(&position, &[Move::at(Point::parse(name).unwrap())], &mut logits);
        assert_eq!(logits.len(), 1);
        logits[0]
    };
    let capture = ". . . . .\n. . . . .\n. X . . .\nX O . . .\n. X . . .";
    assert!(odds(capture, "C2") > 1.0);
    assert!(odds(capture, "C2") > odds(capture, "D4"));
    let eye = ". X . . .\nX X . . .\n. . . . .\n. . . O .\n. . . . .";
    assert!(odds(eye, "A5") < -1.0);
    let rescue = ". . . . .\n. . . . .\n. O . . .\nO X . . .\n. O . . .";
    assert!(odds(rescue, "C2") > 1.0);
    // At the edge the ladder works, so that extending is hopeless.
    let ladder = ". . . . .\n. . . . .\n. . . . .\n. . . O .\n. . O X .";
    assert!(odds(ladder, "E1") < 0.0);
}
