//! Compares our responses with recorded exchanges of the reference service.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests too")]

mod support;

use std::collections::BTreeSet;

use game::Game;
use interchange::{GameState, drop_nulls, from_json};
use reference::{Caps, Request, Service};
use ringrift::{Kind, on_board};
use search::Stop;
use serde_json::{Value, json};
use support::exchanges;

/// The exchanges with deliberately different responses, and the reasons.
const DELIBERATE: [(&str, u16, &str); 6] = [
    (
        "move_sq8_placement_mid_d5",
        200,
        "the net is missing in the original; here the same search uses the heuristic",
    ),
    ("move_sq8_placement_mid_d6_fails", 200, "the same"),
    ("move_sq8_placement_mid_d10_fails", 200, "the same"),
    ("move_hex8_placement_mid_d5", 200, "the same"),
    ("probe_hex8_no_ai_type_d5", 200, "the same"),
    ("moves_batch_two", 200, "the same"),
];

fn ask(exchange: &Value) -> reference::Answer {
    let path = exchange["path"].as_str().unwrap();
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let body = match &exchange["request"] {
        Value::Null => Vec::new(),
        Value::String(text) => text.as_bytes().to_vec(),
        value => serde_json::to_vec(value).unwrap(),
    };
    let request =
        Request { method: exchange["method"].as_str().unwrap(), path, query, body: &body, admin_key: None };
    let service = Service::new(Caps { nodes: 40, ..Caps::default() });
    service.handle(&request, &Stop::default())
}

/// Whether the server handles the route itself.
fn is_server_route(exchange: &Value) -> bool {
    let path = exchange["path"].as_str().unwrap();
    ["/health", "/ready", "/live", "/metrics"].contains(&path)
}

#[test]
fn statuses_are_as_recorded_or_better() {
    for exchange in exchanges().iter().filter(|exchange| !is_server_route(exchange)) {
        let name = exchange["name"].as_str().unwrap();
        let answer = ask(exchange);
        let recorded = exchange["status"].as_u64().unwrap() as u16;
        let expected =
            DELIBERATE.iter().find(|(known, ..)| *known == name).map_or(recorded, |(_, status, _)| *status);
        assert_eq!(answer.status, expected, "{name}: {}", answer.body);
        if recorded == 405 {
            assert_eq!(answer.allow, exchange["headers"]["allow"].as_str(), "{name}");
        }
    }
}

#[test]
fn every_playable_state_gets_a_legal_move_in_the_clients_form() {
    let mut moves = 0;
    for exchange in exchanges() {
        let state = &exchange["request"]["game_state"];
        if exchange["path"] != "/ai/move" || exchange["status"] == 422 || !state.is_object() {
            continue;
        }
        let name = exchange["name"].as_str().unwrap();
        let answer = ask(&exchange);
        let found = &answer.body["move"];
        if ["move_not_my_turn", "move_game_over"].contains(&name) {
            assert!(found.is_null(), "{name}: {found}");
            assert_eq!(answer.label.unwrap().outcome, "no_move");
            continue;
        }
        let state: GameState = from_json(state.clone()).unwrap();
        let rules = state.rules().unwrap();
        on_board!(state.board().unwrap(), B => {
            let position = state.position::<B>(&rules).unwrap_or_else(|bad| panic!("{name}: {bad}"));
            support::accepted(&position, found).unwrap_or_else(|fault| panic!("{name}: {fault}: {found}"));
        });
        assert_eq!(answer.label.unwrap().outcome, "success", "{name}");
        assert_eq!(answer.body["use_neural_net"], answer.body["nn_model_id"].is_string(), "{name}");
        moves += 1;
    }
    println!("{moves} moves accepted");
}

/// The paths of all fields at any depth; all items of a list share one path.
fn names(value: &Value, place: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| names(item, place, found)),
        Value::Object(fields) => {
            for (name, item) in fields {
                let place = format!("{place}/{name}");
                found.insert(place.clone());
                names(item, &place, found);
            }
        }
        _ => {}
    }
}

