//! What was agreed before the first move, by game, and how it stands in a file.
//!
//! Everything is spelled out there, defaults too, so that a changed default changes no old record.

use std::fmt;

use game::Fault;
use ringrift::Board;
use serde::{Deserialize, Serialize};

/// What was agreed before the first move, by game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "game", rename_all = "lowercase")]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenRingRift", into = "WrittenRingRift")]
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
        Self { board, rules: resolved(board, rules), version: ringrift::Rules::VERSION }
    }
}

/// A hand that is the board's own number is written as a number but is no option: two equal games, one config.
fn resolved(board: Board, rules: ringrift::Rules) -> ringrift::Rules {
    ringrift::Rules { rings: rules.rings.filter(|&rings| rings != board.rings_per_seat()), ..rules }
}

/// [`RingRiftConfig`] as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRingRift {
    rules: u32,
    board: String,
    seats: u8,
    variant: String,
    recovery: String,
    swap: bool,
    lps_rounds: u8,
    rings: u16,
}

impl From<RingRiftConfig> for WrittenRingRift {
    fn from(config: RingRiftConfig) -> Self {
        let RingRiftConfig { board, rules, version } = config;
        Self {
            rules: version,
            board: board.name().to_owned(),
            seats: rules.seats,
            variant: rules.variant.name().to_owned(),
            recovery: rules.recovery.name().to_owned(),
            swap: rules.swap,
            lps_rounds: rules.lps_rounds,
            rings: rules.rings.unwrap_or(board.rings_per_seat()),
        }
    }
}

impl TryFrom<WrittenRingRift> for RingRiftConfig {
    type Error = String;

    fn try_from(written: WrittenRingRift) -> Result<Self, String> {
        let board: Board =
            written.board.parse().map_err(|error: ringrift::UnknownBoard| error.to_string())?;
        let name = |error: ringrift::UnknownName| error.to_string();
        let rules = ringrift::Rules {
            seats: written.seats,
            variant: written.variant.parse().map_err(name)?,
            recovery: written.recovery.parse().map_err(name)?,
            swap: written.swap,
            lps_rounds: written.lps_rounds,
            rings: Some(written.rings),
        };
        sound(&rules.faults())?;
        Ok(Self { board, rules: resolved(board, rules), version: written.rules })
    }
}

/// Options of a game of Go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenGo", into = "WrittenGo")]
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

/// [`GoConfig`] as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenGo {
    rules: u32,
    size: u8,
    komi: f64,
    ko: String,
    suicide: bool,
    scoring: String,
    handicap: u8,
}

impl From<GoConfig> for WrittenGo {
    fn from(config: GoConfig) -> Self {
        let GoConfig { rules, version } = config;
        Self {
            rules: version,
            size: rules.size,
            // A number of halves is exact.
            komi: f64::from(rules.komi.half_points()) / 2.0,
            ko: rules.ko.name().to_owned(),
            suicide: rules.suicide,
            scoring: rules.scoring.name().to_owned(),
            handicap: rules.handicap,
        }
    }
}

impl TryFrom<WrittenGo> for GoConfig {
    type Error = String;

    fn try_from(written: WrittenGo) -> Result<Self, String> {
        let name = |error: go::UnknownName| error.to_string();
        let rules = go::Rules {
            size: written.size,
            komi: written.komi.to_string().parse().map_err(|error: go::BadKomi| error.to_string())?,
            ko: written.ko.parse().map_err(name)?,
            suicide: written.suicide,
            scoring: written.scoring.parse().map_err(name)?,
            handicap: written.handicap,
        };
        sound(&rules.faults())?;
        Ok(Self { rules, version: written.rules })
    }
}

fn sound(faults: &[String]) -> Result<(), String> {
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}
