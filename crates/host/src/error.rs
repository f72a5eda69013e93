//! What can go wrong with a hosted game.

use game::{Fault, Faults};
use ladder::{PlayerError, SpecError};
use record::{ReplayError, ReplayProblem};

/// Why no game could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Options that make no game.
    #[error(transparent)]
    Options(#[from] ReplayProblem),
    /// A text that is no position.
    #[error("not a position: {}", spelled(text, faults))]
    Position {
        /// The text.
        text: String,
        /// Everything that is wrong with it.
        faults: Faults,
    },
    /// A text that is too long to be a position.
    #[error("the position text is longer than {longest} bytes")]
    TooLong {
        /// The most that is read.
        longest: usize,
    },
    /// A record that does not replay.
    #[error(transparent)]
    Record(#[from] ReplayError),
    /// A node of an SGF tree that cannot be reached.
    #[error("{0}")]
    Sgf(String),
}

/// Why a move was not played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A text that is no move.
    #[error("{text:?} is no move: {fault}")]
    Unreadable {
        /// The text.
        text: String,
        /// What cannot be understood.
        fault: Fault,
    },
    /// A move that the rules forbid.
    #[error("{text} is not legal: {reason}")]
    Illegal {
        /// The move.
        text: String,
        /// The rule that forbids it.
        reason: String,
        /// The same for a player, with what can be done instead.
        advice: String,
    },
    /// An index outside the legal list.
    #[error("there is no legal move {index}: there are {legal}")]
    Index {
        /// The index.
        index: usize,
        /// How many legal moves there are.
        legal: usize,
    },
    /// Something that cannot be agreed on.
    #[error("{0}")]
    Agreement(String),
}

/// Why somebody cannot take a seat.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SeatError {
    /// Too few or too many.
    #[error("{given} entries in seats: expected {wanted}, one a seat")]
    Count {
        /// How many were given.
        given: usize,
        /// How many seats there are.
        wanted: usize,
    },
    /// A text that names no agent.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent that cannot play here.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// All faults, each with the part of the text that it is about.
fn spelled(text: &str, faults: &Faults) -> String {
    let spelled = faults.0.iter().map(|fault| {
        let part = format!("{:?}", text.get(fault.span.clone()).unwrap_or_default());
        let is_quoted = part == "\"\"" || fault.message.starts_with(&part);
        if is_quoted { fault.message.clone() } else { format!("{part}: {}", fault.message) }
    });
    spelled.collect::<Vec<_>>().join("; ")
}
