//! The description of the API in the `OpenAPI` format.

use axum::Json;
use utoipa::OpenApi;

use super::{agents, games, lab, learn, options, positions};

#[derive(OpenApi)]
#[openapi(
    info(title = "riftlab", description = "Play games, analyse positions and rate agents with a riftlab service."),
    paths(
        games::list, games::begin, games::one, games::play, games::undo, games::resign, games::stop,
        games::control, games::dead, games::accept, games::view_at, games::events, games::record, games::sgf, positions::shape, positions::open,
        positions::view, positions::threats, positions::loss, positions::analyse, positions::review, agents::list, options::list, lab::ratings, lab::games,
        lab::record, lab::runs, lab::start, lab::stop, lab::resume, lab::events, learn::lessons, learn::lesson,
        learn::try_step, learn::puzzles, learn::puzzle, learn::try_puzzle,
    ),
    tags(
        (name = "games", description = "Games of the service"),
        (name = "positions", description = "Analysis of positions that belong to no game"),
        (name = "lab", description = "Ratings, recorded games and runs"),
        (name = "learn", description = "Lessons and puzzles"),
        (name = "agents", description = "Agents to play against"),
    )
)]
struct ApiDescription;

pub(super) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(ApiDescription::openapi())
}
