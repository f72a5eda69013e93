//! The table of all options: what each is called, what it means, and which values it takes.
//!
//! The command line, the JSON of setups and records, the dialog of the web app and the names of rating scales are all
//! derived from this table. Defaults are not in it: [`ringrift::PartialRules`] and [`go::PartialRules`] have them.

use std::{fmt, str::FromStr};

use go::{Ko, Komi, Scoring};
use ringrift::{Board, RecoveryRule, Variant};

use super::{BadOption, Config};

/// The games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameKind {
    /// RingRift.
    RingRift,
    /// Go.
    Go,
}

impl GameKind {
    /// Both games.
    pub const ALL: [Self; 2] = [Self::RingRift, Self::Go];

    /// The name that options and records use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RingRift => "ringrift",
            Self::Go => "go",
        }
    }

    /// The name in running text.
    pub const fn title(self) -> &'static str {
        match self {
            Self::RingRift => "RingRift",
            Self::Go => "Go",
        }
    }

    /// The options of this game, in the order in which they are listed everywhere.
    pub fn options(self) -> &'static [GameOption] {
        match self {
            Self::RingRift => &RINGRIFT,
            Self::Go => &GO,
        }
    }
}

impl FromStr for GameKind {
    type Err = BadOption;

    fn from_str(name: &str) -> Result<Self, BadOption> {
        let known = Self::ALL.into_iter().find(|game| game.name() == name);
        known.ok_or_else(|| BadOption::Game { found: name.to_owned() })
    }
}

/// One option of a game.
#[derive(Debug)]
pub struct GameOption {
    /// Its name, such as `lps_rounds`. Command-line flags and rating scales write hyphens for underscores.
    pub name: &'static str,
    /// Its name in records, which called the players `seats` before there was a table.
    pub(super) recorded_as: &'static str,
    /// A label for dialogs.
    pub title: &'static str,
    /// What it means, in one sentence without a full stop.
    pub about: &'static str,
    /// The values it takes.
    pub values: Values,
    /// The default in words.
    pub default: &'static str,
    /// Whether a dialog shows it at once and not only among further options.
    pub prominent: bool,
    pub(super) get: fn(&Config) -> Value,
    pub(super) set: fn(&mut Partial, Value),
}

/// The values that an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Yes or no.
    Flag,
    /// A whole number in a range.
    Number {
        /// The smallest.
        least: u16,
        /// The largest.
        most: u16,
    },
    /// A whole number of half points.
    HalfPoints,
    /// One of these names.
    Names(&'static [&'static str]),
}

/// The value of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(u16),
    /// Points of Go.
    Points(Komi),
    /// A name from the list of its option.
    Name(&'static str),
}

/// The options that are given, in the types of the games.
#[derive(Clone, Copy, Default)]
pub(super) struct Partial {
    pub(super) board: Option<Board>,
    pub(super) ringrift: ringrift::PartialRules,
    pub(super) go: go::PartialRules,
}

const RINGRIFT: [GameOption; 7] = [
    GameOption {
        name: "board",
        recorded_as: "board",
        title: "Board",
        about: "The board",
        values: Values::Names(&[
            Board::Square8.name(),
            Board::Square19.name(),
            Board::Hex8.name(),
            Board::Hexagonal.name(),
        ]),
        default: "square8",
        prominent: true,
        get: |config| Value::Name(config.ringrift_config().board.name()),
        set: |partial, value| partial.board = value.parsed(),
    },
    GameOption {
        name: "players",
        recorded_as: "seats",
        title: "Players",
        about: "Number of players",
        values: Values::Number { least: 2, most: 4 },
        default: "2",
        prominent: true,
        get: |config| Value::Number(config.ringrift_config().rules.seats.into()),
        set: |partial, value| partial.ringrift.seats = value.small(),
    },
    GameOption {
        name: "rings",
        recorded_as: "rings",
        title: "Rings",
        about: "Rings in each hand at the start; how many eliminated rings win follows from it",
        values: Values::Number { least: 1, most: ringrift::Rules::MAX_RINGS },
        default: "18 on square8 and hex8, 72 on square19, 96 on hexagonal",
        prominent: false,
        get: |config| {
            let config = config.ringrift_config();
            Value::Number(config.rules.goals(config.board).rings)
        },
        set: |partial, value| partial.ringrift.rings = value.number(),
    },
    GameOption {
        name: "swap",
        recorded_as: "swap",
        title: "Pie rule",
        about: "The pie rule: after the first turn, the second of two players may swap sides",
        values: Values::Flag,
        default: "no; yes for two players where people play",
        prominent: true,
        get: |config| Value::Flag(config.ringrift_config().rules.swap),
        set: |partial, value| partial.ringrift.swap = value.flag(),
    },
    GameOption {
        name: "lps_rounds",
        recorded_as: "lps_rounds",
        title: "Last player standing",
        about: "Consecutive rounds in which only one player can act that make it the last player standing",
        values: Values::Number { least: 1, most: u8::MAX as u16 },
        default: "3",
        prominent: false,
        get: |config| Value::Number(config.ringrift_config().rules.lps_rounds.into()),
        set: |partial, value| partial.ringrift.lps_rounds = value.small(),
    },
    GameOption {
        name: "variant",
        recorded_as: "variant",
        title: "Lines on hex8",
        about: "How hex8 finds lines with three or four players: lines of three, or runs of four as in the \
                unmodified reference engine",
        values: Values::Names(&[Variant::Hex8Line3.name(), Variant::Base.name()]),
        default: "hex8-line3",
        prominent: false,
        get: |config| Value::Name(config.ringrift_config().rules.variant.name()),
        set: |partial, value| partial.ringrift.variant = value.parsed(),
    },
    GameOption {
        name: "recovery",
        recorded_as: "recovery",
        title: "Recovery slides",
        about: "Which recovery slides make a line: those of the reference engine, or all that the published rules \
                allow",
        values: Values::Names(&[RecoveryRule::Reference.name(), RecoveryRule::Text.name()]),
        default: "reference",
        prominent: false,
        get: |config| Value::Name(config.ringrift_config().rules.recovery.name()),
        set: |partial, value| partial.ringrift.recovery = value.parsed(),
    },
];

