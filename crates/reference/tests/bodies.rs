//! Bodies with one fault or an unusual form, with the known response of the reference service to each.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

mod support;

use game::Game;
use interchange::{Client, client_state};
use reference::{Caps, Request, Route, Service};
use ringrift::{Position, Rules, Square8};
use search::Stop;
use serde_json::{Value, json};

fn state() -> Value {
    let position = Position::<Square8>::new(&Rules::new(2));
    let mut state = Value::Object(client_state(&position, &[], Client::GameServer));
    state["moveHistory"] = json!([{
        "id": "", "type": "place_ring", "player": 1, "to": {"x": 3, "y": 3}, "placementCount": 2,
        "timestamp": "2026-01-01T00:00:00.000Z", "thinkTime": 0, "moveNumber": 1,
    }]);
    state["board"]["stacks"] = json!({"3,3": {
        "position": {"x": 3, "y": 3}, "rings": [1, 1], "stackHeight": 2, "capHeight": 2, "controllingPlayer": 1,
    }});
    state["board"]["markers"] =
        json!({"0,0": {"player": 2, "position": {"x": 0, "y": 0}, "type": "regular"}});
    state["currentPlayer"] = 2.into();
    state
}

fn body() -> Value {
    json!({"game_state": state(), "player_number": 2, "difficulty": 1, "ai_type": "random", "seed": 5})
}

/// Sets the value at a path, or removes it.
fn put(body: &mut Value, place: &str, value: Option<Value>) {
    let (parent, name) = place.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap_or_else(|| panic!("{place}"));
    match (parent, value) {
        (Value::Object(fields), Some(value)) => drop(fields.insert(name.to_owned(), value)),
        (Value::Object(fields), None) => drop(fields.remove(name).unwrap()),
        (parent, Some(value)) => parent[name.parse::<usize>().unwrap()] = value,
        (parent, None) => panic!("nothing to remove from {parent}"),
    }
}

#[test]
fn missing_fields_are_rejected_as_by_the_original() {
    let needed = [
        "/game_state",
        "/player_number",
        "/game_state/id",
        "/game_state/boardType",
        "/game_state/board",
        "/game_state/players",
        "/game_state/currentPhase",
        "/game_state/currentPlayer",
        "/game_state/timeControl",
        "/game_state/gameStatus",
        "/game_state/createdAt",
        "/game_state/lastMoveAt",
        "/game_state/isRated",
        "/game_state/maxPlayers",
        "/game_state/totalRingsInPlay",
        "/game_state/totalRingsEliminated",
        "/game_state/victoryThreshold",
        "/game_state/territoryVictoryThreshold",
        "/game_state/board/type",
        "/game_state/board/size",
        "/game_state/board/stacks/3,3/position",
        "/game_state/board/stacks/3,3/rings",
        "/game_state/board/stacks/3,3/stackHeight",
        "/game_state/board/stacks/3,3/capHeight",
        "/game_state/board/stacks/3,3/controllingPlayer",
        "/game_state/board/markers/0,0/player",
        "/game_state/board/markers/0,0/position",
        "/game_state/board/markers/0,0/type",
        "/game_state/board/markers/0,0/position/y",
        "/game_state/players/0/id",
        "/game_state/players/0/username",
        "/game_state/players/1/type",
        "/game_state/players/1/playerNumber",
        "/game_state/players/1/isReady",
        "/game_state/players/1/timeRemaining",
        "/game_state/players/1/ringsInHand",
        "/game_state/players/1/eliminatedRings",
        "/game_state/players/1/territorySpaces",
        "/game_state/timeControl/type",
        "/game_state/timeControl/initialTime",
        "/game_state/timeControl/increment",
        "/game_state/moveHistory/0/id",
        "/game_state/moveHistory/0/type",
        "/game_state/moveHistory/0/player",
        "/game_state/moveHistory/0/to/x",
    ];
    for place in needed {
        let mut body = body();
        put(&mut body, place, None);
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        assert_eq!(answer.status, 422, "{place}");
        let detail = &answer.body["detail"][0];
        let steps: Vec<Value> = place
            .split('/')
            .skip(1)
            .map(|step| step.parse::<usize>().map_or_else(|_| step.into(), Value::from))
            .collect();
        assert_eq!(
            (&detail["type"], &detail["msg"]),
            (&json!("missing"), &json!("Field required")),
            "{place}"
        );
        assert_eq!(detail["loc"].as_array().unwrap()[1..], steps, "{place}");
        assert_eq!(answer.label.unwrap().outcome, "invalid");
    }
    let optional = [
        "/difficulty",
        "/ai_type",
        "/seed",
        "/game_state/rngSeed",
        "/game_state/spectators",
        "/game_state/moveHistory",
        "/game_state/history",
        "/game_state/lpsTracking",
        "/game_state/lpsRoundsRequired",
        "/game_state/rulesOptions",
        "/game_state/board/eliminatedRings",
        "/game_state/board/formedLines",
        "/game_state/board/territories",
        "/game_state/board/collapsedSpaces",
        "/game_state/moveHistory/0/timestamp",
        "/game_state/moveHistory/0/to",
        "/game_state/moveHistory/0/thinkTime",
        "/game_state/moveHistory/0/moveNumber",
    ];
    for place in optional {
        let mut body = body();
        put(&mut body, place, None);
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{place}: {}", answer.body);
        assert!(answer.body["move"].is_object(), "{place}");
    }
}

