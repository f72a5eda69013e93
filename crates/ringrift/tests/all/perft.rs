//! Perft: the number of move sequences from known positions.

use std::fmt::Write;

use game::{Game, Setup, perft, perft_split};
use ringrift::{Board, Position, Rules, on_board};

use crate::{
    bless,
    oracle::{Options, Oracle},
};

const TABLE: &str = "counts.perft";

fn count(position: &str, depth: u32) -> u64 {
    let words: Vec<&str> = position.split(' ').collect();
    on_board!(words[0].parse::<Board>().unwrap(), B => {
        let start = if words.len() == 2 {
            Position::<B>::new(&Rules::new(words[1].parse().unwrap()))
        } else {
            Position::<B>::from_text(position).unwrap_or_else(|faults| panic!("{position}: {faults}"))
        };
        perft(&start, depth)
    })
}

#[test]
fn counts_match_the_table() {
    let table = bless::read(TABLE);
    let mut fresh = String::new();
    for line in table.lines() {
        let Some((position, counts)) = line.split_once(" | ") else {
            writeln!(fresh, "{line}").unwrap();
            continue;
        };
        let depths = counts.split(' ').map(|entry| entry.split_once(':').unwrap().0.parse::<u32>().unwrap());
        let counted: Vec<String> =
            depths.map(|depth| format!("{depth}:{}", count(position, depth))).collect();
        writeln!(fresh, "{position} | {}", counted.join(" ")).unwrap();
    }
    bless::compare(TABLE, &table, &fresh);
}

#[test]
fn the_oracle_counts_the_same() {
    fn plain_perft(oracle: &Oracle, depth: u32) -> u64 {
        let moves = oracle.legal();
        if depth == 1 || moves.is_empty() {
            return (moves.len() as u64).max(1);
        }
        let child = |m| {
            let mut child = oracle.clone();
            child.play(m);
            plain_perft(&child, depth - 1)
        };
        moves.iter().map(child).sum()
    }
    let options = Options {
        hex8_line_min: 3,
        clean_recovery: false,
        swap: false,
        lps_rounds: 3,
        rings_per_player: None,
    };
    for board in [Board::Square8, Board::Hex8] {
        for seats in 2..=4 {
            let oracle = Oracle::new(board.name(), seats, options);
            for depth in 1..=3 {
                let ours = count(&format!("{board} {seats}"), depth);
                assert_eq!(ours, plain_perft(&oracle, depth), "{board} for {seats}, depth {depth}");
            }
        }
    }
}

#[test]
fn the_split_adds_up() {
    let start = Position::<ringrift::Square8>::new(&Rules::new(2));
    let split = perft_split(&start, 3);
    assert_eq!(split.len(), 192);
    assert_eq!(split.iter().map(|(_, count)| count).sum::<u64>(), perft(&start, 3));
}
