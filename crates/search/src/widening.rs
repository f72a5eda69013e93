//! Progressive widening, for positions with hundreds of moves.

/// A node with `n` visits considers its `factor · n^power` most promising moves, at least one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// The number of moves at the first visit.
    pub factor: f32,
    /// The growth rate: the exponent of the number of visits.
    pub power: f32,
}

impl Widening {
    /// How many of `all` moves a node with `visits` considers.
    pub(crate) fn considered(self, visits: f32, all: usize) -> usize {
        ((self.factor * visits.max(1.0).powf(self.power)).ceil() as usize).clamp(1, all.max(1))
    }
}

impl Default for Widening {
    fn default() -> Self {
        Self { factor: 2.0, power: 0.5 }
    }
}
