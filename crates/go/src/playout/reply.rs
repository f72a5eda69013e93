//! Replies to the last move: saving a chain from atari, capturing, winning a race, playing a pattern.

use game::pick;
use rand::Rng;

use super::{playout_board::PlayoutBoard, two_liberties::WeakChain};

/// A short list of candidate points without duplicates.
pub(super) struct Candidates {
    points: [usize; 16],
    count: usize,
}

impl Candidates {
    pub(super) const NOTHING: Self = Self { points: [0; 16], count: 0 };

    pub(super) fn add(&mut self, at: usize) {
        if !self.points[..self.count].contains(&at)
            && let Some(place) = self.points.get_mut(self.count)
        {
            *place = at;
            self.count += 1;
        }
    }

    pub(super) fn points(&self) -> &[usize] {
        &self.points[..self.count]
    }

    pub(super) fn draw(&self, rng: &mut impl Rng) -> Option<usize> {
        (self.count > 0).then(|| self.points[pick(rng, self.count)])
    }
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// Returns a reply to a stone on `last`: saving a chain that it put into atari, else capturing its chain, else the
    /// [vital point](super::nakade) of an eye space next to it, else a move in a [capturing race](super::two_liberties),
    /// else a [pattern](super::pattern) next to it.
    pub(super) fn reply(&mut self, last: usize, rng: &mut impl Rng) -> Option<usize> {
        let beside = self.weak_chains_beside(last);
        let attacker = self.weak_chain(last);
        self.rescue(&beside, rng)
            .or_else(|| self.capture(attacker))
            .or_else(|| self.vital_point(last).filter(|&at| self.is_sensible(at, self.to_move)))
            .or_else(|| self.race(attacker, &beside).draw(rng))
            .or_else(|| self.pattern_move(last, rng))
    }

    /// A point that saves one of these chains from atari, by extending or by capturing an attacker.
    fn rescue(&mut self, beside: &[Option<WeakChain>; 4], rng: &mut impl Rng) -> Option<usize> {
        let colour = self.to_move;
        let mut found = Candidates::NOTHING;
        for &WeakChain { chain, liberties: [liberty, second] } in beside.iter().flatten() {
            if second.is_some() {
                continue;
            }
            if let Some(liberty) = liberty
                && self.is_sensible(liberty, colour)
                && !self.is_bad_self_atari(liberty, colour)
            {
                found.add(liberty);
            }
            let mut stone = chain;
            loop {
                for n in self.around(stone) {
                    if self.content[n] == colour ^ 1
                        && let Some(at) = self.only_liberty(self.chain[n] as usize & Self::MASK)
                        && self.is_sensible(at, colour)
                    {
                        found.add(at);
                    }
                }
                stone = self.next[stone] as usize & Self::MASK;
                if stone == chain {
                    break;
                }
            }
        }
        found.draw(rng)
    }

    /// The point that captures this chain, if it is in atari.
    fn capture(&mut self, attacker: Option<WeakChain>) -> Option<usize> {
        let [only, None] = attacker?.liberties else { return None };
        only.filter(|&at| self.is_sensible(at, self.to_move))
    }

    /// A point next to `last`, diagonals included, where a stone matches a pattern.
    fn pattern_move(&mut self, last: usize, rng: &mut impl Rng) -> Option<usize> {
        let colour = self.to_move;
        let mut found = Candidates::NOTHING;
        for at in self.ring(last) {
            if self.is_vacant(at)
                && self.matches_pattern(at)
                && self.is_sensible(at, colour)
                && !self.is_bad_self_atari(at, colour)
            {
                found.add(at);
            }
        }
        found.draw(rng)
    }
}
