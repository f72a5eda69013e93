//! How much less deep late moves are searched, and which are not searched at all.

use super::{score::Score, stack::TURN};

/// How much the rest of a turn is expected to improve a position at most, when a move is left out for it.
pub(super) const HOPE: Score = 60_000;

/// The depth taken off the move at `index` of a well-ordered list, until it proves better than expected.
///
/// A turn is a chain of decisions, so what counts is the sum over the chain: a move late in one list may be first in
/// the next. Depth that was taken off ends the search a whole `cycle` of turns early, so there has to be one.
pub(super) fn reduction(index: usize, depth: i32, cycle: i32) -> i32 {
    if depth <= cycle * TURN || index < 3 {
        return 0;
    }
    (6 * (index as i32 + 1).ilog2() as i32).min(2 * TURN)
}
