//! Numbers about the service, in the text format of Prometheus.

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

/// Upper ends of the classes of times, in seconds.
const CLASSES: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

/// Counts and times of requests.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    /// By what played, the level asked for and how it went.
    moves: Mutex<BTreeMap<(&'static str, u8, &'static str), u64>>,
    move_times: Mutex<BTreeMap<(&'static str, u8), Times>>,
}

#[derive(Debug, Default, Clone)]
struct Times {
    classes: [u64; CLASSES.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    fn note(&self, route: &str, status: u16, time: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route.to_owned(), status)).or_default() += 1;
        drop(requests);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.entry(route.to_owned()).or_default().note(time);
    }

    /// Notes a move that a client of the reference service asked for.
    pub(crate) fn note_move(&self, label: MoveLabel, time: Duration) {
        let MoveLabel { ai_type, difficulty, outcome } = label;
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        *moves.entry((ai_type, difficulty, outcome)).or_default() += 1;
        drop(moves);
        let mut times = self.move_times.lock().unwrap_or_else(PoisonError::into_inner);
        times.entry((ai_type, difficulty)).or_default().note(time);
    }

    /// Everything, with numbers that are read off elsewhere.
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

impl Times {
    fn note(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        for (class, end) in self.classes.iter_mut().zip(CLASSES) {
            *class += u64::from(seconds <= end);
        }
        self.count += 1;
        self.sum += seconds;
    }

    fn write(&self, text: &mut String, name: &str, labels: &str) {
        for (end, count) in CLASSES.iter().zip(self.classes) {
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{end}\"}} {count}");
        }
        let Self { count, sum, .. } = self;
        let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {count}");
        let _ = writeln!(text, "{name}_sum{{{labels}}} {sum}");
        let _ = writeln!(text, "{name}_count{{{labels}}} {count}");
    }
}

/// Counts every request under the pattern of its address, so that names in addresses make no new lines.
pub(crate) async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    metrics.note(route.as_deref().unwrap_or("other"), response.status().as_u16(), begun.elapsed());
    response
}
