//! `riftlab solve`: proves the value of a position and of its moves.

mod area;
mod outcome;

use std::time::Instant;

use clap::value_parser;
use host::HostedGame;
use record::Config;
use serde_json::{Value, json};

use crate::{
    Verdict,
    failure::ErrorWithHint,
    position_text,
    printer::{Printer, Style},
    rule_args::{RULES, RuleArgs},
};

/// Prove the value of a position and of its moves by exhaustive search.
///
/// In Go, the value is the difference in area on boards up to 7x7, as in `riftlab solve go --size 4 --ko situational`. In
/// RingRift, it is the winner under best play of all seats, which is feasible for late positions. The exit code is 1 if the
/// value cannot be proven within the given numbers of nodes and megabytes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Solve this position.
    #[arg(long, value_name = "TEXT", conflicts_with = RULES)]
    position: Option<String>,

    /// Maximum number of positions to search; in RingRift, also for every move that the search of the position leaves open.
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,

    /// Maximum size of the search tree in megabytes (RingRift)
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = value_parser!(u16).range(1..=16384))]
    megabytes: u16,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: RuleArgs,
}

/// What is proven about a position.
struct Proof {
    /// The proven value, in words and as fields of the JSON object; `None` if it is not proven.
    value: Option<(String, Value)>,
    /// Every legal move with its proven value in the same form, best first.
    moves: Vec<(String, Option<(String, Value)>)>,
    /// How it was proven, and under which conditions it holds.
    conditions: Vec<String>,
    nodes: u64,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let game = match &args.position {
        Some(text) => position_text::open(text)?,
        None => host::open(&args.game.agents_only()?)?,
    };
    if game.to_move().is_none() {
        let message = "the game is over in this position: there is nothing to solve";
        return Err(ErrorWithHint::error(message, "riftlab show prints its result"));
    }
    let start = Instant::now();
    let spinner = printer.spinner("solving".to_owned());
    let proof = match game.config() {
        Config::Go(_) => area::prove(game.as_ref(), args.nodes),
        Config::RingRift(_) => outcome::prove(game.as_ref(), args.nodes, args.megabytes),
    };
    spinner.finish_and_clear();
    let proof = proof?;
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        printer.line(json(game.as_ref(), &proof, args.nodes, seconds))?;
    } else {
        print(game.as_ref(), &proof, args.nodes, seconds, printer)?;
    }
    Ok(if proof.value.is_some() { Verdict::Yes } else { Verdict::No })
}

/// The proof as JSON. `docs/cli.md` lists its fields.
fn json(game: &dyn HostedGame, proof: &Proof, max_nodes: u64, seconds: f64) -> Value {
    let merge = |head: Value, value: Option<&(String, Value)>| {
        let fields = value.and_then(|(_, fields)| fields.as_object()).cloned();
        let mut object = head;
        if let (Some(object), Some(fields)) = (object.as_object_mut(), fields) {
            object.extend(fields);
        }
        object
    };
    let moves: Vec<Value> = proof
        .moves
        .iter()
        .map(|(text, value)| merge(json!({ "move": text, "solved": value.is_some() }), value.as_ref()))
        .collect();
    let head = json!({
        "type": "solution", "version": 1, "position": game.text(),
        "to_move": game.to_move().map(game::Seat::number), "solved": proof.value.is_some(), "moves": moves,
        "conditions": proof.conditions, "nodes": proof.nodes, "max_nodes": max_nodes, "seconds": seconds,
    });
    merge(head, proof.value.as_ref())
}

fn print(
    game: &dyn HostedGame,
    proof: &Proof,
    max_nodes: u64,
    seconds: f64,
    printer: &Printer,
) -> anyhow::Result<()> {
    let mover = game.to_move().map(|seat| game.seat_name(seat)).unwrap_or_default();
    printer.line(format!("{}, {mover} to move", game.heading()))?;
    let value = match &proof.value {
        Some((words, _)) => words.clone(),
        None => format!("not feasible within {max_nodes} nodes"),
    };
    printer.line(printer.paint(Style::Bold, &value))?;
    let width = proof.moves.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
    let (known, open): (Vec<_>, Vec<_>) = proof.moves.iter().partition(|(_, value)| value.is_some());
    for (text, value) in known {
        let words = value.as_ref().map_or("", |(words, _)| words);
        printer.line(format!("  {text:width$}  {words}"))?;
    }
    if !open.is_empty() && (proof.value.is_some() || open.len() < proof.moves.len()) {
        printer.line(format!("  {} moves are not decided within {max_nodes} nodes", open.len()))?;
    }
    for condition in &proof.conditions {
        printer.paragraph(condition)?;
    }
    printer.line(format!("{} nodes, {seconds:.1} s", proof.nodes))?;
    Ok(())
}