#[test]
fn invalid_values_are_rejected_for_the_same_reasons() {
    let cases = [
        ("/game_state", json!(null), "model_attributes_type"),
        ("/game_state", json!([]), "model_attributes_type"),
        ("/game_state/board", json!("board"), "model_attributes_type"),
        ("/game_state/id", json!(5), "string_type"),
        ("/game_state/boardType", json!("hex"), "enum"),
        ("/game_state/boardType", json!(8), "enum"),
        ("/game_state/board/type", json!("square9"), "enum"),
        ("/game_state/board/size", json!("eight"), "int_parsing"),
        ("/game_state/board/stacks", json!([]), "dict_type"),
        ("/game_state/board/stacks/3,3", json!(1), "model_attributes_type"),
        ("/game_state/board/stacks/3,3/rings", json!({}), "list_type"),
        ("/game_state/board/stacks/3,3/rings", json!(["a"]), "int_parsing"),
        ("/game_state/board/stacks/3,3/position", json!("3,3"), "model_attributes_type"),
        ("/game_state/board/markers", json!(null), "dict_type"),
        ("/game_state/board/collapsedSpaces", json!({"0,1": "x"}), "int_parsing"),
        ("/game_state/board/collapsedSpaces", json!({"0,1": null}), "int_type"),
        ("/game_state/players", json!({}), "list_type"),
        ("/game_state/players/0", json!(null), "model_attributes_type"),
        ("/game_state/players/0/username", json!(null), "string_type"),
        ("/game_state/players/0/isReady", json!("maybe"), "bool_parsing"),
        ("/game_state/players/0/isReady", json!(null), "bool_type"),
        ("/game_state/players/0/timeRemaining", json!(0.5), "int_from_float"),
        ("/game_state/players/0/aiDifficulty", json!("hard"), "int_parsing"),
        ("/game_state/players/0/ringsInHand", json!([]), "int_type"),
        ("/game_state/currentPhase", json!("placement"), "enum"),
        ("/game_state/currentPlayer", json!(null), "int_type"),
        ("/game_state/gameStatus", json!("finished"), "enum"),
        ("/game_state/moveHistory", json!(null), "list_type"),
        ("/game_state/moveHistory/0/type", json!("castle"), "enum"),
        ("/game_state/moveHistory/0/to", json!([3, 3]), "model_attributes_type"),
        ("/game_state/moveHistory/0/timestamp", json!("soon"), "datetime_from_date_parsing"),
        ("/game_state/moveHistory/0/formedLines", json!({}), "tuple_type"),
        ("/game_state/moveHistory/0/placementCount", json!("two"), "int_parsing"),
        ("/game_state/createdAt", json!("2026-02-30"), "datetime_from_date_parsing"),
        ("/game_state/lastMoveAt", json!(null), "datetime_type"),
        ("/game_state/isRated", json!(2), "bool_parsing"),
        ("/game_state/spectators", json!([1]), "string_type"),
        ("/game_state/rulesOptions", json!([]), "dict_type"),
        ("/game_state/mustMoveFromStackKey", json!(33), "string_type"),
        ("/game_state/pendingLineRewardElimination", json!(null), "bool_type"),
        ("/game_state/timeControl/increment", json!(1.5), "int_from_float"),
        ("/player_number", json!("0"), "greater_than_equal"),
        ("/player_number", json!(3), "value_error"),
        ("/player_number", json!(null), "int_type"),
        ("/difficulty", json!(0), "greater_than_equal"),
        ("/difficulty", json!("11"), "less_than_equal"),
        ("/difficulty", json!(null), "int_type"),
        ("/difficulty", json!(2.5), "int_from_float"),
        ("/ai_type", json!("RANDOM"), "enum"),
        ("/ai_type", json!(1), "enum"),
        ("/seed", json!(-1), "greater_than_equal"),
        ("/seed", json!(2_147_483_648_u64), "less_than_equal"),
        ("/seed", json!("x"), "int_parsing"),
        ("/seed", json!(1e30), "int_parsing_size"),
    ];
    for (place, value, reason) in cases {
        let mut body = body();
        put(&mut body, place, Some(value.clone()));
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        assert_eq!(answer.status, 422, "{place} = {value}: {}", answer.body);
        assert_eq!(answer.body["detail"][0]["type"], reason, "{place} = {value}");
        for detail in answer.body["detail"].as_array().unwrap() {
            let names: Vec<&String> = detail.as_object().unwrap().keys().collect();
            for name in ["type", "loc", "msg", "input"] {
                assert!(names.contains(&&name.to_owned()), "{place} = {value}: {detail}");
            }
            assert_eq!(detail["loc"][0], "body");
        }
    }
}

