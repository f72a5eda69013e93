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
    let issues = app.health.issues().await;
    let state =
        |name| if issues.iter().any(|issue| issue.component == name) { "unhealthy" } else { "healthy" };
    let components = [("games", state("games")), ("lab", state("lab")), ("agents", "healthy")];
    let messages: Vec<String> = issues.iter().map(|issue| issue.message.clone()).collect();
    respond(reference::health(&components, &messages, &[]))
}

pub(super) async fn ready(State(app): State<App>) -> Response {
    let shutting_down = *app.shutting_down.borrow();
    respond(reference::ready(!shutting_down && app.health.issues().await.is_empty()))
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
