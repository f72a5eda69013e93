//! Playouts that answer the move just played and throw no stones away.

use rand::Rng;

use super::{
    Finished,
    light::Light,
    room::{Room, in_room},
};
use crate::{Board, Colour, Move, Point, Points, Position};

/// Playouts from one position in which both colours mind what they do.
///
/// A chain put into atari is saved or its attackers are taken, a stone left in atari is taken, cuts and other
/// shapes beside the last move come before anything else, and nobody fills his last but one liberty for nothing. All
/// else is chosen uniformly among points that are legal and fill no own eye. They cost more than
/// uniform ones and say far more about a position.
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
    room: Room<Light<64>>,
    last: Option<Point>,
}

impl CarefulPlayouts {
    /// Playouts that continue from this position.
    pub fn new<P: Points>(position: &Position<P>) -> Self {
        let mut playouts = Self::from_board(position.board(), position.turn());
        playouts.last = position.last_move().and_then(Move::point);
        let banned = position.banned_ko();
        in_room!(&mut playouts.room, light => light.go_on(banned, position.passes()));
        playouts
    }

    /// Playouts from these stones, as if nothing had been before.
    pub fn from_board<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        let room = if board.size() <= 6 {
            Room::Small(Light::from_board(board, to_move))
        } else {
            Room::large(board, to_move)
        };
        Self { room, last: None }
    }

    /// One playout, until both pass, at most three moves for every point of the board. Its stones, in order and with
    /// their colours, replace the contents of `stones`.
    ///
    /// The area is a rough one: an empty point counts for a colour if it touches that one only.
    pub fn run(&self, rng: &mut impl Rng, stones: &mut Vec<(Colour, Point)>) -> Finished {
        stones.clear();
        in_room!(&self.room, light => {
            let mut light = light.clone();
            let last = self.last.map(|last| light.cell(last));
            let moves = light.play_carefully(last, rng, |light, at| {
                stones.push((light.turn(), light.point(at)));
            });
            Finished { area: light.rough_area(), moves }
        })
    }

    /// One playout, and the board at its end.
    pub fn end<P: Points>(&self, rng: &mut impl Rng) -> Board<P> {
        in_room!(&self.room, light => {
            let mut light = light.clone();
            light.play_carefully(self.last.map(|last| light.cell(last)), rng, |_, _| ());
            light.board()
        })
    }
}

impl<const CELLS: usize> Light<CELLS> {
    /// Plays on after a stone on `last` until both colours pass, or for the longest time, and returns the number of
    /// moves. `told` hears of every stone before it is played.
    fn play_carefully(
        &mut self,
        mut last: Option<usize>,
        rng: &mut impl Rng,
        mut told: impl FnMut(&Self, usize),
    ) -> u32 {
        for moves in 0..self.longest() {
            if self.is_over() {
                return moves;
            }
            let reply = last.and_then(|last| self.reply(last, rng));
            let chosen = reply.or_else(|| {
                self.choose(rng, |light, at| {
                    light.is_sensible(at, light.to_move) && !light.is_rash(at, light.to_move)
                })
            });
            if let Some(at) = chosen {
                told(self, at);
            }
            self.follow(chosen);
            last = chosen;
        }
        self.longest()
    }
}
