//! `riftlab bench heuristic`, `alphabeta` and so on: measures the speed of agents.

use std::time::Duration;

use host::bench::{self, AgentSpeed};
use ladder::{SettingError, Spec};
use serde_json::json;

use super::parse_seconds;
use crate::{Verdict, agents::parse, data_folder, printer::Printer, rule_args::RuleArgs};

/// Measure the decisions of an agent in positions from random games, on one thread.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent [default: the one of this kind with default settings]
    #[arg(long, value_name = "SPEC", value_parser = parse)]
    agent: Option<Spec>,

    /// The net that the agent plays with: nnue or pv for the shipped one, a name, a hash or a file.
    #[arg(long, value_name = "NET")]
    net: Option<String>,

    /// Number of seconds to measure.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_seconds)]
    seconds: f64,

    /// Seed of the positions and of the agent.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: RuleArgs,
}

/// The kind of agent to measure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Heuristic,
    AlphaBeta,
    Mcts,
    Descent,
    Gumbel,
}

impl Subject {
    /// The default agent.
    const fn agent(self) -> &'static str {
        match self {
            Self::Heuristic => "heuristic",
            Self::AlphaBeta => "minimax(nodes=100000)",
            Self::Mcts => "mcts(sims=10000)",
            Self::Descent => "descent(nodes=1000)",
            Self::Gumbel => "gumbel(sims=1000)",
        }
    }

    /// The name of the rate in the report.
    const fn unit(self) -> &'static str {
        match self {
            Self::Heuristic => "evals",
            Self::AlphaBeta | Self::Descent => "nodes",
            Self::Mcts | Self::Gumbel => "sims",
        }
    }
}

pub(super) fn run(subject: Subject, args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let config = args.game.agents_only()?;
    let mut spec = args.agent.clone().map_or_else(|| subject.agent().parse(), Ok)?;
    if let Some(net) = &args.net {
        set_net(&mut spec, net)?;
    }
    let limit = Duration::from_secs_f64(args.seconds);
    let AgentSpeed { decisions, nodes, thinking, mean_batch, fill, player } =
        bench::agent(&config, &spec, data_folder::models(), args.seed, limit)?;
    let ms_per_move = 1000.0 * thinking.as_secs_f64() / decisions as f64;
    // The heuristic is measured as an evaluator; a search counts its own nodes.
    let per_second = if subject == Subject::Heuristic {
        bench::evaluations(&config, &player, args.seed, limit)?
    } else {
        nodes as f64 / thinking.as_secs_f64()
    };
    let (board, seats, unit) = (lab::board(&config), config.seats(), subject.unit());
    if args.json {
        let mut object = json!({
            "type": "bench-agent", "version": 1, "board": board, "players": seats, "seed": args.seed,
            "agent": player.config.to_string(), "net": player.net.as_ref().map(|net| net.id()), "moves": decisions, "ms_per_move": ms_per_move,
            "nodes_per_move": nodes as f64 / decisions as f64, "mean_batch": mean_batch, "fill": fill,
        });
        object[format!("{unit}_per_s")] = json!(per_second);
        printer.line(object)?;
    } else {
        printer.line(format!("{}, {board}, {seats} seats, seed {}: one thread", player.config, args.seed))?;
        printer.line(format!("{per_second:12.0} {unit}/s"))?;
        printer.line(format!("{ms_per_move:12.3} ms per decision, over {decisions} decisions"))?;
        if let Some(mean) = mean_batch {
            let fill = fill.map(|fill| format!(", {:.0} % of the largest", 100.0 * fill)).unwrap_or_default();
            printer.line(format!("{mean:12.2} positions per batch{fill}"))?;
        }
    }
    Ok(Verdict::Yes)
}

/// Gives an agent a net.
fn set_net(spec: &mut Spec, net: &str) -> Result<(), SettingError> {
    let setting = ("net".to_owned(), net.to_owned());
    match spec {
        Spec::Agent(config) => config.set(&[setting]),
        Spec::Level { overrides, .. } => {
            overrides.push(setting);
            Ok(())
        }
    }
}
