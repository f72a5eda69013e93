//! The error type that the service reports to its clients.

use std::fmt::Display;

/// The failure of a request, with a message for a person.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// The kind of the failure, which determines the status code.
    pub kind: ErrorKind,
    /// The offending value, what was expected and, where there is one, the cure.
    pub message: String,
}

/// The kinds of errors. Each has its own status code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The request is malformed or contradicts itself.
    Input,
    /// What the request names does not exist.
    Missing,
    /// The request is not possible in the present state.
    Conflict,
    /// The origin or the token of the request is not allowed.
    Forbidden,
    /// The service is at capacity; a later attempt may succeed.
    Busy,
    /// This client alone has used up its quota; other clients may still succeed.
    QuotaExceeded,
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

    /// A request that is not possible in the present state.
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
