//! The routes of the reference service, for which this service is a drop-in replacement.

use std::{sync::Arc, time::Instant};

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, Request as HttpRequest, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use reference::{Answer, Request, Weight};
use search::Stop;
use serde_json::json;
use tokio::time::timeout;

use super::{
    App,
    body::{BODY_TIMEOUT, LATE_BODY},
    error_response::with_retry_after,
    stream::StopOnDrop,
};
use crate::{Client, scheduler::JobSize};

/// The maximum size of a request body, in bytes: clients send games with their whole history.
pub(super) const MAX_BODY_BYTES: usize = 4 << 20;

pub(super) async fn handle(
    State(app): State<App>,
    client: Client,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> Response {
    let begun = Instant::now();
    let owned = Arc::new(OwnedRequest { method, uri, headers, body });
    let size = match app.reference.weight(&owned.request()) {
        Weight::Light => JobSize::Short,
        Weight::Heavy => JobSize::Long,
    };
    let stop = Arc::new(Stop::default());
    // If the client disconnects, this future is dropped, which stops the search.
    let _stop_on_drop = StopOnDrop(Arc::clone(&stop));
    let (service, scheduler) = (Arc::clone(&app.reference), app.scheduler.clone());
    let job = move || {
        let service = service.hurried(begun.elapsed(), scheduler.waiting_per_thread(size));
        service.handle(&owned.request(), &stop)
    };
    match app.scheduler.run(size, client, job).await {
        Ok(answer) => {
            if let Some(label) = answer.label {
                app.metrics.count_move(label, begun.elapsed());
            }
            respond(answer)
        }
        Err(error) => error_response(error.kind.status(), &error.message),
    }
}

/// An error response with the message in the field `detail`, where clients of the reference service expect it.
fn error_response(status: StatusCode, message: &str) -> Response {
    with_retry_after((status, Json(json!({ "detail": message }))).into_response())
}

/// The body of a request as it was sent.
pub(super) struct RawBody(Bytes);

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = Response;

    async fn from_request(request: HttpRequest, state: &S) -> Result<Self, Response> {
        match timeout(BODY_TIMEOUT, Bytes::from_request(request, state)).await {
            Ok(Ok(body)) => Ok(Self(body)),
            Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                let message = format!("the body is too large: expected at most {MAX_BODY_BYTES} bytes");
                Err(error_response(StatusCode::PAYLOAD_TOO_LARGE, &message))
            }
            Ok(Err(rejection)) => Err(error_response(rejection.status(), &rejection.body_text())),
            Err(_) => Err(error_response(StatusCode::REQUEST_TIMEOUT, LATE_BODY)),
        }
    }
}

/// A request that owns its parts, so that it can move to another thread.
struct OwnedRequest {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

impl OwnedRequest {
    fn request(&self) -> Request<'_> {
        Request {
            method: self.method.as_str(),
            path: self.uri.path(),
            query: self.uri.query(),
            body: &self.body,
            admin_key: self.headers.get("x-admin-key").and_then(|key| key.to_str().ok()),
        }
    }
}

pub(super) fn respond(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(path) = answer.location {
        return (status, [(header::LOCATION, HeaderValue::from_static(path))]).into_response();
    }
    let mut response = (status, Json(answer.body)).into_response();
    if let Some(method) = answer.allow {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(method));
    }
    response
}