#[test]
fn values_that_the_original_accepts_are_accepted() {
    let cases = [
        ("/player_number", json!("2")),
        ("/player_number", json!(2.0)),
        ("/difficulty", json!(true)),
        ("/difficulty", json!(" 1 ")),
        ("/difficulty", json!("1.0")),
        ("/ai_type", json!(null)),
        ("/seed", json!(null)),
        ("/seed", json!("2_147_483_647")),
        ("/game_state/currentPlayer", json!("2")),
        ("/game_state/board/stacks/3,3/rings", json!(["1", 1.0])),
        ("/game_state/board/stacks/3,3/position", json!({"x": "3", "y": 3.0, "z": null})),
        ("/game_state/players/0/isReady", json!("yes")),
        ("/game_state/players/0/timeRemaining", json!(1e18)),
        ("/game_state/players/0/timeRemaining", json!(u64::MAX)),
        ("/game_state/isRated", json!(0)),
        ("/game_state/createdAt", json!(1_700_000_000_000_i64)),
        ("/game_state/createdAt", json!("1700000000")),
        ("/game_state/lastMoveAt", json!("2026-01-01 12:30")),
        ("/game_state/winner", json!(null)),
        ("/game_state/rngSeed", json!(null)),
        ("/game_state/rulesOptions", json!(null)),
        ("/game_state/rulesOptions", json!({"swapRuleEnabled": "perhaps", "other": [[]]})),
        ("/game_state/lpsTracking", json!("nothing that makes sense")),
        ("/game_state/lpsTracking", json!({"consecutiveExclusiveRounds": []})),
        ("/game_state/chainCapturePosition", json!("nothing that makes sense")),
        ("/game_state/chainCaptureState", json!(null)),
        ("/game_state/moveHistory", json!([])),
        ("/game_state/moveHistory/0/to", json!(null)),
        ("/game_state/moveHistory/0/formedLines", json!(null)),
        ("/game_state/moveHistory/0/option", json!({"a": 1})),
        ("/game_state/gameStatus", json!("waiting")),
        ("/game_state/gameStatus", json!("paused")),
        ("/game_state/unknown", json!({"deep": [[[{}]]]})),
        ("/unknown", json!(1)),
    ];
    for (place, value) in cases {
        let mut body = body();
        put(&mut body, place, Some(value.clone()));
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{place} = {value}: {}", answer.body);
        assert!(answer.body["move"].is_object(), "{place} = {value}: {}", answer.body);
    }
}

