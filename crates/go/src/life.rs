//! Eyes and unconditional life.

use crate::{Board, Colour, Point, Points};

/// The pass-alive stones and territory of a colour: what it keeps even if it passes for the rest of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Life<P> {
    /// Chains that cannot be captured.
    pub stones: P,
    /// Regions that are bordered only by those chains and whose every empty point is a liberty of one of them. The
    /// opponent cannot live there, whatever stones it has there now.
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
    /// A region is a connected set of points without stones of this colour. It is vital to a chain if all its empty
    /// points are liberties of that chain. The algorithm removes chains with fewer than two vital regions, then
    /// regions that border a removed chain, until nothing changes.
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

    /// Whether a point is an eye that its owner should not fill: it is empty, all its neighbours have this colour, and
    /// the opponent holds fewer than two of its diagonal points (none at the edge).
    pub fn is_eye(&self, point: Point, colour: Colour) -> bool {
        let own = self.stones(colour);
        let around = P::only(point).around() & self.points();
        self.empty().has(point)
            && around.without(own).is_empty()
            && self.controls_diagonals(point, around.len(), colour)
    }

    /// All [eyes](Board::is_eye) of a colour.
    pub fn eyes(&self, colour: Colour) -> P {
        // Points next to anything but an own stone cannot be eyes.
        let others = self.points().without(self.stones(colour));
        let candidates = self.empty().without(others.around());
        let held = |&point: &Point| {
            let neighbours = (P::only(point).around() & self.points()).len();
            self.controls_diagonals(point, neighbours, colour)
        };
        P::of(candidates.iter().filter(held))
    }

    fn controls_diagonals(&self, point: Point, neighbours: u32, colour: Colour) -> bool {
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
    fn an_eye_may_contain_enemy_stones_as_long_as_every_empty_point_is_a_liberty() {
        check_life(". O X . X\nX X X X X\n. . . . .\n. . . . .\n. . . . .", Colour::Black, 7, 3);
        // Here A5 touches no black stone.
        check_life(". O X . X\n. X X X X\nX X . . .\n. . . . .\n. . . . .", Colour::Black, 0, 0);
    }

    #[test]
    fn chains_live_together_by_shared_eyes() {
        // The two chains share both corners and B3-C3; the lower one also has the first row.
        check_life(". X X .\nX . . X\nX X X X\n. . . .", Colour::Black, 8, 8);
        // A region bordered by a dead chain is not an eye for the others. Here the upper chain has only the corner.
        check_life(". X X X\nX . O .\nX X O O\n. . . .", Colour::Black, 0, 0);
    }

    #[test]
    fn a_large_empty_region_is_not_an_eye() {
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
    fn eyes_depend_on_their_diagonals() {
        check_eyes(". X .\nX . X\n. X .", &["A1", "A3", "B2", "C1", "C3"]);
        check_eyes("O X .\nX . X\n. X .", &["A1", "B2", "C1", "C3"]);
        check_eyes("O X .\nX . X\n. X O", &["A1", "C3"].map(|name| name));
        check_eyes(". X O\nX O .\n. . .", &[]);
        check_eyes(". X X\nX X .\n. . .", &["A3"]);
    }
}
