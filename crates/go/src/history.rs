//! The history of a game, which the superko rules consult.

use std::{collections::HashMap, fmt, sync::Arc};

use crate::{Move, zobrist::mix};

/// The number of recent entries that a position holds itself; older ones are shared between copies.
const RECENT: usize = 16;

/// The number of entries after which older ones get an index. Few games are that long; searching a list of unindexed
/// entries takes a time proportional to their number, so replaying a very long game would take quadratic time.
const INDEXED: usize = 64 * RECENT;

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
    contents: Contents,
}

#[derive(PartialEq)]
enum Contents {
    /// The entries of [`RECENT`] moves.
    Few {
        /// A Bloom filter over the upper six bits of each key; most chunks need not be searched.
        filter: u64,
        entries: Entries,
    },
    /// The entries of [`INDEXED`] moves, or of a power of two times as many.
    Many(Many),
}

struct Many {
    keys: Vec<u64>,
    moves: Vec<Move>,
    /// The last place of each key.
    places: HashMap<u64, u32>,
}

impl PartialEq for Many {
    fn eq(&self, other: &Self) -> bool {
        (&self.keys, &self.moves) == (&other.keys, &other.moves)
    }
}

impl Contents {
    fn keys(&self) -> &[u64] {
        match self {
            Self::Few { entries, .. } => &entries.keys,
            Self::Many(many) => &many.keys,
        }
    }

    fn moves(&self) -> &[Move] {
        match self {
            Self::Few { entries, .. } => &entries.moves,
            Self::Many(many) => &many.moves,
        }
    }

    /// The last place of a key.
    fn find(&self, key: u64) -> Option<usize> {
        match self {
            Self::Few { filter, .. } if filter & filter_bit(key) == 0 => None,
            Self::Few { entries, .. } => entries.keys.iter().rposition(|&known| known == key),
            Self::Many(many) => many.places.get(&key).map(|&place| place as usize),
        }
    }
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
            let contents = Contents::Few { filter, entries: self.recent };
            self.older = Some(Arc::new(Chunk { older: self.older.take(), contents }));
            if (self.length as usize).is_multiple_of(INDEXED) {
                self.index_older();
            }
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
        while let Some(Chunk { older, contents }) = chunk.map(Arc::as_ref) {
            first -= contents.keys().len() as u32;
            if let Some(at) = contents.find(key) {
                return Some(first + at as u32);
            }
            chunk = older.as_ref();
        }
        None
    }

    /// Merges the last [`INDEXED`] entries into one chunk with an index, and then chunks with as many entries as each other.
    /// There are never two of the same size, so a search looks into few of them.
    #[cold]
    fn index_older(&mut self) {
        let (mut chunks, mut length) = (Vec::new(), 0);
        while let Some(chunk) = self.older.take_if(|chunk| match &chunk.contents {
            Contents::Few { .. } => true,
            Contents::Many(many) => many.keys.len() == length,
        }) {
            length += chunk.contents.keys().len();
            self.older.clone_from(&chunk.older);
            chunks.push(chunk);
        }
        let oldest_first = || chunks.iter().rev().map(|chunk| &chunk.contents);
        let keys: Vec<u64> = oldest_first().flat_map(Contents::keys).copied().collect();
        let moves = oldest_first().flat_map(Contents::moves).copied().collect();
        let places = keys.iter().copied().zip(0..).collect();
        let contents = Contents::Many(Many { keys, moves, places });
        self.older = Some(Arc::new(Chunk { older: self.older.take(), contents }));
    }

    /// The keys, oldest first.
    pub(crate) fn keys(&self) -> Vec<u64> {
        self.collect(&self.recent.keys, Contents::keys)
    }

    /// The moves, oldest first.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut moves = self.collect(&self.recent.moves, Contents::moves);
        moves.remove(0);
        moves
    }

    fn collect<'a, T: Copy>(&'a self, recent: &'a [T], part: impl Fn(&'a Contents) -> &'a [T]) -> Vec<T> {
        let used = (self.length as usize - 1) % RECENT + 1;
        let mut parts = vec![&recent[..used]];
        let mut chunk = self.older.as_ref();
        while let Some(Chunk { older, contents }) = chunk.map(Arc::as_ref) {
            parts.push(part(contents));
            chunk = older.as_ref();
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
            if a.contents != b.contents {
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
    fn a_very_long_history_is_searched_in_few_steps() {
        let (mut history, length) = (History::new(0), 40 * INDEXED as u64 + 100);
        for key in 1..length {
            history.push(Move::PASS, key);
        }
        assert_eq!(history.keys(), (0..length).collect::<Vec<u64>>());
        assert_eq!(history.moves().len() as u64, length - 1);
        assert!((0..length).all(|key| history.find(key) == Some(key as u32)));
        assert_eq!(history.find(length), None);
        let (mut chunks, mut chunk) = (0, history.older.as_ref());
        while let Some(found) = chunk {
            (chunks, chunk) = (chunks + 1, found.older.as_ref());
        }
        assert!(chunks < 64 + 8, "{chunks} chunks");
        // The latest of equal keys is found in an index, too, and copies share what is older.
        let mut copy = history.clone();
        for _ in 0..INDEXED {
            copy.push(Move::PASS, 7);
        }
        assert_eq!((copy.find(7), copy.find(8)), (Some(copy.moves_played()), Some(8)));
        for key in 0..INDEXED {
            copy.push(Move::PASS, u64::MAX - key as u64);
        }
        assert_eq!(copy.find(7), Some(length as u32 - 1 + INDEXED as u32));
        assert_ne!(copy, history);
    }
}
