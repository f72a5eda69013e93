//! A board for playouts on few lines: a word for each colour, nothing kept but the stones.
//!
//! On so small a board a chain is a few steps long, and walking it when it matters costs less than keeping chains and
//! counts up to date. [`Light`](super::Light) is faster from eight lines on.

use game::pick;
use rand::Rng;

use super::Finished;
use crate::{Board, Colour, Point, Points, Small};

/// A board for playouts with at most seven lines. Points are bits, eight to a row, the last of which is the edge.
#[derive(Clone)]
pub(super) struct Compact {
    stones: [u64; 2],
    vacant: u64,
    /// Points at the edge of the board.
    border: u64,
    /// The empty points, in any order, and where each is in that list.
    list: [u8; 64],
    place: [u8; 64],
    empties: usize,
    /// The point that may not be retaken now, as a set.
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
    /// The largest board.
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
        compact.enlist(vacant);
        compact
    }

    /// Takes over what the stones do not show: the point of a ko that may not be retaken now, and passes just played.
    pub(super) fn go_on(&mut self, banned: Option<Point>, passes: u8) {
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

    /// Puts points on the list of empty ones.
    #[inline]
    fn enlist(&mut self, mut points: u64) {
        while points != 0 {
            let at = points.trailing_zeros() as usize & 63;
            points &= points - 1;
            self.place[at] = self.empties as u8;
            self.list[self.empties & 63] = at as u8;
            self.empties += 1;
        }
    }

    /// Whether a stone may go on this empty point and fills no own eye.
    #[inline]
    fn is_sensible(&self, at: usize) -> bool {
        let stone = 1 << at;
        let beside = around(stone);
        if beside & self.vacant != 0 {
            return stone != self.ko;
        }
        let (own, other) = self.colours();
        if beside & other == 0 && self.holds_corners(stone, other) {
            return false;
        }
        stone != self.ko && self.breathes(stone, own, other)
    }

    /// The stones of the colour to move, and those of the other.
    #[inline]
    fn colours(&self) -> (u64, u64) {
        let mover = self.to_move as usize & 1;
        (self.stones[mover], self.stones[mover ^ 1])
    }

    #[inline]
    fn holds_corners(&self, stone: u64, other: u64) -> bool {
        let corners = (stone << 9 | stone << 7 | stone >> 7 | stone >> 9) & other;
        let most = u64::from(self.border & stone == 0);
        // At most one of them, none at the edge.
        corners & corners.wrapping_sub(most) == 0
    }

    /// Whether a stone without empty neighbours lives: through an own chain with another liberty, or by capturing.
    #[inline]
    fn breathes(&self, stone: u64, own: u64, other: u64) -> bool {
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
        suffocated(other, beside & other, air) != 0
    }

    /// Puts a stone where it [may go](Compact::is_sensible).
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
        let taken = suffocated(other, beside & other, around(self.vacant));
        if taken != 0 {
            self.stones[mover ^ 1] = other ^ taken;
            self.vacant |= taken;
            self.enlist(taken);
            // A lone stone without another liberty that takes a single one can be retaken.
            let alone = beside & (self.stones[mover] | self.vacant) == taken;
            if alone && taken.is_power_of_two() {
                self.ko = taken;
            }
        }
    }

    /// A point where the colour to move may sensibly play, all such points equally likely.
    #[inline]
    fn choose(&mut self, rng: &mut impl Rng) -> Option<usize> {
        // Points found wanting go to the end of the list and are not drawn again.
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

    /// Plays a stone on a point that may be [chosen](Compact::choose), or a pass.
    #[inline]
    fn follow(&mut self, chosen: Option<usize>) {
        if let Some(at) = chosen {
            self.play(at);
            self.passes = 0;
        } else {
            self.passes += 1;
            self.ko = 0;
        }
        self.to_move ^= 1;
    }

    /// Plays random moves until both colours pass, at most three for every point of the board.
    pub(super) fn play_out(&mut self, rng: &mut impl Rng) -> Finished {
        let most = 3 * u32::from(self.size).pow(2);
        let mut moves = 0;
        while self.passes < 2 {
            if moves == most {
                return Finished { area: self.board::<Small>().area(), moves };
            }
            let chosen = self.choose(rng);
            self.follow(chosen);
            moves += 1;
        }
        Finished { area: self.final_area(), moves }
    }

    /// The area once nobody has a sensible move: then no two empty points are neighbours, and each belongs to
    /// whoever has all stones around it.
    fn final_area(&self) -> i32 {
        let held = |colour: usize| {
            let eyes = self.vacant & !around(self.vacant | self.stones[colour ^ 1]);
            (self.stones[colour] | eyes).count_ones() as i32
        };
        held(0) - held(1)
    }
}

/// The stones of one colour whose chains do not reach the points in `air`, the points beside empty ones. Only chains
/// with a stone in `beside` may be such.
#[inline]
fn suffocated(stones: u64, beside: u64, air: u64) -> u64 {
    let mut safe = stones & air;
    loop {
        // Most stones have a liberty of their own, or reach one within a step or two.
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

/// The place of a point in the words.
#[inline]
fn bit(point: Point) -> u64 {
    1 << (8 * point.row() + point.column())
}

#[cfg(test)]
mod tests;
