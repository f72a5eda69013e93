//! `riftlab perft`: counts move sequences, a regression test of move generation.

use std::time::Instant;

use clap::value_parser;
use serde_json::json;

use crate::{
    Verdict, position_text,
    printer::Printer,
    rule_args::{RULES, RuleArgs},
};

/// Count the sequences of moves of a given length.
///
/// A sequence that ends the game earlier also counts once.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Length of the sequences in plies.
    #[arg(long, value_name = "D", value_parser = value_parser!(u32).range(0..=1000))]
    depth: u32,

    /// Print the count of each first move.
    #[arg(long)]
    split: bool,

    /// Start from this position.
    #[arg(long, value_name = "TEXT", conflicts_with = RULES)]
    position: Option<String>,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: RuleArgs,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let game = match &args.position {
        Some(text) => position_text::open(text)?,
        None => host::open(&args.game.agents_only()?)?,
    };
    let start = Instant::now();
    let split = if args.split { game.perft_split(args.depth) } else { Vec::new() };
    // Without a first move, the empty sequence is the only one.
    let nodes =
        if split.is_empty() { game.perft(args.depth) } else { split.iter().map(|(_, nodes)| nodes).sum() };
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let split: Vec<_> = split.iter().map(|(m, nodes)| json!({ "move": m, "nodes": nodes })).collect();
        printer.line(json!({
            "type": "perft", "version": 1, "board": lab::board(&game.config()), "players": game.seats(),
            "depth": args.depth, "nodes": nodes, "seconds": seconds, "split": split,
        }))?;
    } else {
        let width = split.iter().map(|(m, _)| m.len()).max().unwrap_or(0);
        for (m, nodes) in &split {
            printer.line(format!("{m:width$}  {nodes}"))?;
        }
        printer.line(nodes)?;
    }
    Ok(Verdict::Yes)
}
