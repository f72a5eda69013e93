//! The table of all options, with their names, descriptions and values.
//!
//! The command line, the JSON of setups and records, the dialog of the web app and the names of rating scales are derived
//! from this table. The defaults are in [`ringrift::PartialRules`] and [`go::PartialRules`].

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
    /// Its name in records, in which `players` is called `seats` for historical reasons.
    pub(super) recorded_as: &'static str,
    /// A label for dialogs.
    pub title: &'static str,
    /// A description, in one sentence without a full stop.
    pub about: &'static str,
    /// The values it takes.
    pub values: Values,
    /// A description of the default.
    pub default: &'static str,
    /// Whether a dialog shows it right away, and not only under further options.
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

/// The chosen options, in the types of the game crates.
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
        about: "Rings in each hand at the start, which also determine how many eliminated rings win",
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
        about: "Number of consecutive rounds after which the only player able to act wins as last player standing",
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
        about: "Size of the board",
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
        about: "Black stones on fixed points at the start; White then moves first",
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
    /// Parses a value; for a flag, `yes`, `true`, `no` or `false`.
    ///
    /// # Errors
    /// If the option does not take this value. The error lists the valid ones.
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

    /// The name with hyphens instead of underscores, for command-line flags and rating scales.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }
}

/// Formats the valid values, as in `2 to 19` or `area or territory`.
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

/// Conversions to the types of the game crates. Values are checked against their option when they are parsed, so each has
/// the expected type.
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
