//! Records of games of Go: verification, agreements on dead stones, and SGF.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

mod support;

use game::{ForfeitKind, Game, Outcome};
use go::{Colour, Komi, Point, Points, Position, Rules, Scoring, Small, Verdict, on_size};
use record::{Config, GameRecord, ReplayProblem, sgf};

/// A random game, in which passes become more frequent as it gets longer.
fn random_game(rules: Rules, seed: u64, longest: usize) -> GameRecord {
    on_size!(rules.size, P => {
        let mut record = support::random_game_from(Position::<P>::new(&rules), seed, longest);
        (record.id, record.seed) = (format!("go-{seed}"), None);
        record.players = vec!["black".to_owned(), "white".to_owned()];
        record
    })
}

fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for size in [2, 3, 5, 7, 8, 10, 11, 19] {
        all.extend([Rules::new(size), Rules::tromp_taylor(size), Rules::japanese(size)]);
    }
    all.push(Rules { handicap: 4, komi: Komi::from_half_points(-1), ..Rules::new(9) });
    all
}

/// `D4 E4 …` as moves.
fn moves(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn game(rules: Rules, text: &str) -> GameRecord {
    let players = vec!["a".to_owned(), "b".to_owned()];
    GameRecord { moves: moves(text), ..GameRecord::new("game", Config::go(rules), players) }
}

#[test]
fn games_of_every_size_and_rule_read_back_and_replay() {
    for rules in all_rules() {
        for seed in 0..5 {
            let record = random_game(rules, seed, 1000);
            let line = record.to_line().unwrap();
            assert_eq!(GameRecord::from_line(&line).unwrap(), record);
            let outcome = record.replay().unwrap();
            assert_eq!(outcome.map(|outcome| outcome.ranks().to_vec()), record.result.map(|r| r.ranking));
        }
    }
}

#[test]
fn a_line_contains_every_option() {
    let mut record = game(Rules::new(9), "E5 pass pass");
    record.conclude(&record.replay_as_ended());
    let line = record.to_line().unwrap();
    assert_eq!(
        line,
        r#"{"format":1,"id":"game","config":{"game":"go","rules":1,"size":9,"komi":7.5,"handicap":0,"ko":"positional","scoring":"area","suicide":false},"start":null,"players":["a","b"],"moves":["E5","pass","pass"],"result":{"winner":1,"reason":"score","ranking":[1,2],"plies":3,"score":"B+73.5"}}"#
    );
    record.replay().unwrap();
}

/// The position after the moves, regardless of the result.
trait Ended {
    fn replay_as_ended(&self) -> Position;
}

impl Ended for GameRecord {
    fn replay_as_ended(&self) -> Position {
        let mut position: Position = self.start_as().unwrap();
        for text in &self.moves {
            let m = game::Notation::parse_move(&position, text).unwrap();
            position.play(m).unwrap();
        }
        position
    }
}

#[test]
fn errors_about_invalid_options_name_the_reason() {
    let line = game(Rules::new(9), "").to_line().unwrap();
    for (from, to, expected) in [
        ("\"size\":9", "\"size\":20", "size is 20: expected 2 to 19"),
        ("\"komi\":7.5", "\"komi\":7.25", "komi is 7.25: expected whole or half points"),
        ("\"komi\":7.5", "\"komi\":1e9", "komi is 1000000000.0: expected whole"),
        (
            "\"ko\":\"positional\"",
            "\"ko\":\"none\"",
            "ko is \"none\": expected positional, situational or simple",
        ),
        (
            "\"scoring\":\"area\"",
            "\"scoring\":\"stones\"",
            "scoring is \"stones\": expected area or territory",
        ),
        ("\"handicap\":0", "\"handicap\":77", "handicap is 77: expected 0 to 9"),
        ("\"handicap\":0", "\"handicap\":0,\"byoyomi\":1", "\"byoyomi\" is not an option of Go"),
    ] {
        let error = GameRecord::from_line(&line.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
    let mut later = game(Rules::new(9), "");
    later.config = Config::Go(record::GoConfig { version: 99, ..record::GoConfig::new(Rules::new(9)) });
    assert!(later.replay().unwrap_err().to_string().contains("revision 99 of the rules"));
    let error = game(Rules::new(9), "").replay_as::<Position<Small>>(|_, _| {}).unwrap_err();
    assert!(
        error.to_string().ends_with("played on a 9x9 board of Go, not on a board of Go of up to 7 lines")
    );
}

#[test]
fn either_player_may_resign_at_any_time() {
    for winner in Colour::BOTH {
        for text in ["", "D4", "D4 C3", "D4 C3 pass pass"] {
            let mut record = game(Rules::new(5), text);
            record.declare(&go::GameResult::Resignation(winner));
            assert_eq!(record.replay().unwrap(), Some(Outcome::win(2, winner.seat())));
            assert_eq!(record.go_result(), Some(go::GameResult::Resignation(winner)));
        }
    }
    let mut record = game(Rules::new(5), "D4");
    record.forfeit(&record.replay_as_ended(), ForfeitKind::IllegalMove);
    assert_eq!(record.result.as_ref().unwrap().winner, Some(1), "White was to move");
    record.replay().unwrap();
    let result = record.result.as_mut().unwrap();
    (result.winner, result.ranking) = (None, vec![1, 1]);
    assert!(record.replay().is_err(), "a resignation needs a winner");
}

/// Black owns the left half and White the right half, with a black stone in it.
const HALVES: &str = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 E3 pass pass";

#[test]
fn an_agreement_on_dead_stones_is_scored_again() {
    let mut record = game(Rules { komi: Komi::ZERO, ..Rules::new(5) }, HALVES);
    let position: Position<Small> = {
        record.conclude(&record.replay_as_ended());
        record.replay_as(|_, _| {}).unwrap()
    };
    assert_eq!(record.result.as_ref().unwrap().score.as_deref(), Some("B+11"));
    let dead = Small::only(Point::parse("E3").unwrap());
    record.agree(&position, &Verdict::dead(dead));
    let result = record.result.clone().unwrap();
    assert_eq!((result.score.as_deref(), &result.dead[..]), (Some("B+5"), &["E3".to_owned()][..]));
    let back = GameRecord::from_line(&record.to_line().unwrap()).unwrap();
    assert_eq!(back, record);
    back.replay().unwrap();
    let check = |change: &dyn Fn(&mut record::GameResult), expected: &str| {
        let mut record = record.clone();
        change(record.result.as_mut().unwrap());
        let error = record.replay().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&|result| result.score = Some("B+6".to_owned()), "of B+6 with ranks");
    check(&|result| result.dead = moves("E4"), "the stone \"E4\": there is no such stone");
    check(&|result| result.dead = moves("E9"), "the stone \"E9\": there is no such stone");
    check(&|result| result.dead = moves("what"), "the stone \"what\"");
    check(&|result| result.dead = moves("E3 E3"), "listed twice");
    check(&|result| result.dead = moves("E3 D1"), "the list lacks other stones of its chain");
    check(&|result| result.dead.clear(), "B+11");
    check(&|result| result.reason = "luck".to_owned(), "by luck");
}

#[test]
fn stones_in_seki_are_part_of_the_agreement() {
    let rules = Rules { scoring: Scoring::Territory, komi: Komi::ZERO, ..Rules::new(5) };
    let mut record = game(rules, HALVES);
    let position = record.replay_as_ended();
    let board = position.board();
    let verdict = Verdict { dead: Points::EMPTY, seki: board.stones(Colour::Black) };
    record.agree(&position, &verdict);
    assert_eq!(record.result.as_ref().unwrap().score.as_deref(), Some("0"));
    record.replay().unwrap();
    record.result.as_mut().unwrap().seki.clear();
    assert!(matches!(record.replay().unwrap_err().problem, ReplayProblem::Result { .. }));
}

#[test]
fn a_declared_score_is_accepted_if_it_names_the_winner() {
    let mut record = game(Rules::new(9), "E5 C3");
    record.declare(&"W+12.5".parse().unwrap());
    assert_eq!(record.replay().unwrap(), Some(Outcome::win(2, Colour::White.seat())));
    record.result.as_mut().unwrap().score = Some("B+1".to_owned());
    assert!(record.replay().is_err());
    record.result.as_mut().unwrap().score = Some("much".to_owned());
    assert!(matches!(record.replay().unwrap_err().problem, ReplayProblem::Agreement(_)));
    record.declare(&go::GameResult::Unknown);
    assert_eq!(record.result, None);
}

#[test]
fn games_round_trip_through_sgf() {
    for rules in all_rules() {
        // The format only has names for whole rule sets, and cannot express a handicap without stones.
        let mut record = random_game(rules, 7, 60);
        if record.result.is_none() {
            record.declare(&"W+R".parse().unwrap());
        }
        let text = sgf::write(&record).unwrap();
        let again = sgf::read(&text, &record.id).unwrap();
        assert_eq!(again, [record], "{text}");
    }
    let ringrift = Config::ringrift(ringrift::Board::Hex8, ringrift::Rules::new(2));
    assert_eq!(sgf::write(&GameRecord::new("r", ringrift, vec!["a".into(), "b".into()])), None);
    assert_eq!(sgf::write(&game(Rules::new(5), "Z9")), None);
}

#[test]
fn a_set_up_position_round_trips_through_sgf() {
    let text = "go 5 w rows=5/1x1o1/5/1o1x1/5 komi=0.5 moves=C3,pass";
    let position: Position<Small> = game::Setup::from_text(text).unwrap();
    let mut record = GameRecord::from_position("set-up", &position, vec!["a".into(), "b".into()]);
    record.moves = moves("A1 A2");
    assert!(record.start.is_some());
    let again = sgf::read(&sgf::write(&record).unwrap(), "set-up").unwrap().remove(0);
    assert_eq!(again.moves, moves("C3 pass A1 A2"));
    assert_eq!(
        again.replay_as::<Position<Small>>(|_, _| {}).unwrap(),
        record.replay_as::<Position<Small>>(|_, _| {}).unwrap()
    );
}

#[test]
fn sgf_results_are_scored_if_possible_and_declared_otherwise() {
    let head = "(;GM[1]SZ[5]KM[0]RU[Chinese]PB[Honinbo]";
    let played = ";B[cc];W[];B[])";
    let read = |text: &str| sgf::read(text, "x").unwrap().remove(0);
    let reason = |re: &str| {
        let record = read(&format!("{head}{re}{played}"));
        record.replay().unwrap();
        record.result.map(|result| (result.reason, result.winner, result.score))
    };
    let expected = |reason: &str, winner, score: Option<&str>| {
        Some((reason.to_owned(), winner, score.map(str::to_owned)))
    };
    assert_eq!(reason(""), expected("score", Some(1), Some("B+25")));
    assert_eq!(reason("RE[B+25]"), expected("score", Some(1), Some("B+25")));
    assert_eq!(reason("RE[W+3]"), expected("adjudication", Some(2), Some("W+3")));
    assert_eq!(reason("RE[W+R]"), expected("resignation", Some(2), None));
    assert_eq!(reason("RE[B+T]"), expected("timeout", Some(1), None));
    assert_eq!(reason("RE[?]"), expected("score", Some(1), Some("B+25")));
    let unfinished = read(&format!("{head};B[cc](;W[bb])(;W[dd]))"));
    assert_eq!((unfinished.result, unfinished.moves), (None, moves("C3 B4")));
    assert_eq!(unfinished.players, ["Honinbo", "unknown"]);
    let edited = read(&format!("{head};B[cc];W[bb];AB[aa]AE[bb];B[dd])"));
    assert_eq!(edited.tags["skipped"], "2");
    edited.replay().unwrap();
    let repaired = sgf::read_bytes(b"(;SZ[5]AB[aa]AB[bb]PB[Zo\xeb]CA[latin1];W[cc])", "x").unwrap().remove(0);
    assert_eq!(repaired.players[0], "Zo\u{eb}");
    assert_eq!(repaired.tags["repaired"], "line 1, column 14: AB is repeated; all its points count");
}
