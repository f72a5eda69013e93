//! The transposition table.

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is at least as high.
    Lower,
    /// The true one is at most as high.
    Upper,
}

/// What was found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry<M, S> {
    /// The whole key, of which the place in the table is a part.
    pub(super) key: u64,
    pub(super) score: S,
    /// The best move, or the one that was good enough. Another position with the same key may have left it here, so
    /// it is played only if it is in the list of legal moves.
    pub(super) best: Option<M>,
    pub(super) depth: i16,
    pub(super) bound: Bound,
    age: u8,
}

/// A fixed number of entries in buckets of a few; old and shallow ones make room.
#[derive(Clone, Debug)]
pub(super) struct Table<M, S> {
    entries: Vec<Option<Entry<M, S>>>,
    age: u8,
}

const BUCKET: usize = 4;

/// How many decisions a table has room for. An agent that lives for one decision of a thousand nodes would spend most of its
/// time on making a table of many megabytes; and what was found so many decisions ago is of no use any more.
const DECISIONS: u64 = 16;

impl<M: Copy, S: Copy> Table<M, S> {
    /// The table in `place`, made if there is none or it is too small for a decision of `nodes`, with room for `megabytes` at
    /// most. What is in it is older from now on.
    pub(super) fn ready(place: &mut Option<Self>, megabytes: usize, nodes: u64) -> &mut Self {
        let fit = (megabytes << 20) / size_of::<Option<Entry<M, S>>>();
        let used = usize::try_from(nodes.saturating_mul(DECISIONS)).unwrap_or(usize::MAX);
        let length = (fit.min(used) / BUCKET).max(1) * BUCKET;
        place.take_if(|table| table.entries.len() < length);
        let table = place.get_or_insert_with(|| Self { entries: vec![None; length], age: 0 });
        table.age = table.age.wrapping_add(1);
        table
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = self.entries.len() / BUCKET;
        ((u128::from(key) * buckets as u128) >> 64) as usize * BUCKET
    }

    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<&Entry<M, S>> {
        let start = self.bucket(key);
        self.entries[start..start + BUCKET].iter().flatten().find(|entry| entry.key == key)
    }

    /// Keeps what was found, in the place of the same position or of the least useful one of its bucket. A move is
    /// kept if the new search has none.
    pub(super) fn keep(&mut self, key: u64, depth: i32, bound: Bound, score: S, best: Option<M>) {
        let (start, age) = (self.bucket(key), self.age);
        let bucket = &mut self.entries[start..start + BUCKET];
        let worth = |entry: &Option<Entry<M, S>>| match entry {
            None => i32::MIN,
            // A decision ago counts as two turns less.
            Some(entry) => i32::from(entry.depth) - 32 * i32::from(age.wrapping_sub(entry.age)),
        };
        let same = bucket.iter().position(|entry| entry.as_ref().is_some_and(|entry| entry.key == key));
        let place = same.or_else(|| (0..BUCKET).min_by_key(|&place| worth(&bucket[place]))).unwrap_or(0);
        let best =
            best.or_else(|| bucket[place].filter(|entry| entry.key == key).and_then(|entry| entry.best));
        bucket[place] = Some(Entry { key, score, best, depth: depth as i16, bound, age });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_and_the_move_survives_a_search_without_one() {
        let mut place = None;
        let table = Table::<u8, i32>::ready(&mut place, 1, u64::MAX);
        assert!(table.find(7).is_none());
        table.keep(7, 32, Bound::Lower, 5, Some(9));
        table.keep(7, 48, Bound::Upper, -5, None);
        let entry = *table.find(7).unwrap();
        assert_eq!((entry.depth, entry.bound, entry.score, entry.best), (48, Bound::Upper, -5, Some(9)));
    }

    #[test]
    fn a_full_bucket_gives_up_the_shallowest_entry_and_the_old_before_the_new() {
        let mut place = None;
        let table = Table::<u8, i32>::ready(&mut place, 1, u64::MAX);
        // Small keys all fall into the first bucket.
        for (key, depth) in [(1, 64), (2, 16), (3, 48), (4, 48)] {
            table.keep(key, depth, Bound::Exact, 0, None);
        }
        table.keep(5, 16, Bound::Exact, 0, None);
        assert!(table.find(2).is_none() && table.find(1).is_some());
        for _ in 0..2 {
            Table::ready(&mut place, 1, u64::MAX);
        }
        let table = Table::ready(&mut place, 1, u64::MAX);
        table.keep(5, 16, Bound::Exact, 0, None);
        for key in 6..9 {
            table.keep(key, 16, Bound::Exact, 0, None);
        }
        assert!((5..9).all(|key| table.find(key).is_some()), "{table:?}");
    }

    #[test]
    fn a_small_budget_gets_a_small_table_and_a_larger_one_a_larger_table() {
        let mut place: Option<Table<u8, i32>> = None;
        let mut length = |nodes| Table::ready(&mut place, 1, nodes).entries.len();
        assert_eq!([length(0), length(1_000), length(10)], [BUCKET, 16_000, 16_000]);
        assert_eq!(length(1_000_000), length(u64::MAX));
    }

    #[test]
    fn a_table_has_the_size_asked_for_and_never_none() {
        let mut place = None;
        let table = Table::<u32, i32>::ready(&mut place, 2, u64::MAX);
        let bytes = table.entries.len() * size_of::<Option<Entry<u32, i32>>>();
        assert!((2 << 20) - bytes < 4 * 64, "{bytes}");
        let mut none = None;
        let none = Table::<u32, i32>::ready(&mut none, 0, u64::MAX);
        none.keep(1, 1, Bound::Exact, 1, None);
        assert!(none.find(1).is_some());
    }
}
