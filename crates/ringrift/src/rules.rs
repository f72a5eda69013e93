//! The options of a game and the thresholds that follow from them.

use std::{fmt, str::FromStr};

use game::MAX_SEATS;

use crate::Board;

/// The options of a game of RingRift.
///
/// ```
/// use ringrift::{Board, Rules};
/// let goals = Rules::new(3).goals(Board::Square8);
/// assert_eq!((goals.line_length, goals.eliminations, goals.territory), (3, 24, 22));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// The number of seats: two, three or four.
    pub seats: u8,
    /// How lines are detected on hex8 with three or four seats.
    pub variant: Variant,
    /// Which recovery slides that complete a line are legal.
    pub recovery: RecoveryRule,
    /// Whether seat 2 may swap sides after seat 1's first turn (two seats only).
    pub swap: bool,
    /// The number of consecutive exclusive rounds that wins by last player standing; at least one.
    pub lps_rounds: u8,
    /// The number of rings in each starting hand; `None` for the board's default.
    pub rings: Option<u16>,
}

impl Rules {
    /// The revision of the rules as implemented here, which records carry. It increases with every change that could
    /// make a recorded game replay differently.
    pub const VERSION: u32 = 1;

    /// The largest starting hand.
    pub const MAX_RINGS: u16 = 1000;

    /// The default options for this number of seats.
    pub const fn new(seats: u8) -> Self {
        PartialRules { seats: Some(seats), ..PartialRules::NONE }.resolve()
    }

    /// Describes everything that is wrong with these options; empty if they are valid.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !(2..=MAX_SEATS as u8).contains(&self.seats) {
            faults.push(format!("{} seats: expected 2, 3 or 4", self.seats));
        }
        if self.lps_rounds == 0 {
            faults.push("0 last-player-standing rounds: expected at least 1".to_owned());
        }
        if let Some(rings) = self.rings.filter(|rings| !(1..=Self::MAX_RINGS).contains(rings)) {
            faults.push(format!("{rings} rings per seat: expected 1 to {}", Self::MAX_RINGS));
        }
        if self.swap && self.seats != 2 {
            faults.push(format!("the swap rule requires 2 seats, not {}", self.seats));
        }
        faults
    }

    /// The lengths and thresholds that these options imply on a board.
    pub const fn goals(&self, board: Board) -> Goals {
        let rings = match self.rings {
            Some(rings) => rings,
            None => board.rings_per_seat(),
        };
        let small_board_line = if self.seats == 2 { 4 } else { 3 };
        let (line_length, base_line) = match board {
            Board::Square8 => (small_board_line, 3),
            Board::Hex8 => (small_board_line, if matches!(self.variant, Variant::Hex8Line3) { 3 } else { 4 }),
            Board::Square19 | Board::Hexagonal => (4, 4),
        };
        Goals {
            line_length,
            base_line,
            detected_line: if line_length > base_line { line_length } else { base_line },
            rings,
            // The exact value is a multiple of a third, never halfway between integers, so this is the nearest one.
            eliminations: ((2 * rings as u32 * (self.seats as u32 + 1) + 3) / 6) as u16,
            territory: (board.cells() / self.seats as u32 + 1) as u16,
        }
    }
}

/// The options of a game of RingRift that somebody has chosen. [`PartialRules::resolve`] fills in the others.
///
/// ```
/// use ringrift::{PartialRules, Rules};
/// let rules = PartialRules { lps_rounds: Some(1), ..PartialRules::NONE }.resolve();
/// assert_eq!(rules, Rules { lps_rounds: 1, ..Rules::new(2) });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartialRules {
    /// Number of seats; 2 by default.
    pub seats: Option<u8>,
    /// How hex8 finds lines with three or four seats; [`Variant::Hex8Line3`] by default.
    pub variant: Option<Variant>,
    /// Which recovery slides by line exist; [`RecoveryRule::Reference`] by default.
    pub recovery: Option<RecoveryRule>,
    /// Whether seat 2 may swap sides after the first turn; by default it may not.
    pub swap: Option<bool>,
    /// Exclusive rounds that make the last player standing; 3 by default.
    pub lps_rounds: Option<u8>,
    /// Starting hand; the board's own number by default.
    pub rings: Option<u16>,
}

impl PartialRules {
    /// Nothing is chosen.
    pub const NONE: Self =
        Self { seats: None, variant: None, recovery: None, swap: None, lps_rounds: None, rings: None };

    /// The chosen options, with defaults for all others. This is the only place that knows these defaults.
    pub const fn resolve(self) -> Rules {
        Rules {
            seats: match self.seats {
                Some(seats) => seats,
                None => 2,
            },
            variant: match self.variant {
                Some(variant) => variant,
                None => Variant::Hex8Line3,
            },
            recovery: match self.recovery {
                Some(recovery) => recovery,
                None => RecoveryRule::Reference,
            },
            swap: matches!(self.swap, Some(true)),
            lps_rounds: match self.lps_rounds {
                Some(rounds) => rounds,
                None => 3,
            },
            rings: self.rings,
        }
    }

