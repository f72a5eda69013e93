//! Chains with two liberties next to the last move: attack the opponent's, defend one's own.
//!
//! Capturing races are decided here: uniform playouts fill liberties in any order, so that the slower side wins half of
//! its races.

use super::{
    playout_board::{EMPTY, PlayoutBoard},
    reply::Candidates,
};

/// A chain with one or two liberties.
#[derive(Clone, Copy)]
pub(super) struct WeakChain {
    pub(super) chain: usize,
    /// The second is missing if the chain is in atari.
    pub(super) liberties: [Option<usize>; 2],
}

impl WeakChain {
    /// Both liberties, if there are two.
    pub(super) fn two(self) -> Option<[usize; 2]> {
        let [one, other] = self.liberties;
        Some([one?, other?])
    }
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// The chain of this stone, if it has at most two liberties.
    #[inline]
    pub(super) fn weak_chain(&self, stone: usize) -> Option<WeakChain> {
        let chain = self.chain[stone] as usize & Self::MASK;
        // A point touches at most four stones of a chain.
        if self.liberties[chain] > 8 {
            return None;
        }
        let mut liberties = [None; 2];
        let mut at = chain;
        loop {
            for n in self.around(at) {
                if self.content[n] != EMPTY || liberties[0] == Some(n) || liberties[1] == Some(n) {
                    continue;
                }
                *liberties.iter_mut().find(|liberty| liberty.is_none())? = Some(n);
            }
            at = self.next[at] as usize & Self::MASK;
            if at == chain {
                return Some(WeakChain { chain, liberties });
            }
        }
    }

    /// The chains of the colour to move next to this stone that have at most two liberties.
    pub(super) fn weak_chains_beside(&self, stone: usize) -> [Option<WeakChain>; 4] {
        let around = self.around(stone);
        std::array::from_fn(|index| {
            let is_own = |n: usize| self.content[n] == self.to_move;
            let chain = |n: usize| self.chain[n];
            let n = around[index];
            let is_known = |&before: &usize| is_own(before) && chain(before) == chain(n);
            if is_own(n) && !around[..index].iter().any(is_known) { self.weak_chain(n) } else { None }
        })
    }

    /// Moves that matter for chains with two liberties: an atari that leaves the chain just played no way out, or more
    /// liberties for an own chain beside it that could be caught by such an atari.
    pub(super) fn race(
        &mut self,
        attacker: Option<WeakChain>,
        beside: &[Option<WeakChain>; 4],
    ) -> Candidates {
        let mut found = Candidates::NOTHING;
        let colour = self.to_move;
        if let Some(attacker) = attacker
            && let Some(liberties) = attacker.two()
        {
            self.ataris(attacker.chain, liberties, colour, &mut found);
        }
        for own in beside.iter().flatten() {
            if let Some(liberties) = own.two() {
                self.defend(own.chain, liberties, colour, &mut found);
            }
        }
        found
    }

    /// Adds the ataris by `colour` on a chain of the opponent with these two liberties after which extending does not
    /// help it.
    pub(super) fn ataris(&mut self, chain: usize, liberties: [usize; 2], colour: u8, found: &mut Candidates) {
        let [one, other] = liberties;
        for (atari, left) in [(one, other), (other, one)] {
            if self.is_caught(chain, atari, left, colour ^ 1)
                && self.is_sensible(atari, colour)
                && !self.is_bad_self_atari(atari, colour)
            {
                found.add(atari);
            }
        }
    }

    /// Adds moves that save an own chain with these two liberties, if the opponent threatens to catch it.
    pub(super) fn defend(&mut self, chain: usize, liberties: [usize; 2], colour: u8, found: &mut Candidates) {
        let [one, other] = liberties;
        let threats =
            [(one, other), (other, one)].map(|(atari, left)| self.is_caught(chain, atari, left, colour));
        if threats == [false; 2] {
            return;
        }
        for (at, rest) in [(one, other), (other, one)] {
            if self.gained_liberties(chain, at, rest, colour) >= 2 && self.is_sensible(at, colour) {
                found.add(at);
            }
        }
        // Counter-attack: catch one of the chains that surround it.
        let mut stone = chain;
        loop {
            for n in self.around(stone) {
                if self.content[n] != colour ^ 1 {
                    continue;
                }
                let enemy = self.chain[n] as usize & Self::MASK;
                match self.weak_chain(enemy) {
                    Some(WeakChain { liberties: [Some(at), None], .. }) if self.is_sensible(at, colour) => {
                        found.add(at);
                    }
                    Some(weak) => {
                        if let Some(liberties) = weak.two() {
                            self.ataris(enemy, liberties, colour, found);
                        }
                    }
                    None => {}
                }
            }
            stone = self.next[stone] as usize & Self::MASK;
            if stone == chain {
                break;
            }
        }
    }

    /// Whether a chain of `colour` with two liberties cannot gain room by extending to `left` after the opponent has
    /// played on `atari`.
    fn is_caught(&self, chain: usize, atari: usize, left: usize, colour: u8) -> bool {
        self.gained_liberties(chain, left, atari, colour) < 2
    }

    /// The liberties that a chain of `colour` gains by a stone on its liberty `at`, not counting `besides`, up to two.
    /// Capturing is not considered.
    fn gained_liberties(&self, chain: usize, at: usize, besides: usize, colour: u8) -> u32 {
        let mut gained = 0;
        for n in self.around(at) {
            if self.content[n] == EMPTY {
                gained += u32::from(n != besides);
            } else if self.content[n] == colour {
                let joined = self.chain[n] as usize & Self::MASK;
                if joined == chain {
                    continue;
                }
                // The chain it joins adds its liberties other than `at`; those that are shared are counted twice, which
                // errs on the side of safety.
                gained += match self.weak_chain(joined).map(WeakChain::two) {
                    Some(Some(liberties)) => u32::from(!liberties.contains(&besides)),
                    Some(None) => 0,
                    None => 2,
                };
            }
        }
        gained
    }
}
