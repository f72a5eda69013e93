//! Scripted games at the terminal.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use record::{GameRecord, RecordReader};
use support::{Folder, riftlab, typed};

/// Two people, so that only typed moves are played.
const PEOPLE: [&str; 6] = ["play", "--seats", "human,human", "--no-swap", "--seed", "1"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&PEOPLE[..], more].concat()
}

fn saved(path: &str) -> GameRecord {
    RecordReader::open(path).unwrap().next().unwrap().unwrap()
}

#[test]
fn a_short_session_has_the_expected_transcript() {
    let session = typed(&PEOPLE, "++d4\nmoves d4\nd4-d6\n++d5\nhelp\nd5xd6-d7\nd7xd6-d3\nposition\nquit\n");
    insta::assert_snapshot!("session", session.success());
}

#[test]
fn the_end_of_the_input_ends_the_game_cleanly() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    let out = typed(&with(&["--save", &file]), "++d4").success();
    assert!(out.contains(&format!("riftlab play --load {file}")), "{out}");
    assert_eq!(saved(&file).moves, ["++d4"]);
    assert!(riftlab(&["play"]).success().contains("minimax("), "without options an agent is the opponent");
}

#[test]
fn bytes_that_are_not_text_are_refused_like_any_other_nonsense() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    let mut input = b"++d4\n\xff\xfed4-d6\n\x80\nd4-d6\n".to_vec();
    input.extend(format!("save {file}\n").bytes());
    let out = typed(&PEOPLE, input).success();
    assert!(out.contains("expected a cell such as d4"), "{out}");
    assert!(out.contains("is neither a move nor a command"), "{out}");
    assert_eq!(saved(&file).moves[..2], ["++d4", "d4-d6"]);
}

#[test]
fn undo_goes_back_to_the_last_real_decision() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    // The forced moves after d4-d6 are undone with it.
    let input = format!("undo\n++d4\nd4-d6\nundo\nundo\n+e5\ne5-e6\n+a1\nundo\nsave {file}\n");
    let out = typed(&PEOPLE, &input).success();
    assert!(out.contains("There is nothing to take back."), "{out}");
    assert_eq!(out.matches("Move taken back.").count(), 3);
    let record = saved(&file);
    assert_eq!(record.moves, ["+e5", "e5-e6", "no-line", "no-territory"]);
    assert_eq!(record.replay().unwrap(), None);
}

#[test]
fn undo_also_undoes_the_moves_of_agents() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    let seats = ["play", "--seats", "human,mcts(sims=20)", "--no-swap", "--seed", "5"];
    let input = format!("++d4\nd4-d6\nundo\nsave {file}\n");
    typed(&seats, &input).success();
    assert_eq!(saved(&file).moves, ["++d4"], "back to the choice of the stack's move");
}

#[test]
fn a_saved_game_resumes_where_it_stopped() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    typed(&PEOPLE, format!("++d4\nd4-d6\nsave {file}\nquit\n")).success();
    let out = typed(&["play", "--load", &file], "+a1\na1-a2\nsave\n").success();
    assert!(out.contains("> seat 2") && out.contains(&format!("Saved in {file}.")), "{out}");
    assert_eq!(saved(&file).moves[4..], ["+a1", "a1-a2", "no-line", "no-territory"]);

    // Loaded from within another game, on another board.
    let out =
        typed(&["play", "--board", "hex8", "--seats", "human,human"], format!("load {file}\nposition\n"));
    assert!(out.success().contains("\nsquare8 2 1:ring_placement"));
}

#[test]
fn files_with_other_games_are_not_overwritten() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    typed(&PEOPLE, format!("++d4\nsave {file}\n")).success();
    let before = std::fs::read(&file).unwrap();
    let run = typed(&PEOPLE, format!("+a1\nsave {file}\nsave\n"));
    assert!(run.err.contains("already exists") && run.err.contains("hint: "), "{}", run.err);
    assert!(run.err.contains("save needs a file name"), "{}", run.err);
    run.success();
    assert_eq!(std::fs::read(&file).unwrap(), before);
    riftlab(&["play", "--save", &file]).failure();
}

#[test]
fn loading_another_game_does_not_overwrite_the_saved_one() {
    let folder = Folder::new();
    let (kept, other) = (folder.file("kept.jsonl"), folder.file("other.jsonl"));
    typed(&PEOPLE, format!("+a1\nsave {other}\n")).success();
    typed(&with(&["--save", &kept]), format!("++d4\nload {other}\na1-a2\n")).success();
    assert_eq!(saved(&kept).moves, ["++d4"]);
    assert_eq!(
        saved(&other).moves,
        ["+a1", "a1-a2", "no-line", "no-territory"],
        "saved to the file it was loaded from"
    );
}

