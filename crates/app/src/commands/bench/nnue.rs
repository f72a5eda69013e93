//! `riftlab bench nnue`: measures incremental evaluations by a net.

use std::time::Duration;

use anyhow::Context;
use host::bench;
use ladder::{Player, Spec, WithoutNet};
use serde_json::json;

use super::parse_seconds;
use crate::{Verdict, data_folder, printer::Printer, rule_args::RuleArgs};

/// Measure evaluations by a net on one thread, incrementally as in alpha-beta search and from scratch.
///
/// Every move of positions from random games is played on a copy of the position, and the result is evaluated. The time
/// includes the move.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The net: nnue for the shipped one, a name, a hash or a file.
    #[arg(long, value_name = "NET", default_value = "nnue")]
    net: String,

    /// Number of seconds to measure.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_seconds)]
    seconds: f64,

    /// Seed of the positions.
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
    let spec: Spec = format!("minimax(net={})", args.net).parse()?;
    let models = data_folder::models();
    let player = Player::with_models(&spec, lab::venue(&config), WithoutNet::Refuse, models)?;
    let net = player.net.as_ref().context("a player that needs a net has one")?.id();
    let limit = Duration::from_secs_f64(args.seconds / 2.0);
    let incremental = bench::line_evaluations(&config, &player, args.seed, limit)?;
    let scratch = bench::evaluations(&config, &player, args.seed, limit)?;
    let (board, seats) = (lab::board(&config), config.seats());
    if args.json {
        printer.line(json!({
            "type": "bench-nnue", "version": 1, "board": board, "players": seats, "seed": args.seed, "net": net,
            "evals_per_s": incremental, "scratch_evals_per_s": scratch,
        }))?;
    } else {
        printer.line(format!("{net}, {board}, {seats} seats, seed {}: one thread", args.seed))?;
        printer.line(format!("{incremental:12.0} evals/s incrementally, with the move"))?;
        printer.line(format!("{scratch:12.0} evals/s from scratch"))?;
    }
    Ok(Verdict::Yes)
}
