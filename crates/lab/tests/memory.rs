//! Agents live as long as their game and reuse results of earlier decisions.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::{collections::BTreeMap, ops::ControlFlow, sync::Mutex};

use arena::{Arena, Conditions, Contender, Decision, Results, Schedule};
use game::Game;
use ladder::{Playable, Player, WithoutNet};
use ringrift::{Position, Rules, Square8};
use search::Stop;

type Board = Position<Square8>;

/// A decision and whether it reused earlier results.
struct DecisionSample {
    player: usize,
    /// Whether the previous decision was an opponent's.
    after_opponent: bool,
    /// Whether the agent reused earlier results.
    remembered: bool,
    nodes: u64,
    best: String,
}

/// Plays some games of `spec` against the heuristic and returns its decisions.
fn decisions(spec: &str, remembered: impl Fn(&Decision<'_, Board>) -> bool + Sync) -> Vec<DecisionSample> {
    let start = Board::new(&Rules { rings: Some(4), swap: true, ..Rules::new(2) });
    let player = |spec: &str| Player::new(&spec.parse().unwrap(), start.venue(), WithoutNet::Refuse).unwrap();
    let players = [player(spec), player("heuristic")];
    let looks: Mutex<BTreeMap<u64, Vec<DecisionSample>>> = Mutex::default();
    let contenders =
        players.iter().map(|player| Contender::new(player.limits(), |seed| player.agent(seed))).collect();
    let mut arena = Arena::new(Conditions::new(start, 2), contenders);
    arena.on_decision = Some(Box::new(|decision| {
        let mut looks = looks.lock().unwrap();
        let game = looks.entry(decision.game).or_default();
        game.push(DecisionSample {
            player: decision.player,
            after_opponent: game.last().is_some_and(|last| last.player != decision.player),
            remembered: remembered(decision),
            nodes: decision.report.nodes,
            best: format!("{:?}", decision.report.best),
        });
    }));
    arena
        .play(&Schedule::of_match(2, 8, 5), Results::new(), &Stop::default(), |_| {
            Ok::<_, ()>(ControlFlow::Continue(()))
        })
        .unwrap();
    drop(arena);
    looks.into_inner().unwrap().into_values().flatten().filter(|look| look.player == 0).collect()
}

/// How many decisions reused earlier results: within a turn, and after opponents' decisions.
fn remembered(looks: &[DecisionSample]) -> [usize; 2] {
    [false, true]
        .map(|after| looks.iter().filter(|look| look.remembered && look.after_opponent == after).count())
}

#[test]
fn a_tree_is_reused_within_a_turn_and_after_the_opponents_moves() {
    // Visits beyond this decision's simulations come from earlier ones.
    let inherited = |decision: &Decision<'_, Board>| {
        let visits: u64 = decision.report.candidates.iter().map(|candidate| candidate.visits).sum();
        visits > decision.report.nodes
    };
    let kept = decisions("mcts(sims=200,reuse=yes)", inherited);
    let [in_turn, after_opponent] = remembered(&kept);
    assert!(in_turn > 10 && after_opponent > 2, "{in_turn} within a turn, {after_opponent} after others");
    let fresh = decisions("mcts(sims=200,reuse=no)", inherited);
    assert_eq!(remembered(&fresh), [0, 0]);
}

#[test]
fn the_table_of_descent_is_reused_unless_disabled() {
    let kept_positions = |decision: &Decision<'_, Board>| {
        decision.report.details.iter().any(|&(name, value)| name == "kept" && value > 0.0)
    };
    let kept = decisions("descent(nodes=3000)", kept_positions);
    let [in_turn, after_opponent] = remembered(&kept);
    assert!(in_turn > 10 && after_opponent > 2, "{in_turn} within a turn, {after_opponent} after others");
    let fresh = decisions("descent(nodes=3000,reuse=no)", kept_positions);
    assert_eq!(remembered(&fresh), [0, 0]);
}

#[test]
fn alpha_beta_reuses_its_table_unless_disabled() {
    let nodes = |spec| decisions(spec, |_| false).iter().map(|look| look.nodes).sum::<u64>() as f64;
    let (kept, fresh) = (nodes("minimax(depth=2)"), nodes("minimax(depth=2,reuse=no)"));
    assert!(kept < 0.9 * fresh, "{kept} nodes with a reused table, {fresh} without");
}

#[test]
fn the_same_seeds_give_the_same_game() {
    for spec in ["mcts(sims=60,reuse=yes)", "descent(nodes=100)", "minimax(nodes=300)"] {
        let [one, two] = [(); 2].map(|()| decisions(spec, |_| false));
        assert!(one.iter().map(|look| &look.best).eq(two.iter().map(|look| &look.best)), "{spec}");
    }
}
