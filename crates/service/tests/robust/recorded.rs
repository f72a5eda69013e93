//! Recorded requests of clients of the reference service, replayed over real connections.

use std::{path::PathBuf, thread};

use serde_json::{Value, json};

use crate::wire::{Reply, Wired};

/// All recorded exchanges; none if the file does not exist, which is an error in CI.
#[allow(clippy::print_stdout, reason = "a skipped test prints why")]
fn exchanges() -> Vec<Value> {
    let path =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/reference-api/exchanges.jsonl"));
    match std::fs::read_to_string(&path) {
        Ok(text) => text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{}: {error}", path.display());
            println!("skipped: {} does not exist", path.display());
            Vec::new()
        }
    }
}

fn send(wired: &Wired, exchange: &Value) -> Reply {
    let body = match &exchange["request"] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        body => body.to_string(),
    };
    let (method, path) = (exchange["method"].as_str(), exchange["path"].as_str());
    wired.ask(method.expect("a method"), path.expect("a path"), &["Accept: */*"], &body)
}

fn header<'a>(reply: &'a Reply, name: &str) -> Option<&'a str> {
    let lines = reply.head.lines().filter_map(|line| line.split_once(": "));
    lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
}

#[test]
fn recorded_requests_get_the_recorded_status_and_type() {
    let wired = Wired::start(|options| options);
    for exchange in exchanges() {
        let name = exchange["name"].as_str().expect("a name");
        let searches = exchange["path"] == "/ai/moves_batch"
            || exchange["path"] == "/ai/move"
                && exchange["status"] != 422
                && !matches!(exchange["request"]["difficulty"].as_u64(), Some(1 | 2));
        if searches {
            continue;
        }
        let reply = send(&wired, &exchange);
        let recorded = exchange["status"].as_u64();
        assert_eq!(reply.status.map(u64::from), recorded, "{name}: {}", reply.body);
        let kind = exchange["headers"]["content-type"].as_str();
        assert_eq!(header(&reply, "content-type"), kind, "{name}");
        assert_eq!(header(&reply, "allow"), exchange["headers"]["allow"].as_str(), "{name}");
        if name == "get_metrics" {
            continue;
        }
        let (ours, theirs) = (reply.json(), &exchange["response"]);
        for field in theirs.as_object().expect("an object").keys() {
            assert!(ours.get(field).is_some(), "{name}: no {field} in {ours}");
        }
        if recorded >= Some(400) {
            assert_eq!(ours["detail"].is_string(), theirs["detail"].is_string(), "{name}: {ours}");
        }
    }
}

#[test]
fn metrics_have_the_names_of_the_reference_service() {
    let wired = Wired::start(|options| options);
    assert_eq!(wired.ask("POST", "/ai/move", &[], "{}").status, Some(422));
    let text = wired.ask("GET", "/metrics", &[], "").body;
    for line in [
        "# TYPE ai_move_requests_total counter",
        "# TYPE ai_move_latency_seconds histogram",
        "# TYPE ai_instance_cache_lookups_total counter",
        "# TYPE ai_instance_cache_size gauge",
        "ai_move_requests_total{ai_type=\"none\",difficulty=\"0\",outcome=\"invalid\"} 1",
        "ai_instance_cache_size 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}:\n{text}");
    }
}

#[test]
fn the_root_is_a_page_for_browsers_and_a_banner_for_programs() {
    let wired = Wired::start(|options| options);
    let html = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";
    assert!(wired.ask("GET", "/", &[html], "").body.contains("<html"));
    for lines in [&[] as &[&str], &["Accept: */*"], &["Accept: application/json, text/plain, */*"]] {
        assert_eq!(wired.ask("GET", "/", lines, "").json()["service"], "RingRift AI Service", "{lines:?}");
    }
}

#[test]
fn unknown_paths_and_methods_get_the_errors_of_the_reference_service() {
    let wired = Wired::start(|options| options);
    for path in ["/ai/nothing", "/ai", "/ai//move", "/rules", "/nothing", "/admin/health/full"] {
        let reply = wired.ask("POST", path, &[], "{}");
        assert_eq!((reply.status, &reply.json()["detail"]), (Some(404), &json!("Not Found")), "{path}");
    }
    for (method, path, allow) in
        [("PUT", "/ai/move", "POST"), ("GET", "/ai/cache", "DELETE"), ("POST", "/ai/models", "GET")]
    {
        let reply = wired.ask(method, path, &[], "");
        assert_eq!((reply.status, header(&reply, "allow")), (Some(405), Some(allow)), "{method} {path}");
        assert_eq!(reply.json()["detail"], "Method Not Allowed");
    }
    for path in ["/health", "/ready", "/live", "/metrics"] {
        let reply = wired.ask("POST", path, &[], "{}");
        assert_eq!(
            (reply.status, &reply.json()["detail"]),
            (Some(405), &json!("Method Not Allowed")),
            "{path}"
        );
        assert!(header(&reply, "allow").is_some_and(|allow| allow.contains("GET")), "{path}");
    }
    let reply = wired.ask("POST", "/ai/move/", &[], "{}");
    assert_eq!((reply.status, header(&reply, "location")), (Some(307), Some("/ai/move")));
    assert_eq!(reply.body, "");
}

#[test]
fn concurrent_searches_of_one_client_are_all_answered() {
    let Some(exchange) = exchanges().into_iter().find(|exchange| exchange["name"] == "move_sq8_chain_d2")
    else {
        return;
    };
    let wired = Wired::start(|options| options);
    let mut body = exchange["request"].clone();
    body["difficulty"] = 3.into();
    body["ai_type"] = "minimax".into();
    let body = body.to_string();
    thread::scope(|scope| {
        let asked: Vec<_> =
            (0..16).map(|_| scope.spawn(|| wired.ask("POST", "/ai/move", &[], &body))).collect();
        for answered in asked {
            let reply = answered.join().expect("an answer");
            assert_eq!(reply.status, Some(200), "{}", reply.body);
            assert_eq!(reply.json()["move"]["type"], "continue_capture_segment");
        }
    });
}
