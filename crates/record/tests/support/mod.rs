//! Random and arbitrary game records.

#![allow(dead_code, reason = "each test program uses a part")]

use std::path::PathBuf;

use game::{Game, pick};
use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, GameRecord, GameResult, PlyStats, Recorded, RingRiftConfig};
use ringrift::{Board, Position, RecoveryRule, Rules, Variant, on_board};
use tempfile::TempDir;

/// A random game of at most `longest` plies.
pub(crate) fn random_game(board: Board, rules: Rules, seed: u64, longest: usize) -> GameRecord {
    on_board!(board, B => random_game_from(Position::<B>::new(&rules), seed, longest))
}

/// A random game from any position.
pub(crate) fn random_game_from<P: Recorded>(mut position: P, seed: u64, longest: usize) -> GameRecord {
    let players = vec!["random".to_owned(); position.seats()];
    let mut record = GameRecord::from_position(format!("game-{seed}"), &position, players);
    record.seed = Some(seed);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut moves = Vec::new();
    for _ in 0..longest {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let m = moves[pick(&mut rng, moves.len())];
        record.push(&position, m);
        position.play_unchecked(m, &mut ());
    }
    record.conclude(&position);
    record
}

/// The first plies of a game, as a short record.
pub(crate) fn short_game(seed: u64) -> GameRecord {
    random_game(Board::Square8, Rules::new(2), seed, 5)
}

/// A number of random cases, which the variable `PROPTEST_CASES` overrides for a longer run.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { config.cases } else { usual };
    ProptestConfig { cases, ..config }
}

/// A temporary folder, in memory where possible, because thousands of flushes to disk are slow.
pub(crate) fn memory_folder() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a temporary folder can be created")
}

/// Any record without contradictions, whether or not its moves are legal.
pub(crate) fn any_record() -> impl Strategy<Value = GameRecord> {
    let config = (
        proptest::sample::select(Board::ALL.to_vec()),
        2_u8..=4,
        any::<(bool, bool, bool)>(),
        1_u8..=9,
        proptest::option::of(1_u16..=Rules::MAX_RINGS),
        any::<u32>(),
    );
    let stats = (
        any::<bool>(),
        proptest::collection::vec(-1.0_f32..=1.0, 4),
        proptest::option::of(any::<u64>()),
        proptest::option::of(any::<u64>()),
        proptest::collection::vec((".{0,6}", 0.0_f32..=1.0), 0..3),
    );
    let texts = (
        ".{1,12}",
        proptest::option::of(".{0,30}"),
        proptest::collection::vec(".{0,8}", 4),
        proptest::collection::vec((".{0,8}", proptest::option::of(stats)), 0..12),
        proptest::collection::btree_map(".{0,5}", ".{0,5}", 0..3),
        proptest::option::of(".{0,20}"),
    );
    let result = proptest::option::of((any::<u64>(), ".{0,8}"));
    (config, texts, proptest::option::of(any::<u64>()), result).prop_map(
        |((board, seats, flags, lps_rounds, rings, version), texts, seed, result)| {
            let (text, recovered, swap) = flags;
            let rules = Rules {
                seats,
                variant: if text { Variant::Base } else { Variant::Hex8Line3 },
                recovery: if recovered { RecoveryRule::Text } else { RecoveryRule::Reference },
                swap: swap && seats == 2,
                lps_rounds,
                rings,
            };
            let (id, start, players, moves, tags, time) = texts;
            let mut record =
                GameRecord::new(id, Config::ringrift(board, rules), players[..seats as usize].to_vec());
            record.config = Config::RingRift(RingRiftConfig { version, ..RingRiftConfig::new(board, rules) });
            (record.start, record.seed, record.tags, record.time) = (start, seed, tags, time);
            for (ply, (text, stats)) in (0..).zip(moves) {
                record.moves.push(text);
                if let Some((valued, values, visits, time_ms, policy)) = stats {
                    let value = if valued { values[..seats as usize].to_vec() } else { Vec::new() };
                    let candidates = vec![(1, 0.75, Some(-0.5)), (0, 0.25, None)];
                    record.stats.push(PlyStats {
                        ply,
                        value,
                        visits,
                        nodes: visits,
                        time_ms,
                        policy,
                        candidates,
                    });
                }
            }
            record.result = result.map(|(code, reason)| {
                let mut ranking: Vec<u8> =
                    (0..seats).map(|seat| 1 + (code >> (8 * seat)) as u8 % seats).collect();
                ranking[code as usize % seats as usize] = 1;
                let outcome = game::Outcome::from_ranks(&ranking);
                GameResult::new(&outcome, reason, record.moves.len() as u32)
            });
            record
        },
    )
}

/// A folder of reference data beside the repository. If it does not exist, prints a note and returns `None`.
#[expect(clippy::print_stdout, reason = "why nothing was tested is said beside the results")]
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}
