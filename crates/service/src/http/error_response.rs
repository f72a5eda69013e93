//! Error responses.

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
            Self::QuotaExceeded => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        error_response(self.kind.status(), &self.message)
    }
}

/// An error response with a message in the field `error`.
pub(super) fn error_response(status: StatusCode, message: &str) -> Response {
    with_retry_after((status, Json(json!({ "error": message }))).into_response())
}

/// Adds the header `Retry-After` to responses that ask the client to try again.
pub(super) fn with_retry_after(mut response: Response) -> Response {
    let status = response.status();
    if status == StatusCode::SERVICE_UNAVAILABLE || status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// The response to an unknown path. Clients of the reference service expect the field `detail`.
pub(super) fn not_found() -> Response {
    let body = json!({ "detail": "Not Found", "error": "there is nothing at this address" });
    (StatusCode::NOT_FOUND, Json(body)).into_response()
}

pub(super) async fn method_not_allowed() -> Response {
    let body =
        json!({ "detail": "Method Not Allowed", "error": "this address does not support that method" });
    (StatusCode::METHOD_NOT_ALLOWED, Json(body)).into_response()
}
