//! Random games to the end, as fast as possible.
//!
//! A [`Light`] board keeps chains and counts what surrounds every point, so that a random move costs a few hundred
//! instructions. It knows the simple ko rule only and no suicide: a playout estimates, it does not judge.
//! [`Playouts`] choose uniformly, as fast as possible; [`CarefulPlayouts`] answer the move just played and do not throw
//! stones away, which makes them slower and worth more. What is absent: early ends by a large lead.

mod careful;
mod caution;
mod compact;
mod light;
mod reply;
mod room;
mod shape;

use rand::Rng;

pub use careful::CarefulPlayouts;
pub use light::Light;

use self::{
    compact::Compact,
    room::{Room, in_room},
};
use crate::{Board, Colour, Points, Position};

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finished {
    /// Black's area less White's.
    pub area: i32,
    /// Moves played, passes included.
    pub moves: u32,
}

/// Playouts from one position, on a board of fitting size.
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
pub struct Playouts(Room<Compact>);

impl Playouts {
    /// Playouts that continue from this position.
    pub fn new<P: Points>(position: &Position<P>) -> Self {
        let mut playouts = Self::from_board(position.board(), position.turn());
        let banned = position.banned_ko();
        in_room!(&mut playouts.0, light => light.go_on(banned, position.passes()));
        playouts
    }

    /// Playouts from these stones, as if nothing had been before.
    pub fn from_board<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        Self(if board.size() <= Compact::LARGEST {
            Room::Small(Compact::from_board(board, to_move))
        } else {
            Room::large(board, to_move)
        })
    }

    /// One playout: uniformly random among points that are legal and fill no own eye, until both pass, at most
    /// three moves for every point of the board.
    pub fn run(&self, rng: &mut impl Rng) -> Finished {
        in_room!(&self.0, light => light.clone().play_out(rng))
    }
}

#[cfg(test)]
mod tests;
