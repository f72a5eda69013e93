//! Estimating which stones are dead and which are in seki.
//!
//! Unconditional life is certain. Everything else is decided by careful playouts, in which neither colour puts its own
//! chains into atari for nothing. Stones that most playouts capture are dead. Stones that most playouts leave next to a
//! point that neither colour fills are in seki. Where playouts disagree, a small search reads what happens if either
//! colour moves first: stones that survive an attack are alive, and stones that nothing saves are dead.

use rand::Rng;

use crate::{Board, CarefulPlayouts, Colour, Life, Point, Points, Position, Verdict};

impl<P: Points> Verdict<P> {
    /// Proposes, after the game, which stones are dead and which are in seki, from this many careful playouts. Each
    /// colour moves first in half of them. Chains about which these disagree are read with as many playouts for either
    /// colour to move. A few hundred are enough.
    ///
    /// With zero playouts, only stones in the opponent's unconditional territory and bent fours in the corner are dead,
    /// and no stones are in seki.
    ///
    /// ```
    /// use go::{Board, Colour, Point, Points, Position, Rules, Small, Start, Verdict};
    /// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
    /// let board = Board::<Small>::from_drawing("
    ///     . X . X .
    ///     X X X X .
    ///     . . O X X
    ///     X X X . .
    ///     . . . . .").unwrap();
    /// let start = Start { board, to_move: Colour::Black, prisoners: [0; 2] };
    /// let position = Position::set_up(&Rules::new(5), &start).unwrap();
    /// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    /// let verdict = Verdict::estimate(&position, &mut rng, 200);
    /// assert_eq!(verdict, Verdict::dead(Small::only(Point::parse("C3").unwrap())));
    /// ```
    #[must_use]
    pub fn estimate(position: &Position<P>, rng: &mut impl Rng, playouts: u32) -> Self {
        let board = position.board();
        let lives = Colour::BOTH.map(|colour| board.unconditional_life(colour));
        let lost = |colour: Colour| board.stones(colour) & lives[colour.other().index()].territory;
        let mut dead = lost(Colour::Black) | lost(Colour::White);
        let (mut board, _) = board.cleared(dead);
        let mut doubtful = UnsettledChains::new(&board, &lives);
        let by_ruling = doubtful.union(|chain| is_bent_four(&board, chain));
        if !by_ruling.is_empty() {
            dead = dead | by_ruling;
            (board, _) = board.cleared(by_ruling);
            doubtful = UnsettledChains::new(&board, &lives);
        }
        if doubtful.0.is_empty() {
            return Self::dead(dead);
        }
        let starts = Colour::BOTH.map(|first| CarefulPlayouts::from_board(&board, first));
        for number in 0..playouts as usize {
            doubtful.record(&starts[number % 2].end(rng));
        }
        for chain in doubtful.0.iter_mut().filter(|chain| chain.is_contested(playouts)) {
            chain.read(&starts, rng, playouts);
        }
        let taken = doubtful.dead(playouts);
        Self { dead: dead | taken, seki: doubtful.seki(playouts).without(taken) }
    }
}

/// The chains that are neither certainly alive nor certainly dead.
struct UnsettledChains<P>(Vec<Chain<P>>);

struct Chain<P> {
    colour: Colour,
    stones: P,
    /// The number of playouts in which most of its points ended up with its colour.
    held: u32,
    /// The number of playouts in which it survived next to a point that neither colour filled.
    shared: u32,
    /// Whether it lives, if that has been read.
    read: Option<bool>,
}

impl<P: Points> Chain<P> {
    /// Whether playouts disagree about this chain.
    fn is_contested(&self, playouts: u32) -> bool {
        let certain = playouts / 20;
        (certain..=playouts - certain).contains(&self.held)
    }

    /// Reads what becomes of the chain if its opponent or its owner moves first.
    fn read(&mut self, starts: &[CarefulPlayouts; 2], rng: &mut impl Rng, playouts: u32) {
        let mut lives =
            |first: Colour| starts[first.index()].survival(self.stones, self.colour, rng, playouts) >= 0.5;
        self.read = if lives(self.colour.other()) {
            Some(true)
        } else if lives(self.colour) {
            // Who moves first decides, so nothing is proven.
            None
        } else {
            Some(false)
        };
    }
}

impl<P: Points> UnsettledChains<P> {
    fn new(board: &Board<P>, lives: &[Life<P>; 2]) -> Self {
        let mut chains = Vec::new();
        for colour in Colour::BOTH {
            let uncertain = board.stones(colour).without(lives[colour.index()].stones);
            chains.extend(uncertain.parts().map(|stones| Chain {
                colour,
                stones,
                held: 0,
                shared: 0,
                read: None,
            }));
        }
        Self(chains)
    }

    /// Records the final board of a playout.
    fn record(&mut self, end: &Board<P>) {
        let surrounded = end.surrounded();
        let dame = end.empty().without(surrounded[0]).without(surrounded[1]);
        for chain in &mut self.0 {
            let stones = end.stones(chain.colour);
            let held = chain.stones & (stones | surrounded[chain.colour.index()]);
            chain.held += u32::from(2 * held.len() > chain.stones.len());
            let still_there = chain.stones.without(stones).is_empty();
            let beside = chain.stones.flood(stones).around() & dame;
            chain.shared += u32::from(still_there && !beside.is_empty());
        }
    }

    fn dead(&self, playouts: u32) -> P {
        self.union(|chain| chain.read.map_or(2 * chain.held < playouts, |lives| !lives))
    }

    fn seki(&self, playouts: u32) -> P {
        self.union(|chain| 2 * chain.shared > playouts)
    }

    fn union(&self, belongs: impl Fn(&Chain<P>) -> bool) -> P {
        self.0.iter().filter(|chain| belongs(chain)).fold(P::EMPTY, |all, chain| all | chain.stones)
    }
}

/// Whether a chain surrounds nothing but a bent four in the corner. By convention it is dead as it stands, because the
/// attacker can choose when to start the ko that decides.
fn is_bent_four<P: Points>(board: &Board<P>, chain: &Chain<P>) -> bool {
    let liberties = board.liberties(chain.stones);
    let attackers = board.stones(chain.colour.other());
    let inside = (liberties.around() & attackers).flood(attackers);
    if liberties.len() != 2 || inside.len() != 3 {
        return false;
    }
    let eye = liberties | inside;
    let walls = eye.around() & board.points().without(eye);
    walls.without(chain.stones).is_empty()
        && eye.parts().count() == 1
        && liberties.iter().any(|fourth| bends_in_corner(inside | P::only(fourth), board.size()))
}

/// Whether four points are connected and include a corner of the board with both its neighbours, but do not form a
/// square.
fn bends_in_corner<P: Points>(four: P, size: usize) -> bool {
    let ends = [0, size - 1];
    let corners = ends.iter().flat_map(|&column| ends.map(|row| P::only(Point::new(column, row))));
    let bends = |corner: P| {
        let beside = corner.around() & P::board(size);
        let square = corner | beside | beside.around_twice() & P::board(size);
        (corner | beside).without(four).is_empty() && corner.flood(four) == four && square != four
    };
    corners.into_iter().any(bends)
}
