//! Leaves of Go judged by playouts on a board of their own.

use go::{CarefulPlayouts, Colour, Move, Point, Points, Position, Score};
use rand::{Rng, SeedableRng};
use search::{Guide, Leaf};

/// Values by one [careful playout](CarefulPlayouts), whose moves it tells. All moves look alike.
///
/// Area decides, whatever the rules say: a playout leaves hardly anything but eyes, and there both ways of counting
/// differ by hardly a point.
#[derive(Clone, Debug)]
pub struct GoRollout<R> {
    rng: R,
    stones: Vec<(Colour, Point)>,
}

impl<R: Rng> GoRollout<R> {
    /// A guide that draws its playouts from `rng`.
    pub fn new(rng: R) -> Self {
        Self { rng, stones: Vec::new() }
    }
}

impl<P: Points, R: Rng + SeedableRng> Guide<Position<P>> for GoRollout<R> {
    fn judge(&mut self, leaves: &mut [Leaf<Position<P>>]) {
        for leaf in leaves {
            let finished = CarefulPlayouts::new(&leaf.position).run(&mut self.rng, &mut self.stones);
            let komi = leaf.position.rules().komi.half_points();
            let outcome = Score::from_half_points(2 * finished.area - komi).outcome();
            leaf.values = outcome.values();
            leaf.sample.extend(self.stones.iter().map(|&(colour, at)| (colour.seat(), Move::at(at))));
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = R::seed_from_u64(seed);
    }
}
