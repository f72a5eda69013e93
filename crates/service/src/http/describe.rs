//! The description of the API.

use axum::Json;
use utoipa::OpenApi;

use super::{agents, games, lab, learn, options, positions};

#[derive(OpenApi)]
#[openapi(
    info(title = "riftlab", description = "Games, positions and agents of a riftlab service."),
    paths(
        games::list, games::begin, games::one, games::play, games::undo, games::resign, games::stop,
        games::control, games::dead, games::accept, games::view_at, games::events, games::record, games::sgf, positions::shape, positions::open,
        positions::view, positions::analyse, positions::review, agents::list, options::list, lab::ratings, lab::games,
        lab::record, lab::runs, lab::start, lab::stop, lab::resume, lab::events, learn::lessons, learn::lesson,
        learn::try_step, learn::puzzles, learn::puzzle, learn::try_puzzle,
    ),
    tags(
        (name = "games", description = "Games kept by the service"),
        (name = "positions", description = "Positions without a game"),
        (name = "lab", description = "Ratings, recorded games and matches"),
        (name = "learn", description = "Lessons and puzzles"),
        (name = "agents", description = "Who can be played against"),
    )
)]
struct Description;

pub(super) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}
