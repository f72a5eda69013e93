//! Colours, points and moves.

use std::fmt;

use game::Seat;

/// The colour of a stone and of the seat that plays it. Black is the first seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// The first seat, which moves first except in a handicap game.
    Black,
    /// The second seat, which receives the komi.
    White,
}

impl Colour {
    /// Black, then White.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent's colour.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The seat of this colour.
    #[inline]
    pub const fn seat(self) -> Seat {
        Seat::new(self.index())
    }

    /// The letter used in records and protocols: `B` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'B',
            Self::White => 'W',
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

/// The letters of the columns: all but I, which resembles J.
const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A point of the board. Columns count from the left, rows from the bottom, both from 0; A1 is (0, 0).
///
/// ```
/// use go::Point;
/// let point = Point::new(8, 2);
/// assert_eq!(point.to_string(), "J3");
/// assert_eq!(Point::parse("j3"), Some(point));
/// assert_eq!(Point::parse("i3"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// An upper bound of [`Point::index`].
    pub(crate) const COUNT: usize = 1 << 10;

    /// The point in this column and row.
    ///
    /// # Panics
    /// If one of them is above 24.
    #[inline]
    pub const fn new(column: usize, row: usize) -> Self {
        assert!(column < LETTERS.len() && row < LETTERS.len(), "columns and rows are below 25");
        Self((row << 5 | column) as u16)
    }

    /// The column, counted from 0 at the left.
    #[inline]
    pub const fn column(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The row, counted from 0 at the bottom.
    #[inline]
    pub const fn row(self) -> usize {
        (self.0 >> 5) as usize
    }

    /// A number below 1024 that identifies the point on boards of any size.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize & (Self::COUNT - 1)
    }

    /// Parses a name such as `D4`, in either case, without regard to the size of a board.
    pub fn parse(name: &str) -> Option<Self> {
        let letter = name.bytes().next()?.to_ascii_uppercase();
        let column = LETTERS.iter().position(|&known| known == letter)?;
        let digits = name.get(1..).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
        let row = digits.parse::<usize>().ok()?.checked_sub(1)?;
        (row < LETTERS.len()).then(|| Self::new(column, row))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(LETTERS[self.column()]), self.row() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move: a stone on a point, or a pass. Resigning is not a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// A pass, which sorts after all other moves.
    pub const PASS: Self = Self(u16::MAX);

    /// A stone on this point.
    #[inline]
    pub const fn at(point: Point) -> Self {
        Self(point.0)
    }

    /// The point of the stone; `None` for a pass.
    #[inline]
    pub const fn point(self) -> Option<Point> {
        if self.0 == Self::PASS.0 { None } else { Some(Point(self.0)) }
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Self {
        Self::at(point)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.point() {
            Some(point) => point.fmt(f),
            None => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_reads_back_from_its_name() {
        for column in 0..25 {
            for row in 0..25 {
                let point = Point::new(column, row);
                assert_eq!((point.column(), point.row()), (column, row));
                assert_eq!(Point::parse(&point.to_string()), Some(point));
            }
        }
        for wrong in ["", "4", "D", "I5", "D0", "D26", "D+4", "DD4", "é4", "D4 "] {
            assert_eq!(Point::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_move_fits_in_two_bytes_and_a_pass_has_no_point() {
        assert_eq!(size_of::<Move>(), 2);
        assert_eq!(Move::PASS.point(), None);
        assert_eq!(Move::at(Point::new(24, 24)).point(), Some(Point::new(24, 24)));
    }
}
