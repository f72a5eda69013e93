//! The routes of the reference service, mounted.

use std::{sync::Arc, time::Instant};

use axum::{
    Json,
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use reference::{Answer, Request, Weight};
use search::Stop;
use serde_json::json;

use super::{App, answer::retry_later, stream::Leash};
use crate::{Client, work::Lane};

/// The longest body: a game with the whole history that clients send along.
pub(super) const LONGEST_BODY: usize = 4 << 20;

pub(super) async fn answer(
    State(app): State<App>,
    client: Client,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let begun = Instant::now();
    let asked = Arc::new(Asked { method, uri, headers, body });
    let lane = match app.reference.weight(&asked.request()) {
        Weight::Light => Lane::Short,
        Weight::Heavy => Lane::Long,
    };
    let stop = Arc::new(Stop::default());
    // A client that leaves drops this future, and with it the leash.
    let _leash = Leash(Arc::clone(&stop));
    let (service, work) = (Arc::clone(&app.reference), app.work.clone());
    let answer = move || {
        let service = service.hurried(begun.elapsed(), work.waiting_for_each_place(lane));
        service.handle(&asked.request(), &stop)
    };
    let answered = app.work.run(lane, client, answer).await;
    match answered {
        Ok(answer) => {
            if let Some(label) = answer.label {
                app.metrics.note_move(label, begun.elapsed());
            }
            respond(answer)
        }
        Err(error) => {
            let body = Json(json!({ "detail": error.message }));
            retry_later((error.kind.status(), body).into_response())
        }
    }
}

/// A request that outlives its connection.
struct Asked {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

impl Asked {
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
