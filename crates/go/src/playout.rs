//! Playouts: random games to the end.
//!
//! A [`PlayoutBoard`] maintains chains and neighbour counts incrementally, so that a random move costs a few hundred
//! instructions. It applies only the simple ko rule and forbids suicide, so a playout is an estimate, whatever the
//! rules of the game. [`Playouts`] choose moves uniformly and are as fast as possible. [`CarefulPlayouts`] reply to the
//! last move and avoid self-atari, which makes them slower and more informative. There is no mercy rule.

mod careful;
mod compact;
mod pattern;
mod playout_board;
mod reply;
mod self_atari;

use rand::Rng;

pub use careful::CarefulPlayouts;
pub use playout_board::PlayoutBoard;

use self::compact::Compact;
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
pub struct Playouts(SizedBoard);

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "one value serves many playouts and is rarely moved")]
enum SizedBoard {
    Seven(Compact),
    Nine(PlayoutBoard<128>),
    Fourteen(PlayoutBoard<256>),
    Nineteen(PlayoutBoard<512>),
}

/// Evaluates an expression with the board, whatever its type.
macro_rules! with_board {
    ($board:expr, $sized:ident => $call:expr) => {
        match $board {
            SizedBoard::Seven($sized) => $call,
            SizedBoard::Nine($sized) => $call,
            SizedBoard::Fourteen($sized) => $call,
            SizedBoard::Nineteen($sized) => $call,
        }
    };
}

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
        Self(match board.size() {
            0..=Compact::LARGEST => SizedBoard::Seven(Compact::from_board(board, to_move)),
            8..=9 => SizedBoard::Nine(PlayoutBoard::from_board(board, to_move)),
            10..=14 => SizedBoard::Fourteen(PlayoutBoard::from_board(board, to_move)),
            _ => SizedBoard::Nineteen(PlayoutBoard::from_board(board, to_move)),
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
