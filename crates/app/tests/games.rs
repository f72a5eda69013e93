//! Recorded games: replay, import and conformance.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use game::{Game, Seat, pick};
use interchange::{TraceText, digest};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, GameRecord};
use ringrift::{Board, Position, Rules, Square8};
use serde_json::{Map, Value, json};
use support::{Folder, riftlab, typed};

/// A random game on square8: the positions with the moves played in them, and the last position.
fn random_game(seed: u64) -> (Vec<(Position<Square8>, ringrift::Move)>, Position<Square8>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::<Square8>::new(&Rules { swap: true, ..Rules::new(2) });
    let (mut plies, mut moves) = (Vec::new(), Vec::new());
    loop {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return (plies, position);
        }
        let m = moves[pick(&mut rng, moves.len())];
        plies.push((position, m));
        position.play(m).unwrap();
    }
}

/// Builds the move of a trace from its canonical key.
fn trace_move(key: &str) -> Value {
    let mut fields = Map::new();
    let mut words = key.split(' ');
    let kind = words.next().unwrap();
    fields.insert("t".to_owned(), kind.into());
    let mut set = |name: &str, value: &str| fields.insert(name.to_owned(), value.into());
    let payload = words.next().unwrap_or_default();
    if let Some((from, to)) = payload.split_once('>') {
        let (from, over) = from.split_once('*').unwrap_or((from, ""));
        set("from", from);
        set("to", to);
        if !over.is_empty() {
            set("over", over);
        }
    } else {
        match kind {
            "process_line" => drop(set("line", payload)),
            "choose_line_option" => {
                let (line, collapsed) = payload.split_once('|').unwrap();
                set("line", line);
                set("col", collapsed);
            }
            "choose_territory_option" => drop(set("region", payload)),
            _ if payload.is_empty() => {}
            _ => drop(set("to", payload)),
        }
    }
    for word in words {
        if let Some(payer) = word.strip_prefix("ex=") {
            set("ex", payer);
        } else if let Some(cells) = word.strip_prefix("col=") {
            set("col", cells);
        } else if let Some(count) = word.strip_prefix('x') {
            fields.insert("n".to_owned(), count.parse::<u32>().unwrap().into());
            break;
        } else if let Ok(option) = word.parse::<u32>() {
            fields.insert("opt".to_owned(), option.into());
            break;
        } else {
            set(if kind == "recovery_slide" { "mode" } else { "ctx" }, word);
        }
    }
    fields.into()
}

/// A trace of a random game, as the reference engine would have written it.
fn trace(seed: u64) -> Value {
    let (plies, last) = random_game(seed);
    let plies: Vec<Value> = plies
        .iter()
        .map(|(position, m)| {
            let keys = position.legal_keys();
            json!({
                "p": position.to_move().number(), "f": position.phase().name(), "n": keys.len(),
                "l": digest(&keys.join("\n")), "d": digest(&position.state_string()), "L": keys,
                "m": trace_move(&position.full_move_key(*m)),
            })
        })
        .collect();
    let end = last.end().unwrap();
    json!({
        "v": 1, "id": format!("random-{seed}"), "board": "square8", "players": 2, "variant": "hex8-line3",
        "swap": true, "lpsRounds": 3, "victoryThreshold": 18, "territoryMinimum": 33, "start": null,
        "plies": plies,
        "result": {
            "winner": end.winner.map(Seat::number), "reason": end.reason.name(), "bareBoard": end.stalemate,
            "turns": last.turns(), "final": last.state_string(), "fd": digest(&last.state_string()),
            "rank": last.outcome().unwrap().ranks(),
        },
    })
}

fn record(seed: u64) -> GameRecord {
    let (plies, last) = random_game(seed);
    let players = vec!["random".to_owned(), "random".to_owned()];
    let rules = Rules { swap: true, ..Rules::new(2) };
    let mut record =
        GameRecord::new(format!("random-{seed}"), Config::ringrift(Board::Square8, rules), players);
    for (position, m) in &plies {
        record.push(position, *m);
    }
    record.conclude(&last);
    record
}

fn lines<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string() + "\n").collect()
}

