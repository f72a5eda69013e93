//! The vital point of a small eye space next to the last move.

use super::playout_board::{EDGE, EMPTY, PlayoutBoard};

/// The size of the largest eye space with a vital point.
const LARGEST: usize = 6;

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// The vital point of an eye space of three to six points that the chain just played on `last` surrounds, perhaps
    /// with others of its colour: a stone there prevents two eyes.
    pub(super) fn vital_point(&self, last: usize) -> Option<usize> {
        let own = self.to_move;
        let around = self.around(last);
        let is_beside_own = |at: usize| self.around(at).iter().any(|&n| self.content[n] == own);
        let inside = around.into_iter().find(|&n| self.is_vacant(n) && !is_beside_own(n))?;
        self.vital_point_around(inside)
    }

    /// The vital point of the eye space that contains this empty point.
    pub(super) fn vital_point_around(&self, first: usize) -> Option<usize> {
        let mut space = [first; LARGEST];
        let (mut count, mut seen) = (1, 0);
        let mut owner = EDGE;
        while seen < count {
            for n in self.around(space[seen]) {
                match self.content[n] {
                    EDGE => {}
                    EMPTY if space[..count].contains(&n) => {}
                    EMPTY => {
                        *space.get_mut(count)? = n;
                        count += 1;
                    }
                    colour if owner == EDGE => owner = colour,
                    colour if owner != colour => return None,
                    _ => {}
                }
            }
            seen += 1;
        }
        let space = &space[..count];
        let neighbours = |at: usize| self.around(at).into_iter().filter(|n| space.contains(n)).count();
        let squares: usize = space.iter().map(|&at| neighbours(at).pow(2)).sum();
        // The sum of the squared neighbour counts distinguishes the shapes of each size as far as needed: three in a row
        // or bent, the pyramid four, the bulky and the crossed five, the rabbity six.
        let has_vital_point = matches!((count, squares), (3, 6) | (4, 12) | (5, 20 | 22) | (6, 30));
        let vital = space.iter().copied().max_by_key(|&at| neighbours(at));
        vital.filter(|_| has_vital_point)
    }
}
