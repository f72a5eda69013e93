//! The contract between an agent and whoever asks it for a move.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use game::{Game, Values};

/// Chooses moves in the game `G`.
pub trait Agent<G: Game> {
    /// Looks at `root` within `limits` and reports the move to play. Comes back soon after `stop` is raised.
    ///
    /// # Panics
    /// If the game is over at `root`.
    fn think(&mut self, root: &G, limits: &Limits, stop: &Stop) -> Report<G::Move>;
}

/// How long to think. Simulations are the budget; time is a cap on top, so that a level means the same on any
/// machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many simulations to spend.
    pub simulations: u64,
    /// The longest time to take, if there is a limit.
    pub time: Option<Duration>,
}

impl Limits {
    /// A budget without a cap on time.
    pub const fn simulations(simulations: u64) -> Self {
        Self { simulations, time: None }
    }

    /// The same with a cap on time.
    #[must_use]
    pub const fn within(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }
}

/// Raised from another thread to end a search early.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Asks the search to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What an agent found.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// The move to play.
    pub best: M,
    /// Simulations spent.
    pub simulations: u64,
    /// Time taken.
    pub time: Duration,
    /// What each seat can expect at the root; `None` if nothing was searched.
    pub values: Option<Values>,
    /// Every legal move, the preferred ones first.
    pub candidates: Vec<Candidate<M>>,
}

/// One legal move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub m: M,
    /// Simulations that went through it.
    pub visits: u64,
    /// Its part of all simulations, from 0 to 1.
    pub share: f32,
    /// What each seat can expect after it; `None` if it was never tried.
    pub values: Option<Values>,
    /// Whether `values` are certain: the search has seen all that matters to the end of the game.
    pub solved: bool,
}
