//! Scoring positions of Go without looking ahead.
//!
//! An estimate of the final area, in points: whose stones are as good as taken, who is nearer to the empty points, and
//! a little for liberties and eyes. `danger` looks at chains, `ground` at empty points.
//!
//! What is deliberately absent: patterns, the opening, seki, fights of more than one chain. One ply over this plays like
//! a beginner who does not overlook ataris.

mod danger;
mod ground;
#[cfg(test)]
mod tests;

use game::{Game, StaticEvaluator, Values, identity_of};
use go::{Board, Colour, Points, Position, Scoring, Verdict};

/// Scores positions of Go, on boards of any size.
///
/// It has one style: personas belong to RingRift. Values are zero-sum. With one pass played, whoever could end the
/// game by another one has at least what that would bring, so that nobody passes while behind; and once unconditional
/// life decides the game, the loser passes rather than fill the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GoHeuristic;

/// Values of liberties and eyes, in points.
const LIBERTY: f32 = 0.1;
const EYE: f32 = 0.4;

impl GoHeuristic {
    /// The largest value of a game that goes on.
    pub const MOST: f32 = 0.999;
    /// Games that unconditional life has decided are worth more.
    const DECIDED: f32 = 0.99;
    /// How much the lead counts in those.
    const NUANCE: f32 = 0.004;

    /// By how many points Black is expected to lead, the komi included. Of a game under way.
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
            // Stones on the board do not count, those taken do; stones as good as taken count as both.
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
            // What the loser's pass is worth: little, and more than any stone.
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

/// What each colour keeps whatever happens.
fn kept<P: Points>(board: &Board<P>) -> [P; 2] {
    Colour::BOTH.map(|colour| board.unconditional_life(colour).area())
}

/// Who wins by what is kept alone.
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

/// Points of Black count up, those of White down.
fn sign(colour: Colour) -> f32 {
    match colour {
        Colour::Black => 1.0,
        Colour::White => -1.0,
    }
}

/// Odd, rising, with slope 1 at 0 and limits ±1, and the same bits on every machine.
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
