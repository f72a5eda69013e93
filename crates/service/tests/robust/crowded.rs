//! Quotas: a client over its quota gets 429 with `Retry-After`, while short requests are still answered.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
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
