//! The HTTP interface: the routes, and the state that all handlers share.

mod agents;
mod body;
mod drop_in;
mod error_response;
mod games;
mod guard;
mod lab;
mod learn;
mod monitoring;
mod openapi;
mod options;
mod pages;
mod positions;
mod stream;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{any, get, post},
};
use ladder::Models;
use tokio::sync::watch;

pub(crate) use guard::{Guard, MonitoringOnly};

use crate::{Quota, Scheduler, games::Games, health::Health, lab::Lab, metrics::Metrics};

/// The state that all handlers share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) games: Games,
    /// The nets that agents in requests may name: shipped ones, and those of the service's data folder.
    pub(crate) nets: Arc<Models>,
    pub(crate) scheduler: Scheduler,
    pub(crate) lab: Lab,
    /// The quota of open event streams.
    pub(crate) streams: Arc<Quota>,
    pub(crate) metrics: Arc<Metrics>,
    /// Whether the databases work.
    pub(crate) health: Arc<Health>,
    pub(crate) reference: Arc<reference::Service>,
    /// Becomes `true` when the service shuts down.
    pub(crate) shutting_down: watch::Receiver<bool>,
}

/// The maximum size of a request body, in bytes.
const MAX_BODY_BYTES: usize = 1 << 20;

/// Builds the router with all routes and middleware.
pub(crate) fn router(app: App, guard: Guard) -> Router {
    let metrics = Arc::clone(&app.metrics);
    // The start page has the route `/`; programs that request it get the banner from there.
    let routes = reference::Route::ALL.into_iter().filter(|&route| route != reference::Route::Banner);
    let drop_in = routes.fold(Router::new(), |router, route| {
        let with_slash = format!("{}/", route.path());
        router.route(route.path(), any(drop_in::handle)).route(&with_slash, any(drop_in::handle))
    });
    let drop_in = drop_in.layer(DefaultBodyLimit::max(drop_in::MAX_BODY_BYTES));
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
        .route("/api/threats", post(positions::threats))
        .route("/api/loss", post(positions::loss))
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
        .route("/api/openapi.json", get(openapi::openapi))
        .route("/health", get(monitoring::health))
        .route("/ready", get(monitoring::ready))
        .route("/live", get(monitoring::live))
        .route("/metrics", get(monitoring::metrics))
        .route("/assets/{*path}", get(pages::asset))
        .fallback(pages::page)
        .method_not_allowed_fallback(error_response::method_not_allowed)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .merge(drop_in)
        .with_state(app);
    api.layer(middleware::from_fn(guard::check_connection))
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::check))
        .layer(middleware::from_fn_with_state(metrics, crate::metrics::count))
}
