//! Go in every command: games at the terminal, matches, files and analysis.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::fs;

use game::{Game, perft};
use go::{Position, Rules, Small};
use record::{GameRecord, RecordReader};
use serde_json::{Value, json};
use support::{Folder, Run, riftlab, typed};

/// Two people on a small board, so that only typed moves are played.
const PEOPLE: [&str; 9] =
    ["play", "go", "--size", "5", "--komi", "0.5", "--seats", "human,human", "--seed=1"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&PEOPLE[..], more].concat()
}

fn games(path: &str) -> Vec<GameRecord> {
    RecordReader::open(path).unwrap().map(Result::unwrap).collect()
}

/// Black owns one half and White the other, with a black stone in White's half.
const HALVES: &str = "c1\nd1\nc2\nd2\nc3\nd3\nc4\nd4\nc5\nd5\ne3\npass\npass\n";

#[test]
fn a_short_game_has_the_expected_transcript() {
    let input = "c3\nd3\nc4\nmoves d\nd4\nC3\nz9\ni5\nscore\nundo\nd5\nboard\nhelp\nposition\nquit\n";
    insta::assert_snapshot!("go_session", typed(&PEOPLE, input).success());
}

#[test]
fn dead_stones_are_proposed_and_the_players_decide() {
    let folder = Folder::new();
    let file = folder.file("halves.jsonl");
    let input = format!("{HALVES}dead a1\ndead e3\ndead E3\nscore\nc1\nsave {file}\n");
    let out = typed(&PEOPLE, &input).success();
    assert!(out.contains("Black wins by 4.5 (B+4.5, with E3 counted as dead)."), "{out}");
    assert!(out.contains("There is no stone on A1."), "{out}");
    assert!(out.contains("Black wins by 10.5 (B+10.5)."), "the stone is alive at first: {out}");
    assert!(out.contains("The game is over"), "{out}");
    let record = games(&file).remove(0);
    assert_eq!(record.result.as_ref().unwrap().dead, ["E3"]);
    record.replay().unwrap();
    let replayed = riftlab(&["replay", &file]).success();
    assert!(replayed.contains("Black wins by 4.5") && replayed.contains("Black played pass"), "{replayed}");
    let shown = riftlab(&["replay", &file, "--json"]).json();
    assert_eq!(
        (&shown["over"], &shown["winner"], &shown["board"]),
        (&json!(true), &json!(1), &json!("go/5x5"))
    );

    // The game can be resumed by taking back the second pass.
    let out = typed(&["play", "--load", &file], "undo\ne4\nposition\n").success();
    assert!(out.contains(",E3,pass,E4"), "{out}");
}

#[test]
fn resignation_ends_a_game_and_can_be_undone() {
    let folder = Folder::new();
    let file = folder.file("given-up.jsonl");
    let out = typed(&with(&["--save", &file]), "c3\nresign\nhint\n").success();
    assert!(out.contains("Black wins by resignation.") && out.contains("The game is over."), "{out}");
    assert_eq!(games(&file)[0].result.as_ref().unwrap().reason, "resignation");
    let out = typed(&["play", "--load", &file], "undo\nd4\nposition\n").success();
    assert!(out.contains("moves=C3,D4"), "{out}");
}

#[test]
fn people_play_agents_and_get_hints() {
    let seats = ["play", "go", "--size", "5", "--seats", "human,mcts(sims=30,leaves=rollout)", "--seed", "3"];
    let out = typed(&seats, "c3\nhint\nundo\nposition\nquit\n").success();
    assert!(out.contains("I would play") && out.contains("Move taken back."), "{out}");
    assert!(out.contains("go 5 b komi=7.5\n"), "the agent's reply is undone, too: {out}");
    let alone = ["play", "go", "--size", "3", "--seats", "random,random", "--seed", "3"];
    assert!(riftlab(&alone).success().contains(" wins by "));
}

#[test]
fn handicap_stones_are_on_the_board_and_white_moves_first() {
    let args = ["play", "go", "--handicap", "4", "--seats", "human,human"];
    let out = typed(&args, "position\n").success();
    assert!(out.contains("Go on 9x9, komi 0.5, 4 handicap stones"), "{out}");
    assert!(out.contains("go 9 w komi=0.5 handicap=4") && out.contains("> White"), "{out}");
}

