//! Static evaluation of Go positions.
//!
//! The value is an estimate of the final area in points: stones in danger of capture, empty points by the nearer
//! colour, and small bonuses for liberties and eyes. `danger` assesses chains and `ground` empty points.
//!
//! Deliberately absent: patterns, opening knowledge, seki, and fights between several chains. A one-ply search with
//! this evaluator plays like a beginner who does not overlook ataris.

mod danger;
mod ground;
#[cfg(test)]
mod tests;

use game::{Game, StaticEvaluator, Values, identity_of};
use go::{Board, Colour, Points, Position, Scoring, Verdict};

/// The static evaluator for Go, on boards of any size.
///
/// There are no personas, unlike for RingRift. Values are zero-sum. After one pass, the mover's value is at least the
/// result of ending the game with another pass, so that no player passes while behind. Once unconditional life decides
/// the game, the loser passes instead of filling the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GoHeuristic;

/// Values of liberties and eyes, in points.
const LIBERTY: f32 = 0.1;
const EYE: f32 = 0.4;

impl GoHeuristic {
    /// The largest value of an unfinished game.
    pub const MOST: f32 = 0.999;
    /// The value of games that unconditional life has decided; undecided games have smaller values.
    const DECIDED: f32 = 0.99;
    /// The weight of the lead in decided games.
    const NUANCE: f32 = 0.004;

    /// Black's expected lead in points, including komi, in an unfinished game.
    pub fn lead<P: Points>(position: &Position<P>) -> f32 {
        Self::expected(position, &kept(position.board()))
    }

    fn expected<P: Points>(position: &Position<P>, kept: &[P; 2]) -> f32 {
        let board = position.board();
        let threats = danger::threats(board, position.turn(), *kept);
        let (cleared, _) = board.cleared(threats.lost);
        let mut lead =
            ground::lead(&cleared) - threats.doubtful - position.rules().komi.half_points() as f32 / 2.0;
        for colour in Colour::BOTH {
            let liberties = cleared.liberties(cleared.stones(colour)).len() as f32;
            let eyes = cleared.eyes(colour).len() as f32;
            lead += sign(colour) * (LIBERTY * liberties + EYE * eyes);
        }
        if position.rules().scoring == Scoring::Territory {
            // Territory scoring counts prisoners instead of stones; a stone that counts as captured is both a point and
            // a prisoner.
            let prisoners = position.prisoners();
            for colour in Colour::BOTH {
                let stones = board.stones(colour).len() + prisoners[colour.index()];
                lead -= sign(colour) * stones as f32;
            }
        }
        lead
    }

    fn value_of_black<P: Points>(position: &Position<P>) -> f32 {
        let mover = position.turn();
        let passed = position.passes() > 0;
        let kept = kept(position.board());
        let points = position.board().points().len() as f32;
        let value = squash(Self::expected(position, &kept) / points.sqrt());
        let value = match decided(position, &kept) {
            // A pass is the best move for the loser.
            Some(winner) if passed && winner == mover => return sign(winner) * Self::DECIDED,
            Some(winner) => sign(winner) * (Self::MOST + Self::DECIDED) / 2.0 + Self::NUANCE * value,
            None => value * Self::DECIDED,
        };
        if !passed {
            return value;
        }
        match position.score(&Verdict::AS_IT_STANDS).winner() {
            Some(winner) if winner == mover => sign(mover) * Self::MOST,
            Some(_) => value,
            None => sign(mover) * (sign(mover) * value).max(0.0),
        }
    }
}

/// The unconditional territory of each colour, including its stones.
fn kept<P: Points>(board: &Board<P>) -> [P; 2] {
    Colour::BOTH.map(|colour| board.unconditional_life(colour).area())
}

/// The colour that wins by its unconditional territory alone.
fn decided<P: Points>(position: &Position<P>, kept: &[P; 2]) -> Option<Colour> {
    if position.rules().scoring != Scoring::Area {
        return None;
    }
    let points = position.board().points().len() as i32;
    let komi = position.rules().komi.half_points();
    let least = |colour: Colour| 2 * (2 * kept[colour.index()].len() as i32 - points);
    if least(Colour::Black) > komi {
        Some(Colour::Black)
    } else if least(Colour::White) > -komi {
        Some(Colour::White)
    } else {
        None
    }
}

/// +1 for Black, −1 for White.
fn sign(colour: Colour) -> f32 {
    match colour {
        Colour::Black => 1.0,
        Colour::White => -1.0,
    }
}

/// An odd, increasing function with slope 1 at 0 and limits ±1, which gives the same bits on every machine.
fn squash(lead: f32) -> f32 {
    lead / (1.0 + lead.abs())
}

impl<P: Points> StaticEvaluator<Position<P>> for GoHeuristic {
    fn values(&mut self, position: &Position<P>) -> Values {
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let black = Self::value_of_black(position);
        let mut values = Values::default();
        values.0[Colour::Black.index()] = black;
        values.0[Colour::White.index()] = -black;
        values
    }

    fn identity(&self) -> Option<u64> {
        Some(identity_of("go heuristic"))
    }
}
