//! Networks of gradients learn from games, repeat themselves, and refuse what does not fit.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use ladder::{Kind, Models, Playable, Player, WithoutNet};
use nn::{EbmoPreset, EbmoWeights, GmoLabels, GmoLossWeights, GmoShape, GraphShape, ModelFile};
use record::Config;
use ringrift::{Board, Hex8, Position, Rules, Square8, Square19};
use search::Stop;
use selfplay::{DataFolder, Options, Plan};

use crate::{
    EbmoObjective, EbmoRunOptions, GmoLabelOptions, GmoRows, GmoRunOptions, PvLabels, ReadOptions,
    RowEncoder, RowStore, Source, TrainError, TrainOptions, run_ebmo, run_folder, run_gmo,
};

/// Plays games into `folder`.
fn play(folder: &Path, config: Config, agent: &str, candidates: usize, games: u64) {
    let options = Options {
        opening: 1..=5,
        candidates,
        // Two of the first twenty games of this seed are held out.
        seed: 4,
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

fn read() -> ReadOptions {
    ReadOptions { block_bytes: 1 << 30, threads: 1, seed: 1, validation_rows: 500 }
}

fn gmo(data: &[PathBuf], out: PathBuf) -> GmoRunOptions {
    GmoRunOptions {
        data: data.to_vec(),
        out,
        seed_encoder: false,
        shape: GmoShape {
            state: 16,
            moves: 16,
            hidden: 32,
            ensemble: 2,
            projection: 8,
            legality: 8,
            ..GmoRunOptions::default_shape()
        },
        start: None,
        labels: GmoLabelOptions::default(),
        weights: GmoLossWeights::default(),
        dropout: 0.1,
        read: read(),
        train: TrainOptions {
            batch: 16,
            steps: 60,
            warmup: 5,
            average: 0.9,
            learning_rate: 3e-3,
            ..GmoRunOptions::training()
        },
        epochs: 1,
        report_every: 20,
        checkpoint_every: 20,
    }
}

fn ebmo(data: &[PathBuf], out: PathBuf) -> EbmoRunOptions {
    EbmoRunOptions {
        data: data.to_vec(),
        out,
        preset: EbmoPreset::Tiny,
        start: None,
        objective: EbmoObjective::Softmax,
        weights: EbmoWeights { temperature: 0.5, ..EbmoWeights::default() },
        labels: PvLabels::default(),
        read: read(),
        train: TrainOptions {
            batch: 16,
            steps: 40,
            warmup: 5,
            average: 0.9,
            learning_rate: 5e-3,
            ..EbmoRunOptions::training()
        },
        epochs: 1,
        report_every: 10,
        checkpoint_every: 20,
    }
}

#[test]
fn resumed_runs_give_the_bytes_of_uninterrupted_ones_and_their_nets_play() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    play(&data, ringrift(Board::Square8, 2), "heuristic", 100, 20);
    let (whole, halved) = (folder.path().join("whole.safetensors"), folder.path().join("half.safetensors"));
    let (mut losses, mut held_out) = (Vec::new(), Vec::new());
    let finished = run_gmo(&gmo(std::slice::from_ref(&data), whole.clone()), &mut |progress| {
        losses.push(progress.training_loss);
        held_out.push(progress.validation_loss);
        true
    });
    let finished = finished.unwrap();
    assert!(finished.complete);
    assert!(losses[2] < losses[0], "the loss falls: {losses:?}");
    // So few games are soon known by heart, so the weights that are kept need not be the last.
    let least = held_out.iter().copied().fold(f32::INFINITY, f32::min);
    assert_eq!(finished.last.unwrap().validation_loss.to_bits(), least.to_bits(), "{held_out:?}");
    let interrupted = run_gmo(&gmo(std::slice::from_ref(&data), halved.clone()), &mut |_| false).unwrap();
    assert!(!interrupted.complete && !halved.exists());
    let resumed = run_gmo(&gmo(std::slice::from_ref(&data), halved.clone()), &mut |_| true).unwrap();
    assert_eq!(resumed.resumed, 20);
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&halved).unwrap());
    // Every way to tell what is unknown, and both projections, play legal moves.
    let models = Models::in_folder(folder.path());
    let position = <Position<Square8> as game::Game>::new(&Rules::new(2));
    for settings in
        ["", ",uncertainty=ensemble", ",uncertainty=error", ",uncertainty=bayes", ",projection=learned"]
    {
        for kind in [Kind::Gmo, Kind::IgGmo] {
            let spec = format!("{kind}(net={}{settings})", whole.display()).parse().unwrap();
            let player = Player::with_models(&spec, position.venue(), WithoutNet::Refuse, &models).unwrap();
            let think = || player.agent(7).think(&position, &player.limits(), &Stop::default());
            assert!(game::Game::is_legal(&position, think().best));
            assert_eq!(think().candidates, think().candidates, "the same seed, the same report");
        }
    }
    // Nets of another board, and none at all, are refused: nothing plays instead.
    let spec = format!("gmo(net={})", whole.display()).parse().unwrap();
    let hex = <Position<Hex8> as game::Game>::new(&Rules::new(2)).venue();
    let without_net = <Position<Square19> as game::Game>::new(&Rules::new(4)).venue();
    for without in [WithoutNet::Refuse, WithoutNet::FallBack] {
        assert!(Player::with_models(&spec, hex, without, &models).is_err());
        let nameless = "gmo".parse().unwrap();
        assert!(Player::with_models(&nameless, without_net, without, &models).is_err());
    }
    // The worth of moves guides searches.
    for searching in ["mcts(sims=20,leaves=prior", "gumbel(sims=20,leaves=prior", "minimax(nodes=300"] {
        for policy in [format!("gmo(net={})", whole.display()), whole.display().to_string()] {
            let spec = format!("{searching},policy={policy})").parse().unwrap();
            let player = Player::with_models(&spec, position.venue(), WithoutNet::Refuse, &models).unwrap();
            let report = player.agent(7).think(&position, &player.limits(), &Stop::default());
            assert!(game::Game::is_legal(&position, report.best));
            assert!(Player::with_models(&spec, hex, WithoutNet::Refuse, &models).is_err());
        }
    }
    fs::remove_dir_all(run_folder(&whole)).unwrap();
}