#[test]
fn games_are_exported_and_imported_as_sgf() {
    let folder = Folder::new();
    let (sgf, out, json) = (folder.file("game.sgf"), folder.file("again.jsonl"), folder.file("game.jsonl"));
    typed(&PEOPLE, format!("c3\nd3\nsave {sgf}\nsave {json}\n")).success();
    assert!(fs::read_to_string(&sgf).unwrap().contains(";B[cc];W[dc]"));
    riftlab(&["import", &sgf, "--out", &out]).success();
    assert_eq!(games(&out)[0].moves, games(&json)[0].moves);
    assert_eq!(games(&out)[0].config, games(&json)[0].config);
    let verified = riftlab(&["replay", &sgf, "--verify"]).success();
    assert_eq!(verified.trim(), "1 games, 2 plies, 0 faulty");
    let loaded = typed(&["play", "--load", &sgf], "b2\nposition\n").success();
    assert!(loaded.contains("moves=C3,D3,B2"), "{loaded}");
    let bad = folder.write("bad.sgf", "(;SZ[5];B[cc];W[cc])");
    let error = riftlab(&["replay", &bad]).failure();
    assert!(error.contains("White's move C3 in node 2"), "{error}");
    let ringrift =
        typed(&["play", "--seats", "human,human"], format!("+d4\nsave {}\n", folder.file("r.sgf")));
    assert!(ringrift.err.contains("only games of Go"), "{}", ringrift.err);
}

#[test]
fn options_of_the_other_game_are_refused() {
    for (words, part) in [
        (vec!["perft", "--depth", "1", "--size", "5"], "--size is an option of Go"),
        (vec!["perft", "go", "--depth", "1", "--board", "hex8"], "--board is an option of RingRift"),
        (vec!["match", "go", "--a", "random", "--b", "random", "--players", "3"], "--players is an option"),
        (vec!["perft", "go", "--size", "20", "--depth", "1"], "expected 2 to 19"),
        (vec!["perft", "go", "--komi", "7.25", "--depth", "1"], "expected whole or half points"),
        (vec!["perft", "go", "--size", "5", "--handicap", "2", "--depth", "1"], "handicap 2"),
        (vec!["perft", "chess", "--depth", "1"], "[possible values: ringrift, go]"),
        (vec!["play", "go", "--seats", "human,random,random"], "Go has 2 players"),
        (vec!["show", "go", "9", "x"], "expected the colour that moves first"),
        (vec!["show", "go", "99", "b"], "expected the board size"),
        (vec!["match", "--a", "gtp(\"cat\")", "--b", "random"], "plays Go, not ringrift/square8/2p"),
    ] {
        let error = riftlab(&words).failure();
        assert!(error.contains(part), "{words:?}: {error}");
    }
}

#[test]
fn a_position_is_drawn_with_its_facts() {
    let text = "go 5 b komi=0.5 moves=C3,D3,pass";
    insta::assert_snapshot!("go_show", riftlab(&["show", text, "--moves"]).success());
    let facts = riftlab(&["show", text, "--json", "--moves"]).json();
    assert_eq!((&facts["size"], &facts["komi"], &facts["to_move"]), (&json!(5), &json!(0.5), &json!(2)));
    assert_eq!((&facts["black"], &facts["white"]), (&json!(["C3"]), &json!(["D3"])));
    assert_eq!(facts["moves"].as_array().unwrap().len(), 24);
}

#[test]
fn perft_counts_what_the_library_counts() {
    let start = Position::<Small>::new(&Rules::tromp_taylor(3));
    let counted = riftlab(&["perft", "go", "--size", "3", "--suicide", "--depth", "4"]).success();
    assert_eq!(counted.trim(), perft(&start, 4).to_string());
    let position = riftlab(&["perft", "--position", "go 3 w moves=B2", "--depth", "1", "--json"]).json();
    assert_eq!((&position["nodes"], &position["board"]), (&json!(9), &json!("go/3x3")));
}

