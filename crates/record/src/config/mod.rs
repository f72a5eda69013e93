//! The options of a game: one table of them, one reader, one writer.
//!
//! [`Config`] is a game with all its options settled, as records hold it: defaults are spelled out there, so that a changed
//! default changes no old record. [`Options`] are those that somebody has chosen, from which a config is resolved.

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
    /// What is played in a position text, as far as its first words say: the game and its board. The other options are
    /// in the position.
    ///
    /// # Errors
    /// If it begins with neither a board nor `go`.
    pub fn of_text(text: &str) -> Result<Self, Fault> {
        let mut words = text.split_whitespace();
        if words.next() == Some("go") {
            // A size that makes no sense is explained by whoever reads the whole text.
            let known = |size: &u8| (go::Rules::SMALLEST..=go::Rules::LARGEST).contains(size);
            let size = words.next().and_then(|size| size.parse().ok()).filter(known);
            return Ok(Self::go(go::Rules::new(size.unwrap_or(go::Rules::LARGEST))));
        }
        match Board::of_text(text) {
            Ok(board) => Ok(Self::ringrift(board, ringrift::Rules::new(2))),
            Err(Fault { span, message }) => Err(Fault::new(span, format!("{message}; or go and a size"))),
        }
    }

    /// A game of RingRift by the present rules with these options.
    pub fn ringrift(board: Board, rules: ringrift::Rules) -> Self {
        Self::RingRift(RingRiftConfig::new(board, rules))
    }

    /// A game of Go by the present rules with these options.
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

    /// The revision of the rules that the game is played by.
    pub fn version(&self) -> u32 {
        match self {
            Self::RingRift(config) => config.version,
            Self::Go(config) => config.version,
        }
    }

    /// The options that differ from the defaults on this board with this number of players, by their flags:
    /// `+komi=6.5+scoring=territory`. Rating scales end with it. A default that depends on another option is spelled
    /// out too, so that no scale changes its meaning with a default.
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

    /// What the table asks of a game of RingRift.
    fn ringrift_config(&self) -> RingRiftConfig {
        match self {
            Self::RingRift(config) => *config,
            Self::Go(_) => unreachable!("the options of RingRift are asked of games of RingRift"),
        }
    }

    /// What the table asks of a game of Go.
    fn go_config(&self) -> GoConfig {
        match self {
            Self::Go(config) => *config,
            Self::RingRift(_) => unreachable!("the options of Go are asked of games of Go"),
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

/// The board: `square8`, or `a 9x9 board of Go`.
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
    /// The revision of the rules that the game was played by.
    pub version: u32,
}

impl RingRiftConfig {
    /// The present rules with these options.
    pub fn new(board: Board, rules: ringrift::Rules) -> Self {
        // A hand that is the board's own number is written as a number but is no option: two equal games, one config.
        let rings = rules.rings.filter(|&rings| rings != board.rings_per_seat());
        Self { board, rules: ringrift::Rules { rings, ..rules }, version: ringrift::Rules::VERSION }
    }
}

/// Options of a game of Go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoConfig {
    /// Size, komi and all other options.
    pub rules: go::Rules,
    /// The revision of the rules that the game was played by.
    pub version: u32,
}

impl GoConfig {
    /// The present rules with these options.
    pub fn new(rules: go::Rules) -> Self {
        Self { rules, version: go::Rules::VERSION }
    }
}
