//! The error types of hosted games.

use game::{Fault, Faults};
use ladder::{PlayerError, SpecError};
use record::{ReplayError, ReplayProblem};

/// An error when opening a game.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] ReplayProblem),
    /// The text is not a position.
    #[error("not a position: {}", spelled(text, faults))]
    Position {
        /// The text.
        text: String,
        /// All its faults.
        faults: Faults,
    },
    /// The text is too long.
    #[error("the position text is too long: expected at most {max} bytes")]
    TooLong {
        /// The maximum length in bytes.
        max: usize,
    },
    /// The record does not replay.
    #[error(transparent)]
    Record(#[from] ReplayError),
    /// The node of an SGF tree has no valid position.
    #[error("{0}")]
    Sgf(String),
}

/// An error when playing a move or scoring a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The text is not a move.
    #[error("{text:?} is no move: {fault}")]
    Unreadable {
        /// The text.
        text: String,
        /// The part that cannot be parsed.
        fault: Fault,
    },
    /// The rules forbid the move.
    #[error("{text} is not legal: {reason}")]
    Illegal {
        /// The move.
        text: String,
        /// The rule that forbids it.
        reason: String,
        /// The reason for a player, with what to do instead.
        advice: String,
    },
    /// The index is outside the list of legal moves.
    #[error("there is no legal move with the index {index}: expected less than {legal}")]
    Index {
        /// The index.
        index: usize,
        /// The number of legal moves.
        legal: usize,
    },
    /// The dead stones cannot be changed or accepted.
    #[error("{0}")]
    Agreement(String),
}

/// An error when seating occupants.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SeatError {
    /// The number of occupants is wrong.
    #[error("{given} entries in seats: expected {wanted}, one per seat")]
    Count {
        /// The number of occupants given.
        given: usize,
        /// The number of seats.
        wanted: usize,
    },
    /// The text is not a spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The agent cannot play this game.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// All faults, each with the part of the text that it concerns.
fn spelled(text: &str, faults: &Faults) -> String {
    let spelled = faults.0.iter().map(|fault| {
        let part = format!("{:?}", text.get(fault.span.clone()).unwrap_or_default());
        let is_quoted = part == "\"\"" || fault.message.starts_with(&part);
        if is_quoted { fault.message.clone() } else { format!("{part}: {}", fault.message) }
    });
    spelled.collect::<Vec<_>>().join("; ")
}
