//! Stones that only lose: filling one's last but one liberty.
//!
//! Uniform playouts fill shared liberties, so that of two groups in seki one always dies. With caution nobody does,
//! and a seki stays on the board to the end.

use super::light::{EMPTY, Light, ONE};

/// A chain that is taken with more stones than these leaves room for two eyes, whatever its shape.
const LARGEST_KILLER: usize = 6;

impl<const CELLS: usize> Light<CELLS> {
    /// The liberty of the chain of this name, if it has only one.
    #[inline]
    pub(super) fn only_liberty(&self, chain: usize) -> Option<usize> {
        // A point touches at most four stones of a chain.
        if self.liberties[chain & Self::MASK] > 4 {
            return None;
        }
        let mut found = None;
        self.widen(chain, CELLS, &mut found).then_some(found).flatten()
    }

    /// Looks for liberties of a chain other than `ignored`: false as soon as there is one besides `found`.
    #[inline]
    fn widen(&self, chain: usize, ignored: usize, found: &mut Option<usize>) -> bool {
        let mut at = chain;
        loop {
            for n in self.around(at) {
                if self.content[n] == EMPTY && n != ignored && *found != Some(n) {
                    if found.is_some() {
                        return false;
                    }
                    *found = Some(n);
                }
            }
            at = self.next[at] as usize & Self::MASK;
            if at == chain {
                return true;
            }
        }
    }

    /// Whether a stone on this sensible point takes nothing and leaves its chain with a single liberty, and not in a
    /// shape that kills when it is taken.
    pub(super) fn is_rash(&self, at: usize, colour: u8) -> bool {
        if self.near[at] >= 2 * ONE[2] {
            return false;
        }
        let around = self.around(at);
        let enemy = colour ^ 1;
        let takes = |&n: &usize| {
            self.content[n] == enemy && self.only_liberty(self.chain[n] as usize & Self::MASK).is_some()
        };
        if around.iter().any(takes) {
            return false;
        }
        let mut found = around.into_iter().find(|&n| self.content[n] == EMPTY);
        let mut stones = [at; LARGEST_KILLER];
        let mut count = 1;
        for (index, &n) in around.iter().enumerate() {
            if self.content[n] != colour {
                continue;
            }
            let chain = self.chain[n] as usize & Self::MASK;
            let is_known = |&n: &usize| self.content[n] == colour && self.chain[n] as usize == chain;
            if around[..index].iter().any(is_known) {
                continue;
            }
            if !self.widen(chain, at, &mut found) {
                return false;
            }
            let mut stone = chain;
            for _ in 0..self.stones[chain] {
                if let Some(place) = stones.get_mut(count) {
                    *place = stone;
                }
                count += 1;
                stone = self.next[stone] as usize & Self::MASK;
            }
        }
        stones.get(..count).is_none_or(|stones| !self.kills(stones, at, found, enemy))
    }

    /// Whether taking these connected stones leaves a space in which the other colour can prevent two eyes, and those
    /// around them have no other liberty than to take them: on `last`, after the stone on `at`.
    fn kills(&self, stones: &[usize], at: usize, last: Option<usize>, enemy: u8) -> bool {
        if stones.len() == 1 {
            return true;
        }
        let mut squares = 0;
        let mut at_corner = false;
        for &stone in stones {
            let around = self.around(stone);
            for n in around.into_iter().filter(|&n| self.content[n] == enemy) {
                let mut only = last;
                if !self.widen(self.chain[n] as usize & Self::MASK, at, &mut only) {
                    return false;
                }
            }
            let joined = around.iter().filter(|n| stones.contains(n)).count();
            squares += joined * joined;
            let edges = self.edges(stone);
            at_corner |= edges == 2 && joined == 2;
        }
        // The sum of the squared numbers of neighbours tells the shapes of a size apart as far as needed.
        match stones.len() {
            0..=3 => true,
            // The square and the T; the bent four in the corner ends in a ko.
            4 => squares == 16 || squares == 12 || at_corner,
            // The cross and the bulky five.
            5 => squares == 20 || squares == 22,
            // The flower.
            _ => squares == 30,
        }
    }
}
