//! `riftlab gtp`: scripted sessions and games against other engines.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use game::{ForfeitKind, Game};
use go::{Colour, Medium, Position, Rules, Small};
use gtp::{External, ExternalOptions};
use search::{Agent, Limits, Stop};
use support::{riftlab, typed};

/// The responses of `riftlab gtp` with these arguments to `input`.
fn session(arguments: &[&str], input: &str) -> String {
    typed(&[&["gtp"], arguments].concat(), input).success()
}

#[test]
fn a_session_over_pipes() {
    let said = session(
        &["--agent", "mcts(sims=50,leaves=rollout,select=uct)", "--size", "5", "--komi", "0.5"],
        "1 name\n2 query_boardsize\nget_komi\nriftlab-agent\nplay b C3\n9 genmove w\nriftlab-agent random\nfoo\nquit\nname\n",
    );
    let replies: Vec<&str> = said.split_terminator("\n\n").collect();
    assert_eq!(replies[..3], ["=1 riftlab", "=2 5", "= 0.5"]);
    assert!(replies[3].starts_with("= mcts(sims=50,leaves=rollout"), "{said}");
    assert!(replies[5].starts_with("=9 "), "{said}");
    assert_eq!(replies[6..], ["=", "? unknown command", "="], "nothing follows quit");
}

#[test]
fn invalid_agents_and_sizes_are_refused() {
    assert!(riftlab(&["gtp", "--agent", "robot"]).failure().contains("robot"));
    riftlab(&["gtp", "--size", "20"]).failure();
    riftlab(&["gtp", "--resign", "2"]).failure();
    let said = session(
        &["--agent", "heuristic", "--rules", "japanese"],
        "get_komi\nriftlab-agent gtp(\"no-such-program\")\nriftlab-agent mcts(sims=0)\nriftlab-agent\n",
    );
    let replies: Vec<&str> = said.split_terminator("\n\n").collect();
    assert_eq!(replies[0], "= 6.5");
    assert!(replies[1].starts_with("? gtp(\"no-such-program\") cannot play"), "{said}");
    assert!(replies[2].starts_with("? ") && replies[3] == "= heuristic", "{said}");
}

#[test]
fn katago_s_analysis_protocol_is_served_over_pipes() {
    let query = r#"{"id":"QUERY:1","rules":"chinese","komi":7.5,"boardXSize":5,"boardYSize":5,"maxVisits":30,
        "moves":[["B","C3"]],"analyzeTurns":[0,1],"includeOwnership":true}"#;
    let input =
        format!("{}\n{{\"id\":\"v\",\"action\":\"query_version\"}}\nnonsense\n", query.replace('\n', ""));
    let said = typed(&["analyze", "--protocol", "kata", "--threads", "2"], &input).success();
    assert_eq!(said.lines().count(), 4, "{said}");
    assert_eq!(said.matches("\"moveInfos\"").count(), 2, "{said}");
    assert!(
        said.contains("\"version\":\"riftlab ") && said.contains("\"error\":\"could not parse"),
        "{said}"
    );
}

/// Plays a game between two engines and returns the winner. Either may resign, but neither may fail.
fn winner<P: go::Points>(rules: Rules, black: &str, white: &str) -> Option<Colour> {
    let mut players = [black, white].map(|line| External::new(line, ExternalOptions::default()));
    let mut position = Position::<P>::new(&rules);
    while !position.is_over() {
        let player = &mut players[position.turn().index()];
        let report = player.think(&position, &Limits::nodes(0), &Stop::default());
        if let Some(forfeit) = report.forfeit {
            assert_eq!(forfeit.kind, ForfeitKind::Resignation, "{}: {position:?}", forfeit.message);
            return Some(position.turn().other());
        }
        position.play(report.best).unwrap();
        assert!(position.moves_played() < 400, "the game does not end: {position:?}");
    }
    position.score(&go::Verdict::AS_IT_STANDS).winner()
}

fn ours(agent: &str) -> String {
    format!("{} gtp --seed 1 --agent '{agent}'", env!("CARGO_BIN_EXE_riftlab"))
}

#[test]
fn our_engine_plays_itself_through_the_protocol() {
    let strong = ours("mcts(sims=200,leaves=rollout,select=uct)");
    assert_eq!(winner::<Small>(Rules::new(5), &strong, &ours("random")), Some(Colour::Black));
    assert_eq!(winner::<Medium>(Rules::new(9), &ours("random"), &strong), Some(Colour::White));
}

#[test]
fn our_engine_and_gnu_go_play_each_other() {
    let gnu_go =
        "gnugo --mode gtp --chinese-rules --positional-superko --capture-all-dead --level 1 --seed 1";
    if gtp::Program::start(gnu_go, ExternalOptions::default().startup).is_err() {
        return;
    }
    assert_eq!(winner::<Medium>(Rules::new(9), gnu_go, &ours("random")), Some(Colour::Black));
    // The winner does not matter here.
    winner::<Small>(Rules::new(5), &ours("mcts(sims=200,leaves=rollout,select=uct)"), gnu_go);
}
