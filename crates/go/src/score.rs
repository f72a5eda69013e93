//! Area and territory scoring.

use std::fmt;

use game::Outcome;

use crate::{Board, Colour, Komi, Points, rules::write_halves};

/// Black's lead in half points, komi included.
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
    /// A score of `halves / 2` points for Black.
    pub const fn from_half_points(halves: i32) -> Self {
        Self(halves)
    }

    /// Twice Black's lead.
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// The colour in the lead; `None` for a tie.
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

/// The dead stones and the stones in seki, as the players agree after the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict<P> {
    /// Stones to remove before counting.
    pub dead: P,
    /// Stones alive in seki. Under territory scoring, the points that they surround count for neither colour.
    pub seki: P,
}

impl<P: Points> Verdict<P> {
    /// All stones are alive, and none are in seki.
    pub const AS_IT_STANDS: Self = Self { dead: P::EMPTY, seki: P::EMPTY };

    /// These stones are dead, and none are in seki.
    pub const fn dead(dead: P) -> Self {
        Self { dead, seki: P::EMPTY }
    }
}

impl<P: Points> Board<P> {
    /// For each colour, the empty points that only its stones reach.
    pub fn surrounded(&self) -> [P; 2] {
        let reached = Colour::BOTH.map(|colour| self.liberties(self.stones(colour)).flood(self.empty()));
        [reached[0].without(reached[1]), reached[1].without(reached[0])]
    }

    /// Black's stones and surrounded points minus White's: the area score of Tromp and Taylor, without komi.
    pub fn area(&self) -> i32 {
        let surrounded = self.surrounded();
        let area = |colour: Colour| (self.stones(colour).len() + surrounded[colour.index()].len()) as i32;
        area(Colour::Black) - area(Colour::White)
    }

    /// The board without these dead stones, and the number of stones removed of each colour.
    pub fn cleared(&self, dead: P) -> (Self, [u32; 2]) {
        let mut board = *self;
        let counts = Colour::BOTH.map(|colour| {
            let stones = self.stones(colour) & dead;
            board.remove(stones, colour);
            stones.len()
        });
        (board, counts)
    }

    /// The area score after removing dead stones. Seki makes no difference.
    pub fn area_score(&self, verdict: &Verdict<P>, komi: Komi) -> Score {
        Score(2 * self.cleared(verdict.dead).0.area() - komi.half_points())
    }

    /// The territory score after removing dead stones. `prisoners` are the stones captured during the game, by their
    /// colour.
    ///
    /// A surrounded region next to a stone in seki counts for neither colour. Neither do dame, the points that both
    /// colours reach, so they need not be filled.
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
