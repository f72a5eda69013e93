//! `riftlab bench gmo` and `riftlab bench ebmo`: measures decisions of agents that follow gradients.

use std::time::Duration;

use anyhow::bail;
use host::bench::{self, GradientSpeed};
use ladder::{AgentConfig, Kind};
use nn::EbmoPreset;
use serde_json::json;

use super::parse_seconds;
use crate::{Verdict, printer::Printer, rule_args::RuleArgs};

/// Measure decisions of an agent that follows the gradients of a network with random weights.
///
/// The positions come from random games and have about forty legal moves. The result is the median over decisions, on one
/// thread.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How the move is found: direct, gradient or manifold (ebmo), or ascent (gmo).
    #[arg(long, value_name = "MODE")]
    mode: Option<String>,

    /// Further settings of the agent, separated by commas, as in `top_k=5`.
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    settings: String,

    /// Shape of the network of energies: tiny (1 block of 8 filters), small (3 × 32) or seed (6 × 128).
    #[arg(long, value_name = "PRESET", default_value_t = EbmoPreset::Seed)]
    preset: EbmoPreset,

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

pub(super) fn run(kind: Kind, args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let mut agent = AgentConfig::new(kind);
    let mut pairs = Vec::new();
    for setting in ladder::split(&args.settings).filter(|setting| !setting.is_empty()) {
        let Some((name, value)) = setting.split_once('=') else {
            bail!("{setting:?} is not a setting: expected name=value");
        };
        pairs.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    match (kind, args.mode.as_deref()) {
        (Kind::Ebmo, Some(mode)) => pairs.push(("mode".to_owned(), mode.to_owned())),
        (_, None | Some("ascent")) => {}
        (_, Some(mode)) => bail!("{kind} has no mode {mode:?}: expected ascent"),
    }
    agent.set(&pairs)?;
    let config = args.game.agents_only()?;
    let limit = Duration::from_secs_f64(args.seconds);
    let GradientSpeed { encoder, weights, decisions, moves, decision } =
        bench::gradients(&config, &agent, args.preset, args.seed, limit)?;
    let (board, seats, milliseconds) = (lab::board(&config), config.seats(), decision.as_secs_f64() * 1e3);
    if args.json {
        printer.line(json!({
            "type": format!("bench-{kind}"), "version": 1, "board": board, "players": seats, "seed": args.seed,
            "agent": agent.to_string(), "encoder": encoder, "weights": weights, "decisions": decisions,
            "moves": moves, "ms_per_move": milliseconds,
        }))?;
    } else {
        printer.line(format!("{agent}, {board}, {seats} seats: {weights} weights, {encoder}"))?;
        printer.line(format!(
            "{milliseconds:10.3} ms a decision, the median of {decisions} with {moves:.0} moves on average"
        ))?;
    }
    Ok(Verdict::Yes)
}