#[test]
fn responses_have_the_recorded_fields() {
    for exchange in exchanges().iter().filter(|exchange| !is_server_route(exchange)) {
        let (name, recorded) = (exchange["name"].as_str().unwrap(), &exchange["response"]);
        if exchange["status"] != 200 || DELIBERATE.iter().any(|(known, ..)| *known == name) {
            continue;
        }
        let (mut theirs, mut ours) = (BTreeSet::new(), BTreeSet::new());
        names(recorded, "", &mut theirs);
        names(&ask(exchange).body, "", &mut ours);
        theirs.retain(|place| {
            // The fields of a move depend on its type and those of an evaluation on the evaluator; a state is echoed.
            // Cells of square boards have no z.
            let inner = ["/move/", "/breakdown/", "/next_state/", "/tiers/artifacts/"];
            !inner.iter().any(|inner| place.starts_with(inner)) && !place.ends_with("/z")
        });
        let missing: Vec<&String> = theirs.difference(&ours).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

#[test]
fn rejections_have_the_same_locations_and_reasons() {
    for exchange in exchanges().iter().filter(|exchange| exchange["status"] == 422) {
        let name = exchange["name"].as_str().unwrap();
        let places = |body: &Value| -> Vec<(Value, Value)> {
            let details = body["detail"].as_array().unwrap();
            details.iter().map(|detail| (detail["type"].clone(), detail["loc"].clone())).collect()
        };
        let answer = ask(exchange);
        assert_eq!(places(&answer.body), places(&exchange["response"]), "{name}");
        assert!(answer.body.to_string().len() < 10_000, "{name} echoes too much");
    }
}

#[test]
fn moves_that_clients_allow_are_legal_and_lead_to_the_recorded_state() {
    for exchange in exchanges().iter().filter(|exchange| exchange["path"] == "/rules/evaluate_move") {
        let name = exchange["name"].as_str().unwrap();
        let ours = ask(exchange).body;
        // The reference also refuses `rules_process_line`, `rules_forced_elimination` and `rules_line_elimination`,
        // which its client and the rules allow.
        let illegal = ["rules_move_stack_illegal", "rules_place_wrong_player", "rules_place_off_board"];
        assert_eq!(ours["valid"], !illegal.contains(&name), "{name}: {ours}");
        let theirs = &exchange["response"];
        // The original reads mixed stacks upside down, so the target of this capture loses a different ring.
        if theirs["valid"] == true && name != "rules_chain_legal" {
            for field in ["state_hash", "s_invariant", "game_status"] {
                assert_eq!(ours[field], theirs[field], "{name}: {field}");
            }
            let history = |body: &Value| body["next_state"]["moveHistory"].as_array().unwrap().len();
            assert_eq!(history(&ours), history(theirs), "{name}");
            same_state(name, ours["next_state"].clone(), theirs["next_state"].clone());
        }
    }
}

/// Checks that two states are equal, except for fields that only one side has (nulls, fingerprints, counts of 0) or names
/// differently (the capturing stack), and for mixed stacks, which the original reads upside down.
fn same_state(name: &str, mut ours: Value, mut theirs: Value) {
    for state in [&mut ours, &mut theirs] {
        drop_nulls(state);
        let fields = state.as_object_mut().unwrap();
        let only_one = ["zobristHash", "moveHistory", "chainCaptureState", "chainCapturePosition"];
        fields.retain(|name, _| !name.starts_with("lps") && !only_one.contains(&name.as_str()));
        // One side has milliseconds, the other microseconds.
        for name in ["createdAt", "lastMoveAt"] {
            let time = fields[name].as_str().unwrap().chars().take(19).collect::<String>();
            fields.insert(name.to_owned(), time.into());
        }
        let board = fields["board"].as_object_mut().unwrap();
        board["eliminatedRings"].as_object_mut().unwrap().retain(|_, count| *count != 0);
        for stack in board["stacks"].as_object_mut().unwrap().values_mut() {
            let rings = stack["rings"].as_array_mut().unwrap();
            rings.sort_by_key(Value::as_u64);
        }
    }
    assert_eq!(ours, theirs, "{name}");
}

#[test]
fn the_same_seed_gives_the_same_move_and_choices_are_as_recorded() {
    let exchanges = exchanges();
    for exchange in &exchanges {
        let name = exchange["name"].as_str().unwrap();
        let (once, again) = (ask(exchange), ask(exchange));
        if exchange["path"] == "/ai/move" {
            let bare = |answer: &reference::Answer| {
                let mut m = answer.body["move"].clone();
                if let Some(fields) = m.as_object_mut() {
                    fields.remove("timestamp");
                }
                m
            };
            assert_eq!(bare(&once), bare(&again), "{name}");
        }
        if exchange["path"].as_str().unwrap().starts_with("/ai/choice/") && exchange["status"] == 200 {
            let mut theirs = exchange["response"].clone();
            drop_nulls(&mut theirs);
            assert_eq!(once.body, theirs, "{name}");
        }
    }
}

#[test]
fn states_are_interpreted_as_by_the_original() {
    // Rings are listed from the top, unless only the other order matches the owner and the cap.
    for exchange in
        exchanges().iter().filter(|exchange| exchange["name"] == "probe_recovery_rings_reversed_d1")
    {
        let answer = ask(exchange);
        assert_eq!(answer.body["move"]["type"], "recovery_slide", "{}", answer.body);
        let state: GameState = from_json(exchange["request"]["game_state"].clone()).unwrap();
        let position = state.nearest::<ringrift::Square8>().position.unwrap();
        assert!(!position.is_over());
    }
}

/// Rewrites a value in other accepted forms: integers as strings or floats, booleans as words.
fn in_other_forms(value: &mut Value, turn: &mut usize) {
    match value {
        Value::Number(number) => {
            let Some(whole) = number.as_i64() else { return };
            *turn += 1;
            *value = match *turn % 3 {
                0 => json!(format!(" {whole}.0")),
                1 => json!(whole.to_string()),
                _ => json!(whole as f64),
            };
        }
        Value::Bool(flag) => *value = if *flag { "yes" } else { "off" }.into(),
        Value::Array(items) => items.iter_mut().for_each(|item| in_other_forms(item, turn)),
        Value::Object(fields) => fields.values_mut().for_each(|field| in_other_forms(field, turn)),
        _ => {}
    }
}

#[test]
fn other_forms_of_numbers_and_booleans_get_the_same_response() {
    let mut asked = 0;
    for exchange in exchanges().iter().filter(|exchange| exchange["request"].is_object()) {
        if exchange["status"] == 422 {
            continue;
        }
        let mut other = exchange.clone();
        in_other_forms(&mut other["request"], &mut asked);
        let (once, again) = (ask(exchange), ask(&other));
        let bare = |mut answer: reference::Answer| {
            for field in
                ["thinking_time_ms", "generated_at", "total_thinking_time_ms", "throughput_games_per_sec"]
            {
                answer.body.as_object_mut().map(|fields| fields.remove(field));
            }
            drop_field(&mut answer.body, "timestamp");
            (answer.status, answer.body)
        };
        assert_eq!(bare(once), bare(again), "{}", exchange["name"]);
    }
    println!("{asked} numbers written otherwise");
}

fn drop_field(value: &mut Value, name: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| drop_field(item, name)),
        Value::Object(fields) => {
            fields.remove(name);
            fields.values_mut().for_each(|field| drop_field(field, name));
        }
        _ => {}
    }
}

