//! A board for playouts: chains and counts kept up to date, stone by stone.

use game::pick;
use rand::Rng;

use super::Finished;
use crate::{Board, Colour, Large, Point, Points};

const BLACK: u8 = 0;
const WHITE: u8 = 1;
pub(super) const EMPTY: u8 = 2;
const EDGE: u8 = 3;

/// In a neighbour count, one black, white or empty neighbour. The edge counts as black and as white, so that a
/// point all of whose neighbours are of one colour has four of it anywhere.
pub(super) const ONE: [u16; 3] = [0x001, 0x010, 0x100];

/// A board for playouts, with room for `CELLS` points and edge points, a power of two.
///
/// Chains are circular lists of stones under the name of one of them. Their liberties are counted once for each
/// stone they touch: that takes no search, and tells zero from more.
#[derive(Clone)]
pub struct Light<const CELLS: usize> {
    /// What is on each point.
    pub(super) content: [u8; CELLS],
    /// How many neighbours of each kind each point has.
    pub(super) near: [u16; CELLS],
    /// The name of each stone's chain; elsewhere the point itself, so that counts there do no harm.
    pub(super) chain: [u16; CELLS],
    /// The next stone of the chain.
    pub(super) next: [u16; CELLS],
    /// By chain, its liberties, each as often as it is touched.
    pub(super) liberties: [u16; CELLS],
    /// By chain, its stones.
    pub(super) stones: [u16; CELLS],
    /// The empty points, in any order.
    empty: [u16; CELLS],
    /// Where an empty point is in that list.
    place: [u16; CELLS],
    empties: usize,
    /// The point that may not be retaken now, or 0.
    pub(super) ko: usize,
    /// The distance to the next row.
    stride: usize,
    size: usize,
    pub(super) to_move: u8,
    passes: u8,
}

impl<const CELLS: usize> Light<CELLS> {
    pub(super) const MASK: usize = {
        assert!(CELLS.is_power_of_two(), "indices are masked, which saves the bounds checks");
        CELLS - 1
    };

    /// Whether a board of this size fits: its points, an edge below and above, and one edge column that serves
    /// both sides.
    pub const fn fits(size: usize) -> bool {
        (size + 2) * (size + 1) < CELLS
    }

    /// The empty board, Black to move.
    ///
    /// # Panics
    /// If the board does not [fit](Light::fits).
    pub fn new(size: usize) -> Self {
        assert!(Self::fits(size), "a board of {size} lines has no room in {CELLS} cells");
        let stride = size + 1;
        let names = std::array::from_fn(|at| at as u16);
        let mut light = Self {
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
            light.content[at] = EMPTY;
            light.place[at] = light.empties as u16;
            light.empty[light.empties] = at as u16;
            light.empties += 1;
            let kinds = light.around(at).map(|n| if inside(n) { ONE[2] } else { ONE[0] + ONE[1] });
            light.near[at] = kinds.iter().sum();
        }
        light
    }

    /// A board with these stones.
    ///
    /// # Panics
    /// If the board does not [fit](Light::fits).
    pub fn from_board<P: Points>(board: &Board<P>, to_move: Colour) -> Self {
        let mut light = Self::new(board.size());
        // No stone is captured on the way: every chain has a liberty, and even more while stones are missing.
        for colour in Colour::BOTH {
            for point in board.stones(colour).iter() {
                light.play(light.cell(point), colour.index() as u8);
            }
        }
        light.to_move = to_move.index() as u8;
        light
    }

    /// Takes over what the stones do not show: the point of a ko that may not be retaken now, and passes just played.
    pub(super) fn go_on(&mut self, banned: Option<Point>, passes: u8) {
        self.ko = banned.map_or(0, |point| self.cell(point));
        self.passes = passes;
    }

    /// Whose turn it is.
    pub(super) fn turn(&self) -> Colour {
        Colour::BOTH[self.to_move as usize & 1]
    }

    /// How many moves a playout has at most: three for every point.
    pub(super) fn longest(&self) -> u32 {
        3 * (self.size * self.size) as u32
    }

    /// The number of lines.
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

