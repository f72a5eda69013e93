//! Quotas: a client over its quota gets 429 with `Retry-After`, while short requests and monitoring are still answered.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::json;
use service::Options;

use crate::wire::{Reply, Wired};

/// Sends a request and leaves its response open. Returns the connection and the status.
fn open(wired: &Wired, method: &str, path: &str, body: &str) -> (TcpStream, u16) {
    let mut stream = TcpStream::connect(wired.address).expect("a connection");
    let (host, length) = (wired.address, body.len());
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json");
    write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{body}").expect("it is sent");
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line).expect("an answer");
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    (stream, status.expect("a status"))
}

fn has_retry_after(reply: &Reply) -> bool {
    reply.head.to_ascii_lowercase().contains("\r\nretry-after: 1")
}

#[test]
fn a_client_over_its_quota_of_searches_gets_429_while_short_requests_are_answered() {
    let wired = Wired::start(|options| Options { queue: 4, ..options });
    let setup = json!({ "game": "go", "size": 9 });
    let long = json!({ "setup": setup, "agent": "mcts", "nodes": 20_000_000 }).to_string();
    let mut open_searches = Vec::new();
    let refused = loop {
        let (stream, status) = open(&wired, "POST", "/api/analyse", &long);
        if status != 200 {
            break status;
        }
        open_searches.push(stream);
        assert!(open_searches.len() < 10_000, "the queue is unbounded");
    };
    assert_eq!(refused, 429);
    let reply = wired.ask("POST", "/api/analyse", &[], &long);
    assert!(reply.status == Some(429) && has_retry_after(&reply), "{}\n{}", reply.head, reply.body);
    assert!(reply.json()["error"].as_str().is_some_and(|words| words.contains("quota")), "{}", reply.body);
    let batch = wired.ask("POST", "/ai/moves_batch", &[], "{}");
    assert!(batch.status == Some(429) && has_retry_after(&batch), "{}\n{}", batch.head, batch.body);
    assert!(
        batch.json()["detail"].is_string(),
        "as clients of the reference service expect it: {}",
        batch.body
    );
    let short = wired.ask("POST", "/api/view", &[], &json!({ "setup": setup }).to_string());
    assert_eq!(short.status, Some(200), "{}", short.body);
    drop(open_searches);
    let freed = (0..1_000).any(|_| open(&wired, "POST", "/api/analyse", &long).1 == 200);
    assert!(freed, "clients that disconnect free their slots");
}

#[test]
fn streams_are_bounded_and_freed_when_a_watcher_disconnects() {
    let wired = Wired::start(|options| Options { streams: 6, ..options });
    let game = json!({ "setup": { "game": "ringrift" }, "seats": ["human", "human"] }).to_string();
    let game = wired.ask("POST", "/api/games", &[], &game).json();
    let path = format!("/api/games/{}/events", game["id"].as_str().expect("a name"));
    let watching: Vec<_> = (0..3).map(|_| open(&wired, "GET", &path, "")).collect();
    assert!(watching.iter().all(|(_, status)| *status == 200));
    let reply = wired.ask("GET", &path, &[], "");
    assert!(reply.status == Some(429) && has_retry_after(&reply), "{}\n{}", reply.head, reply.body);
    drop(watching);
    let freed = (0..1_000).any(|_| open(&wired, "GET", &path, "").1 == 200);
    assert!(freed, "watchers that disconnect free their slots");
}

#[test]
fn connections_are_bounded_and_monitoring_is_always_answered() {
    let patient = |options| Options { connections: 8, idle_timeout: Duration::from_mins(10), ..options };
    let wired = Wired::start(patient);
    // A client may have half of them. It sends requests that never end.
    let mut halves = Vec::new();
    let mut send_half = |count: usize| {
        for _ in 0..count {
            let mut stream = TcpStream::connect(wired.address).expect("a connection");
            write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\n", wired.address).expect("it is sent");
            halves.push(stream);
        }
    };
    send_half(4);
    for _ in 0..10 {
        let reply = wired.ask("GET", "/api/games", &[], "");
        assert!(reply.status == Some(429) && has_retry_after(&reply), "{}\n{}", reply.head, reply.body);
        assert!(
            reply.json()["error"].as_str().is_some_and(|words| words.contains("connections")),
            "{}",
            reply.body
        );
        for path in ["/health", "/ready", "/live", "/metrics"] {
            assert_eq!(wired.ask("GET", path, &[], "").status, Some(200), "{path}");
        }
        send_half(20);
    }
    drop(halves);
    let freed = (0..1_000).any(|_| wired.ask("GET", "/api/games", &[], "").status == Some(200));
    assert!(freed, "clients that disconnect free their connections");
}

#[test]
fn connections_without_a_request_are_closed() {
    let wired = Wired::start(|options| Options { idle_timeout: Duration::from_secs(2), ..options });
    let address = wired.address;
    let half = format!("GET /live HTTP/1.1\r\nHost: {address}\r\n");
    let complete = format!("{half}\r\n");
    let sent = [("", 0), (half.as_str(), 0), (complete.as_str(), 1)];
    let streams = sent.map(|(bytes, _)| {
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream.write_all(bytes.as_bytes()).expect("it is sent");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a timeout");
        stream
    });
    for (mut stream, (bytes, answers)) in streams.into_iter().zip(sent) {
        let mut received = String::new();
        let ended = stream.read_to_string(&mut received);
        assert!(ended.is_ok(), "the service closes the connection after {bytes:?}: {ended:?}");
        assert_eq!(received.matches("HTTP/1.1 200").count(), answers, "{bytes:?}: {received}");
    }
}
