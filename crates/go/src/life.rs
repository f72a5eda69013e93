//! Eyes, and life that needs no answer.

use crate::{Board, Colour, Point, Points};

/// What a colour keeps even if it never moves again while the other plays on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Life<P> {
    /// Chains that cannot be captured.
    pub stones: P,
    /// Regions that only those chains border and whose every empty point is a liberty of one of them: the other
    /// colour can make no life there, whatever stones of it stand there now.
    pub territory: P,
}

impl<P: Points> Life<P> {
    /// Stones and territory together.
    pub fn area(&self) -> P {
        self.stones | self.territory
    }
}

impl<P: Points> Board<P> {
    /// Unconditional life, by Benson's algorithm (Life in the Game of Go, 1976).
    ///
    /// A region is a connected part of what is not of this colour. It is vital to a chain if all its empty points are
    /// liberties of that chain. Chains with fewer than two vital regions are given up, then regions that border a
    /// chain given up, until nothing changes.
    ///
    /// ```
    /// use go::{Board, Colour, Points, Small};
    /// let board = Board::<Small>::from_drawing("
    ///     . X . X .
    ///     X X X X .
    ///     . . . . .
    ///     . . . . .
    ///     . . . . .").unwrap();
    /// assert_eq!(board.unconditional_life(Colour::Black).area().len(), 8);
    /// ```
    pub fn unconditional_life(&self, colour: Colour) -> Life<P> {
        let stones = self.stones(colour);
        let mut alive = stones;
        let mut regions = self.points().without(stones);
        loop {
            let mut left = P::EMPTY;
            for chain in alive.parts() {
                if self.vital_regions(chain, regions).take(2).count() == 2 {
                    left = left | chain;
                }
            }
            if left == alive {
                break;
            }
            let lost = stones.without(left);
            let open = lost.around() & regions;
            regions = regions.without(open.flood(regions));
            alive = left;
        }
        let territory = alive.parts().fold(P::EMPTY, |territory, chain| {
            self.vital_regions(chain, regions).fold(territory, |territory, region| territory | region)
        });
        Life { stones: alive, territory }
    }

    /// The parts of `regions` whose empty points are all liberties of this chain.
    fn vital_regions(&self, chain: P, regions: P) -> impl Iterator<Item = P> {
        let around = chain.around();
        let mut seeds = around & regions & self.empty();
        std::iter::from_fn(move || {
            while let Some(seed) = seeds.first() {
                let region = P::only(seed).flood(regions);
                seeds = seeds.without(region);
                if (region & self.empty()).without(around).is_empty() {
                    return Some(region);
                }
            }
            None
        })
    }

    /// Whether an empty point is an eye that its owner should not fill: all four neighbours are of this colour, and
    /// the other colour has fewer than two of the corners around it (none at the edge).
    pub fn is_eye(&self, point: Point, colour: Colour) -> bool {
        let own = self.stones(colour);
        let around = P::only(point).around() & self.points();
        self.empty().has(point)
            && around.without(own).is_empty()
            && self.holds_corners(point, around.len(), colour)
    }

    /// All [eyes](Board::is_eye) of a colour.
    pub fn eyes(&self, colour: Colour) -> P {
        // Points beside something that is not an own stone cannot be eyes.
        let others = self.points().without(self.stones(colour));
        let candidates = self.empty().without(others.around());
        let held = |&point: &Point| {
            let neighbours = (P::only(point).around() & self.points()).len();
            self.holds_corners(point, neighbours, colour)
        };
        P::of(candidates.iter().filter(held))
    }

    fn holds_corners(&self, point: Point, neighbours: u32, colour: Colour) -> bool {
        let (column, row) = (point.column() as isize, point.row() as isize);
        let lines = 0..self.size() as isize;
        let corners = [(-1, -1), (1, -1), (-1, 1), (1, 1)].map(|(dx, dy)| (column + dx, row + dy));
        let enemies = corners
            .into_iter()
            .filter(|(x, y)| lines.contains(x) && lines.contains(y))
            .filter(|&(x, y)| self.stones(colour.other()).has(Point::new(x as usize, y as usize)))
            .count();
        enemies + usize::from(neighbours < 4) < 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Small;

    fn check_life(drawing: &str, colour: Colour, stones: u32, territory: u32) {
        let board = Board::<Small>::from_drawing(drawing).unwrap();
        let life = board.unconditional_life(colour);
        assert_eq!((life.stones.len(), life.territory.len()), (stones, territory), "{colour} in {drawing}");
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        check_life(". X . .\nX X . .\n. . . .\n. . . .", Colour::Black, 0, 0);
        check_life(". X . X\nX X X X\n. . . .\n. . . .", Colour::Black, 6, 2);
        check_life(". X . X\nX X X X\n. . . .\n. . . .", Colour::White, 0, 0);
    }

    #[test]
    fn an_eye_may_hold_enemy_stones_as_long_as_every_empty_point_is_a_liberty() {
        check_life(". O X . X\nX X X X X\n. . . . .\n. . . . .\n. . . . .", Colour::Black, 7, 3);
        // Here A5 touches no black stone.
        check_life(". O X . X\n. X X X X\nX X . . .\n. . . . .\n. . . . .", Colour::Black, 0, 0);
    }

    #[test]
    fn chains_live_together_by_eyes_they_share() {
        // The two chains share both corners and B3-C3; the lower one also has the first row.
        check_life(". X X .\nX . . X\nX X X X\n. . . .", Colour::Black, 8, 8);
        // A region that a dead chain borders is no eye for the others: here the upper chain has the corner alone.
        check_life(". X X X\nX . O .\nX X O O\n. . . .", Colour::Black, 0, 0);
    }

    #[test]
    fn a_large_empty_region_is_no_eye() {
        check_life("X X X X X\nX . . . X\nX . . . X\nX . . . X\nX X . X X", Colour::Black, 0, 0);
    }

    fn check_eyes(drawing: &str, expected: &[&str]) {
        let board = Board::<Small>::from_drawing(drawing).unwrap();
        let expected = Small::of(expected.iter().map(|name| Point::parse(name).unwrap()));
        assert_eq!(board.eyes(Colour::Black), expected, "{drawing}");
        for point in board.empty().iter() {
            assert_eq!(board.is_eye(point, Colour::Black), expected.has(point), "{point} in {drawing}");
        }
    }

    #[test]
    fn eyes_need_their_corners() {
        check_eyes(". X .\nX . X\n. X .", &["A1", "A3", "B2", "C1", "C3"]);
        check_eyes("O X .\nX . X\n. X .", &["A1", "B2", "C1", "C3"]);
        check_eyes("O X .\nX . X\n. X O", &["A1", "C3"].map(|name| name));
        check_eyes(". X O\nX O .\n. . .", &[]);
        check_eyes(". X X\nX X .\n. . .", &["A3"]);
    }
}
