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

/// Upper ends of the classes of times, in seconds.
const CLASSES: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

/// Counts and times of requests.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
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
        let times = times.entry(route.to_owned()).or_default();
        let seconds = time.as_secs_f64();
        for (class, end) in times.classes.iter_mut().zip(CLASSES) {
            *class += u64::from(seconds <= end);
        }
        times.count += 1;
        times.sum += seconds;
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
            for (end, count) in CLASSES.iter().zip(times.classes) {
                let _ = writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"{end}\"}} {count}");
            }
            let Times { count, sum, .. } = times;
            let _ = writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(text, "{name}_sum{{route=\"{route}\"}} {sum}");
            let _ = writeln!(text, "{name}_count{{route=\"{route}\"}} {count}");
        }
        text
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