#[test]
fn resignation_ends_the_game_and_can_be_undone() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    let out = typed(&with(&["--save", &file]), "++d4\nd4-d6\nresign\nhint\n+a1\n").success();
    assert!(out.contains("Seat 1 wins by resignation."), "{out}");
    assert!(out.contains("The game is over"), "{out}");
    let record = saved(&file);
    assert_eq!(record.result.as_ref().unwrap().reason, "resignation");
    assert_eq!(record.replay().unwrap().unwrap().winner().unwrap().number(), 1);

    let out = typed(&["play", "--load", &file], "undo\nposition\n").success();
    assert!(out.contains("\nsquare8 2 2:ring_placement"), "{out}");
    let three = ["play", "--seats", "human,human,human"];
    assert!(typed(&three, "resign\n").success().contains("Nobody wins: the game was resigned."));
}

#[test]
fn illegal_moves_are_explained() {
    let out = typed(&PEOPLE, "++d4\n+a1\nd4-d5\nd4-e6\nd4-d\nfrob\nundo 3\nmoves z\nd4xd5-d6\n").success();
    for answer in [
        "Not now. Move the stack on d4",
        "Not possible: a stack of height 2 must move at least 2 cells, not 1.",
        "the two cells do not lie on one straight line",
        "5 moves start with d4-d:",
        "\"frob\" is neither a move nor a command",
        "undo takes no argument",
        "No legal move starts with \"z\".",
        "there is no stack to capture in that direction",
    ] {
        assert!(out.contains(answer), "{answer:?} is missing in:\n{out}");
    }
}

#[test]
fn a_unique_prefix_of_a_move_is_enough() {
    let out = typed(&PEOPLE, "++d4\nd4-d6\n+a1\na1-a2\nskip\nd6-f\n").success();
    assert!(out.contains("skip-placement  keeps its rings in hand"), "{out}");
    assert!(out.contains("3 moves start with d6-f:"), "{out}");
}

#[test]
fn a_swap_exchanges_the_players() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    let out =
        typed(&["play", "--seats", "human,human"], format!("++d4\nd4-d6\nswap\nsave {file}\n")).success();
    assert!(out.contains("take seat 1 with everything it has"), "{out}");
    assert!(out.contains("swaps sides"), "{out}");
    let record = saved(&file);
    assert_eq!(record.moves.last().unwrap(), "swap");
    // Loaded for a person in seat 1 and an agent in seat 2, the swap has put the person into seat 2.
    let seats = ["play", "--load", &file, "--seats", "human,random"];
    let out = typed(&seats, "").success();
    assert!(out.contains("0 of 33   random\n> seat 2"), "{out}");
}

#[test]
fn agents_alone_play_to_the_end_and_the_seed_repeats_them() {
    let folder = Folder::new();
    let play = |name: &str| {
        let file = folder.file(name);
        let out = riftlab(&[
            "play",
            "--board",
            "hex8",
            "--seats",
            "random,mcts(sims=2),random",
            "--seed",
            "9",
            "--rings",
            "4",
            "--save",
            &file,
        ]);
        let out = out.success();
        assert!(out.contains(" wins ") && out.contains("1. seat"), "{out}");
        saved(&file)
    };
    let (one, other) = (play("one.jsonl"), play("other.jsonl"));
    assert_eq!(one.moves, other.moves);
    assert_eq!(one.seed, Some(9));
    assert!(one.replay().unwrap().is_some());
    assert!(!one.stats.is_empty(), "the statistics of the search are recorded");
}

#[test]
fn a_hint_names_a_legal_move() {
    let text = "square8 2 1:movement cells=d4:1,a1*2,h8:2 hands=0,0";
    let out = typed(&["play", "--position", text, "--seats", "human,human"], "hint\n").success();
    let hint = out.split_once("I would play d4-").map(|(_, rest)| &rest[..2]);
    assert!(hint.is_some(), "{out}");
}

#[test]
fn a_position_can_be_played_on_and_saved() {
    let folder = Folder::new();
    let file = folder.file("game.jsonl");
    let text = "hex8 3 2:movement cells=e5:2,f5:1,e6:3 hands=0,1,2";
    let out =
        typed(&["play", "--position", text, "--seats", "human,human,human", "--save", &file], "moves e5\n");
    assert!(out.success().contains("> seat 2"));
    assert!(saved(&file).start.unwrap().starts_with("hex8 3 2:movement"));
    let error = riftlab(&["play", "--position", "hex8 3 2:movement cells=zz:1"]).failure();
    assert!(error.contains("is not a cell of hex8"), "{error}");
    riftlab(&["play", "--position", text, "--board", "hex8"]).failure();
    riftlab(&["play", "--position", text, "--seats", "human,human"]).failure();
    riftlab(&["play", "--load", &folder.file("nowhere.jsonl")]).failure();
}

#[test]
fn a_level_without_its_net_says_who_plays_instead() {
    let out = typed(&["play", "go", "--size", "19", "--seats", "human,d5"], "quit\n").success();
    assert!(out.contains("d5: no net of kind pv is shipped for go/19x19"), "{out}");
    assert!(out.contains(": descent(nodes=5000") && out.contains("plays instead"), "{out}");
    let out = typed(&["play", "--seats", "human,d3", "--rings", "3"], "quit\n").success();
    assert!(!out.contains("plays instead"), "{out}");
}
