//! Help texts, errors, and the commands `perft`, `show` and `bench`.

mod support;

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use game::{Game, Notation, Setup, perft, perft_split};
use ringrift::{Hex8, Position, Rules, Square8};
use support::{command, riftlab};

#[test]
fn help_names_every_command_and_exits_cleanly() {
    let help = riftlab(&["--help"]).success();
    for word in [
        "play",
        "show",
        "replay",
        "import",
        "conform",
        "match",
        "gauntlet",
        "tournament",
        "elo",
        "perft",
        "bench",
        "--color",
    ] {
        assert!(help.contains(word), "{word} is missing in:\n{help}");
    }
    insta::assert_snapshot!("help", riftlab(&["-h"]).success());
    insta::assert_snapshot!("help_play", riftlab(&["play", "-h"]).success());
}

#[test]
fn errors_about_unknown_names_list_the_known_ones() {
    let error = riftlab(&["perft", "--board", "square9", "--depth", "1"]).failure();
    assert!(error.contains("square8, square19, hex8, hexagonal"), "{error}");
    let error = riftlab(&["play", "--seats", "human,robot"]).failure();
    assert!(error.contains("expected random, heuristic") && error.contains("or human"), "{error}");
    let error = riftlab(&["play", "--seats", "random"]).failure();
    assert!(error.contains("expected 2, 3 or 4"), "{error}");
    let error = riftlab(&["perft", "--players", "3", "--swap", "--depth", "1"]).failure();
    assert!(error.contains("the swap rule requires 2 seats"), "{error}");
    riftlab(&["perft", "--players", "5", "--depth", "1"]).failure();
    riftlab(&["frobnicate"]).failure();
}

#[test]
fn perft_counts_what_the_library_counts() {
    let start = Position::<Square8>::new(&Rules::new(2));
    let counted = riftlab(&["perft", "--depth", "3"]).success();
    assert_eq!(counted.trim(), perft(&start, 3).to_string());

    let hex = Position::<Hex8>::new(&Rules { rings: Some(2), ..Rules::new(3) });
    let json =
        riftlab(&["perft", "--board", "hex8", "--players", "3", "--rings", "2", "--depth", "2", "--json"]);
    assert_eq!(json.json()["nodes"], perft(&hex, 2));
}

#[test]
fn perft_split_names_every_first_move_and_adds_up() {
    let text = "square8 2 1:movement cells=d4:1,d6:2,a1*2 hands=17,17";
    let position = Position::<Square8>::from_text(text).unwrap();
    let split = riftlab(&["perft", "--position", text, "--depth", "2", "--split"]).success();
    let mut lines: Vec<&str> = split.lines().collect();
    assert_eq!(lines.pop(), Some(perft(&position, 2).to_string().as_str()));
    let expected: Vec<Vec<String>> = perft_split(&position, 2)
        .into_iter()
        .map(|(m, nodes)| vec![position.move_text(m), nodes.to_string()])
        .collect();
    let found: Vec<Vec<String>> =
        lines.iter().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect();
    assert_eq!(found, expected);
    assert_eq!(riftlab(&["perft", "--depth", "0", "--split"]).success().trim(), "1");
    riftlab(&["perft", "--position", text, "--depth", "1", "--players", "2"]).failure();
}

#[test]
fn show_draws_a_position_with_its_moves() {
    let text = "square8 2 1:movement cells=d4:1,d6:2,a1:11,h8#1,c3*2 hands=15,17";
    insta::assert_snapshot!("show", riftlab(&["show", text, "--moves"]).success());
    // Quotes are optional.
    let words: Vec<&str> = ["show"].into_iter().chain(text.split(' ')).chain(["--moves"]).collect();
    assert_eq!(riftlab(&words).success(), riftlab(&["show", text, "--moves"]).success());

    let json = riftlab(&["show", text, "--json", "--moves"]).json();
    let position = Position::<Square8>::from_text(text).unwrap();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(json["text"], position.to_text());
    assert_eq!(json["moves"].as_array().unwrap().len(), moves.len());
    assert_eq!((&json["to_move"], &json["territory"][0]), (&1.into(), &1.into()));
}

