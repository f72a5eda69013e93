//! A whole loop, from random weights to networks that play better, and one that is interrupted again and again.

use std::{fs, path::Path};

use ladder::{Kind, Models};
use nn::{EbmoPreset, GmoShape, PvPreset};
use record::Config;
use search::Stop;

use super::{Finished, GradientPipelineOptions, PvPipelineOptions, Report, Stage, run};
use crate::{GmoRunOptions, PvLabels, PvRunOptions, TrainOptions};

fn options() -> PvPipelineOptions {
    PvPipelineOptions {
        configs: vec![("5x5".to_owned(), Config::go(go::Rules::new(5)))],
        generations: 3,
        start: None,
        window: Some(2),
        warm: true,
        games: 60,
        sims: vec![16, 24],
        cheap_sims: 4,
        full_share: 0.5,
        decided: Some(0.9),
        archive_share: 0.2,
        interleave: 16,
        opening: 0..=4,
        preset: PvPreset::Tiny,
        labels: PvLabels { result_share: 0.5, value_rows: 1.0, ..PvLabels::default() },
        train: TrainOptions {
            batch: 128,
            steps: 400,
            learning_rate: 5e-3,
            warmup: 10,
            average: 0.95,
            ..PvRunOptions::training()
        },
        reuse: 12.0,
        block_bytes: 1 << 28,
        gate_sims: 8,
        gate_games: 12,
        panel: vec!["random".parse().unwrap()],
        panel_games: 30,
        seed: 1,
        threads: 1,
    }
}

fn learn(folder: &Path, options: &PvPipelineOptions, observer: &mut dyn FnMut(&Stop)) -> Finished {
    let stop = Stop::default();
    run(folder, options, &Models::in_folder(folder), &stop, &mut |_, stage| {
        // The steps of a match are those of its games.
        if !matches!(stage, Stage::Complete(_)) {
            observer(&stop);
        }
    })
    .unwrap()
}

