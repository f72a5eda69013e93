//! A stack of rings, packed into one word.

use std::fmt;

use game::Seat;

/// A stack of rings with two bits per ring, the top ring in the lowest bits. A single set bit above the bottom ring
/// marks the height, so the empty stack is the number 1.
///
/// ```
/// use ringrift::Stack;
/// let stack: Stack = "211".parse().unwrap();          // bottom to top
/// assert_eq!((stack.height(), stack.cap()), (3, 2));
/// assert_eq!(stack.top().map(|seat| seat.number()), Some(1));
/// assert_eq!(stack.to_string(), "211");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack(u64);

/// The lower bit of every ring's two.
const PLACES: u64 = 0x5555_5555_5555_5555;

impl Stack {
    /// The stack without rings.
    pub const EMPTY: Self = Self(1);

    /// The greatest height. Play cannot build a taller stack: a stack moves at least as far as it is high, and the
    /// longest straight distance on any board is 24.
    pub const MAX_HEIGHT: u32 = 25;

    #[inline]
    pub(crate) const fn from_word(word: u64) -> Self {
        Self(word)
    }

    #[inline]
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// Whether the stack has no rings.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 1
    }

    /// The number of rings.
    #[inline]
    pub const fn height(self) -> u32 {
        self.0.ilog2() / 2
    }

    /// The owner of the top ring, who controls the stack.
    #[inline]
    pub fn top(self) -> Option<Seat> {
        (!self.is_empty()).then(|| self.controller())
    }

    /// The controller of the stack. The result is meaningless if the stack is empty.
    #[inline]
    pub(crate) const fn controller(self) -> Seat {
        Seat::new((self.0 & 3) as usize)
    }

    /// The cap height: the number of consecutive rings of one colour at the top. An empty stack has a cap of 0.
    #[inline]
    pub const fn cap(self) -> u32 {
        let run = (self.0 ^ ((self.0 & 3) * PLACES)).trailing_zeros() / 2;
        // The height mark looks like a ring of seat 2, so the run may extend into it.
        if run < self.height() { run } else { self.height() }
    }

    /// The places that hold a ring of `seat`, one bit each.
    #[inline]
    const fn places_of(self, seat: Seat) -> u64 {
        let differs = self.0 ^ (seat.index() as u64 * PLACES);
        let below_mark = (1 << (2 * self.height())) - 1;
        !(differs | differs >> 1) & PLACES & below_mark
    }

    /// The number of rings of `seat`.
    #[inline]
    pub const fn count(self, seat: Seat) -> u32 {
        self.places_of(seat).count_ones()
    }

    /// Whether the stack holds a buried ring of `seat`: one that is not the top ring.
    #[inline]
    pub const fn buries(self, seat: Seat) -> bool {
        self.places_of(seat) & !1 != 0
    }

    /// Returns the stack with a ring added on top.
    #[inline]
    #[must_use]
    pub const fn push(self, seat: Seat) -> Self {
        Self(self.0 << 2 | seat.index() as u64)
    }

    /// Returns the stack without its `count` topmost rings.
    #[inline]
    #[must_use]
    pub const fn pop(self, count: u32) -> Self {
        Self(self.0 >> (2 * count))
    }

    /// Returns the stack with a ring added at the bottom.
    #[inline]
    #[must_use]
    pub const fn push_below(self, seat: Seat) -> Self {
        let mark = 2 * self.height();
        Self(self.0 ^ 1 << mark | (seat.index() as u64) << mark | 1 << (mark + 2))
    }

    /// Returns the stack without the lowest ring of `seat`; unchanged if `seat` has no ring in it.
    #[inline]
    #[must_use]
    pub const fn extract(self, seat: Seat) -> Self {
        match self.places_of(seat).checked_ilog2() {
            Some(place) => Self(self.0 >> (place + 2) << place | self.0 & ((1 << place) - 1)),
            None => self,
        }
    }

    /// The rings from bottom to top.
    pub fn rings(self) -> impl DoubleEndedIterator<Item = Seat> {
        (0..self.height()).rev().map(move |place| Seat::new((self.0 >> (2 * place) & 3) as usize))
    }
}

/// An error for text that is not a stack.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a stack: expected one digit 1 to 4 per ring, bottom to top, at most {max} rings", max = Stack::MAX_HEIGHT)]
pub struct BadStack(String);

impl std::str::FromStr for Stack {
    type Err = BadStack;

    fn from_str(text: &str) -> Result<Self, BadStack> {
        let bad = || BadStack(text.chars().take(40).collect());
        if text.is_empty() || text.len() > Self::MAX_HEIGHT as usize {
            return Err(bad());
        }
        text.chars().try_fold(Self::EMPTY, |stack, digit| {
            let seat = digit.to_digit(10).and_then(|number| Seat::from_number(number as usize));
            seat.map(|seat| stack.push(seat)).ok_or_else(bad)
        })
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rings().try_for_each(|seat| write!(f, "{seat}"))
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(text: &str) -> Stack {
        text.parse().unwrap()
    }

    #[test]
    fn every_operation_agrees_with_a_list_of_rings() {
        // All stacks of up to six rings of four colours.
        for height in 1..=6_u32 {
            for code in 0..4_u32.pow(height) {
                let rings: Vec<usize> = (0..height).map(|i| (code >> (2 * i) & 3) as usize).collect();
                let text: String = rings.iter().map(|ring| (ring + 1).to_string()).collect();
                let built = stack(&text);
                let top = *rings.last().unwrap();
                let cap = rings.iter().rev().take_while(|&&ring| ring == top).count();
                assert_eq!(
                    (built.height(), built.cap(), built.controller().index()),
                    (height, cap as u32, top)
                );
                assert_eq!(built.to_string(), text);
                assert_eq!(built.pop(1).to_string(), text[..text.len() - 1]);
                assert_eq!(built.pop(built.cap()).to_string(), text[..text.len() - cap]);
                for seat in Seat::all(4) {
                    let digit = seat.to_string();
                    assert_eq!(built.count(seat) as usize, text.matches(&digit).count());
                    assert_eq!(built.buries(seat), text[..text.len() - 1].contains(&digit));
                    assert_eq!(built.push(seat).to_string(), format!("{text}{digit}"));
                    assert_eq!(built.push_below(seat).to_string(), format!("{digit}{text}"));
                    assert_eq!(built.extract(seat).to_string(), text.replacen(&digit, "", 1));
                }
            }
        }
    }

    #[test]
    fn the_tallest_stack_keeps_its_rings() {
        let text = "1234".repeat(6) + "1";
        assert_eq!(stack(&text).to_string(), text);
        assert_eq!(stack(&text).height(), Stack::MAX_HEIGHT);
        assert_eq!(stack(&"4".repeat(25)).cap(), 25);
        assert!((text + "1").parse::<Stack>().is_err());
        assert!("".parse::<Stack>().is_err());
        assert!("15".parse::<Stack>().is_err());
    }

    #[test]
    fn an_empty_stack_has_no_height_cap_or_controller() {
        assert_eq!((Stack::EMPTY.height(), Stack::EMPTY.cap(), Stack::EMPTY.top()), (0, 0, None));
        assert_eq!(Stack::EMPTY.extract(Seat::FIRST), Stack::EMPTY);
    }
}
