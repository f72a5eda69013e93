//! Sets of points. A board is little else, so they come in three sizes.

use std::{
    fmt::Debug,
    hash::Hash,
    ops::{BitAnd, BitOr, BitXor},
};

use crate::Point;

/// Something that exists for every kind of [`Points`] and is compiled once for each: code that is generic over the kind
/// asks [`Points::accept`] for the one that fits.
///
/// A generic function is compiled again in every crate that uses it; the methods of a visitor are not.
pub trait PointsVisitor {
    /// What there is for sets of the kind `P`.
    type Output<P: Points>;

    /// For boards of up to seven lines.
    fn small(self) -> Self::Output<Small>;

    /// For boards of up to ten lines.
    fn medium(self) -> Self::Output<Medium>;

    /// For boards of up to nineteen lines.
    fn large(self) -> Self::Output<Large>;
}

/// A set of points of a board up to some size, as a flat value.
///
/// All operations are a few machine instructions, so that chains, liberties and regions are found when they are
/// asked for, by floods, and need not be kept.
pub trait Points:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + 'static
{
    /// The largest board whose points fit.
    const LARGEST: usize;

    /// No point.
    const EMPTY: Self;

    /// Calls the visitor's method for this kind.
    fn accept<V: PointsVisitor>(visitor: V) -> V::Output<Self>;

    /// All points of a board of this size.
    fn board(size: usize) -> Self;

    /// The set of one point. Of a point that no such board has, the empty set.
    fn only(point: Point) -> Self;

    /// Whether the point is a member.
    fn has(self, point: Point) -> bool;

    /// The members that are not in `other`.
    #[must_use]
    fn without(self, other: Self) -> Self;

    /// The neighbours of the members, in four directions. Some may lie outside the board: meet the result with a
    /// set of points that do not.
    #[must_use]
    fn around(self) -> Self;

    /// The points with at least two neighbours among the members; some may lie outside the board.
    #[must_use]
    fn around_twice(self) -> Self;

    /// Whether there is no member.
    fn is_empty(self) -> bool;

    /// How many members there are.
    fn len(self) -> u32;

    /// The lowest member: of the lowest row, the leftmost.
    fn first(self) -> Option<Point>;

    /// The members, row by row from below, each from the left.
    fn iter(mut self) -> impl Iterator<Item = Point> {
        std::iter::from_fn(move || {
            let point = self.first()?;
            self = self ^ Self::only(point);
            Some(point)
        })
    }

    /// The set of these points.
    fn of(points: impl IntoIterator<Item = Point>) -> Self {
        points.into_iter().fold(Self::EMPTY, |set, point| set | Self::only(point))
    }

    /// Everything within `area` that is connected to the members through `area`, the members included.
    #[inline]
    #[must_use]
    fn flood(self, area: Self) -> Self {
        let mut all = self;
        loop {
            let grown = all | all.around() & area;
            if grown == all {
                return all;
            }
            all = grown;
        }
    }

    /// The connected parts of the set.
    fn parts(mut self) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let part = Self::only(self.first()?).flood(self);
            self = self.without(part);
            Some(part)
        })
    }
}

