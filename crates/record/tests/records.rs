//! The JSON form of records, and their replay.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests too")]

mod support;

use game::{ForfeitKind, Game};
use proptest::prelude::*;
use record::{BadRecord, Config, GameRecord, PlyStats, Recorded, ReplayProblem, Visitor};
use ringrift::{Board, Hex8, Position, Rules, Square8, Square19};
use support::{any_record, cases, random_game, random_game_from, short_game};

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn records_read_back_from_their_lines(record in any_record()) {
        prop_assert_eq!(record.faults(), Vec::<String>::new());
        let line = record.to_line().unwrap();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(GameRecord::from_line(&line).unwrap(), record);
    }
}

#[test]
fn random_games_replay_on_every_board() {
    for (board, games) in
        [(Board::Square8, 20), (Board::Hex8, 20), (Board::Square19, 2), (Board::Hexagonal, 1)]
    {
        for seats in 2..=4 {
            for seed in 0..games {
                let record =
                    random_game(board, Rules { swap: seats == 2, ..Rules::new(seats) }, seed, usize::MAX);
                let outcome = record.replay().unwrap();
                assert_eq!(outcome.map(|o| o.ranks().to_vec()), record.result.map(|r| r.ranking));
            }
        }
    }
}

#[test]
fn a_line_looks_as_documented() {
    let mut record = short_game(7);
    record.stats.push(PlyStats {
        ply: 0,
        value: vec![0.25, -0.25],
        visits: Some(64),
        policy: vec![(record.moves[0].clone(), 0.75)],
        ..PlyStats::default()
    });
    let line = record.to_line().unwrap();
    let [first, second] = [&record.moves[0], &record.moves[1]];
    assert!(
        line.starts_with(
            r#"{"format":1,"id":"game-7","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"rings":18,"swap":false,"lps_rounds":3,"variant":"hex8-line3","recovery":"reference"},"start":null,"seed":7,"players":["random","random"],"moves":["#
        ),
        "{line}"
    );
    assert!(line.contains(&format!(r#""moves":["{first}","{second}""#)), "{line}");
    let tail = format!(
        r#""stats":[{{"ply":0,"value":[0.25,-0.25],"visits":64,"policy":[["{first}",0.75]]}}],"result":null}}"#
    );
    assert!(line.ends_with(&tail), "{line}");
}

#[test]
fn a_newer_format_is_named_even_with_unknown_fields() {
    let line = short_game(1).to_line().unwrap();
    let newer = line.replacen("\"format\":1", "\"format\":2,\"novelty\":[]", 1);
    let error = GameRecord::from_line(&newer).unwrap_err();
    assert!(matches!(error, BadRecord::Newer { found: 2 }), "{error}");
    assert_eq!(
        error.to_string(),
        "game record format 2, but this program reads up to 1: use a newer version"
    );
    let newer = line.replacen("\"format\":1", "\"format\":2", 1);
    assert!(matches!(GameRecord::from_line(&newer), Err(BadRecord::Newer { found: 2 })));
}

#[test]
fn errors_about_invalid_lines_name_the_reason() {
    let line = short_game(1).to_line().unwrap();
    let changes = [
        ("\"format\":1,", "\"format\":1,\"novelty\":1,", "unknown field `novelty`"),
        ("\"seats\":2", "\"seats\":5", "seats is 5: expected 2 to 4"),
        (
            "\"board\":\"square8\"",
            "\"board\":\"square9\"",
            "board is \"square9\": expected square8, square19, hex8 or hexagonal",
        ),
        ("\"game\":\"ringrift\"", "\"game\":\"chess\"", "game is \"chess\": expected ringrift or go"),
        ("\"variant\":\"hex8-line3\"", "\"variant\":\"x\"", "variant is \"x\": expected hex8-line3 or base"),
        ("\"lps_rounds\":3", "\"lps_rounds\":3,\"more\":0", "\"more\" is not an option of RingRift"),
        ("\"random\",\"random\"", "\"random\"", "1 players for 2 seats"),
        ("\"id\":\"game-1\"", "\"id\":\"\"", "the id is empty"),
        (
            "\"result\":null",
            "\"result\":{\"winner\":1,\"reason\":\"x\",\"ranking\":[2,1],\"plies\":5}",
            "winner",
        ),
        (
            "\"result\":null",
            "\"result\":{\"winner\":2,\"reason\":\"x\",\"ranking\":[2,1],\"plies\":6}",
            "6 plies",
        ),
        ("\"result\":null", "\"stats\":[{\"ply\":9}],\"result\":null", "statistics for ply 9"),
        ("\"result\":null", "\"stats\":[{\"ply\":1},{\"ply\":1}],\"result\":null", "out of order"),
        (
            "\"result\":null",
            "\"stats\":[{\"ply\":1,\"value\":[0.5]}],\"result\":null",
            "1 values for 2 seats",
        ),
        ("\"format\":1", "\"format\":0", "format 0"),
    ];
    for (from, to, expected) in changes {
        assert!(line.contains(from), "{from} in {line}");
        let error = GameRecord::from_line(&line.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn an_invalid_record_is_not_written() {
    let mut record = short_game(1);
    record.stats.push(PlyStats { ply: 0, value: vec![f32::NAN, 0.0], ..PlyStats::default() });
    assert!(record.to_line().unwrap_err().to_string().contains("not a finite number"));
}

#[test]
fn a_changed_game_does_not_replay() {
    let whole = random_game(Board::Square8, Rules::new(2), 3, usize::MAX);
    let plies = whole.moves.len();
    let check = |change: &dyn Fn(&mut GameRecord), expected: &str| {
        let mut record = whole.clone();
        change(&mut record);
        let error = record.replay().unwrap_err().to_string();
        assert!(error.starts_with("game \"game-3\": ") && error.contains(expected), "{error}");
    };
    check(&|record| record.moves[2] = "what".to_owned(), "ply 2: cannot parse the move \"what\"");
    check(&|record| record.moves[0] = "no-line".to_owned(), "ply 0: the move \"no-line\" is not legal: ");
    check(&|record| record.moves.push("no-line".to_owned()), &format!("ply {plies}: the move"));
    check(&|record| record.moves.truncate(plies - 1), "the game is not over");
    check(&|record| record.result = None, "the recorded result is none");
    check(&|record| record.result.as_mut().unwrap().reason = "luck".to_owned(), "by luck with");
    check(&|record| record.start = Some("hexagonal".to_owned()), "start position: ");
    check(
        &|record| {
            let other = Position::<Square8>::new(&Rules { lps_rounds: 2, ..Rules::new(2) });
            record.start = Some(game::Setup::to_text(&other));
        },
        "other options than the config",
    );
    check(
        &|record| {
            let Config::RingRift(config) = &mut record.config else { unreachable!() };
            config.version = 99;
        },
        "revision 99 of the rules",
    );
    let error = whole.replay_as::<Position<Hex8>>(|_, _| {}).unwrap_err();
    assert!(matches!(error.problem, ReplayProblem::Elsewhere { .. }), "{error}");
}

#[test]
fn resignation_is_a_result_and_not_a_move() {
    for (seats, forfeit) in [(2, ForfeitKind::Resignation), (3, ForfeitKind::Timeout)] {
        let rules = Rules::new(seats);
        let mut record = random_game(Board::Square8, rules, 5, 9);
        let mut position = record.replay_as::<Position<Square8>>(|_, _| {}).unwrap();
        position.forfeit(forfeit);
        record.conclude(&position);
        let result = record.result.clone().unwrap();
        assert_eq!(result.winner.is_some(), seats == 2);
        assert_eq!(record.replay().unwrap(), position.outcome());
        record.result.as_mut().unwrap().ranking.reverse();
        assert_eq!(record.replay().is_err(), seats == 2, "a changed ranking");
    }
}

#[test]
fn a_game_may_start_from_any_position() {
    let middle = random_game(Board::Square19, Rules::new(3), 8, 60)
        .replay_as::<Position<Square19>>(|_, _| {})
        .unwrap();
    let record = random_game_from(middle, 9, usize::MAX);
    assert!(record.start.is_some());
    let back = GameRecord::from_line(&record.to_line().unwrap()).unwrap();
    assert_eq!(back.start_as::<Position<Square19>>().unwrap(), middle);
    back.replay().unwrap();
}

#[test]
fn the_default_number_of_rings_is_normalised() {
    let explicit = Rules { rings: Some(18), ..Rules::new(2) };
    let record = random_game(Board::Square8, explicit, 4, 40);
    let Config::RingRift(config) = GameRecord::from_line(&record.to_line().unwrap()).unwrap().config else {
        panic!("another game");
    };
    assert_eq!(config.rules, Rules::new(2));
    record.replay().unwrap();
    let middle = Position::<Square8>::new(&explicit);
    let mut started = random_game_from(middle, 4, 40);
    started.start = Some(game::Setup::to_text(&middle));
    started.replay().unwrap();
}

#[test]
fn visitors_see_every_ply_in_order() {
    struct Count(usize);
    impl Visitor for Count {
        fn ply<P: Recorded>(&mut self, position: &P, m: P::Move) {
            assert!(position.is_legal(m));
            self.0 += 1;
        }
    }
    let record = random_game(Board::Hex8, Rules::new(4), 2, usize::MAX);
    let mut count = Count(0);
    record.replay_with(&mut count).unwrap();
    assert_eq!(count.0, record.moves.len());
}

#[test]
fn the_documented_examples_replay() {
    let page = include_str!("../../../docs/record.md");
    let examples = page.split("```json").skip(1).filter_map(|rest| rest.split("```").next());
    let records: Vec<GameRecord> = examples.map(|text| GameRecord::from_line(text).unwrap()).collect();
    assert!(records.iter().all(|record| record.replay().is_ok()));
    assert_eq!(records[0].stats[0].policy[0], ("++d4".to_owned(), 0.75));
    assert_eq!(records[1].result.as_ref().unwrap().dead, ["E3"]);
}
