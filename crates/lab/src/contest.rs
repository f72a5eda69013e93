//! What a match needs to know about a game besides its rules.

use arena::Table;
use go::Points;
use ladder::Playable;
use record::{Config, Recorded, ReplayProblem};
use ringrift::{Geometry, Kind};

/// A game that agents can meet in, and whose games are kept.
pub trait Contest: Playable + Recorded {
    /// By which rule a finished game ended.
    fn end_reason(&self) -> &'static str;

    /// Whether a move makes the two sides change seats.
    fn swaps_sides(m: Self::Move) -> bool;
}

impl<B: Geometry> Contest for ringrift::Position<B> {
    fn end_reason(&self) -> &'static str {
        self.end().map_or("unfinished", |end| end.reason.name())
    }

    fn swaps_sides(m: ringrift::Move) -> bool {
        m.kind() == Kind::SwapSides
    }
}

impl<P: Points> Contest for go::Position<P> {
    fn end_reason(&self) -> &'static str {
        if self.ended_by_cycle() { "cycle" } else { "score" }
    }

    fn swaps_sides(_: go::Move) -> bool {
        false
    }
}

/// A table of this game.
///
/// # Errors
/// If the options are of another game.
pub fn table<P: Contest>(config: &Config, opening: u32) -> Result<Table<P>, ReplayProblem> {
    let start = P::new(&P::options(config)?);
    Ok(Table { start, opening, swaps_sides: P::swaps_sides, reason: P::end_reason })
}
