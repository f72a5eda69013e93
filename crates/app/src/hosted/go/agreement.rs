//! What players of Go agree on after two passes: which stones are dead.

use game::Game;
use go::{Point, Points, Position, Verdict};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, GameRecord, GameResult, Recorded};

/// Careful playouts behind a proposal.
const PLAYOUTS: u32 = 400;

/// What careful random games say of the stones. The same position always gets the same answer.
fn estimate<P: Points>(position: &Position<P>) -> Verdict<P> {
    Verdict::estimate(position, &mut Xoshiro256PlusPlus::seed_from_u64(position.key()), PLAYOUTS)
}

/// The score if the game ended here, with and without a look at which stones live.
pub(super) fn count<P: Points>(position: &Position<P>) -> String {
    let as_it_stands = position.score(&Verdict::AS_IT_STANDS);
    let verdict = estimate(position);
    if verdict.dead.is_empty() {
        return format!("{as_it_stands}, if the game ended here.");
    }
    let names: Vec<String> = verdict.dead.iter().map(|point| point.to_string()).collect();
    let score = position.score(&verdict);
    format!(
        "{score}, if the game ended here and {} are dead; {as_it_stands} if all stones live.",
        names.join(" ")
    )
}

/// The result with the stones that look dead taken off.
pub(super) fn proposal<P: Points>(position: &Position<P>, plies: u32) -> Option<GameResult> {
    if position.passes() < 2 {
        return position.result(plies);
    }
    Some(agreed(position, &estimate(position), plies))
}

/// The result with the chain at `place` dead if it lived, and alive if it was dead.
pub(super) fn amended<P: Points>(
    position: &Position<P>,
    result: &GameResult,
    place: &str,
) -> Result<GameResult, String> {
    if position.passes() < 2 || result.score.is_none() {
        return Err("Stones are called dead after two passes.".to_owned());
    }
    let set = |names: &[String]| P::of(names.iter().filter_map(|name| Point::parse(name)));
    let board = position.board();
    let point = Point::parse(place).filter(|&point| point.column().max(point.row()) < board.size());
    let point = point.ok_or_else(|| format!("{place:?}: expected a point such as D4."))?;
    let colour = board.colour(point).ok_or_else(|| format!("There is no stone on {point}."))?;
    let chain = P::only(point).flood(board.stones(colour));
    let (dead, seki) = (set(&result.dead), set(&result.seki));
    let dead = if dead.has(point) { dead.without(chain) } else { dead | chain };
    Ok(agreed(position, &Verdict { dead, seki: seki.without(dead) }, result.plies))
}

fn agreed<P: Points>(position: &Position<P>, verdict: &Verdict<P>, plies: u32) -> GameResult {
    let mut record = GameRecord::new("agreement", Config::go(*position.rules()), Vec::new());
    record.agree(position, verdict);
    let result = record.result.expect("an agreement is a result");
    GameResult { plies, ..result }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Setup;
    use go::Small;

    #[test]
    fn a_stone_left_behind_is_proposed_to_be_dead_and_may_live_after_all() {
        let text = "go 5 b komi=0 moves=C1,D1,C2,D2,C3,D3,C4,D4,C5,D5,E3,pass,pass";
        let position = Position::<Small>::from_text(text).unwrap();
        let proposal = proposal(&position, 13).unwrap();
        assert_eq!((proposal.score.as_deref(), &proposal.dead[..]), (Some("B+5"), &["E3".to_owned()][..]));
        let alive = amended(&position, &proposal, "e3").unwrap();
        assert_eq!((alive.score.as_deref(), alive.dead.len(), alive.plies), (Some("B+11"), 0, 13));
        let white = amended(&position, &alive, "D2").unwrap();
        assert_eq!((white.score.as_deref(), white.dead.len()), (Some("B+25"), 5));
        assert!(amended(&position, &alive, "A1").unwrap_err().contains("no stone"));
        assert!(amended(&position, &alive, "J9").unwrap_err().contains("expected a point"));
    }
}