#[test]
fn the_first_name_of_a_field_takes_precedence() {
    let mut body = body();
    body["game_state"]["current_player"] = 1.into();
    body["game_state"]["board_type"] = "no board".into();
    let answer = support::post("/ai/move", body.to_string().as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["move"]["player"], 2);
    body["game_state"].as_object_mut().unwrap().remove("boardType");
    let answer = support::post("/ai/move", body.to_string().as_bytes());
    let detail = &answer.body["detail"][0];
    assert_eq!((&detail["type"], &detail["loc"][2]), (&json!("enum"), &json!("board_type")));
    // If the same name occurs twice, the last one counts.
    let text = body.to_string().replacen('{', "{\"player_number\":77,", 1);
    let text = text.replace("\"no board\"", "\"square8\"");
    assert_eq!(support::post("/ai/move", text.as_bytes()).status, 200);
}

#[test]
fn bodies_that_are_not_json_objects_are_rejected() {
    let cases: [(&[u8], u16, &str); 10] = [
        (b"", 422, "missing"),
        (b"null", 422, "model_attributes_type"),
        (b"[]", 422, "model_attributes_type"),
        (b"\"text\"", 422, "model_attributes_type"),
        (b"   ", 422, "json_invalid"),
        (b"{\"game_state\": ", 422, "json_invalid"),
        (b"{\"game_state\": NaN}", 422, "json_invalid"),
        (b"{} {}", 422, "json_invalid"),
        (b"<html>", 422, "json_invalid"),
        (b"{\"a\": \"\xff\"}", 400, ""),
    ];
    for route in Route::ALL.into_iter().filter(|route| route.method() == "POST" && *route != Route::Learn) {
        for (body, status, reason) in cases {
            let answer = support::post(route.path(), body);
            assert_eq!(answer.status, status, "{route:?} {}", String::from_utf8_lossy(body));
            if status == 422 {
                assert_eq!(answer.body["detail"][0]["type"], reason, "{route:?}");
            } else {
                assert!(answer.body["detail"].is_string());
            }
        }
    }
}

