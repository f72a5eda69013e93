//! Policy and value networks learn from games of both games, repeat themselves, and refuse what does not fit.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use ladder::Models;
use nn::{PvInput, PvNet, PvPreset, PvTarget, PvWeights};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, GameRecord};
use ringrift::{Board, Rules};
use search::Stop;
use selfplay::{DataFolder, Options, Plan};

use eval::PvEncoder;

use super::*;
use crate::{RowStore, Trainer, Workers, encoding::opening_plies, run_folder};

/// Plays games into `folder`.
fn play(folder: &Path, config: Config, agent: &str, candidates: usize, leaves: usize, games: u64) {
    let options = Options {
        opening: 1..=5,
        candidates,
        leaves,
        seed: 3,
        shard_games: 10,
        ..Options::new(config, agent.parse().unwrap())
    };
    let plan = Plan::new(options, Vec::new(), &Models::default()).unwrap();
    let mut data = DataFolder::create(folder, &plan.resolved).unwrap();
    selfplay::run(&plan, &mut data, games, 2, &Stop::default(), &mut |_, _| ()).unwrap();
}

fn ringrift(board: Board, seats: u8) -> Config {
    Config::ringrift(board, Rules { rings: Some(3), ..Rules::new(seats) })
}

fn go(size: u8) -> Config {
    Config::go(go::Rules::new(size))
}

fn read_options() -> ReadOptions {
    ReadOptions { block_bytes: 1 << 30, threads: 2, seed: 1, validation_rows: 1_000 }
}

fn open(paths: &[PathBuf], labels: &PvLabels) -> Source<PvRowEncoder> {
    Source::open_positions(paths, PvPlanes::Default, labels, read_options()).unwrap()
}

fn options(data: &[PathBuf], out: PathBuf) -> PvRunOptions {
    PvRunOptions {
        data: data.to_vec(),
        out,
        planes: PvPlanes::Default,
        preset: PvPreset::Tiny,
        start: None,
        labels: PvLabels::default(),
        weights: PvWeights::default(),
        read: read_options(),
        train: TrainOptions { batch: 32, steps: 40, warmup: 5, average: 0.9, ..PvRunOptions::training() },
        report_every: 8,
        checkpoint_every: 16,
    }
}

fn games(path: &Path) -> Vec<GameRecord> {
    let data = DataFolder::open(path).unwrap();
    data.shards().iter().flat_map(|shard| data.read(shard).unwrap()).collect()
}

#[test]
fn a_few_positions_of_go_are_learned_by_heart() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    play(&data, go(5), "mcts(sims=30)", 0, 0, 4);
    let mut source = open(&[data], &PvLabels { value_rows: 0.0, ..PvLabels::default() });
    let learner = PvLearner { symmetries: 1, ..source.learner(PvPreset::Tiny, PvWeights::default()) };
    let net = PvNet::random(&learner.shape, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    let train = TrainOptions {
        batch: 1_000,
        steps: 500,
        learning_rate: 5e-3,
        average: 0.5,
        ..PvRunOptions::training()
    };
    let mut trainer = Trainer::new(train, net);
    let mut workers = Workers::new(&learner, 1);
    let [before, after] = source
        .with_block(0, 0, |rows| {
            assert!(rows.len() > 40, "{}", rows.len());
            let before = workers.validate(&learner, &trainer.average, rows).1;
            while !trainer.is_done() {
                trainer.begin_block(&learner, rows, &mut workers);
                if trainer.step(&learner, rows, &mut workers).is_none() {
                    (trainer.order, trainer.used) = (Vec::new(), 0);
                }
            }
            Ok([before, workers.validate(&learner, &trainer.average, rows).1])
        })
        .unwrap()
        .unwrap();
    let [value, policy, accuracy, owner, margin] = after[..] else { panic!("{after:?}") };
    assert!(value < 0.02 && before[0] > 10.0 * value, "{before:?} {after:?}");
    assert!(policy < 0.5 && accuracy > 0.85 && before[1] > 4.0 * policy, "{before:?} {after:?}");
    assert!(owner < 0.5 * before[3] && margin < 0.1 * before[4], "{before:?} {after:?}");
}

