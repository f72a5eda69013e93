//! Which moves a simulation played, and who played each first.

use std::hash::{Hash, Hasher};

use game::Seat;

/// The moves of one simulation with the seat that played each first.
///
/// A table with open addressing that is forgotten by counting up: all edges of all nodes on the way are looked up after
/// every simulation.
#[derive(Debug)]
pub(crate) struct AmafMoves<M> {
    slots: Vec<Slot<M>>,
    round: u32,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot<M> {
    /// The simulation this belongs to; an old one means that the slot is free.
    round: u32,
    seat: Seat,
    m: Option<M>,
}

impl<M: Copy + Eq + Hash> AmafMoves<M> {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new(), round: 1, count: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.clear();
            self.round = 1;
        }
    }

    /// Notes a move that came before all others noted so far.
    pub(crate) fn put(&mut self, m: M, seat: Seat) {
        if 2 * self.count >= self.slots.len() {
            self.grow();
        }
        let at = self.find(m);
        self.count += usize::from(self.slots[at].round != self.round);
        self.slots[at] = Slot { round: self.round, seat, m: Some(m) };
    }

    /// Who played this move first, if anybody did.
    #[inline]
    pub(crate) fn get(&self, m: M) -> Option<Seat> {
        if self.count == 0 {
            return None;
        }
        let slot = &self.slots[self.find(m)];
        (slot.round == self.round).then_some(slot.seat)
    }

    /// Tells all moves by other seats.
    pub(crate) fn rename(&mut self, name: impl Fn(Seat) -> Seat) {
        for slot in &mut self.slots {
            slot.seat = name(slot.seat);
        }
    }

    /// The slot of a move, or the free one where it would go.
    #[inline]
    fn find(&self, m: M) -> usize {
        let mask = self.slots.len() - 1;
        let mut hasher = Mixer(0);
        m.hash(&mut hasher);
        let mut at = hasher.finish() as usize & mask;
        while self.slots[at].round == self.round && self.slots[at].m != Some(m) {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let free = Slot { round: 0, seat: Seat::FIRST, m: None };
        let size = (2 * self.slots.len()).max(256);
        let old = std::mem::replace(&mut self.slots, vec![free; size]);
        for slot in old.into_iter().filter(|slot| slot.round == self.round) {
            if let Some(m) = slot.m {
                let at = self.find(m);
                self.slots[at] = slot;
            }
        }
    }
}

/// One multiplication a word: moves are small and nobody chooses them to collide.
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
    fn the_last_one_noted_is_the_first_to_play() {
        let mut moves = AmafMoves::new();
        let mut twin = BTreeMap::new();
        for round in 0..5_u32 {
            for step in 0..700_u32 {
                let (m, seat) = (step * step * (round + 7) % 997, Seat::new(step as usize % 3));
                moves.put(m, seat);
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
