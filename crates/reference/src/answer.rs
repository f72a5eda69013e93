//! [`Answer`], the response to a request.

use interchange::{Body, Rejection};
use serde_json::{Value, json};

/// The response to a request.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Value,
    /// The value of the header `Allow`, with status 405.
    pub allow: Option<&'static str>,
    /// The value of the header `Location`, with status 307; the body is then empty.
    pub location: Option<&'static str>,
    /// The metric labels, if the request asks for a move.
    pub label: Option<MoveLabel>,
}

/// The labels of the metric `ai_move_requests_total`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveLabel {
    /// The engine that actually played.
    pub ai_type: &'static str,
    /// The requested level, from 1 to 10; 0 if the request was rejected.
    pub difficulty: u8,
    /// `success`, `no_move` or `invalid`.
    pub outcome: &'static str,
}

impl Answer {
    pub(crate) fn ok(body: Value) -> Self {
        Self { status: 200, body, allow: None, location: None, label: None }
    }

    /// An error with a one-sentence message.
    pub(crate) fn error(status: u16, detail: &str) -> Self {
        Self { status, body: json!({"detail": detail}), allow: None, location: None, label: None }
    }

    /// A redirect to `path`.
    pub(crate) fn redirect(path: &'static str) -> Self {
        Self { status: 307, body: Value::Null, allow: None, location: Some(path), label: None }
    }

    /// Parses the body of a request, or returns the response that rejects it.
    pub(crate) fn body<T: Body>(bytes: &[u8]) -> Result<T, Self> {
        T::from_body(bytes).map_err(|rejection| match rejection {
            Rejection::NotText => Self::error(400, "There was an error parsing the body"),
            Rejection::Details(details) => Self::invalid(details),
        })
    }

    /// The response to an invalid body, with all its faults.
    pub(crate) fn invalid(details: Vec<Value>) -> Self {
        let body = Value::Object([("detail".to_owned(), Value::Array(details))].into_iter().collect());
        Self { status: 422, body, allow: None, location: None, label: None }
    }

    pub(crate) fn labelled(self, ai_type: &'static str, difficulty: u8, outcome: &'static str) -> Self {
        Self { label: Some(MoveLabel { ai_type, difficulty, outcome }), ..self }
    }
}