#[test]
fn benches_count_playouts_and_games() {
    let playouts = riftlab(&["bench", "go", "--size", "5", "--games", "500", "--json"]).json();
    assert_eq!(playouts["games"], 500);
    for name in ["plies", "seconds", "playouts_per_second", "mean_plies"] {
        assert!(playouts[name].as_f64().unwrap() > 0.0, "{playouts}");
    }
    let again = riftlab(&["bench", "go", "--size", "5", "--games", "500", "--json"]).json();
    assert_eq!(playouts["plies"], again["plies"], "the same seed plays the same games");
    assert!(riftlab(&["bench", "go", "--seconds", "0.01"]).success().contains("playouts/s"));
    let rules = riftlab(&["bench", "rules", "go", "--size", "4", "--games", "20", "--json"]).json();
    assert_eq!((&rules["board"], &rules["games"]), (&json!("go/4x4"), &json!(20)));
    let agent = riftlab(&["bench", "mcts", "go", "--size", "4", "--seconds", "0", "--agent", "mcts(sims=9)"]);
    assert!(agent.success().contains("sims/s"));
}

#[test]
fn positions_of_go_are_analysed() {
    let questions = [
        json!({ "id": 1, "game": "go", "size": 5, "komi": 0.5, "moves": ["C3"], "agent": "mcts(sims=20)" }),
        json!({ "id": 2, "position": "go 5 b moves=C3", "agent": "random" }),
        json!({ "id": 3, "game": "go", "board": "hex8" }),
        json!({ "id": 4, "size": 9 }),
        json!({ "id": 5, "game": "chess" }),
        json!({ "id": 6, "game": "go", "komi": 0.25 }),
        json!({ "id": 7, "game": "go", "size": 5, "moves": ["pass", "pass"] }),
    ];
    let input: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let run = typed(&["analyze"], &input);
    assert_eq!(run.code, 1, "{}", run.err);
    let answers: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["to_move"], &answers[0]["legal"]), (&json!("2"), &json!(25)));
    assert_eq!(answers[1]["position"], "go 5 b komi=7.5 moves=C3");
    let parts = [
        "board is an option of RingRift",
        "say that the game is go",
        "expected ringrift or go",
        "komi is 0.25",
    ];
    for (answer, part) in answers[2..].iter().zip(parts) {
        assert!(answer["error"].as_str().unwrap().contains(part), "{answer}");
    }
    assert_eq!(answers[6]["ranks"], json!([2, 1]), "the komi decides an empty board");
}

/// A small match.
fn duel(more: &[&str]) -> Run {
    let small =
        ["match", "go", "--size", "5", "--a", "mcts(sims=8,leaves=rollout)", "--b", "random", "--seed", "5"];
    riftlab(&[&small[..], &["--json"], more].concat())
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads_and_goes_on_after_a_kill() {
    let folder = Folder::new();
    let (one, two) = (folder.file("one.jsonl"), folder.file("two.jsonl"));
    let report = duel(&["--games", "8", "--threads", "1", "--out", &one]).json();
    assert_eq!((&report["board"], &report["games"]), (&json!("go/5x5"), &json!(8)));
    assert_eq!(report["end_reasons"]["score"], 8);
    duel(&["--games", "8", "--threads", "2", "--out", &two]).json();
    let moves = |path: &str| games(path).into_iter().map(|game| game.moves).collect::<Vec<_>>();
    assert_eq!(moves(&one), moves(&two));
    for game in games(&one) {
        game.replay().unwrap();
        assert_eq!(game.tags["opening"], "4", "two random decisions for each seat");
    }

    // A kill in the middle of the sixth game.
    let text = fs::read_to_string(&two).unwrap();
    let kept: Vec<&str> = text.lines().take(5).collect();
    fs::write(&two, format!("{}\n{{\"format\":1,\"id\":", kept.join("\n"))).unwrap();
    let resumed = duel(&["--games", "8", "--out", &two]).json();
    assert_eq!((&resumed["games_resumed"], &resumed["games"]), (&json!(5), &json!(8)));
    assert_eq!(moves(&one), moves(&two));
    let other = duel(&["--games", "8", "--out", &two, "--komi", "0.5"]).failure();
    assert!(other.contains("contains another match"), "{other}");
}

#[test]
fn gauntlets_tournaments_and_ratings_use_the_scale_of_the_board() {
    let folder = Folder::new();
    let (db, result) = (folder.file("lab.db"), folder.file("result.json"));
    let board = ["--size", "4", "--komi", "0.5", "--json"];
    let gauntlet = [
        "gauntlet",
        "go",
        "--candidate",
        "heuristic",
        "--baselines",
        "random",
        "--games",
        "4",
        "--out",
        &result,
    ];
    let report = riftlab(&[&gauntlet[..], &board].concat()).json();
    assert_eq!((&report["scale"], &report["state"]), (&json!("go/4x4+komi=0.5"), &json!("complete")));
    let field =
        ["tournament", "go", "--agents", "random,heuristic,mcts(sims=9)", "--games", "2", "--db", &db];
    let report = riftlab(&[&field[..], &board].concat()).json();
    assert_eq!((&report["games"], &report["scale"]), (&json!(6), &json!("go/4x4+komi=0.5")));
    assert!(
        report["ratings"].as_array().unwrap().iter().any(|row| row["anchor"] == true && row["elo"] == 0.0)
    );
    let table = riftlab(&["elo", "table", "--db", &db]).success();
    assert!(table.contains("go/4x4+komi=0.5"), "{table}");
    let games = folder.file("games.jsonl");
    duel(&["--games", "2", "--out", &games]).json();
    assert!(riftlab(&["elo", "add", &games, "--db", &db]).success().contains("2 of them new"));
    assert!(
        riftlab(&["elo", "register", "d3", "go", "--size", "9", "--db", &db]).success().contains("minimax")
    );
}

#[test]
fn levels_of_go_are_shown_and_checked() {
    let levels = riftlab(&["ladder", "show", "go", "--size", "9", "--json"]).json();
    assert_eq!(levels["venue"], "go/9x9");
    assert_eq!(levels["levels"].as_array().unwrap().len(), 10);
    let folder = Folder::new();
    let check =
        ["ladder", "check", "go", "--size", "5", "--from", "1", "--to", "2", "--games", "2", "--json"];
    let run = riftlab(&[&check[..], &["--out", &folder.file("check")]].concat());
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["pairs"][0]["games"], 2);
    assert!(folder.path().join("check/go-5x5-d2-d1.jsonl.zst").exists());
}

