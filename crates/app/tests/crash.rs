//! Kills the service during games and restarts it on the same files: every acknowledged move must survive.

#[path = "support/server.rs"]
mod server;

use std::{
    sync::mpsc::{Receiver, channel},
    thread,
};

use serde_json::{Value, json};

use server::{Served, try_to_ask};

/// The moves of a game, in order.
fn moves(game: &Value) -> Vec<String> {
    let text = |entry: &Value| entry["text"].as_str().expect("a move").to_owned();
    game["moves"].as_array().expect("a list of moves").iter().map(text).collect()
}

/// Plays both seats of a game as fast as the service responds, until the game is over or the service is gone. Sends
/// every response to the receiver.
fn play_on(server: &Served, id: &str) -> Receiver<Value> {
    let (sender, receiver) = channel();
    let (address, path) = (server.address(), format!("/api/games/{id}"));
    thread::spawn(move || {
        let mut answer = try_to_ask(address, "GET", &path, None);
        while let Ok(acknowledged) = answer {
            let game = acknowledged.json(200);
            let legal = game["view"]["moves"].as_array().expect("moves");
            let Some(next) = legal.get(legal.len() * 2 / 3).cloned() else { return };
            let body = json!({ "move": next["text"], "ply": game["ply"] });
            // The receiver may be dropped already.
            if sender.send(game).is_err() {
                return;
            }
            answer = try_to_ask(address, "POST", &format!("{path}/moves"), Some(&body));
        }
    });
    receiver
}

#[test]
fn a_game_survives_up_to_the_last_acknowledged_move() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut server = Served::start(folder.path());
    let setup = json!({ "game": "ringrift", "board": "square8" });
    let id = server.begin(&json!({ "setup": setup, "seats": ["human", "human"] }));
    for crashes in 1..=6 {
        let answers = play_on(&server, &id);
        // It is killed while a move is in flight, at a different point each time.
        let mut acknowledged: Vec<Value> = answers.iter().take(3 * crashes).collect();
        server.kill();
        acknowledged.extend(answers.iter());
        let last = moves(acknowledged.last().expect("at least one response"));
        server = Served::start(folder.path());
        let game = server.game(&id);
        let kept = moves(&game);
        assert!(kept.starts_with(&last), "acknowledged {last:?}, kept {kept:?}");
        // The move in flight may be stored without having been acknowledged, but no further moves.
        let chosen = |moves: &[Value]| moves.iter().filter(|entry| entry["auto"] == false).count();
        let beyond = chosen(&game["moves"].as_array().expect("moves")[last.len()..]);
        assert!(beyond <= 1, "{beyond} unacknowledged moves are stored");
    }
    // The game can be resumed.
    let game = server.game(&id);
    let next = json!({ "move": game["view"]["moves"][0]["text"], "ply": game["ply"] });
    assert!(
        server.post(&format!("/api/games/{id}/moves"), &next).json(200)["ply"].as_u64()
            > game["ply"].as_u64()
    );
}

#[test]
fn agents_resume_their_games_after_a_crash() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut server = Served::start(folder.path());
    let setups = [
        json!({ "game": "ringrift", "board": "square8" }),
        json!({ "game": "ringrift", "board": "hex8", "players": 3 }),
        json!({ "game": "go", "size": 7 }),
    ];
    let begin = |setup: &Value| {
        let seats = vec!["d1"; setup["players"].as_u64().unwrap_or(2) as usize];
        server.begin(&json!({ "setup": setup, "seats": seats, "delay_ms": 2 }))
    };
    let ids: Vec<String> = setups.iter().map(begin).collect();
    let mut crashes = 0;
    loop {
        let seen: Vec<Value> = ids.iter().map(|id| server.game(id)).collect();
        if seen.iter().all(|game| game["status"] == "over") {
            break;
        }
        if crashes < 5 && seen.iter().any(|game| game["ply"].as_u64() > Some(20 * crashes)) {
            crashes += 1;
            server.kill();
            server = Served::start(folder.path());
            for (id, before) in ids.iter().zip(&seen) {
                let (before, after) = (moves(before), moves(&server.game(id)));
                assert!(after.starts_with(&before), "{id}: seen {before:?}, then {after:?}");
            }
        }
    }
    assert!(crashes >= 3, "the games ended after only {crashes} crashes");
}

#[test]
fn a_run_of_the_lab_stops_with_the_service_and_can_be_resumed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut server = Served::start(folder.path());
    let setup = json!({ "game": "ringrift", "board": "square8", "players": 2, "swap": false });
    let asked =
        json!({ "kind": "gauntlet", "setup": setup, "agents": ["heuristic", "random"], "games": 9000 });
    let run = server.post("/api/lab/runs", &asked).json(201);
    let id = run["id"].as_str().expect("a name").to_owned();
    let latest = |server: &Served| server.get("/api/lab/runs").json(200)["runs"][0].clone();
    let wait = |server: &Served, done: &dyn Fn(&Value) -> bool| {
        let begun = std::time::Instant::now();
        loop {
            let run = latest(server);
            if done(&run) {
                return run;
            }
            assert!(begun.elapsed() < server::TIMEOUT, "timed out: {run}");
            thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    let played = |run: &Value| run["played"].as_u64().unwrap_or(0);
    wait(&server, &|run| played(run) > 2);
    server.interrupt();
    server = Served::start(folder.path());
    let stopped = latest(&server);
    assert_eq!((&stopped["id"], &stopped["state"]), (&json!(id), &json!("stopped")), "{stopped}");
    assert_eq!(stopped["can_resume"], true);
    server.post(&format!("/api/lab/runs/{id}/resume"), &json!({})).json(200);
    let again = server.post(&format!("/api/lab/runs/{id}/resume"), &json!({}));
    assert_eq!(again.status, 409, "the run is in progress: {}", again.body);
    let more = wait(&server, &|run| played(run) > played(&stopped));
    assert_eq!((&more["id"], &more["planned"]), (&json!(id), &json!(9000)));
    // The killed process could not record that it stopped.
    server.kill();
    server = Served::start(folder.path());
    let kept = latest(&server);
    assert!(played(&kept) >= played(&more), "{kept}");
    assert_eq!(
        (&kept["state"], &kept["can_stop"]),
        (&json!("running"), &json!(false)),
        "its last heartbeat is recent"
    );
}
