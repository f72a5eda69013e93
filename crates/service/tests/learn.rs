//! Tests of lessons and puzzles over HTTP.

#![allow(clippy::unwrap_used, reason = "an error fails the test")]

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
};

use serde_json::{Value, json};
use service::{Options, Server};
use tokio::task::spawn_blocking;

/// Runs a service on a free port while `ask` sends requests to it.
fn served(ask: impl FnOnce(SocketAddr) + Send + 'static) {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::new(folder.path());
    options.address.set_port(0);
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let server = Server::open(&options).unwrap();
        let address = server.address().unwrap();
        let asked = spawn_blocking(move || ask(address));
        let ended = async { asked.await.unwrap() };
        // The service shuts down after the requests; a failed assertion ends the test.
        let (end, over) = tokio::sync::oneshot::channel::<()>();
        let asking = async move {
            ended.await;
            let _ = end.send(());
        };
        let run = server.run(async move {
            let _ = over.await;
        });
        let (ran, ()) = tokio::join!(run, asking);
        ran.unwrap();
    });
}

fn request(address: SocketAddr, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
    let body = body.map(ToString::to_string).unwrap_or_default();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}")))
}

#[test]
fn a_lesson_is_listed_read_and_tried() {
    served(|address| {
        let get = |path: &str| request(address, "GET", path, None);
        let (status, list) = get("/api/lessons");
        assert_eq!((status, list["lessons"][0]["name"].as_str()), (200, Some("first-turn")));
        let (_, lesson) = get("/api/lessons/markers");
        let step = &lesson["steps"][0];
        assert!(step["text"].as_str().unwrap().len() > 20 && step["judge"] == true);
        assert!(step["view"]["moves"].as_array().unwrap().len() > 5);
        assert!(
            step.get("accept").is_none() && step.get("hint").is_none(),
            "a lesson does not reveal its solution"
        );

        let tried = |moves: Value| {
            let body = json!({ "step": 0, "moves": moves });
            request(address, "POST", "/api/lessons/markers/try", Some(&body))
        };
        let (_, wrong) = tried(json!(["b2-c2"]));
        assert_eq!((&wrong["right"], &wrong["done"]), (&json!(false), &json!(false)));
        assert_eq!(wrong["view"]["text"], step["view"]["text"]);
        let (_, right) = tried(json!(["b2-b6"]));
        assert_eq!((&right["right"], &right["done"]), (&json!(true), &json!(true)));
        assert_eq!(right["view"]["to_move"], 2, "the forced rest of the turn is played");

        assert_eq!(tried(json!(["b2-d5"])).0, 422);
        assert_eq!(get("/api/lessons/nothing").0, 404);
        assert_eq!(get("/api/lessons/..%2f..%2fsecret").0, 404);
        let beyond = json!({ "step": 99, "moves": [] });
        assert_eq!(request(address, "POST", "/api/lessons/markers/try", Some(&beyond)).0, 404);
    });
}

#[test]
fn a_puzzle_is_listed_by_difficulty_shown_without_its_solution_and_tried() {
    served(|address| {
        let get = |path: &str| request(address, "GET", path, None);
        let (_, all) = get("/api/puzzles");
        let all = all["puzzles"].as_array().unwrap();
        assert!(all.len() >= 60);
        let (_, easy) = get("/api/puzzles?difficulty=1");
        let easy = easy["puzzles"].as_array().unwrap();
        assert!(!easy.is_empty() && easy.len() < all.len());
        assert!(easy.iter().all(|puzzle| puzzle["difficulty"] == 1));

        let id = easy[0]["id"].as_str().unwrap();
        let (status, puzzle) = get(&format!("/api/puzzles/{id}"));
        assert_eq!((status, &puzzle["view"]["text"]), (200, &puzzle["start"]));
        assert!(puzzle.get("solution").is_none());
        let path = format!("/api/puzzles/{id}/try");
        let right = puzzle["view"]["moves"].as_array().unwrap().iter().filter(|offer| {
            let body = json!({ "moves": [offer["text"]] });
            let (status, tried) = request(address, "POST", &path, Some(&body));
            assert_eq!(status, 200);
            tried["right"] == true
        });
        assert_eq!(right.count(), 1, "exactly one first move is right");
        assert_eq!(request(address, "POST", &path, Some(&json!({ "moves": ["nonsense"] }))).0, 422);
        assert_eq!(get("/api/puzzles/none").0, 404);
        assert_eq!(get("/api/puzzles?difficulty=hard").0, 400);
    });
}

#[test]
fn the_description_of_the_api_has_the_routes() {
    served(|address| {
        let (_, described) = request(address, "GET", "/api/openapi.json", None);
        for path in ["/api/lessons", "/api/lessons/{name}", "/api/lessons/{name}/try"] {
            assert!(described["paths"].get(path).is_some(), "{path}");
        }
        for path in ["/api/puzzles", "/api/puzzles/{id}", "/api/puzzles/{id}/try"] {
            assert!(described["paths"].get(path).is_some(), "{path}");
        }
    });
}
