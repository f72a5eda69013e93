//! A board for playouts that maintains chains and neighbour counts incrementally.

use game::pick;
use rand::Rng;

use super::PlayoutResult;
use crate::{Board, Colour, Large, Point, Points};

const BLACK: u8 = 0;
const WHITE: u8 = 1;
pub(super) const EMPTY: u8 = 2;
pub(super) const EDGE: u8 = 3;

/// One black, white or empty neighbour in a neighbour count. The edge counts as both black and white, so that a point
/// whose neighbours all have one colour counts four of it, even at the edge.
pub(super) const ONE: [u16; 3] = [0x001, 0x010, 0x100];

/// A board for playouts with space for `CELLS` points and edge points, a power of two.
///
/// Chains are circular lists of stones, identified by one of their stones. They count pseudo-liberties: a liberty
/// counts once for each stone of the chain that is next to it. That needs no search and distinguishes zero from more.
#[derive(Clone)]
pub struct PlayoutBoard<const CELLS: usize> {
    /// The content of each point.
    pub(super) content: [u8; CELLS],
    /// The packed counts of each point's black, white and empty neighbours.
    pub(super) near: [u16; CELLS],
    /// The chain of each stone; for other points the point itself, so that updates there are harmless.
    pub(super) chain: [u16; CELLS],
    /// The next stone of the chain.
    pub(super) next: [u16; CELLS],
    /// The number of pseudo-liberties of each chain.
    pub(super) liberties: [u16; CELLS],
    /// The number of stones of each chain.
    pub(super) stones: [u16; CELLS],
    /// The empty points, in any order.
    empty: [u16; CELLS],
    /// The index of each empty point in that list.
    place: [u16; CELLS],
    empties: usize,
    /// The point where the ko may not be retaken now, or 0.
    pub(super) ko: usize,
    /// The distance to the next row.
    stride: usize,
    size: usize,
    pub(super) to_move: u8,
    passes: u8,
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    pub(super) const MASK: usize = {
        assert!(CELLS.is_power_of_two(), "indices are masked, which saves the bounds checks");
        CELLS - 1
    };

    /// Whether a board of this size fits: its points, an edge row below and above, and one edge column that serves both
    /// sides.
    pub const fn fits(size: usize) -> bool {
        (size + 2) * (size + 1) < CELLS
    }

    /// The empty board, Black to move.
    ///
    /// # Panics
    /// If the board does not [fit](PlayoutBoard::fits).
    pub fn new(size: usize) -> Self {
        assert!(Self::fits(size), "a {size}×{size} board does not fit in {CELLS} cells");
        let stride = size + 1;
        let names = std::array::from_fn(|at| at as u16);
        let mut board = Self {
            content: [EDGE; CELLS],
            near: [0; CELLS],
            chain: names,
            next: names,
            liberties: [0; CELLS],
            stones: [0; CELLS],
            empty: [0; CELLS],
            place: [0; CELLS],
            empties: 0,
            ko: 0,
            stride,
            size,
            to_move: BLACK,
            passes: 0,
        };
        let inside = |at: usize| (1..=size).contains(&(at / stride)) && (1..=size).contains(&(at % stride));
        for at in (0..CELLS).filter(|&at| inside(at)) {
            board.content[at] = EMPTY;
            board.place[at] = board.empties as u16;
            board.empty[board.empties] = at as u16;
            board.empties += 1;
            let kinds = board.around(at).map(|n| if inside(n) { ONE[2] } else { ONE[0] + ONE[1] });
            board.near[at] = kinds.iter().sum();
        }
        board
    }

