//! `riftlab gtp`: an agent that is spoken to in the Go Text Protocol, for boards like Sabaki and `GoGui`.

use std::io;

use anyhow::anyhow;
use clap::{ArgMatches, Command, FromArgMatches, ValueEnum};
use go::Rules;
use gtp_engine::{Engine, EngineOptions};
use ladder::Spec;
use record::{Config, GameKind, GameOption, Options, Value};

use crate::{Verdict, agents, printer::Printer, rule_args};

/// Play Go as an engine that speaks the Go Text Protocol, version 2.
///
/// Commands are read from standard input and answered on standard output. Programs that show a board, such as Sabaki, run
/// this command and speak to it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who plays.
    #[arg(long, value_name = "SPEC", default_value = "d7", value_parser = agents::parse)]
    agent: Spec,

    /// A set of rules by its name; the options of Go change single ones of them.
    #[arg(long, value_name = "RULES", default_value = "chinese")]
    rules: RuleSet,

    #[command(flatten)]
    options: GoArgs,

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
    /// Area scoring, positional superko, no suicide.
    Chinese,
    /// The same, and suicide is allowed.
    TrompTaylor,
    /// Territory scoring, the simple ko, no suicide.
    Japanese,
}

impl RuleSet {
    /// The options that the name stands for.
    fn options(self) -> &'static str {
        match self {
            Self::Chinese => "go scoring=area",
            Self::TrompTaylor => "go scoring=area suicide",
            Self::Japanese => "go scoring=territory",
        }
    }
}

/// Lines of the board before anybody says otherwise: programs that show a board expect the full one.
const SIZE: &str = "19";

/// The options of Go. Handicap stones are placed by commands of the protocol.
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
    let options = EngineOptions { resign: args.resign, seed: args.seed, ..options };
    let mut engine = Engine::new(options, args.agent.clone()).map_err(|words| anyhow!(words))?;
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
    fn rule_sets_are_options_by_another_name() {
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
        assert_eq!(without, ["handicap"], "which fixed_handicap and its kin place");
    }
}
