//! `riftlab tournament`, `gauntlet`, `elo` and `match --db`: storage, resumption and ratings.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::fs;

use arena::{participant_id, store::Store};
use serde_json::Value;
use support::{Folder, Run, riftlab};

/// A small tournament with few rings, so that games are short.
const FIELD: [&str; 8] = [
    "tournament",
    "--agents",
    "random,heuristic,mcts(sims=8),mcts(sims=2)",
    "--rings",
    "3",
    "--seed",
    "5",
    "--json",
];

fn tournament(more: &[&str]) -> Run {
    riftlab(&[&FIELD[..], more].concat())
}

/// A report without times and other fields that depend on how the event was run.
fn timeless(mut report: Value) -> Value {
    let fields = report.as_object_mut().unwrap();
    for name in ["seconds", "threads", "games_resumed"] {
        assert!(fields.remove(name).is_some(), "{name}");
    }
    fields.remove("timestamp");
    for list in ["effort", "results"] {
        for one in fields.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            one.as_object_mut().unwrap().retain(|name, _| !name.ends_with("ms_per_move"));
        }
    }
    report
}

/// The number of games of the only event of a database.
fn stored(db: &str) -> u64 {
    let store = Store::open_existing(db).unwrap();
    let events = store.events().unwrap();
    assert_eq!(events.len(), 1);
    store.count_games(&events[0].id).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_tournament_on_one_thread_and_on_two() {
    let folder = Folder::new();
    for (name, words, games) in [
        ("robin", vec!["--games", "2"], 12),
        ("swiss", vec!["--games", "2", "--system", "swiss", "--rounds", "3"], 12),
        ("three", vec!["--games", "3", "--players", "3"], 12),
        ("copies", vec!["--games", "1", "--players", "3", "--tables", "copies"], 36),
        ("four", vec!["--games", "4", "--players", "4", "--system", "swiss", "--rounds", "2"], 8),
    ] {
        let db = folder.file(&format!("{name}.db"));
        let one = tournament(&[&words[..], &["--threads", "1", "--db", &db]].concat()).json();
        let two = tournament(&[&words[..], &["--threads", "2"]].concat()).json();
        assert_eq!(timeless(one.clone()), timeless(two), "{name}");
        assert_eq!(
            (&one["games"], &one["games_wanted"], &one["state"]),
            (&games.into(), &games.into(), &"complete".into())
        );
        assert_eq!(stored(&db), games);
        let ratings = one["ratings"].as_array().unwrap();
        assert_eq!(ratings.len(), 4);
        let anchor = ratings.iter().find(|row| row["anchor"] == true).unwrap();
        assert_eq!((&anchor["name"], &anchor["elo"]), (&"none:random:base".into(), &0.0.into()));
        for row in ratings {
            assert!(row["elo_low"].as_f64().unwrap() <= row["elo"].as_f64().unwrap(), "{row}");
            assert_eq!(row["id"], participant_id("none", row["spec"].as_str().unwrap()), "{row}");
        }
        let moved = one["effort"].as_array().unwrap().iter().map(|effort| effort["engines"].clone());
        assert_eq!(moved.collect::<Vec<_>>()[0], serde_json::json!(["random"]));
    }
}

#[test]
fn records_in_the_database_verify() {
    let folder = Folder::new();
    let db = folder.file("lab.db");
    tournament(&["--games", "2", "--swap", "--opening-plies", "1", "--db", &db]).success();
    let store = Store::open_existing(&db).unwrap();
    let games = store.games(&store.events().unwrap()[0].id).unwrap();
    let text: String = games.iter().map(|game| game.record.clone().unwrap() + "\n").collect();
    let records = folder.write("games.jsonl", &text);
    let verified = riftlab(&["replay", "--verify", "--json", &records]).json();
    assert_eq!((&verified["games"], &verified["faulty"]), (&12.into(), &0.into()));
}

#[test]
fn more_games_and_more_rounds_continue_the_same_tournament() {
    let folder = Folder::new();
    for (name, few, many) in [
        ("robin", vec!["--games", "2"], vec!["--games", "4"]),
        (
            "swiss",
            vec!["--system", "swiss", "--games", "2", "--rounds", "1"],
            vec!["--system", "swiss", "--games", "2", "--rounds", "3"],
        ),
    ] {
        let db = folder.file(&format!("{name}.db"));
        let first = tournament(&[&few[..], &["--db", &db]].concat()).json();
        let second = tournament(&[&many[..], &["--db", &db]].concat()).json();
        assert_eq!(second["games_resumed"], first["games"]);
        assert_eq!(timeless(second), timeless(tournament(&many).json()), "{name}");
        // With fewer games again, it reports only those.
        assert_eq!(timeless(tournament(&[&few[..], &["--db", &db]].concat()).json()), timeless(first));
    }
}

/// Starts a command and returns when its database has some games.
#[cfg(unix)]
fn start_event(words: &[&str], db: &str, least: u64) -> std::process::Child {
    let child = support::command(words).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let games = || {
        let store = Store::open_existing(db).ok()?;
        let event = store.events().ok()?.first()?.id.clone();
        store.count_games(&event).ok()
    };
    while games().unwrap_or(0) < least {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child
}

#[cfg(unix)]
#[test]
fn a_killed_tournament_loses_nothing_and_counts_nothing_twice() {
    let folder = Folder::new();
    for (system, games) in [("round-robin", 60), ("swiss", 100)] {
        let db = folder.file(&format!("{system}.db"));
        // Slow enough that the kill comes before the end.
        let agents = "random,heuristic,mcts(sims=150),mcts(sims=100)";
        let words =
            ["tournament", "--agents", agents, "--rings", "3", "--games", "10", "--json", "--system", system];
        let kept_words = [&words[..], &["--db", &db]].concat();
        let expected = riftlab(&words).json();
        for least in [1, 9, 21] {
            let mut child = start_event(&kept_words, &db, least);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let kept = stored(&db);
        let resumed = riftlab(&kept_words).json();
        assert_eq!(resumed["games_resumed"], kept);
        assert_eq!(timeless(resumed), timeless(expected));
        assert_eq!(stored(&db), games);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_tournament_reports_and_resumes() {
    let folder = Folder::new();
    let db = folder.file("lab.db");
    let words = [&FIELD[..], &["--games", "20", "--db", &db]].concat();
    let child = start_event(&words, &db, 3);
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kept = stored(&db);
    assert_eq!(report["games"], kept);
    // On a fast machine, the tournament may end before the signal arrives.
    let (state, code) = if kept < 120 { ("interrupted", 130) } else { ("complete", 0) };
    assert_eq!((&report["state"], output.status.code()), (&state.into(), Some(code)));
    let resumed = riftlab(&words).json();
    assert_eq!((&resumed["games_resumed"], &resumed["state"]), (&kept.into(), &"complete".into()));
}

#[test]
fn a_gauntlet_has_the_documented_fields() {
    let folder = Folder::new();
    let out = folder.file("result.json");
    let words = [
        "gauntlet",
        "--candidate",
        "mcts(sims=30)",
        "--baselines",
        "random,mcts(sims=1),heuristic",
        "--games",
        "6",
        "--rings",
        "3",
        "--out",
        &out,
        "--json",
    ];
    let printed = riftlab(&words).json();
    let written: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(printed, written);
    assert_eq!((&written["games_per_opponent"], &written["candidate"]), (&6.into(), &"mcts(sims=30)".into()));
    assert!(written["timestamp"].as_str().unwrap().ends_with('Z'));
    let results = written["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let number = |name: &str| result[name].as_f64().unwrap_or_else(|| panic!("{name}: {result}"));
        assert!((number("candidate_wins") + number("opponent_wins") + number("draws") - 6.0).abs() < 1e-9);
        assert!((number("winrate") - 100.0 * number("candidate_wins") / 6.0).abs() < 1e-9);
        assert_eq!(
            (result["mcts_wins"].as_u64(), result["mcts_winrate"].as_f64()),
            (result["candidate_wins"].as_u64(), Some(number("winrate")))
        );
        assert!(number("score_low") <= number("score") && number("score") <= number("score_high"));
        assert!(number("elo_low") <= number("elo") && number("avg_game_length") > 10.0);
        let expected = if number("winrate") >= 60.0 {
            "BEATS"
        } else if number("winrate") >= 40.0 {
            "COMPETITIVE"
        } else {
            "LOSES TO"
        };
        assert_eq!(result["placement"], expected);
        assert!((1.0..=6.0).contains(&number("distinct_games")), "{result}");
        assert_eq!(result["candidate_engines"], serde_json::json!(["mcts"]));
    }
    assert_eq!(results[0]["opponent_engines"], serde_json::json!(["random"]));
    assert_eq!(
        (&results[1]["opponent_budget"]["nodes"], &written["candidate_budget"]["nodes"]),
        (&1.into(), &30.into())
    );
    // The games are stored beside the result: the same command plays no more games.
    let again = riftlab(&words).json();
    assert_eq!(again["games_resumed"], 18);
    assert_eq!(timeless(again), timeless(written));
    // Another gauntlet does not overwrite it.
    let other = [&words[..], &["--seed", "9"]].concat();
    assert!(riftlab(&other).failure().contains("choose another --out"));
    let three = [
        "gauntlet",
        "--candidate",
        "heuristic",
        "--baselines",
        "random",
        "--games",
        "1",
        "--players",
        "3",
        "--rings",
        "3",
    ];
    let text = riftlab(&three).success();
    assert!(text.contains("opponent") && text.contains("random"), "{text}");
}

#[test]
fn a_match_counts_once_however_it_is_added_to_the_database() {
    let folder = Folder::new();
    let (db, out) = (folder.file("lab.db"), folder.file("games.jsonl"));
    let words = |more: &[&'static str]| -> Vec<String> {
        let base = "match --a mcts(sims=6) --b random --rings 3 --seed 4 --json";
        base.split(' ').chain(more.iter().copied()).map(str::to_owned).collect()
    };
    let run = |more: &[&'static str], paths: &[&str]| {
        let words = words(more);
        riftlab(&words.iter().map(String::as_str).chain(paths.iter().copied()).collect::<Vec<_>>())
    };
    let expected = run(&["--games", "8"], &[]).json();
    run(&["--games", "8"], &["--db", &db]).success();
    assert_eq!(stored(&db), 8);
    // Again, from the database alone: no games are played.
    let again = run(&["--games", "8"], &["--db", &db]).json();
    assert_eq!((&again["games_resumed"], &again["score_a"]), (&8.into(), &expected["score_a"]));
    // Recorded, added from the file, and extended: still the same event.
    run(&["--games", "10"], &["--out", &out]).success();
    let added = riftlab(&["elo", "add", &out, "--db", &db, "--json"]).json();
    assert_eq!((&added["games"], &added["added"]), (&10.into(), &2.into()));
    let added = riftlab(&["elo", "add", &out, "--db", &db]).success();
    assert_eq!(added.trim(), "10 games in 1 files, 0 of them new");
    run(&["--games", "10"], &["--out", &out, "--db", &db]).success();
    assert_eq!(stored(&db), 10);

    let table = riftlab(&["elo", "table", "--db", &db, "--json"]).json();
    let scale = &table["scales"][0];
    assert_eq!((&scale["scale"], &scale["games"]), (&"ringrift/square8/2p+rings=3".into(), &10.into()));
    // For two players, the ratings have a closed form, with a prior of half a draw.
    let report = run(&["--games", "10"], &["--out", &out]).json();
    let points = 10.0 * report["score_a"].as_f64().unwrap();
    let elo = 400.0 * ((points + 0.25) / (10.0 - points + 0.25)).log10();
    assert!((scale["ratings"][0]["elo"].as_f64().unwrap() - elo).abs() < 1e-6, "{scale}");
    let moved = riftlab(&["elo", "table", "--db", &db, "--anchor", "mcts(sims=6)=100", "--json"]).json();
    let random = moved["scales"][0]["ratings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"] == "none:random:base");
    assert!((random.unwrap()["elo"].as_f64().unwrap() - (100.0 - elo)).abs() < 1e-6);
    let history = riftlab(&["elo", "history", "none:mcts:s6", "--db", &db, "--json"]).json();
    let ratings = history["ratings"].as_array().unwrap();
    assert!(ratings.len() >= 4 && ratings.iter().all(|row| row["name"] == "none:mcts:s6"), "{history}");
}

#[test]
fn records_without_a_configuration_are_added_once() {
    let folder = Folder::new();
    let (db, out) = (folder.file("lab.db"), folder.file("games.jsonl"));
    riftlab(&["match", "--a", "heuristic", "--b", "random", "--rings", "3", "--games", "6", "--out", &out])
        .success();
    fs::remove_file(out.clone() + ".config.json").unwrap();
    let text = fs::read_to_string(&out).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(&out, lines[..4].concat()).unwrap();
    assert_eq!(riftlab(&["elo", "add", &out, "--db", &db, "--json"]).json()["added"], 4);
    fs::write(&out, &text).unwrap();
    assert_eq!(riftlab(&["elo", "add", &out, "--db", &db, "--json"]).json()["added"], 2);
    assert_eq!(stored(&db), 6);
}

#[test]
fn an_agent_is_registered_once_and_identified_by_its_content() {
    let folder = Folder::new();
    let db = folder.file("lab.db");
    let first = riftlab(&["elo", "register", "mcts", "--db", &db, "--json"]).json();
    let again = riftlab(&["elo", "register", "mcts(sims=400)", "--db", &db, "--json"]).json();
    assert_eq!((&first["new"], &again["new"], &first["id"]), (&true.into(), &false.into(), &again["id"]));
    assert_eq!(first["name"], "none:mcts:s400");
    let text = riftlab(&["elo", "register", "random", "--db", &db]).success();
    assert!(text.contains(&participant_id("none", "random")) && text.contains("new:"), "{text}");
}

#[test]
fn an_agent_is_registered_under_a_name_and_measured_by_its_id() {
    let folder = Folder::new();
    let (db, out) = (folder.file("lab.db"), folder.file("smoke.json"));
    let named = riftlab(&["elo", "register", "gmo", "--name", "gmo_v1", "--db", &db, "--json"]).json();
    assert_eq!((&named["name"], &named["kind"]), (&"gmo_v1".into(), &"gmo".into()));
    let again = riftlab(&["elo", "register", "gmo", "--name", "other", "--db", &db, "--json"]).json();
    assert_eq!((&again["new"], &again["name"]), (&false.into(), &"gmo_v1".into()), "a name stays");
    let gauntlet = ["gauntlet", "--candidate", "gmo_v1", "--baselines", "random,mcts_2", "--games", "2"];
    riftlab(&[&gauntlet[..], &["--out", &out, "--db", &db]].concat()).success();
    let result: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!((&result["candidate"], &result["candidate_id"]), (&"gmo".into(), &named["id"]));
    assert_eq!(result["results"][1]["opponent"], "mcts(sims=2)");
    assert!(riftlab(&["elo", "table", "--db", &db]).success().contains("gmo_v1"));
}

#[test]
fn invalid_events_files_and_ratings_are_refused() {
    let folder = Folder::new();
    let refused = |words: &str| riftlab(&words.split(' ').collect::<Vec<_>>()).failure();
    assert!(refused("tournament --agents random,robot").contains("robot"));
    assert!(refused("tournament --agents random,human").contains("expected an agent"));
    assert!(refused("tournament --agents random,mcts,mcts(sims=400)").contains("the same agent"));
    assert!(refused("tournament --agents random").contains("at least 2"));
    assert!(refused("tournament --agents random,heuristic --rounds 3").contains("--system swiss"));
    assert!(
        refused("tournament --agents random,heuristic --players 3 --tables distinct").contains("at least 3")
    );
    assert!(
        refused("tournament --agents random,heuristic --games 2 --anchor mcts --rings 2")
            .contains("no participant of that name")
    );
    for words in ["--games 0", "--games -3", "--threads 0", "--system knockout", "--rounds 0", "--seed -1"] {
        refused(&format!("tournament --agents random,heuristic {words}"));
    }
    refused("gauntlet --candidate random --baselines random");
    refused("gauntlet --candidate random --baselines heuristic --games 0");
    assert!(refused("gauntlet --candidate nobody --baselines heuristic").contains("nobody"));
    assert!(refused("elo table --db nowhere.db").contains("does not exist"));
    assert!(refused("elo table --db nowhere/at/all.db").contains("does not exist"));
    assert!(refused("match --a random --b heuristic --db nowhere/at/all.db").contains("cannot be opened"));
    assert!(refused("elo register robot").contains("robot"));

    let notes = folder.write("notes.db", "these are notes and not a database of any kind");
    for words in
        ["elo table --db", "tournament --agents random,heuristic --db", "match --a random --b heuristic --db"]
    {
        let error = refused(&format!("{words} {notes}"));
        assert!(error.contains("is no SQLite file") && error.contains("choose another file"), "{error}");
    }
    assert_eq!(fs::read_to_string(&notes).unwrap(), "these are notes and not a database of any kind");

    let db = folder.file("lab.db");
    tournament(&["--games", "2", "--db", &db]).success();
    assert!(refused(&format!("elo table --db {db} --scale ringrift/hex8/2p")).contains("it has games on"));
    assert!(refused(&format!("elo history --db {db} mcts(sims=77)")).contains("no participant"));
    let mut bytes = fs::read(&db).unwrap();
    let end = bytes.len();
    bytes[4096..end].fill(0x55);
    fs::write(&db, bytes).unwrap();
    let error = refused(&format!("elo table --db {db}"));
    assert!(error.contains("is damaged") && error.contains("lab.db"), "{error}");
}

#[test]
fn tables_are_readable() {
    let folder = Folder::new();
    let db = folder.file("lab.db");
    let words = [
        "tournament",
        "--agents",
        "random,random(seed=1),random(seed=2)",
        "--rings",
        "3",
        "--games",
        "4",
        "--threads",
        "2",
        "--openings",
        "random",
        "--db",
        &db,
    ];
    let text = riftlab(&words).success();
    // Random play is independent of changes to agents. One line contains a time and is left out.
    let steady: Vec<&str> = text.lines().filter(|line| !line.ends_with(" s")).collect();
    insta::assert_snapshot!("tournament", steady.join("\n"));
    insta::assert_snapshot!("elo_table", riftlab(&["elo", "table", "--db", &db]).success());
}
