//! `riftlab bench signature`: one number over what every agent decides.

use host::bench::Signature;
use record::Config;
use ringrift::{Board, Rules};
use serde_json::json;

use crate::{Verdict, printer::Printer};

/// Let every kind of agent decide in fixed positions with fixed budgets, and print one number over all of it.
///
/// The number changes when any agent, evaluator or rule decides otherwise, and only then: a change that is meant to
/// make things faster or prettier leaves it as it is.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object instead of the number.
    #[arg(long)]
    json: bool,
}

/// Small enough for a debug build, large enough for every part of a search to have its say.
const AGENTS: [&str; 8] = [
    "random",
    "heuristic",
    "minimax(nodes=3000)",
    "maxn(nodes=2000)",
    "brs(nodes=2000)",
    "mcts(sims=300)",
    "descent(nodes=60)",
    "gumbel(sims=128)",
];

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let agents = AGENTS.iter().map(|agent| agent.parse()).collect::<Result<Vec<_>, _>>()?;
    let mut signature = Signature::default();
    for board in Board::ALL {
        for seats in 2..=4 {
            signature.add(&Config::ringrift(board, Rules::new(seats)), &agents)?;
        }
    }
    let Signature { hash, nodes } = signature;
    if args.json {
        printer.line(json!({
            "type": "bench-signature", "version": 1, "signature": format!("{hash:016x}"), "nodes": nodes,
        }))?;
    } else {
        printer.line(format!("{hash:016x}"))?;
    }
    Ok(Verdict::Yes)
}
