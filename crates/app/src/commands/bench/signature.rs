//! `riftlab bench signature`: a hash of the decisions of every kind of agent.

use host::bench::Signature;
use record::Config;
use ringrift::{Board, Rules};
use serde_json::json;

use crate::{Verdict, printer::Printer};

/// Print a hash of the decisions of every kind of agent in fixed positions with fixed budgets.
///
/// The signature changes exactly when the behaviour of an agent, an evaluator or the rules changes. Optimisations and
/// refactorings leave it unchanged.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print a JSON object instead of the signature alone.
    #[arg(long)]
    json: bool,
}

/// Budgets are small enough for a debug build and large enough to exercise every part of a search.
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
