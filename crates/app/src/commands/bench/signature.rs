//! `riftlab bench signature`: one number over what every agent decides.

use ladder::{Player, WithoutNet};
use record::{Config, on_game};
use ringrift::{Board, Rules};
use search::Stop;
use serde_json::json;

use super::sample;
use crate::{Verdict, hosted::Hosted, printer::Printer};

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
    let mut sum = Checksum::new();
    for board in Board::ALL {
        for seats in 2..=4 {
            let config = Config::ringrift(board, Rules::new(seats));
            on_game!(config, P => add::<P>(&mut sum, &config)?);
        }
    }
    let Checksum { state, nodes } = sum;
    if args.json {
        printer.line(json!({
            "type": "bench-signature", "version": 1, "signature": format!("{state:016x}"), "nodes": nodes,
        }))?;
    } else {
        printer.line(format!("{state:016x}"))?;
    }
    Ok(Verdict::Yes)
}

fn add<P: Hosted>(sum: &mut Checksum, config: &Config) -> anyhow::Result<()> {
    for position in sample::<P>(config, 1, 2)? {
        for agent in AGENTS {
            let player = Player::new(&agent.parse()?, position.venue(), WithoutNet::Refuse)?;
            let report = player.agent(1).think(&position, &player.limits(), &Stop::default());
            sum.nodes += report.nodes;
            sum.add(position.move_text(report.best).as_bytes());
            sum.add(&report.nodes.to_le_bytes());
            for value in report.values.iter().flat_map(|values| &values.0[..position.seats()]) {
                sum.add(&value.to_bits().to_le_bytes());
            }
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits: a few lines that give the same number for ever.
struct Checksum {
    state: u64,
    nodes: u64,
}

impl Checksum {
    const fn new() -> Self {
        Self { state: 0xcbf2_9ce4_8422_2325, nodes: 0 }
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}
