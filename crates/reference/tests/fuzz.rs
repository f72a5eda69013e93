//! Fuzz tests: every input gets a valid response or a rejection.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests too")]

mod support;

use std::sync::LazyLock;

use game::{Game, pick};
use interchange::{Client, client_move, client_state};
use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use reference::{Caps, Request, Route, Service};
use ringrift::{Hex8, Position, Rules};
use search::Stop;
use serde_json::{Value, json};

/// A number of random cases, which the variable `PROPTEST_CASES` overrides for a longer run.
fn cases(usual: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { config.cases } else { usual };
    ProptestConfig { cases, ..config }
}

/// A body with fields for every route.
fn whole_body(plies: usize) -> Value {
    let mut position = Position::<Hex8>::new(&Rules { rings: Some(6), ..Rules::new(3) });
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(plies as u64);
    let (mut moves, mut history) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let m = moves[pick(&mut rng, moves.len())];
        let mut spelled = client_move(&position, m, Client::Sandbox);
        spelled.insert("id".to_owned(), "".into());
        history.push(Value::Object(spelled));
        position.play_unchecked(m, &mut ());
    }
    let state = client_state(&position, &history, Client::GameServer);
    let player = position.to_move().number();
    json!({
        "game_state": state, "player_number": player, "difficulty": 1, "ai_type": "random", "seed": 5,
        "move": history.last(), "game_states": [state], "player_numbers": [player], "simulation_budget": 10,
        "options": [{
            "stackPosition": {"x": 1, "y": -2, "z": 1}, "capHeight": 3, "totalHeight": 3, "regionId": "0", "size": 2,
            "representativePosition": {"x": 0, "y": 0}, "lineId": "1", "markerPositions": [{"x": 0, "y": 7}],
            "targetPosition": {"x": 3, "y": 3}, "landingPosition": {"x": 5, "y": 5}, "capturedCapHeight": 1,
        }],
    })
}

/// Replaces, removes or duplicates a part of a value that a random walk selects.
fn mutate(value: &mut Value, steps: &[u8], with: Value) {
    let Some((&step, rest)) = steps.split_first() else {
        *value = with;
        return;
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            let index = usize::from(step) % items.len();
            if step % 11 == 3 {
                drop(items.remove(index));
            } else {
                mutate(&mut items[index], rest, with);
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let index = usize::from(step) % fields.len();
            let name = fields.keys().nth(index).unwrap().clone();
            if step % 13 == 5 {
                fields.remove(&name);
            } else {
                mutate(&mut fields[&name], rest, with);
            }
        }
        _ => *value = with,
    }
}

fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-5_i64..12).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z_0-9,-]{0,12}".prop_map(Value::from),
        prop_oneof![
            Just("movement"),
            Just("capture"),
            Just("chain_capture"),
            Just("line_processing"),
            Just("square19"),
            Just("territory_processing"),
            Just("forced_elimination"),
            Just("game_over"),
            Just("hexagonal"),
            Just("active"),
        ]
        .prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!(vec![1; 300])),
        Just(json!({"x": 1e300, "y": -0.5})),
    ]
}

fn send(route: Route, body: &[u8]) {
    let service = Service::new(Caps { nodes: 10, ..Caps::default() });
    let query = std::str::from_utf8(body).ok();
    let request = Request { method: route.method(), path: route.path(), query, body, admin_key: query };
    let _ = service.weight(&request);
    let answer = service.handle(&request, &Stop::default());
    let size = answer.body.to_string().len();
    assert!(size < 50_000 + 2 * body.len(), "{route:?}: {size} bytes for {}", body.len());
    match answer.status {
        200 => {}
        400 | 401 | 403 | 413 => assert!(answer.body["detail"].is_string(), "{route:?}: {}", answer.body),
        422 => {
            let details = answer.body["detail"].as_array().unwrap();
            assert!(!details.is_empty());
            for detail in details {
                assert!(["body", "query"].map(Some).contains(&detail["loc"][0].as_str()), "{detail}");
                assert!(detail["type"].is_string() && detail["msg"].is_string(), "{detail}");
                assert!(detail.get("input").is_some(), "{detail}");
            }
        }
        status => panic!("{route:?}: {status} {}", answer.body),
    }
    if route == Route::Move && answer.status == 200 {
        let m = &answer.body["move"];
        assert!(m.is_null() || m["type"].is_string() && m["player"].is_u64() && m["to"].is_object(), "{m}");
    }
}

/// Recorded bodies of a client, with their routes.
fn recorded() -> &'static [(Route, Value)] {
    static RECORDED: LazyLock<Vec<(Route, Value)>> = LazyLock::new(|| {
        let body = |exchange: Value| {
            let route = Route::at(exchange["path"].as_str()?)?;
            exchange["request"].is_object().then(|| (route, exchange["request"].clone()))
        };
        support::exchanges().into_iter().filter_map(body).collect()
    });
    &RECORDED
}

