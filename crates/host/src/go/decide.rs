//! Chooses the move to play after an agent's report: decides when to pass, and avoids pointless moves.
//!
//! Searches score a game as it stands after two passes. This module also requires a win after the removal of dead stones
//! before it ends a game, since people and other programs may score so.

use go::{Board, Colour, Move, Points, Position, Scoring, Verdict};
use search::Report;

use super::Estimate;

/// The move to play at `position` after an agent's report.
///
/// A pass, if it wins the game at once, if the points owned unconditionally are enough to win, or if every other move is
/// pointless. Otherwise the agent's choice, unless that is pointless, or a pass that would lose a game that the agent
/// evaluates as won. During `cleanup`, dead stones of the opponent are captured before passing.
pub(super) fn decide<P: Points>(
    position: &Position<P>,
    report: &Report<Move>,
    cleanup: bool,
    estimate: &mut Estimate<'_>,
) -> Move {
    let colour = position.turn();
    let useful = useful(position);
    let is_useful = |m: Move| m.point().is_some_and(|point| useful.has(point));
    let preferred = || report.candidates.iter().map(|candidate| candidate.m).find(|&m| is_useful(m));
    let Some(best_stone) = std::iter::once(report.best).find(|&m| is_useful(m)).or_else(preferred) else {
        return Move::PASS;
    };
    if cleanup {
        let dead = estimate.of(position).dead & position.board().stones(colour.other());
        return if dead.is_empty() { Move::PASS } else { best_stone };
    }
    let wins = |verdict: &Verdict<P>| position.score(verdict).winner() == Some(colour);
    if position.passes() > 0 && ends_well(position, wins, estimate) || is_won(position) {
        return Move::PASS;
    }
    if report.best != Move::PASS {
        return best_stone;
    }
    let believes = report.values.is_some_and(|values| values.of(colour.seat()) > 0.0);
    if position.passes() > 0 && believes { best_stone } else { Move::PASS }
}

/// Whether the game may end here: it is won both as it stands and after the removal of dead stones.
fn ends_well<P: Points>(
    position: &Position<P>,
    wins: impl Fn(&Verdict<P>) -> bool,
    estimate: &mut Estimate<'_>,
) -> bool {
    let area = position.rules().scoring == Scoring::Area;
    (!area || wins(&Verdict::AS_IT_STANDS)) && wins(&estimate.of(position))
}

/// Whether the points that the mover owns unconditionally win by area, even if all others are the opponent's.
fn is_won<P: Points>(position: &Position<P>) -> bool {
    let (board, colour) = (position.board(), position.turn());
    if position.rules().scoring != Scoring::Area {
        return false;
    }
    let life = board.unconditional_life(colour);
    // A region that contains enemy stones does not count for either colour.
    let intruded = (board.stones(colour.other()) & life.territory).flood(life.territory);
    let ours = life.area().without(intruded).len() as i32;
    let all = board.points().len() as i32;
    let komi = position.rules().komi.half_points();
    let komi = if colour == Colour::Black { komi } else { -komi };
    2 * (2 * ours - all) > komi
}

/// The legal points where a stone may matter: neither in an own eye nor in settled territory.
fn useful<P: Points>(position: &Position<P>) -> P {
    let (board, colour): (&Board<P>, Colour) = (position.board(), position.turn());
    let enemy = board.unconditional_life(colour.other());
    let own = board.unconditional_life(colour);
    // Enemy stones in own territory may have to be captured if the game is scored as it stands.
    let intruded = (board.stones(colour.other()) & own.territory).flood(own.territory);
    let settled = own.territory.without(intruded) | enemy.territory;
    position.legal_points().without(settled).without(board.eyes(colour))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Notation, Values};
    use go::{Komi, Rules, Small, Start};
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
    use search::Candidate;

    /// The decision after `passes` passes from Black to move, if the agent prefers `best`.
    fn decided(drawing: &str, passes: usize, best: &str, value: f32, cleanup: bool) -> String {
        let board = Board::<Small>::from_drawing(drawing).unwrap();
        let rules = Rules { komi: Komi::from_half_points(1), ..Rules::new(board.size() as u8) };
        let to_move = if passes == 1 { Colour::White } else { Colour::Black };
        let start = Start { board, to_move, prisoners: [0; 2] };
        let mut position = Position::set_up(&rules, &start).unwrap();
        (0..passes).for_each(|_| position.play(Move::PASS).unwrap());
        let best = position.parse_move(best).unwrap();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        legal.sort_by_key(|&m| m != best);
        let report = Report {
            values: Some(Values([value, -value, 0.0, 0.0])),
            ..Report::new("test", legal.into_iter().map(Candidate::new).collect())
        };
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(1);
        let m = decide(&position, &report, cleanup, &mut Estimate { playouts: 400, rng });
        assert!(position.is_legal(m));
        m.to_string()
    }

    /// Black is alive with 15 points of 25, White with 10.
    const SPLIT: &str = ". X . X X\nX X X X X\nX X X X X\nO O O O O\n. O . O O";

    #[test]
    fn an_unconditionally_won_game_is_passed() {
        assert_eq!(decided(SPLIT, 0, "A5", 0.9, false), "pass");
        assert_eq!(decided(SPLIT, 1, "A1", 0.9, false), "pass");
    }

    /// Black has the larger part, but no unconditionally alive group.
    const OPEN: &str = ". . . . .\n. . . . .\nX X X X X\nO O O O O\n. . . . .";

    #[test]
    fn an_opponents_pass_is_answered_where_that_wins() {
        assert_eq!(decided(OPEN, 1, "B5", 0.9, false), "pass");
        assert_eq!(decided(OPEN, 0, "B5", 0.9, false), "B5");
    }

    #[test]
    fn a_pass_that_loses_a_won_game_is_not_played() {
        // White counts more as it stands.
        let behind = ". . . . .\nX X X X X\nO O O O O\n. . . . .\n. . . . .";
        assert_ne!(decided(behind, 1, "pass", 0.5, false), "pass");
        assert_eq!(decided(behind, 1, "pass", -0.5, false), "pass");
        assert_eq!(decided(behind, 0, "pass", 0.5, false), "pass");
    }

    #[test]
    fn own_eyes_are_not_filled_and_settled_territory_is_avoided() {
        let eyes = ". X . X O\nX X X X O\nO O O O O\n. O . O .\nO O O O O";
        assert_eq!(decided(eyes, 0, "A5", 0.0, false), "pass", "there is no other useful move");
        let choice = decided(". X . X O\nX X X X O\nO O O O O\n. . . O .\n. . . O O", 0, "A5", 0.0, false);
        assert!(choice != "A5" && choice != "C5", "{choice}");
    }

    #[test]
    fn dead_stones_are_captured_in_the_cleanup() {
        let dead = ". X . O X\nX X X X X\nX X X X X\nX X X X X\n. X . X .";
        assert_eq!(decided(dead, 0, "A5", 0.9, true), "C5");
        assert_eq!(decided(SPLIT, 0, "A5", 0.9, true), "pass");
    }
}
