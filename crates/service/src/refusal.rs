//! Why a request is not granted.

use std::fmt::Display;

/// A request that is not granted, in words for a person, with what sort of fault it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{words}")]
pub struct Refusal {
    /// Whose fault it is, and whether it helps to try again.
    pub sort: Sort,
    /// What is wrong, with the offending value, and what was expected.
    pub words: String,
}

/// The sorts of refusals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// The request makes no sense.
    Input,
    /// There is no such thing.
    Missing,
    /// It does not fit how things stand now.
    Conflict,
    /// Not from there, or not without the token.
    Forbidden,
    /// Too much is going on already.
    Busy,
    /// This client alone asks for too much.
    Greedy,
    /// Something broke on this side.
    Internal,
}

impl Refusal {
    /// A refusal of some sort.
    pub fn new(sort: Sort, words: impl Display) -> Self {
        Self { sort, words: words.to_string() }
    }

    /// A request that makes no sense.
    pub fn input(words: impl Display) -> Self {
        Self::new(Sort::Input, words)
    }

    /// A request that does not fit how things stand now.
    pub fn conflict(words: impl Display) -> Self {
        Self::new(Sort::Conflict, words)
    }

    /// A request for something that is not there.
    pub fn missing(words: impl Display) -> Self {
        Self::new(Sort::Missing, words)
    }

    /// Something broke on this side.
    pub fn internal(words: impl Display) -> Self {
        Self::new(Sort::Internal, words)
    }
}
