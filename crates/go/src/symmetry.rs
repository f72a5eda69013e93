//! The rotations and reflections of the board.

use game::{Game, Symmetry};

use crate::{Move, Point, Points, Position, Start};

/// The number of symmetries of a square.
pub const SYMMETRIES: usize = 8;

/// The image of a point: bit 0 of `symmetry` mirrors the columns, bit 1 mirrors the rows, and bit 2 then exchanges
/// columns and rows.
///
/// ```
/// use go::{Point, image};
/// let point = Point::new(0, 2);
/// assert_eq!(image(point, 9, 0), point);
/// assert_eq!(image(point, 9, 1), Point::new(8, 2));
/// assert_eq!(image(point, 9, 4), Point::new(2, 0));
/// ```
#[inline]
pub fn image(point: Point, size: usize, symmetry: usize) -> Point {
    let (mut column, mut row) = (point.column(), point.row());
    if symmetry & 1 != 0 {
        column = size - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = size - 1 - row;
    }
    if symmetry & 4 != 0 { Point::new(row, column) } else { Point::new(column, row) }
}

/// The symmetry that undoes another one.
pub fn inverse(symmetry: usize) -> usize {
    match symmetry {
        5 => 6,
        6 => 5,
        other => other,
    }
}

/// All eight symmetries: the image of a game is the game of the images. If handicap stones have a different image, the
/// transformed position starts from a set-up board.
impl<P: Points> Symmetry for Position<P> {
    fn symmetries(&self) -> usize {
        SYMMETRIES
    }

    fn transformed(&self, index: usize) -> Self {
        let start = self.start();
        let size = start.board.size();
        let start = Start { board: start.board.mapped(|point| image(point, size, index)), ..start };
        let mut position = Self::set_up(self.rules(), &start).expect("the image of a start is a start");
        for m in self.moves() {
            position.play_unchecked(self.transformed_move(m, index), &mut ());
        }
        position
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        m.point().map_or(m, |point| Move::at(image(point, self.board().size(), index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_is_undone_by_its_inverse() {
        for symmetry in 0..SYMMETRIES {
            for point in [(0, 0), (1, 0), (0, 1), (3, 2), (4, 4)].map(|(x, y)| Point::new(x, y)) {
                assert_eq!(image(image(point, 5, symmetry), 5, inverse(symmetry)), point, "{symmetry}");
            }
        }
    }
}
