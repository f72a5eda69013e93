//! Handlers for the laboratory: ratings, recorded games and runs.

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
    body::{Body, Name, Params},
    stream::{self, Event, Source},
};
use crate::{
    ApiError, Client,
    lab::{Job, NewRun, Ratings, RecordedGame, Run, Update},
    scheduler::JobSize,
};

/// The query parameters of ratings.
#[derive(Deserialize)]
pub(super) struct RatingsQuery {
    venue: Option<String>,
}

/// The query parameters of the list of recorded games.
#[derive(Deserialize)]
pub(super) struct PageQuery {
    run: Option<String>,
    offset: Option<u64>,
    limit: Option<u64>,
}

/// A page of recorded games.
#[derive(Serialize, ToSchema)]
pub(super) struct RecordedGames {
    games: Vec<RecordedGame>,
    /// The total number of recorded games.
    total: u64,
}

/// The latest runs and jobs, most recent first.
#[derive(Serialize, ToSchema)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// Self-play, training and the learning loop.
    jobs: Vec<Job>,
}

#[utoipa::path(get, path = "/api/lab/ratings", tag = "lab", responses((status = 200, body = Ratings)),
    params(("venue" = Option<String>, Query, description = "A rating scale such as ringrift/square8/2p")))]
pub(super) async fn ratings(
    State(app): State<App>,
    client: Client,
    Params(query): Params<RatingsQuery>,
) -> Result<Json<Ratings>, ApiError> {
    let lab = app.lab.clone();
    // The page sends an empty venue as long as there are no ratings to choose from.
    let venue = query.venue.filter(|venue| !venue.is_empty());
    Ok(Json(app.scheduler.run(JobSize::Short, client, move || lab.ratings(venue)).await??))
}

#[utoipa::path(get, path = "/api/lab/games", tag = "lab", responses((status = 200, body = RecordedGames)),
    params(("run" = Option<String>, Query, description = "Only the games of this run"),
        ("offset" = Option<u64>, Query), ("limit" = Option<u64>, Query)))]
pub(super) async fn games(
    State(app): State<App>,
    client: Client,
    Params(query): Params<PageQuery>,
) -> Result<Json<RecordedGames>, ApiError> {
    let lab = app.lab.clone();
    let (offset, limit) = (query.offset.unwrap_or(0), query.limit.unwrap_or(50));
    let (games, total) = app
        .scheduler
        .run(JobSize::Short, client, move || lab.games(query.run.as_deref(), offset, limit))
        .await??;
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
    let line = app.scheduler.run(JobSize::Short, client, move || lab.record(&id)).await??;
    Ok(([(header::CONTENT_TYPE, "application/json")], line).into_response())
}

#[utoipa::path(get, path = "/api/lab/runs", tag = "lab", responses((status = 200, body = Runs)))]
pub(super) async fn runs(State(app): State<App>, client: Client) -> Result<Json<Runs>, ApiError> {
    let lab = app.lab.clone();
    let read = move || Ok::<_, ApiError>(Runs { runs: lab.runs()?, jobs: lab.jobs()? });
    Ok(Json(app.scheduler.run(JobSize::Short, client, read).await??))
}

#[utoipa::path(post, path = "/api/lab/runs", tag = "lab", request_body = NewRun,
    responses((status = 201, body = Run), (status = 422, description = "The description is invalid")))]
pub(super) async fn start(
    State(app): State<App>,
    client: Client,
    Body(new): Body<NewRun>,
) -> Result<Response, ApiError> {
    let lab = app.lab.clone();
    let run = app.scheduler.run(JobSize::Short, client, move || lab.start(&new)).await??;
    Ok((StatusCode::CREATED, Json(run)).into_response())
}

#[utoipa::path(post, path = "/api/lab/runs/{id}/stop", tag = "lab", params(("id" = String, Path)),
    responses((status = 202, description = "The run stops after the games in progress"),
        (status = 404, description = "This service plays no such run")))]
pub(super) async fn stop(State(app): State<App>, Name(id): Name) -> Result<Response, ApiError> {
    app.lab.stop(&id)?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "stopping": id }))).into_response())
}

#[utoipa::path(post, path = "/api/lab/runs/{id}/resume", tag = "lab", params(("id" = String, Path)),
    responses((status = 200, body = Run), (status = 404, description = "There is no such run"),
        (status = 409, description = "The run is being played, or can only be resumed on the command line")))]
pub(super) async fn resume(
    State(app): State<App>,
    client: Client,
    Name(id): Name,
) -> Result<Json<Run>, ApiError> {
    let lab = app.lab.clone();
    Ok(Json(app.scheduler.run(JobSize::Short, client, move || lab.resume(&id)).await??))
}

#[utoipa::path(get, path = "/api/lab/events", tag = "lab",
    responses((status = 200, content_type = "text/event-stream", description = "An event `run` for every change of a run, `job` for every change of a job")))]
pub(super) async fn events(State(app): State<App>, client: Client) -> Result<Response, ApiError> {
    let permit = app.streams.acquire(client)?;
    Ok(stream::events(app.lab.subscribe(), permit, app.shutting_down.clone()))
}

impl Source for Receiver<Update> {
    async fn next(&mut self) -> Option<Event> {
        loop {
            match self.recv().await {
                Ok(Update { kind, text }) => {
                    return Some(Event { name: kind, data: text.into() });
                }
                // Every event describes its run or job completely, so missed ones do not matter.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