#[test]
fn the_other_routes_accept_and_reject_the_same_bodies_as_the_original() {
    let state = state();
    let cell = json!({"x": 1, "y": 2});
    let cases = [
        ("/ai/evaluate", json!({"game_state": state, "player_number": 3}), 422),
        ("/ai/evaluate", json!({"game_state": state, "player_number": 0}), 422),
        ("/ai/evaluate", json!({"game_state": state}), 422),
        ("/ai/evaluate", json!({"game_state": state, "player_number": "1"}), 200),
        ("/ai/evaluate_position", json!({"game_state": state, "random_seed": -7}), 200),
        ("/ai/evaluate_position", json!({"game_state": state, "random_seed": "x"}), 422),
        ("/ai/evaluate_position", json!({"game_state": state, "engine_profile": 5}), 422),
        ("/ai/evaluate_position", json!({"game_state": state, "engine_profile": null}), 200),
        ("/rules/evaluate_move", json!({"game_state": state}), 422),
        (
            "/rules/evaluate_move",
            json!({"game_state": state, "move": {"id": "", "type": "castle", "player": 2}}),
            422,
        ),
        (
            "/rules/evaluate_move",
            json!({"game_state": state, "move": {"type": "place_ring", "player": 2}}),
            422,
        ),
        (
            "/rules/evaluate_move",
            json!({"game_state": state, "move": {"id": "", "type": "place_ring", "player": 2}}),
            200,
        ),
        ("/ai/moves_batch", json!({"game_states": [], "player_numbers": []}), 422),
        ("/ai/moves_batch", json!({"game_states": [state], "player_numbers": [1, 2]}), 422),
        (
            "/ai/moves_batch",
            json!({"game_states": [state], "player_numbers": ["2"], "mode": "TENSOR", "simulation_budget": 10}),
            200,
        ),
        ("/ai/moves_batch", json!({"game_states": [state], "player_numbers": [2], "mode": "all"}), 400),
        ("/ai/moves_batch", json!({"game_states": [state], "player_numbers": [2], "device": 5}), 422),
        (
            "/ai/moves_batch",
            json!({"game_states": [state], "player_numbers": [2], "simulation_budget": 1001}),
            422,
        ),
        (
            "/ai/moves_batch",
            json!({"game_states": [state], "player_numbers": [9], "simulation_budget": 10}),
            200,
        ),
        ("/ai/choice/line_reward_option", json!({"player_number": 0, "options": []}), 200),
        ("/ai/choice/line_reward_option", json!({"player_number": 1, "options": [], "game_state": {}}), 422),
        ("/ai/choice/line_reward_option", json!({"player_number": 1, "options": {}}), 422),
        ("/ai/choice/line_reward_option", json!({"player_number": 1}), 422),
        (
            "/ai/choice/ring_elimination",
            json!({"player_number": 1, "options": [{"stackPosition": cell, "capHeight": "2"}]}),
            422,
        ),
        (
            "/ai/choice/ring_elimination",
            json!({"player_number": 1, "options": [{"stack_position": cell, "cap_height": "2", "total_height": 3}]}),
            200,
        ),
        ("/ai/choice/ring_elimination", json!({"player_number": 1, "difficulty": 11, "options": []}), 422),
        (
            "/ai/choice/region_order",
            json!({"player_number": 1, "options": [{"regionId": 0, "size": 1, "representativePosition": cell}]}),
            422,
        ),
        (
            "/ai/choice/region_order",
            json!({"player_number": 1, "options": [{"regionId": "0", "size": 1, "representativePosition": {"x": 1}}]}),
            422,
        ),
        (
            "/ai/choice/line_order",
            json!({"player_number": 1, "options": [{"lineId": "0", "markerPositions": [cell, {}]}]}),
            422,
        ),
        ("/ai/choice/line_order", json!({"player_number": 1, "options": []}), 400),
        ("/ai/choice/capture_direction", json!({"player_number": 1, "ai_type": "none", "options": []}), 422),
        ("/ai/choice/capture_direction", json!({"player_number": 1, "options": []}), 400),
        (
            "/ai/choice/capture_direction",
            json!({"playerNumber": 1, "options": [{"targetPosition": cell, "landingPosition": cell, "capturedCapHeight": 1}]}),
            200,
        ),
    ];
    for (path, body, status) in cases {
        let answer = support::post(path, body.to_string().as_bytes());
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.body);
    }
    let without_players = {
        let mut state = state.clone();
        state["players"] = json!([]);
        json!({"game_state": state, "player_number": 1})
    };
    assert_eq!(support::post("/ai/move", without_players.to_string().as_bytes()).status, 422);
    assert_eq!(support::post("/ai/evaluate", without_players.to_string().as_bytes()).status, 422);
    assert_eq!(support::post("/ai/evaluate_position", without_players.to_string().as_bytes()).status, 400);
}

fn send(method: &str, path: &str, query: Option<&str>, admin_key: Option<&str>) -> reference::Answer {
    let service = Service::new(Caps { admin_key: Some("open".to_owned()), ..Caps::default() });
    service.handle(&Request { method, path, query, body: b"", admin_key }, &Stop::default())
}

#[test]
fn paths_and_methods_are_as_strict_as_in_the_original() {
    for route in Route::ALL {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let answer = send(method, route.path(), None, None);
            if method == route.method() {
                assert_ne!(answer.status, 405, "{method} {route:?}");
            } else {
                assert_eq!((answer.status, answer.allow), (405, Some(route.method())), "{method} {route:?}");
                assert_eq!(answer.body, json!({"detail": "Method Not Allowed"}));
            }
        }
        if route != Route::Banner {
            let beside = send(route.method(), &format!("{}/", route.path()), None, None);
            assert_eq!((beside.status, beside.location), (307, Some(route.path())), "{route:?}");
        }
    }
    for path in [
        "/ai",
        "/ai/",
        "/ai//move",
        "//ai/move",
        "/AI/move",
        "/ai/move/x",
        "/ai/choice/",
        "/ai/choice/none",
        "",
    ] {
        let answer = send("POST", path, None, None);
        assert_eq!((answer.status, answer.body), (404, json!({"detail": "Not Found"})), "{path}");
    }
}

