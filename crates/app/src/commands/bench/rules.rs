//! `riftlab bench rules`: measures the speed of the rules.

use std::time::Duration;

use clap::value_parser;
use host::bench::{self, RulesSpeed, Span};
use serde_json::json;

use super::parse_seconds;
use crate::{Verdict, printer::Printer, rule_args::RuleArgs};

/// Measure uniformly random games on one thread, with all legal moves generated at every ply.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of seconds to play.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_seconds)]
    seconds: f64,

    /// Play this many games instead, without checking the clock.
    #[arg(long, value_name = "G", conflicts_with = "seconds", value_parser = value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Seed of the random moves.
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
    let span = args.games.map_or(Span::Time(Duration::from_secs_f64(args.seconds)), Span::Games);
    let RulesSpeed { games, plies, time, position_bytes: bytes, clone_ns: clone } =
        bench::rules(&config, args.seed, span)?;
    let seconds = time.as_secs_f64();
    let (per_second, plies_per_second) = (games as f64 / seconds, plies as f64 / seconds);
    let mean = plies as f64 / games as f64;
    let (board, seats) = (lab::board(&config), config.seats());
    if args.json {
        printer.line(json!({
            "type": "bench-rules", "version": 1, "board": board, "players": seats, "seed": args.seed,
            "games": games, "plies": plies, "seconds": seconds, "games_per_second": per_second,
            "plies_per_second": plies_per_second, "mean_plies": mean, "position_bytes": bytes,
            "clone_ns": clone,
        }))?;
    } else {
        printer.line(format!("{board}, {seats} seats, seed {}: random games on one thread", args.seed))?;
        printer.line(format!("{per_second:12.1} games/s   {games} games in {seconds:.2} s"))?;
        printer.line(format!("{plies_per_second:12.0} plies/s   {mean:.1} plies per game"))?;
        let clone = clone.map(|ns| format!("   cloned in {ns:.1} ns")).unwrap_or_default();
        printer.line(format!("{bytes:12} bytes per position{clone}"))?;
    }
    Ok(Verdict::Yes)
}