#[test]
fn good_traces_conform() {
    let folder = Folder::new();
    let traces: Vec<Value> = (0..4).map(trace).collect();
    let plies: usize = traces.iter().map(|trace| trace["plies"].as_array().unwrap().len()).sum();
    folder.write("one.jsonl", &lines(&traces[..3]));
    std::fs::create_dir(folder.path().join("deeper")).unwrap();
    folder.write("deeper/two.jsonl", &lines(&traces[3..]));
    folder.write("notes.txt", "not a trace");
    let path = folder.path().to_str().unwrap();
    let summary = format!("4 games, {plies} plies, 0 mismatches\n");
    assert_eq!(riftlab(&["conform", path]).success(), summary);
    let json = riftlab(&["conform", path, "--json"]).json();
    assert_eq!((&json["files"], &json["plies"]), (&2.into(), &plies.into()));
}

#[test]
fn a_mismatch_is_reported_with_file_line_and_ply() {
    let folder = Folder::new();
    let mut bad = trace(1);
    let ply = &mut bad["plies"][6];
    ply["L"].as_array_mut().unwrap().push("place_ring 9,9 x1".into());
    ply["n"] = (ply["n"].as_u64().unwrap() + 1).into();
    let mut wrong_result = trace(2);
    wrong_result["result"]["winner"] = (3 - wrong_result["result"]["winner"].as_u64().unwrap()).into();
    let file = folder.write("mixed.jsonl", &lines([trace(0), bad, wrong_result]));
    let run = riftlab(&["conform", &file]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("mixed.jsonl:2: ") && run.out.contains("mixed.jsonl:3: "), "{}", run.out);
    assert!(run.out.contains("ply 6") && run.out.contains("place_ring 9,9 x1"), "{}", run.out);
    assert!(run.out.contains("winner"), "{}", run.out);
    let last = run.out.lines().last().unwrap();
    assert!(last.starts_with("3 games, ") && last.ends_with(" plies, 2 mismatches"), "{last}");

    let silent = riftlab(&["conform", &file, "--show", "0"]);
    assert_eq!((silent.code, silent.out.lines().count()), (1, 1));
    let json = riftlab(&["conform", &file, "--json"]);
    assert_eq!(json.code, 1);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["mismatches"], &json["shown"][0]["line"]), (&2.into(), &2.into()));
}

#[test]
fn every_part_of_a_ply_is_compared_even_if_the_others_agree() {
    type Change = fn(&mut Value);
    let folder = Folder::new();
    let wrong: [(&str, Change); 5] = [
        ("p", |p| *p = 7.into()),
        ("f", |f| *f = "another_phase".into()),
        ("n", |n| *n = (n.as_u64().unwrap() + 1).into()),
        ("l", |l| *l = "0123456789abcdef".into()),
        ("L", |list| list.as_array_mut().unwrap()[0] = "place_ring 9,9 x1".into()),
    ];
    for (field, change) in wrong {
        let mut bad = trace(1);
        assert!(bad["plies"][6]["L"].is_array());
        change(&mut bad["plies"][6][field]);
        let file = folder.write(&format!("{field}-wrong.jsonl"), &lines([bad]));
        let run = riftlab(&["conform", &file]);
        assert_eq!(run.code, 1, "{field}: {}", run.out);
        assert!(run.out.contains("ply 6") && run.out.ends_with(" 1 mismatches\n"), "{field}: {}", run.out);
    }
}

#[test]
fn a_line_that_is_not_a_trace_is_an_error_with_file_and_line() {
    let folder = Folder::new();
    let file = folder.write("bad.jsonl", &(lines([trace(0)]) + "\n{\"v\": 1}\n"));
    let error = riftlab(&["conform", &file]).failure();
    assert!(error.contains("bad.jsonl:3"), "{error}");
    let torn = lines([trace(0)]);
    let file = folder.write("torn.jsonl", &torn[..torn.len() / 2]);
    let error = riftlab(&["conform", &file]).failure();
    assert!(error.contains("torn.jsonl"), "{error}");
    let file = folder.write("fake.jsonl.gz", "this is not packed");
    let error = riftlab(&["conform", &file]).failure();
    assert!(error.contains("fake.jsonl.gz"), "{error}");
    let error = riftlab(&["conform", &folder.file("nowhere")]).failure();
    assert!(error.contains("nowhere"), "{error}");
    let empty = Folder::new();
    let error = riftlab(&["conform", empty.path().to_str().unwrap()]).failure();
    assert!(error.contains("hint: looked for *.jsonl"), "{error}");
}