#[test]
fn rows_are_what_the_games_say() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    play(&data, ringrift(Board::Square8, 3), "maxn(nodes=60)", 0, 2, 6);
    let plain = PvLabels { result_share: 0.5, lambda: 0.25, value_rows: 0.0, ..PvLabels::default() };
    let source = open(std::slice::from_ref(&data), &plain);
    let labels = source.encoder().labels[0];
    let (mut input, mut target) = (PvInput::default(), PvTarget::default());
    for game in games(&data) {
        let mut rows = source.encoder().no_rows();
        rows.add_game(0, &game, &labels).unwrap();
        assert_eq!(rows.len(), game.stats.len(), "every decision, nothing else");
        assert!(game.stats.iter().all(|stats| stats.ply as usize >= opening_plies(&game)));
        let winner = game.result.as_ref().unwrap().winner.unwrap() - 1;
        let mut expected = [0.0; 4];
        expected[winner] = 1.0;
        let result = expected;
        for (row, stats) in game.stats.iter().enumerate().rev() {
            let own = labels.search_shares(&stats.value);
            expected = std::array::from_fn(|seat| 0.25 * expected[seat] + 0.75 * own[seat]);
            rows.fill(row, 0, &mut input, &mut target);
            // Relative to the seat to move, whose share is the first.
            let turn = (0..3).find(|turn| {
                (0..3).all(|seat| {
                    let absolute = (turn + seat) % 3;
                    let goal = 0.5 * result[absolute] + 0.5 * expected[absolute];
                    (target.value[seat] - goal).abs() < 1e-5
                })
            });
            assert!(turn.is_some(), "{:?} {expected:?} {result:?}", target.value);
            assert_eq!(target.policy.len(), input.moves());
            assert_eq!(target.policy.iter().filter(|&&share| share > 0.999).count(), 1);
            assert_eq!(target.owner.len(), 64);
            assert_eq!(target.margin.len(), 3);
        }
        let all = PvLabels { value_rows: 1.0, by_game: true, ..labels };
        let mut rows = source.encoder().no_rows();
        rows.add_game(0, &game, &all).unwrap();
        assert_eq!(rows.len(), game.moves.len() - opening_plies(&game) + game.leaves.len());
        let mut weight = 0.0;
        for row in 0..rows.len() {
            rows.fill(row, 0, &mut input, &mut target);
            weight += target.weight;
            assert!((target.value.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert_eq!(target.policy.is_empty(), !rows.has_policy(row));
        }
        assert!((weight - 50.0).abs() < 0.01, "games weigh the same: {weight}");
        // Leaves are not on the way to the end of the game.
        assert!(target.owner.is_empty() && target.margin.is_empty());
    }
    let some = open(std::slice::from_ref(&data), &PvLabels { value_rows: 0.5, ..plain });
    let count = |source: &Source<PvRowEncoder>, game: &GameRecord| {
        let mut rows = source.encoder().no_rows();
        source.encoder().encode(0, game, &mut rows).unwrap();
        rows.len()
    };
    let game = &games(&data)[0];
    let others = game.moves.len() - opening_plies(game) + game.leaves.len() - game.stats.len();
    let drawn = count(&some, game) - game.stats.len();
    assert!(drawn > others / 4 && drawn < others * 3 / 4, "{drawn} of {others}");
    assert_eq!(count(&some, game), drawn + game.stats.len(), "always the same rows");
}

#[test]
fn symmetries_move_cells_and_leave_targets() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [folder.path().join("go"), folder.path().join("hex")];
    play(&paths[0], go(5), "mcts(sims=20)", 5, 0, 2);
    play(&paths[1], ringrift(Board::Hex8, 2), "minimax(nodes=40)", 0, 0, 2);
    for (path, symmetries) in paths.iter().zip([8, 4]) {
        let source = open(std::slice::from_ref(path), &PvLabels::default());
        let mut rows = source.encoder().no_rows();
        source.encoder().encode(0, &games(path)[0], &mut rows).unwrap();
        let (mut input, mut target) = (PvInput::default(), PvTarget::default());
        let (mut turned, mut goal) = (PvInput::default(), PvTarget::default());
        let mut images = BTreeSet::new();
        for row in 0..rows.len() {
            assert_eq!(rows.symmetries(row), symmetries);
            rows.fill(row, 0, &mut input, &mut target);
            if let [_, _, ..] = target.policy.iter().filter(|&&share| share > 0.0).collect::<Vec<_>>()[..] {
                assert_eq!(symmetries, 8, "candidates are stored for Go only");
            }
            for symmetry in 0..symmetries {
                rows.fill(row, symmetry, &mut turned, &mut goal);
                assert_eq!((&goal.policy, &goal.value), (&target.policy, &target.value));
                assert_eq!((&goal.margin, &turned.globals), (&target.margin, &input.globals));
                let sorted = |cells: &[u8]| {
                    let mut cells = cells.to_vec();
                    cells.sort_unstable();
                    cells
                };
                assert_eq!(sorted(&goal.owner), sorted(&target.owner));
                assert_eq!(turned.moves(), input.moves());
                images.insert(turned.planes.iter().map(|number| number.to_bits()).collect::<Vec<_>>());
            }
        }
        assert!(images.len() > 2 * rows.len(), "cells move");
    }
}

