//! The moves of a simulation, for AMAF statistics.

use std::hash::{Hash, Hasher};

use game::Seat;

/// The moves of one simulation, each with the seat that played it first.
///
/// A hash table with open addressing that is cleared by incrementing a generation counter, since all edges of all nodes
/// on the path are looked up after every simulation.
#[derive(Debug)]
pub(crate) struct AmafMoves<M> {
    slots: Vec<Slot<M>>,
    generation: u32,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot<M> {
    /// The generation of the entry; the slot is free if it is not the current one.
    generation: u32,
    seat: Seat,
    m: Option<M>,
}

impl<M: Copy + Eq + Hash> AmafMoves<M> {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new(), generation: 1, count: 0 }
    }

    /// Removes all moves.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.clear();
            self.generation = 1;
        }
    }

    /// Inserts a move that was played before all moves inserted so far.
    pub(crate) fn insert(&mut self, m: M, seat: Seat) {
        if 2 * self.count >= self.slots.len() {
            self.grow();
        }
        let at = self.find(m);
        self.count += usize::from(self.slots[at].generation != self.generation);
        self.slots[at] = Slot { generation: self.generation, seat, m: Some(m) };
    }

    /// The seat that played this move first.
    #[inline]
    pub(crate) fn get(&self, m: M) -> Option<Seat> {
        if self.count == 0 {
            return None;
        }
        let slot = &self.slots[self.find(m)];
        (slot.generation == self.generation).then_some(slot.seat)
    }

    /// Applies `map` to the seats of all moves.
    pub(crate) fn map_seats(&mut self, map: impl Fn(Seat) -> Seat) {
        for slot in &mut self.slots {
            slot.seat = map(slot.seat);
        }
    }

    /// The slot of a move, or the free slot for it.
    #[inline]
    fn find(&self, m: M) -> usize {
        let mask = self.slots.len() - 1;
        let mut hasher = Mixer(0);
        m.hash(&mut hasher);
        let mut at = hasher.finish() as usize & mask;
        while self.slots[at].generation == self.generation && self.slots[at].m != Some(m) {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let free = Slot { generation: 0, seat: Seat::FIRST, m: None };
        let size = (2 * self.slots.len()).max(256);
        let old = std::mem::replace(&mut self.slots, vec![free; size]);
        for slot in old.into_iter().filter(|slot| slot.generation == self.generation) {
            if let Some(m) = slot.m {
                let at = self.find(m);
                self.slots[at] = slot;
            }
        }
    }
}

/// One multiplication per word suffices, since moves are small and not adversarial.
struct Mixer(u64);

impl Mixer {
    #[inline]
    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

impl Hasher for Mixer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(byte.into());
        }
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.mix(word.into());
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.mix(word.into());
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.mix(word.into());
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_last_move_inserted_is_the_first_played() {
        let mut moves = AmafMoves::new();
        let mut twin = BTreeMap::new();
        for generation in 0..5_u32 {
            for step in 0..700_u32 {
                let (m, seat) = (step * step * (generation + 7) % 997, Seat::new(step as usize % 3));
                moves.insert(m, seat);
                twin.insert(m, seat);
            }
            for m in 0..1000 {
                assert_eq!(moves.get(m), twin.get(&m).copied());
            }
            moves.clear();
            twin.clear();
            assert_eq!(moves.get(0), None);
        }
    }
}
