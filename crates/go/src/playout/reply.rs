//! Replies to the last move: saving a chain from atari, capturing, playing a pattern.

use game::pick;
use rand::Rng;

use super::playout_board::PlayoutBoard;

/// A short list of candidate points without duplicates.
struct Candidates {
    points: [usize; 16],
    count: usize,
}

impl Candidates {
    const NOTHING: Self = Self { points: [0; 16], count: 0 };

    fn add(&mut self, at: usize) {
        if !self.points[..self.count].contains(&at)
            && let Some(place) = self.points.get_mut(self.count)
        {
            *place = at;
            self.count += 1;
        }
    }

    fn draw(&self, rng: &mut impl Rng) -> Option<usize> {
        (self.count > 0).then(|| self.points[pick(rng, self.count)])
    }
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// Returns a reply to a stone on `last`: saving a chain that it put into atari, else capturing its chain, else a
    /// [pattern](super::pattern) next to it.
    pub(super) fn reply(&mut self, last: usize, rng: &mut impl Rng) -> Option<usize> {
        self.rescue(last, rng).or_else(|| self.capture(last)).or_else(|| self.pattern_move(last, rng))
    }

    /// A point that saves a chain next to `last` from atari, by extending or by capturing an attacker.
    fn rescue(&mut self, last: usize, rng: &mut impl Rng) -> Option<usize> {
        let colour = self.to_move;
        let mut found = Candidates::NOTHING;
        for n in self.around(last) {
            if self.content[n] != colour {
                continue;
            }
            let chain = self.chain[n] as usize & Self::MASK;
            let Some(liberty) = self.only_liberty(chain) else { continue };
            if self.is_sensible(liberty, colour) && !self.is_bad_self_atari(liberty, colour) {
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

    /// The point that captures the chain of `last`, if that chain is in atari.
    fn capture(&mut self, last: usize) -> Option<usize> {
        let at = self.only_liberty(self.chain[last] as usize & Self::MASK)?;
        self.is_sensible(at, self.to_move).then_some(at)
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