    /// A board with these stones.
    ///
    /// # Panics
    /// If the board does not [fit](PlayoutBoard::fits).
    pub fn from_board<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        let mut playout_board = Self::new(board.size());
        // No stone is captured here: every chain has a liberty, and no fewer while stones are missing.
        for colour in Colour::BOTH {
            for point in board.stones(colour).iter() {
                playout_board.play(playout_board.cell(point), colour.index() as u8);
            }
        }
        playout_board.to_move = to_move.index() as u8;
        playout_board
    }

    /// Sets the state that the stones do not show: the point where a ko may not be retaken now, and the number of
    /// consecutive passes just played.
    pub(super) fn resume(&mut self, banned: Option<Point>, passes: u8) {
        self.ko = banned.map_or(0, |point| self.cell(point));
        self.passes = passes;
    }

    /// The colour to move.
    pub(super) fn turn(&self) -> Colour {
        Colour::BOTH[self.to_move as usize & 1]
    }

    /// The largest number of moves in a playout: three per point.
    pub(super) fn max_moves(&self) -> u32 {
        3 * (self.size * self.size) as u32
    }

    /// The size of the board.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The stones as an ordinary board.
    pub fn board<P: Points>(&self) -> Board<P> {
        let mut board = Board::new(self.size);
        for point in P::board(self.size).iter() {
            match self.content[self.cell(point)] {
                BLACK => board.add(P::only(point), Colour::Black),
                WHITE => board.add(P::only(point), Colour::White),
                _ => {}
            }
        }
        board
    }

    pub(super) fn cell(&self, point: Point) -> usize {
        (point.row() + 1) * self.stride + point.column() + 1
    }

    /// The point of a cell inside the edge.
    pub(super) fn point(&self, cell: usize) -> Point {
        Point::new(cell % self.stride - 1, cell / self.stride - 1)
    }

    /// Whether there is no stone on this cell, and it is not the edge.
    #[inline]
    pub(super) fn is_vacant(&self, at: usize) -> bool {
        self.content[at] == EMPTY
    }

    /// The eight cells around a cell, clockwise from the one above.
    #[inline]
    pub(super) fn ring(&self, at: usize) -> [usize; 8] {
        let (up, down) = (at + self.stride, at.wrapping_sub(self.stride));
        let left = |at: usize| at.wrapping_sub(1);
        [up, up + 1, at + 1, down + 1, down, left(down), left(at), left(up)].map(|at| at & Self::MASK)
    }

    #[inline]
    pub(super) fn around(&self, at: usize) -> [usize; 4] {
        [at.wrapping_sub(1), at + 1, at.wrapping_sub(self.stride), at + self.stride].map(|at| at & Self::MASK)
    }

    /// The number of sides on which a point is at the edge of the board.
    pub(super) fn edges(&self, at: usize) -> usize {
        self.around(at).into_iter().filter(|&n| self.content[n] == EDGE).count()
    }

    /// Whether a stone on this empty point is legal and does not fill an own eye.
    #[inline]
    pub(super) fn is_sensible(&mut self, at: usize, colour: u8) -> bool {
        if at == self.ko {
            return false;
        }
        let near = self.near[at];
        if near >= ONE[2] {
            return true;
        }
        let own = near >> (4 * colour) & 15;
        if own == 4 && self.controls_diagonals(at, colour) {
            return false;
        }
        self.would_have_liberty(at, colour)
    }

    /// Whether a stone on a point without empty neighbours would have a liberty, through an own chain that has another
    /// one or by capturing.
    #[inline]
    fn would_have_liberty(&mut self, at: usize, colour: u8) -> bool {
        let around = self.around(at);
        let chains = around.map(|n| self.chain[n] as usize & Self::MASK);
        // A chain may touch the point with several stones, each of which counts it as a pseudo-liberty. Subtract all of
        // them temporarily.
        for chain in chains {
            self.liberties[chain] = self.liberties[chain].wrapping_sub(1);
        }
        let mut would_have_liberty = false;
        for (n, chain) in around.into_iter().zip(chains) {
            let (content, exhausted) = (self.content[n], self.liberties[chain] == 0);
            would_have_liberty |= content == colour ^ u8::from(exhausted);
        }
        for chain in chains {
            self.liberties[chain] = self.liberties[chain].wrapping_add(1);
        }
        would_have_liberty
    }

    #[inline]
    fn controls_diagonals(&self, at: usize, colour: u8) -> bool {
        let (up, down) = (at + self.stride, at.wrapping_sub(self.stride));
        let corners = [up + 1, up.wrapping_sub(1), down + 1, down.wrapping_sub(1)];
        let (mut enemies, mut edges) = (0, 0);
        for corner in corners {
            let content = self.content[corner & Self::MASK];
            enemies += u32::from(content == colour ^ 1);
            edges |= u32::from(content == EDGE);
        }
        enemies + edges < 2
    }

    /// Plays a stone on a [sensible](PlayoutBoard::is_sensible) point.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call per move costs 7 % of a playout")]
    fn play(&mut self, at: usize, colour: u8) {
        let enemy = colour ^ 1;
        let around = self.around(at);
        let near = self.near[at];
        // A stone in an enemy eye that captures a single stone creates a ko.
        let eye_of_enemy = near >> (4 * enemy) & 15 == 4;
        self.ko = 0;
        self.content[at] = colour;
        self.chain[at] = at as u16;
        self.next[at] = at as u16;
        self.stones[at] = 1;
        self.liberties[at] = near >> 8;
        self.empties -= 1;
        let (hole, last) = (self.place[at], self.empty[self.empties & Self::MASK]);
        self.empty[hole as usize & Self::MASK] = last;
        self.place[last as usize & Self::MASK] = hole;

        let change = ONE[colour as usize & 1].wrapping_sub(ONE[2]);
        for n in around {
            self.near[n] = self.near[n].wrapping_add(change);
            let chain = self.chain[n] as usize & Self::MASK;
            self.liberties[chain] = self.liberties[chain].wrapping_sub(1);
        }
        for n in around {
            if self.content[n] == colour {
                self.join(at, n);
            }
        }
        let mut taken = 0;
        for n in around {
            if self.content[n] == enemy && self.liberties[self.chain[n] as usize & Self::MASK] == 0 {
                taken += self.take(n, enemy);
                self.ko = n;
            }
        }
        if !eye_of_enemy || taken != 1 {
            self.ko = 0;
        }
    }

    /// Merges the chains of two stones.
    #[inline]
    fn join(&mut self, one: usize, other: usize) {
        let (mut large, mut small) =
            (self.chain[one] as usize & Self::MASK, self.chain[other] as usize & Self::MASK);
        if large == small {
            return;
        }
        if self.stones[large] < self.stones[small] {
            (large, small) = (small, large);
        }
        self.stones[large] += self.stones[small];
        self.liberties[large] = self.liberties[large].wrapping_add(self.liberties[small]);
        let mut at = small;
        loop {
            self.chain[at] = large as u16;
            at = self.next[at] as usize & Self::MASK;
            if at == small {
                break;
            }
        }
        self.next.swap(large, small);
    }

    /// Removes the chain of this stone and returns its number of stones.
    #[inline(never)]
    fn take(&mut self, first: usize, colour: u8) -> u32 {
        let change = ONE[2].wrapping_sub(ONE[colour as usize & 1]);
        let mut count = 0;
        let mut at = first;
        loop {
            self.content[at] = EMPTY;
            self.place[at] = self.empties as u16;
            self.empty[self.empties & Self::MASK] = at as u16;
            self.empties += 1;
            count += 1;
            for n in self.around(at) {
                self.near[n] = self.near[n].wrapping_add(change);
                let chain = self.chain[n] as usize & Self::MASK;
                self.liberties[chain] = self.liberties[chain].wrapping_add(1);
            }
            let following = self.next[at] as usize & Self::MASK;
            self.chain[at] = at as u16;
            at = following;
            if at == first {
                break;
            }
        }
        count
    }

    /// Chooses uniformly among the empty points that satisfy `fits`.
    #[inline]
    pub(super) fn choose(
        &mut self,
        rng: &mut impl Rng,
        fits: impl Fn(&mut Self, usize) -> bool,
    ) -> Option<usize> {
        // Rejected points move to the end of the list and are not drawn again.
        let mut open = self.empties;
        while open > 0 {
            let index = pick(rng, open) & Self::MASK;
            let at = self.empty[index] as usize & Self::MASK;
            if fits(self, at) {
                return Some(at);
            }
            open -= 1;
            let last = self.empty[open & Self::MASK];
            self.empty[index] = last;
            self.place[last as usize & Self::MASK] = index as u16;
            self.empty[open & Self::MASK] = at as u16;
            self.place[at] = open as u16;
        }
        None
    }

    /// Chooses uniformly among the sensible points of the colour to move.
    #[inline]
    fn choose_any(&mut self, rng: &mut impl Rng) -> Option<usize> {
        self.choose(rng, |board, at| board.is_sensible(at, board.to_move))
    }

    /// Plays a stone on the [chosen](PlayoutBoard::choose) point, or passes.
    #[inline]
    pub(super) fn play_or_pass(&mut self, chosen: Option<usize>) {
        if let Some(at) = chosen {
            self.play(at, self.to_move);
            self.passes = 0;
        } else {
            self.passes += 1;
            self.ko = 0;
        }
        self.to_move ^= 1;
    }

    /// Whether both colours have passed.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// Plays random moves until both colours pass, or for three moves per point of the board.
    pub fn play_out(&mut self, rng: &mut impl Rng) -> PlayoutResult {
        let most = self.max_moves();
        let mut moves = 0;
        while !self.is_over() {
            if moves == most {
                return PlayoutResult { area: self.board::<Large>().area(), moves };
            }
            let chosen = self.choose_any(rng);
            self.play_or_pass(chosen);
            moves += 1;
        }
        PlayoutResult { area: self.final_area(), moves }
    }

    /// An approximate area: an empty point counts for a colour if all its adjacent stones have that colour.
    pub(super) fn rough_area(&self) -> i32 {
        let owner = |at: u16| {
            let near = self.near[at as usize & Self::MASK];
            let (black, white, empty) = (near & 15, near >> 4 & 15, near >> 8);
            let edges = black + white + empty - 4;
            i32::from(white == edges && black > edges) - i32::from(black == edges && white > edges)
        };
        self.stone_lead() + self.empty[..self.empties & Self::MASK].iter().map(|&at| owner(at)).sum::<i32>()
    }

    /// The number of Black's stones minus that of White's.
    fn stone_lead(&self) -> i32 {
        let stones =
            |colour: u8| self.content.iter().map(|&content| u16::from(content == colour)).sum::<u16>();
        i32::from(stones(BLACK)) - i32::from(stones(WHITE))
    }

    /// The area once neither colour has a sensible move: no two empty points are then neighbours, and each belongs to
    /// the colour that surrounds it.
    fn final_area(&self) -> i32 {
        let eyes = self.empty[..self.empties & Self::MASK].iter().map(|&at| {
            let near = self.near[at as usize & Self::MASK];
            i32::from(near & 15 == 4) - i32::from(near >> 4 & 15 == 4)
        });
        self.stone_lead() + eyes.sum::<i32>()
    }
}

#[cfg(test)]
mod tests;
