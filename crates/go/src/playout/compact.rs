//! A playout board for up to 7×7: one word per colour, with nothing maintained but the stones.
//!
//! On so small a board, chains are short, and finding them when needed costs less than maintaining chains and counts.
//! From 8×8 on, [`PlayoutBoard`](super::PlayoutBoard) is faster.

use game::pick;
use rand::Rng;

use super::PlayoutResult;
use crate::{Board, Colour, Point, Points, Small};

/// A playout board for up to 7×7. Points are bits, eight per row, and the last bit of a row is the edge.
#[derive(Clone)]
pub(super) struct Compact {
    stones: [u64; 2],
    vacant: u64,
    /// Points at the edge of the board.
    border: u64,
    /// The empty points in any order, and the index of each in that list.
    list: [u8; 64],
    place: [u8; 64],
    empties: usize,
    /// The point where the ko may not be retaken now, as a set.
    ko: u64,
    size: u8,
    to_move: u8,
    passes: u8,
}

#[inline]
const fn around(set: u64) -> u64 {
    set << 1 | set >> 1 | set << 8 | set >> 8
}

impl Compact {
    /// The size of the largest board.
    pub(super) const LARGEST: usize = Small::LARGEST;

    /// A board with these stones.
    pub(super) fn from_board<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        let set = |points: P| points.iter().fold(0, |set, point| set | bit(point));
        let vacant = set(board.empty());
        let all = set(board.points());
        let mut compact = Self {
            stones: Colour::BOTH.map(|colour| set(board.stones(colour))),
            vacant,
            border: all & !(all << 1 & all >> 1 & all << 8 & all >> 8),
            list: [0; 64],
            place: [0; 64],
            empties: 0,
            ko: 0,
            size: board.size() as u8,
            to_move: to_move.index() as u8,
            passes: 0,
        };
        compact.add_empty(vacant);
        compact
    }

    /// Sets the state that the stones do not show: the point where a ko may not be retaken now, and the number of
    /// consecutive passes just played.
    pub(super) fn resume(&mut self, banned: Option<Point>, passes: u8) {
        self.ko = banned.map_or(0, bit);
        self.passes = passes;
    }

    /// The stones as an ordinary board.
    pub(super) fn board<P: Points>(&self) -> Board<P> {
        let mut board = Board::new(self.size.into());
        for colour in Colour::BOTH {
            let stones = self.stones[colour.index()];
            board.add(P::of(P::board(self.size.into()).iter().filter(|&at| stones & bit(at) != 0)), colour);
        }
        board
    }

    /// Adds points to the list of empty ones.
    #[inline]
    fn add_empty(&mut self, mut points: u64) {
        while points != 0 {
            let at = points.trailing_zeros() as usize & 63;
            points &= points - 1;
            self.place[at] = self.empties as u8;
            self.list[self.empties & 63] = at as u8;
            self.empties += 1;
        }
    }

    /// Whether a stone on this empty point is legal and does not fill an own eye.
    #[inline]
    fn is_sensible(&self, at: usize) -> bool {
        let stone = 1 << at;
        let beside = around(stone);
        if beside & self.vacant != 0 {
            return stone != self.ko;
        }
        let (own, other) = self.colours();
        if beside & other == 0 && self.controls_diagonals(stone, other) {
            return false;
        }
        stone != self.ko && self.would_have_liberty(stone, own, other)
    }

    /// The stones of the colour to move, and those of the opponent.
    #[inline]
    fn colours(&self) -> (u64, u64) {
        let mover = self.to_move as usize & 1;
        (self.stones[mover], self.stones[mover ^ 1])
    }

    #[inline]
    fn controls_diagonals(&self, stone: u64, other: u64) -> bool {
        let corners = (stone << 9 | stone << 7 | stone >> 7 | stone >> 9) & other;
        let most = u64::from(self.border & stone == 0);
        // At most one diagonal may be the opponent's, and none at the edge.
        corners & corners.wrapping_sub(most) == 0
    }

    /// Whether a stone without empty neighbours would have a liberty, through an own chain that has another one or by
    /// capturing.
    #[inline]
    fn would_have_liberty(&self, stone: u64, own: u64, other: u64) -> bool {
        let (beside, air) = (around(stone), around(self.vacant ^ stone));
        let mut chain = beside & own;
        loop {
            if chain & air != 0 {
                return true;
            }
            let grown = chain | around(chain) & own;
            if grown == chain {
                break;
            }
            chain = grown;
        }
        stones_without_liberties(other, beside & other, air) != 0
    }

    /// Plays a stone on a [sensible](Compact::is_sensible) point.
    #[inline]
    fn play(&mut self, at: usize) {
        let stone = 1 << at;
        let mover = self.to_move as usize & 1;
        self.stones[mover] |= stone;
        self.vacant ^= stone;
        self.empties -= 1;
        let (hole, last) = (self.place[at & 63], self.list[self.empties & 63]);
        self.list[hole as usize & 63] = last;
        self.place[last as usize & 63] = hole;
        self.ko = 0;

        let (beside, other) = (around(stone), self.stones[mover ^ 1]);
        let taken = stones_without_liberties(other, beside & other, around(self.vacant));
        if taken != 0 {
            self.stones[mover ^ 1] = other ^ taken;
            self.vacant |= taken;
            self.add_empty(taken);
            // A ko: a lone stone without another liberty has captured a single stone.
            let alone = beside & (self.stones[mover] | self.vacant) == taken;
            if alone && taken.is_power_of_two() {
                self.ko = taken;
            }
        }
    }

    /// Chooses uniformly among the sensible points of the colour to move.
    #[inline]
    fn choose(&mut self, rng: &mut impl Rng) -> Option<usize> {
        // Rejected points move to the end of the list and are not drawn again.
        let mut open = self.empties;
        while open > 0 {
            let index = pick(rng, open) & 63;
            let at = self.list[index];
            if self.is_sensible(at as usize & 63) {
                return Some(at as usize & 63);
            }
            open -= 1;
            let last = self.list[open & 63];
            self.list[index] = last;
            self.place[last as usize & 63] = index as u8;
            self.list[open & 63] = at;
            self.place[at as usize & 63] = open as u8;
        }
        None
    }

    /// Plays a stone on the [chosen](Compact::choose) point, or passes.
    #[inline]
    fn play_or_pass(&mut self, chosen: Option<usize>) {
        if let Some(at) = chosen {
            self.play(at);
            self.passes = 0;
        } else {
            self.passes += 1;
            self.ko = 0;
        }
        self.to_move ^= 1;
    }

    /// Plays random moves until both colours pass, or for three moves per point of the board.
    pub(super) fn play_out(&mut self, rng: &mut impl Rng) -> PlayoutResult {
        let most = 3 * u32::from(self.size).pow(2);
        let mut moves = 0;
        while self.passes < 2 {
            if moves == most {
                return PlayoutResult { area: self.board::<Small>().area(), moves };
            }
            let chosen = self.choose(rng);
            self.play_or_pass(chosen);
            moves += 1;
        }
        PlayoutResult { area: self.final_area(), moves }
    }

    /// The area once neither colour has a sensible move: no two empty points are then neighbours, and each belongs to
    /// the colour that surrounds it.
    fn final_area(&self) -> i32 {
        let held = |colour: usize| {
            let eyes = self.vacant & !around(self.vacant | self.stones[colour ^ 1]);
            (self.stones[colour] | eyes).count_ones() as i32
        };
        held(0) - held(1)
    }
}

/// The stones of one colour whose chains have no stone in `air`, the set of points next to empty ones. Only chains with
/// a stone in `beside` can be without liberties.
#[inline]
fn stones_without_liberties(stones: u64, beside: u64, air: u64) -> u64 {
    let mut safe = stones & air;
    loop {
        // Most stones have a liberty of their own, or one within a step or two.
        if beside & !safe == 0 {
            return 0;
        }
        let grown = safe | around(safe) & stones;
        if grown == safe {
            return stones ^ safe;
        }
        safe = grown;
    }
}

/// The bit of a point.
#[inline]
fn bit(point: Point) -> u64 {
    1 << (8 * point.row() + point.column())
}

#[cfg(test)]
mod tests;
