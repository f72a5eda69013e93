//! `riftlab bench`: how fast things are, and whether they are what they were.

mod agents;
mod go;
mod rules;
mod signature;

use clap::Subcommand;

use crate::{Verdict, printer::Printer};

/// Measure speed.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Rules(rules::Args),
    Go(go::Args),
    /// Evaluations by the heuristic, and decisions of the agent that looks one ply ahead with it.
    Heuristic(agents::Args),
    /// Alpha-beta search.
    Alphabeta(agents::Args),
    /// Monte Carlo tree search.
    Mcts(agents::Args),
    /// Best-first minimax search.
    Descent(agents::Args),
    /// Gumbel search.
    Gumbel(agents::Args),
    Signature(signature::Args),
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    match &args.what {
        What::Rules(args) => rules::run(args, printer),
        What::Go(args) => go::run(args, printer),
        What::Heuristic(args) => agents::run(agents::Subject::Heuristic, args, printer),
        What::Alphabeta(args) => agents::run(agents::Subject::AlphaBeta, args, printer),
        What::Mcts(args) => agents::run(agents::Subject::Mcts, args, printer),
        What::Descent(args) => agents::run(agents::Subject::Descent, args, printer),
        What::Gumbel(args) => agents::run(agents::Subject::Gumbel, args, printer),
        What::Signature(args) => signature::run(args, printer),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds".to_owned())
}
