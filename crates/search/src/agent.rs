//! The contract between an agent and whoever asks it for a move.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use game::{Forfeit, Game, Values};

/// Chooses moves in the game `G`.
pub trait Agent<G: Game>: Send {
    /// Looks at `root` within `limits` and reports the move to play. Comes back soon after `stop` is raised.
    ///
    /// What is found on the way goes to `tell`, whenever the agent has got noticeably further: at moments that
    /// depend on the work done, not on the clock.
    ///
    /// # Panics
    /// If the game is over at `root`.
    fn think_aloud(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move>;

    /// The same without a word before the end.
    ///
    /// # Panics
    /// If the game is over at `root`.
    fn think(&mut self, root: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        self.think_aloud(root, limits, stop, &mut |_| ())
    }
}

/// How long to think. Nodes are the budget; time is a cap on top, so that a level means the same on any machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many nodes to spend: simulations of a Monte Carlo search, positions visited by any other.
    pub nodes: u64,
    /// The longest time to take, if there is a limit.
    pub time: Option<Duration>,
}

impl Limits {
    /// A budget without a cap on time.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, time: None }
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
    /// What chose the move: the search that really ran, whatever was asked for.
    pub engine: &'static str,
    /// The move to play.
    pub best: M,
    /// Nodes spent, in the sense of [`Limits::nodes`].
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// What each seat can expect at the root; `None` if nothing was searched.
    pub values: Option<Values>,
    /// Every legal move, the preferred ones first.
    pub candidates: Vec<Candidate<M>>,
    /// The moves expected from here on, the best one first, steps without a choice included; empty if the agent does
    /// not look so far.
    pub line: Vec<M>,
    /// What else this agent has to say of its work, by name: `depth`, for instance.
    pub details: Vec<(&'static str, f64)>,
    /// Why the agent gives the game up instead of moving, if it does. `best` is then any legal move, chosen by nobody:
    /// whoever hosts the game declares it lost.
    pub forfeit: Option<Forfeit>,
}

impl<M: Copy> Report<M> {
    /// A report of `engine` that prefers the first candidate and knows nothing else yet.
    ///
    /// # Panics
    /// If there is no candidate.
    pub fn new(engine: &'static str, candidates: Vec<Candidate<M>>) -> Self {
        let best = candidates[0].m;
        Self {
            engine,
            best,
            nodes: 0,
            time: Duration::ZERO,
            values: None,
            candidates,
            line: Vec::new(),
            details: Vec::new(),
            forfeit: None,
        }
    }
}

/// One legal move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub m: M,
    /// Nodes that were spent on it.
    pub visits: u64,
    /// Its part of all visits, from 0 to 1.
    pub share: f32,
    /// How likely it looked before the search, from 0 to 1; `None` if the agent has no such opinion.
    pub prior: Option<f32>,
    /// How likely a player improved by the search would choose it, from 0 to 1: a target to learn from.
    pub policy: Option<f32>,
    /// What each seat can expect after it, told by the seats of the root; `None` if it was never tried.
    pub values: Option<Values>,
    /// Whether `values` are certain: the search has seen all that matters to the end of the game.
    pub solved: bool,
}

impl<M> Candidate<M> {
    /// A move that nothing is known of.
    pub const fn new(m: M) -> Self {
        Self { m, visits: 0, share: 0.0, prior: None, policy: None, values: None, solved: false }
    }
}
