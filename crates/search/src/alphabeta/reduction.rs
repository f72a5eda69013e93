//! Late move reductions, and the margin of futility pruning.

use super::{score::Score, stack::TURN};

/// The futility margin: the most that the rest of a turn is assumed to improve a position.
pub(super) const FUTILITY_MARGIN: Score = 60_000;

/// The initial reduction of depth for the move at `index` of an ordered list. A move that beats expectations is
/// searched again without it.
///
/// A turn is a chain of decisions, so reductions add up over the chain: a move late in one list may be followed by the
/// first of the next. A reduced search ends a whole `cycle` of turns early, so there is no reduction if less depth than
/// that is left.
pub(super) fn reduction(index: usize, depth: i32, cycle: i32) -> i32 {
    if depth <= cycle * TURN || index < 3 {
        return 0;
    }
    (6 * (index as i32 + 1).ilog2() as i32).min(2 * TURN)
}
