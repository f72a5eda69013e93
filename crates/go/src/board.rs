//! The stones on a board: chains, liberties, captures.

use crate::{Colour, Point, Points, zobrist};

/// The stones on a board, without any history.
///
/// Chains and liberties are computed on demand by flood fills over sets of points. A board stores only the stones and
/// their key, so it is small and cheap to copy.
///
/// ```
/// use go::{Board, Colour, Point, Points, Small};
/// let mut board = Board::<Small>::new(3);
/// board.place(Point::new(0, 0), Colour::White);
/// board.place(Point::new(1, 0), Colour::Black);
/// // 3 . . .
/// // 2 . . .
/// // 1 O X .
/// //   A B C
/// let captured = board.place(Point::new(0, 1), Colour::Black);
/// assert_eq!(captured, Small::only(Point::new(0, 0)));
/// assert!(board.stones(Colour::White).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board<P> {
    stones: [P; 2],
    empty: P,
    key: u64,
    size: u8,
}

impl<P: Points> Board<P> {
    /// The empty board.
    ///
    /// # Panics
    /// If `P` cannot hold a board of this size.
    pub fn new(size: usize) -> Self {
        assert!(
            (1..=P::LARGEST).contains(&size),
            "expected a board size from 1 to {}, not {size}",
            P::LARGEST
        );
        Self { stones: [P::EMPTY; 2], empty: P::board(size), key: 0, size: size as u8 }
    }

    /// The size of the board.
    #[inline]
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// The stones of a colour.
    #[inline]
    pub fn stones(&self, colour: Colour) -> P {
        self.stones[colour.index()]
    }

    /// The points without a stone.
    #[inline]
    pub fn empty(&self) -> P {
        self.empty
    }

    /// All points of the board.
    pub fn points(&self) -> P {
        self.stones[0] | self.stones[1] | self.empty
    }

    /// The colour of the stone on this point, if there is one.
    #[inline]
    pub fn colour(&self, point: Point) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|&colour| self.stones(colour).has(point))
    }

    /// The Zobrist key of the stones.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Computes [`Board::key`] from scratch.
    pub(crate) fn key_from_scratch(&self) -> u64 {
        Colour::BOTH.into_iter().fold(0, |key, colour| key ^ key_of(self.stones(colour), colour))
    }

    /// The chain of the stone on this point; the empty set if there is no stone.
    #[inline]
    #[must_use]
    pub fn chain(&self, point: Point) -> P {
        match self.colour(point) {
            Some(colour) => P::only(point).flood(self.stones(colour)),
            None => P::EMPTY,
        }
    }

    /// The empty points next to these stones.
    #[inline]
    #[must_use]
    pub fn liberties(&self, stones: P) -> P {
        stones.around() & self.empty
    }

    /// The chains of a colour.
    pub fn chains(&self, colour: Colour) -> impl Iterator<Item = P> {
        self.stones(colour).parts()
    }

    /// The stones of a colour whose chain is in atari. Only chains next to the empty points `beside` are guaranteed to
    /// be included.
    #[must_use]
    pub fn in_atari(&self, colour: Colour, beside: P) -> P {
        let stones = self.stones(colour);
        // Most chains have a stone that touches two empty points, and one flood fill finds all of those.
        let free = (self.empty.around_twice() & stones).flood(stones);
        let rest = stones.without(free);
        let mut seeds = beside.around() & rest;
        let mut weak = P::EMPTY;
        while let Some(seed) = seeds.first() {
            let chain = P::only(seed).flood(rest);
            seeds = seeds.without(chain);
            if self.liberties(chain).len() == 1 {
                weak = weak | chain;
            }
        }
        weak
    }

    /// The chain of `colour` that contains `seed`, if it has no liberty outside `taken`.
    #[inline]
    fn chain_without_liberties(&self, seed: P, colour: Colour, taken: P) -> Option<P> {
        let (stones, air) = (self.stones(colour), self.empty.without(taken));
        let mut chain = seed;
        loop {
            let around = chain.around();
            // Most chains have a liberty within a step or two, which ends the search early.
            if !(around & air).is_empty() {
                return None;
            }
            let grown = chain | around & stones;
            if grown == chain {
                return Some(chain);
            }
            chain = grown;
        }
    }

    /// The enemy stones that a stone on this empty point would capture.
    #[inline]
    #[must_use]
    pub fn captures(&self, point: Point, colour: Colour) -> P {
        let enemy = colour.other();
        let stone = P::only(point);
        let mut beside = stone.around() & self.stones(enemy);
        let mut captured = P::EMPTY;
        while let Some(seed) = beside.first() {
            let seed = P::only(seed);
            match self.chain_without_liberties(seed, enemy, stone) {
                Some(chain) => {
                    captured = captured | chain;
                    beside = beside.without(chain);
                }
                None => beside = beside.without(seed),
            }
        }
        captured
    }

    /// Whether a stone on this empty point would have no liberty, disregarding captures.
    #[inline]
    #[must_use]
    pub fn has_no_liberty_at(&self, point: Point, colour: Colour) -> bool {
        let stone = P::only(point);
        let around = stone.around();
        if !(around & self.empty).is_empty() {
            return false;
        }
        let mut beside = around & self.stones(colour);
        while let Some(seed) = beside.first() {
            let seed = P::only(seed);
            match self.chain_without_liberties(seed, colour, stone) {
                Some(chain) => beside = beside.without(chain),
                None => return false,
            }
        }
        true
    }

    /// Places a stone on an empty point, and removes and returns the stones that it captures. The stone's own chain
    /// stays even if it has no liberty: see [`Board::suicide`].
    #[inline]
    pub fn place(&mut self, point: Point, colour: Colour) -> P {
        let captured = self.captures(point, colour);
        self.add(P::only(point), colour);
        self.remove(captured, colour.other());
        captured
    }

    /// Removes and returns the chain of the stone on this point if it has no liberty.
    #[inline]
    pub fn suicide(&mut self, point: Point) -> P {
        let Some(colour) = self.colour(point) else { return P::EMPTY };
        let chain = self.chain_without_liberties(P::only(point), colour, P::EMPTY).unwrap_or(P::EMPTY);
        self.remove(chain, colour);
        chain
    }

    /// Adds stones on empty points without capturing.
    #[inline]
    pub fn add(&mut self, stones: P, colour: Colour) {
        self.stones[colour.index()] = self.stones(colour) | stones;
        self.empty = self.empty.without(stones);
        self.key ^= key_of(stones, colour);
    }

    /// Removes stones of one colour.
    #[inline]
    pub fn remove(&mut self, stones: P, colour: Colour) {
        if stones.is_empty() {
            return;
        }
        self.stones[colour.index()] = self.stones(colour).without(stones);
        self.empty = self.empty | stones;
        self.key ^= key_of(stones, colour);
    }

    /// The image of the board under `image`, which maps the points of the board onto themselves.
    #[must_use]
    pub(crate) fn mapped(&self, image: impl Fn(Point) -> Point) -> Self {
        let mut board = Self::new(self.size());
        for colour in Colour::BOTH {
            board.add(P::of(self.stones(colour).iter().map(&image)), colour);
        }
        board
    }
}

/// The key of stones of one colour.
#[inline]
pub(crate) fn key_of<P: Points>(stones: P, colour: Colour) -> u64 {
    stones.iter().fold(0, |key, point| key ^ zobrist::stone(point, colour))
}
