//! Handlers for lessons and puzzles.

use axum::{Json, extract::State};
use host::PlayError;
use learn::{
    LearnError,
    lessons::{self, LessonView, ListedLesson, Verdict},
    puzzles::{self, Attempt, Puzzle},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    App,
    body::{Body, Name, Params},
};
use crate::{ApiError, Client, Setup, scheduler::JobSize};

impl From<LearnError> for ApiError {
    fn from(error: LearnError) -> Self {
        match &error {
            LearnError::UnknownLesson(_) | LearnError::UnknownStep { .. } | LearnError::UnknownPuzzle(_) => {
                Self::missing(error)
            }
            LearnError::Finished(_) | LearnError::Move(PlayError::Over) => Self::conflict(error),
            LearnError::Move(_) => Self::input(error),
            LearnError::Position(_) | LearnError::NotRingRift | LearnError::Proof(_) => Self::internal(error),
        }
    }
}

/// The lessons, in the order in which they build on each other.
#[derive(Serialize, ToSchema)]
pub(super) struct Lessons {
    lessons: Vec<ListedLesson>,
}

/// An attempt at a step of a lesson.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepAttempt {
    /// The index of the step, from 0.
    step: usize,
    /// The moves that the learner chose, from the start of the step.
    moves: Vec<String>,
}

#[utoipa::path(get, path = "/api/lessons", tag = "learn", responses((status = 200, body = Lessons)))]
pub(super) async fn lessons() -> Json<Lessons> {
    Json(Lessons { lessons: lessons::all().iter().map(ListedLesson::from).collect() })
}

#[utoipa::path(get, path = "/api/lessons/{name}", tag = "learn", params(("name" = String, Path)),
    responses((status = 200, body = LessonView), (status = 404, description = "There is no such lesson")))]
pub(super) async fn lesson(Name(name): Name) -> Result<Json<LessonView>, ApiError> {
    Ok(Json(LessonView::of(lessons::named(&name)?)?))
}

#[utoipa::path(post, path = "/api/lessons/{name}/try", tag = "learn", params(("name" = String, Path)),
    request_body = StepAttempt, responses((status = 200, body = Verdict),
    (status = 404, description = "There is no such step"), (status = 422, description = "A move is not legal")))]
pub(super) async fn try_step(
    State(app): State<App>,
    client: Client,
    Name(name): Name,
    Body(attempt): Body<StepAttempt>,
) -> Result<Json<Verdict>, ApiError> {
    let step = lessons::named(&name)?.step(attempt.step)?;
    app.scheduler
        .run(JobSize::Short, client, move || lessons::judge(step, &attempt.moves))
        .await?
        .map(Json)
        .map_err(Into::into)
}

/// The query parameters of the list of puzzles.
#[derive(Deserialize)]
pub(super) struct PuzzlesQuery {
    difficulty: Option<u8>,
}

/// The puzzles, easiest first.
#[derive(Serialize, ToSchema)]
pub(super) struct Puzzles {
    puzzles: Vec<ListedPuzzle>,
}

/// A puzzle in the list.
#[derive(Serialize, ToSchema)]
pub(super) struct ListedPuzzle {
    #[serde(flatten)]
    listed: puzzles::ListedPuzzle,
    /// The game and its options.
    setup: Setup,
}

impl ListedPuzzle {
    fn of(puzzle: &'static Puzzle) -> Result<Self, ApiError> {
        let listed = puzzles::ListedPuzzle::of(puzzle)?;
        Ok(Self { listed, setup: Setup::from(&puzzle.config()?) })
    }
}

/// A puzzle without its solution.
#[derive(Serialize, ToSchema)]
pub(super) struct PuzzleView {
    #[serde(flatten)]
    puzzle: puzzles::PuzzleView,
    /// The game and its options.
    setup: Setup,
}

/// An attempt at a puzzle.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzleAttempt {
    /// The moves that the solver chose from the start, without the replies.
    moves: Vec<String>,
}

#[utoipa::path(get, path = "/api/puzzles", tag = "learn", responses((status = 200, body = Puzzles)),
    params(("difficulty" = Option<u8>, Query, description = "From 1 (easiest) to 5; all if left out")))]
pub(super) async fn puzzles(Params(query): Params<PuzzlesQuery>) -> Result<Json<Puzzles>, ApiError> {
    let matches =
        |puzzle: &&Puzzle| query.difficulty.is_none_or(|difficulty| difficulty == puzzle.difficulty);
    let puzzles =
        puzzles::all().iter().filter(matches).map(ListedPuzzle::of).collect::<Result<_, ApiError>>()?;
    Ok(Json(Puzzles { puzzles }))
}

#[utoipa::path(get, path = "/api/puzzles/{id}", tag = "learn", params(("id" = String, Path)),
    responses((status = 200, body = PuzzleView), (status = 404, description = "There is no such puzzle")))]
pub(super) async fn puzzle(Name(id): Name) -> Result<Json<PuzzleView>, ApiError> {
    let puzzle = puzzles::named(&id)?;
    let setup = Setup::from(&puzzle.config()?);
    Ok(Json(PuzzleView { puzzle: puzzles::PuzzleView::of(puzzle)?, setup }))
}

#[utoipa::path(post, path = "/api/puzzles/{id}/try", tag = "learn", params(("id" = String, Path)),
    request_body = PuzzleAttempt, responses((status = 200, body = Attempt),
    (status = 404, description = "There is no such puzzle"), (status = 422, description = "A move is not legal")))]
pub(super) async fn try_puzzle(
    State(app): State<App>,
    client: Client,
    Name(id): Name,
    Body(attempt): Body<PuzzleAttempt>,
) -> Result<Json<Attempt>, ApiError> {
    let puzzle = puzzles::named(&id)?;
    app.scheduler
        .run(JobSize::Long, client, move || puzzles::attempt(puzzle, &attempt.moves))
        .await?
        .map(Json)
        .map_err(Into::into)
}
