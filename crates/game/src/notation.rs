//! Text notation for moves and positions, and the errors of its parsers.

use std::{fmt, ops::Range};

use crate::Game;

/// Text notation for moves.
pub trait Notation: Game {
    /// The text of a legal move.
    fn move_text(&self, m: Self::Move) -> String;

    /// Parses a move in this position. The move need not be legal; see [`Game::check`].
    ///
    /// # Errors
    /// The part of the text that cannot be parsed, and what was expected there.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Fault>;
}

/// Text notation for positions, one line each.
pub trait Setup: Game {
    /// The position as a line of text. [`Setup::from_text`] parses it into an equal position.
    fn to_text(&self) -> String;

    /// Parses a position.
    ///
    /// # Errors
    /// All faults in the text, not only the first.
    fn from_text(text: &str) -> Result<Self, Faults>;
}

/// An error in a text, with its location.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The byte range at fault. Empty, at the end of the text, if something is missing.
    pub span: Range<usize>,
    /// What is wrong, with the offending value, and what was expected.
    pub message: String,
}

impl Fault {
    /// Creates a fault at `span`.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }
}

/// All faults of a text. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
