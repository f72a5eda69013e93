//! Handlers for the games of the service.

use std::convert::Infallible;

use axum::{
    Json,
    extract::{FromRequestParts, State},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use host::view::View;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    App,
    body::{Body, Name, Params},
    stream::{self, Event, Source},
};
use crate::{
    ApiError, Client,
    games::{Control, GameList, GameView, NewGame, WatchEvent, Watcher},
};

/// The response to a change: the game after it, or nothing for clients that follow its events.
type GameResponse = Result<Response, ApiError>;

/// Whether the client prefers a minimal response, by the header `Prefer` (RFC 7240).
pub(super) struct Prefer {
    minimal: bool,
}

impl<S: Sync> FromRequestParts<S> for Prefer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let values = parts.headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
        let minimal =
            values.flat_map(|value| value.split(',')).any(|preference| preference.trim() == "return=minimal");
        Ok(Self { minimal })
    }
}

impl Prefer {
    fn respond(&self, game: GameView) -> Response {
        if self.minimal {
            ([("preference-applied", "return=minimal")], StatusCode::NO_CONTENT).into_response()
        } else {
            Json(game).into_response()
        }
    }
}

/// The query parameters of the list of games.
#[derive(Deserialize)]
pub(super) struct ListQuery {
    limit: Option<usize>,
}

/// A request to play a move.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveRequest {
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    text: String,
    /// The number of moves that the game had when the move was chosen.
    ply: Option<usize>,
}

/// A request to resign.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResignRequest {
    /// The seat that resigns; if left out, that of the person to move, or else of the first person.
    seat: Option<usize>,
}

/// A request to toggle whether a chain counts as dead.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeadStoneRequest {
    /// The point of one of its stones.
    at: String,
}

/// The query parameters of an earlier position.
#[derive(Deserialize)]
pub(super) struct PlyQuery {
    ply: usize,
}

/// An empty JSON object.
#[derive(Deserialize, ToSchema)]
pub(super) struct Empty {}

#[utoipa::path(get, path = "/api/games", tag = "games", responses((status = 200, body = GameList)),
    params(("limit" = Option<usize>, Query, description = "The maximum number of games to list; 50 if left out")))]
pub(super) async fn list(
    State(app): State<App>,
    Params(query): Params<ListQuery>,
) -> Result<Json<GameList>, ApiError> {
    Ok(Json(app.games.list(query.limit.unwrap_or(50)).await?))
}

#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = 201, body = GameView), (status = 422, description = "The description is invalid")))]
pub(super) async fn begin(
    State(app): State<App>,
    client: Client,
    Body(begun): Body<NewGame>,
) -> Result<Response, ApiError> {
    Ok((StatusCode::CREATED, Json(app.games.begin(begun, client).await?)).into_response())
}