/// The rows of the curves of a run, without those columns that are times.
fn curves(out: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(run_folder(out).join("curves.csv")).unwrap();
    let timed = |(index, _): &(usize, &str)| !matches!(index, 6 | 7);
    let columns = |line: &str| {
        line.split(',').enumerate().filter(timed).map(|(_, column)| column.to_owned()).collect::<Vec<_>>()
    };
    text.lines().skip(1).map(columns).collect()
}

#[test]
fn one_net_learns_several_boards_and_continues_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["small", "three", "large"].map(|name| folder.path().join(name));
    play(&paths[0], ringrift(Board::Square8, 2), "minimax(nodes=30)", 0, 1, 12);
    play(&paths[1], ringrift(Board::Square8, 3), "maxn(nodes=30)", 0, 0, 8);
    play(&paths[2], ringrift(Board::Square19, 2), "heuristic", 0, 0, 1);
    let whole = options(&paths, folder.path().join("whole.safetensors"));
    let finished = run_pv(&whole, &mut |_| true).unwrap();
    assert!(finished.complete);
    let last = finished.last.unwrap();
    let names: Vec<&str> = last.measures.iter().map(|measure| measure.0.as_str()).collect();
    assert_eq!(names[..3], ["value_loss", "policy_loss", "policy_accuracy"]);
    assert!(last.measures.iter().all(|measure| measure.1.is_finite()), "{last:?}");
    // Stopped at every report.
    let pieces = options(&paths, folder.path().join("pieces.safetensors"));
    let mut runs = 0;
    while !run_pv(&pieces, &mut |_| false).unwrap().complete {
        runs += 1;
    }
    assert_eq!(runs, 4);
    assert_eq!(fs::read(&pieces.out).unwrap(), fs::read(&whole.out).unwrap());
    assert_eq!(curves(&pieces.out), curves(&whole.out));
    let net = read_net(&whole.out).unwrap().0;
    assert_eq!(net.header.encoder, "ringrift-square-pv1");
    assert_eq!(net.header.provenance["preset"], "tiny");
    // Two threads share a batch and find the same up to rounding.
    let shared = options(&paths, folder.path().join("shared.safetensors"));
    let shared = PvRunOptions { train: TrainOptions { threads: 2, ..shared.train.clone() }, ..shared };
    let other = run_pv(&shared, &mut |_| true).unwrap().last.unwrap();
    assert!((other.training_loss - last.training_loss).abs() < 0.02, "{other:?} {last:?}");
    // Other options, other data, and a shard that was altered are refused.
    let refused = |options: &PvRunOptions| run_pv(options, &mut |_| true).unwrap_err().to_string();
    let wider = PvRunOptions { labels: PvLabels { lambda: 0.5, ..whole.labels }, ..whole.clone() };
    assert!(refused(&wider).contains("lambda is 0."), "{}", refused(&wider));
    play(&paths[0], ringrift(Board::Square8, 2), "minimax(nodes=30)", 0, 1, 13);
    assert!(refused(&whole).contains("another run: data is"), "{}", refused(&whole));
    let shards = fs::read_dir(paths[1].join("shards")).unwrap().map(|entry| entry.unwrap().path());
    let shard = shards.into_iter().next().unwrap();
    let mut bytes = fs::read(&shard).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&shard, bytes).unwrap();
    run_pv(&options(&paths, folder.path().join("new.safetensors")), &mut |_| true).unwrap_err();
}

