//! The way from a request to an answer.

use std::time::Duration;

use interchange::{Body, Effort};
use search::Stop;

use crate::{Answer, Route, batch, choice, engines, evaluate, moving, rules, status};

/// What one request may cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caps {
    /// The longest time of a move, or of all moves of a batch. Clients give up after 30 s.
    pub time: Duration,
    /// The most nodes or simulations of a move, whatever the level says.
    pub nodes: u64,
    /// The largest body, in bytes; larger ones get status 413.
    pub body: usize,
    /// The key that `DELETE /ai/cache` asks for; without one nobody has the right.
    pub admin_key: Option<String>,
}

impl Default for Caps {
    fn default() -> Self {
        Self { time: Duration::from_secs(25), nodes: 1_000_000, body: 4 << 20, admin_key: None }
    }
}

/// A request, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The HTTP method, in capitals.
    pub method: &'a str,
    /// The path, without the query.
    pub path: &'a str,
    /// What follows the question mark.
    pub query: Option<&'a str>,
    /// The body; empty if there is none.
    pub body: &'a [u8],
    /// The header `X-Admin-Key`.
    pub admin_key: Option<&'a str>,
}

/// How long an answer may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// A few milliseconds at most.
    Light,
    /// Up to [`Caps::time`].
    Heavy,
}

/// The service. It keeps nothing between requests, so one is enough for all threads.
#[derive(Clone, Debug, Default)]
pub struct Service {
    pub(crate) caps: Caps,
}

impl Service {
    /// A service that keeps to `caps`.
    pub fn new(caps: Caps) -> Self {
        Self { caps }
    }

    /// The same service with less time for a request: it has waited for so long already, and so many others still wait
    /// for each place where one is answered. Clients give up after a time that begins when they ask.
    #[must_use]
    pub fn hurried(&self, waited: Duration, others: u32) -> Self {
        let time = self.caps.time.saturating_sub(waited) / others.saturating_add(1);
        Self { caps: Caps { time, ..self.caps.clone() } }
    }

    /// The route that a path leads to; `None` if it is not one of this service.
    pub fn answers(&self, path: &str) -> Option<Route> {
        Route::at(path)
    }

    /// How long a request will take, without answering it. Reads the level in the body, not the game.
    pub fn weight(&self, request: &Request<'_>) -> Weight {
        match Route::at(request.path) {
            Some(Route::MovesBatch) => Weight::Heavy,
            Some(Route::Move) => {
                // A rejection is quick.
                let light = Effort::from_body(request.body)
                    .map_or(true, |effort| effort.ai_type.map_or(effort.difficulty <= 2, engines::is_light));
                if light { Weight::Light } else { Weight::Heavy }
            }
            _ => Weight::Light,
        }
    }

    /// Answers a request. Comes back soon after `stop` is raised, with a legal move even so.
    pub fn handle(&self, request: &Request<'_>, stop: &Stop) -> Answer {
        let Some(route) = Route::at(request.path) else {
            let beside = request.path.strip_suffix('/').and_then(Route::at);
            return beside
                .map_or_else(|| Answer::error(404, "Not Found"), |route| Answer::elsewhere(route.path()));
        };
        if request.method != route.method() {
            let refused = Answer::error(405, "Method Not Allowed");
            return Answer { allow: Some(route.method()), ..refused };
        }
        if request.body.len() > self.caps.body {
            let most = self.caps.body;
            return Answer::error(413, &format!("the body has {} bytes: at most {most}", request.body.len()));
        }
        match route {
            Route::Banner => status::banner(),
            Route::Move => moving::answer(request.body, &self.caps, stop),
            Route::MovesBatch => batch::answer(request.body, &self.caps, stop),
            Route::Evaluate => evaluate::one(request.body),
            Route::EvaluatePosition => evaluate::all(request.body),
            Route::Choice(kind) => choice::answer(kind, request.body),
            Route::EvaluateMove => rules::answer(request.body),
            Route::Models => status::models(),
            Route::CacheStats => status::cache(),
            Route::CacheClear => status::clear_cache(request.admin_key, self.caps.admin_key.as_deref()),
            Route::LadderHealth => status::ladder_health(request.query.unwrap_or_default()),
            Route::Learn => status::learn(request.body),
        }
    }
}
