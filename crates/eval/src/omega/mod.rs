//! Go evaluated by the pair of networks that learn from each other: a value of the board and a map of moves.
//!
//! | planes | per point |
//! |---|---|
//! | 0–2 | own stone, empty, the opponent's stone |
//! | 3–5 | own chain with 1, 2, more liberties |
//! | 6–8 | the opponent's chain with 1, 2, more liberties |
//! | 9 | sensible move: legal, and does not fill an own eye |
//! | 10 | 1 |
//! | 11 | komi for the seat to move, ÷ points; 0 in a game without komi |
//!
//! Everything is relative to the seat to move, and so is the value: +1 if that seat wins.

mod evaluator;
mod nets;
#[cfg(test)]
mod tests;

use ::go::{Colour, Points, Position, Scoring};

pub use evaluator::{OmegaEvaluator, OmegaReader};
pub use nets::{OmegaError, OmegaKernels, OmegaNets};

/// Numbers per point.
pub const OMEGA_PLANES: usize = 12;

/// The points where a stone may be played and does not fill an own eye.
pub fn sensible<P: Points>(position: &Position<P>) -> P {
    position.legal_points().without(position.board().eyes(position.turn()))
}

/// Appends the planes of a position, of which `sensible` are the sensible moves.
pub fn omega_planes<P: Points>(position: &Position<P>, sensible: P, planes: &mut Vec<f32>) {
    let (board, own) = (position.board(), position.turn());
    let size = board.size();
    let first = planes.len();
    planes.resize(first + size * size * OMEGA_PLANES, 0.0);
    let rules = position.rules();
    // Komi is White's.
    let sign = if own == Colour::White { 0.5 } else { -0.5 };
    let komi = sign * rules.komi.half_points() as f32 / (size * size) as f32;
    let planes = &mut planes[first..];
    for cell in planes.chunks_exact_mut(OMEGA_PLANES) {
        (cell[10], cell[11]) = (1.0, komi);
    }
    let mut mark = |points: P, plane: usize| {
        points
            .iter()
            .for_each(|point| planes[(point.row() * size + point.column()) * OMEGA_PLANES + plane] = 1.0);
    };
    mark(board.empty(), 1);
    for (index, colour) in [own, own.other()].into_iter().enumerate() {
        mark(board.stones(colour), 2 * index);
        for (class, stones) in board.by_liberties(colour).into_iter().enumerate() {
            mark(stones, 3 + 3 * index + class);
        }
    }
    mark(sensible, 9);
}

/// Black's result if unconditional life leaves no doubt about it: 1 or −1. Only areas can be counted in advance.
pub fn decided<P: Points>(position: &Position<P>) -> Option<f32> {
    let board = position.board();
    let (points, stones) = (board.points().len() as i32, board.points().without(board.empty()).len() as i32);
    // Chains with two eyes do not fit on an emptier board.
    if 2 * stones < points || position.rules().scoring != Scoring::Area {
        return None;
    }
    let komi = position.rules().komi.half_points();
    let [black, white] = Colour::BOTH.map(|colour| board.unconditional_life(colour).area().len() as i32);
    if 2 * (2 * black - points) > komi {
        return Some(1.0);
    }
    (2 * (points - 2 * white) < komi).then_some(-1.0)
}
