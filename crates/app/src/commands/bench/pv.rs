//! `riftlab bench pv`: measures policy and value networks.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use host::bench::{self, PvSpeed};
use nn::PvPreset;
use record::Config;
use ringrift::Board;
use serde_json::{Value, json};
use train::{Chart, Point, Series};

use super::parse_seconds;
use crate::{Verdict, atomic_file, printer::Printer, rule_args::RuleArgs};

/// Measure policy and value networks with random weights: encoding, evaluations and training steps.
///
/// The positions come from random games. Rounds in which everything is measured once are repeated; the results are medians.
/// Evaluations take one thread.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Shape of the network: tiny (2 blocks of 16 filters), small (4 × 32), base (6 × 64) or seed (8 × 256).
    #[arg(long, value_name = "PRESET", default_value_t = PvPreset::Small)]
    preset: PvPreset,

    /// Number of threads that share a training step.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,

    /// Measure the presets tiny, small and base on boards of both games instead, and draw what they cost in this SVG file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", crate::rule_args::RULES])]
    plot: Option<PathBuf>,

    /// Number of seconds to measure; with --plot, for every network and board.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_seconds)]
    seconds: f64,

    /// Seed of the weights and positions.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: RuleArgs,
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    if let Some(path) = &args.plot {
        return plot(args, path, printer);
    }
    let config = args.game.agents_only()?;
    let speed = measure(args, &config, args.preset)?;
    if args.json {
        printer.line(row(args, &config, args.preset, &speed))?;
        return Ok(Verdict::Yes);
    }
    let PvSpeed { encoder, weights, rounds, encoding, single, batch, training_step } = &speed;
    let (preset, board, seats) = (args.preset, lab::board(&config), config.seats());
    let [encoding, single, batch, training_step] = [encoding, single, batch, training_step].map(ms);
    let (size, training_size) = (PvSpeed::BATCH, PvSpeed::TRAINING_BATCH);
    printer
        .line(format!("{preset}, {board}, {seats} seats: {weights} weights, {encoder}, {rounds} rounds"))?;
    printer.line(format!("{:10.1} µs to encode a position", encoding * 1e3))?;
    printer.line(format!("{single:10.3} ms to evaluate one position"))?;
    printer.line(format!("{batch:10.3} ms to evaluate {size} positions at once"))?;
    let threads = args.threads;
    printer
        .line(format!("{training_step:10.1} ms to train on {training_size} positions, {threads} threads"))?;
    Ok(Verdict::Yes)
}

fn ms(time: &Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn measure(args: &Args, config: &Config, preset: PvPreset) -> anyhow::Result<PvSpeed> {
    let limit = Duration::from_secs_f64(args.seconds);
    Ok(bench::networks(config, preset, args.threads.into(), args.seed, limit)?)
}

fn row(args: &Args, config: &Config, preset: PvPreset, speed: &PvSpeed) -> Value {
    json!({
        "type": "bench-pv", "version": 1, "board": lab::board(config), "players": config.seats(), "seed": args.seed,
        "preset": preset.name(), "encoder": speed.encoder, "weights": speed.weights, "rounds": speed.rounds,
        "encode_us": ms(&speed.encoding) * 1e3, "batch1_ms": ms(&speed.single), "batch32_ms": ms(&speed.batch),
        "train128_ms": ms(&speed.training_step), "threads": args.threads,
    })
}

/// The presets of a plot. The largest one costs so much more that the others would not be seen.
const PLOTTED: [PvPreset; 3] = [PvPreset::Tiny, PvPreset::Small, PvPreset::Base];

/// The boards of a plot, with the number of points that a network computes for each: a hexagon sits in a square.
fn plotted_boards() -> Vec<(Config, u32)> {
    let ringrift = [(Board::Square8, 64), (Board::Hex8, 81), (Board::Square19, 361), (Board::Hexagonal, 625)];
    let ringrift = ringrift.map(|(board, points)| (Config::ringrift(board, ringrift::Rules::new(2)), points));
    let go = [5, 9, 13].map(|size| (Config::go(go::Rules::new(size)), u32::from(size) * u32::from(size)));
    let mut boards: Vec<_> = ringrift.into_iter().chain(go).collect();
    boards.sort_by_key(|(_, points)| *points);
    boards
}

/// Measures all presets on all boards, and draws times by the size of the board.
fn plot(args: &Args, path: &Path, printer: &Printer) -> anyhow::Result<Verdict> {
    let titles = ["Evaluating a position", "Training on 128 positions"];
    let mut charts = titles.map(|title| Chart {
        title: title.to_owned(),
        x_label: "points of the board, a hexagon with the square around it".to_owned(),
        y_label: "ms".to_owned(),
        series: Vec::new(),
    });
    for preset in PLOTTED {
        let mut points = [Vec::new(), Vec::new()];
        for (config, size) in plotted_boards() {
            let speed = measure(args, &config, preset)?;
            let times = [ms(&speed.single), ms(&speed.training_step)];
            if args.json {
                printer.line(row(args, &config, preset, &speed))?;
            } else {
                let [single, step] = times;
                let board = lab::board(&config);
                printer
                    .line(format!("{preset:6} {board:10} {single:8.3} ms a position {step:8.1} ms a step"))?;
            }
            for (points, time) in points.iter_mut().zip(times) {
                points.push(Point::new(size.into(), time));
            }
        }
        for (chart, points) in charts.iter_mut().zip(points) {
            chart.series.push(Series { name: preset.name().to_owned(), points });
        }
    }
    atomic_file::write(path, train::svg(&charts))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Verdict::Yes)
}
