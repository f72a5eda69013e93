//! Handlers for monitoring: health, readiness, liveness and metrics.

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;

use super::App;

pub(super) async fn health(State(app): State<App>) -> Response {
    let issues: Vec<String> = app.games.list(1).await.err().into_iter().map(|error| error.message).collect();
    let games = if issues.is_empty() { "healthy" } else { "unhealthy" };
    respond(reference::health(&[("games", games), ("agents", "healthy")], &issues, &[]))
}

pub(super) async fn ready(State(app): State<App>) -> Response {
    respond(reference::ready(!*app.shutting_down.borrow()))
}

pub(super) async fn live() -> Response {
    respond(reference::live())
}

fn respond((status, body): (u16, Value)) -> Response {
    (StatusCode::from_u16(status).unwrap_or(StatusCode::OK), Json(body)).into_response()
}

pub(super) async fn metrics(State(app): State<App>) -> Response {
    let (in_memory, begun) = app.games.counts();
    let text = app.metrics.text(&[
        ("riftlab_games_in_memory", "gauge", in_memory as u64),
        ("riftlab_games_begun_total", "counter", begun),
        ("riftlab_streams_open", "gauge", app.streams.held() as u64),
        ("riftlab_work_waiting", "gauge", app.scheduler.waiting() as u64),
        // The reference service caches agents; this service builds one per request.
        ("ai_instance_cache_size", "gauge", 0),
        ("ai_instance_cache_lookups_total", "counter", 0),
    ]);
    ([(header::CONTENT_TYPE, "text/plain; version=1.0.0; charset=utf-8")], text).into_response()
}
