//! How much less deep late moves are searched.

use super::walk::TURN;

/// The depth taken off the move at `index` of a well-ordered list, until it proves better than expected.
///
/// A turn is a chain of decisions, so what counts is the sum over the chain: a move late in one list may be first in
/// the next, and loses a turn of look-ahead only together with others. In the last turn there is nothing to take off.
pub(super) fn reduction(index: usize, depth: i32) -> i32 {
    if depth <= TURN || index < 3 {
        return 0;
    }
    (3 * (index as i32 + 1).ilog2() as i32).min(2 * TURN)
}
