//! Answers to the move just played: out of atari, a capture, a shape.

use game::pick;
use rand::Rng;

use super::light::Light;

/// Points worth playing, a few at most.
struct Found {
    points: [usize; 16],
    count: usize,
}

impl Found {
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

impl<const CELLS: usize> Light<CELLS> {
    /// An answer of the colour to move to a stone on `last`: saving a chain that it put into atari, else taking
    /// its own chain, else a [shape](super::shape) beside it.
    pub(super) fn reply(&mut self, last: usize, rng: &mut impl Rng) -> Option<usize> {
        self.rescue(last, rng).or_else(|| self.capture(last)).or_else(|| self.shape_beside(last, rng))
    }

    /// A point that saves a chain beside `last`, or takes what attacks it.
    fn rescue(&mut self, last: usize, rng: &mut impl Rng) -> Option<usize> {
        let colour = self.to_move;
        let mut found = Found::NOTHING;
        for n in self.around(last) {
            if self.content[n] != colour {
                continue;
            }
            let chain = self.chain[n] as usize & Self::MASK;
            let Some(liberty) = self.only_liberty(chain) else { continue };
            if self.is_sensible(liberty, colour) && !self.is_rash(liberty, colour) {
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

    /// The point that takes the chain of `last`, if it has but one liberty.
    fn capture(&mut self, last: usize) -> Option<usize> {
        let at = self.only_liberty(self.chain[last] as usize & Self::MASK)?;
        self.is_sensible(at, self.to_move).then_some(at)
    }

    /// A point beside `last`, diagonals included, where a stone makes a good shape.
    fn shape_beside(&mut self, last: usize, rng: &mut impl Rng) -> Option<usize> {
        let colour = self.to_move;
        let mut found = Found::NOTHING;
        for at in self.ring(last) {
            if self.is_vacant(at)
                && self.makes_shape(at)
                && self.is_sensible(at, colour)
                && !self.is_rash(at, colour)
            {
                found.add(at);
            }
        }
        found.draw(rng)
    }
}
