//! A playout board of fitting size.

use super::light::Light;
use crate::{Board, Colour, Points};

/// A board for playouts: `S` for the smallest sizes, otherwise the smallest that fits.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "one value serves many playouts, and none is moved about")]
pub(super) enum Room<S> {
    Small(S),
    Nine(Light<128>),
    Fourteen(Light<256>),
    Nineteen(Light<512>),
}

impl<S> Room<S> {
    /// Makes room for a board that is too large for `S`.
    pub(super) fn large<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        match board.size() {
            0..=9 => Self::Nine(Light::from_board(board, to_move)),
            10..=14 => Self::Fourteen(Light::from_board(board, to_move)),
            _ => Self::Nineteen(Light::from_board(board, to_move)),
        }
    }
}

/// Calls the same method of whichever board it is.
macro_rules! in_room {
    ($room:expr, $board:ident => $call:expr) => {
        match $room {
            Room::Small($board) => $call,
            Room::Nine($board) => $call,
            Room::Fourteen($board) => $call,
            Room::Nineteen($board) => $call,
        }
    };
}
pub(super) use in_room;
