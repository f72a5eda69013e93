//! A playout board of the smallest type that fits the board size.

use super::playout_board::PlayoutBoard;
use crate::{Board, Colour, Points};

/// A board for playouts: `S` for the smallest sizes, and a [`PlayoutBoard`] that fits for all others.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "one value serves many playouts and is rarely moved")]
pub(super) enum SizedBoard<S> {
    Small(S),
    Nine(PlayoutBoard<128>),
    Fourteen(PlayoutBoard<256>),
    Nineteen(PlayoutBoard<512>),
}

impl<S> SizedBoard<S> {
    /// Converts a board that is too large for `S`.
    pub(super) fn large<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        match board.size() {
            0..=9 => Self::Nine(PlayoutBoard::from_board(board, to_move)),
            10..=14 => Self::Fourteen(PlayoutBoard::from_board(board, to_move)),
            _ => Self::Nineteen(PlayoutBoard::from_board(board, to_move)),
        }
    }
}

/// Evaluates an expression with the board, whatever its type.
macro_rules! with_board {
    ($board:expr, $sized:ident => $call:expr) => {
        match $board {
            SizedBoard::Small($sized) => $call,
            SizedBoard::Nine($sized) => $call,
            SizedBoard::Fourteen($sized) => $call,
            SizedBoard::Nineteen($sized) => $call,
        }
    };
}
pub(super) use with_board;
