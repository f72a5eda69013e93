//! [`Options`]: a game and the options chosen for it, with defaults for the others.

use super::{Config, GameKind, GameOption, Value, Values, table::Partial};

/// A game and a choice of some of its options.
///
/// Command-line flags, JSON, URL queries and records are all read into this type, so that the same options mean the same game
/// everywhere.
///
/// ```
/// use record::{GameKind, Options};
/// let mut options = Options::new(GameKind::Go);
/// options.parse("scoring", "territory")?;
/// let full = Options::from(&options.config()?);
/// assert_eq!(full.to_string(), "go size=9 komi=6.5 handicap=0 ko=simple scoring=territory suicide=no");
/// let error = options.parse("size", "99").unwrap_err();
/// assert_eq!(error.to_string(), "size is \"99\": expected 2 to 19");
/// # Ok::<(), record::BadOption>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    game: GameKind,
    /// One entry for each option of the game, in the order of the table.
    chosen: Vec<Option<Value>>,
}

/// The error for invalid options.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadOption {
    /// There is no such game.
    #[error("game is {found:?}: expected ringrift or go")]
    Game {
        /// The name given.
        found: String,
    },
    /// The game is not named.
    #[error("the game is missing: expected \"game\", which is ringrift or go")]
    NoGame,
    /// Neither game has this option.
    #[error("{name:?} is not an option of {}: expected {}", game.title(), names(*game))]
    Unknown {
        /// The game.
        game: GameKind,
        /// The name given.
        name: String,
    },
    /// The option belongs to the other game.
    #[error("{name} is an option of {}, but the game is {}: leave it out, or say that the game is {}",
        owner.title(), game.title(), owner.name())]
    OtherGame {
        /// The name given.
        name: &'static str,
        /// The game it belongs to.
        owner: GameKind,
        /// The chosen game.
        game: GameKind,
    },
    /// The option is given more than once.
    #[error("{name} is given twice")]
    Twice {
        /// The option.
        name: &'static str,
    },
    /// The option does not take this value.
    #[error("{name} is {found}: expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value given.
        found: String,
        /// The values it takes.
        expected: String,
    },
    /// A record lacks an option.
    #[error("{name} is missing: a record contains all options of {}", game.title())]
    Missing {
        /// The game.
        game: GameKind,
        /// The name of the option in records.
        name: &'static str,
    },
    /// Each option is valid, but the combination is not.
    #[error("{}", .0.join("; "))]
    Unsound(Vec<String>),
}

fn names(game: GameKind) -> String {
    game.options().iter().map(|option| option.name).collect::<Vec<_>>().join(", ")
}

impl Options {
    /// A game with all defaults.
    pub fn new(game: GameKind) -> Self {
        Self { game, chosen: vec![None; game.options().len()] }
    }

    /// The game.
    pub fn game(&self) -> GameKind {
        self.game
    }

