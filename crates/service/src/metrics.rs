//! Request metrics in the Prometheus text format.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use reference::MoveLabel;

/// Upper bounds of the histogram buckets, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

/// Counts and latencies of requests.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Histogram>>,
    /// By type of agent, requested difficulty and outcome.
    moves: Mutex<BTreeMap<(&'static str, u8, &'static str), u64>>,
    move_times: Mutex<BTreeMap<(&'static str, u8), Histogram>>,
}

#[derive(Debug, Default, Clone)]
struct Histogram {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    fn count_request(&self, route: &str, status: u16, time: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), status)).or_default() += 1;
        drop(requests);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.entry(route.to_owned()).or_default().observe(time);
    }

    /// Counts a move requested through a route of the reference service.
    pub(crate) fn count_move(&self, label: MoveLabel, time: Duration) {
        let MoveLabel { ai_type, difficulty, outcome } = label;
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        *moves.entry((ai_type, difficulty, outcome)).or_default() += 1;
        drop(moves);
        let mut times = self.move_times.lock().unwrap_or_else(PoisonError::into_inner);
        times.entry((ai_type, difficulty)).or_default().observe(time);
    }

    /// All metrics as text, after those in `more`, which are given as name, type and value.
    pub(crate) fn text(&self, more: &[(&str, &str, u64)]) -> String {
        let mut text = String::new();
        for (name, kind, value) in more {
            let _ = writeln!(text, "# TYPE {name} {kind}\n{name} {value}");
        }
        let _ = writeln!(text, "# TYPE http_requests_total counter");
        for ((route, status), count) in &*self.requests.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = writeln!(text, "http_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
        }
        let name = "http_request_duration_seconds";
        let _ = writeln!(text, "# TYPE {name} histogram");
        for (route, times) in &*self.times.lock().unwrap_or_else(PoisonError::into_inner) {
            times.write(&mut text, name, &format!("route=\"{route}\""));
        }
        let _ = writeln!(text, "# TYPE ai_move_requests_total counter");
        for ((kind, level, outcome), count) in &*self.moves.lock().unwrap_or_else(PoisonError::into_inner) {
            let labels = format!("ai_type=\"{kind}\",difficulty=\"{level}\",outcome=\"{outcome}\"");
            let _ = writeln!(text, "ai_move_requests_total{{{labels}}} {count}");
        }
        let name = "ai_move_latency_seconds";
        let _ = writeln!(text, "# TYPE {name} histogram");
        for ((kind, level), times) in &*self.move_times.lock().unwrap_or_else(PoisonError::into_inner) {
            times.write(&mut text, name, &format!("ai_type=\"{kind}\",difficulty=\"{level}\""));
        }
        text
    }
}

impl Histogram {
    fn observe(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        for (bucket, bound) in self.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= bound);
        }
        self.count += 1;
        self.sum += seconds;
    }

    fn write(&self, text: &mut String, name: &str, labels: &str) {
        for (bound, count) in BUCKETS.iter().zip(self.buckets) {
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {count}");
        }
        let Self { count, sum, .. } = self;
        let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {count}");
        let _ = writeln!(text, "{name}_sum{{{labels}}} {sum}");
        let _ = writeln!(text, "{name}_count{{{labels}}} {count}");
    }
}

/// Middleware that counts every request under the pattern of its route, so that ids in paths do not create new labels.
pub(crate) async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    metrics.count_request(route.as_deref().unwrap_or("other"), response.status().as_u16(), begun.elapsed());
    response
}