/// Text that is invalid in most places.
fn broken_text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("NaN".to_owned()),
        Just("-Infinity".to_owned()),
        Just("1e999".to_owned()),
        Just("\\ud800".to_owned()),
        Just("\u{0}\u{7f}\u{feff}\u{1f600}".to_owned()),
        Just("\"player_number\":1,\"player_number\":[],".to_owned()),
        Just("\"gameStatus\":\"active\",".to_owned()),
        Just("[".repeat(300)),
        Just("{\"a\":".repeat(300)),
        Just("9".repeat(400)),
        "[\\[\\]{}:,\"0-9a-z.+-]{1,6}",
    ]
}

proptest! {
    #![proptest_config(cases(1_500))]

    #[test]
    fn mutated_bodies_are_rejected_or_handled(
        route in proptest::sample::select(Route::ALL.to_vec()),
        plies in 0_usize..60,
        changes in proptest::collection::vec((proptest::collection::vec(any::<u8>(), 1..6), anything()), 0..6),
        cut in proptest::option::weighted(0.2, any::<proptest::sample::Index>()),
    ) {
        let mut body = whole_body(plies);
        for (steps, with) in changes {
            mutate(&mut body, &steps, with);
        }
        let mut text = body.to_string().into_bytes();
        if let Some(cut) = cut {
            text.truncate(cut.index(text.len()));
        }
        send(route, &text);
    }

    #[test]
    fn mutated_recorded_bodies_are_rejected_or_handled(
        which in any::<proptest::sample::Index>(),
        route in proptest::option::weighted(0.1, proptest::sample::select(Route::ALL.to_vec())),
        changes in proptest::collection::vec((proptest::collection::vec(any::<u8>(), 1..8), anything()), 0..5),
        raw in proptest::option::weighted(0.3, (any::<proptest::sample::Index>(), broken_text())),
    ) {
        let recorded = recorded();
        if !recorded.is_empty() {
            let (of, body) = which.get(recorded);
            let mut body = body.clone();
            for (steps, with) in changes {
                mutate(&mut body, &steps, with);
            }
            let mut text = body.to_string();
            if let Some((place, with)) = raw {
                let mut place = place.index(text.len() + 1);
                while !text.is_char_boundary(place) {
                    place -= 1;
                }
                text.insert_str(place, &with);
            }
            send(route.unwrap_or(*of), text.as_bytes());
        }
    }

    #[test]
    fn arbitrary_bytes_are_rejected(
        route in proptest::sample::select(Route::ALL.to_vec()),
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        send(route, &bytes);
    }
}

/// The body with one field replaced by raw text.
fn with_raw(field: &str, raw: &str) -> Vec<u8> {
    let mut body = whole_body(20);
    let mark = "\u{1}mark\u{1}";
    body["game_state"][field] = mark.into();
    body.to_string().replace(&serde_json::to_string(mark).unwrap(), raw).into_bytes()
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for depth in [100, 200, 12_000, 200_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let raw = open.repeat(depth) + "1" + &close.repeat(depth);
            let unclosed = open.repeat(depth);
            for field in ["history", "moveHistory", "board", "players", "timeControl", "id", "unknown"] {
                for route in Route::ALL {
                    send(route, &with_raw(field, &raw));
                }
                send(Route::Move, &with_raw(field, &unclosed));
            }
            send(Route::Move, raw.as_bytes());
            send(Route::Learn, raw.as_bytes());
        }
    }
}

#[test]
fn a_state_with_a_deep_unknown_field_is_still_playable() {
    let raw = "[".repeat(50_000) + &"]".repeat(50_000);
    let answer = support::post("/ai/move", &with_raw("history", &raw));
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[test]
fn huge_lists_and_numbers_are_rejected_or_ignored() {
    let many = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
    let raws = [
        many("1", 300_000),
        many("{}", 100_000),
        many("{\"type\":\"place_ring\",\"player\":1}", 50_000),
        many("null", 100_000),
        "9".repeat(400_000),
        format!("-{}", "9".repeat(40)),
        "1e999".to_owned(),
        format!("\"{}\"", "x".repeat(1_000_000)),
        format!(
            "{{{}}}",
            (0..50_000)
                .map(|i| format!("\"{i},1\":{{\"rings\":[1],\"player\":1}}"))
                .collect::<Vec<_>>()
                .join(",")
        ),
    ];
    for raw in &raws {
        for field in ["moveHistory", "players", "board", "currentPlayer", "id", "history", "rngSeed"] {
            for route in [Route::Move, Route::Evaluate, Route::EvaluateMove, Route::MovesBatch] {
                send(route, &with_raw(field, raw));
            }
        }
    }
    let body = vec![b' '; 5 << 20];
    assert_eq!(support::post("/ai/move", &body).status, 413);
}

#[test]
fn duplicate_fields_and_both_names_are_handled() {
    let text = whole_body(10).to_string();
    let twice = text.replacen('{', "{\"difficulty\":1,\"player_number\":1,", 1);
    let answer = support::post("/ai/move", twice.as_bytes());
    assert!([200, 422].contains(&answer.status));
    let both = text.replace("\"boardType\":", "\"board_type\":\"square8\",\"boardType\":");
    assert!([200, 422].contains(&support::post("/ai/move", both.as_bytes()).status));
}