#[test]
fn graph_attention_is_learned_from_both_games_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let (square, go) = (folder.path().join("square"), folder.path().join("go"));
    play(&square, ringrift(Board::Square8, 2), "heuristic", 100, 20);
    play(&go, Config::go(go::Rules::new(5)), "mcts(sims=40)", 100, 20);
    let graph = GraphShape { width: 8, heads: 2, layers: 2, graph: Arc::default() };
    let net = |data: &PathBuf, name: &str| {
        let mut options = gmo(std::slice::from_ref(data), folder.path().join(name));
        options.shape.graph = Some(graph.clone());
        options
    };
    let whole = net(&square, "whole.safetensors");
    let mut losses = Vec::new();
    let finished = run_gmo(&whole, &mut |progress| {
        losses.push(progress.training_loss);
        true
    });
    assert!(finished.unwrap().complete && losses[2] < losses[0], "{losses:?}");
    let halved = net(&square, "half.safetensors");
    assert!(!run_gmo(&halved, &mut |_| false).unwrap().complete);
    assert!(run_gmo(&halved, &mut |_| true).unwrap().complete);
    assert_eq!(fs::read(&whole.out).unwrap(), fs::read(&halved.out).unwrap());
    let of_go = net(&go, "go.safetensors");
    assert!(run_gmo(&of_go, &mut |_| true).unwrap().complete);
    let models = Models::in_folder(folder.path());
    let position = <Position<Square8> as game::Game>::new(&Rules::new(2));
    let spec = format!("ig_gmo(net={})", whole.out.display()).parse().unwrap();
    let player = Player::with_models(&spec, position.venue(), WithoutNet::Refuse, &models).unwrap();
    let report = player.agent(7).think(&position, &player.limits(), &Stop::default());
    assert!(game::Game::is_legal(&position, report.best));
    assert!(report.paths.iter().all(|path| path.heights.len() == 5), "{:?}", report.paths);
    // Weights of a table of features are not a start for graph attention.
    let table = gmo(std::slice::from_ref(&square), folder.path().join("table.safetensors"));
    let wrong = GmoRunOptions { start: Some(whole.out), ..table };
    assert!(matches!(run_gmo(&wrong, &mut |_| true).unwrap_err(), TrainError::Encoder { .. }));
}

#[test]
fn energies_are_learned_from_both_games_and_their_nets_play() {
    let folder = tempfile::tempdir().unwrap();
    let (square, three) = (folder.path().join("two"), folder.path().join("three"));
    play(&square, ringrift(Board::Square8, 2), "heuristic", 0, 20);
    play(&three, ringrift(Board::Square8, 3), "mcts(sims=20)", 10, 8);
    let out = folder.path().join("ebmo.safetensors");
    for objective in [EbmoObjective::Contrastive { negatives: 5, hard_share: 0.3 }, EbmoObjective::Softmax] {
        let mut losses = Vec::new();
        let options = EbmoRunOptions { objective, ..ebmo(&[square.clone(), three.clone()], out.clone()) };
        let _ = fs::remove_dir_all(run_folder(&out));
        let finished = run_ebmo(&options, &mut |progress| {
            losses.push(progress.validation_loss);
            true
        });
        assert!(finished.unwrap().complete);
        assert!(losses[3] < losses[0], "the held-out loss falls: {losses:?}");
    }
    let models = Models::in_folder(folder.path());
    let position = <Position<Square8> as game::Game>::new(&Rules::new(3));
    for mode in ["direct", "gradient", "manifold"] {
        let text = format!("ebmo(net={},mode={mode},ebmo_optim_steps=5,ebmo_restarts=2)", out.display());
        let spec = text.parse().unwrap();
        let player = Player::with_models(&spec, position.venue(), WithoutNet::Refuse, &models).unwrap();
        let report = player.agent(7).think(&position, &player.limits(), &Stop::default());
        assert!(game::Game::is_legal(&position, report.best));
    }
    // A net of another kind is refused.
    let spec = format!("gmo(net={})", out.display()).parse().unwrap();
    assert!(Player::with_models(&spec, position.venue(), WithoutNet::Refuse, &models).is_err());
}