    /// The chosen options, in the order of the table.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static GameOption, Value)> {
        self.game.options().iter().zip(&self.chosen).filter_map(|(option, value)| Some((option, (*value)?)))
    }

    /// Returns the option with this name and its index in the table.
    pub(super) fn find(&self, name: &str) -> Result<(usize, &'static GameOption), BadOption> {
        let place =
            |game: GameKind| game.options().iter().enumerate().find(|(_, option)| option.name == name);
        if let Some(found) = place(self.game) {
            return Ok(found);
        }
        let other = GameKind::ALL.into_iter().find_map(|owner| Some((owner, place(owner)?.1.name)));
        Err(match other {
            Some((owner, name)) => BadOption::OtherGame { name, owner, game: self.game },
            None => BadOption::Unknown { game: self.game, name: name.to_owned() },
        })
    }

    pub(super) fn set_at(&mut self, place: usize, value: Value) -> Result<(), BadOption> {
        let name = self.game.options()[place].name;
        if self.chosen[place].replace(value).is_some() { Err(BadOption::Twice { name }) } else { Ok(()) }
    }

    /// Chooses the value of an option by its name.
    ///
    /// # Errors
    /// If the game has no such option, the option is already chosen, or it does not take this value.
    pub fn parse(&mut self, name: &str, text: &str) -> Result<(), BadOption> {
        let (place, option) = self.find(name)?;
        self.set_at(place, option.parse(text)?)
    }

    /// Chooses the value of an option, replacing an earlier choice.
    ///
    /// # Errors
    /// If the option belongs to the other game.
    pub fn set(&mut self, option: &GameOption, value: Value) -> Result<(), BadOption> {
        let (place, _) = self.find(option.name)?;
        self.chosen[place] = Some(value);
        Ok(())
    }

    /// Resets an option to its default.
    pub fn unset(&mut self, option: &GameOption) {
        if let Ok((place, _)) = self.find(option.name) {
            self.chosen[place] = None;
        }
    }

    /// Reads names and values from a URL query; `game` defaults to RingRift.
    ///
    /// # Errors
    /// The first invalid name or value.
    pub fn from_pairs<'a>(
        pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    ) -> Result<Self, BadOption> {
        let game = pairs.clone().find(|(name, _)| *name == "game");
        let mut options = Self::new(game.map_or(Ok(GameKind::RingRift), |(_, game)| game.parse())?);
        for (name, text) in pairs.filter(|(name, _)| *name != "game") {
            options.parse(name, text)?;
        }
        Ok(options)
    }

    /// Resolves the options to a config.
    ///
    /// # Errors
    /// If the combination of options is invalid.
    pub fn config(&self) -> Result<Config, BadOption> {
        self.resolve(ringrift::PartialRules::resolve)
    }

    /// Like [`Options::config`], but two-player RingRift has the pie rule unless the options turn it off. This is the default
    /// for games with people; games between agents have no pie rule by default.
    ///
    /// # Errors
    /// If the combination of options is invalid.
    pub fn config_for_people(&self) -> Result<Config, BadOption> {
        self.resolve(ringrift::PartialRules::resolve_for_people)
    }

    fn resolve(&self, ringrift: fn(ringrift::PartialRules) -> ringrift::Rules) -> Result<Config, BadOption> {
        let mut partial = Partial::default();
        for (option, value) in self.chosen() {
            (option.set)(&mut partial, value);
        }
        let (faults, config) = match self.game {
            GameKind::RingRift => {
                let rules = ringrift(partial.ringrift);
                (rules.faults(), Config::ringrift(partial.board.unwrap_or_default(), rules))
            }
            GameKind::Go => {
                let rules = partial.go.resolve();
                (rules.faults(), Config::go(rules))
            }
        };
        if faults.is_empty() { Ok(config) } else { Err(BadOption::Unsound(faults)) }
    }

    /// Returns the values of `option` that are valid with the other chosen options; `None` if there are too many to list.
    pub fn allowed(&self, option: &GameOption) -> Option<Vec<Value>> {
        let all: Vec<Value> = match option.values {
            Values::Flag => [true, false].map(Value::Flag).into(),
            Values::Number { least, most } if most - least < 32 => {
                (least..=most).map(Value::Number).collect()
            }
            Values::Number { .. } | Values::HalfPoints => return None,
            Values::Names(names) => names.iter().copied().map(Value::Name).collect(),
        };
        let fits = |value: &Value| {
            let mut with = self.clone();
            with.set(option, *value).is_ok() && with.config_for_people().is_ok()
        };
        Some(all.into_iter().filter(fits).collect())
    }
}

/// Chooses all options of a game, including defaults.
impl From<&Config> for Options {
    fn from(config: &Config) -> Self {
        let game = config.kind();
        Self { game, chosen: game.options().iter().map(|option| Some((option.get)(config))).collect() }
    }
}

/// Formats the game and the chosen options, as in `go size=19 komi=6.5`.
impl std::fmt::Display for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.game.name())?;
        self.chosen().try_for_each(|(option, value)| write!(f, " {}={value}", option.name))
    }
}

/// Parses the text form of [`Options`].
impl std::str::FromStr for Options {
    type Err = BadOption;

    fn from_str(text: &str) -> Result<Self, BadOption> {
        let mut words = text.split_whitespace();
        let mut options = Self::new(words.next().ok_or(BadOption::NoGame)?.parse()?);
        for word in words {
            // A flag without a value means yes.
            let (name, value) = word.split_once('=').unwrap_or((word, "yes"));
            options.parse(name, value)?;
        }
        Ok(options)
    }
}
