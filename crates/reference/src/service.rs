//! [`Service`], which dispatches requests to their handlers.

use std::time::Duration;

use interchange::{Body, Effort};
use search::Stop;

use crate::{Answer, Route, ai_move, batch, choice, engines, evaluate, rules, status};

/// Upper limits for a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caps {
    /// The maximum time for a move, or for all moves of a batch. Clients time out after 30 s.
    pub time: Duration,
    /// The maximum number of nodes or simulations for a move, at any level.
    pub nodes: u64,
    /// The maximum size of a body in bytes; larger ones get status 413.
    pub body: usize,
    /// The key that `DELETE /ai/cache` requires; without one, all such requests are rejected.
    pub admin_key: Option<String>,
}

impl Default for Caps {
    fn default() -> Self {
        Self { time: Duration::from_secs(25), nodes: 1_000_000, body: 4 << 20, admin_key: None }
    }
}

/// An HTTP request.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The HTTP method, in capitals.
    pub method: &'a str,
    /// The path, without the query.
    pub path: &'a str,
    /// The query, without the question mark.
    pub query: Option<&'a str>,
    /// The body; empty if there is none.
    pub body: &'a [u8],
    /// The header `X-Admin-Key`.
    pub admin_key: Option<&'a str>,
}

/// The cost of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// At most a few milliseconds.
    Light,
    /// Up to [`Caps::time`].
    Heavy,
}

/// The service. It is stateless, so all threads can share one.
#[derive(Clone, Debug, Default)]
pub struct Service {
    pub(crate) caps: Caps,
}

impl Service {
    /// Creates a service with these limits.
    pub fn new(caps: Caps) -> Self {
        Self { caps }
    }

    /// The same service with less time for a request that has waited for `waited` in a queue, in which `others` requests
    /// per worker still wait. The timeouts of clients include the time in the queue.
    #[must_use]
    pub fn hurried(&self, waited: Duration, others: u32) -> Self {
        let time = self.caps.time.saturating_sub(waited) / others.saturating_add(1);
        Self { caps: Caps { time, ..self.caps.clone() } }
    }

    /// The route with this path, if any.
    pub fn route(&self, path: &str) -> Option<Route> {
        Route::at(path)
    }

    /// Estimates the cost of a request from its route and level, without handling it.
    pub fn weight(&self, request: &Request<'_>) -> Weight {
        match Route::at(request.path) {
            Some(Route::MovesBatch) => Weight::Heavy,
            Some(Route::Move) => {
                // An invalid body is rejected quickly.
                let light = Effort::from_body(request.body)
                    .map_or(true, |effort| effort.ai_type.map_or(effort.difficulty <= 2, engines::is_light));
                if light { Weight::Light } else { Weight::Heavy }
            }
            _ => Weight::Light,
        }
    }

    /// Handles a request. Returns soon after `stop` is raised, still with a legal move.
    pub fn handle(&self, request: &Request<'_>, stop: &Stop) -> Answer {
        let Some(route) = Route::at(request.path) else {
            let redirect = request.path.strip_suffix('/').and_then(Route::at);
            return redirect
                .map_or_else(|| Answer::error(404, "Not Found"), |route| Answer::redirect(route.path()));
        };
        if request.method != route.method() {
            let refused = Answer::error(405, "Method Not Allowed");
            return Answer { allow: Some(route.method()), ..refused };
        }
        if request.body.len() > self.caps.body {
            let most = self.caps.body;
            return Answer::error(
                413,
                &format!("the body has {} bytes: expected at most {most}", request.body.len()),
            );
        }
        match route {
            Route::Banner => status::banner(),
            Route::Move => ai_move::respond(request.body, &self.caps, stop),
            Route::MovesBatch => batch::respond(request.body, &self.caps, stop),
            Route::Evaluate => evaluate::evaluate(request.body),
            Route::EvaluatePosition => evaluate::evaluate_position(request.body),
            Route::Choice(kind) => choice::respond(kind, request.body),
            Route::EvaluateMove => rules::respond(request.body),
            Route::Models => status::models(),
            Route::CacheStats => status::cache(),
            Route::CacheClear => status::clear_cache(request.admin_key, self.caps.admin_key.as_deref()),
            Route::LadderHealth => status::ladder_health(request.query.unwrap_or_default()),
            Route::Learn => status::learn(request.body),
        }
    }
}
