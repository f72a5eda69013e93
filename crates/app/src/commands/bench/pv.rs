//! `riftlab bench pv`: measures policy and value networks.

use std::time::Duration;

use host::bench::{self, PvSpeed};
use nn::PvPreset;
use serde_json::json;

use super::parse_seconds;
use crate::{Verdict, printer::Printer, rule_args::RuleArgs};

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

    /// Number of seconds to measure.
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
    let config = args.game.agents_only()?;
    let limit = Duration::from_secs_f64(args.seconds);
    let speed = bench::networks(&config, args.preset, args.threads.into(), args.seed, limit)?;
    let PvSpeed { encoder, weights, rounds, encoding, single, batch, training_step } = &speed;
    let (board, seats) = (lab::board(&config), config.seats());
    let [encoding, single, batch, training_step] =
        [encoding, single, batch, training_step].map(|time| time.as_secs_f64() * 1e3);
    let (size, training_size) = (PvSpeed::BATCH, PvSpeed::TRAINING_BATCH);
    if args.json {
        printer.line(json!({
            "type": "bench-pv", "version": 1, "board": board, "players": seats, "seed": args.seed,
            "preset": args.preset.name(), "encoder": encoder, "weights": weights, "rounds": rounds,
            "encode_us": encoding * 1e3, "batch1_ms": single, "batch32_ms": batch,
            "train128_ms": training_step, "threads": args.threads,
        }))?;
    } else {
        let preset = args.preset;
        printer.line(format!(
            "{preset}, {board}, {seats} seats: {weights} weights, {encoder}, {rounds} rounds"
        ))?;
        printer.line(format!("{:10.1} µs to encode a position", encoding * 1e3))?;
        printer.line(format!("{single:10.3} ms to evaluate one position"))?;
        printer.line(format!("{batch:10.3} ms to evaluate {size} positions at once"))?;
        let threads = args.threads;
        printer.line(format!(
            "{training_step:10.1} ms to train on {training_size} positions, {threads} threads"
        ))?;
    }
    Ok(Verdict::Yes)
}
