//! `riftlab bench heuristic` and its like: how fast agents think.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use game::Evaluate;
use ladder::{Playable, Player, Spec, WithoutNet};
use record::{Config, on_game};
use search::{Report, Stop};
use serde_json::json;

use super::{parse_seconds, sample};
use crate::{Verdict, agents::parse, hosted::Hosted, printer::Printer, rule_args::RuleArgs};

/// Lets an agent decide in positions from random games, on one thread.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent, with its settings [default: what it is without any]
    #[arg(long, value_name = "SPEC", value_parser = parse)]
    agent: Option<Spec>,

    /// How long to measure.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_seconds)]
    seconds: f64,

    /// Seed of the positions and of the agent.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    game: RuleArgs,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Heuristic,
    AlphaBeta,
    Mcts,
    Descent,
    Gumbel,
}

impl Subject {
    /// The agent, if the command line does not name one.
    const fn agent(self) -> &'static str {
        match self {
            Self::Heuristic => "heuristic",
            Self::AlphaBeta => "minimax(nodes=100000)",
            Self::Mcts => "mcts(sims=10000)",
            Self::Descent => "descent(nodes=1000)",
            Self::Gumbel => "gumbel(sims=1000)",
        }
    }

    /// What its nodes are called, in the field of the report.
    const fn unit(self) -> &'static str {
        match self {
            Self::Heuristic => "evals",
            Self::AlphaBeta | Self::Descent => "nodes",
            Self::Mcts | Self::Gumbel => "sims",
        }
    }
}

pub(super) fn run(subject: Subject, args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let config = args.game.plain()?;
    on_game!(config, P => bench::<P>(subject, args, &config, printer))
}

fn bench<P: Hosted>(
    subject: Subject,
    args: &Args,
    config: &Config,
    printer: &Printer,
) -> anyhow::Result<Verdict> {
    let positions = sample::<P>(config, args.seed, 64)?;
    let spec = args.agent.clone().map_or_else(|| subject.agent().parse(), Ok)?;
    let player = Player::new(&spec, positions[0].venue(), WithoutNet::Refuse)?;
    player.probe(positions[0].venue())?;
    let (limits, stop) = (player.limits(), Stop::default());
    let mut agent = player.agent(args.seed);
    let limit = Duration::from_secs_f64(args.seconds);
    let (mut moves, mut nodes, mut thinking) = (0_u64, 0_u64, Duration::ZERO);
    let start = Instant::now();
    for position in positions.iter().cycle() {
        let Report { nodes: spent, time, .. } = agent.think(position, &limits, &stop);
        (moves, nodes, thinking) = (moves + 1, nodes + spent, thinking + time);
        if start.elapsed() >= limit {
            break;
        }
    }
    let ms_per_move = 1000.0 * thinking.as_secs_f64() / moves as f64;
    // The heuristic is asked as an evaluator; a search counts what it spent.
    let per_second = if subject == Subject::Heuristic {
        evaluations_per_second(&positions, P::sight(player.config.persona), limit)
    } else {
        nodes as f64 / thinking.as_secs_f64()
    };
    let (board, seats, unit) = (lab::board(config), config.seats(), subject.unit());
    if args.json {
        let mut object = json!({
            "type": "bench-agent", "version": 1, "board": board, "players": seats, "seed": args.seed,
            "agent": player.config.to_string(), "moves": moves, "ms_per_move": ms_per_move,
            "nodes_per_move": nodes as f64 / moves as f64,
        });
        object[format!("{unit}_per_s")] = json!(per_second);
        printer.line(object)?;
    } else {
        printer.line(format!("{}, {board}, {seats} seats, seed {}: one thread", player.config, args.seed))?;
        printer.line(format!("{per_second:12.0} {unit}/s"))?;
        printer.line(format!("{ms_per_move:12.3} ms per decision, over {moves} decisions"))?;
    }
    Ok(Verdict::Yes)
}

fn evaluations_per_second<G: Playable>(positions: &[G], mut sight: G::Sight, limit: Duration) -> f64 {
    let start = Instant::now();
    let mut evaluations = 0_u64;
    while evaluations == 0 || start.elapsed() < limit {
        for position in positions {
            black_box(Evaluate::values(&mut sight, black_box(position)));
        }
        evaluations += positions.len() as u64;
    }
    evaluations as f64 / start.elapsed().as_secs_f64()
}