/// A GTP engine as a shell script, which responds to `genmove` with the output of `answer`.
fn program(folder: &Folder, name: &str, answer: &str) -> String {
    let script = format!(
        "while read -r id word rest; do case \"$word\" in\n\
         protocol_version) echo \"=$id 2\"; echo;;\n\
         genmove) {answer};;\n\
         quit) echo \"=$id\"; echo; exit 0;;\n\
         *) echo \"=$id\"; echo;;\n\
         esac; done\n"
    );
    format!("gtp(\"sh {}\",timeout=30)", folder.write(name, &script))
}

#[test]
fn a_forfeit_loses_and_the_summary_reports_its_kind() {
    let folder = Folder::new();
    for (cause, answer) in [
        ("resignation", "echo \"=$id resign\"; echo"),
        ("illegal_move", "echo \"=$id A9\"; echo"),
        ("failure", "exit 3"),
    ] {
        let program = program(&folder, &format!("{cause}.sh"), answer);
        let out = folder.file(&format!("{cause}.jsonl"));
        let words =
            ["match", "go", "--size", "5", "--a", "random", "--b", &program, "--games", "2", "--json"];
        let report = riftlab(&[&words[..], &["--out", &out]].concat()).json();
        assert_eq!((&report["wins_a"], &report["forfeits_b"][cause]), (&json!(2), &json!(2)), "{report}");
        assert_eq!(report["forfeits_a"], json!({}));
        for game in games(&out) {
            assert_eq!(game.result.as_ref().unwrap().reason, cause);
            assert!(!game.tags["forfeit"].is_empty());
            game.replay().unwrap();
        }
        // Forfeited games count as played.
        let again = riftlab(&[&words[..], &["--out", &out]].concat()).json();
        assert_eq!((&again["games_resumed"], &again["wins_a"]), (&json!(2), &json!(2)));
        let field = ["tournament", "go", "--size", "5", "--games", "2", "--json", "--agents"];
        let report = riftlab(&[&field[..], &[&format!("random,{program}")]].concat()).json();
        assert_eq!(report["effort"][1]["forfeits"][cause], 2, "{report}");
    }
}

#[test]
fn an_engine_that_does_not_start_fails_the_command_before_the_first_game() {
    let folder = Folder::new();
    let out = folder.file("games.jsonl");
    let words = ["match", "go", "--a", "random", "--b", "gtp(\"no-such-engine\")", "--out", &out];
    let error = riftlab(&words).failure();
    assert!(error.contains("cannot be started"), "{error}");
    assert!(!folder.path().join("games.jsonl").exists());
}
