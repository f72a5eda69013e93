//! Sets of cells as bitboards.

use std::{
    fmt::Debug,
    ops::{BitAnd, BitOr, BitXor, Not},
};

use crate::Cell;

/// A set of cells of one board, one bit per cell.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// The empty set.
    const EMPTY: Self;

    /// Whether `cell` is in the set.
    fn contains(&self, cell: Cell) -> bool;

    /// Adds `cell` if it is absent, removes it if it is present.
    fn toggle(&mut self, cell: Cell);

    /// The number of cells in the set.
    fn count(&self) -> u32;

    /// Whether the set is empty.
    fn is_empty(&self) -> bool;

    /// The first cell in canonical order.
    fn first(&self) -> Option<Cell>;

    /// All cells in canonical order.
    fn cells(self) -> impl Iterator<Item = Cell>;

    /// Whether the two sets share a cell.
    #[inline]
    fn meets(&self, other: Self) -> bool {
        !(*self & other).is_empty()
    }

    /// This set without the cells of `other`.
    #[inline]
    #[must_use]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// This set together with `cell`.
    #[inline]
    #[must_use]
    fn with(mut self, cell: Cell) -> Self {
        if !self.contains(cell) {
            self.toggle(cell);
        }
        self
    }
}

macro_rules! word_bits {
    ($word:ty) => {
        impl Bits for $word {
            const EMPTY: Self = 0;

            #[inline]
            fn contains(&self, cell: Cell) -> bool {
                self >> cell.index() & 1 != 0
            }

            #[inline]
            fn toggle(&mut self, cell: Cell) {
                *self ^= 1 << cell.index();
            }

            #[inline]
            fn count(&self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn is_empty(&self) -> bool {
                *self == 0
            }

            #[inline]
            fn first(&self) -> Option<Cell> {
                (*self != 0).then(|| Cell::new(self.trailing_zeros() as usize))
            }

            #[inline]
            fn cells(mut self) -> impl Iterator<Item = Cell> {
                std::iter::from_fn(move || {
                    let cell = self.first()?;
                    self &= self - 1;
                    Some(cell)
                })
            }
        }
    };
}

word_bits!(u64);
word_bits!(u128);

/// A large board with one 32-bit word per row. A step to a neighbour is a shift within a row or a move to the adjacent
/// row, which compilers turn into vector instructions. `N` is the number of rows, rounded up to fill whole vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows<const N: usize>(pub [u32; N]);

impl<const N: usize> Rows<N> {
    #[inline]
    fn zip(mut self, other: Self, op: impl Fn(u32, u32) -> u32) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = op(*a, b);
        }
        self
    }
}

impl<const N: usize> BitAnd for Rows<N> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const N: usize> BitOr for Rows<N> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const N: usize> BitXor for Rows<N> {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<const N: usize> Not for Rows<N> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|row| !row))
    }
}

impl<const N: usize> Bits for Rows<N> {
    const EMPTY: Self = Self([0; N]);

    #[inline]
    fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() >> 5] >> (cell.index() & 31) & 1 != 0
    }

    #[inline]
    fn toggle(&mut self, cell: Cell) {
        self.0[cell.index() >> 5] ^= 1 << (cell.index() & 31);
    }

    #[inline]
    fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, row| any | row) == 0
    }

    #[inline]
    fn first(&self) -> Option<Cell> {
        let row = self.0.iter().position(|&row| row != 0)?;
        Some(Cell::new(row << 5 | self.0[row].trailing_zeros() as usize))
    }

    #[inline]
    fn cells(self) -> impl Iterator<Item = Cell> {
        (0..N).flat_map(move |row| {
            let mut rest = self.0[row];
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let cell = Cell::new(row << 5 | rest.trailing_zeros() as usize);
                rest &= rest - 1;
                Some(cell)
            })
        })
    }
}
