//! The options of a game on the command line, derived from the table in `record`: the game by its name, then a flag for
//! each of its options.

use anyhow::bail;
use clap::{
    Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValuesParser, TypedValueParser, ValueParser},
};
use record::{Config, GameKind, GameOption, Options, Value, Values};

use crate::failure::ErrorWithHint;

/// The argument group of all these options, for commands in which a position or a loaded game excludes them.
pub(crate) const RULES: &str = "rules";

/// The game and its options, as given on the command line.
#[derive(Clone, Debug)]
pub(crate) struct RuleArgs {
    game: GameKind,
    given: Vec<(GameKind, &'static GameOption, Value)>,
}

impl RuleArgs {
    /// Resolves the options. `seats` is the number of players if it is known from another source. If people play,
    /// two-player RingRift has the pie rule unless the command line turns it off.
    pub(crate) fn config(&self, seats: Option<u8>, with_people: bool) -> anyhow::Result<Config> {
        let mut options = self.options()?;
        if let Some(seats) = seats {
            let players = self.game.options().iter().find(|option| option.name == "players");
            match players {
                Some(players) => options.set(players, players.parse(&seats.to_string())?)?,
                None if seats == 2 => {}
                None => bail!("{seats} seats: {} has 2 players", self.game.title()),
            }
        }
        Ok(if with_people { options.config_for_people()? } else { options.config()? })
    }

    /// Resolves the options for a game between agents, which has the pie rule only if the command line turns it on.
    pub(crate) fn agents_only(&self) -> anyhow::Result<Config> {
        self.config(None, false)
    }

    /// The options that are given. An option of another game is an error, because it would have no effect.
    fn options(&self) -> anyhow::Result<Options> {
        let mut options = Options::new(self.game);
        for (owner, option, value) in &self.given {
            if *owner != self.game {
                let message = format!("--{} is an option of {}", option.flag(), owner.title());
                let cure =
                    format!("name the game before its options: {} --{} …", owner.name(), option.flag());
                return Err(ErrorWithHint::error(message, cure));
            }
            options.set(option, *value)?;
        }
        Ok(options)
    }

    /// The number of players, if the command line gives it.
    pub(crate) fn players(&self) -> Option<usize> {
        self.given.iter().find_map(|(_, option, value)| match value {
            Value::Number(players) if option.name == "players" => Some(usize::from(*players)),
            _ => None,
        })
    }
}

impl FromArgMatches for RuleArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let game = *matches.get_one::<GameKind>("game").expect("the game has a default");
        let given = GameKind::ALL.into_iter().flat_map(|owner| {
            let options = owner.options().iter();
            options.filter_map(move |option| Some((owner, option, given(matches, option)?)))
        });
        Ok(Self { game, given: given.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for RuleArgs {
    fn augment_args(command: Command) -> Command {
        let names = PossibleValuesParser::new(GameKind::ALL.map(GameKind::name));
        let game = Arg::new("game")
            .value_name("GAME")
            .help("The game")
            .default_value(GameKind::RingRift.name())
            .value_parser(names.try_map(|name| name.parse::<GameKind>()));
        let command = command.arg(game);
        let args = GameKind::ALL.into_iter().flat_map(|game| {
            game.options().iter().flat_map(move |option| flags(option, option.default, game.title()))
        });
        let args: Vec<Arg> = args.collect();
        let mut ids: Vec<_> = args.iter().map(|arg| arg.get_id().clone()).collect();
        ids.push("game".into());
        command.args(args).group(ArgGroup::new(RULES).args(ids).multiple(true))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The flags of an option: one with a value, or a pair such as `--swap` and `--no-swap` for a boolean option.
pub(crate) fn flags(option: &'static GameOption, default: &str, heading: &'static str) -> Vec<Arg> {
    let flag = option.flag();
    let arg = Arg::new(option.name).long(flag.clone()).help_heading(heading);
    if option.values == Values::Flag {
        let off = negation(option);
        return vec![
            arg.help(format!("{} [default: {default}]", option.about))
                .action(ArgAction::SetTrue)
                .overrides_with(off.clone()),
            Arg::new(off.clone())
                .long(off)
                .help(format!("The opposite of --{flag}"))
                .help_heading(heading)
                .action(ArgAction::SetTrue)
                .overrides_with(option.name),
        ];
    }
    let (value_name, parser, about) = match option.values {
        Values::Number { .. } => ("N", reader(option), format!("{}, {}", option.about, option.values)),
        Values::HalfPoints => ("POINTS", reader(option), option.about.to_owned()),
        Values::Names(names) => {
            let names = PossibleValuesParser::new(names).try_map(|name| option.parse(&name));
            ("NAME", names.into(), option.about.to_owned())
        }
        Values::Flag => unreachable!("flags have returned above"),
    };
    let help = format!("{about} [default: {default}]");
    vec![arg.value_name(value_name).value_parser(parser).allow_negative_numbers(true).help(help)]
}

fn reader(option: &'static GameOption) -> ValueParser {
    ValueParser::new(move |text: &str| option.parse(text))
}

fn negation(option: &GameOption) -> String {
    format!("no-{}", option.flag())
}

/// The value of an option, if the command line gives it.
pub(crate) fn given(matches: &ArgMatches, option: &GameOption) -> Option<Value> {
    if option.values != Values::Flag {
        return matches.get_one::<Value>(option.name).copied();
    }
    let is_set = |id: &str| matches.get_flag(id);
    if is_set(option.name) {
        Some(Value::Flag(true))
    } else {
        is_set(&negation(option)).then_some(Value::Flag(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &str) -> RuleArgs {
        let command = RuleArgs::augment_args(Command::new("test").no_binary_name(true));
        let matches = command.try_get_matches_from(words.split_whitespace()).unwrap();
        RuleArgs::from_arg_matches(&matches).unwrap()
    }

    /// The options that a command line gives.
    fn options(words: &str) -> Options {
        parsed(words).options().unwrap()
    }

    #[test]
    fn every_value_of_every_option_has_a_flag() {
        for game in GameKind::ALL {
            assert_eq!(options(game.name()), Options::new(game));
            for option in game.options() {
                let texts: Vec<String> = match option.values {
                    Values::Flag => vec!["yes".to_owned(), "no".to_owned()],
                    Values::Number { least, most } => vec![least.to_string(), most.to_string()],
                    Values::HalfPoints => ["-3.5", "0", "6.5"].map(str::to_owned).to_vec(),
                    Values::Names(names) => names.iter().map(|&name| name.to_owned()).collect(),
                };
                for text in texts {
                    let words = match text.as_str() {
                        "yes" => format!("{} --{}", game.name(), option.flag()),
                        "no" => format!("{} --{}", game.name(), negation(option)),
                        _ => format!("{} --{} {text}", game.name(), option.flag()),
                    };
                    let mut expected = Options::new(game);
                    expected.parse(option.name, &text).unwrap();
                    assert_eq!(options(&words), expected, "{words}");
                    // The same options in request bodies and records mean the same.
                    let json = serde_json::to_string(&expected).unwrap();
                    let setup: service::Setup = serde_json::from_str(&json).unwrap();
                    let config = parsed(&words).agents_only().ok();
                    assert_eq!(setup.config_for_agents().ok(), config, "{json}");
                    let recorded = config.as_ref().map(|config| serde_json::to_string(config).unwrap());
                    let read = recorded.map(|recorded| serde_json::from_str::<Config>(&recorded).unwrap());
                    assert_eq!(read, config, "{words}");
                }
            }
        }
    }
}
