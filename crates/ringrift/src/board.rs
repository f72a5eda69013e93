//! The four boards by name, and the macro that picks a [geometry](crate::Geometry) at run time.

use std::{fmt, str::FromStr};

/// The four boards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Board {
    /// 8×8 cells. The default.
    #[default]
    Square8,
    /// 19×19 cells.
    Square19,
    /// A hexagon of radius 4, 61 cells.
    Hex8,
    /// A hexagon of radius 12, 469 cells.
    Hexagonal,
}

impl Board {
    /// All four boards: square ones first, small before large.
    pub const ALL: [Self; 4] = [Self::Square8, Self::Square19, Self::Hex8, Self::Hexagonal];

    /// The interchange name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Square8 => "square8",
            Self::Square19 => "square19",
            Self::Hex8 => "hex8",
            Self::Hexagonal => "hexagonal",
        }
    }

    /// The number of cells.
    pub const fn cells(self) -> u32 {
        match self {
            Self::Square8 => 64,
            Self::Square19 => 361,
            Self::Hex8 => 61,
            Self::Hexagonal => 469,
        }
    }

    /// The number of rings each seat starts with, unless [`Rules::rings`](crate::Rules::rings) overrides it.
    pub const fn rings_per_seat(self) -> u16 {
        match self {
            Self::Square8 | Self::Hex8 => 18,
            Self::Square19 => 72,
            Self::Hexagonal => 96,
        }
    }

    /// The height of the tallest stack that play can build: one more than the longest straight distance. A position
    /// that was set up by hand may hold taller stacks; they can never move.
    pub const fn max_stack_height(self) -> u32 {
        match self {
            Self::Square8 => 8,
            Self::Square19 => 19,
            Self::Hex8 => 9,
            Self::Hexagonal => 25,
        }
    }

    /// Whether cells have six neighbours.
    pub const fn is_hex(self) -> bool {
        matches!(self, Self::Hex8 | Self::Hexagonal)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An error for text that is not the name of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a board: expected square8, square19, hex8 or hexagonal")]
pub struct UnknownBoard(pub String);

impl FromStr for Board {
    type Err = UnknownBoard;

    fn from_str(text: &str) -> Result<Self, UnknownBoard> {
        Self::ALL.into_iter().find(|board| board.name() == text).ok_or_else(|| UnknownBoard(text.to_owned()))
    }
}

/// Evaluates an expression with a type alias for the [geometry](crate::Geometry) of a board chosen at run time.
///
/// ```
/// use game::Game;
/// use ringrift::{Board, Position, Rules, on_board};
///
/// let moves = on_board!(Board::Hex8, B => {
///     let mut moves = Vec::new();
///     Position::<B>::new(&Rules::new(2)).legal_moves(&mut moves);
///     moves.len()
/// });
/// assert_eq!(moves, 61 * 3);
/// ```
#[macro_export]
macro_rules! on_board {
    ($board:expr, $geometry:ident => $body:expr) => {
        match $board {
            $crate::Board::Square8 => {
                type $geometry = $crate::Square8;
                $body
            }
            $crate::Board::Square19 => {
                type $geometry = $crate::Square19;
                $body
            }
            $crate::Board::Hex8 => {
                type $geometry = $crate::Hex8;
                $body
            }
            $crate::Board::Hexagonal => {
                type $geometry = $crate::Hexagonal;
                $body
            }
        }
    };
}
