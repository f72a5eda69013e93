//! `riftlab bench`: measures the speed of the rules and the agents, and computes the signature of their decisions.

mod agents;
mod go;
mod gradient;
mod nnue;
mod pv;
mod rules;
mod signature;

use clap::Subcommand;
use ladder::Kind;

use crate::{Verdict, printer::Printer};

/// Measure the speed of the rules and of agents.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Rules(rules::Args),
    Go(go::Args),
    /// Measure evaluations by the heuristic, and decisions of the one-ply agent that uses it.
    Heuristic(agents::Args),
    Nnue(nnue::Args),
    Pv(pv::Args),
    /// Measure alpha-beta search.
    Alphabeta(agents::Args),
    /// Measure Monte Carlo tree search.
    Mcts(agents::Args),
    /// Measure best-first minimax search.
    Descent(agents::Args),
    /// Measure Gumbel search.
    Gumbel(agents::Args),
    /// Measure decisions of gradient move optimisation.
    Gmo(gradient::Args),
    /// Measure decisions of energy-based move optimisation.
    Ebmo(gradient::Args),
    Signature(signature::Args),
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    match &args.what {
        What::Rules(args) => rules::run(args, printer),
        What::Go(args) => go::run(args, printer),
        What::Heuristic(args) => agents::run(agents::Subject::Heuristic, args, printer),
        What::Nnue(args) => nnue::run(args, printer),
        What::Pv(args) => pv::run(args, printer),
        What::Alphabeta(args) => agents::run(agents::Subject::AlphaBeta, args, printer),
        What::Mcts(args) => agents::run(agents::Subject::Mcts, args, printer),
        What::Descent(args) => agents::run(agents::Subject::Descent, args, printer),
        What::Gumbel(args) => agents::run(agents::Subject::Gumbel, args, printer),
        What::Gmo(args) => gradient::run(Kind::Gmo, args, printer),
        What::Ebmo(args) => gradient::run(Kind::Ebmo, args, printer),
        What::Signature(args) => signature::run(args, printer),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
    seconds.ok_or_else(|| "expected a positive number of seconds, such as 2.5".to_owned())
}
