//! `riftlab analyze`: requests and responses as JSON Lines.

#![allow(clippy::unwrap_used, reason = "a response that is not JSON fails the test")]

mod support;

use std::{
    io::{BufRead, BufReader, Write},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use support::{Run, command, typed};

/// Sends all requests, and returns the exit code and the responses.
fn ask(arguments: &[&str], questions: &[Value]) -> (i32, Vec<Value>) {
    let input: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let Run { code, out, err } = typed(&[&["analyze"], arguments].concat(), &input);
    assert_eq!(err, "");
    (code, out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn a_response_has_the_best_move_and_its_statistics() {
    let (code, answers) =
        ask(&[], &[json!({ "id": 7, "moves": ["+d4"], "agent": "mcts(sims=50)", "top": 3 })]);
    assert_eq!((code, answers.len()), (0, 1));
    let answer = &answers[0];
    for (field, expected) in [
        ("id", json!(7)),
        ("agent", json!("mcts(sims=50)")),
        ("engine", json!("mcts")),
        ("nodes", json!(50)),
        ("partial", json!(false)),
        ("to_move", json!("1")),
    ] {
        assert_eq!(answer[field], expected, "{field}: {answer}");
    }
    let candidates = answer["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3);
    assert_eq!(answer["best"], candidates[0]["move"]);
    assert!(answer["legal"].as_u64().unwrap() > 3);
    assert_eq!(answer["values"].as_array().unwrap().len(), 2);
}

#[test]
fn equal_requests_have_equal_responses_except_for_the_time() {
    let question = json!({ "board": "hex8", "players": 3, "agent": "mcts(sims=60)", "seed": 5 });
    let (_, mut answers) = ask(&[], &[question.clone(), question]);
    for answer in &mut answers {
        answer["ms"] = Value::Null;
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn partial_results_are_reported_on_request() {
    let question = json!({ "moves": ["+d4"], "agent": "mcts(sims=2000)", "partial": true, "id": "p" });
    let (_, answers) = ask(&[], &[question]);
    let (last, on_the_way) = answers.split_last().unwrap();
    assert_eq!(last["partial"], false);
    assert!(on_the_way.len() > 2, "{} partial answers", on_the_way.len());
    assert!(on_the_way.iter().all(|answer| answer["partial"] == true && answer["id"] == "p"));
    let nodes = |answer: &Value| answer["nodes"].as_u64().unwrap();
    assert!(answers.is_sorted_by(|one, other| nodes(one) <= nodes(other)));
}

#[test]
fn a_budget_in_the_request_overrides_that_of_the_agent() {
    let (_, answers) = ask(
        &["--agent", "mcts(sims=30)"],
        &[json!({ "moves": ["+d4"] }), json!({ "moves": ["+d4"], "nodes": 90 })],
    );
    assert_eq!((&answers[0]["nodes"], &answers[1]["nodes"]), (&json!(30), &json!(90)));
}

#[test]
fn a_finished_game_has_ranks_and_no_move() {
    let over = "square8 2 1:game_over cells=d4:1,d6:2 end=1:resignation";
    let (code, answers) = ask(&[], &[json!({ "position": over })]);
    // However the position text ends the game, the response is a result or an error, never a search.
    assert!(code == 1 && answers[0]["type"] == "error" || answers[0]["over"] == true, "{}", answers[0]);
}

#[test]
fn invalid_requests_get_errors_and_the_others_get_responses() {
    let questions = [
        json!({ "id": 1, "board": "hexx" }),
        json!({ "id": 2, "moves": ["d4-d9"] }),
        json!({ "id": 3, "movs": [] }),
        json!({ "id": 4, "agent": "d99" }),
        json!({ "id": 5, "position": "square8 2 1:movement cells=z9:1" }),
        json!({ "id": 6, "nodes": 0 }),
        json!({ "id": 7, "seconds": -1 }),
        json!({ "id": 8, "players": 9 }),
        json!({ "id": 9, "moves": ["d4-d5"] }),
        json!([1, 2]),
        json!({ "id": 11, "agent": "heuristic" }),
    ];
    let (code, answers) = ask(&[], &questions);
    assert_eq!((code, answers.len()), (1, questions.len()));
    let parts = [
        "square8, square19",
        "d9",
        "movs",
        "d1 to d10",
        "z9",
        "at least 1",
        "0.001",
        "players is 9: expected 2 to 4",
        "move 1",
        "request",
    ];
    for ((number, answer), part) in (1..).zip(&answers).zip(parts) {
        assert_eq!((&answer["type"], &answer["line"]), (&json!("error"), &json!(number)), "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(part), "{answer}");
        assert!(answer["id"] == number || number == 10, "{answer}");
    }
    assert_eq!(answers[10]["type"], "analysis");
}

#[test]
fn many_threads_respond_to_every_request_once() {
    let questions: Vec<Value> =
        (0..12).map(|id| json!({ "id": id, "agent": "mcts(sims=20)", "seed": id })).collect();
    let (code, answers) = ask(&["--threads", "3"], &questions);
    assert_eq!(code, 0);
    let mut ids: Vec<u64> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..12).collect::<Vec<u64>>());
}

/// The exit code of an analysis whose output is closed after the first response, with or without input left to read.
fn exit_code_after_close(arguments: &[&str], questions: usize, closes: bool) -> Option<i32> {
    let mut child = command(&[&["analyze"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        for _ in 0..questions {
            // The program may end before it has read all requests.
            if writeln!(input, "{{\"agent\":\"random\"}}").is_err() {
                break;
            }
        }
        (!closes).then_some(input)
    });
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut answer = String::new();
    output.read_line(&mut answer).unwrap();
    assert!(answer.contains("analysis"), "{answer}");
    drop(output);
    let deadline = Instant::now() + Duration::from_secs(30);
    while Instant::now() < deadline && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(10));
    }
    // A program that has not ended by now is killed, which leaves it without an exit code.
    child.kill().unwrap();
    let status = child.wait().unwrap();
    drop(writer.join().unwrap());
    status.code()
}

#[test]
fn a_closed_output_ends_the_program_without_an_error() {
    assert_eq!(exit_code_after_close(&[], 2000, true), Some(0), "with requests pending");
    assert_eq!(exit_code_after_close(&["--threads", "4"], 2000, true), Some(0), "by several threads");
    assert_eq!(exit_code_after_close(&["--threads", "2"], 200, false), Some(0), "with the input left open");
}
