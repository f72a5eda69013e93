//! The options of a game: size, komi, ko rule, suicide, scoring and handicap.

use std::{fmt, str::FromStr};

/// The options of a game of Go.
///
/// ```
/// use go::{Komi, Ko, Rules};
/// let rules = Rules { komi: "0.5".parse().unwrap(), ..Rules::new(5) };
/// assert_eq!(rules.ko, Ko::Positional);
/// assert_eq!(rules.komi, Komi::from_half_points(1));
/// assert!(Rules::tromp_taylor(19).suicide);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// The size of the board, 2 to 19.
    pub size: u8,
    /// White's compensation for moving second, including any compensation for handicap stones.
    pub komi: Komi,
    /// Which repetitions are forbidden.
    pub ko: Ko,
    /// Whether a move may leave its own chain without a liberty, in which case the chain is removed.
    pub suicide: bool,
    /// How the final position is scored.
    pub scoring: Scoring,
    /// The number of black stones on the board at the start, 0 or 2 to 9; White then moves first.
    /// [`crate::handicap::fixed`] gives their points. For free placement, [set up](crate::Position::set_up) a position.
    pub handicap: u8,
}

impl Rules {
    /// The revision of the rules as implemented here, which records carry. It increases with every change that could
    /// make a recorded game replay differently.
    pub const VERSION: u32 = 1;

    /// The smallest board.
    pub const SMALLEST: u8 = 2;
    /// The largest board.
    pub const LARGEST: u8 = 19;

    /// The lines of a board unless somebody says otherwise.
    pub const DEFAULT_SIZE: u8 = 9;

    /// All defaults: area scoring, positional superko, no suicide, komi 7.5.
    pub const fn new(size: u8) -> Self {
        PartialRules { size: Some(size), ..PartialRules::NONE }.resolve()
    }

    /// The rules of Tromp and Taylor: like [`Rules::new`], but with suicide allowed.
    pub const fn tromp_taylor(size: u8) -> Self {
        Self { suicide: true, ..Self::new(size) }
    }

    /// Territory scoring, the simple ko rule, no suicide, komi 6.5.
    pub const fn japanese(size: u8) -> Self {
        let scoring = Some(Scoring::Territory);
        PartialRules { size: Some(size), scoring, ..PartialRules::NONE }.resolve()
    }

    /// Describes everything that is wrong with these options; empty if they are valid.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !(Self::SMALLEST..=Self::LARGEST).contains(&self.size) {
            let (least, most) = (Self::SMALLEST, Self::LARGEST);
            faults.push(format!("board size {}: expected {least} to {most}", self.size));
        }
        if self.handicap > 0 && crate::handicap::fixed(self.size.into(), self.handicap.into()).is_none() {
            faults.push(format!(
                "handicap {}: a {size}×{size} board has {}",
                self.handicap,
                match crate::handicap::most_fixed(self.size.into()) {
                    0 => "no fixed handicap points".to_owned(),
                    most => format!("fixed points for 2 to {most} stones"),
                },
                size = self.size,
            ));
        }
        faults
    }
}

/// The options of a game of Go that somebody has chosen. [`PartialRules::resolve`] fills in the others.
///
/// ```
/// use go::{Ko, PartialRules, Rules, Scoring};
/// let rules = PartialRules { scoring: Some(Scoring::Territory), ..PartialRules::NONE }.resolve();
/// assert_eq!((rules.ko, rules.komi.to_string()), (Ko::Simple, "6.5".to_owned()));
/// let rules = PartialRules { handicap: Some(4), ..PartialRules::NONE }.resolve();
/// assert_eq!((rules.ko, rules.komi.to_string()), (Ko::Positional, "0.5".to_owned()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartialRules {
    /// Lines of the board; 9 by default.
    pub size: Option<u8>,
    /// Points for White; by default 0.5 with handicap stones, 6.5 with territory scoring, otherwise 7.5.
    pub komi: Option<Komi>,
    /// Which repetitions are forbidden; by default the simple ko with territory scoring, otherwise positional superko.
    pub ko: Option<Ko>,
    /// Whether suicide is allowed; by default it is not.
    pub suicide: Option<bool>,
    /// What counts at the end; area by default.
    pub scoring: Option<Scoring>,
    /// Black stones on the board at the start; none by default.
    pub handicap: Option<u8>,
}

impl PartialRules {
    /// Nothing is chosen.
    pub const NONE: Self =
        Self { size: None, komi: None, ko: None, suicide: None, scoring: None, handicap: None };

