//! `riftlab match`: reproducible results, records and resumption.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use record::{GameRecord, RecordReader};
use serde_json::Value;
use support::{Folder, command, riftlab};

/// A small match with few rings, so that games are short.
const SMALL: [&str; 10] =
    ["match", "--a", "mcts(sims=12)", "--b", "random", "--rings", "4", "--seed", "5", "--json"];

fn small(more: &[&str]) -> Vec<String> {
    SMALL.iter().chain(more).map(|&word| word.to_owned()).collect()
}

fn run(more: &[&str]) -> support::Run {
    let words = small(more);
    riftlab(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A report without times and other fields that depend on how the match was run.
fn timeless(mut report: Value) -> Value {
    let fields = report.as_object_mut().unwrap();
    for name in ["ms_per_move_a", "ms_per_move_b", "seconds", "threads", "games_resumed"] {
        assert!(fields.remove(name).is_some(), "{name}");
    }
    report
}

fn games(path: &str) -> Vec<GameRecord> {
    RecordReader::open(path).unwrap().map(Result::unwrap).collect()
}

/// The parts of records that do not depend on the clock.
fn moves(games: &[GameRecord]) -> Vec<(String, Vec<String>, Vec<String>)> {
    games.iter().map(|game| (game.id.clone(), game.players.clone(), game.moves.clone())).collect()
}

#[test]
fn the_same_seed_gives_the_same_report_on_one_thread_and_on_two() {
    let folder = Folder::new();
    let (one, two) = (folder.file("one.jsonl"), folder.file("two.jsonl.zst"));
    let first = run(&["--games", "12", "--threads", "1", "--out", &one]).json();
    let second = run(&["--games", "12", "--threads", "2", "--out", &two]).json();
    assert_eq!(timeless(first.clone()), timeless(second));
    assert_eq!(moves(&games(&one)), moves(&games(&two)));

    assert_eq!(first["games"], 12);
    let sum: u64 = ["wins_a", "wins_b", "draws"].iter().map(|name| first[name].as_u64().unwrap()).sum();
    assert_eq!(sum, 12);
    for name in [
        "score_a",
        "score_a_low",
        "score_a_high",
        "elo",
        "elo_low",
        "elo_high",
        "ms_per_move_a",
        "ms_per_move_b",
    ] {
        assert!(first[name].is_f64(), "{name}: {}", first[name]);
    }
    assert_eq!((&first["a"], &first["b"]), (&"mcts(sims=12)".into(), &"random".into()));
    // A search stops when it has solved the position, so not every decision uses all twelve simulations.
    let simulations = first["nodes_per_move_a"].as_f64().unwrap();
    assert!(simulations > 6.0 && simulations <= 12.0, "{simulations}");
    assert_eq!(first["nodes_per_move_b"], 0.0);
    assert_eq!(first["distinct_games"], 12);
    let other = riftlab(&[
        "match",
        "--a",
        "mcts(sims=12)",
        "--b",
        "random",
        "--rings",
        "4",
        "--games",
        "12",
        "--json",
    ]);
    assert_ne!(first["plies_mean"], other.json()["plies_mean"], "another seed gives another match");
}

#[test]
fn recorded_games_verify_and_seats_are_swapped() {
    let folder = Folder::new();
    for (players, round) in [("2", 2), ("3", 6), ("4", 8)] {
        let out = folder.file(&format!("{players}.jsonl"));
        let report = run(&["--games", "3", "--players", players, "--out", &out]).json();
        let whole = 3_usize.next_multiple_of(round);
        assert_eq!(report["games"], whole, "rounded up to whole rounds");
        let verified = riftlab(&["replay", "--verify", "--json", &out]).json();
        assert_eq!((&verified["games"], &verified["faulty"]), (&whole.into(), &0.into()));

        let games = games(&out);
        for games in games.chunks(round) {
            let opening: usize = games[0].tags["opening"].parse().unwrap();
            assert!(opening > 0);
            assert!(games.iter().all(|game| game.moves[..opening] == games[0].moves[..opening]));
            for seat in 0..games[0].players.len() {
                let ours = games.iter().filter(|game| game.players[seat] == "mcts(sims=12)").count();
                assert_eq!(2 * ours, round, "seat {seat} of {players}");
            }
        }
        // The score agrees with the records.
        let points: f64 = games
            .iter()
            .map(|game| {
                let ranking = &game.result.as_ref().unwrap().ranking;
                let first = || game.players.iter().zip(ranking).filter(|&(_, &rank)| rank == 1);
                let ours = first().filter(|&(player, _)| player == "mcts(sims=12)").count();
                ours as f64 / first().count() as f64
            })
            .sum();
        let score = report["score_a"].as_f64().unwrap();
        assert!((score - points / whole as f64).abs() < 1e-9, "{score} {points}");
    }
}

#[test]
fn an_interrupted_match_resumes_to_the_same_result() {
    let folder = Folder::new();
    let (whole, broken) = (folder.file("whole.jsonl"), folder.file("broken.jsonl"));
    let expected = run(&["--games", "10", "--out", &whole]).json();
    let text = fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Truncated between games, in the middle of a game, before the first and after the last.
    for (kept, torn) in [(5, ""), (3, &lines[3][..40]), (0, ""), (0, &lines[0][..7]), (10, "")] {
        fs::write(&broken, lines[..kept].concat() + torn).unwrap();
        fs::copy(whole.clone() + ".config.json", broken.clone() + ".config.json").unwrap();
        let resumed = run(&["--games", "10", "--out", &broken]).json();
        assert_eq!(resumed["games_resumed"], kept);
        assert_eq!(timeless(resumed), timeless(expected.clone()), "after {kept} games");
        assert_eq!(moves(&games(&broken)), moves(&games(&whole)));
    }
}

/// Starts a match of 60 games and returns when some of them are recorded.
#[cfg(unix)]
fn start_match(out: &str, more: &[&str]) -> Child {
    let words = small(&[&["--games", "60", "--threads", "2", "--out", out], more].concat());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let child = command(&words).stdout(Stdio::piped()).spawn().unwrap();
    while fs::read(out).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count()) < 3 {
        thread::sleep(Duration::from_millis(1));
    }
    child
}

#[cfg(unix)]
#[test]
fn a_killed_match_loses_nothing_and_counts_nothing_twice() {
    let folder = Folder::new();
    let (out, db) = (folder.file("killed.jsonl"), folder.file("killed.db"));
    let expected = run(&["--games", "60"]).json();
    for _ in 0..3 {
        let mut child = start_match(&out, &["--db", &db]);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let resumed = run(&["--games", "60", "--out", &out, "--db", &db]).json();
    assert!(resumed["games_resumed"].as_u64().unwrap() >= 3);
    assert_eq!(timeless(resumed), timeless(expected.clone()));
    assert_eq!(games(&out).len(), 60);
    // The database also has every game once, and suffices to report the match.
    let stored = run(&["--games", "60", "--db", &db]).json();
    assert_eq!(stored["games_resumed"], 60);
    assert_eq!(timeless(stored), timeless(expected));
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_games_and_reports_whole_pairs() {
    let folder = Folder::new();
    let out = folder.file("interrupted.jsonl");
    let child = start_match(&out, &[]);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let recorded = games(&out).len() as u64;
    // On a fast machine, the match may end before the signal arrives.
    let (state, code) = if recorded < 60 { ("interrupted", 130) } else { ("complete", 0) };
    assert_eq!((&report["state"], output.status.code()), (&state.into(), Some(code)));
    assert_eq!(report["games"], recorded / 2 * 2);
    let resumed = run(&["--games", "60", "--out", &out]).json();
    assert_eq!((&resumed["games_resumed"], &resumed["state"]), (&recorded.into(), &"complete".into()));
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_a_match_at_once() {
    let folder = Folder::new();
    let out = folder.file("endless.jsonl");
    // A single decision of this agent would take years.
    let slow = "minimax(depth=60)";
    let words = ["match", "--a", slow, "--b", slow, "--games", "2", "--openings", "random", "--out", &out];
    let mut child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The handler is installed before the file is created.
    while !Path::new(&out).exists() {
        thread::sleep(Duration::from_millis(10));
    }
    let interrupt = |child: &Child| {
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    };
    interrupt(&child);
    let mut first = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("Ctrl-C again"), "{first}");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn a_limit_on_file_sizes_is_an_error_and_not_a_silent_death() {
    let folder = Folder::new();
    let out = folder.file("games.jsonl");
    let program = env!("CARGO_BIN_EXE_riftlab");
    for target in ["--out", "--db"] {
        let script = format!(
            "ulimit -f 8; exec '{program}' match --a random --b random --games 400 {target} '{out}{target}'"
        );
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{target}: {error}");
        assert!(error.contains("error: ") && error.contains("games.jsonl"), "{target}: {error}");
        // SQLite reports only that the database or disk is full, or that writing failed.
        assert!(error.contains("ulimit -f") || target == "--db", "{target}: {error}");
    }
}

#[test]
fn games_of_another_match_are_never_mixed() {
    let folder = Folder::new();
    let out = folder.file("games.jsonl");
    run(&["--games", "2", "--out", &out]).success();
    let before = fs::read(&out).unwrap();
    for (change, part) in [
        (["--seed", "6"], "seed is 5 there and 6 here"),
        (["--games", "4"], "games"),
        (["--b", "mcts(sims=3)"], "b is"),
        (["--players", "3"], "rules"),
        (["--opening-plies", "1"], "opening_plies"),
        (["--openings", "random"], "openings is {"),
        (["--sprt", "0,10"], "sprt"),
    ] {
        let base = ["match", "--json", "--rings", "4", "--out", &out];
        let defaults = [("--a", "mcts(sims=12)"), ("--b", "random"), ("--seed", "5"), ("--games", "2")];
        let kept = defaults.iter().filter(|(name, _)| *name != change[0]);
        let words: Vec<&str> =
            base.into_iter().chain(kept.flat_map(|&(name, value)| [name, value])).chain(change).collect();
        let error = riftlab(&words).failure();
        assert!(error.contains("contains another match") && error.contains(part), "{error}");
    }
    assert_eq!(fs::read(&out).unwrap(), before);

    // A match of an earlier version has random openings.
    let earlier = folder.file("earlier.jsonl");
    run(&["--games", "2", "--openings", "random", "--out", &earlier]).success();
    let error = run(&["--games", "2", "--out", &earlier]).failure();
    assert!(error.contains("openings is null there") && error.contains("add --openings random"), "{error}");

    // Games without a configuration beside them do not belong to the match.
    fs::remove_file(out.clone() + ".config.json").unwrap();
    assert!(run(&["--games", "2", "--out", &out]).failure().contains("choose another --out"));
    // A configuration beside games of another match is refused, too.
    let other = folder.file("other.jsonl");
    run(&["--games", "2", "--out", &other]).success();
    let altered = fs::read_to_string(&other).unwrap().replacen("match-5-game-1", "match-5-game-7", 1);
    fs::write(&other, altered).unwrap();
    assert!(run(&["--games", "2", "--out", &other]).failure().contains("game 1 is not of this match"));
}

#[test]
fn the_sequential_test_stops_early_and_sets_the_exit_code() {
    let folder = Folder::new();
    let (up, out) = (["--games", "400", "--opening-plies", "2"], folder.file("sprt.jsonl"));
    let better = run(&[&up[..], &["--sprt", "-200,0", "--out", &out]].concat()).json();
    assert_eq!(better["state"], "h1");
    let played = better["games"].as_u64().unwrap();
    assert!(played < 400 && games(&out).len() as u64 == played, "{played}");
    assert!(better["sprt"]["llr"].as_f64().unwrap() >= better["sprt"]["upper"].as_f64().unwrap());
    // A decided match is complete: no more games are played.
    let again = run(&[&up[..], &["--sprt", "-200,0", "--out", &out]].concat()).json();
    assert_eq!(again["games_resumed"], played);
    assert_eq!(timeless(again), timeless(better));

    let words = "match --a random --b mcts(sims=12) --rings 4 --sprt 0,200 --games 400 --threads 2";
    let worse = riftlab(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(worse.code, 1, "{}{}", worse.out, worse.err);
    assert!(worse.out.contains("H0 accepted"), "{}", worse.out);
}

#[test]
fn the_pie_rule_is_off_unless_asked_for() {
    let folder = Folder::new();
    let (plain, pie) = (folder.file("plain.jsonl"), folder.file("pie.jsonl"));
    run(&["--games", "8", "--out", &plain]).success();
    let with_pie = |more: &[&str]| {
        let words = "match --a random --b random --games 400 --rings 1 --swap --opening-plies 1 --json";
        riftlab(&words.split(' ').chain(more.iter().copied()).collect::<Vec<_>>())
    };
    with_pie(&["--out", &pie]).success();
    let swaps = |path: &str| games(path).iter().filter(|game| game.moves.contains(&"swap".into())).count();
    assert_eq!(swaps(&plain), 0);
    assert!(swaps(&pie) > 0, "some of the 400 games have a swap");
    assert_eq!(riftlab(&["replay", "--verify", "--json", &pie]).json()["faulty"], 0);
    // The result computed from the records, including swaps, is the same.
    let report = with_pie(&["--out", &pie]).json();
    assert_eq!(report["games_resumed"], 400);
    assert_eq!(timeless(report), timeless(with_pie(&[]).json()));
}

#[test]
fn invalid_matches_are_refused() {
    let refused = |words: &str| riftlab(&words.split(' ').collect::<Vec<_>>()).failure();
    assert!(refused("match --a human --b random").contains("expected an agent"));
    assert!(refused("match --a robot --b random").contains("robot"));
    assert!(refused("match --a random --b random --sprt 10,0").contains("the first below the second"));
    assert!(refused("match --a random --b random --sprt 10").contains("as in 0,10"));
    refused("match --a random --b random --games 0");
    refused("match --a random --b random --games -3");
    refused("match --a random --b random --threads 0");
    refused("match --a random");
    refused("match --a random --b random --players 3 --swap");
    let missing = refused("match --a random --b random --out nowhere/at/all.jsonl");
    assert!(missing.contains("nowhere"), "{missing}");
}
