//! What was exported is read back.

use std::{fs, fs::File, path::Path};

use interchange::{Format, import_line};
use ladder::Models;
use ndarray::{Array0, Array1, Array2};
use ndarray_npy::NpzReader;
use record::{Config, GameRecord};
use ringrift::{Board, RecoveryRule, Rules};
use search::Stop;
use selfplay::{DataFolder, Options, Plan};
use serde_json::Value;

use super::{Exported, write_jsonl, write_npz};
use crate::{Encoder, MAX_SEATS, Rows, Source, SourceOptions, TrainError};

/// Plays games into `folder`, with candidates and, for a search that has them, leaves.
fn play(folder: &Path, config: Config, agent: &str, leaves: usize, games: u64) -> DataFolder {
    let options = Options {
        opening: 0..=3,
        candidates: 4,
        leaves,
        seed: 5,
        shard_games: 3,
        ..Options::new(config, agent.parse().unwrap())
    };
    let plan = Plan::new(options, Vec::new(), &Models::default()).unwrap();
    let mut data = DataFolder::create(folder, &plan.resolved).unwrap();
    selfplay::run(&plan, &mut data, games, 2, &Stop::default(), &mut |_, _| ()).unwrap();
    data
}

fn all(data: &DataFolder) -> Vec<GameRecord> {
    data.shards().iter().flat_map(|shard| data.read(shard).unwrap()).collect()
}

#[test]
fn exported_games_are_imported_with_the_same_moves_and_results() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games.jsonl");
    for board in Board::ALL {
        for seats in 2..=4 {
            let path = folder.path().join(format!("{board}-{seats}"));
            let small = matches!(board, Board::Square8 | Board::Hex8);
            let (rings, games) = if small { (None, 4) } else { (Some(6), 1) };
            let config = Config::ringrift(board, Rules { rings, ..Rules::new(seats) });
            let data = play(&path, config, "heuristic", 0, games);
            let exported = write_jsonl(&[path], &out).unwrap();
            let text = fs::read_to_string(&out).unwrap();
            let originals = all(&data);
            assert_eq!(text.lines().count(), originals.len());
            assert_eq!(exported.rows, originals.iter().map(|game| game.moves.len() as u64).sum::<u64>());
            for (line, original) in text.lines().zip(&originals) {
                let imported = import_line(line, "unnamed").unwrap();
                assert_eq!((imported.format, imported.inserted), (Format::Training, 0));
                let record = imported.record;
                assert_eq!((&record.id, &record.config), (&original.id, &original.config));
                assert_eq!((&record.moves, &record.result), (&original.moves, &original.result));
                let game: Value = serde_json::from_str(line).unwrap();
                let winner = original.result.as_ref().unwrap().winner;
                assert_eq!(game["winner"], serde_json::json!(winner));
                for stats in &original.stats {
                    let written = &game["moves"][stats.ply as usize]["mcts_policy_dist"];
                    let share = |one: &Value| one["probability"].as_f64().unwrap() as f32;
                    let shares: Vec<f32> = written.as_array().unwrap().iter().map(share).collect();
                    assert_eq!(shares, stats.candidates.iter().map(|one| one.1).collect::<Vec<_>>());
                    assert!(written[0]["move"]["type"].is_string());
                }
                assert!(!original.stats.is_empty());
            }
        }
    }
}

#[test]
fn games_that_the_format_cannot_express_are_refused_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games.jsonl");
    let refused = |name: &str, config: Config| {
        let path = folder.path().join(name);
        play(&path, config, "random", 0, 1);
        write_jsonl(&[path], &out).unwrap_err().to_string()
    };
    let go = refused("go", Config::go(go::Rules::new(5)));
    assert!(go.contains("only games of RingRift"), "{go}");
    let rules = Rules { recovery: RecoveryRule::Text, ..Rules::new(2) };
    let other = refused("text", Config::ringrift(Board::Square8, rules));
    assert!(other.contains("cannot express"), "{other}");
    play(&folder.path().join("empty"), Config::ringrift(Board::Square8, Rules::new(2)), "random", 0, 0);
    let empty = write_jsonl(&[folder.path().join("empty")], &out);
    assert!(matches!(empty, Err(TrainError::Empty)));
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.iter().all(|path| path.is_dir()), "{files:?}");
}