    /// The eight cells around one, from the one above and round.
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

    /// On how many sides a point has the edge of the board.
    pub(super) fn edges(&self, at: usize) -> usize {
        self.around(at).into_iter().filter(|&n| self.content[n] == EDGE).count()
    }

    /// Whether a stone may go on this empty point and fills no own eye.
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
        if own == 4 && self.holds_corners(at, colour) {
            return false;
        }
        self.breathes(at, colour)
    }

    /// Whether a stone on a point without empty neighbours lives: through an own chain with another liberty, or by
    /// capturing.
    #[inline]
    fn breathes(&mut self, at: usize, colour: u8) -> bool {
        let around = self.around(at);
        let chains = around.map(|n| self.chain[n] as usize & Self::MASK);
        // A chain may touch the point with several stones, each of which counted it as a liberty: all are taken away
        // for a moment.
        for chain in chains {
            self.liberties[chain] = self.liberties[chain].wrapping_sub(1);
        }
        let mut breathes = false;
        for (n, chain) in around.into_iter().zip(chains) {
            let (content, exhausted) = (self.content[n], self.liberties[chain] == 0);
            breathes |= content == colour ^ u8::from(exhausted);
        }
        for chain in chains {
            self.liberties[chain] = self.liberties[chain].wrapping_add(1);
        }
        breathes
    }

    #[inline]
    fn holds_corners(&self, at: usize, colour: u8) -> bool {
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

    /// Puts a stone where [it may go](Light::is_sensible).
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call for every move costs 7 % of a playout")]
    fn play(&mut self, at: usize, colour: u8) {
        let enemy = colour ^ 1;
        let around = self.around(at);
        let near = self.near[at];
        // Surrounded by the enemy, a stone that takes a single one can be retaken.
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

    /// Makes one chain of the chains of two stones.
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

    /// Takes off the chain of this stone and returns how many stones that were.
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

    /// A point where the colour to move may play and that `fits`, all such points equally likely.
    #[inline]
    pub(super) fn choose(
        &mut self,
        rng: &mut impl Rng,
        fits: impl Fn(&mut Self, usize) -> bool,
    ) -> Option<usize> {
        // Points found wanting go to the end of the list and are not drawn again.
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

    /// Any sensible point.
    #[inline]
    fn choose_any(&mut self, rng: &mut impl Rng) -> Option<usize> {
        self.choose(rng, |light, at| light.is_sensible(at, light.to_move))
    }

    /// Plays a stone on a point that [may be chosen](Light::choose), or a pass.
    #[inline]
    pub(super) fn follow(&mut self, chosen: Option<usize>) {
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

    /// Plays random moves until both colours pass, at most three for every point of the board.
    pub fn play_out(&mut self, rng: &mut impl Rng) -> Finished {
        let most = self.longest();
        let mut moves = 0;
        while !self.is_over() {
            if moves == most {
                return Finished { area: self.board::<Large>().area(), moves };
            }
            let chosen = self.choose_any(rng);
            self.follow(chosen);
            moves += 1;
        }
        Finished { area: self.final_area(), moves }
    }

    /// The area of whatever is left on the board, an empty point counting for a colour if it touches that one only.
    pub(super) fn rough_area(&self) -> i32 {
        let owner = |at: u16| {
            let near = self.near[at as usize & Self::MASK];
            let (black, white, empty) = (near & 15, near >> 4 & 15, near >> 8);
            let edges = black + white + empty - 4;
            i32::from(white == edges && black > edges) - i32::from(black == edges && white > edges)
        };
        self.stone_lead() + self.empty[..self.empties & Self::MASK].iter().map(|&at| owner(at)).sum::<i32>()
    }

    /// Black's stones less White's.
    fn stone_lead(&self) -> i32 {
        let stones =
            |colour: u8| self.content.iter().map(|&content| u16::from(content == colour)).sum::<u16>();
        i32::from(stones(BLACK)) - i32::from(stones(WHITE))
    }

    /// The area once nobody has a sensible move: then no two empty points are neighbours, and each belongs to
    /// whoever has all stones around it.
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
