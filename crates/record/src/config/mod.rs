//! The options of the games.
//!
//! [`Options`] is a partial choice of options, as the user gives them. It resolves to a [`Config`], a game with all its
//! options. Records contain the full config, so that a change of a default does not affect old records.

mod json;
mod options;
mod table;

use std::fmt;

use game::Fault;
use ringrift::Board;

pub use options::{BadOption, Options};
pub use table::{GameKind, GameOption, Value, Values};

/// A game and all its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Config {
    /// A game of RingRift.
    RingRift(RingRiftConfig),
    /// A game of Go.
    Go(GoConfig),
}

impl Config {
    /// Determines the game and the board from the first words of a position text. All other options of the config are
    /// defaults; the position itself has the actual ones.
    ///
    /// # Errors
    /// If it begins with neither a board nor `go`.
    pub fn of_text(text: &str) -> Result<Self, Fault> {
        let mut words = text.split_whitespace();
        if words.next() == Some("go") {
            // An invalid size is reported by the parser of the whole text.
            let known = |size: &u8| (go::Rules::SMALLEST..=go::Rules::LARGEST).contains(size);
            let size = words.next().and_then(|size| size.parse().ok()).filter(known);
            return Ok(Self::go(go::Rules::new(size.unwrap_or(go::Rules::LARGEST))));
        }
        match Board::of_text(text) {
            Ok(board) => Ok(Self::ringrift(board, ringrift::Rules::new(2))),
            Err(Fault { span, message }) => Err(Fault::new(span, format!("{message}; or go and a size"))),
        }
    }

    /// A game of RingRift with these options, by the current revision of the rules.
    pub fn ringrift(board: Board, rules: ringrift::Rules) -> Self {
        Self::RingRift(RingRiftConfig::new(board, rules))
    }

    /// A game of Go with these options, by the current revision of the rules.
    pub fn go(rules: go::Rules) -> Self {
        Self::Go(GoConfig::new(rules))
    }

    /// The game.
    pub fn kind(&self) -> GameKind {
        match self {
            Self::RingRift(_) => GameKind::RingRift,
            Self::Go(_) => GameKind::Go,
        }
    }

    /// The revision of the rules.
    pub fn version(&self) -> u32 {
        match self {
            Self::RingRift(config) => config.version,
            Self::Go(config) => config.version,
        }
    }

    /// The options that differ from the defaults for the board and the number of players, as in
    /// `+komi=6.5+scoring=territory`; the suffix of the name of a rating scale. Defaults that depend on another option are
    /// included, so that a change of a default does not change the meaning of a scale.
    pub fn differences(&self) -> String {
        let usual = match self {
            Self::RingRift(config) => Self::ringrift(config.board, ringrift::Rules::new(config.rules.seats)),
            Self::Go(config) => Self::go(go::Rules::new(config.rules.size)),
        };
        let differing = self.kind().options().iter().filter_map(|option| {
            let value = (option.get)(self);
            (value != (option.get)(&usual)).then(|| match value {
                Value::Flag(true) => format!("+{}", option.flag()),
                value => format!("+{}={value}", option.flag()),
            })
        });
        differing.collect()
    }

    /// The config of a game of RingRift, for the table of options.
    fn ringrift_config(&self) -> RingRiftConfig {
        match self {
            Self::RingRift(config) => *config,
            Self::Go(_) => unreachable!("options of RingRift are read from configs of RingRift"),
        }
    }

    /// The config of a game of Go, for the table of options.
    fn go_config(&self) -> GoConfig {
        match self {
            Self::Go(config) => *config,
            Self::RingRift(_) => unreachable!("options of Go are read from configs of Go"),
        }
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        match self {
            Self::RingRift(config) => config.rules.seats.into(),
            Self::Go(_) => 2,
        }
    }
}

/// Formats the board: `square8`, or `a 9x9 board of Go`.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RingRift(config) => config.board.fmt(f),
            Self::Go(config) => write!(f, "a {0}x{0} board of Go", config.rules.size),
        }
    }
}

/// Board and options of a game of RingRift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingRiftConfig {
    /// The board.
    pub board: Board,
    /// The options.
    pub rules: ringrift::Rules,
    /// The revision of the rules.
    pub version: u32,
}

impl RingRiftConfig {
    /// These options with the current revision of the rules.
    pub fn new(board: Board, rules: ringrift::Rules) -> Self {
        // A number of rings equal to the default of the board is normalised to the default, so that equal games have equal
        // configs.
        let rings = rules.rings.filter(|&rings| rings != board.rings_per_seat());
        Self { board, rules: ringrift::Rules { rings, ..rules }, version: ringrift::Rules::VERSION }
    }
}

/// Options of a game of Go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoConfig {
    /// Size, komi and all other options.
    pub rules: go::Rules,
    /// The revision of the rules.
    pub version: u32,
}

impl GoConfig {
    /// These options with the current revision of the rules.
    pub fn new(rules: go::Rules) -> Self {
        Self { rules, version: go::Rules::VERSION }
    }
}