#[test]
fn arrays_have_the_rows_of_training() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [2, 3].map(|seats| folder.path().join(format!("{seats}p")));
    let mut games = Vec::new();
    for (path, seats) in paths.iter().zip([2, 3]) {
        let config = Config::ringrift(Board::Square8, Rules { rings: Some(4), ..Rules::new(seats) });
        games.extend(all(&play(path, config, "maxn(nodes=30)", 1, 30)));
    }
    let options = SourceOptions {
        encoder: Encoder::Nnue,
        result_share: 0.25,
        stages: 2,
        block_bytes: 1 << 30,
        threads: 1,
        seed: 1,
    };
    let mut source = Source::open(&paths, &options).unwrap();
    let out = folder.path().join("rows.npz");
    let exported = write_npz(&source, &out).unwrap();
    assert_eq!(exported.games, 60);
    let mut npz = NpzReader::new(File::open(&out).unwrap()).unwrap();
    let encoder: Array1<u8> = npz.by_name("encoder").unwrap();
    assert_eq!(encoder.to_vec(), source.encoding().id.as_bytes());
    let count: Array0<i64> = npz.by_name("feature_count").unwrap();
    assert_eq!(count.into_scalar() as usize, source.encoding().features);
    let offsets: Array1<i64> = npz.by_name("feature_offsets").unwrap();
    let features: Array1<u16> = npz.by_name("features").unwrap();
    let heads: Array2<u8> = npz.by_name("heads").unwrap();
    let seats: Array1<u8> = npz.by_name("num_players").unwrap();
    let targets: Array2<f32> = npz.by_name("targets").unwrap();
    let validation: Array1<bool> = npz.by_name("is_validation").unwrap();
    assert_eq!(seats.len() as u64, exported.rows);
    let trained: Rows = source.with_block(0, 0, |rows| Ok(rows.clone())).unwrap().unwrap();
    let kept: Vec<usize> = (0..seats.len()).filter(|&row| !validation[row]).collect();
    assert!(kept.len() < seats.len(), "some games are for validation");
    assert_eq!(kept.len(), trained.len());
    for (index, &row) in kept.iter().enumerate() {
        let expected = trained.row(index);
        assert_eq!(seats[row], expected.seats);
        assert_eq!(heads.row(row).to_vec(), expected.heads);
        assert_eq!(targets.row(row).to_vec(), expected.target);
        for seat in 0..MAX_SEATS {
            let [from, to] = [0, 1].map(|end| offsets[MAX_SEATS * row + seat + end] as usize);
            let found = features.slice(ndarray::s![from..to]).to_vec();
            let own = seat < usize::from(expected.seats);
            assert_eq!(found, if own { trained.features(index, seat) } else { &[] });
        }
    }
    // What belongs to a row of a game is that of its ply.
    let values: Array2<f32> = npz.by_name("values_mp").unwrap();
    let results: Array2<f32> = npz.by_name("results").unwrap();
    let plies: Array1<i32> = npz.by_name("move_numbers").unwrap();
    let lengths: Array1<i32> = npz.by_name("total_game_moves").unwrap();
    let of_game: Array1<i64> = npz.by_name("games").unwrap();
    let leaf: Array1<bool> = npz.by_name("is_leaf").unwrap();
    let policy: Array1<i64> = npz.by_name("policy_offsets").unwrap();
    let indices: Array1<u16> = npz.by_name("policy_indices").unwrap();
    let shares: Array1<f32> = npz.by_name("policy_values").unwrap();
    let (mut leaves, mut searched) = (0, 0);
    for row in 0..seats.len() {
        let game = &games[of_game[row] as usize];
        assert_eq!(lengths[row] as usize, game.moves.len());
        let winner = game.result.as_ref().unwrap().winner.unwrap();
        assert!(results[[row, winner - 1]] > 0.99);
        let candidates: Vec<(u16, f32)> = (policy[row] as usize..policy[row + 1] as usize)
            .map(|place| (indices[place], shares[place]))
            .collect();
        let found = values.row(row).to_vec();
        let own = game.stats.iter().find(|stats| stats.ply == plies[row] as u32 && !leaf[row]);
        if leaf[row] {
            leaves += 1;
            let values = &found[..usize::from(seats[row])];
            assert!(game.leaves.iter().any(|leaf| leaf.ply == plies[row] as u32 && leaf.value == values));
        } else if let Some(own) = own {
            searched += 1;
            assert_eq!(found[..own.value.len()], own.value);
        }
        let expected = own.map_or(&[][..], |own| &own.candidates);
        assert_eq!(candidates, expected.iter().map(|one| (one.0, one.1)).collect::<Vec<_>>());
    }
    assert_eq!(leaves, games.iter().map(|game| game.leaves.len()).sum::<usize>());
    assert_eq!(searched, games.iter().map(|game| game.stats.len()).sum::<usize>());
    assert!(leaves > 0 && !indices.is_empty());
    assert_ne!(exported, Exported::default());
}
