//! Positions without a game: views and analysis.

use std::{
    fmt::Display,
    sync::Arc,
    time::{Duration, Instant},
};

use ::game::Seat;
use axum::{Json, extract::State, response::Response};
use host::{
    HostedGame, Ply,
    view::{ReportView, ResultView, Shape, View},
};
use search::{Limits, Stop};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    App,
    body::{Asked, Body},
    options::{self, Pairs},
    stream,
};
use crate::{Client, Refusal, Setup, caps, games, opening, work::Lane};

/// The most moves of a line that is asked about.
const MOST_MOVES: usize = 5_000;

/// How often a client hears of an analysis.
const TOLD_EVERY: Duration = Duration::from_millis(50);

/// A position: a start and moves from there.
#[derive(Clone, Deserialize, ToSchema)]
pub(super) struct Line {
    /// What was agreed; the start says it if this does not.
    setup: Option<Setup>,
    /// A position text; the normal start if it is left out.
    start: Option<String>,
    /// Moves from there.
    #[serde(default)]
    moves: Vec<String>,
}

impl Line {
    fn start(&self) -> Result<Box<dyn HostedGame>, Refusal> {
        if self.moves.len() > MOST_MOVES {
            let given = self.moves.len();
            return Err(Refusal::input(format!("{given} moves: expected at most {MOST_MOVES}")));
        }
        opening::open(self.setup.as_ref(), self.start.as_deref())
    }

    fn end(&self) -> Result<Box<dyn HostedGame>, Refusal> {
        let mut game = self.start()?;
        for (index, text) in self.moves.iter().enumerate() {
            game.play(text).map_err(|error| numbered(index, error))?;
        }
        Ok(game)
    }
}

fn numbered(index: usize, error: impl Display) -> Refusal {
    Refusal::input(format!("move {}: {error}", index + 1))
}

/// A question about a position.
#[derive(Clone, Deserialize, ToSchema)]
pub(super) struct Question {
    #[serde(flatten)]
    line: Line,
    /// Who looks: a level or an agent.
    agent: Option<String>,
    /// The most nodes to spend, if not the agent's own number.
    nodes: Option<u64>,
    /// The longest time to take, if not the agent's own.
    seconds: Option<f64>,
    /// Where the agent's random numbers come from.
    #[serde(default)]
    seed: u64,
    /// The most candidates to tell of.
    top: Option<usize>,
}

impl Question {
    fn limits(&self, own: Limits) -> Result<Limits, Refusal> {
        let given = self.seconds.filter(|seconds| !(0.001..=3600.0).contains(seconds));
        if let Some(seconds) = given {
            return Err(Refusal::input(format!("seconds is {seconds}: expected a time from 0.001 to 3600")));
        }
        let time = self.seconds.map(Duration::from_secs_f64).or(own.time);
        Ok(caps::limits(Limits { nodes: self.nodes.unwrap_or(own.nodes).max(1), time }))
    }

    fn agent(&self) -> &str {
        self.agent.as_deref().unwrap_or("d7")
    }
}

/// One ply of a review.
#[derive(Serialize, ToSchema)]
pub(super) struct Reviewed {
    /// Moves played before.
    ply: usize,
    /// Who was to move; nobody at the end.
    seat: Option<usize>,
    /// What each seat could expect.
    values: Option<Vec<f64>>,
    /// What the agent would have played.
    best: Option<String>,
    /// What was played.
    played: Option<String>,
    /// Which of the agent's candidates that was, from 1.
    played_rank: Option<usize>,
}

#[utoipa::path(get, path = "/api/shape", tag = "positions", responses((status = 200, body = Shape)),
    params(("game" = String, Query, description = "`ringrift` or `go`"), ("board" = Option<String>, Query),
        ("size" = Option<u8>, Query)))]
pub(super) async fn shape(Asked(pairs): Asked<Pairs>) -> Result<Json<Shape>, Refusal> {
    Ok(Json(Shape::of(&options::setup(&pairs)?.config()?)))
}

#[utoipa::path(post, path = "/api/view", tag = "positions", request_body = Line,
    responses((status = 200, body = Reached), (status = 422, description = "No position, or a move is not legal")))]
pub(super) async fn view(
    State(app): State<App>,
    client: Client,
    Body(line): Body<Line>,
) -> Result<Json<Reached>, Refusal> {
    app.work.run(Lane::Short, client, move || reached(&line)).await?.map(Json)
}

fn reached(line: &Line) -> Result<Reached, Refusal> {
    let game = line.end()?;
    Ok(Reached { view: game.view(), played: game.plies().to_vec() })
}

/// A position, and what led there.
#[derive(Serialize, ToSchema)]
pub(super) struct Reached {
    #[serde(flatten)]
    view: View,
    /// The moves of the request.
    played: Vec<Ply>,
}

/// A game or position as text.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    /// A line of a record, SGF, or a position text.
    text: String,
}

/// A game that was read.
#[derive(Serialize, ToSchema)]
pub(super) struct Opened {
    /// What was agreed.
    setup: Setup,
    /// The position it started from, if it is not the normal one.
    start: Option<String>,
    /// Everything that was played.
    moves: Vec<String>,
    /// Who played.
    players: Vec<String>,
    /// How it ended, in words.
    result: Option<String>,
}

