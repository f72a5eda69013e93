//! Playouts that reply to the last move and avoid bad self-atari.

use rand::Rng;

use super::{
    PlayoutResult,
    playout_board::PlayoutBoard,
    sized_board::{SizedBoard, with_board},
};
use crate::{Board, Colour, Move, Point, Points, Position};

/// Playouts from one position with a simple move policy, also known as heavy playouts.
///
/// The colour to move saves a chain that the last move put into atari, or captures its attackers; else it captures the
/// chain just played if that is in atari; else it plays the vital point of an eye space next to the last move; else it
/// attacks or defends a chain with two liberties there; else it plays a 3×3 pattern. All other moves are chosen uniformly among the legal points that do not fill an own eye and are not a bad self-atari. These playouts
/// cost more than uniform ones and say far more about a position.
///
/// ```
/// use game::Game;
/// use go::{CarefulPlayouts, Position, Rules};
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// let playouts = CarefulPlayouts::new(&Position::<go::Medium>::new(&Rules::new(9)));
/// let mut moves = Vec::new();
/// let finished = playouts.run(&mut rng, &mut moves);
/// assert!(finished.area.abs() <= 81 && moves.len() <= finished.moves as usize);
/// ```
#[derive(Clone)]
pub struct CarefulPlayouts {
    pub(super) board: SizedBoard<PlayoutBoard<64>>,
    last: Option<Point>,
}

impl CarefulPlayouts {
    /// Playouts that continue from this position.
    pub fn new<P: Points>(position: &Position<P>) -> Self {
        let mut playouts = Self::from_board(position.board(), position.turn());
        playouts.last = position.last_move().and_then(Move::point);
        let banned = position.banned_ko();
        with_board!(&mut playouts.board, board => board.resume(banned, position.passes()));
        playouts
    }

    /// Playouts from these stones, without any history.
    pub fn from_board<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        let board = if board.size() <= 6 {
            SizedBoard::Small(PlayoutBoard::from_board(board, to_move))
        } else {
            SizedBoard::large(board, to_move)
        };
        Self { board, last: None }
    }

    /// Runs one playout, until both colours pass or three moves per point of the board have been played. Its stones, in
    /// order and with their colours, replace the contents of `stones`.
    ///
    /// The area is approximate: an empty point counts for a colour if all its adjacent stones have that colour.
    pub fn run(&self, rng: &mut impl Rng, stones: &mut Vec<(Colour, Point)>) -> PlayoutResult {
        stones.clear();
        with_board!(&self.board, board => {
            let mut board = board.clone();
            let last = self.last.map(|last| board.cell(last));
            let moves = board.play_carefully(last, rng, |board, at| {
                stones.push((board.turn(), board.point(at)));
            });
            PlayoutResult { area: board.rough_area(), moves }
        })
    }

    /// Runs one playout and returns the final board.
    pub fn end<P: Points>(&self, rng: &mut impl Rng) -> Board<P> {
        with_board!(&self.board, board => {
            let mut board = board.clone();
            board.play_carefully(self.last.map(|last| board.cell(last)), rng, |_, _| ());
            board.board()
        })
    }
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// Continues after a stone on `last` until both colours pass or the limit is reached, and returns the number of
    /// moves. Calls `before_move` with every stone before it is played.
    pub(super) fn play_carefully(
        &mut self,
        mut last: Option<usize>,
        rng: &mut impl Rng,
        mut before_move: impl FnMut(&Self, usize),
    ) -> u32 {
        for moves in 0..self.max_moves() {
            if self.is_over() {
                return moves;
            }
            let reply = last.and_then(|last| self.reply(last, rng));
            let chosen = reply.or_else(|| {
                self.choose(rng, |board, at| {
                    board.is_sensible(at, board.to_move) && !board.is_bad_self_atari(at, board.to_move)
                })
            });
            if let Some(at) = chosen {
                before_move(self, at);
            }
            self.play_or_pass(chosen);
            last = chosen;
        }
        self.max_moves()
    }
}
