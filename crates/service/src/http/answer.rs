//! Refusals as responses.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{ApiError, ErrorKind};

impl ErrorKind {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::Input => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Missing => StatusCode::NOT_FOUND,
            Self::Conflict => StatusCode::CONFLICT,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::Greedy => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        refuse(self.kind.status(), &self.message)
    }
}

/// An error with its own status.
pub(super) fn refuse(status: StatusCode, words: &str) -> Response {
    retry_later((status, Json(json!({ "error": words }))).into_response())
}

/// Says when to try again, if it makes sense to.
pub(super) fn retry_later(mut response: Response) -> Response {
    let status = response.status();
    if status == StatusCode::SERVICE_UNAVAILABLE || status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// Nothing is known about this address. Clients of the reference service look for `detail`.
pub(super) fn not_found() -> Response {
    let body = json!({ "detail": "Not Found", "error": "there is nothing at this address" });
    (StatusCode::NOT_FOUND, Json(body)).into_response()
}

pub(super) async fn method_not_allowed() -> Response {
    let body = json!({ "detail": "Method Not Allowed", "error": "this address does not take that method" });
    (StatusCode::METHOD_NOT_ALLOWED, Json(body)).into_response()
}