const GO: [GameOption; 6] = [
    GameOption {
        name: "size",
        recorded_as: "size",
        title: "Board",
        about: "Lines of the board",
        values: Values::Number { least: go::Rules::SMALLEST as u16, most: go::Rules::LARGEST as u16 },
        default: "9",
        prominent: true,
        get: |config| Value::Number(config.go_config().rules.size.into()),
        set: |partial, value| partial.go.size = value.small(),
    },
    GameOption {
        name: "komi",
        recorded_as: "komi",
        title: "Komi",
        about: "Points for White, whole or half",
        values: Values::HalfPoints,
        default: "7.5; 6.5 with territory scoring, 0.5 with handicap stones",
        prominent: true,
        get: |config| Value::Points(config.go_config().rules.komi),
        set: |partial, value| partial.go.komi = value.points(),
    },
    GameOption {
        name: "handicap",
        recorded_as: "handicap",
        title: "Handicap stones",
        about: "Black stones on their fixed points at the start, after which White moves first",
        values: Values::Number { least: 0, most: 9 },
        default: "0",
        prominent: true,
        get: |config| Value::Number(config.go_config().rules.handicap.into()),
        set: |partial, value| partial.go.handicap = value.small(),
    },
    GameOption {
        name: "ko",
        recorded_as: "ko",
        title: "Ko rule",
        about: "Which repetitions are forbidden: positional superko, situational superko or the simple ko",
        values: Values::Names(&[Ko::Positional.name(), Ko::Situational.name(), Ko::Simple.name()]),
        default: "positional; simple with territory scoring",
        prominent: false,
        get: |config| Value::Name(config.go_config().rules.ko.name()),
        set: |partial, value| partial.go.ko = value.parsed(),
    },
    GameOption {
        name: "scoring",
        recorded_as: "scoring",
        title: "Scoring",
        about: "What counts at the end: area (Chinese rules) or territory (Japanese rules)",
        values: Values::Names(&[Scoring::Area.name(), Scoring::Territory.name()]),
        default: "area",
        prominent: true,
        get: |config| Value::Name(config.go_config().rules.scoring.name()),
        set: |partial, value| partial.go.scoring = value.parsed(),
    },
    GameOption {
        name: "suicide",
        recorded_as: "suicide",
        title: "Suicide",
        about: "Moves may leave their own chain without a liberty, which takes it off the board",
        values: Values::Flag,
        default: "no",
        prominent: false,
        get: |config| Value::Flag(config.go_config().rules.suicide),
        set: |partial, value| partial.go.suicide = value.flag(),
    },
];

impl GameOption {
    /// Reads a value from text: `yes`, `true`, `no` or `false` for a flag.
    ///
    /// # Errors
    /// If the option does not take this value; the error names those it takes.
    pub fn parse(&self, text: &str) -> Result<Value, BadOption> {
        let value = match self.values {
            Values::Flag => match text {
                "yes" | "true" => Some(Value::Flag(true)),
                "no" | "false" => Some(Value::Flag(false)),
                _ => None,
            },
            Values::Number { least, most } => {
                text.parse().ok().filter(|number| (least..=most).contains(number)).map(Value::Number)
            }
            Values::HalfPoints => text.parse().ok().map(Value::Points),
            Values::Names(names) => names.iter().find(|name| **name == text).copied().map(Value::Name),
        };
        value.ok_or_else(|| BadOption::Value {
            name: self.name,
            found: format!("{text:?}"),
            expected: self.values.to_string(),
        })
    }

    /// The long command-line flag, without its hyphens, and the spelling in rating scales.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }
}

/// The allowed values in words: `2 to 19`, `area or territory`.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("true or false"),
            Self::Number { least, most } => write!(f, "{least} to {most}"),
            Self::HalfPoints => f.write_str("whole or half points, such as 7.5"),
            Self::Names([first @ .., last]) => write!(f, "{} or {last}", first.join(", ")),
            Self::Names([]) => Ok(()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(true) => f.write_str("yes"),
            Self::Flag(false) => f.write_str("no"),
            Self::Number(number) => number.fmt(f),
            Self::Points(points) => points.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// Values are checked against their option when they are read, so that each is of the kind asked for here.
impl Value {
    fn flag(self) -> Option<bool> {
        if let Self::Flag(yes) = self { Some(yes) } else { None }
    }

    fn number(self) -> Option<u16> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    fn small(self) -> Option<u8> {
        self.number().and_then(|number| number.try_into().ok())
    }

    fn points(self) -> Option<Komi> {
        if let Self::Points(points) = self { Some(points) } else { None }
    }

    fn parsed<T: FromStr>(self) -> Option<T> {
        if let Self::Name(name) = self { name.parse().ok() } else { None }
    }
}