#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, description = "There is no such game")))]
pub(super) async fn one(State(app): State<App>, Name(id): Name) -> Result<Json<GameView>, ApiError> {
    Ok(Json(app.games.view(&id).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/moves", tag = "games", params(("id" = String, Path)),
    request_body = MoveRequest, responses((status = 200, body = GameView),
    (status = 204, description = "Played; the response to `Prefer: return=minimal`, for clients that follow the events"),
    (status = 409, description = "The game has changed since"), (status = 422, description = "Not legal")))]
pub(super) async fn play(
    State(app): State<App>,
    prefer: Prefer,
    Name(id): Name,
    Body(request): Body<MoveRequest>,
) -> GameResponse {
    Ok(prefer.respond(app.games.play(&id, &request.text, request.ply).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/undo", tag = "games", params(("id" = String, Path)),
    request_body = Empty, responses((status = 200, body = GameView), (status = 409, description = "Nothing to take back")))]
pub(super) async fn undo(
    State(app): State<App>,
    prefer: Prefer,
    Name(id): Name,
    Body(Empty {}): Body<Empty>,
) -> GameResponse {
    Ok(prefer.respond(app.games.undo(&id).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)),
    request_body = ResignRequest, responses((status = 200, body = GameView), (status = 204, description = "The response to `Prefer: return=minimal`")))]
pub(super) async fn resign(
    State(app): State<App>,
    prefer: Prefer,
    Name(id): Name,
    Body(request): Body<ResignRequest>,
) -> GameResponse {
    Ok(prefer.respond(app.games.resign(&id, request.seat).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/stop", tag = "games", params(("id" = String, Path)),
    request_body = Empty, responses((status = 200, body = GameView), (status = 204, description = "The response to `Prefer: return=minimal`")))]
pub(super) async fn stop(
    State(app): State<App>,
    prefer: Prefer,
    Name(id): Name,
    Body(Empty {}): Body<Empty>,
) -> GameResponse {
    Ok(prefer.respond(app.games.stop(&id).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/control", tag = "games", params(("id" = String, Path)),
    request_body = Control, responses((status = 200, body = GameView), (status = 204, description = "The response to `Prefer: return=minimal`")))]
pub(super) async fn control(
    State(app): State<App>,
    prefer: Prefer,
    Name(id): Name,
    Body(control): Body<Control>,
) -> GameResponse {
    Ok(prefer.respond(app.games.control(&id, &control).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/dead", tag = "games", params(("id" = String, Path)),
    request_body = DeadStoneRequest, responses((status = 200, body = GameView), (status = 204, description = "The response to `Prefer: return=minimal`")))]
pub(super) async fn dead(
    State(app): State<App>,
    prefer: Prefer,
    Name(id): Name,
    Body(request): Body<DeadStoneRequest>,
) -> GameResponse {
    Ok(prefer.respond(app.games.toggle_dead(&id, &request.at).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/accept", tag = "games", params(("id" = String, Path)),
    request_body = Empty, responses((status = 200, body = GameView), (status = 204, description = "The response to `Prefer: return=minimal`")))]
pub(super) async fn accept(
    State(app): State<App>,
    prefer: Prefer,
    Name(id): Name,
    Body(Empty {}): Body<Empty>,
) -> GameResponse {
    Ok(prefer.respond(app.games.accept(&id).await?))
}

#[utoipa::path(get, path = "/api/games/{id}/view", tag = "games",
    params(("id" = String, Path), ("ply" = usize, Query)), responses((status = 200, body = View)))]
pub(super) async fn view_at(
    State(app): State<App>,
    Name(id): Name,
    Params(query): Params<PlyQuery>,
) -> Result<Json<View>, ApiError> {
    Ok(Json(app.games.view_at(&id, query.ply).await?))
}

#[utoipa::path(get, path = "/api/games/{id}/events", tag = "games", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/event-stream",
        description = "The event `game` contains the whole game; it comes first and after missed changes. `change` contains the \
            difference to the previous state, and `thinking` a progress report of the agent to move.")))]
pub(super) async fn events(
    State(app): State<App>,
    client: Client,
    Name(id): Name,
) -> Result<Response, ApiError> {
    let permit = app.streams.acquire(client)?;
    let watcher = app.games.watch(&id).await?;
    Ok(stream::events(watcher, permit, app.shutting_down.clone()))
}

#[utoipa::path(get, path = "/api/games/{id}/record", tag = "games", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/json", description = "The game as one line of a record file")))]
pub(super) async fn record(State(app): State<App>, Name(id): Name) -> Result<Response, ApiError> {
    let record = app.games.with_game(&id, crate::games::Game::record).await?;
    let line = record.to_line().map_err(ApiError::internal)?;
    Ok(download(&id, "jsonl", "application/json", line + "\n"))
}

#[utoipa::path(get, path = "/api/games/{id}/sgf", tag = "games", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/x-go-sgf", description = "The game as SGF"),
        (status = 409, description = "Not a game of Go")))]
pub(super) async fn sgf(State(app): State<App>, Name(id): Name) -> Result<Response, ApiError> {
    let record = app.games.with_game(&id, crate::games::Game::record).await?;
    let text = record::sgf::write(&record)
        .ok_or_else(|| ApiError::conflict("only games of Go can be written as SGF"))?;
    Ok(download(&id, "sgf", "application/x-go-sgf", text))
}

fn download(id: &str, extension: &str, kind: &'static str, text: String) -> Response {
    let disposition = format!("attachment; filename=\"{id}.{extension}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text)
        .into_response()
}

impl Source for Watcher {
    async fn next(&mut self) -> Option<Event> {
        Some(match Watcher::next(self).await? {
            WatchEvent::Game(data) => Event { name: "game", data },
            WatchEvent::Change(data) => Event { name: "change", data },
            WatchEvent::Thinking(data) => Event { name: "thinking", data },
        })
    }
}
