//! `riftlab gtp`: runs an agent as a Go Text Protocol engine, for programs such as Sabaki and `GoGui`.

use std::{io, sync::Arc};

use anyhow::anyhow;
use clap::{ArgMatches, Command, FromArgMatches, ValueEnum};
use go::Rules;
use gtp_engine::{Engine, EngineOptions};
use ladder::Spec;
use record::{Config, GameKind, GameOption, Options, Value};

use crate::{Verdict, agents, agents::seed_from_clock, data_folder, printer::Printer, rule_args};

/// Run a Go engine that implements the Go Text Protocol, version 2.
///
/// Commands are read from standard input and responses are written to standard output. Configure a graphical Go program,
/// such as Sabaki, to run this command as its engine.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent that plays.
    #[arg(long, value_name = "SPEC", default_value = "d7", value_parser = agents::parse)]
    agent: Spec,

    /// A named rule set; the options of Go override single rules of it.
    #[arg(long, value_name = "RULES", default_value = "chinese")]
    rules: RuleSet,

    #[command(flatten)]
    options: GoArgs,

    /// Resign when the probability of winning stays below this value, from 0 to 1.
    #[arg(long, value_name = "CHANCE", value_parser = chance)]
    resign: Option<f32>,

    /// Seed of the agent [default: from the clock]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

/// The named rule sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum RuleSet {
    /// Area scoring, positional superko, no suicide.
    Chinese,
    /// Area scoring, positional superko, suicide allowed.
    TrompTaylor,
    /// Territory scoring, simple ko, no suicide.
    Japanese,
}

impl RuleSet {
    /// The options of the rule set.
    fn options(self) -> &'static str {
        match self {
            Self::Chinese => "go scoring=area",
            Self::TrompTaylor => "go scoring=area suicide",
            Self::Japanese => "go scoring=territory",
        }
    }
}

/// The default size of the board; graphical programs expect the full one.
const SIZE: &str = "19";

/// The options of Go, except handicap stones, which commands of the protocol place.
#[derive(Clone, Debug)]
struct GoArgs(Vec<(&'static GameOption, Value)>);

fn offered() -> impl Iterator<Item = &'static GameOption> {
    GameKind::Go.options().iter().filter(|option| option.name != "handicap")
}

impl FromArgMatches for GoArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(offered().filter_map(|option| Some((option, rule_args::given(matches, option)?))).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for GoArgs {
    fn augment_args(command: Command) -> Command {
        let default = |option: &GameOption| if option.name == "size" { SIZE } else { option.default };
        command.args(offered().flat_map(|option| rule_args::flags(option, default(option), "Go")))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Args {
    /// The rules of the first game.
    fn rules(&self) -> anyhow::Result<Rules> {
        let mut options: Options = self.rules.options().parse()?;
        options.parse("size", SIZE)?;
        for (option, value) in &self.options.0 {
            options.set(option, *value)?;
        }
        match options.config()? {
            Config::Go(config) => Ok(config.rules),
            Config::RingRift(_) => unreachable!("the options are those of Go"),
        }
    }
}

fn chance(text: &str) -> Result<f32, String> {
    let chance: Option<f32> = text.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
    chance.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let options = EngineOptions::new("riftlab", env!("CARGO_PKG_VERSION"), args.rules()?);
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let options = EngineOptions { resign: args.resign, seed, ..options };
    let models = data_folder::open_models();
    let engine = Engine::with_models(options, args.agent.clone(), Arc::new(models));
    let mut engine = engine.map_err(|message| anyhow!(message))?;
    if let Some(fallback) = engine.fallback() {
        printer.note(fallback);
    }
    engine.serve(io::stdin(), &mut io::stdout())?;
    Ok(Verdict::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, Parser};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn rules(words: &str) -> Rules {
        Line::parse_from(["gtp"].into_iter().chain(words.split_whitespace())).args.rules().unwrap()
    }

    #[test]
    fn rule_sets_are_shorthands_for_options() {
        assert_eq!(rules(""), Rules::new(19));
        assert_eq!(rules("--rules japanese"), Rules::japanese(19));
        assert_eq!(rules("--scoring territory"), Rules::japanese(19));
        assert_eq!(rules("--rules tromp-taylor --size 9"), Rules::tromp_taylor(9));
        assert_eq!(
            rules("--rules tromp-taylor --no-suicide --komi -1"),
            Rules { komi: "-1".parse().unwrap(), ..Rules::new(19) }
        );
    }

    #[test]
    fn every_option_of_go_has_a_flag_or_a_command() {
        let command = Args::augment_args(Command::new("gtp"));
        let has_flag = |name: &str| command.get_arguments().any(|arg| arg.get_id() == name);
        let without: Vec<&str> =
            GameKind::Go.options().iter().map(|option| option.name).filter(|name| !has_flag(name)).collect();
        assert_eq!(without, ["handicap"], "fixed_handicap and similar commands place it");
    }
}
