use std::{io::Cursor, sync::Arc};

use serde_json::{Value, json};

use super::AnalysisServer;

/// The responses to queries.
fn ask(queries: &[Value]) -> Vec<Value> {
    let server = AnalysisServer {
        spec: "mcts(sims=80,leaves=rollout,select=uct,c=0.3,rave=1000)".parse().unwrap(),
        models: Arc::default(),
        threads: 1,
        version: "test".to_owned(),
        seed: 1,
    };
    let input: String = queries.iter().map(|query| format!("{query}\n")).collect();
    let mut output = Vec::new();
    server.serve(Cursor::new(input.into_bytes()), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A query as `KaTrain` sends it.
fn katrain(id: &str, size: usize, moves: &Value) -> Value {
    let turns = moves.as_array().unwrap().len();
    json!({
        "id": id, "rules": "japanese", "priority": 0, "analyzeTurns": [turns], "maxVisits": 60, "komi": 6.5,
        "boardXSize": size, "boardYSize": size, "includeOwnership": true, "includeMovesOwnership": true,
        "includePolicy": true, "initialStones": [], "initialPlayer": "B", "moves": moves,
        "overrideSettings": { "reportAnalysisWinratesAs": "BLACK", "maxTime": 100.0, "wideRootNoise": 0.04 },
    })
}

#[test]
fn a_query_of_katrain_is_answered_with_all_fields_that_it_reads() {
    let responses = ask(&[katrain("QUERY:1", 7, &json!([["B", "D4"], ["W", "C3"]]))]);
    assert_eq!(responses[0]["warning"], "this field has no effect", "{}", responses[0]);
    let response = &responses[1];
    assert_eq!((&response["id"], &response["turnNumber"]), (&json!("QUERY:1"), &json!(2)));
    assert_eq!(response["isDuringSearch"], false);
    assert_eq!(response["ownership"].as_array().unwrap().len(), 49);
    let policy = response["policy"].as_array().unwrap();
    assert_eq!(policy.len(), 50);
    assert_eq!(
        policy.iter().filter(|prior| prior.as_f64() == Some(-1.0)).count(),
        2,
        "two points are occupied"
    );
    let root = &response["rootInfo"];
    assert_eq!((&root["visits"], &root["currentPlayer"]), (&json!(60), &json!("B")));
    let winrate = root["winrate"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&winrate) && root["scoreLead"].is_f64());
    let infos = response["moveInfos"].as_array().unwrap();
    for (order, info) in infos.iter().enumerate() {
        assert_eq!(info["order"], order);
        assert_eq!(info["pv"][0], info["move"]);
        for field in ["visits", "winrate", "scoreLead", "scoreStdev", "prior", "lcb", "utility"] {
            assert!(info[field].is_number(), "{field} in {info}");
        }
        assert_eq!(info["ownership"].as_array().unwrap().len(), 49);
    }
}

#[test]
fn values_are_those_of_the_requested_colour() {
    // White owns the board whoever moves.
    let mut query =
        katrain("w", 5, &json!([["B", "A1"], ["W", "C3"], ["B", "pass"], ["W", "C2"], ["B", "pass"]]));
    query["komi"] = json!(20);
    let black = &ask(&[query.clone()])[1]["rootInfo"];
    query["overrideSettings"] = json!({ "reportAnalysisWinratesAs": "SIDETOMOVE" });
    let white = &ask(&[query])[0]["rootInfo"];
    assert_eq!(white["currentPlayer"], "W");
    assert!(black["winrate"].as_f64().unwrap() < 0.2 && white["winrate"].as_f64().unwrap() > 0.8);
    assert!(black["scoreLead"].as_f64().unwrap() < -5.0 && white["scoreLead"].as_f64().unwrap() > 5.0);
}

#[test]
fn several_turns_and_avoided_moves() {
    let mut query = katrain("t", 5, &json!([["B", "C3"], ["B", "C2"], ["W", "D3"]]));
    query["overrideSettings"] = json!({});
    query["analyzeTurns"] = json!([0, 1, 3]);
    query["priorities"] = json!([1, 3, 2]);
    query["includeMovesOwnership"] = json!(false);
    let turns: Vec<u64> =
        ask(&[query.clone()]).iter().map(|turn| turn["turnNumber"].as_u64().unwrap()).collect();
    assert_eq!(turns, [1, 3, 0], "the highest priority comes first");
    query["analyzeTurns"] = json!([0]);
    let moves = |key: &str, moves: Value| {
        let mut query = query.clone();
        query[key] = json!([{ "player": "B", "moves": moves, "untilDepth": 1 }]);
        let response = ask(&[query]).remove(0);
        let infos = response["moveInfos"].as_array().unwrap().clone();
        infos.iter().map(|info| info["move"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(moves("allowMoves", json!(["B2", "D4"])).iter().all(|m| m == "B2" || m == "D4"));
    assert!(!moves("avoidMoves", json!(["C3"])).contains(&"C3".to_owned()));
}

#[test]
fn mistakes_are_named_with_their_field() {
    let error = |change: &dyn Fn(&mut Value)| {
        let mut query = katrain("e", 5, &json!([["B", "C3"], ["W", "D3"]]));
        query["overrideSettings"] = json!({});
        change(&mut query);
        let response = ask(&[query]).remove(0);
        (response["field"].as_str().unwrap_or_default().to_owned(), response["error"].clone())
    };
    assert_eq!(error(&|query| query["moves"] = json!([["B", "C3"], ["W", "C3"]])).0, "moves");
    assert_eq!(error(&|query| query["moves"] = json!([["B", "Z9"]])).0, "moves");
    assert_eq!(error(&|query| query["boardXSize"] = json!(20)).0, "boardXSize");
    assert_eq!(error(&|query| query["boardYSize"] = json!(7)).0, "boardYSize");
    assert_eq!(error(&|query| query["komi"] = json!(6.3)).0, "komi");
    assert_eq!(error(&|query| query["rules"] = json!("mine")).0, "rules");
    assert_eq!(error(&|query| query["analyzeTurns"] = json!([3])).0, "analyzeTurns");
    assert_eq!(error(&|query| query["id"] = json!(3)).0, "id");
    assert_eq!(error(&|query| query["avoidMoves"] = json!([{}])).0, "avoidMoves");
    let (field, message) =
        error(&|query| query["initialStones"] = json!([["B", "A1"], ["W", "A2"], ["W", "B1"]]));
    assert_eq!(field, "initialStones", "{message}");
    assert!(ask(&[json!("x")])[0]["error"].is_string());
}

#[test]
fn actions_are_answered_and_end_queries() {
    let mut long = katrain("long", 5, &json!([]));
    long["maxVisits"] = json!(1_000_000_000_u64);
    long["overrideSettings"] = json!({ "maxTime": 1e5 });
    let queries = [
        json!({ "id": "v", "action": "query_version" }),
        json!({ "id": "c", "action": "clear_cache" }),
        long,
        katrain("waits", 5, &json!([])),
        json!({ "id": "x", "action": "terminate", "terminateId": "waits" }),
        json!({ "id": "y", "action": "terminate_all" }),
        json!({ "id": "z", "action": "dance" }),
    ];
    let responses = ask(&queries);
    let of = |id: &str| responses.iter().filter(|response| response["id"] == id).collect::<Vec<_>>();
    assert_eq!(of("v")[0]["version"], "test");
    assert_eq!(of("c")[0]["action"], "clear_cache");
    assert_eq!(of("waits").last().unwrap()["noResults"], true, "{responses:?}");
    assert_eq!(of("long").len(), 1, "{responses:?}");
    assert_eq!((of("x").len(), of("y").len()), (1, 1));
    assert!(of("z")[0]["error"].as_str().unwrap().contains("dance"));
}
