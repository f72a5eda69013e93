//! The laboratory.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use utoipa::ToSchema;

use super::{
    App,
    body::{Asked, Body, Name},
    stream::{self, Event, Source},
};
use crate::{
    ApiError, Client,
    lab::{NewRun, Ratings, Recorded, Run},
    work::Lane,
};

/// Which ratings.
#[derive(Deserialize)]
pub(super) struct Which {
    venue: Option<String>,
}

/// Which part of a list.
#[derive(Deserialize)]
pub(super) struct Part {
    run: Option<String>,
    offset: Option<u64>,
    limit: Option<u64>,
}

/// Recorded games.
#[derive(Serialize, ToSchema)]
pub(super) struct RecordedGames {
    games: Vec<Recorded>,
    /// How many there are in all.
    total: u64,
}

/// Runs, the latest first.
#[derive(Serialize, ToSchema)]
pub(super) struct Runs {
    runs: Vec<Run>,
}

#[utoipa::path(get, path = "/api/lab/ratings", tag = "lab", responses((status = 200, body = Ratings)),
    params(("venue" = Option<String>, Query, description = "A scale such as ringrift/square8/2p")))]
pub(super) async fn ratings(
    State(app): State<App>,
    client: Client,
    Asked(which): Asked<Which>,
) -> Result<Json<Ratings>, ApiError> {
    let lab = app.lab.clone();
    // A page that has nothing to choose from yet asks for nothing in particular.
    let venue = which.venue.filter(|venue| !venue.is_empty());
    Ok(Json(app.work.run(Lane::Short, client, move || lab.ratings(venue)).await??))
}

#[utoipa::path(get, path = "/api/lab/games", tag = "lab", responses((status = 200, body = RecordedGames)),
    params(("run" = Option<String>, Query, description = "Only the games of this run"),
        ("offset" = Option<u64>, Query), ("limit" = Option<u64>, Query)))]
pub(super) async fn games(
    State(app): State<App>,
    client: Client,
    Asked(part): Asked<Part>,
) -> Result<Json<RecordedGames>, ApiError> {
    let lab = app.lab.clone();
    let (offset, limit) = (part.offset.unwrap_or(0), part.limit.unwrap_or(50));
    let (games, total) =
        app.work.run(Lane::Short, client, move || lab.games(part.run.as_deref(), offset, limit)).await??;
    Ok(Json(RecordedGames { games, total }))
}

#[utoipa::path(get, path = "/api/lab/games/{id}", tag = "lab", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/json", description = "The record"),
        (status = 404, description = "There is no such game")))]
pub(super) async fn record(
    State(app): State<App>,
    client: Client,
    Name(id): Name,
) -> Result<Response, ApiError> {
    let lab = app.lab.clone();
    let line = app.work.run(Lane::Short, client, move || lab.record(&id)).await??;
    Ok(([(header::CONTENT_TYPE, "application/json")], line).into_response())
}

#[utoipa::path(get, path = "/api/lab/runs", tag = "lab", responses((status = 200, body = Runs)))]
pub(super) async fn runs(State(app): State<App>, client: Client) -> Result<Json<Runs>, ApiError> {
    let lab = app.lab.clone();
    Ok(Json(Runs { runs: app.work.run(Lane::Short, client, move || lab.runs()).await?? }))
}

#[utoipa::path(post, path = "/api/lab/runs", tag = "lab", request_body = NewRun,
    responses((status = 201, body = Run), (status = 422, description = "It makes no event")))]
pub(super) async fn start(
    State(app): State<App>,
    client: Client,
    Body(asked): Body<NewRun>,
) -> Result<Response, ApiError> {
    let lab = app.lab.clone();
    let run = app.work.run(Lane::Short, client, move || lab.start(&asked)).await??;
    Ok((StatusCode::CREATED, Json(run)).into_response())
}

#[utoipa::path(post, path = "/api/lab/runs/{id}/stop", tag = "lab", params(("id" = String, Path)),
    responses((status = 202, description = "It will stop after the games that are being played"),
        (status = 404, description = "No such run is going on here")))]
pub(super) async fn stop(State(app): State<App>, Name(id): Name) -> Result<Response, ApiError> {
    app.lab.stop(&id)?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "stopping": id }))).into_response())
}

#[utoipa::path(post, path = "/api/lab/runs/{id}/resume", tag = "lab", params(("id" = String, Path)),
    responses((status = 200, body = Run), (status = 404, description = "There is no such run"),
        (status = 409, description = "It is going on, or can only go on where it was begun")))]
pub(super) async fn resume(
    State(app): State<App>,
    client: Client,
    Name(id): Name,
) -> Result<Json<Run>, ApiError> {
    let lab = app.lab.clone();
    Ok(Json(app.work.run(Lane::Short, client, move || lab.resume(&id)).await??))
}

#[utoipa::path(get, path = "/api/lab/events", tag = "lab",
    responses((status = 200, content_type = "text/event-stream", description = "`run` with a run on every change")))]
pub(super) async fn events(State(app): State<App>, client: Client) -> Result<Response, ApiError> {
    let share = app.streams.take(client)?;
    Ok(stream::events(app.lab.listen(), share, app.ending.clone()))
}

impl Source for Receiver<String> {
    async fn next(&mut self) -> Option<Event> {
        loop {
            match self.recv().await {
                Ok(data) => return Some(Event { name: "run", data: Arc::new(data.into_bytes()) }),
                // What was missed is in what comes next.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
