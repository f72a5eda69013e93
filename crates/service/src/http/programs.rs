//! What watches the service: health and numbers.

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::App;
use crate::clock;

pub(super) async fn health(State(app): State<App>) -> Response {
    let kept = app.games.list(1).await;
    let (status, word) = if kept.is_ok() {
        (StatusCode::OK, "healthy")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "unhealthy")
    };
    let issues: Vec<String> = kept.err().into_iter().map(|refusal| refusal.words).collect();
    let (in_memory, begun) = app.games.counts();
    let body = json!({
        "status": word, "timestamp": clock::timestamp(),
        "components": { "games": { "status": word, "in_memory": in_memory, "begun": begun },
            "work": { "status": "healthy", "waiting": app.work.waiting() } },
        "issues": issues, "warnings": [],
    });
    (status, Json(body)).into_response()
}

pub(super) async fn ready(State(app): State<App>) -> Response {
    let ready = !*app.ending.borrow();
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({ "ready": ready }))).into_response()
}

pub(super) async fn live() -> Json<Value> {
    Json(json!({ "live": true }))
}

pub(super) async fn metrics(State(app): State<App>) -> Response {
    let (in_memory, begun) = app.games.counts();
    let text = app.metrics.text(&[
        ("riftlab_games_in_memory", "gauge", in_memory as u64),
        ("riftlab_games_begun_total", "counter", begun),
        ("riftlab_work_waiting", "gauge", app.work.waiting() as u64),
    ]);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
