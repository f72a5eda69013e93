//! The service is killed in the middle of games and started again on the same files: whatever it acknowledged is there.

#[path = "support/server.rs"]
mod server;

use std::{
    sync::mpsc::{Receiver, channel},
    thread,
};

use serde_json::{Value, json};

use server::{Served, try_to_ask};

/// Moves in the order they were played.
fn moves(game: &Value) -> Vec<String> {
    let text = |entry: &Value| entry["text"].as_str().expect("a move").to_owned();
    game["moves"].as_array().expect("a list of moves").iter().map(text).collect()
}

/// Plays a game for both people as fast as it is answered, until it is over or nobody answers. Tells every answer.
fn play_on(server: &Served, id: &str) -> Receiver<Value> {
    let (tell, told) = channel();
    let (address, path) = (server.address(), format!("/api/games/{id}"));
    thread::spawn(move || {
        let mut answer = try_to_ask(address, "GET", &path, None);
        while let Ok(acknowledged) = answer {
            let game = acknowledged.json(200);
            let legal = game["view"]["moves"].as_array().expect("moves");
            let Some(next) = legal.get(legal.len() * 2 / 3).cloned() else { return };
            let body = json!({ "move": next["text"], "ply": game["ply"] });
            // Nobody may be left to hear it.
            if tell.send(game).is_err() {
                return;
            }
            answer = try_to_ask(address, "POST", &format!("{path}/moves"), Some(&body));
        }
    });
    told
}

#[test]
fn a_game_is_there_up_to_the_last_acknowledged_move() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut server = Served::start(folder.path());
    let setup = json!({ "game": "ringrift", "board": "square8" });
    let id = server.begin(&json!({ "setup": setup, "seats": ["human", "human"] }));
    for deaths in 1..=6 {
        let answers = play_on(&server, &id);
        // It dies while a move is on its way, at another point every time.
        let mut acknowledged: Vec<Value> = answers.iter().take(3 * deaths).collect();
        server.kill();
        acknowledged.extend(answers.iter());
        let last = moves(acknowledged.last().expect("it was answered"));
        server = Served::start(folder.path());
        let game = server.game(&id);
        let kept = moves(&game);
        assert!(kept.starts_with(&last), "acknowledged {last:?}, kept {kept:?}");
        // More than was acknowledged can be there, but not more than the one move that was on its way.
        let chosen = |moves: &[Value]| moves.iter().filter(|entry| entry["auto"] == false).count();
        let beyond = chosen(&game["moves"].as_array().expect("moves")[last.len()..]);
        assert!(beyond <= 1, "{beyond} moves came out of nowhere");
    }
    // It goes on as if nothing had happened.
    let game = server.game(&id);
    let next = json!({ "move": game["view"]["moves"][0]["text"], "ply": game["ply"] });
    assert!(
        server.post(&format!("/api/games/{id}/moves"), &next).json(200)["ply"].as_u64()
            > game["ply"].as_u64()
    );
}

#[test]
fn agents_go_on_with_the_games_they_were_playing() {
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
    let mut deaths = 0;
    loop {
        let seen: Vec<Value> = ids.iter().map(|id| server.game(id)).collect();
        if seen.iter().all(|game| game["status"] == "over") {
            break;
        }
        if deaths < 5 && seen.iter().any(|game| game["ply"].as_u64() > Some(20 * deaths)) {
            deaths += 1;
            server.kill();
            server = Served::start(folder.path());
            for (id, before) in ids.iter().zip(&seen) {
                let (before, after) = (moves(before), moves(&server.game(id)));
                assert!(after.starts_with(&before), "{id}: seen {before:?}, then {after:?}");
            }
        }
    }
    assert!(deaths >= 3, "the games were over after {deaths} deaths already");
}

#[test]
fn a_run_of_the_lab_ends_with_the_service_and_goes_on_after_it() {
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
            assert!(begun.elapsed() < server::PATIENCE, "it never came to that: {run}");
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
    assert_eq!(again.status, 409, "it is going on: {}", again.body);
    let more = wait(&server, &|run| played(run) > played(&stopped));
    assert_eq!((&more["id"], &more["planned"]), (&json!(id), &json!(9000)));
    // Killed, it has had no chance to say so.
    server.kill();
    server = Served::start(folder.path());
    let kept = latest(&server);
    assert!(played(&kept) >= played(&more), "{kept}");
    assert_eq!(
        (&kept["state"], &kept["can_stop"]),
        (&json!("running"), &json!(false)),
        "its last sign is recent"
    );
}
