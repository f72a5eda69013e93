use game::Seat;
use search::{Limits, Stop};

use super::{configs, seated, small_go, square8};
use crate::{HostedGame, Status, view::ReportView};

/// Lets the agent to move think within `nodes` and plays its move.
fn decide(game: &mut dyn HostedGame, nodes: u64) -> Option<ReportView> {
    let mut thinker = game.thinker()?;
    let report = thinker.think(&Limits::nodes(nodes), usize::MAX, &Stop::default(), &mut |_| ());
    game.play_report(&report).unwrap();
    Some(report)
}

/// The moves of a game in which agents make this many decisions.
fn played(game: &mut dyn HostedGame, decisions: usize, nodes: u64) -> Vec<String> {
    for _ in 0..decisions {
        game.play_bookkeeping();
        if decide(game, nodes).is_none() {
            break;
        }
    }
    game.plies().iter().map(|ply| ply.text.clone()).collect()
}

/// Agents of every kind, with settings that use random numbers or state between decisions.
const KINDS: [&str; 8] = [
    "random",
    "heuristic",
    "minimax",
    "descent",
    "mcts(widen=2:0.5,noise=0.3:0.25)",
    "mcts(reuse=yes)",
    "mcts(reuse=yes,temperature=1,leaves=rollout)",
    "gumbel",
];

#[test]
fn the_same_seeds_give_the_same_game() {
    for kind in KINDS {
        for config in configs().into_iter().filter(|config| config.to_string() != "hexagonal") {
            let game = |seed| {
                let mut game = seated(crate::open(&config).unwrap(), &[kind, kind], seed);
                played(game.as_mut(), 8, 60)
            };
            assert_eq!(game(1), game(1), "{kind} on {config}");
        }
    }
    let random = |seed| played(seated(square8(), &["random", "random"], seed).as_mut(), 12, 1);
    assert_ne!(random(1), random(2), "the seed matters");
}

#[test]
fn the_search_tree_is_reused_in_the_next_decision() {
    // In RingRift, a turn of the agent may consist of several decisions.
    for game in [small_go(), square8()] {
        let mut game = seated(game, &["mcts(reuse=yes,leaves=rollout)", "random"], 1);
        let mut reused = 0;
        for _ in 0..12 {
            game.play_bookkeeping();
            if game.status() != Status::Playing {
                break;
            }
            let report = decide(game.as_mut(), 3_000).unwrap();
            let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
            reused += u64::from(report.engine == "mcts" && visits > report.nodes + 1);
        }
        assert!(reused >= 2, "{}: {reused} decisions reused earlier results", game.title());
    }
}

#[test]
fn tables_are_reused_in_the_next_decision() {
    // Compare with a new agent in the same position.
    let mut saved = 0;
    let mut game = seated(square8(), &["descent", "descent"], 1);
    for _ in 0..10 {
        game.play_bookkeeping();
        let player = game.participants()[0].player().unwrap().clone();
        let limits = Limits::nodes(300);
        let fresh = game.analyse(&player, &limits, 1, 1, &Stop::default(), &mut |_| ()).unwrap();
        let lived = decide(game.as_mut(), 300).unwrap();
        saved += u64::from(lived.details.get("kept") > fresh.details.get("kept"));
    }
    assert!(saved >= 2, "{saved} decisions reused earlier results");
}

#[test]
fn an_agent_may_think_while_the_game_is_undone() {
    let mut game = seated(small_go(), &["human", "mcts(sims=30,reuse=yes)"], 1);
    game.play("C3").unwrap();
    let (mut thinker, revision) = (game.thinker().unwrap(), game.revision());
    assert!(game.undo_decision());
    let report = thinker.think(&Limits::nodes(30), 1, &Stop::default(), &mut |_| ());
    assert!(!report.best.is_empty());
    assert_ne!(game.revision(), revision, "the report is about another position");
    game.play("D3").unwrap();
    assert!(!game.thinker().unwrap().slot().is_alive(), "the state of the agent is dropped with the moves");
}

#[test]
fn a_dropped_agent_is_rebuilt_deterministically() {
    let rebuilt = |dropped: bool| {
        let mut game = seated(small_go(), &["random", "random"], 9);
        played(game.as_mut(), 6, 1);
        if dropped {
            game.drop_agents();
        }
        played(game.as_mut(), 6, 1)
    };
    assert_eq!(rebuilt(true), rebuilt(true));
    assert_ne!(rebuilt(true), rebuilt(false), "a rebuilt agent has another seed");
    let reopened = || {
        let mut first = seated(small_go(), &["random", "random"], 9);
        played(first.as_mut(), 6, 1);
        let mut game = seated(small_go(), &["random", "random"], 9);
        game.restore(first.plies().to_vec()).unwrap();
        played(game.as_mut(), 6, 1)
    };
    assert_eq!(reopened(), rebuilt(true), "reopening drops them as well");
}

#[test]
fn agents_are_alive_from_their_first_decision_to_the_end_of_the_game() {
    let mut game = seated(small_go(), &["mcts(sims=30)", "human"], 1);
    let slot = game.thinker().unwrap().slot();
    assert!(!slot.is_alive(), "nothing is built before it is needed");
    decide(game.as_mut(), 30).unwrap();
    assert!(slot.is_alive());
    assert!(slot.drop_agent() && !slot.is_alive());
    game.play("pass").unwrap();
    decide(game.as_mut(), 30).unwrap();
    assert!(slot.is_alive(), "built again");
    game.forfeit(game::ForfeitKind::Resignation);
    drop(slot);
    assert!(game.undo_decision());
    assert!(game.occupant(Seat::FIRST).unwrap().player().is_some());
    game.play("pass").unwrap();
    assert!(!game.thinker().unwrap().slot().is_alive(), "agents are dropped once the game is over");
}