#[utoipa::path(post, path = "/api/open", tag = "positions", request_body = Text,
    responses((status = 200, body = Opened), (status = 422, description = "Neither a game nor a position")))]
pub(super) async fn open(
    State(app): State<App>,
    client: Client,
    Body(Text { text }): Body<Text>,
) -> Result<Json<Opened>, Refusal> {
    app.work.run(Lane::Short, client, move || opened(text.trim())).await?.map(Json)
}

fn opened(text: &str) -> Result<Opened, Refusal> {
    let record = if text.starts_with('{') {
        let line = text.lines().next().unwrap_or_default();
        record::import::line(line, "opened").map_err(Refusal::input)?.record
    } else if text.starts_with('(') {
        let mut games = record::sgf::read(text, "opened").map_err(Refusal::input)?;
        if games.is_empty() {
            return Err(Refusal::input("the SGF holds no game"));
        }
        games.swap_remove(0)
    } else {
        let game = opening::open(None, Some(text))?;
        game.record("opened", vec![String::new(); game.seats()])
    };
    record.replay().map_err(Refusal::input)?;
    Ok(Opened {
        setup: Setup::from(&record.config),
        result: record.result.as_ref().map(ToString::to_string),
        start: record.start,
        moves: record.moves,
        players: record.players,
    })
}

#[utoipa::path(post, path = "/api/analyse", tag = "positions", request_body = Question,
    responses((status = 200, content_type = "application/x-ndjson", body = ReportView,
        description = "A report a line while the agent thinks; the last one is not partial. Leaving stops the search.")))]
pub(super) async fn analyse(
    State(app): State<App>,
    client: Client,
    Body(question): Body<Question>,
) -> Result<Response, Refusal> {
    let game = question.line.end()?;
    if game.to_move().is_none() {
        return Err(Refusal::conflict("the game is over: there is nothing to think about"));
    }
    let player = games::player(question.agent(), game.venue())?;
    let limits = question.limits(player.limits())?;
    let top = question.top.unwrap_or(10).min(1_000);
    let stop = Arc::new(Stop::default());
    let (lines, response) = stream::lines(Arc::clone(&stop), app.ending.clone());
    let place = app.work.queue(Lane::Long, client)?;
    tokio::spawn(async move {
        let think = move || {
            let mut last = Instant::now();
            let report = game.analyse(&player, &limits, question.seed, top, &stop, &mut |report| {
                if last.elapsed() >= TOLD_EVERY {
                    last = Instant::now();
                    lines.offer(&report);
                }
            });
            if let Some(report) = report {
                lines.send(&report);
            }
        };
        // If it breaks down, the response ends there.
        let _ = place.run(think).await;
    });
    Ok(response)
}

#[utoipa::path(post, path = "/api/review", tag = "positions", request_body = Question,
    responses((status = 200, content_type = "application/x-ndjson", body = Reviewed,
        description = "A line for every position of the game, in order. Leaving stops the search.")))]
pub(super) async fn review(
    State(app): State<App>,
    client: Client,
    Body(question): Body<Question>,
) -> Result<Response, Refusal> {
    let game = question.line.start()?;
    question.line.end()?;
    let player = games::player(question.agent(), game.venue())?;
    let limits = question.limits(player.limits())?;
    let stop = Arc::new(Stop::default());
    let (lines, response) = stream::lines(Arc::clone(&stop), app.ending.clone());
    let place = app.work.queue(Lane::Long, client)?;
    tokio::spawn(async move {
        let think = move || {
            let mut game = game;
            for ply in 0..=question.line.moves.len() {
                let played = question.line.moves.get(ply);
                if stop.is_raised()
                    || !lines.send(&reviewed(game.as_ref(), ply, played, &player, &limits, &stop))
                {
                    return;
                }
                if let Some(text) = played
                    && let Err(error) = game.play(text)
                {
                    lines.send(&json!({ "error": numbered(ply, error).words }));
                    return;
                }
            }
        };
        let _ = place.run(think).await;
    });
    Ok(response)
}

fn reviewed(
    game: &dyn HostedGame,
    ply: usize,
    played: Option<&String>,
    player: &ladder::Player,
    limits: &Limits,
    stop: &Stop,
) -> Reviewed {
    let blank = Reviewed {
        ply,
        seat: game.to_move().map(Seat::number),
        values: None,
        best: None,
        played: played.cloned(),
        played_rank: None,
    };
    let Some(_) = game.to_move() else {
        let seats = game.seats();
        let worth = |result: ResultView| {
            let worth = |seat| match result.winner {
                Some(winner) if winner == seat => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
            (1..=seats).map(worth).collect()
        };
        return Reviewed { values: game.ending().map(worth), ..blank };
    };
    // Where nothing can be chosen there is nothing to judge.
    if game.bookkeeping_move().is_some() {
        return blank;
    }
    let report = game.analyse(player, limits, ply as u64, usize::MAX, stop, &mut |_| ());
    let Some(report) = report else { return blank };
    let rank = report.candidates.iter().position(|candidate| Some(&candidate.text) == played);
    Reviewed {
        values: report.values,
        best: Some(report.best),
        played_rank: rank.map(|rank| rank + 1),
        ..blank
    }
}