/// A set of points in one machine word: rows of a fixed width, at least one column of each never used, so that a
/// step to the side never reaches another row.
macro_rules! word_set {
    ($(#[$doc:meta])* $name:ident, $visit:ident, $word:ty, $stride:literal, $largest:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name($word);

        const _: () = assert!($largest < $stride && $largest * $stride <= <$word>::BITS);

        impl BitAnd for $name {
            type Output = Self;
            #[inline]
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl BitOr for $name {
            type Output = Self;
            #[inline]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl BitXor for $name {
            type Output = Self;
            #[inline]
            fn bitxor(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }
        }

        impl Points for $name {
            const LARGEST: usize = $largest;
            const EMPTY: Self = Self(0);

            fn accept<V: PointsVisitor>(visitor: V) -> V::Output<Self> {
                visitor.$visit()
            }

            fn board(size: usize) -> Self {
                let row: $word = (1 << size) - 1;
                (0..size).fold(Self(0), |board, y| Self(board.0 | row << (y * $stride)))
            }

            #[inline]
            fn only(point: Point) -> Self {
                if point.column() >= $largest || point.row() >= $largest {
                    return Self(0);
                }
                Self(1 << (point.row() * $stride + point.column()))
            }

            #[inline]
            fn has(self, point: Point) -> bool {
                self.0 & Self::only(point).0 != 0
            }

            #[inline]
            fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            #[inline]
            fn around(self) -> Self {
                Self(self.0 << 1 | self.0 >> 1 | self.0 << $stride | self.0 >> $stride)
            }

            #[inline]
            fn around_twice(self) -> Self {
                let (left, right) = (self.0 << 1, self.0 >> 1);
                let (below, above) = (self.0 << $stride, self.0 >> $stride);
                Self(left & right | below & above | (left | right) & (below | above))
            }

            #[inline]
            fn is_empty(self) -> bool {
                self.0 == 0
            }

            #[inline]
            fn len(self) -> u32 {
                self.0.count_ones()
            }

            #[inline]
            fn first(self) -> Option<Point> {
                let bit = self.0.trailing_zeros() as usize;
                (self.0 != 0).then(|| Point::new(bit % $stride, bit / $stride))
            }
        }
    };
}

word_set! {
    /// Points of a board of at most seven lines, in 8 bytes.
    Small, small, u64, 8, 7
}

impl Small {
    /// The members of a board of this size as a number without gaps, row by row.
    pub(crate) fn packed(self, size: usize) -> u64 {
        let row = (1 << size) - 1;
        (0..size).fold(0, |packed, y| packed | (self.0 >> (8 * y) & row) << (size * y))
    }

    /// The set that [`Small::packed`] makes this number of.
    pub(crate) fn unpacked(number: u64, size: usize) -> Self {
        let row = (1 << size) - 1;
        Self((0..size).fold(0, |set, y| set | (number >> (size * y) & row) << (8 * y)))
    }
}

word_set! {
    /// Points of a board of at most ten lines, in 16 bytes.
    Medium, medium, u128, 11, 10
}

/// Rows of a [`Large`] set: some more than a board has, to fill whole vector registers.
const ROWS: usize = 24;

/// Points of a board of at most nineteen lines, a 32-bit word a row, which compiles to vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Large([u32; ROWS]);

impl Large {
    #[inline]
    fn zip(self, other: Self, join: impl Fn(u32, u32) -> u32) -> Self {
        Self(std::array::from_fn(|row| join(self.0[row], other.0[row])))
    }

    #[inline]
    fn shifted_up(self) -> Self {
        let mut rows = [0; ROWS];
        rows[1..].copy_from_slice(&self.0[..ROWS - 1]);
        Self(rows)
    }

    #[inline]
    fn shifted_down(self) -> Self {
        let mut rows = [0; ROWS];
        rows[..ROWS - 1].copy_from_slice(&self.0[1..]);
        Self(rows)
    }
}

impl BitAnd for Large {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Large {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Large {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Points for Large {
    const LARGEST: usize = 19;
    const EMPTY: Self = Self([0; ROWS]);

    fn accept<V: PointsVisitor>(visitor: V) -> V::Output<Self> {
        visitor.large()
    }

    fn board(size: usize) -> Self {
        Self(std::array::from_fn(|row| if row < size { (1 << size) - 1 } else { 0 }))
    }

    #[inline]
    fn only(point: Point) -> Self {
        let mut set = Self::EMPTY;
        if point.column() < Self::LARGEST && point.row() < Self::LARGEST {
            set.0[point.row()] = 1 << point.column();
        }
        set
    }

    #[inline]
    fn has(self, point: Point) -> bool {
        self.0.get(point.row()).is_some_and(|row| row >> point.column() & 1 != 0)
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline]
    fn around(self) -> Self {
        let (below, above) = (self.shifted_up(), self.shifted_down());
        Self(std::array::from_fn(|row| self.0[row] << 1 | self.0[row] >> 1 | below.0[row] | above.0[row]))
    }

    #[inline]
    fn around_twice(self) -> Self {
        let (below, above) = (self.shifted_up(), self.shifted_down());
        Self(std::array::from_fn(|row| {
            let (left, right) = (self.0[row] << 1, self.0[row] >> 1);
            left & right | below.0[row] & above.0[row] | (left | right) & (below.0[row] | above.0[row])
        }))
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }

    #[inline]
    fn len(self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    #[inline]
    fn first(self) -> Option<Point> {
        let row = self.0.iter().position(|&row| row != 0)?;
        Some(Point::new(self.0[row].trailing_zeros() as usize, row))
    }

    fn iter(self) -> impl Iterator<Item = Point> {
        self.0.into_iter().enumerate().flat_map(|(row, mut columns)| {
            std::iter::from_fn(move || {
                let column = columns.trailing_zeros() as usize;
                columns &= columns.wrapping_sub(1);
                (column < 32).then(|| Point::new(column, row))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_steps<P: Points>() {
        for size in 2..=P::LARGEST {
            let board = P::board(size);
            assert_eq!(board.len() as usize, size * size);
            for point in board.iter() {
                let (x, y) = (point.column() as i32, point.row() as i32);
                let expected = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
                    .into_iter()
                    .filter(|&(x, y)| x.min(y) >= 0 && x.max(y) < size as i32)
                    .map(|(x, y)| Point::new(x as usize, y as usize));
                assert_eq!(P::only(point).around() & board, P::of(expected), "{point} of {size}");
            }
            let set = P::of(board.iter().filter(|point| (point.column() * 3 + point.row() * 5) % 7 < 3));
            let twice = |point: &Point| (P::only(*point).around() & set).len() >= 2;
            assert_eq!(set.around_twice() & board, P::of(board.iter().filter(twice)), "{size}");
            assert_eq!(P::only(Point::new(0, 0)).flood(board), board);
        }
    }

    #[test]
    fn neighbours_are_the_four_beside_a_point_on_every_board() {
        check_steps::<Small>();
        check_steps::<Medium>();
        check_steps::<Large>();
    }

    #[test]
    fn points_outside_are_never_members() {
        let outside = Point::new(24, 3);
        assert!(Small::only(outside).is_empty() && !Small::board(7).has(outside));
        assert!(Medium::only(outside).is_empty() && !Medium::board(10).has(outside));
        assert!(Large::only(outside).is_empty() && !Large::board(19).has(outside));
        assert!(!Large::board(19).has(Point::new(3, 24)));
    }

    #[test]
    fn packed_sets_read_back() {
        for size in 2..=7 {
            let set =
                Small::of(Small::board(size).iter().filter(|point| (point.column() + point.row()) % 3 == 1));
            let packed = set.packed(size);
            assert_eq!(packed.count_ones(), set.len());
            assert!(packed >> (size * size) == 0);
            assert_eq!(Small::unpacked(packed, size), set);
        }
    }

    #[test]
    fn parts_are_connected_and_disjoint() {
        let set = Small::of([(0, 0), (1, 0), (3, 0), (3, 1), (2, 2)].map(|(x, y)| Point::new(x, y)));
        let sizes: Vec<u32> = set.parts().map(Points::len).collect();
        assert_eq!(sizes, [2, 2, 1]);
    }
}
