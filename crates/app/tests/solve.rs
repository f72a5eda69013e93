//! `riftlab solve`: proven values of small boards of Go and of late positions of RingRift.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use support::riftlab;

/// The proven values of all moves, by the move.
fn moves(solution: &Value, field: &str) -> BTreeMap<String, Value> {
    let moves = solution["moves"].as_array().unwrap().iter();
    moves.map(|one| (one["move"].as_str().unwrap().to_owned(), one[field].clone())).collect()
}

#[test]
fn small_boards_of_go_are_solved_with_their_first_moves_and_conditions() {
    let solution = riftlab(&["solve", "go", "--size", "3", "--ko", "situational", "--json"]).json();
    assert_eq!((&solution["solved"], &solution["area"]), (&json!(true), &json!(9)));
    assert_eq!(solution["score"], json!(1.5), "with the usual komi");
    let areas = moves(&solution, "area");
    for (m, area) in [("B2", 9), ("A2", 3), ("C2", 3), ("B1", 3), ("B3", 3), ("A1", -9), ("pass", -9)] {
        assert_eq!(areas[m], json!(area), "{m}: {areas:?}");
    }
    assert_eq!((areas.len(), &solution["moves"][0]["move"]), (10, &json!("B2")));
    let text = riftlab(&["solve", "go", "--size", "2", "--komi", "0.5"]).success();
    assert!(
        text.contains("Black wins by 1\n") && text.contains("With komi 0.5: Black wins by 0.5."),
        "{text}"
    );
    assert!(text.contains("positional ko rule") && text.contains("full history"), "{text}");
}

#[test]
fn the_moves_of_a_go_position_count() {
    // After the first stone on the centre, White can do nothing.
    let solution =
        riftlab(&["solve", "--position", "go 3 b komi=0 ko=situational moves=B2", "--json"]).json();
    assert_eq!((&solution["to_move"], &solution["area"]), (&json!(2), &json!(9)));
}

#[test]
fn what_is_not_feasible_is_a_clean_no_and_what_cannot_be_solved_an_error() {
    for words in [&["solve", "go", "--size", "5", "--nodes", "100"][..], &["solve", "--nodes", "500"]] {
        let run = riftlab(words);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(
            run.out.contains(&format!("not feasible within {} nodes", words.last().unwrap())),
            "{}",
            run.out
        );
        let run = riftlab(&[words, &["--json"]].concat());
        let solution: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((run.code, &solution["solved"]), (1, &json!(false)));
    }
    let error = riftlab(&["solve", "go", "--size", "9"]).failure();
    assert!(error.contains("size 9: expected a size from 2 to 7"), "{error}");
    let error = riftlab(&["solve", "go", "--size", "3", "--scoring", "territory"]).failure();
    assert!(error.contains("area scoring"), "{error}");
}

/// The positions with the value of every move, proven by the independent solver of the tests of `search`.
const PROVEN: &str = include_str!("../../search/tests/ringrift/positions.txt");

#[test]
fn late_positions_of_ringrift_are_solved_with_the_value_of_every_move() {
    let mut seats = Vec::new();
    // Every seventh covers two, three and four seats and several boards.
    for case in PROVEN.split("\n\n").map(str::trim_end).filter(|case| !case.is_empty()).step_by(7) {
        let mut lines = case.lines();
        let position = lines.next().unwrap();
        let mut expected = BTreeMap::new();
        for line in lines.skip(1) {
            let (values, texts) = line.trim().split_once(": ").unwrap();
            let values: Vec<f64> = values.split(' ').map(|value| value.parse().unwrap()).collect();
            expected.extend(texts.split(' ').map(|text| (text.to_owned(), json!(values))));
        }
        let run = riftlab(&["solve", "--position", position, "--json"]);
        let solution: Value = serde_json::from_str(&run.out).unwrap();
        let found = moves(&solution, "values");
        assert_eq!(found.len(), expected.len(), "{position}");
        for (m, values) in &found {
            // With more than two seats, some values depend on how losing seats choose.
            if !values.is_null() {
                assert_eq!(values, &expected[m], "{m} in {position}");
            }
        }
        let count = solution["values"].as_array().map_or(0, Vec::len);
        if expected.values().next().unwrap().as_array().unwrap().len() == 2 {
            assert_eq!((run.code, count), (0, 2), "{position}");
            assert!(found.values().all(Value::is_array), "{position}: {found:?}");
        }
        seats.push(count);
    }
    assert!(seats.contains(&2) && seats.iter().any(|&count| count > 2), "{seats:?}");
}
