//! Dead stones and seki on drawn boards, estimated by careful playouts.

use game::{Game, pick};
use go::{Board, Colour, Large, Points, Position, Rules, Start, Verdict};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

/// Checks an estimate against a drawing that marks dead stones as `d` (black) and `D` (white), and seki as `s` and `S`.
fn check(drawing: &str) {
    let stones = drawing.replace(['d', 's'], "X").replace(['D', 'S'], "O");
    let board = Board::<Large>::from_drawing(&stones).unwrap();
    let marked = |marks: [char; 2]| {
        let mut found = Large::EMPTY;
        for (row, line) in drawing.lines().filter(|line| !line.trim().is_empty()).enumerate() {
            for (column, mark) in line.split_whitespace().enumerate() {
                if mark.chars().all(|mark| marks.contains(&mark)) {
                    found = found | Large::only(go::Point::new(column, board.size() - 1 - row));
                }
            }
        }
        found
    };
    let expected = Verdict { dead: marked(['d', 'D']), seki: marked(['s', 'S']) };
    for to_move in Colour::BOTH {
        let start = Start { board, to_move, prisoners: [0; 2] };
        let position = Position::set_up(&Rules::japanese(board.size() as u8), &start).unwrap();
        for seed in 0..5 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let verdict = Verdict::estimate(&position, &mut rng, 200);
            assert_eq!(verdict, expected, "seed {seed} in {drawing}");
        }
    }
}

#[test]
fn a_stone_inside_a_living_group_is_dead() {
    check(
        "
        . X . X D .
        X X X X . .
        . . . . X X
        X X X X X O
        O O O O O O
        . O . O . O",
    );
}

#[test]
fn a_group_with_one_eye_is_dead() {
    check(
        "
        . D X . . X .
        D D X . X X X
        D X X X X O O
        X X . X O O .
        X X X O O . O
        O O O O . O O
        . O . O O O .",
    );
}

#[test]
fn a_false_eye_is_not_an_eye() {
    // The upper right corner is an eye, but D7 is not: E6 is Black's.
    check(
        "
        X X X . D D .
        . X D D D X D
        X X X X X X X
        . . . . . . .
        O O O O O O O
        . O . O . . .
        O O O O . . .",
    );
}

#[test]
fn three_points_with_the_attacker_inside_are_one_eye() {
    check(
        "
        D . X . D X .
        D D D D D X X
        X X X X X X .
        . . . . . X X
        O O O O O O O
        . O . O . O .
        O O O O O O O",
    );
}

#[test]
fn groups_that_share_two_liberties_without_eyes_are_in_seki() {
    check(
        "
        O s . S X . X
        O s . S X X X
        O s s S X . X
        O O O X X X X
        . O O O O O O
        O O . O . O O
        . O O O O . O",
    );
}

#[test]
fn groups_with_an_eye_each_and_a_shared_liberty_are_in_seki() {
    check(
        "
        . s . S . S X
        s s s S S S X
        O O O X X X X
        . O O X . X .
        O O O X X X X
        . O O O O O O
        O . O . O . O",
    );
}

#[test]
fn three_stones_that_would_leave_four_in_a_row_are_in_seki_with_those_around_them() {
    check(
        "
        s . S S S . s
        s s s s s s s
        O O O O O O O
        . O . O . O .
        O O O O O O O
        . . . . . . .
        . . . . . . .",
    );
}

#[test]
fn two_liberties_next_to_an_eye_are_not_a_seki() {
    check(
        "
        . X . . D X .
        X X X D D X X
        O O O X X X .
        . O O O O X X
        O O O O O O O
        . O . O . O .
        O O O O O O O",
    );
}

#[test]
fn a_whole_game_on_19x19_is_judged() {
    let mut position = Position::<Large>::new(&Rules::new(19));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut moves = Vec::new();
    for _ in 0..200 {
        position.legal_moves(&mut moves);
        position.play_unchecked(moves[pick(&mut rng, moves.len() - 1)], &mut ());
    }
    let verdict = Verdict::estimate(&position, &mut rng, 20);
    let stones = position.board().stones(Colour::Black) | position.board().stones(Colour::White);
    assert!(verdict.dead.without(stones).is_empty() && verdict.seki.without(stones).is_empty());
    assert!((verdict.dead & verdict.seki).is_empty());
    // No chain is judged in part.
    for colour in Colour::BOTH {
        for chain in position.board().chains(colour) {
            for judged in [verdict.dead, verdict.seki] {
                assert!((chain & judged).is_empty() || chain.without(judged).is_empty());
            }
        }
    }
}

#[test]
fn a_bent_four_in_the_corner_is_dead() {
    check(
        "
        . O . O . O .
        O O O O O O O
        O O O O O O O
        d d O O O O O
        . d O O O O O
        . d d d O O O
        O O O d O . O",
    );
}

#[test]
fn four_points_in_a_row_live_although_random_play_often_kills_them() {
    check(
        "
        . . . . X O .
        X X X X X O O
        O O O O O O .
        . O . O . O O
        O O O O O O .
        O . O O . O O
        O O O O O O .",
    );
}

#[test]
fn a_large_group_lives_if_it_can_answer_every_attack() {
    // Fifteen stones with five points in a row: no attack prevents the second eye.
    check(
        "
        . . . . . X O .
        X X X X X X O O
        O O O O X X O .
        . O . O X X O O
        O O O O X X O O
        O O . O X X O .
        . O O O O O O O
        O . O O . O . O",
    );
}
