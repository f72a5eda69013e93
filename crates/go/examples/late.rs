//! Generates endgame positions on 5×5 and proves the value of every move: `cargo run --release -p go --example late
//! [positions] [nodes per position]`. This is how `tests/late5.txt` was made; the same numbers give the same lines.
//!
//! Half of the games are random, without filling eyes; in the other half a few careful playouts choose each move. A
//! position is kept if at most half of its moves keep the value. Quotas for positions with a ko, a seki, a single
//! correct move or an atari make each of these a part of the set.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the example writes a file to stdout")]

use std::{collections::BTreeSet, env};

use game::{Game, pick};
use go::{
    CarefulPlayouts, Colour, Komi, Move, Points, Position, Rules, Small, Start, Verdict, proven::Proven,
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

/// The number of moves between the first board of a line and its position, so that the history includes a ko just
/// captured.
const HISTORY_MOVES: usize = 2;

/// The kinds of positions and how many of each to keep at most. A position counts for the first kind that applies.
const WANTED: [(&str, usize); 5] =
    [("ko", 150), ("seki", 100), ("single", 350), ("atari", 400), ("any", 1000)];

fn main() {
    let numbers: Vec<u64> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let wanted = numbers.first().copied().unwrap_or(300) as usize;
    let nodes = numbers.get(1).copied().unwrap_or(6000);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let rules = Rules { komi: Komi::ZERO, ..Rules::new(5) };
    let (mut seen, mut counts) = (BTreeSet::new(), [0; WANTED.len()]);
    println!(
        "# Endgame positions on 5x5 with Black's area minus White's after every legal move, without komi."
    );
    println!(
        "# Positional superko, no suicide. By `cargo run --release -p go --example late {wanted} {nodes}`."
    );
    let mut games = 0;
    while counts.iter().sum::<usize>() < wanted {
        games += 1;
        for position in late_positions(rules, games % 2 == 0, &mut rng) {
            if !seen.insert(position.situation_key()) {
                continue;
            }
            let Ok(proven) = Proven::prove(&position, nodes) else { continue };
            // Skip positions in which most moves keep the value.
            if 2 * proven.keepers() > proven.values.len() {
                continue;
            }
            let kind = WANTED.iter().position(|(name, _)| is(name, &proven, &mut rng));
            let kind = kind.unwrap_or(WANTED.len() - 1);
            if counts[kind] < WANTED[kind].1 && counts.iter().sum::<usize>() < wanted {
                counts[kind] += 1;
                println!("{proven}");
            }
        }
    }
    for ((name, _), count) in WANTED.iter().zip(counts) {
        eprintln!("{name}: {count}");
    }
    eprintln!("{games} games");
}

/// Endgame positions of a game that is played at random or, `with_care`, guided by playouts.
fn late_positions(rules: Rules, with_care: bool, rng: &mut Xoshiro256PlusPlus) -> Vec<Position<Small>> {
    let mut boards = vec![Position::<Small>::new(&rules)];
    for _ in 0..40 {
        let mut position = boards[boards.len() - 1].clone();
        let eyes = position.board().eyes(position.turn());
        let mut moves: Vec<_> = position.legal_points().without(eyes).iter().map(Move::at).collect();
        if moves.is_empty() {
            break;
        }
        if with_care {
            moves.sort_by_cached_key(|&m| -playout_score(&position, m, rng));
            moves.truncate(2);
        }
        position.play_unchecked(moves[pick(rng, moves.len())], &mut ());
        boards.push(position);
    }
    let is_late = |position: &&Position<Small>| {
        position.moves_played() > 12 && (4..=10).contains(&position.board().empty().len())
    };
    boards.iter().filter(is_late).filter_map(with_short_history).collect()
}

/// The same position with a history of only the last few moves.
fn with_short_history(position: &Position<Small>) -> Option<Position<Small>> {
    let moves = position.moves();
    let mut before = Position::<Small>::new(position.rules());
    let (old, new) = moves.split_at(moves.len() - HISTORY_MOVES);
    for &m in old {
        before.play_unchecked(m, &mut ());
    }
    let start = Start { board: *before.board(), to_move: before.turn(), prisoners: [0; 2] };
    let mut late = Position::set_up(position.rules(), &start).ok()?;
    for &m in new {
        late.play(m).ok()?;
    }
    Some(late)
}

/// The mover's lead after a move, summed over a few careful playouts.
fn playout_score(position: &Position<Small>, m: Move, rng: &mut Xoshiro256PlusPlus) -> i32 {
    let mut after = position.clone();
    after.play_unchecked(m, &mut ());
    let playouts = CarefulPlayouts::new(&after);
    let mut stones = Vec::new();
    let area: i32 = (0..4).map(|_| playouts.run(rng, &mut stones).area).sum();
    if position.turn() == Colour::Black { area } else { -area }
}

/// Whether a position is of this kind.
fn is(kind: &str, proven: &Proven, rng: &mut Xoshiro256PlusPlus) -> bool {
    let position = &proven.position;
    let board = position.board();
    match kind {
        "single" => proven.keepers() == 1,
        "ko" => position.banned_ko().is_some(),
        "seki" => !Verdict::estimate(position, rng, 60).seki.is_empty(),
        "atari" => Colour::BOTH.into_iter().any(|colour| !board.in_atari(colour, board.empty()).is_empty()),
        _ => true,
    }
}
