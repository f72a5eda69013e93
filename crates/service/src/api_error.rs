//! Errors as clients of the service get them.

use std::fmt::Display;

/// A request that failed, with a message for a person.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// Whose fault it is, and whether a retry helps.
    pub kind: ErrorKind,
    /// What is wrong, with the offending value, and what was expected.
    pub message: String,
}

/// The kinds of errors, each with a status code of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The request is malformed or contradicts itself.
    Input,
    /// What the request names does not exist.
    Missing,
    /// The request does not fit the present state.
    Conflict,
    /// The origin or the token of the request is not allowed.
    Forbidden,
    /// The service is at capacity.
    Busy,
    /// This client alone uses more than its share.
    Greedy,
    /// The service itself failed.
    Internal,
}

impl ApiError {
    /// An error of this kind.
    pub fn new(kind: ErrorKind, message: impl Display) -> Self {
        Self { kind, message: message.to_string() }
    }

    /// A malformed or contradictory request.
    pub fn input(message: impl Display) -> Self {
        Self::new(ErrorKind::Input, message)
    }

    /// A request that does not fit the present state.
    pub fn conflict(message: impl Display) -> Self {
        Self::new(ErrorKind::Conflict, message)
    }

    /// A request for something that does not exist.
    pub fn missing(message: impl Display) -> Self {
        Self::new(ErrorKind::Missing, message)
    }

    /// A failure of the service itself.
    pub fn internal(message: impl Display) -> Self {
        Self::new(ErrorKind::Internal, message)
    }
}
