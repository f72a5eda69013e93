use std::fmt;

/// The most seats any game here has.
pub const MAX_SEATS: usize = 4;

/// A place at the table. Counted from 0 inside, shown from 1 to people.
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

    /// The seat that people call `number`, counted from 1; `None` if there is no such seat.
    pub const fn from_number(number: usize) -> Option<Self> {
        if number >= 1 && number <= MAX_SEATS { Some(Self(number as u8 - 1)) } else { None }
    }

    /// Index counted from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Number counted from 1, as people and files write it.
    pub const fn number(self) -> usize {
        self.0 as usize + 1
    }

    /// All seats of a table of `seats`, in turn order.
    pub fn all(seats: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..seats).map(Self::new)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}