#[test]
fn show_reports_every_fault_of_a_position_with_its_place() {
    let error = riftlab(&["show", "square8 2 1:movement cells=a9:1,b2:17 hands=1 pie"]).failure();
    insta::assert_snapshot!("show_faults", error);
    let error = riftlab(&["show", "square7 2 1:movement"]).failure();
    assert!(error.contains("^^^^^^^\n") && error.contains("is not a board"), "{error}");
    // Faults that only the complete position shows are reported, too.
    let error = riftlab(&["show", "square8 2 1:movement cells=d4:1,d4*2"]).failure();
    assert!(error.contains("^^^^"), "{error}");
}

#[test]
fn colour_is_off_unless_requested_or_at_a_terminal() {
    let text = "square8 2 1:movement cells=d4:12,c3*1,c4#2";
    assert!(!riftlab(&["show", text]).success().contains('\x1b'));
    let coloured = riftlab(&["--color", "always", "show", text]).success();
    assert!(coloured.contains("\x1b["));
    // Without its escape sequences, coloured output is the same.
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        rest = after.split_once('m').unwrap().1;
    }
    assert_eq!(plain + rest, riftlab(&["show", text]).success());
}

#[test]
fn bench_measures_networks_on_any_board() {
    for (words, encoder) in [
        (&["--board", "hex8", "--players", "3"][..], "ringrift-hex-pv1"),
        (&["--board", "square8", "--threads", "2"], "ringrift-square-pv1"),
        (&["go", "--size", "5"], "go-pv1"),
    ] {
        let common = ["bench", "pv", "--preset", "tiny", "--seconds", "0.01", "--json"];
        let speed = riftlab(&[&common[..], words].concat()).json();
        assert_eq!((&speed["type"], &speed["encoder"]), (&"bench-pv".into(), &encoder.into()));
        for field in ["weights", "rounds", "encode_us", "batch1_ms", "batch32_ms", "train128_ms"] {
            assert!(speed[field].as_f64().unwrap() > 0.0, "{field}: {speed}");
        }
    }
    let text = riftlab(&["bench", "pv", "--preset", "tiny", "--seconds", "0.01"]).success();
    assert!(text.contains("ms to train on 128 positions"), "{text}");
    let refusal = riftlab(&["bench", "pv", "--preset", "huge"]).failure();
    assert!(refusal.contains("tiny, small, base or seed"), "{refusal}");
}

#[test]
fn bench_plays_the_same_games_from_the_same_seed() {
    let arguments =
        ["bench", "rules", "--board", "hex8", "--players", "4", "--games", "20", "--seed", "7", "--json"];
    let [one, again] = [(); 2].map(|()| riftlab(&arguments).json());
    assert_eq!((&one["games"], &one["plies"]), (&20.into(), &again["plies"]));
    assert!(one["clone_ns"].is_null());
    let timed = riftlab(&["bench", "rules", "--seconds", "0.01", "--json"]).json();
    assert!(timed["games_per_second"].as_f64().unwrap() > 0.0 && timed["clone_ns"].as_f64().unwrap() > 0.0);
    let text = riftlab(&["bench", "rules", "--seconds", "0.01"]).success();
    assert!(
        text.contains("games/s") && text.contains("plies/s") && text.contains("bytes per position"),
        "{text}"
    );
    riftlab(&["bench", "rules", "--seconds", "soon"]).failure();
    riftlab(&["bench", "rules", "--seconds", "1", "--games", "1"]).failure();
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    // Enough lines to fill the pipe.
    let mut child = command(&["perft", "--board", "hexagonal", "--depth", "1", "--split"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(first.starts_with('+'), "{first}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
