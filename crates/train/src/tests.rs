//! Training on real games: it learns, repeats itself to the byte, and continues where it was interrupted.

use std::{fs, path::Path};

use game::StaticEvaluator;
use ladder::Models;
use nn::{Activation, Nnue, NnueShape};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::Config;
use ringrift::{Board, Hex8, Position, Rules};
use search::Stop;
use selfplay::{DataFolder, Options, Plan};

use crate::{
    Encoder, Encoding, Factoriser, Labels, NnueLearner, Rows, RunOptions, Source, SourceOptions, TrainError,
    TrainOptions, Trainer, Workers, run, run_folder,
};

/// Plays games of a shallow search into `folder`.
fn games(folder: &Path, board: Board, seats: u8, games: u64) {
    let options = Options {
        opening: 1..=5,
        seed: 3,
        shard_games: 10,
        ..Options::new(
            Config::ringrift(board, Rules { rings: Some(3), ..Rules::new(seats) }),
            "minimax(nodes=40)".parse().unwrap(),
        )
    };
    let plan = Plan::new(options, Vec::new(), &Models::default()).unwrap();
    let mut data = DataFolder::create(folder, &plan.resolved).unwrap();
    selfplay::run(&plan, &mut data, games, 2, &Stop::default(), &mut |_, _| ()).unwrap();
}

fn source_options() -> SourceOptions {
    SourceOptions {
        encoder: Encoder::Nnue,
        result_share: 0.5,
        stages: 1,
        block_bytes: 1 << 30,
        threads: 2,
        seed: 1,
    }
}

fn options(folder: &Path, out: &str) -> RunOptions {
    RunOptions {
        data: vec![folder.join("data")],
        out: folder.join(out),
        hidden: 16,
        layers: Vec::new(),
        activation: Activation::SquaredClippedRelu,
        start: None,
        factorise: true,
        own_decay: None,
        source: source_options(),
        train: TrainOptions { batch: 256, steps: 60, warmup: 5, average: 0.9, ..TrainOptions::default() },
        report_every: 10,
        checkpoint_every: 20,
    }
}

#[test]
fn a_thousand_rows_are_learned_by_heart() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path(), Board::Square8, 2, 60);
    let mut source = Source::open(&[folder.path().to_owned()], &source_options()).unwrap();
    // Without symmetries, which would make eight times as many rows.
    let mut encoding = source.encoding().clone();
    encoding.images.clear();
    let shape = NnueShape {
        features: encoding.features,
        hidden: 32,
        activation: Activation::SquaredClippedRelu,
        layers: Vec::new(),
        buckets: encoding.heads(1),
        scalars: 0,
    };
    let factoriser = Factoriser::new(&encoding.kinds);
    let net = Nnue::random(&shape, 40, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    let mut trainer = Trainer::new(
        TrainOptions {
            batch: 1_000,
            steps: 400,
            learning_rate: 1e-2,
            average: 0.5,
            ..TrainOptions::default()
        },
        factoriser.factorise(net),
    );
    let learner = NnueLearner { encoding, shape, factoriser, own_decay: 0.0 };
    let mut workers = Workers::new(&learner, 2);
    let (before, after) = source
        .with_block(0, 0, |rows| {
            assert!(rows.len() > 500);
            let before = workers.mean_loss(&learner, &trainer.average, rows);
            while !trainer.is_done() {
                trainer.begin_block(&learner, rows, &mut workers);
                if trainer.step(&learner, rows, &mut workers).is_none() {
                    (trainer.order, trainer.used) = (Vec::new(), 0);
                }
            }
            Ok((before, workers.mean_loss(&learner, &trainer.average, rows)))
        })
        .unwrap()
        .unwrap();
    assert!(after < 0.02 && before > 10.0 * after, "the loss fell from {before} to {after}");
}

/// The rows of the curves of a run, without those columns that are times.
fn curves(out: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(run_folder(out).join("curves.csv")).unwrap();
    text.lines().skip(1).map(|line| line.split(',').take(6).map(str::to_owned).collect()).collect()
}

#[test]
fn a_run_repeats_itself_and_continues_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    games(&folder.path().join("data"), Board::Hex8, 3, 25);
    for prioritised in [0.0, 0.5] {
        let with = |out: &str| {
            let options = options(folder.path(), &format!("{prioritised}-{out}"));
            RunOptions { train: TrainOptions { prioritised, ..options.train.clone() }, ..options }
        };
        let whole = with("whole.safetensors");
        let finished = run(&whole, &mut |_| true).unwrap();
        assert!(finished.complete && finished.last.unwrap().epoch > 0, "there are several passes");
        let bytes = fs::read(&whole.out).unwrap();
        // Stopped at every report.
        let pieces = with("pieces.safetensors");
        let mut runs = 0;
        while !run(&pieces, &mut |_| false).unwrap().complete {
            runs += 1;
        }
        assert_eq!(runs, 5);
        assert_eq!(fs::read(&pieces.out).unwrap(), bytes);
        assert_eq!(curves(&pieces.out), curves(&whole.out));
        assert_eq!(curves(&whole.out).len(), 6, "one row per report");
        // A checkpoint of other options or other data is refused.
        let other = RunOptions { hidden: 8, ..with("pieces.safetensors") };
        assert!(
            run(&other, &mut |_| true).unwrap_err().to_string().contains("hidden is 16 there and 8 here")
        );
    }
    let changed = options(folder.path(), "0-pieces.safetensors");
    games(&folder.path().join("data"), Board::Hex8, 3, 26);
    let error = run(&changed, &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("another run: data is"), "{error}");
}