#[test]
fn replay_shows_and_steps_through_a_saved_game() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    let input = format!("++d4\nd4-d6\n++d5\nd5xd6-d7\nd7xd6-d3\nresign\nsave {file}\n");
    typed(&["play", "--seats", "human,human", "--no-swap", "--seed", "1"], &input).success();
    insta::assert_snapshot!("replay", riftlab(&["replay", &file]).success());

    let at_two = riftlab(&["replay", &file, "--ply", "1"]).success();
    assert!(at_two.contains("seat 1 played ++d4") && at_two.contains("next, seat 1 plays d4-d6"), "{at_two}");
    let error = riftlab(&["replay", &file, "--ply", "99"]).failure();
    assert!(error.contains("--ply 99"), "{error}");
    let error = riftlab(&["replay", &file, "--game", "2"]).failure();
    assert!(error.contains("hint: it contains 1 game"), "{error}");

    let steps = typed(&["replay", &file, "--step"], "\n\nb\n5\n77\nq\n").success();
    let places: Vec<&str> =
        steps.lines().filter_map(|line| line.split_once("move ")).map(|(_, rest)| rest).collect();
    let order: Vec<&str> =
        places.iter().filter(|rest| rest.contains(" of ")).map(|rest| &rest[..1]).collect();
    assert_eq!(order, ["0", "1", "2", "1", "5", "5"], "{steps}");

    let json = riftlab(&["replay", &file, "--json"]).json();
    assert_eq!(
        (&json["over"], &json["winner"], &json["reason"]),
        (&true.into(), &2.into(), &"resignation".into())
    );
    assert_eq!(json["game"]["moves"][0], "++d4");
}

#[test]
fn verification_distinguishes_valid_and_invalid_games() {
    let folder = Folder::new();
    let good = folder.write("good.jsonl", &lines((0..3).map(|seed| record(seed).to_line().unwrap())));
    let out = riftlab(&["replay", &good, "--verify"]).success();
    assert!(out.starts_with("3 games, ") && out.ends_with(" plies, 0 faulty\n"), "{out}");

    let mut bad = record(1);
    bad.moves[0] = "skip-placement".to_owned();
    let mixed = folder.write("mixed.jsonl", &lines([record(0), bad].map(|game| game.to_line().unwrap())));
    let run = riftlab(&["replay", &mixed, "--verify"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("mixed.jsonl:2") && run.out.contains("2 games"), "{}", run.out);
    let json = riftlab(&["replay", &mixed, "--verify", "--json"]);
    assert_eq!((json.code, json.out.lines().count()), (1, 1));
}

#[test]
fn a_truncated_record_is_an_error() {
    let folder = Folder::new();
    let line = record(0).to_line().unwrap();
    let file = folder.write("torn.jsonl", &line[..line.len() / 2]);
    for arguments in [&["replay", &file][..], &["replay", &file, "--verify"], &["play", "--load", &file]] {
        let error = riftlab(arguments).failure();
        assert!(error.contains("torn.jsonl") && error.contains("torn after line 0"), "{error}");
    }
}

#[test]
fn traces_are_imported_as_records_that_replay() {
    let folder = Folder::new();
    let traces = folder.write("traces.jsonl", &lines((0..3).map(trace)));
    let out = folder.file("records.jsonl.zst");
    let said = riftlab(&["import", &traces, "--out", &out]).success();
    assert!(said.starts_with("3 games, ") && said.ends_with(", 0 skipped\n"), "{said}");
    assert!(riftlab(&["replay", &out, "--verify"]).success().starts_with("3 games, "));
    let error = riftlab(&["import", &traces, "--out", &out]).failure();
    assert!(error.contains("already exists"), "{error}");

    let mixed = folder.write("mixed.jsonl", &(lines([trace(0)]) + "{\"answer\": 42}\n" + &lines([trace(1)])));
    let error = riftlab(&["import", &mixed, "--out", &folder.file("none.jsonl")]).failure();
    assert!(error.contains("mixed.jsonl:2") && error.contains("--skip-bad"), "{error}");
    assert!(!folder.path().join("none.jsonl").exists());
    let run = riftlab(&["import", &mixed, "--out", &folder.file("two.jsonl"), "--skip-bad"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.starts_with("2 games, ") && run.err.contains("skipped"), "{}{}", run.out, run.err);
}
