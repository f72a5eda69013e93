//! Games kept by the service.

use std::convert::Infallible;

use axum::{
    Json,
    extract::{FromRequestParts, State},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use host::view::View;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    App,
    body::{Asked, Body, Name},
    stream::{self, Event, Source},
};
use crate::{
    Client, Refusal,
    games::{Control, GameView, Listed, NewGame, Seen, Watcher},
};

/// What a change is answered with: the game after it, or nothing for somebody who follows its events.
type Answer = Result<Response, Refusal>;

/// How much of an answer the client wants, by the header `Prefer` (RFC 7240).
pub(super) struct Wish {
    minimal: bool,
}

impl<S: Sync> FromRequestParts<S> for Wish {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let wishes = parts.headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
        let minimal = wishes.flat_map(|value| value.split(',')).any(|wish| wish.trim() == "return=minimal");
        Ok(Self { minimal })
    }
}

impl Wish {
    fn answer(&self, game: GameView) -> Response {
        if self.minimal {
            ([("preference-applied", "return=minimal")], StatusCode::NO_CONTENT).into_response()
        } else {
            Json(game).into_response()
        }
    }
}

/// How many games to list.
#[derive(Deserialize)]
pub(super) struct Limit {
    limit: Option<usize>,
}

/// Games, those that changed last first.
#[derive(Serialize, ToSchema)]
pub(super) struct List {
    games: Vec<Listed>,
}

/// A move.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Played {
    /// In the notation of the game.
    #[serde(rename = "move")]
    text: String,
    /// How many moves the game had when it was chosen.
    ply: Option<usize>,
}

/// Who gives up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Resigns {
    /// The seat; the person to move if it is left out.
    seat: Option<usize>,
}

/// A stone.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Stone {
    /// Its point.
    at: String,
}

/// How far into the game.
#[derive(Deserialize)]
pub(super) struct Ply {
    ply: usize,
}

/// Nothing.
#[derive(Deserialize, ToSchema)]
pub(super) struct Empty {}

#[utoipa::path(get, path = "/api/games", tag = "games", responses((status = 200, body = List)),
    params(("limit" = Option<usize>, Query, description = "The most to list, 50 if left out")))]
pub(super) async fn list(State(app): State<App>, Asked(limit): Asked<Limit>) -> Result<Json<List>, Refusal> {
    Ok(Json(List { games: app.games.list(limit.limit.unwrap_or(50)).await? }))
}

#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = 201, body = GameView), (status = 422, description = "It makes no game")))]
pub(super) async fn begin(
    State(app): State<App>,
    client: Client,
    Body(begun): Body<NewGame>,
) -> Result<Response, Refusal> {
    Ok((StatusCode::CREATED, Json(app.games.begin(begun, client).await?)).into_response())
}