#[test]
fn the_client_had_the_same_number_of_legal_moves() {
    let mut compared = 0;
    for exchange in exchanges() {
        let Some(seen) = exchange["client"]["legal_moves_seen_by_client"].as_u64() else { continue };
        let name = exchange["name"].as_str().unwrap();
        let Ok(state) = from_json::<GameState>(exchange["request"]["game_state"].clone()) else {
            continue;
        };
        // The client's list differs after a placement, when it lets all stacks act, when it decides by itself, when a payment
        // for a line is due, and for recoveries, whose payer it chooses later.
        let phase = &*state.current_phase;
        let placed = state.move_history.last().is_some_and(|m| m.name() == "place_ring");
        let empty = ["forced_elimination", "game_over"].contains(&phase) || name.contains("line_");
        if empty || name.contains("recovery") || phase == "movement" && placed {
            continue;
        }
        let rules = state.rules().unwrap();
        on_board!(state.board().unwrap(), B => {
            let position = state.position::<B>(&rules).unwrap();
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let skips = |kind| matches!(kind, Kind::SkipCapture | Kind::SkipTerritory);
            let ours = moves.iter().filter(|m| !skips(m.kind())).count() as u64;
            // After a move, the game server lists the captures of all stacks.
            assert!(if phase == "capture" { ours <= seen && ours > 0 } else { ours == seen }, "{name}: {ours}, {seen}");
            compared += 1;
        });
    }
    println!("{compared} lists compared");
}
