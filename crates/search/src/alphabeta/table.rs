//! The transposition table.

/// How a stored score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// Equal to the true score.
    Exact,
    /// A lower bound.
    Lower,
    /// An upper bound.
    Upper,
}

/// An entry for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry<M, S> {
    /// The full key; only a part of it selects the bucket.
    pub(super) key: u64,
    pub(super) score: S,
    /// The best move, or the one that caused a cutoff. It may belong to another position with the same key, so it is
    /// used only if it is legal.
    pub(super) best: Option<M>,
    pub(super) depth: i16,
    pub(super) bound: Bound,
    age: u8,
}

/// A fixed number of entries in small buckets; old and shallow entries are replaced first.
#[derive(Clone, Debug)]
pub(super) struct Table<M, S> {
    entries: Vec<Option<Entry<M, S>>>,
    age: u8,
}

const BUCKET: usize = 4;

/// The number of decisions that a table is sized for. An agent that makes a single decision of a thousand nodes would
/// otherwise spend most of its time allocating a large table, and entries from many decisions ago are of little use.
const DECISIONS: u64 = 16;

impl<M: Copy, S: Copy> Table<M, S> {
    /// Prepares the table in `slot` for a decision of `nodes`: creates it if it is missing or too small, within
    /// `megabytes`, and ages its entries.
    pub(super) fn prepare(slot: &mut Option<Self>, megabytes: usize, nodes: u64) -> &mut Self {
        let length = Self::length(megabytes, nodes);
        slot.take_if(|table| table.entries.len() < length);
        let table = slot.get_or_insert_with(|| Self { entries: vec![None; length], age: 0 });
        table.age = table.age.wrapping_add(1);
        table
    }

    /// Empties the table in `slot`, so that it is as good as a new one for a decision of `nodes`.
    pub(super) fn clear(slot: &mut Option<Self>, megabytes: usize, nodes: u64) {
        let length = Self::length(megabytes, nodes);
        slot.take_if(|table| table.entries.len() != length);
        if let Some(table) = slot {
            table.entries.fill(None);
        }
    }

    /// The number of entries for a decision of `nodes`.
    fn length(megabytes: usize, nodes: u64) -> usize {
        let fit = (megabytes << 20) / size_of::<Option<Entry<M, S>>>();
        let used = usize::try_from(nodes.saturating_mul(DECISIONS)).unwrap_or(usize::MAX);
        (fit.min(used) / BUCKET).max(1) * BUCKET
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = self.entries.len() / BUCKET;
        ((u128::from(key) * buckets as u128) >> 64) as usize * BUCKET
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<&Entry<M, S>> {
        let start = self.bucket(key);
        self.entries[start..start + BUCKET].iter().flatten().find(|entry| entry.key == key)
    }

    /// Stores an entry in slot of the same position's, or of the least useful one of its bucket. If `best` is `None`,
    /// the move of the position's old entry is retained.
    pub(super) fn store(&mut self, key: u64, depth: i32, bound: Bound, score: S, best: Option<M>) {
        let (start, age) = (self.bucket(key), self.age);
        let bucket = &mut self.entries[start..start + BUCKET];
        let worth = |entry: &Option<Entry<M, S>>| match entry {
            None => i32::MIN,
            // One decision of age outweighs two turns of depth.
            Some(entry) => i32::from(entry.depth) - 32 * i32::from(age.wrapping_sub(entry.age)),
        };
        let same = bucket.iter().position(|entry| entry.as_ref().is_some_and(|entry| entry.key == key));
        let slot = same.or_else(|| (0..BUCKET).min_by_key(|&slot| worth(&bucket[slot]))).unwrap_or(0);
        let best =
            best.or_else(|| bucket[slot].filter(|entry| entry.key == key).and_then(|entry| entry.best));
        bucket[slot] = Some(Entry { key, score, best, depth: depth as i16, bound, age });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_and_the_move_survives_a_search_without_one() {
        let mut slot = None;
        let table = Table::<u8, i32>::prepare(&mut slot, 1, u64::MAX);
        assert!(table.probe(7).is_none());
        table.store(7, 32, Bound::Lower, 5, Some(9));
        table.store(7, 48, Bound::Upper, -5, None);
        let entry = *table.probe(7).unwrap();
        assert_eq!((entry.depth, entry.bound, entry.score, entry.best), (48, Bound::Upper, -5, Some(9)));
    }

    #[test]
    fn a_full_bucket_replaces_old_entries_first_then_the_shallowest() {
        let mut slot = None;
        let table = Table::<u8, i32>::prepare(&mut slot, 1, u64::MAX);
        // Small keys all fall into the first bucket.
        for (key, depth) in [(1, 64), (2, 16), (3, 48), (4, 48)] {
            table.store(key, depth, Bound::Exact, 0, None);
        }
        table.store(5, 16, Bound::Exact, 0, None);
        assert!(table.probe(2).is_none() && table.probe(1).is_some());
        for _ in 0..2 {
            Table::prepare(&mut slot, 1, u64::MAX);
        }
        let table = Table::prepare(&mut slot, 1, u64::MAX);
        table.store(5, 16, Bound::Exact, 0, None);
        for key in 6..9 {
            table.store(key, 16, Bound::Exact, 0, None);
        }
        assert!((5..9).all(|key| table.probe(key).is_some()), "{table:?}");
    }

    #[test]
    fn a_small_budget_gets_a_small_table_and_a_larger_one_a_larger_table() {
        let mut slot: Option<Table<u8, i32>> = None;
        let mut length = |nodes| Table::prepare(&mut slot, 1, nodes).entries.len();
        assert_eq!([length(0), length(1_000), length(10)], [BUCKET, 16_000, 16_000]);
        assert_eq!(length(1_000_000), length(u64::MAX));
    }

    #[test]
    fn a_table_has_the_size_asked_for_and_never_none() {
        let mut slot = None;
        let table = Table::<u32, i32>::prepare(&mut slot, 2, u64::MAX);
        let bytes = table.entries.len() * size_of::<Option<Entry<u32, i32>>>();
        assert!((2 << 20) - bytes < 4 * 64, "{bytes}");
        let mut none = None;
        let none = Table::<u32, i32>::prepare(&mut none, 0, u64::MAX);
        none.store(1, 1, Bound::Exact, 1, None);
        assert!(none.probe(1).is_some());
    }
}
