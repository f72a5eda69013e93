//! What happens when there is too much to do: whoever asks for more than a share hears 429, and when.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
};

use serde_json::json;
use service::Options;

use crate::wire::{Reply, Wired};

/// A request that is left open, and the status of its answer.
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

fn says_when_to_return(reply: &Reply) -> bool {
    reply.head.to_ascii_lowercase().contains("\r\nretry-after: 1")
}

#[test]
fn a_client_with_its_share_of_searches_is_told_to_return_while_short_questions_are_answered() {
    let wired = Wired::start(|options| Options { queue: 4, ..options });
    let setup = json!({ "game": "go", "size": 9 });
    let long = json!({ "setup": setup, "agent": "mcts", "nodes": 20_000_000 }).to_string();
    let mut going = Vec::new();
    let refused = loop {
        let (stream, status) = open(&wired, "POST", "/api/analyse", &long);
        if status != 200 {
            break status;
        }
        going.push(stream);
        assert!(going.len() < 10_000, "the queue has no end");
    };
    assert_eq!(refused, 429);
    let reply = wired.ask("POST", "/api/analyse", &[], &long);
    assert!(reply.status == Some(429) && says_when_to_return(&reply), "{}\n{}", reply.head, reply.body);
    assert!(
        reply.json()["error"].as_str().is_some_and(|words| words.contains("your share")),
        "{}",
        reply.body
    );
    let batch = wired.ask("POST", "/ai/moves_batch", &[], "{}");
    assert!(batch.status == Some(429) && says_when_to_return(&batch), "{}\n{}", batch.head, batch.body);
    assert!(
        batch.json()["detail"].is_string(),
        "as clients of the reference service expect it: {}",
        batch.body
    );
    let short = wired.ask("POST", "/api/view", &[], &json!({ "setup": setup }).to_string());
    assert_eq!(short.status, Some(200), "{}", short.body);
    drop(going);
    let freed = (0..1_000).any(|_| open(&wired, "POST", "/api/analyse", &long).1 == 200);
    assert!(freed, "clients that left make room");
}

#[test]
fn streams_are_bounded_and_a_watcher_that_leaves_makes_room() {
    let wired = Wired::start(|options| Options { streams: 6, ..options });
    let game = json!({ "setup": { "game": "ringrift" }, "seats": ["human", "human"] }).to_string();
    let game = wired.ask("POST", "/api/games", &[], &game).json();
    let path = format!("/api/games/{}/events", game["id"].as_str().expect("a name"));
    let watching: Vec<_> = (0..3).map(|_| open(&wired, "GET", &path, "")).collect();
    assert!(watching.iter().all(|(_, status)| *status == 200));
    let reply = wired.ask("GET", &path, &[], "");
    assert!(reply.status == Some(429) && says_when_to_return(&reply), "{}\n{}", reply.head, reply.body);
    drop(watching);
    let freed = (0..1_000).any(|_| open(&wired, "GET", &path, "").1 == 200);
    assert!(freed, "watchers that left make room");
}
