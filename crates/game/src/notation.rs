use std::{fmt, ops::Range};

use crate::Game;

/// Moves as people write them.
pub trait Notation: Game {
    /// The text of a legal move.
    fn move_text(&self, m: Self::Move) -> String;

    /// The move that `text` means in this position. It need not be legal: [`Game::check`] says that.
    ///
    /// # Errors
    /// The part of the text that cannot be understood, and what was expected there.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Fault>;
}

/// Positions as one line of text.
pub trait Setup: Game {
    /// The position as one line that [`Setup::from_text`] reads back to an equal position.
    fn to_text(&self) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// Every fault that was found, not only the first.
    fn from_text(text: &str) -> Result<Self, Faults>;
}

/// Something wrong with a piece of text: where, and what.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The bytes of the text that are at fault. Empty at the end of the text if something is missing.
    pub span: Range<usize>,
    /// What is wrong, with the offending value, and what was expected.
    pub message: String,
}

impl Fault {
    /// A fault at `span`.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }
}

/// All faults of one text, at least one.
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
