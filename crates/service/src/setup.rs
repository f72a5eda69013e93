//! What is agreed before the first move, as it crosses the border.

use go::Komi;
use record::{Config, GoConfig, RingRiftConfig};
use ringrift::Board;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Refusal;

/// A game and its options. What is left out has the game's default.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "game", rename_all = "lowercase", deny_unknown_fields)]
pub enum Setup {
    /// RingRift.
    RingRift {
        /// `square8`, `square19`, `hex8` or `hexagonal`.
        #[serde(default = "square8")]
        board: String,
        /// Two, three or four.
        #[serde(default = "two")]
        players: u8,
        /// Whether seat 2 may change places after the first turn. With two players it may unless this says no.
        #[serde(default)]
        swap: Option<bool>,
    },
    /// Go.
    Go {
        /// Lines of the board.
        #[serde(default = "nine")]
        size: u8,
        /// Points for White.
        #[serde(default)]
        komi: Option<f64>,
        /// Black stones at the start.
        #[serde(default)]
        handicap: u8,
        /// `area` or `territory`.
        #[serde(default)]
        scoring: Option<String>,
        /// `positional`, `situational` or `simple`.
        #[serde(default)]
        ko: Option<String>,
    },
}

fn square8() -> String {
    Board::Square8.name().to_owned()
}

fn two() -> u8 {
    2
}

fn nine() -> u8 {
    9
}

impl Setup {
    /// The options it stands for.
    ///
    /// # Errors
    /// Everything that makes no game, in words.
    pub fn config(&self) -> Result<Config, Refusal> {
        match self {
            Self::RingRift { board, players, swap } => {
                let board: Board = board.parse().map_err(Refusal::input)?;
                let swap = swap.unwrap_or(*players == 2);
                let rules = ringrift::Rules { swap, ..ringrift::Rules::new(*players) };
                refuse(&rules.faults()).map(|()| Config::ringrift(board, rules))
            }
            Self::Go { size, komi, handicap, scoring, ko } => {
                let mut rules = go::Rules { handicap: *handicap, ..go::Rules::new(*size) };
                if let Some(scoring) = scoring {
                    rules.scoring = scoring.parse().map_err(Refusal::input)?;
                }
                if rules.scoring == go::Scoring::Territory {
                    rules = go::Rules { handicap: *handicap, ..go::Rules::japanese(*size) };
                }
                if let Some(ko) = ko {
                    rules.ko = ko.parse().map_err(Refusal::input)?;
                }
                match komi {
                    Some(komi) => rules.komi = half_points(*komi)?,
                    None if *handicap > 0 => rules.komi = Komi::from_half_points(1),
                    None => {}
                }
                refuse(&rules.faults()).map(|()| Config::go(rules))
            }
        }
    }
}

fn half_points(komi: f64) -> Result<Komi, Refusal> {
    let halves = 2.0 * komi;
    if halves.fract() == 0.0 && halves.abs() <= 800.0 {
        Ok(Komi::from_half_points(halves as i16))
    } else {
        Err(Refusal::input(format!("komi {komi}: expected half points between -400 and 400, as in 7.5")))
    }
}

fn refuse(faults: &[String]) -> Result<(), Refusal> {
    if faults.is_empty() { Ok(()) } else { Err(Refusal::input(faults.join("; "))) }
}

impl From<&Config> for Setup {
    fn from(config: &Config) -> Self {
        match config {
            Config::RingRift(RingRiftConfig { board, rules, .. }) => Self::RingRift {
                board: board.name().to_owned(),
                players: rules.seats,
                swap: Some(rules.swap),
            },
            Config::Go(GoConfig { rules, .. }) => Self::Go {
                size: rules.size,
                komi: Some(f64::from(rules.komi.half_points()) / 2.0),
                handicap: rules.handicap,
                scoring: Some(rules.scoring.name().to_owned()),
                ko: Some(rules.ko.name().to_owned()),
            },
        }
    }
}