#[test]
fn blocks_have_the_same_rows_as_one_pass_over_everything() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path(), Board::Square8, 2, 40);
    let paths = [folder.path().to_owned()];
    let count = |block_bytes: usize| {
        let mut source = Source::open(&paths, &SourceOptions { block_bytes, ..source_options() }).unwrap();
        let mut sizes = Vec::new();
        while let Some(rows) = source.with_block(0, sizes.len() as u32, |rows| Ok(rows.len())).unwrap() {
            sizes.push(rows);
        }
        sizes
    };
    let (whole, pieces) = (count(1 << 30), count(30_000));
    assert_eq!(whole.len(), 1);
    assert!(pieces.len() >= 3, "{pieces:?}");
    assert_eq!(pieces.iter().sum::<usize>(), whole[0]);
}

#[test]
fn rows_carry_the_next_search_value_back_and_sum_to_one() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path(), Board::Square8, 4, 4);
    let data = DataFolder::open(folder.path()).unwrap();
    let encoding = Encoding::new(Encoder::Nnue, Board::Square8);
    for game in data.read(&data.shards()[0]).unwrap() {
        let mut rows = [Rows::default(), Rows::default()];
        for (share, rows) in [0.0, 1.0].into_iter().zip(&mut rows) {
            encoding.encode(&game, &Labels { result_share: share, scale: 1.0, stages: 1 }, rows).unwrap();
        }
        let opening: usize = game.tags["opening"].parse().unwrap();
        assert_eq!(rows[0].len(), game.moves.len() - opening);
        let winner = game.result.as_ref().unwrap().winner.unwrap();
        for index in 0..rows[0].len() {
            let [search, result] = [0, 1].map(|kind: usize| rows[kind].row(index).target);
            assert!((search.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!((result[winner - 1] - 1.0).abs() < 1e-6);
            let next = game
                .stats
                .iter()
                .find(|stats| stats.ply as usize >= opening + index && !stats.value.is_empty());
            if let Some(next) = next {
                let best = (0..4).max_by(|&a, &b| next.value[a].total_cmp(&next.value[b])).unwrap();
                assert!(search.iter().all(|&share| share <= search[best] + 1e-6));
            }
        }
    }
}

#[test]
fn empty_mixed_and_missing_data_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (square, hex) = (folder.path().join("square"), folder.path().join("hex"));
    games(&square, Board::Square8, 2, 2);
    games(&hex, Board::Hex8, 2, 2);
    let open = |paths: &[_]| Source::open(paths, &source_options()).err();
    assert!(matches!(open(&[square.clone(), hex]), Some(TrainError::Boards { found: Board::Hex8, .. })));
    assert!(matches!(open(&[folder.path().join("none")]), Some(TrainError::Data(_))));
    let empty = folder.path().join("empty");
    games(&empty, Board::Square8, 2, 0);
    assert!(matches!(open(&[empty]), Some(TrainError::Empty)));
}

#[test]
fn a_twelve_plane_net_is_trained_by_the_same_loop_and_evaluates() {
    let folder = tempfile::tempdir().unwrap();
    games(&folder.path().join("data"), Board::Hex8, 2, 40);
    let options = options(folder.path(), "planes.safetensors");
    let options = RunOptions {
        hidden: 16,
        layers: vec![8, 8],
        activation: Activation::ClippedRelu,
        source: SourceOptions { encoder: Encoder::Seed, ..options.source },
        train: TrainOptions { steps: 150, learning_rate: 1e-2, ..options.train },
        ..options
    };
    let mut losses = Vec::new();
    let finished = run(&options, &mut |progress| {
        losses.push(progress.training_loss);
        true
    });
    assert!(finished.unwrap().complete);
    assert!(losses.last().unwrap() + 0.02 < losses[0], "{losses:?}");
    let bytes = fs::read(&options.out).unwrap();
    let mut evaluator = eval::SeedEvaluator::<Hex8>::from_bytes(&bytes).unwrap();
    // The network says of rows what its file says of positions.
    let data = DataFolder::open(&folder.path().join("data")).unwrap();
    let game = &data.read(&data.shards()[0]).unwrap()[0];
    let mut rows = Rows::default();
    let labels = Labels { result_share: 0.5, scale: 1.0, stages: 3 };
    Encoding::new(Encoder::Seed, Board::Hex8).encode(game, &labels, &mut rows).unwrap();
    let net = Nnue::from_file(&nn::ModelFile::from_bytes(&bytes).unwrap()).unwrap();
    let mut workspace = nn::Workspace::new(&net.shape);
    let opening: usize = game.tags["opening"].parse().unwrap();
    let mut ply = 0;
    game.replay_as::<Position<Hex8>>(|position, _| {
        if ply >= opening {
            let index = ply - opening;
            let lists = [0, 1].map(|seat| rows.features(index, seat));
            let mut shares = net.logits(&lists, &[], &rows.row(index).heads, &mut workspace).to_vec();
            nn::softmax(&mut shares);
            let value = evaluator.values(position).0[0].clamp(-0.99, 0.99);
            assert!((value - (2.0 * shares[0] - 1.0).clamp(-0.99, 0.99)).abs() < 1e-4);
        }
        ply += 1;
    })
    .unwrap();
    assert_eq!(rows.len(), ply - opening);
}