    /// As [`PartialRules::resolve`], but two people have the pie rule unless they decline it.
    pub const fn resolve_for_people(self) -> Rules {
        let rules = self.resolve();
        Rules { swap: rules.swap || (self.swap.is_none() && rules.seats == 2), ..rules }
    }
}

/// The lengths and thresholds that [`Rules`] imply on one board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Goals {
    /// The required line length. A longer line is overlength.
    pub line_length: u8,
    /// The shortest run that line processing detects. It exceeds `line_length` only on hex8 in [`Variant::Base`].
    pub detected_line: u8,
    /// The shortest run that a recovery slide collapses in [`RecoveryRule::Reference`].
    pub base_line: u8,
    /// The number of rings in each starting hand.
    pub rings: u16,
    /// The number of credited rings that wins.
    pub eliminations: u16,
    /// The number of collapsed cells that wins, if it also exceeds that of all other seats together.
    pub territory: u16,
}

/// How lines are detected on hex8 with three or four seats, where engines differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Lines of three count, as the published rules say. The default.
    Hex8Line3,
    /// Only runs of four or more count, and each is overlength, as in the unmodified reference engine.
    Base,
}

impl Variant {
    /// Both variants, the default first.
    pub const ALL: [Self; 2] = [Self::Hex8Line3, Self::Base];

    /// The interchange name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hex8Line3 => "hex8-line3",
            Self::Base => "base",
        }
    }
}

/// Which recovery slides that complete a line are legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecoveryRule {
    /// As in the reference engine, where the result depends on the order of the axes. The default.
    Reference,
    /// As in the published rules: any line through the destination, any window that contains it.
    Text,
}

impl RecoveryRule {
    /// Both rules, the default first.
    pub const ALL: [Self; 2] = [Self::Reference, Self::Text];

    /// The name in position texts and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Text => "text",
        }
    }
}

/// An error for text that names no variant or recovery rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{found:?} is not a {what}: expected {expected}")]
pub struct UnknownName {
    what: &'static str,
    found: String,
    expected: &'static str,
}

impl FromStr for Variant {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|variant| variant.name() == text).ok_or_else(|| UnknownName {
            what: "variant",
            found: text.to_owned(),
            expected: "hex8-line3 or base",
        })
    }
}

impl FromStr for RecoveryRule {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|rule| rule.name() == text).ok_or_else(|| UnknownName {
            what: "recovery rule",
            found: text.to_owned(),
            expected: "reference or text",
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for RecoveryRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_match_the_published_table() {
        let expected = [
            (Board::Square8, [(18, 33), (24, 22), (30, 17)]),
            (Board::Square19, [(72, 181), (96, 121), (120, 91)]),
            (Board::Hex8, [(18, 31), (24, 21), (30, 16)]),
            (Board::Hexagonal, [(96, 235), (128, 157), (160, 118)]),
        ];
        for (board, by_seats) in expected {
            for (seats, wanted) in (2..).zip(by_seats) {
                let goals = Rules::new(seats).goals(board);
                assert_eq!((goals.eliminations, goals.territory), wanted, "{board} for {seats}");
            }
        }
        // One value that rounds up and one that rounds down.
        assert_eq!(Rules { rings: Some(5), ..Rules::new(3) }.goals(Board::Square8).eliminations, 7);
        assert_eq!(Rules { rings: Some(4), ..Rules::new(3) }.goals(Board::Square8).eliminations, 5);
    }

    #[test]
    fn line_lengths_follow_board_seats_and_variant() {
        let lengths = |board, seats, variant| {
            let goals = Rules { variant, ..Rules::new(seats) }.goals(board);
            (goals.line_length, goals.detected_line, goals.base_line)
        };
        assert_eq!(lengths(Board::Square8, 2, Variant::Base), (4, 4, 3));
        assert_eq!(lengths(Board::Square8, 3, Variant::Base), (3, 3, 3));
        assert_eq!(lengths(Board::Hex8, 2, Variant::Base), (4, 4, 4));
        assert_eq!(lengths(Board::Hex8, 2, Variant::Hex8Line3), (4, 4, 3));
        assert_eq!(lengths(Board::Hex8, 4, Variant::Base), (3, 4, 4));
        assert_eq!(lengths(Board::Hex8, 4, Variant::Hex8Line3), (3, 3, 3));
        assert_eq!(lengths(Board::Hexagonal, 3, Variant::Hex8Line3), (4, 4, 4));
    }

    #[test]
    fn all_faults_of_the_options_are_reported() {
        let rules = Rules { swap: true, lps_rounds: 0, rings: Some(0), ..Rules::new(5) };
        assert_eq!(rules.faults().len(), 4, "{:?}", rules.faults());
        assert!(Rules::new(2).faults().is_empty());
    }
}
