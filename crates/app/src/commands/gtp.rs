//! `riftlab gtp`: an agent that is spoken to in the Go Text Protocol, for boards like Sabaki and `GoGui`.

use std::io;

use anyhow::anyhow;
use clap::{ValueEnum, value_parser};
use go::{Komi, Points, Position, Rules};
use gtp::{Engine, EngineOptions, Roster, SeatedAgent};
use ladder::{Playable, Player, Spec, WithoutNet};

use crate::{Verdict, agents, printer::Printer};

/// Play Go as an engine that speaks the Go Text Protocol, version 2.
///
/// Commands are read from standard input and answered on standard output. Programs that show a board, such as Sabaki, run
/// this command and speak to it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who plays.
    #[arg(long, value_name = "SPEC", default_value = "d7", value_parser = agents::parse)]
    agent: Spec,

    /// Lines of the board before anybody says otherwise, 2 to 19.
    #[arg(long, value_name = "N", default_value = "19", value_parser = value_parser!(u8).range(2..=19))]
    size: u8,

    /// Points for White, whole or half [default: 7.5, by Japanese rules 6.5]
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    komi: Option<Komi>,

    /// By which rules.
    #[arg(long, value_name = "RULES", default_value = "chinese")]
    rules: RuleSet,

    /// Resign when the chance to win stays below this, from 0 to 1.
    #[arg(long, value_name = "CHANCE", value_parser = chance)]
    resign: Option<f32>,

    /// Where random numbers come from.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

/// Rule sets by their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum RuleSet {
    /// Area, positional superko, no suicide.
    Chinese,
    /// The same, and suicide is allowed.
    TrompTaylor,
    /// Territory, simple ko, no suicide.
    Japanese,
}

fn chance(text: &str) -> Result<f32, String> {
    let chance: Option<f32> = text.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
    chance.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let rules = match args.rules {
        RuleSet::Chinese => Rules::new(args.size),
        RuleSet::TrompTaylor => Rules::tromp_taylor(args.size),
        RuleSet::Japanese => Rules::japanese(args.size),
    };
    let rules = Rules { komi: args.komi.unwrap_or(rules.komi), ..rules };
    let options = EngineOptions::new("riftlab", env!("CARGO_PKG_VERSION"), rules);
    let options = EngineOptions { resign: args.resign, seed: args.seed, ..options };
    let hall = Hall { spec: args.agent.clone(), seed: args.seed, printer };
    let mut engine = Engine::new(options, hall).map_err(|words| anyhow!(words))?;
    engine.serve(io::stdin(), &mut io::stdout())?;
    Ok(Verdict::Yes)
}

/// Agents of the ladder, a new one for every game.
struct Hall<'a> {
    spec: Spec,
    seed: u64,
    printer: &'a Printer,
}

impl Roster for Hall<'_> {
    fn agent<P: Points>(&mut self, position: &Position<P>) -> Result<SeatedAgent<P>, String> {
        let player = Player::new(&self.spec, position.venue(), WithoutNet::FallBack);
        let player = player.map_err(|refusal| refusal.to_string())?;
        player.probe(position.venue()).map_err(|refusal| refusal.to_string())?;
        if let Some(fallback) = &player.fallback {
            self.printer.note(fallback);
        }
        self.seed = self.seed.wrapping_add(1);
        Ok((player.agent(self.seed), player.limits()))
    }

    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn choose(&mut self, specification: &str) -> Result<(), String> {
        self.spec = agents::parse(specification)?;
        Ok(())
    }
}