#[test]
fn a_network_learns_go_from_random_weights() {
    let folder = tempfile::tempdir().unwrap();
    let finished = learn(folder.path(), &options(), &mut |_| ());
    assert!(finished.complete);
    let generations = &finished.report.generations;
    assert_eq!(generations.len(), 3);
    let last = generations.last().unwrap();
    // Random weights score one half against random moves, more or less.
    let score = last.panel[0].score;
    assert!(score > 0.8, "{} {:#?}", finished.report.table(), last.panel);
    assert_eq!(last.panel[1].against, "generation 0");
    assert!(last.measures.iter().any(|(name, value)| name == "policy_accuracy" && *value > 0.15));
    for name in
        ["report.md", "report.svg", "config.json", "start.safetensors", "generation-02/net.safetensors"]
    {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    // With nothing left to do, nothing changes.
    let report = fs::read(folder.path().join("report.json")).unwrap();
    learn(folder.path(), &options(), &mut |_| panic!("everything is done"));
    assert_eq!(fs::read(folder.path().join("report.json")).unwrap(), report);
    let other = PvPipelineOptions { reuse: 3.0, ..options() };
    let error =
        run(folder.path(), &other, &Models::in_folder(folder.path()), &Stop::default(), &mut |_, _| ());
    assert!(error.unwrap_err().to_string().contains("reuse is 12.0 there and 3.0 here"));
}

#[test]
fn an_interrupted_loop_continues_to_the_same_report() {
    let small = PvPipelineOptions {
        generations: 2,
        games: 12,
        gate_games: 4,
        panel_games: 2,
        sims: vec![6],
        train: TrainOptions { steps: 30, batch: 32, ..options().train },
        ..options()
    };
    let folder = tempfile::tempdir().unwrap();
    let whole = learn(&folder.path().join("whole"), &small, &mut |_| ());
    let path = folder.path().join("pieces");
    let (mut runs, mut done) = (0, false);
    while !done {
        runs += 1;
        // Every run gets a few steps further than the one before.
        let mut steps = 0;
        let finished = learn(&path, &small, &mut |stop| {
            steps += 1;
            if steps == 6 + runs {
                stop.raise();
            }
        });
        done = finished.complete;
        assert!(runs < 60);
    }
    // How many events a run reports depends on the speed of the machine.
    assert!(runs > 1, "{runs}");
    assert_eq!(Report::read(&path.with_file_name("whole")).unwrap(), whole.report);
    // Opponents are named by their files.
    let read = |name: &str| fs::read_to_string(folder.path().join(name).join("report.json")).unwrap();
    assert_eq!(read("pieces").replace("/pieces/", "/whole/"), read("whole"));
}

#[test]
fn a_flat_panel_asks_for_deeper_searches_and_a_rising_loss_for_less_reuse() {
    let folder = tempfile::tempdir().unwrap();
    let options = PvPipelineOptions {
        generations: 1,
        games: 4,
        gate_games: 2,
        panel_games: 2,
        sims: vec![2, 3],
        train: TrainOptions { steps: 3, batch: 16, ..options().train },
        reuse: 4.0,
        ..options()
    };
    let finished = learn(folder.path(), &options, &mut |_| ());
    let with = |scores: &[f64], losses: &[f32]| {
        let generation = |(&score, &loss): (&f64, &f32)| {
            let mut generation = finished.report.generations[0].clone();
            generation.panel[0].score = score;
            generation.validation_loss = loss;
            generation
        };
        Report { generations: scores.iter().zip(losses).map(generation).collect() }
    };
    let course = |report: &Report| (options.sims(report), options.course(report).reuse);
    assert_eq!(course(&with(&[0.5, 0.6, 0.7, 0.8], &[1.0, 0.9, 0.8, 0.7])), (2, 4.0));
    assert_eq!(course(&with(&[0.5, 0.5, 0.5], &[1.0, 0.9, 0.8])), (3, 4.0));
    assert_eq!(course(&with(&[0.5, 0.6, 0.7], &[1.0, 1.1, 1.2])), (2, 2.0));
    let flat = with(&[0.5, 0.5, 0.5, 0.5, 0.5], &[1.0, 0.9, 0.8, 0.7, 0.6]);
    assert!(super::Recipe::verdict(&options, &flat).is_some());
    assert!(super::Recipe::verdict(&options, &with(&[0.5, 0.5, 0.5], &[1.0, 0.9, 0.8])).is_none());
}

#[test]
fn networks_of_moves_guide_the_games_that_the_next_ones_learn_from() {
    for kind in [Kind::Gmo, Kind::IgGmo, Kind::Ebmo] {
        let folder = tempfile::tempdir().unwrap();
        let options = GradientPipelineOptions {
            kind,
            config: Config::go(go::Rules::new(5)),
            generations: 2,
            window: None,
            start: None,
            values: None,
            games: 8,
            sims: 8,
            opening: 0..=4,
            epochs: 2,
            train: TrainOptions { batch: 16, warmup: 5, average: 0.9, ..GmoRunOptions::training() },
            shape: GmoShape {
                state: 16,
                moves: 16,
                hidden: 32,
                ensemble: 2,
                projection: 8,
                legality: 8,
                ..GmoRunOptions::default_shape()
            },
            preset: EbmoPreset::Tiny,
            block_bytes: 1 << 28,
            gate_games: 4,
            panel: vec!["random".parse().unwrap()],
            panel_games: 4,
            seed: 1,
            threads: 1,
        };
        let models = Models::in_folder(folder.path());
        let finished = run(folder.path(), &options, &models, &Stop::default(), &mut |_, _| ()).unwrap();
        assert_eq!(finished.report.generations.len(), 2, "{kind}");
        for generation in &finished.report.generations {
            assert!(generation.validation_loss.is_finite() && !generation.panel.is_empty(), "{kind}");
        }
        // Unless the first network was rejected, it is the policy of the second generation's games.
        let config = fs::read_to_string(folder.path().join("generation-01/games-2p/config.json")).unwrap();
        let promoted = finished.report.generations[0].promoted;
        assert_eq!(config.contains("policy="), promoted, "{kind}: {config}");
    }
}
