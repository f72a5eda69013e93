//! Seats, identified by index or number.

use std::fmt;

/// The maximum number of seats of a game.
pub const MAX_SEATS: usize = 4;

/// A seat in a game. Indices count from 0; numbers shown to people count from 1.
///
/// ```
/// use game::Seat;
/// let second = Seat::new(1);
/// assert_eq!(second.to_string(), "2");
/// assert_eq!(Seat::all(3).count(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The first seat in turn order.
    pub const FIRST: Self = Self(0);

    /// The seat with this index, counted from 0.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_SEATS`].
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_SEATS, "a seat index is below four");
        Self(index as u8)
    }

    /// The seat with this number, counted from 1, or `None` if there is no such seat.
    pub const fn from_number(number: usize) -> Option<Self> {
        if number >= 1 && number <= MAX_SEATS { Some(Self(number as u8 - 1)) } else { None }
    }

    /// Index counted from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Number counted from 1, for people and files.
    pub const fn number(self) -> usize {
        self.0 as usize + 1
    }

    /// The seats of a game for `seats`, in turn order.
    pub fn all(seats: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..seats).map(Self::new)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}