#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, description = "There is no such game")))]
pub(super) async fn one(State(app): State<App>, Name(id): Name) -> Result<Json<GameView>, Refusal> {
    Ok(Json(app.games.view(&id).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/moves", tag = "games", params(("id" = String, Path)),
    request_body = Played, responses((status = 200, body = GameView),
    (status = 204, description = "Played; to `Prefer: return=minimal`, for clients that follow the events"),
    (status = 409, description = "The game has gone on"), (status = 422, description = "Not legal")))]
pub(super) async fn play(
    State(app): State<App>,
    wish: Wish,
    Name(id): Name,
    Body(played): Body<Played>,
) -> Answer {
    Ok(wish.answer(app.games.play(&id, &played.text, played.ply).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/undo", tag = "games", params(("id" = String, Path)),
    request_body = Empty, responses((status = 200, body = GameView), (status = 409, description = "Nothing to take back")))]
pub(super) async fn undo(
    State(app): State<App>,
    wish: Wish,
    Name(id): Name,
    Body(Empty {}): Body<Empty>,
) -> Answer {
    Ok(wish.answer(app.games.undo(&id).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)),
    request_body = Resigns, responses((status = 200, body = GameView), (status = 204, description = "To `Prefer: return=minimal`")))]
pub(super) async fn resign(
    State(app): State<App>,
    wish: Wish,
    Name(id): Name,
    Body(resigns): Body<Resigns>,
) -> Answer {
    Ok(wish.answer(app.games.resign(&id, resigns.seat).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/stop", tag = "games", params(("id" = String, Path)),
    request_body = Empty, responses((status = 200, body = GameView), (status = 204, description = "To `Prefer: return=minimal`")))]
pub(super) async fn stop(
    State(app): State<App>,
    wish: Wish,
    Name(id): Name,
    Body(Empty {}): Body<Empty>,
) -> Answer {
    Ok(wish.answer(app.games.stop(&id).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/control", tag = "games", params(("id" = String, Path)),
    request_body = Control, responses((status = 200, body = GameView), (status = 204, description = "To `Prefer: return=minimal`")))]
pub(super) async fn control(
    State(app): State<App>,
    wish: Wish,
    Name(id): Name,
    Body(control): Body<Control>,
) -> Answer {
    Ok(wish.answer(app.games.control(&id, &control).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/dead", tag = "games", params(("id" = String, Path)),
    request_body = Stone, responses((status = 200, body = GameView), (status = 204, description = "To `Prefer: return=minimal`")))]
pub(super) async fn dead(
    State(app): State<App>,
    wish: Wish,
    Name(id): Name,
    Body(stone): Body<Stone>,
) -> Answer {
    Ok(wish.answer(app.games.toggle_dead(&id, &stone.at).await?))
}

#[utoipa::path(post, path = "/api/games/{id}/accept", tag = "games", params(("id" = String, Path)),
    request_body = Empty, responses((status = 200, body = GameView), (status = 204, description = "To `Prefer: return=minimal`")))]
pub(super) async fn accept(
    State(app): State<App>,
    wish: Wish,
    Name(id): Name,
    Body(Empty {}): Body<Empty>,
) -> Answer {
    Ok(wish.answer(app.games.accept(&id).await?))
}

#[utoipa::path(get, path = "/api/games/{id}/view", tag = "games",
    params(("id" = String, Path), ("ply" = usize, Query)), responses((status = 200, body = View)))]
pub(super) async fn view_at(
    State(app): State<App>,
    Name(id): Name,
    Asked(at): Asked<Ply>,
) -> Result<Json<View>, Refusal> {
    Ok(Json(app.games.view_at(&id, at.ply).await?))
}

#[utoipa::path(get, path = "/api/games/{id}/events", tag = "games", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/event-stream",
        description = "`game` with the whole game first and after changes that were missed, `change` with what a change made of \
            it, `thinking` with a report while an agent thinks")))]
pub(super) async fn events(
    State(app): State<App>,
    client: Client,
    Name(id): Name,
) -> Result<Response, Refusal> {
    let share = app.streams.take(client)?;
    let watcher = app.games.watch(&id).await?;
    Ok(stream::events(watcher, share, app.ending.clone()))
}

#[utoipa::path(get, path = "/api/games/{id}/record", tag = "games", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/json", description = "The game as a line of a record file")))]
pub(super) async fn record(State(app): State<App>, Name(id): Name) -> Result<Response, Refusal> {
    let record = app.games.look(&id, crate::games::Game::record).await?;
    let line = record.to_line().map_err(Refusal::internal)?;
    Ok(download(&id, "jsonl", "application/json", line + "\n"))
}

#[utoipa::path(get, path = "/api/games/{id}/sgf", tag = "games", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/x-go-sgf", description = "The game as SGF"),
        (status = 409, description = "Not a game of Go")))]
pub(super) async fn sgf(State(app): State<App>, Name(id): Name) -> Result<Response, Refusal> {
    let record = app.games.look(&id, crate::games::Game::record).await?;
    let text = record::sgf::write(&record).ok_or_else(|| Refusal::conflict("SGF is for games of Go"))?;
    Ok(download(&id, "sgf", "application/x-go-sgf", text))
}

fn download(id: &str, ending: &str, kind: &'static str, text: String) -> Response {
    let named = format!("attachment; filename=\"{id}.{ending}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, named)], text).into_response()
}

impl Source for Watcher {
    async fn next(&mut self) -> Option<Event> {
        Some(match Watcher::next(self).await? {
            Seen::Game(data) => Event { name: "game", data },
            Seen::Change(data) => Event { name: "change", data },
            Seen::Thinking(data) => Event { name: "thinking", data },
        })
    }
}
