//! Counts of positions and move sequences, compared with published numbers and with the oracle.

use game::{Game, perft, perft_split};
use go::{Board, Colour, Ko, Point, Points, Position, Rules, Small};

use crate::oracle::Oracle;

/// The number of boards in which every chain has a liberty.
fn legal_boards(size: usize) -> u32 {
    let points: Vec<Point> = Small::board(size).iter().collect();
    let mut count = 0;
    for number in 0..3u32.pow(points.len() as u32) {
        let (mut rest, mut sets) = (number, [Small::EMPTY; 2]);
        for &point in &points {
            if rest % 3 > 0 {
                let set = &mut sets[rest as usize % 3 - 1];
                *set = *set | Small::only(point);
            }
            rest /= 3;
        }
        let mut board = Board::<Small>::new(size);
        for colour in Colour::BOTH {
            board.add(sets[colour.index()], colour);
        }
        let would_have_liberty =
            |colour| board.chains(colour).all(|chain| !board.liberties(chain).is_empty());
        count += u32::from(Colour::BOTH.into_iter().all(would_have_liberty));
    }
    count
}

#[test]
fn the_legal_positions_of_small_boards_are_as_many_as_published() {
    assert_eq!(legal_boards(1), 1);
    assert_eq!(legal_boards(2), 57);
    assert_eq!(legal_boards(3), 12_675);
}

#[test]
#[ignore = "half a minute: 43 million colourings"]
fn the_legal_positions_of_four_by_four_are_as_many_as_published() {
    assert_eq!(legal_boards(4), 24_318_165);
}

/// The number of sequences of `depth` moves according to the oracle.
fn slow_perft(oracle: &Oracle, depth: u32) -> u64 {
    if depth == 0 || oracle.is_over() {
        return 1;
    }
    let moves = oracle.legal().into_iter().map(Some).chain([None]);
    moves
        .map(|at| {
            let mut after = oracle.clone();
            after.play(at);
            slow_perft(&after, depth - 1)
        })
        .sum()
}

fn check_perft(rules: Rules, depth: u32) {
    let start = Position::<Small>::new(&rules);
    for depth in 1..=depth {
        assert_eq!(perft(&start, depth), slow_perft(&Oracle::new(rules), depth), "{rules:?} at {depth}");
    }
    let split: u64 = perft_split(&start, depth).iter().map(|(_, count)| count).sum();
    assert_eq!(split, perft(&start, depth));
}

#[test]
fn move_sequences_are_as_many_as_the_oracle_counts() {
    for ko in [Ko::Positional, Ko::Situational, Ko::Simple] {
        for suicide in [false, true] {
            check_perft(Rules { ko, suicide, ..Rules::new(2) }, 8);
            check_perft(Rules { ko, suicide, ..Rules::new(3) }, 4);
        }
    }
}
