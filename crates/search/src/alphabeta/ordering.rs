//! Move ordering: ranks, incremental selection and history statistics.

use std::hash::{Hash, Hasher};

use game::Seat;

/// A move with its rank: the higher, the earlier it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<M> {
    pub(super) m: M,
    rank: i32,
    /// Its index in the list of legal moves, which breaks ties.
    index: u32,
}

impl<M> Ranked<M> {
    pub(super) fn rank(&self) -> i32 {
        self.rank
    }

    pub(super) fn set_rank(&mut self, rank: i32) {
        self.rank = rank;
    }

    /// The index in the list of legal moves.
    pub(super) fn index(&self) -> usize {
        self.index as usize
    }

    fn precedes(&self, other: &Self) -> bool {
        (self.rank, other.index) > (other.rank, self.index)
    }
}

/// Moves the best of the moves from `index` on to `index`.
///
/// Most nodes are cut off after a few moves, so the first moves are selected one by one; the rest are sorted only if
/// the search gets that far.
pub(super) fn select_next<M>(moves: &mut [Ranked<M>], index: usize) {
    const SELECTED: usize = 6;
    if index < SELECTED {
        let rest = index + 1..moves.len();
        let best = rest.fold(index, |best, at| if moves[at].precedes(&moves[best]) { at } else { best });
        moves.swap(index, best);
    } else if index == SELECTED {
        moves[index..].sort_unstable_by_key(|ranked| (-i64::from(ranked.rank), ranked.index));
    }
}

/// Fills `ranked` with the moves of `legal`, each with its rank.
pub(super) fn rank_all<M: Copy>(legal: &[M], ranked: &mut Vec<Ranked<M>>, mut rank: impl FnMut(M) -> i32) {
    ranked.clear();
    let with_rank = |(index, &m): (usize, &M)| Ranked { m, rank: rank(m), index: index as u32 };
    ranked.extend(legal.iter().enumerate().map(with_rank));
}

/// Ranks every move by a score instead, higher being better. Returns `None` if a score is `None`.
pub(super) fn rank_again<M: Copy>(
    ranked: &mut [Ranked<M>],
    mut rank: impl FnMut(M) -> Option<i32>,
) -> Option<()> {
    for entry in ranked {
        entry.rank = rank(entry.m)?;
    }
    Some(())
}

/// Move ordering statistics: history scores by seat and move, and countermoves.
///
/// Moves have no index, so both are looked up by a hash; a collision only worsens the ordering.
#[derive(Clone, Debug)]
pub(super) struct History<M> {
    scores: Vec<i32>,
    countermoves: Vec<Option<M>>,
    /// The best move of a one-ply search, by the key of the position; empty until one is stored.
    one_ply_moves: Vec<Option<(u64, M)>>,
}

const SLOTS: usize = 1 << 14;
/// The maximum of a history score. Updates shrink as scores approach it.
const MAX_HISTORY: i32 = 1 << 14;
/// The ranks of killer moves and countermoves.
const KILLER: i32 = 2 * MAX_HISTORY;
const COUNTERMOVE: i32 = MAX_HISTORY;
/// The rank of the move from the transposition table: before all others.
pub(super) const FROM_TABLE: i32 = i32::MAX;

