//! Bad self-atari: moves that leave their own chain with one liberty and gain nothing.
//!
//! Uniform playouts fill shared liberties, so that one of two groups in seki always dies. Without bad self-atari, a
//! seki remains on the board to the end.

use super::playout_board::{EMPTY, ONE, PlayoutBoard};

/// The size of the largest nakade. Capturing a chain of more stones leaves room for two eyes, whatever its shape.
const LARGEST_NAKADE: usize = 6;

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// The liberty of this chain, if it has only one.
    #[inline]
    pub(super) fn only_liberty(&self, chain: usize) -> Option<usize> {
        // A point touches at most four stones of a chain.
        if self.liberties[chain & Self::MASK] > 4 {
            return None;
        }
        let mut found = None;
        self.has_single_liberty(chain, CELLS, &mut found).then_some(found).flatten()
    }

    /// Whether the chain has no liberty other than `ignored` and `found`. If `found` is `None`, the first other liberty
    /// is stored there.
    #[inline]
    fn has_single_liberty(&self, chain: usize, ignored: usize, found: &mut Option<usize>) -> bool {
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

    /// Whether a stone on this sensible point captures nothing and leaves its chain with a single liberty, and the
    /// chain is not a nakade.
    pub(super) fn is_bad_self_atari(&self, at: usize, colour: u8) -> bool {
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
        let mut stones = [at; LARGEST_NAKADE];
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
            if !self.has_single_liberty(chain, at, &mut found) {
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
        stones.get(..count).is_none_or(|stones| !self.is_nakade(stones, at, found, enemy))
    }

    /// Whether these connected stones are a nakade: capturing them leaves a space in which the opponent can prevent two
    /// eyes, and the surrounding chains have no liberty other than `last`, where they capture, once there is a stone on
    /// `at`.
    fn is_nakade(&self, stones: &[usize], at: usize, last: Option<usize>, enemy: u8) -> bool {
        if stones.len() == 1 {
            return true;
        }
        let mut squares = 0;
        let mut at_corner = false;
        for &stone in stones {
            let around = self.around(stone);
            for n in around.into_iter().filter(|&n| self.content[n] == enemy) {
                let mut only = last;
                if !self.has_single_liberty(self.chain[n] as usize & Self::MASK, at, &mut only) {
                    return false;
                }
            }
            let joined = around.iter().filter(|n| stones.contains(n)).count();
            squares += joined * joined;
            let edges = self.edges(stone);
            at_corner |= edges == 2 && joined == 2;
        }
        // The sum of the squared neighbour counts distinguishes the shapes of each size as far as needed.
        match stones.len() {
            0..=3 => true,
            // The square four and the pyramid four. The bent four in the corner leads to a ko.
            4 => squares == 16 || squares == 12 || at_corner,
            // The crossed five and the bulky five.
            5 => squares == 20 || squares == 22,
            // The rabbity six.
            _ => squares == 30,
        }
    }
}
