//! Handlers for positions that belong to no stored game: views, files, analysis and review.

use std::{
    fmt::Display,
    sync::Arc,
    time::{Duration, Instant},
};

use ::game::Seat;
use axum::{Json, extract::State, response::Response};
use host::{
    HostedGame, Ply,
    view::{ReportView, ResultView, Shape, ThreatsView, TurningPointView, View},
};
use ladder::{Models, Player};
use search::{Limits, Stop};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    App,
    body::{Body, Params},
    options::{self, Pairs},
    stream::{self, StopOnDrop},
};
use crate::{ApiError, Client, Setup, caps, games, scheduler::JobSize};

/// The interval between progress reports of an analysis.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// A position, given by a start and the moves from there.
#[derive(Clone, Deserialize, ToSchema)]
pub(super) struct Line {
    /// The game and its options; taken from `start` if left out.
    setup: Option<Setup>,
    /// A position text; the normal start if left out.
    start: Option<String>,
    /// The moves from the start, at most 5,000.
    #[serde(default)]
    moves: Vec<String>,
}

impl Line {
    fn start(&self) -> Result<Box<dyn HostedGame>, ApiError> {
        caps::check_moves(self.moves.len())?;
        crate::open(self.setup.as_ref(), self.start.as_deref())
    }

    fn end(&self) -> Result<Box<dyn HostedGame>, ApiError> {
        let mut game = self.start()?;
        for (index, text) in self.moves.iter().enumerate() {
            game.play(text).map_err(|error| numbered(index, error))?;
        }
        Ok(game)
    }
}

fn numbered(index: usize, error: impl Display) -> ApiError {
    ApiError::input(format!("move {}: {error}", index + 1))
}

/// A request to analyse a position or review a game.
#[derive(Clone, Deserialize, ToSchema)]
pub(super) struct AnalysisRequest {
    #[serde(flatten)]
    line: Line,
    /// The agent that analyses: a level or a spec; `d7` if left out.
    agent: Option<String>,
    /// The maximum number of nodes; the agent's own limit if left out.
    nodes: Option<u64>,
    /// The maximum time in seconds; the agent's own limit if left out.
    seconds: Option<f64>,
    /// The seed of the agent.
    #[serde(default)]
    seed: u64,
    /// The maximum number of candidates to report; 10 if left out.
    top: Option<usize>,
}

/// The agent that gives hints and analyses unless a request names another one: strong, and quick to answer on every board.
pub(super) const ADVISER: &str = "d8";

impl AnalysisRequest {
    fn limits(&self, own: Limits) -> Result<Limits, ApiError> {
        let invalid = self.seconds.filter(|seconds| !(0.001..=3600.0).contains(seconds));
        if let Some(seconds) = invalid {
            return Err(ApiError::input(format!(
                "seconds is {seconds}: expected a number from 0.001 to 3600"
            )));
        }
        let time = self.seconds.map(Duration::from_secs_f64).or(own.time);
        Ok(caps::limits(Limits { nodes: self.nodes.unwrap_or(own.nodes).max(1), time }))
    }

    fn agent(&self) -> &str {
        self.agent.as_deref().unwrap_or(ADVISER)
    }
}

/// A position of a review, with the move played from it.
#[derive(Serialize, ToSchema)]
pub(super) struct ReviewedPly {
    /// The number of moves before this position.
    ply: usize,
    /// The seat to move; `null` at the end of the game.
    seat: Option<usize>,
    /// The value of the position for each seat, from -1 to 1.
    values: Option<Vec<f64>>,
    /// The move that the agent would have played.
    best: Option<String>,
    /// The move that was played.
    played: Option<String>,
    /// The rank of that move among the agent's candidates, from 1.
    played_rank: Option<usize>,
}

#[utoipa::path(get, path = "/api/shape", tag = "positions", responses((status = 200, body = Shape)),
    params(("game" = String, Query, description = "`ringrift` or `go`"), ("board" = Option<String>, Query),
        ("size" = Option<u8>, Query)))]
pub(super) async fn shape(Params(pairs): Params<Pairs>) -> Result<Json<Shape>, ApiError> {
    Ok(Json(Shape::of(&options::setup(&pairs)?.config()?)))
}

#[utoipa::path(post, path = "/api/view", tag = "positions", request_body = Line,
    responses((status = 200, body = LineView), (status = 422, description = "The position is invalid, or a move is illegal")))]
pub(super) async fn view(
    State(app): State<App>,
    client: Client,
    Body(line): Body<Line>,
) -> Result<Json<LineView>, ApiError> {
    app.scheduler.run(JobSize::Short, client, move || reached(&line)).await?.map(Json)
}

