//! Positions given on the command line.

use game::{Faults, Setup};
use ringrift::{Board, Geometry, Position};

use crate::failure::BadText;

const MESSAGE: &str = "the position cannot be read";

/// The board that a position text starts with.
pub(crate) fn board(text: &str) -> anyhow::Result<Board> {
    Board::of_text(text).map_err(|fault| BadText::error(MESSAGE, text, Faults(vec![fault])))
}

/// The position that the text describes.
pub(crate) fn parse<B: Geometry>(text: &str) -> anyhow::Result<Position<B>> {
    Position::from_text(text).map_err(|faults| BadText::error(MESSAGE, text, faults))
}
