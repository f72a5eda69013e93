//! The service over HTTP.

mod agents;
mod answer;
mod body;
mod describe;
mod drop_in;
mod games;
mod guard;
mod lab;
mod learn;
mod options;
mod pages;
mod positions;
mod programs;
mod stream;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{any, get, post},
};
use tokio::sync::watch;

pub(crate) use guard::Guard;

use crate::{Shares, Work, games::Games, lab::Lab, metrics::Metrics};

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) games: Games,
    pub(crate) work: Work,
    pub(crate) lab: Lab,
    /// Streams of events that are open.
    pub(crate) streams: Arc<Shares>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) reference: Arc<reference::Service>,
    /// Becomes true when the service is about to end.
    pub(crate) ending: watch::Receiver<bool>,
}

/// The longest body of a request.
const LONGEST_BODY: usize = 1 << 20;

/// All routes.
pub(crate) fn router(app: App, guard: Guard) -> Router {
    let metrics = Arc::clone(&app.metrics);
    // The page has the root; a program that asks for it gets the banner there.
    let routes = reference::Route::ALL.into_iter().filter(|&route| route != reference::Route::Banner);
    let drop_in = routes.fold(Router::new(), |router, route| {
        let beside = format!("{}/", route.path());
        router.route(route.path(), any(drop_in::answer)).route(&beside, any(drop_in::answer))
    });
    let drop_in = drop_in.layer(DefaultBodyLimit::max(drop_in::LONGEST_BODY));
    let api = Router::new()
        .route("/api/shape", get(positions::shape))
        .route("/api/agents", get(agents::list))
        .route("/api/options", get(options::list))
        .route("/api/games", get(games::list).post(games::begin))
        .route("/api/games/{id}", get(games::one))
        .route("/api/games/{id}/moves", post(games::play))
        .route("/api/games/{id}/undo", post(games::undo))
        .route("/api/games/{id}/resign", post(games::resign))
        .route("/api/games/{id}/stop", post(games::stop))
        .route("/api/games/{id}/control", post(games::control))
        .route("/api/games/{id}/dead", post(games::dead))
        .route("/api/games/{id}/accept", post(games::accept))
        .route("/api/games/{id}/events", get(games::events))
        .route("/api/games/{id}/view", get(games::view_at))
        .route("/api/games/{id}/record", get(games::record))
        .route("/api/games/{id}/sgf", get(games::sgf))
        .route("/api/open", post(positions::open))
        .route("/api/view", post(positions::view))
        .route("/api/analyse", post(positions::analyse))
        .route("/api/review", post(positions::review))
        .route("/api/lab/ratings", get(lab::ratings))
        .route("/api/lab/games", get(lab::games))
        .route("/api/lab/games/{id}", get(lab::record))
        .route("/api/lab/runs", get(lab::runs).post(lab::start))
        .route("/api/lab/runs/{id}/stop", post(lab::stop))
        .route("/api/lab/runs/{id}/resume", post(lab::resume))
        .route("/api/lab/events", get(lab::events))
        .route("/api/lessons", get(learn::lessons))
        .route("/api/lessons/{name}", get(learn::lesson))
        .route("/api/lessons/{name}/try", post(learn::try_step))
        .route("/api/puzzles", get(learn::puzzles))
        .route("/api/puzzles/{id}", get(learn::puzzle))
        .route("/api/puzzles/{id}/try", post(learn::try_puzzle))
        .route("/api/openapi.json", get(describe::openapi))
        .route("/health", get(programs::health))
        .route("/ready", get(programs::ready))
        .route("/live", get(programs::live))
        .route("/metrics", get(programs::metrics))
        .route("/assets/{*path}", get(pages::asset))
        .fallback(pages::page)
        .method_not_allowed_fallback(answer::method_not_allowed)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .merge(drop_in)
        .with_state(app);
    api.layer(middleware::from_fn_with_state(Arc::new(guard), guard::check))
        .layer(middleware::from_fn_with_state(metrics, crate::metrics::count))
}
