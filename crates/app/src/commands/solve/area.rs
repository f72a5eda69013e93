//! Go: the difference in area under best play.

use game::{Notation, Setup};
use go::{
    Ko, Position, Rules, Score, Scoring, Small,
    solve::{OutOfNodes, Solution},
};
use host::HostedGame;
use serde_json::{Value, json};

use super::Proof;
use crate::failure::ErrorWithHint;

/// The largest board that the solver accepts.
const LARGEST: u8 = 7;

pub(super) fn prove(game: &dyn HostedGame, max_nodes: u64) -> anyhow::Result<Proof> {
    let rules = game.as_go().expect("the config is one of Go").rules();
    if rules.size > LARGEST {
        let message = format!("a board of size {}: expected a size from 2 to {LARGEST}", rules.size);
        return Err(ErrorWithHint::error(message, "riftlab analyze estimates larger boards"));
    }
    if rules.scoring == Scoring::Territory {
        let message = "territory scoring: expected area scoring, which the solver proves";
        return Err(ErrorWithHint::error(
            message,
            "remove --scoring territory, or score=territory from the position",
        ));
    }
    let position = Position::<Small>::from_text(&game.text()).expect("a game has a valid position");
    let value = |area: i32| (margin(Score::from_half_points(2 * area)), fields(area, rules));
    let mut conditions = vec![format!(
        "By area scoring without komi, {} ko rule, suicide {}.",
        rules.ko.name(),
        allowed(rules.suicide)
    )];
    match Solution::of(&position, max_nodes) {
        Ok(solution) => {
            let komi = 2 * solution.value - rules.komi.half_points();
            conditions.push(format!("With komi {}: {}.", rules.komi, margin(Score::from_half_points(komi))));
            conditions.push(method(&solution));
            let moves = solution.moves.iter().map(|&(m, area)| (position.move_text(m), area.map(value)));
            let (moves, nodes) = (moves.collect(), solution.nodes);
            Ok(Proof { value: Some(value(solution.value)), moves, conditions, nodes })
        }
        Err(OutOfNodes(nodes)) => {
            if rules.size == 4 && rules.ko != Ko::Situational {
                conditions
                    .push("With --ko situational, a table of all boards decides most positions.".to_owned());
            }
            Ok(Proof { value: None, moves: Vec::new(), conditions, nodes })
        }
    }
}

/// How a solution was found, and what it assumes.
fn method(solution: &Solution) -> String {
    let search = "search with the full history";
    match solution.table {
        None => format!("Proven by {search}."),
        Some(boards) if !solution.assumes_no_ko_cycle => {
            format!("Proven by {search}, with moves ordered by a table of {boards} boards up to symmetry.")
        }
        Some(boards) => format!(
            "Proven by {search} that stops where a table of {boards} boards up to symmetry decides. This holds if \
             neither side needs a cycle in which a ko is retaken and the board from before the retake recurs."
        ),
    }
}

fn fields(area: i32, rules: Rules) -> Value {
    json!({ "area": area, "score": f64::from(2 * area - rules.komi.half_points()) / 2.0 })
}

/// The winner and the margin: `Black wins by 2`.
fn margin(score: Score) -> String {
    let text = score.to_string();
    match text.split_once('+') {
        Some(("B", points)) => format!("Black wins by {points}"),
        Some((_, points)) => format!("White wins by {points}"),
        None => "a tie".to_owned(),
    }
}

fn allowed(allowed: bool) -> &'static str {
    if allowed { "allowed" } else { "forbidden" }
}
