//! The history of a game, which the superko rules consult.

use std::{fmt, sync::Arc};

use crate::{Move, zobrist::mix};

/// The number of recent entries that a position holds itself; older ones are shared between copies.
const RECENT: usize = 16;

/// The keys of all boards since the start, with the moves that led to them.
///
/// A copy shares all but the most recent entries with the original, so the cost of copying does not depend on the
/// length of the game.
#[derive(Clone)]
pub(crate) struct History {
    older: Option<Arc<Chunk>>,
    recent: Entries,
    /// The number of entries, including the start.
    length: u32,
    /// A hash of the multiset of keys, independent of their order.
    sum: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Entries {
    keys: [u64; RECENT],
    moves: [Move; RECENT],
}

struct Chunk {
    older: Option<Arc<Chunk>>,
    /// A Bloom filter over the upper six bits of each key; most chunks need not be searched.
    filter: u64,
    entries: Entries,
}

/// The bit of a key in a chunk's filter.
#[inline]
fn filter_bit(key: u64) -> u64 {
    1 << (key >> 58)
}

impl History {
    /// A history without moves, for a start with this key.
    pub(crate) fn new(start: u64) -> Self {
        let recent = Entries { keys: [0; RECENT], moves: [Move::PASS; RECENT] };
        let mut history = Self { older: None, recent, length: 0, sum: 0 };
        history.push(Move::PASS, start);
        history
    }

    /// The number of moves played.
    pub(crate) fn moves_played(&self) -> u32 {
        self.length - 1
    }

    /// A hash of the multiset of keys, independent of their order.
    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    /// Computes [`History::sum`] from scratch.
    pub(crate) fn sum_from_scratch(&self) -> u64 {
        self.keys().into_iter().fold(0, |sum, key| sum.wrapping_add(mix(key)))
    }

    /// The last move, if any.
    pub(crate) fn last(&self) -> Option<Move> {
        (self.length > 1).then(|| self.recent.moves[(self.length as usize - 1) % RECENT])
    }

    #[inline]
    pub(crate) fn push(&mut self, m: Move, key: u64) {
        let at = self.length as usize % RECENT;
        if at == 0 && self.length > 0 {
            let filter = self.recent.keys.iter().fold(0, |filter, &key| filter | filter_bit(key));
            self.older = Some(Arc::new(Chunk { older: self.older.take(), filter, entries: self.recent }));
            // Unused entries have fixed values, so that histories can be compared directly.
            self.recent = Entries { keys: [0; RECENT], moves: [Move::PASS; RECENT] };
        }
        self.recent.keys[at] = key;
        self.recent.moves[at] = m;
        self.length += 1;
        self.sum = self.sum.wrapping_add(mix(key));
    }

    /// The number of the most recent move that led to this key, 0 for the start; `None` if no move did.
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        let used = (self.length as usize - 1) % RECENT + 1;
        if let Some(at) = self.recent.keys[..used].iter().rposition(|&known| known == key) {
            return Some(self.length - used as u32 + at as u32);
        }
        let mut first = self.length - used as u32;
        let mut chunk = self.older.as_ref();
        while let Some(entries) = chunk {
            first -= RECENT as u32;
            if entries.filter & filter_bit(key) != 0
                && let Some(at) = entries.entries.keys.iter().rposition(|&known| known == key)
            {
                return Some(first + at as u32);
            }
            chunk = entries.older.as_ref();
        }
        None
    }

    /// The keys, oldest first.
    pub(crate) fn keys(&self) -> Vec<u64> {
        self.collect(|entries| &entries.keys)
    }

    /// The moves, oldest first.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut moves = self.collect(|entries| &entries.moves);
        moves.remove(0);
        moves
    }

    fn collect<T: Copy>(&self, part: impl Fn(&Entries) -> &[T; RECENT]) -> Vec<T> {
        let used = (self.length as usize - 1) % RECENT + 1;
        let mut parts = vec![&part(&self.recent)[..used]];
        let mut chunk = self.older.as_ref();
        while let Some(entries) = chunk {
            parts.push(&part(&entries.entries)[..]);
            chunk = entries.older.as_ref();
        }
        parts.into_iter().rev().flatten().copied().collect()
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        if (self.length, self.sum, &self.recent) != (other.length, other.sum, &other.recent) {
            return false;
        }
        let (mut mine, mut theirs) = (self.older.as_ref(), other.older.as_ref());
        while let (Some(a), Some(b)) = (mine, theirs) {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            if a.entries != b.entries {
                return false;
            }
            (mine, theirs) = (a.older.as_ref(), b.older.as_ref());
        }
        true
    }
}

impl Eq for History {}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.moves()).finish()
    }
}

/// Frees a long history in a loop: one call per chunk would need a deep stack.
impl Drop for Chunk {
    fn drop(&mut self) {
        let mut older = self.older.take();
        while let Some(chunk) = older {
            match Arc::try_unwrap(chunk) {
                Ok(mut chunk) => older = chunk.older.take(),
                Err(_) => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn every_key_is_found_at_its_move_number() {
        let mut history = History::new(1000);
        for number in 1..100u64 {
            history.push(Move::at(Point::new(number as usize % 19, 0)), 1000 + number);
            assert_eq!(history.moves_played(), number as u32);
        }
        for number in 0..100 {
            assert_eq!(history.find(1000 + number), Some(number as u32));
        }
        assert_eq!(history.find(0), None, "unused entries are not searched");
        assert_eq!(history.keys(), (1000..1100).collect::<Vec<u64>>());
        assert_eq!(history.moves().len(), 99);
        assert_eq!(history.sum(), history.sum_from_scratch());
    }

    #[test]
    fn the_latest_of_equal_keys_is_found() {
        let mut history = History::new(7);
        for _ in 0..40 {
            history.push(Move::PASS, 8);
        }
        history.push(Move::PASS, 9);
        assert_eq!((history.find(7), history.find(8)), (Some(0), Some(40)));
    }

    #[test]
    fn copies_are_independent() {
        let mut one = History::new(0);
        for key in 1..50 {
            one.push(Move::PASS, key);
        }
        let mut other = one.clone();
        assert_eq!(one, other);
        one.push(Move::PASS, 50);
        other.push(Move::PASS, 51);
        assert_ne!(one, other);
        assert_eq!((one.find(51), other.find(51)), (None, Some(50)));
    }

    #[test]
    fn a_very_long_history_is_freed_without_a_deep_stack() {
        let mut history = History::new(0);
        for key in 0..2_000_000 {
            history.push(Move::PASS, key);
        }
        drop(history);
    }
}
