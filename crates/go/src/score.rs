//! Counting at the end.

use std::fmt;

use game::Outcome;

use crate::{Board, Colour, Komi, Points, rules::write_halves};

/// By how much Black leads, in half points, the komi included.
///
/// ```
/// use go::Score;
/// assert_eq!(Score::from_half_points(7).to_string(), "B+3.5");
/// assert_eq!(Score::from_half_points(-2).to_string(), "W+1");
/// assert_eq!(Score::from_half_points(0).to_string(), "0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

impl Score {
    /// Black leads by `halves / 2`.
    pub const fn from_half_points(halves: i32) -> Self {
        Self(halves)
    }

    /// Twice Black's lead.
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// Who leads; `None` if nobody does.
    pub fn winner(self) -> Option<Colour> {
        match self.0 {
            0 => None,
            1.. => Some(Colour::Black),
            _ => Some(Colour::White),
        }
    }

    /// The outcome of a game that ends with this score.
    pub fn outcome(self) -> Outcome {
        self.winner().map_or_else(|| Outcome::draw(2), |colour| Outcome::win(2, colour.seat()))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(winner) = self.winner() else { return f.write_str("0") };
        write!(f, "{}+", winner.letter())?;
        write_halves(f, self.0.abs())
    }
}

/// What the players agree on after the game, if they do not play on until it shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict<P> {
    /// Stones that are taken off before counting.
    pub dead: P,
    /// Stones that live in seki: with territory scoring what they surround counts for nobody.
    pub seki: P,
}

impl<P: Points> Verdict<P> {
    /// Every stone lives, and none in seki.
    pub const AS_IT_STANDS: Self = Self { dead: P::EMPTY, seki: P::EMPTY };

    /// These stones are dead.
    pub const fn dead(dead: P) -> Self {
        Self { dead, seki: P::EMPTY }
    }
}

impl<P: Points> Board<P> {
    /// The empty points that only stones of one colour reach, by colour.
    pub fn surrounded(&self) -> [P; 2] {
        let reached = Colour::BOTH.map(|colour| self.liberties(self.stones(colour)).flood(self.empty()));
        [reached[0].without(reached[1]), reached[1].without(reached[0])]
    }

    /// Stones and surrounded points of Black, less those of White: the area score of Tromp and Taylor.
    pub fn area(&self) -> i32 {
        let surrounded = self.surrounded();
        let area = |colour: Colour| (self.stones(colour).len() + surrounded[colour.index()].len()) as i32;
        area(Colour::Black) - area(Colour::White)
    }

    /// The board without the stones that a verdict calls dead, and how many those were, by colour.
    pub fn cleared(&self, dead: P) -> (Self, [u32; 2]) {
        let mut board = *self;
        let counts = Colour::BOTH.map(|colour| {
            let stones = self.stones(colour) & dead;
            board.remove(stones, colour);
            stones.len()
        });
        (board, counts)
    }

    /// The area score after a verdict; seki needs no care.
    pub fn area_score(&self, verdict: &Verdict<P>, komi: Komi) -> Score {
        Score(2 * self.cleared(verdict.dead).0.area() - komi.half_points())
    }

    /// The territory score after a verdict. `prisoners` are the stones taken during the game, by their colour.
    ///
    /// A surrounded region that touches a stone in seki counts for nobody. Points beside both colours count for
    /// nobody either, so dame need not be filled.
    pub fn territory_score(&self, verdict: &Verdict<P>, prisoners: [u32; 2], komi: Komi) -> Score {
        let (board, dead) = self.cleared(verdict.dead);
        let void = board.liberties(verdict.seki).flood(board.empty());
        let surrounded = board.surrounded();
        let points = |colour: Colour| {
            let taken = prisoners[colour.other().index()] + dead[colour.other().index()];
            (surrounded[colour.index()].without(void).len() + taken) as i32
        };
        Score(2 * (points(Colour::Black) - points(Colour::White)) - komi.half_points())
    }
}
