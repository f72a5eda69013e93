//! Very long games and very large bodies.

use game::Game;
use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{Rng, SeedableRng},
};
use record::{Config, GameRecord};
use serde_json::{Value, json};
use service::caps::MAX_MOVES;

use crate::wire::{Reply, Wired};

/// A game of Go with this number of random moves. Under a superko rule, games in which nobody passes voluntarily are very
/// long.
fn long_game(moves: usize) -> GameRecord {
    (0..1_000).find_map(|seed| random_game(moves, seed)).expect("one of them is long enough")
}

/// A random game, unless it ends earlier.
fn random_game(moves: usize, seed: u64) -> Option<GameRecord> {
    let rules = go::Rules { suicide: true, ..go::Rules::new(9) };
    let mut record = GameRecord::new("long", Config::go(rules), vec!["player".to_owned(); 2]);
    let mut position = go::Position::<go::Medium>::new(&rules);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut legal = Vec::new();
    while record.moves.len() < moves {
        position.legal_moves(&mut legal);
        // The last one is a pass.
        let choices = legal.len().max(2) - 1;
        let m = *legal.get(rng.next_u64() as usize % choices)?;
        record.push(&position, m);
        position.play_unchecked(m, &mut ());
    }
    Some(record)
}

#[test]
fn games_have_a_maximum_number_of_moves_on_every_route() {
    let wired = Wired::start(|options| options);
    let ask = |path: &str, body: &Value| wired.ask("POST", path, &[], &body.to_string());
    let (fits, exceeds) = (long_game(MAX_MOVES), long_game(3 * MAX_MOVES));
    let everywhere = |record: &GameRecord| -> Vec<(&'static str, Reply)> {
        let setup = json!({ "game": "go", "size": 9, "suicide": true });
        let seats = ["human", "human"];
        let line = json!({ "setup": setup, "moves": record.moves });
        let analysis = json!({ "setup": setup, "moves": record.moves, "agent": "random" });
        let begun = json!({ "setup": setup, "seats": seats, "moves": record.moves });
        let text = record.to_line().expect("a line");
        let opened = json!({ "text": text });
        vec![
            ("/api/open", ask("/api/open", &opened)),
            ("/api/view", ask("/api/view", &line)),
            ("/api/analyse", ask("/api/analyse", &analysis)),
            ("/api/games", ask("/api/games", &begun)),
        ]
    };
    for (path, reply) in everywhere(&fits) {
        assert!(matches!(reply.status, Some(200 | 201)), "{path}: {:?} {}", reply.status, reply.body);
    }
    for (path, reply) in everywhere(&exceeds) {
        assert_eq!(reply.status, Some(422), "{path}: {}", reply.body);
        assert!(reply.body.contains("15000 moves: expected at most 5000"), "{path}: {}", reply.body);
    }
    let listed = wired.ask("GET", "/api/games", &[], "").json();
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(1), "only the game that fits was created");
}

#[test]
fn a_body_that_is_too_large_is_refused_in_the_manner_of_the_route() {
    let wired = Wired::start(|options| options);
    let body = "x".repeat((4 << 20) + 1);
    let reference = wired.ask("POST", "/ai/move", &[], &body);
    assert_eq!(reference.status, Some(413), "{}", reference.body);
    assert!(reference.json()["detail"].as_str().is_some_and(|words| words.contains("4194304")));
    let own = wired.ask("POST", "/api/games", &[], &"x".repeat((1 << 20) + 1));
    assert_eq!(own.status, Some(413), "{}", own.body);
    assert!(own.json()["error"].is_string(), "{}", own.body);
}
