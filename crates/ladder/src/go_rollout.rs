//! Leaves of Go judged by playouts on a board of their own.

use go::{Playouts, Points, Position, Score};
use rand::{Rng, SeedableRng};
use search::{Guide, Leaf};

/// Values by one [playout](Playouts): random moves that fill no own eye, until nobody has any. All moves look alike.
///
/// Area decides, whatever the rules say: a playout leaves nothing but eyes, and there both ways of counting differ by
/// hardly a point.
#[derive(Clone, Debug)]
pub struct GoRollout<R> {
    rng: R,
}

impl<R: Rng> GoRollout<R> {
    /// A guide that draws its playouts from `rng`.
    pub fn new(rng: R) -> Self {
        Self { rng }
    }
}

impl<P: Points, R: Rng + SeedableRng> Guide<Position<P>> for GoRollout<R> {
    fn judge(&mut self, leaves: &mut [Leaf<Position<P>>]) {
        for leaf in leaves {
            let finished = Playouts::new(&leaf.position).run(&mut self.rng);
            let komi = leaf.position.rules().komi.half_points();
            let outcome = Score::from_half_points(2 * finished.area - komi).outcome();
            leaf.values = outcome.values();
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = R::seed_from_u64(seed);
    }
}
