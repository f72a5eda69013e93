//! An agent lives as long as its game: what it found out is there at its next decision, whoever moved in between.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::{collections::BTreeMap, ops::ControlFlow, sync::Mutex};

use arena::{Arena, Conditions, Contender, Decision, Results, Schedule};
use game::{Game, Seat};
use ladder::{Playable, Player, WithoutNet};
use ringrift::{Position, Rules, Square8};
use search::Stop;

type Board = Position<Square8>;

/// A decision of the agent that is looked at.
struct Look {
    /// The seat, and how many moves were played before.
    seat: Seat,
    ply: usize,
    /// Whether a decision of the same seat came right before, so that it is the same turn.
    same_turn: bool,
    /// Whether the agent made use of what it knew.
    remembered: bool,
    nodes: u64,
    best: String,
}

/// Plays some games of `spec` against random play and looks at its decisions.
fn decisions(spec: &str, remembered: impl Fn(&Decision<'_, Board>) -> bool + Sync) -> Vec<Look> {
    let start = Board::new(&Rules { rings: Some(4), swap: true, ..Rules::new(2) });
    let player = |spec: &str| Player::new(&spec.parse().unwrap(), start.venue(), WithoutNet::Refuse).unwrap();
    let players = [player(spec), player("random")];
    let looks: Mutex<BTreeMap<u64, Vec<Look>>> = Mutex::default();
    let contenders =
        players.iter().map(|player| Contender::new(player.limits(), |seed| player.agent(seed))).collect();
    let mut arena = Arena::new(Conditions::new(start, 2), contenders);
    arena.on_decision = Some(Box::new(|decision| {
        let mut looks = looks.lock().unwrap();
        let game = looks.entry(decision.game).or_default();
        if decision.player == 0 {
            let look = Look {
                seat: decision.seat,
                ply: decision.ply,
                same_turn: game
                    .last()
                    .is_some_and(|last| last.seat == decision.seat && last.ply + 1 == decision.ply),
                remembered: remembered(decision),
                nodes: decision.report.nodes,
                best: format!("{:?}", decision.report.best),
            };
            game.push(look);
        }
    }));
    arena
        .play(&Schedule::of_match(2, 8, 5), Results::new(), &Stop::default(), |_| {
            Ok::<_, ()>(ControlFlow::Continue(()))
        })
        .unwrap();
    drop(arena);
    looks.into_inner().unwrap().into_values().flatten().collect()
}

fn count(looks: &[Look], same_turn: bool) -> usize {
    looks.iter().filter(|look| look.remembered && look.same_turn == same_turn).count()
}

#[test]
fn a_tree_is_used_again_within_a_turn_and_after_the_opponents_moves() {
    // Visits that this decision did not pay for were paid for by earlier ones.
    let inherited = |decision: &Decision<'_, Board>| {
        let visits: u64 = decision.report.candidates.iter().map(|candidate| candidate.visits).sum();
        visits > decision.report.nodes
    };
    let kept = decisions("mcts(sims=200,reuse=yes)", inherited);
    assert!(
        count(&kept, true) > 10 && count(&kept, false) > 10,
        "{} {}",
        count(&kept, true),
        count(&kept, false)
    );
    let fresh = decisions("mcts(sims=200,reuse=no)", inherited);
    assert_eq!(count(&fresh, true) + count(&fresh, false), 0);
}

#[test]
fn the_table_of_descent_is_used_again_unless_it_is_told_to_forget() {
    let kept_positions = |decision: &Decision<'_, Board>| {
        decision.report.details.iter().any(|&(name, value)| name == "kept" && value > 0.0)
    };
    let kept = decisions("descent(nodes=300)", kept_positions);
    assert!(
        count(&kept, true) > 10 && count(&kept, false) > 10,
        "{} {}",
        count(&kept, true),
        count(&kept, false)
    );
    let fresh = decisions("descent(nodes=300,reuse=no)", kept_positions);
    assert_eq!(count(&fresh, true) + count(&fresh, false), 0);
}

#[test]
fn alpha_beta_pays_less_for_what_it_has_seen_unless_it_is_told_to_forget() {
    let nodes = |spec| decisions(spec, |_| false).iter().map(|look| look.nodes).sum::<u64>() as f64;
    let (kept, fresh) = (nodes("minimax(depth=2)"), nodes("minimax(depth=2,reuse=no)"));
    assert!(kept < 0.9 * fresh, "{kept} nodes with a table that is kept, {fresh} without");
}

#[test]
fn a_game_played_again_with_the_same_seeds_is_the_same_game() {
    for spec in ["mcts(sims=60,reuse=yes)", "descent(nodes=100)", "minimax(nodes=300)"] {
        let [one, two] = [(); 2].map(|()| decisions(spec, |_| false));
        assert!(one.iter().map(|look| &look.best).eq(two.iter().map(|look| &look.best)), "{spec}");
    }
}