    /// The chosen options, with defaults for all others. This is the only place that knows these defaults.
    pub const fn resolve(self) -> Rules {
        let scoring = match self.scoring {
            Some(scoring) => scoring,
            None => Scoring::Area,
        };
        let handicap = match self.handicap {
            Some(handicap) => handicap,
            None => 0,
        };
        Rules {
            size: match self.size {
                Some(size) => size,
                None => Rules::DEFAULT_SIZE,
            },
            komi: match (self.komi, scoring) {
                (Some(komi), _) => komi,
                (None, _) if handicap > 0 => Komi::from_half_points(1),
                (None, Scoring::Territory) => Komi::from_half_points(13),
                (None, Scoring::Area) => Komi::from_half_points(15),
            },
            ko: match (self.ko, scoring) {
                (Some(ko), _) => ko,
                (None, Scoring::Territory) => Ko::Simple,
                (None, Scoring::Area) => Ko::Positional,
            },
            suicide: matches!(self.suicide, Some(true)),
            scoring,
            handicap,
        }
    }
}

/// Points for White, counted in half points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Komi(i16);

impl Komi {
    /// No komi.
    pub const ZERO: Self = Self(0);

    /// A komi of `halves / 2` points.
    pub const fn from_half_points(halves: i16) -> Self {
        Self(halves)
    }

    /// Twice the komi.
    pub const fn half_points(self) -> i32 {
        self.0 as i32
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_halves(f, self.half_points())
    }
}

/// Writes half points as a decimal number: `7`, `7.5`, `-0.5`.
pub(crate) fn write_halves(f: &mut fmt::Formatter<'_>, halves: i32) -> fmt::Result {
    let sign = if halves < 0 { "-" } else { "" };
    let half = if halves % 2 == 0 { "" } else { ".5" };
    write!(f, "{sign}{}{half}", halves.unsigned_abs() / 2)
}

/// Parses a decimal number that is a multiple of one half: `7`, `7.5`, `-0.50`, `.5`.
pub(crate) fn parse_halves(text: &str) -> Option<i16> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let numeric = |part: &str| part.bytes().all(|digit| digit.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !numeric(whole) {
        return None;
    }
    let half = match fraction.trim_end_matches('0') {
        "" if numeric(fraction) => 0,
        "5" => 1,
        _ => return None,
    };
    let whole = if whole.is_empty() { 0 } else { whole.parse::<i16>().ok()? };
    whole.checked_mul(2)?.checked_add(half)?.checked_mul(sign)
}

/// An error for text that is not a komi.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a komi: expected whole or half points, such as 7.5")]
pub struct BadKomi(String);

impl FromStr for Komi {
    type Err = BadKomi;

    fn from_str(text: &str) -> Result<Self, BadKomi> {
        parse_halves(text).map(Self).ok_or_else(|| BadKomi(text.to_owned()))
    }
}

/// Which repetitions are forbidden. Passing is always allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ko {
    /// No stone may recreate an earlier board.
    Positional,
    /// No stone may recreate an earlier board with the same colour to move.
    Situational,
    /// A ko may not be retaken at once: after a lone stone with no other liberty has captured a single stone, the next
    /// move may not be on the point of that stone. A longer cycle, which repeats the board with the same colour to move,
    /// ends the game without a winner. If the cycle contains a pass, the stone that would complete it is forbidden
    /// instead, so that neither player can be forced to repeat.
    Simple,
}

/// How the final position is scored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scoring {
    /// A colour scores its stones and the empty points that only they reach.
    Area,
    /// A colour scores the empty points that it surrounds and its prisoners.
    Territory,
}

/// An error for text that names no value of an option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name:?} is unknown: expected {expected}")]
pub struct UnknownName {
    name: String,
    expected: &'static str,
}

impl Ko {
    /// All rules of repetition, the default first.
    pub const ALL: [Self; 3] = [Self::Positional, Self::Situational, Self::Simple];

    /// The name in position texts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Positional => "positional",
            Self::Situational => "situational",
            Self::Simple => "simple",
        }
    }
}

impl FromStr for Ko {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|ko| ko.name() == name).ok_or_else(|| UnknownName {
            name: name.to_owned(),
            expected: "positional, situational or simple",
        })
    }
}

impl Scoring {
    /// Both ways of counting, the default first.
    pub const ALL: [Self; 2] = [Self::Area, Self::Territory];

    /// The name in position texts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Area => "area",
            Self::Territory => "territory",
        }
    }
}

impl FromStr for Scoring {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|scoring| scoring.name() == name)
            .ok_or_else(|| UnknownName { name: name.to_owned(), expected: "area or territory" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_reads_back_from_its_text() {
        for halves in -60..=60 {
            let komi = Komi::from_half_points(halves);
            assert_eq!(komi.to_string().parse(), Ok(komi), "{komi}");
        }
        assert_eq!("6.50".parse(), Ok(Komi::from_half_points(13)));
        assert_eq!(".5".parse(), Ok(Komi::from_half_points(1)));
        for wrong in ["", ".", "-", "7.25", "7,5", "1e3", "20000", "7.5.", "--1", "7.-"] {
            assert!(wrong.parse::<Komi>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn all_faults_of_the_options_are_reported() {
        assert_eq!(Rules::new(19).faults(), Vec::<String>::new());
        let wrong = Rules { handicap: 10, ..Rules::new(30) };
        assert_eq!(wrong.faults().len(), 2);
    }
}
