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
mod shape;

use rand::Rng;

pub use careful::CarefulPlayouts;
pub use light::Light;

use self::compact::Compact;
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
pub struct Playouts(Room);

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "one value serves many playouts, and none is moved about")]
enum Room {
    Seven(Compact),
    Nine(Light<128>),
    Fourteen(Light<256>),
    Nineteen(Light<512>),
}

/// Hands a call on to whichever board it is.
macro_rules! each {
    ($room:expr, $light:ident => $call:expr) => {
        match $room {
            Room::Seven($light) => $call,
            Room::Nine($light) => $call,
            Room::Fourteen($light) => $call,
            Room::Nineteen($light) => $call,
        }
    };
}

impl Playouts {
    /// Playouts that continue from this position.
    pub fn new<P: Points>(position: &Position<P>) -> Self {
        let mut playouts = Self::from_board(position.board(), position.turn());
        let banned = position.banned_ko();
        each!(&mut playouts.0, light => light.go_on(banned, position.passes()));
        playouts
    }

    /// Playouts from these stones, as if nothing had been before.
    pub fn from_board<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        Self(match board.size() {
            0..=Compact::LARGEST => Room::Seven(Compact::from_board(board, to_move)),
            8..=9 => Room::Nine(Light::from_board(board, to_move)),
            10..=14 => Room::Fourteen(Light::from_board(board, to_move)),
            _ => Room::Nineteen(Light::from_board(board, to_move)),
        })
    }

    /// One playout: uniformly random among points that are legal and fill no own eye, until both pass, at most
    /// three moves for every point of the board.
    pub fn run(&self, rng: &mut impl Rng) -> Finished {
        each!(&self.0, light => light.clone().play_out(rng))
    }
}

#[cfg(test)]
mod tests;