fn reached(line: &Line) -> Result<LineView, ApiError> {
    let game = line.end()?;
    Ok(LineView { view: game.view(), played: game.plies().to_vec() })
}

/// A position, and the moves that lead to it.
#[derive(Serialize, ToSchema)]
pub(super) struct LineView {
    #[serde(flatten)]
    view: View,
    /// The moves of the request.
    played: Vec<Ply>,
}

#[utoipa::path(post, path = "/api/threats", tag = "positions", request_body = Line,
    responses((status = 200, body = ThreatsView), (status = 422, description = "The position is invalid, or a move is illegal")))]
pub(super) async fn threats(
    State(app): State<App>,
    client: Client,
    Body(line): Body<Line>,
) -> Result<Json<ThreatsView>, ApiError> {
    let stop = Arc::new(Stop::default());
    let _stop_on_drop = StopOnDrop(Arc::clone(&stop));
    let search = move || Ok(line.end()?.threats(&stop));
    app.scheduler.run(JobSize::Long, client, search).await?.map(Json)
}

/// A finished game and a seat that lost it.
#[derive(Clone, Deserialize, ToSchema)]
pub(super) struct LostGame {
    #[serde(flatten)]
    line: Line,
    /// The seat that lost.
    seat: usize,
}

/// Why a game was lost.
#[derive(Serialize, ToSchema)]
pub(super) struct LossView {
    /// The turn that decided the game; `null` if none stands out.
    turning_point: Option<TurningPointView>,
}

/// The agent that judges the turns of a lost game, and the nodes it may use for each decision.
const JUDGE: (&str, u64) = ("minimax", 20_000);

#[utoipa::path(post, path = "/api/loss", tag = "positions", request_body = LostGame,
    responses((status = 200, body = LossView), (status = 409, description = "The seat did not lose"),
        (status = 422, description = "The position or the seat is invalid, or a move is illegal")))]
pub(super) async fn loss(
    State(app): State<App>,
    client: Client,
    Body(lost): Body<LostGame>,
) -> Result<Json<LossView>, ApiError> {
    let stop = Arc::new(Stop::default());
    let _stop_on_drop = StopOnDrop(Arc::clone(&stop));
    app.scheduler.run(JobSize::Long, client, move || explained(&lost, &stop)).await?.map(Json)
}

fn explained(lost: &LostGame, stop: &Stop) -> Result<LossView, ApiError> {
    let game = lost.line.end()?;
    let (number, seats) = (lost.seat, game.seats());
    let seat = Seat::from_number(number).filter(|seat| seat.index() < seats);
    let seat = seat
        .ok_or_else(|| ApiError::input(format!("seat is {number}: expected a number from 1 to {seats}")))?;
    let winner = game.result().and_then(|result| result.winner);
    if winner.is_none_or(|winner| winner == number) {
        return Err(ApiError::conflict(format!("seat {number} has not lost this game")));
    }
    let player = games::player(JUDGE.0, game.venue(), &Models::default())?;
    let limits = caps::limits(Limits::nodes(JUDGE.1));
    Ok(LossView { turning_point: game.turning_point(seat, &player, &limits, stop) })
}

/// A game or position as text.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenRequest {
    /// A line of a record file, an SGF file or a position text.
    text: String,
}

/// A game that was read from text.
#[derive(Serialize, ToSchema)]
pub(super) struct OpenedGame {
    /// The game and its options.
    setup: Setup,
    /// The position the game started from, if not the normal start.
    start: Option<String>,
    /// All moves played.
    moves: Vec<String>,
    /// The participants.
    players: Vec<String>,
    /// A description of the result.
    result: Option<String>,
}

#[utoipa::path(post, path = "/api/open", tag = "positions", request_body = OpenRequest,
    responses((status = 200, body = OpenedGame), (status = 422, description = "Neither a game nor a position")))]
pub(super) async fn open(
    State(app): State<App>,
    client: Client,
    Body(OpenRequest { text }): Body<OpenRequest>,
) -> Result<Json<OpenedGame>, ApiError> {
    app.scheduler.run(JobSize::Short, client, move || opened(text.trim())).await?.map(Json)
}

fn opened(text: &str) -> Result<OpenedGame, ApiError> {
    let record = if text.starts_with('{') {
        let line = text.lines().next().unwrap_or_default();
        interchange::import_line(line, "opened").map_err(ApiError::input)?.record
    } else if text.trim_start_matches('\u{feff}').starts_with('(') {
        let mut games = record::sgf::read(text, "opened").map_err(ApiError::input)?;
        if games.is_empty() {
            return Err(ApiError::input("the SGF file contains no game"));
        }
        games.swap_remove(0)
    } else {
        let game = crate::open(None, Some(text))?;
        game.record("opened", vec![String::new(); game.seats()])
    };
    caps::check_moves(record.moves.len())?;
    record.replay().map_err(ApiError::input)?;
    Ok(OpenedGame {
        setup: Setup::from(&record.config),
        result: record.result.as_ref().map(ToString::to_string),
        start: record.start,
        moves: record.moves,
        players: record.players,
    })
}

