//! Playouts: random games to the end.
//!
//! A [`PlayoutBoard`] maintains chains and neighbour counts incrementally, so that a random move costs a few hundred
//! instructions. It applies only the simple ko rule and forbids suicide, so a playout is an estimate, whatever the
//! rules of the game. [`Playouts`] choose moves uniformly and are as fast as possible. [`CarefulPlayouts`] reply to the
//! last move and avoid self-atari, which makes them slower and more informative. There is no mercy rule.

mod careful;
mod compact;
mod nakade;
mod pattern;
mod playout_board;
mod priors;
mod reading;
mod reply;
mod self_atari;
mod sized_board;
mod two_liberties;

use rand::Rng;

pub use careful::CarefulPlayouts;
pub use playout_board::PlayoutBoard;
pub use priors::move_priors;

use self::{
    compact::Compact,
    sized_board::{SizedBoard, with_board},
};
use crate::{Board, Colour, Points, Position};

/// The result of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutResult {
    /// Black's area minus White's.
    pub area: i32,
    /// The number of moves played, passes included.
    pub moves: u32,
}

/// Uniformly random playouts from one position.
///
/// ```
/// use game::Game;
/// use go::{Playouts, Position, Rules};
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// let playouts = Playouts::new(&Position::<go::Large>::new(&Rules::new(9)));
/// let finished = playouts.run(&mut rng);
/// assert!(finished.area.abs() <= 81 && finished.moves <= 3 * 81);
/// ```
#[derive(Clone)]
pub struct Playouts(SizedBoard<Compact>);

impl Playouts {
    /// Playouts that continue from this position.
    pub fn new<P: Points>(position: &Position<P>) -> Self {
        let mut playouts = Self::from_board(position.board(), position.turn());
        let banned = position.banned_ko();
        with_board!(&mut playouts.0, board => board.resume(banned, position.passes()));
        playouts
    }

    /// Playouts from these stones, without any history.
    pub fn from_board<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        Self(if board.size() <= Compact::LARGEST {
            SizedBoard::Small(Compact::from_board(board, to_move))
        } else {
            SizedBoard::large(board, to_move)
        })
    }

    /// Runs one playout. Each move is chosen uniformly among the legal points that do not fill an own eye, until both
    /// colours pass or three moves per point of the board have been played.
    pub fn run(&self, rng: &mut impl Rng) -> PlayoutResult {
        with_board!(&self.0, board => board.clone().play_out(rng))
    }
}

#[cfg(test)]
mod tests;