#[test]
fn other_encoders_games_without_searches_and_divergence_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let [square, hex, five, random] =
        ["square", "hex", "five", "random"].map(|name| folder.path().join(name));
    play(&square, ringrift(Board::Square8, 2), "minimax(nodes=20)", 0, 0, 4);
    play(&hex, ringrift(Board::Hex8, 2), "minimax(nodes=20)", 0, 0, 4);
    play(&five, go(5), "mcts(sims=10)", 2, 0, 4);
    play(&random, ringrift(Board::Square8, 2), "random", 0, 0, 4);
    let run = |data: &[&PathBuf], change: &dyn Fn(&mut PvRunOptions)| {
        let data: Vec<PathBuf> = data.iter().map(|&path| path.clone()).collect();
        let mut options = options(&data, folder.path().join("net.safetensors"));
        change(&mut options);
        run_pv(&options, &mut |_| true)
    };
    let refused = |data: &[&PathBuf], change: &dyn Fn(&mut PvRunOptions)| run(data, change).unwrap_err();
    assert!(matches!(refused(&[&square, &hex], &|_| ()), TrainError::Encoders { .. }));
    assert!(matches!(refused(&[&five, &hex], &|_| ()), TrainError::Encoders { .. }));
    assert!(matches!(refused(&[&random], &|_| ()), TrainError::NoPolicy));
    let seed = |options: &mut PvRunOptions| options.planes = PvPlanes::Seed;
    assert!(matches!(refused(&[&five], &seed), TrainError::Game(_)));
    let wild = |options: &mut PvRunOptions| options.train.learning_rate = f32::MAX;
    assert!(matches!(refused(&[&hex], &wild), TrainError::Diverged { .. }));
    fs::remove_dir_all(folder.path().join("net.run")).unwrap();
    let other = folder.path().join("other.safetensors");
    let out = |options: &mut PvRunOptions| options.out.clone_from(&other);
    assert!(run(&[&five], &out).unwrap().complete);
    let start = |options: &mut PvRunOptions| options.start = Some(other.clone());
    let error = refused(&[&hex], &start);
    assert!(matches!(&error, TrainError::Encoder { found, .. } if found.starts_with("go-pv1")), "{error}");
    // A net of its own kind is a start, and planes of the seed are a kind of their own.
    assert!(run(&[&five], &start).unwrap().complete);
    let planes = |options: &mut PvRunOptions| {
        options.planes = PvPlanes::Seed;
        options.out = folder.path().join("planes.safetensors");
    };
    assert!(run(&[&square], &planes).unwrap().complete);
    let header = read_net(&folder.path().join("planes.safetensors")).unwrap().0.header;
    assert_eq!(header.encoder, eval::RingRiftSeedPv::<ringrift::Square8>::id());
}