#[test]
fn runs_end_when_patience_does_and_keep_the_best_weights() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    play(&data, ringrift(Board::Square8, 2), "heuristic", 100, 20);
    let out = folder.path().join("net.safetensors");
    let mut options = gmo(std::slice::from_ref(&data), out.clone());
    // Steps that are far too large make the loss rise sooner or later.
    options.train = TrainOptions {
        steps: 2_000,
        warmup: 200,
        learning_rate: 0.3,
        average: 0.5,
        patience: Some(60),
        ..options.train
    };
    let mut reports = Vec::new();
    let finished = run_gmo(&options, &mut |progress| {
        reports.push((progress.step, progress.validation_loss));
        true
    });
    let finished = finished.unwrap();
    assert!(finished.complete);
    let (step, loss) = reports.iter().copied().min_by(|one, other| one.1.total_cmp(&other.1)).unwrap();
    assert_eq!(reports.last().unwrap().0, step + 60, "{reports:?}");
    let last = finished.last.unwrap();
    assert_eq!((last.step, last.validation_loss.to_bits()), (step, loss.to_bits()));
    let file = ModelFile::from_bytes(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(file.header.provenance["step"], step.to_string());
    assert_eq!(file.header.provenance["validation_loss"], loss.to_string());
}

/// The rows of a folder, with at most six moves each.
fn gmo_rows(data: &Path) -> GmoRows {
    let labels = GmoLabelOptions { result_share: 0.5, most_moves: 6, ..GmoLabelOptions::default() };
    let source = Source::open_moves(&[data.to_owned()], false, &labels, read()).unwrap();
    let folder = DataFolder::open(data).unwrap();
    let mut rows = source.encoder().no_rows();
    for game in folder.shards().iter().flat_map(|shard| folder.read(shard).unwrap()) {
        source.encoder().encode(0, &game, &mut rows).unwrap();
    }
    assert!(rows.len() > 20, "{}", rows.len());
    for row in &rows.rows {
        let count = row.labels.values.len();
        assert!((1..=6).contains(&count) && row.input.moves(4) == count, "{count}");
        assert!(row.labels.values.iter().all(|value| value.abs() <= 1.0));
        assert!((row.labels.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(row.symmetries, 8);
    }
    assert!(rows.rows.iter().any(|row| row.labels.values.len() == 6));
    rows
}

#[test]
fn rows_have_the_values_of_all_candidates() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    play(&data, Config::go(go::Rules::new(5)), "mcts(sims=40)", 100, 3);
    for row in gmo_rows(&data).rows {
        assert!(row.labels.policy.is_empty());
        assert!(row.labels.weights.iter().all(|&weight| weight > 0.0));
    }
}

#[test]
fn without_candidates_the_move_that_was_played_is_preferred_and_valued() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    play(&data, Config::go(go::Rules::new(5)), "mcts(sims=40)", 0, 3);
    for row in gmo_rows(&data).rows {
        let GmoLabels { values, weights, policy, .. } = row.labels;
        let mut expected = vec![0.0; policy.len()];
        let played = policy.iter().position(|&share| share > 0.5).expect("one move was played");
        expected[played] = 1.0;
        assert_eq!((&policy, &weights), (&expected, &expected));
        expected[played] = values[played];
        assert_eq!(values, expected, "the values of other moves are not known");
    }
}

#[test]
fn data_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let out = path("net.safetensors");
    play(&path("square"), ringrift(Board::Square8, 2), "heuristic", 5, 4);
    play(&path("hex"), ringrift(Board::Hex8, 2), "heuristic", 5, 4);
    play(&path("go"), Config::go(go::Rules::new(5)), "mcts(sims=10)", 5, 2);
    let run = |options: GmoRunOptions| run_gmo(&options, &mut |_| true).unwrap_err();
    assert!(matches!(run(gmo(&[path("square"), path("hex")], out.clone())), TrainError::Encoders { .. }));
    let seed = GmoRunOptions { seed_encoder: true, ..gmo(&[path("go")], out.clone()) };
    assert!(matches!(run(seed), TrainError::Options(_)));
    assert!(matches!(run(gmo(&[path("nothing")], out.clone())), TrainError::Data(_)));
    fs::create_dir(path("empty")).unwrap();
    assert!(matches!(run(gmo(&[path("empty")], out.clone())), TrainError::Data(_)));
    let energies = run_ebmo(&ebmo(&[path("square"), path("hex")], out.clone()), &mut |_| true).unwrap_err();
    assert!(matches!(energies, TrainError::Encoders { .. }));
    assert!(!out.exists());
}