#[test]
fn the_query_filters_the_ladder() {
    let ask = |query: &str| send("GET", "/internal/ladder/health", Some(query), None);
    let tiers = |query: &str| {
        let answer = ask(query);
        assert_eq!(answer.status, 200, "{query}: {}", answer.body);
        answer.body["tiers"].as_array().unwrap().len()
    };
    assert_eq!(tiers("board_type=square8&num_players=2&difficulty=4"), 1);
    assert_eq!(tiers("board_type=%20Square8%20&num_players=2.0&difficulty=+4"), 1);
    assert_eq!(tiers("num_players=3&difficulty=10"), 4);
    assert_eq!((tiers(""), tiers("board_type=&other=1")), (120, 120));
    for query in ["board_type=chess", "num_players=5", "num_players=-1", "difficulty=0", "difficulty=11"] {
        let answer = ask(query);
        assert_eq!(answer.status, 400, "{query}");
        assert!(answer.body["detail"].is_string(), "{query}");
    }
    for query in ["num_players=two", "num_players=", "difficulty=3.5", "difficulty=%zz"] {
        let answer = ask(query);
        assert_eq!(answer.status, 422, "{query}");
        assert_eq!(answer.body["detail"][0]["loc"][0], "query", "{query}");
        assert_eq!(answer.body["detail"][0]["type"], "int_parsing", "{query}");
    }
}

#[test]
fn the_cache_is_cleared_only_with_the_key() {
    let clear = |key| send("DELETE", "/ai/cache", None, key);
    assert_eq!(clear(None).status, 401);
    assert_eq!(clear(Some("")).status, 401);
    assert_eq!((clear(Some("wrong")).status, clear(Some("wrong")).body["detail"].is_string()), (403, true));
    assert_eq!(clear(Some("open")).body, json!({"status": "cache cleared", "instances_removed": 0}));
}

#[test]
fn distances_on_hex_boards_use_all_three_axes() {
    let at = |x: i64, y: i64| json!({"x": x, "y": y, "z": -x - y});
    let option =
        |x, y| json!({"targetPosition": at(0, 0), "landingPosition": at(x, y), "capturedCapHeight": 1});
    // The distance of (2,-1) from (0,0) is 2+1+1, that of (1,1) is 1+1+2: equal, so the first of them is chosen.
    let high = |mut option: Value| {
        option["capturedCapHeight"] = 2.into();
        option
    };
    let body = json!({"player_number": 1, "options": [option(0, 0), high(option(2, 1)), high(option(3, -3)), high(option(2, -1))]});
    let answer = support::post("/ai/choice/capture_direction", body.to_string().as_bytes());
    assert_eq!(answer.body["selectedOption"]["landingPosition"], at(2, -1));

    // An enemy stack two cells away has distance 4 along three axes, too far for a bonus.
    let mut state = state();
    state["boardType"] = "hex8".into();
    state["board"]["type"] = "hex8".into();
    state["board"]["stacks"] = json!({"2,0,-2": {
        "position": at(2, 0), "rings": [2], "stackHeight": 1, "capHeight": 1, "controllingPlayer": 2,
    }});
    let region =
        |id: &str, size: i64, x, y| json!({"regionId": id, "size": size, "representativePosition": at(x, y)});
    let choose = |options: Value| {
        let body = json!({"player_number": 1, "game_state": state, "options": options});
        support::post("/ai/choice/region_order", body.to_string().as_bytes()).body["selectedOption"]["regionId"].take()
    };
    assert_eq!(choose(json!([region("a", 1, 0, 0), region("b", 1, 2, 0)])), "b");
    assert_eq!(choose(json!([region("far", 1, 0, 0), region("near", 1, 1, 0)])), "near");
    assert_eq!(choose(json!([region("first", 1, 0, 0), region("as far", 1, 2, 2)])), "first");
}