#[utoipa::path(post, path = "/api/analyse", tag = "positions", request_body = AnalysisRequest,
    responses((status = 200, content_type = "application/x-ndjson", body = ReportView,
        description = "Reports of the search, one per line; all but the last are partial. Closing the connection stops the search.")))]
pub(super) async fn analyse(
    State(app): State<App>,
    client: Client,
    Body(request): Body<AnalysisRequest>,
) -> Result<Response, ApiError> {
    let line = request.line.clone();
    // Replaying a long game would delay other connections of this thread.
    let game = app.scheduler.run(JobSize::Short, client, move || line.end()).await??;
    if game.to_move().is_none() {
        return Err(ApiError::conflict("the game is over: there is no move to analyse"));
    }
    let player = games::player(request.agent(), game.venue(), &app.nets)?;
    let limits = request.limits(player.limits())?;
    let top = request.top.unwrap_or(10).min(1_000);
    let stop = Arc::new(Stop::default());
    let (lines, response) = stream::lines(Arc::clone(&stop), app.shutting_down.clone());
    let slot = app.scheduler.enqueue(JobSize::Long, client)?;
    tokio::spawn(async move {
        let think = move || {
            let mut last = Instant::now();
            let report = game.analyse(&player, &limits, request.seed, top, &stop, &mut |report| {
                if last.elapsed() >= REPORT_INTERVAL {
                    last = Instant::now();
                    lines.try_send(&report);
                }
            });
            if let Some(report) = report {
                lines.send(&report);
            }
        };
        // If the search fails, the response ends here.
        let _ = slot.run(think).await;
    });
    Ok(response)
}

#[utoipa::path(post, path = "/api/review", tag = "positions", request_body = AnalysisRequest,
    responses((status = 200, content_type = "application/x-ndjson", body = ReviewedPly,
        description = "One line for every position of the game, in order. Closing the connection stops the review.")))]
pub(super) async fn review(
    State(app): State<App>,
    client: Client,
    Body(request): Body<AnalysisRequest>,
) -> Result<Response, ApiError> {
    let line = request.line.clone();
    let replay = move || line.end().and_then(|_| line.start());
    let game = app.scheduler.run(JobSize::Short, client, replay).await??;
    let player = games::player(request.agent(), game.venue(), &app.nets)?;
    let limits = request.limits(player.limits())?;
    let stop = Arc::new(Stop::default());
    let (lines, response) = stream::lines(Arc::clone(&stop), app.shutting_down.clone());
    let slot = app.scheduler.enqueue(JobSize::Long, client)?;
    tokio::spawn(async move {
        let think = move || {
            let mut game = game;
            for ply in 0..=request.line.moves.len() {
                let played = request.line.moves.get(ply);
                if stop.is_raised()
                    || !lines.send(&reviewed(game.as_ref(), ply, played, &player, &limits, &stop))
                {
                    return;
                }
                if let Some(text) = played
                    && let Err(error) = game.play(text)
                {
                    lines.send(&json!({ "error": numbered(ply, error).message }));
                    return;
                }
            }
        };
        let _ = slot.run(think).await;
    });
    Ok(response)
}

fn reviewed(
    game: &dyn HostedGame,
    ply: usize,
    played: Option<&String>,
    player: &Player,
    limits: &Limits,
    stop: &Stop,
) -> ReviewedPly {
    let blank = ReviewedPly {
        ply,
        seat: game.to_move().map(Seat::number),
        values: None,
        best: None,
        played: played.cloned(),
        played_rank: None,
    };
    let Some(_) = game.to_move() else {
        let seats = game.seats();
        let values = |result: ResultView| {
            let value = |seat| match result.winner {
                Some(winner) if winner == seat => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
            (1..=seats).map(value).collect()
        };
        return ReviewedPly { values: game.ending().map(values), ..blank };
    };
    // A forced bookkeeping move needs no analysis.
    if game.bookkeeping_move().is_some() {
        return blank;
    }
    let report = game.analyse(player, limits, ply as u64, usize::MAX, stop, &mut |_| ());
    let Some(report) = report else { return blank };
    let rank = report.candidates.iter().position(|candidate| Some(&candidate.text) == played);
    ReviewedPly {
        values: report.values,
        best: Some(report.best),
        played_rank: rank.map(|rank| rank + 1),
        ..blank
    }
}