impl<M: Copy + Eq + Hash> History<M> {
    pub(super) fn new() -> Self {
        Self { scores: vec![0; SLOTS], countermoves: vec![None; SLOTS], one_ply_moves: Vec::new() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.scores.fill(0);
        self.countermoves.fill(None);
        self.one_ply_moves.clear();
    }

    /// Halves all history scores. Called between decisions.
    pub(super) fn age(&mut self) {
        self.scores.iter_mut().for_each(|value| *value /= 2);
    }

    /// The rank of the move `m` of `seat`.
    pub(super) fn rank(&self, seat: Seat, m: M, killers: &[Option<M>; 2], countermove: Option<M>) -> i32 {
        let mut rank = self.scores[slot(seat, m)];
        if killers.contains(&Some(m)) {
            rank += KILLER;
        }
        if countermove == Some(m) {
            rank += COUNTERMOVE;
        }
        rank
    }

    /// The move that last refuted `last`.
    pub(super) fn countermove(&self, seat: Seat, last: Option<M>) -> Option<M> {
        last.and_then(|last| self.countermoves[slot(seat, last)])
    }

    /// Rewards `m` for a cutoff and penalises the moves of `before`, which were searched first.
    pub(super) fn update(&mut self, seat: Seat, m: M, before: &[Ranked<M>], last: Option<M>, depth: i32) {
        let weight = (depth * depth / 16).clamp(16, MAX_HISTORY / 4);
        self.add(seat, m, weight);
        for other in before {
            self.add(seat, other.m, -weight);
        }
        if let Some(last) = last {
            self.countermoves[slot(seat, last)] = Some(m);
        }
    }

    /// The cached one-ply move of the position with this key.
    pub(super) fn one_ply_move(&self, key: u64) -> Option<M> {
        let found = self.one_ply_moves.get(key as usize % SLOTS).copied().flatten();
        found.filter(|(of, _)| *of == key).map(|(_, m)| m)
    }

    /// Caches the one-ply move of the position with this key.
    pub(super) fn store_one_ply_move(&mut self, key: u64, m: M) {
        self.one_ply_moves.resize(SLOTS, None);
        self.one_ply_moves[key as usize % SLOTS] = Some((key, m));
    }

    fn add(&mut self, seat: Seat, m: M, weight: i32) {
        let value = &mut self.scores[slot(seat, m)];
        *value += weight - *value * weight.abs() / MAX_HISTORY;
    }
}

fn slot<M: Hash>(seat: Seat, m: M) -> usize {
    let mut hasher = Mixer(seat.index() as u64);
    m.hash(&mut hasher);
    (hasher.finish() >> 50) as usize
}

/// A fast hash: one multiplication per word.
struct Mixer(u64);

impl Mixer {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.add(byte.into());
        }
    }
    fn write_u8(&mut self, word: u8) {
        self.add(word.into());
    }
    fn write_u16(&mut self, word: u16) {
        self.add(word.into());
    }
    fn write_u32(&mut self, word: u32) {
        self.add(word.into());
    }
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }
    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }
    fn write_isize(&mut self, word: isize) {
        self.add(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_selected_by_rank_and_equals_in_the_order_of_the_list() {
        let legal: Vec<u32> = (0..40).collect();
        let rank = |m: u32| [3, 1, 2][m as usize % 3];
        let mut ranked = Vec::new();
        rank_all(&legal, &mut ranked, rank);
        let mut order = Vec::new();
        for index in 0..ranked.len() {
            select_next(&mut ranked, index);
            order.push(ranked[index].m);
        }
        let mut expected = legal;
        expected.sort_by_key(|&m| -rank(m));
        assert_eq!(order, expected);
    }

    #[test]
    fn history_favours_cutoff_moves_and_stays_within_bounds() {
        let mut history: History<u32> = History::new();
        let (seat, none) = (Seat::FIRST, [None; 2]);
        let mut ranked = Vec::new();
        rank_all(&[1, 2], &mut ranked, |_| 0);
        for _ in 0..1_000 {
            history.update(seat, 3, &ranked, Some(9), 160);
        }
        let rank = |m| history.rank(seat, m, &none, None);
        assert!(rank(3) > rank(4) && rank(4) > rank(1), "{} {} {}", rank(3), rank(4), rank(1));
        assert!(rank(3) <= MAX_HISTORY && rank(1) >= -MAX_HISTORY);
        assert_eq!(history.countermove(seat, Some(9)), Some(3));
        assert!(history.rank(seat, 1, &[Some(1), None], None) > rank(4));
    }
}
