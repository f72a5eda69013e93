//! Rays: how far a piece can move from its cell along each straight line.
//!
//! Every straight line of the board has a word that records, position by position, what blocks a piece (stacks and
//! collapsed cells) and which of the blockers are stacks. Sentinel blockers mark both ends. A ray in one direction
//! then takes two shifts and a bit count, whatever its length.

use std::fmt::Debug;

/// The place of a cell on the line that passes through it along one axis.
#[derive(Clone, Copy, Debug)]
pub struct LinePosition {
    /// The index of the line on its board.
    pub line: u8,
    /// The number of steps from the line's first cell.
    pub position: u8,
}

/// The blockers of one line. Position `p` is bit `p + 1` of each half; bit 0 and all bits beyond the last position
/// are sentinels.
pub trait LineWord: Copy + Eq + Debug + Send + Sync + 'static {
    /// The lower half: all blockers.
    fn blockers(self) -> u32;
    /// The upper half: the blockers that are stacks.
    fn stacks(self) -> u32;
    /// Adds or removes a blocker that is not a stack.
    fn toggle_blocker(&mut self, position: u8);
    /// Adds or removes a stack.
    fn toggle_stack(&mut self, position: u8);
}

macro_rules! line_word {
    ($word:ty, $half:ty) => {
        impl LineWord for $word {
            #[inline]
            fn blockers(self) -> u32 {
                self as $half as u32
            }

            #[inline]
            fn stacks(self) -> u32 {
                (self >> <$half>::BITS) as u32
            }

            #[inline]
            fn toggle_blocker(&mut self, position: u8) {
                *self ^= 2 << position;
            }

            #[inline]
            fn toggle_stack(&mut self, position: u8) {
                *self ^= (2 << position) | (2 << (position as u32 + <$half>::BITS));
            }
        }
    };
}

line_word!(u32, u16);
line_word!(u64, u32);

/// What lies ahead of a cell in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ray {
    /// The number of steps before the first blocker.
    pub free: u32,
    /// Whether the first blocker, at distance `free + 1`, is a stack.
    pub stack: bool,
    /// The number of free steps beyond the first blocker. Meaningful only if that blocker is a stack.
    pub beyond: u32,
}

impl Ray {
    /// The ray towards higher positions.
    #[inline]
    pub(crate) fn forward(word: impl LineWord, position: u8) -> Self {
        let ahead = word.blockers() >> (position + 2);
        let free = ahead.trailing_zeros();
        let stack = word.stacks() >> (position as u32 + 2 + free) & 1 != 0;
        let beyond = (ahead >> free >> 1).trailing_zeros();
        Self { free, stack, beyond }
    }

    /// The ray towards lower positions.
    #[inline]
    pub(crate) fn backward(word: impl LineWord, position: u8) -> Self {
        let behind = word.blockers() << (31 - position);
        let free = behind.leading_zeros();
        let stack = word.stacks() >> (position as u32 - free) & 1 != 0;
        let beyond = (behind << free << 1).leading_zeros();
        Self { free, stack, beyond }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes a ray cell by cell: in `cells`, `.` is free, `S` a stack and `#` another blocker.
    fn walk(cells: &[u8], from: usize, step: isize) -> Ray {
        let at = |distance: u32| {
            let index = from as isize + step * distance as isize;
            usize::try_from(index).ok().and_then(|index| cells.get(index).copied())
        };
        let free = (1..32).take_while(|&distance| at(distance) == Some(b'.')).count() as u32;
        let stack = at(free + 1) == Some(b'S');
        let beyond = (free + 2..32).take_while(|&distance| at(distance) == Some(b'.')).count() as u32;
        Ray { free, stack, beyond }
    }

    fn check<W: LineWord>(empty: W, cells: &[u8]) {
        let mut word = empty;
        for (position, &content) in cells.iter().enumerate() {
            match content {
                b'S' => word.toggle_stack(position as u8),
                b'#' => word.toggle_blocker(position as u8),
                _ => {}
            }
        }
        for position in 0..cells.len() {
            for (seen, walked) in [
                (Ray::forward(word, position as u8), walk(cells, position, 1)),
                (Ray::backward(word, position as u8), walk(cells, position, -1)),
            ] {
                // `beyond` is meaningful only if the first blocker is a stack.
                let drawn = String::from_utf8_lossy(cells);
                assert_eq!((seen.free, seen.stack), (walked.free, walked.stack), "{drawn} from {position}");
                assert!(!seen.stack || seen.beyond == walked.beyond, "{drawn} from {position}: {seen:?}");
            }
        }
    }

    #[test]
    fn rays_on_every_line_of_up_to_eight_cells_agree_with_a_walk() {
        for length in 1..=8_usize {
            let empty = (0xffff << (length + 1) | 1) & 0xffff_u32;
            for code in 0..3_usize.pow(length as u32) {
                let cells: Vec<u8> = (0..length).map(|i| b".S#"[code / 3_usize.pow(i as u32) % 3]).collect();
                check(empty, &cells);
                check(u64::from(u32::MAX << (length + 1) | 1), &cells);
            }
        }
    }

    #[test]
    fn rays_on_the_longest_line_reach_its_ends() {
        let empty = u64::from(u32::MAX << 26 | 1);
        check(empty, b".........................");
        check(empty, b"S........S.......#......S");
    }
}
