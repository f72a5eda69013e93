//! Records with various options, opened and replayed through the API.

use game::Game;
use record::{Config, GameRecord, Options, Recorded, on_game};
use serde_json::json;

use crate::wire::Wired;

/// A game with these options, of at most `moves` pseudo-random moves.
fn game(options: &str, moves: usize) -> GameRecord {
    let config: Config = options.parse::<Options>().expect("options").config().expect("a game");
    let players = vec!["player".to_owned(); config.seats()];
    let mut record = GameRecord::new("opened", config, players);
    on_game!(record.config.clone(), P => {
        let mut position = P::new(&P::options(&record.config).expect("sound options"));
        let mut legal = Vec::new();
        let mut state = 1_u64;
        while !position.is_over() && record.moves.len() < moves {
            position.legal_moves(&mut legal);
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let m = legal[(state >> 33) as usize % legal.len()];
            record.push(&position, m);
            position.play_unchecked(m, &mut ());
        }
        record.conclude(&position);
    });
    record
}

#[test]
fn opened_records_preserve_all_options_and_replay_completely() {
    let wired = Wired::start(|options| options);
    for options in [
        "ringrift rings=4 lps_rounds=1",
        "ringrift board=square19 players=4 lps_rounds=4 recovery=text",
        "ringrift board=hex8 players=3 variant=base rings=6",
        "ringrift recovery=text rings=5 swap=yes",
        "go size=5 scoring=territory suicide=yes",
        "go size=7 handicap=3 ko=situational komi=-2.5",
    ] {
        let record = game(options, 400);
        assert!(record.moves.len() > 26, "{options}: {} moves", record.moves.len());
        let ask = |path: &str, body: &serde_json::Value| wired.ask("POST", path, &[], &body.to_string());
        let opened = ask("/api/open", &json!({ "text": record.to_line().expect("a line") }));
        assert_eq!(opened.status, Some(200), "{options}: {}", opened.body);
        let opened = opened.json();
        let setup = serde_json::to_value(Options::from(&record.config)).expect("JSON");
        assert_eq!(opened["setup"], setup, "{options}");
        let line = json!({ "setup": opened["setup"], "start": opened["start"], "moves": opened["moves"] });
        let reached = ask("/api/view", &line);
        assert_eq!(reached.status, Some(200), "{options}: {}", reached.body);
        let reached = reached.json();
        assert_eq!(reached["ply"], record.moves.len());
        assert_eq!(
            reached["result"]["winner"].as_u64(),
            record.result.and_then(|result| result.winner).map(|seat| seat as u64)
        );
        // A game can be continued from its positions.
        let first: Vec<_> = record.moves.iter().take(record.moves.len() - 1).collect();
        let seats = vec!["human"; record.config.seats()];
        let begun = ask("/api/games", &json!({ "setup": opened["setup"], "seats": seats, "moves": first }));
        assert_eq!(begun.status, Some(201), "{options}: {}", begun.body);
        assert_eq!(begun.json()["setup"], setup, "{options}");
    }
}
