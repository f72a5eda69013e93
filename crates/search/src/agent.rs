//! The [`Agent`] trait, the limits of a search and the report that it returns.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use game::{Forfeit, Game, Seat, Values};

/// Chooses moves in the game `G`.
pub trait Agent<G: Game>: Send {
    /// Searches `root` within `limits` and reports the move to play. Returns soon after `stop` is raised.
    ///
    /// Intermediate reports go to `on_progress` whenever the search has made noticeable progress. When that happens
    /// depends on the work done, not on the clock.
    ///
    /// # Panics
    /// If the game is over at `root`.
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move>;

    /// Like [`think_with_progress`](Self::think_with_progress), without intermediate reports.
    ///
    /// # Panics
    /// If the game is over at `root`.
    fn think(&mut self, root: &G, limits: &Limits, stop: &Stop) -> Report<G::Move> {
        self.think_with_progress(root, limits, stop, &mut |_| ())
    }

    /// Restricts the moves of all later searches, in place of any earlier restrictions. Returns whether the agent can:
    /// tree searches can, others accept only an empty list.
    fn restrict(&mut self, restrictions: &[Restriction<G::Move>]) -> bool {
        restrictions.is_empty()
    }
}

/// Moves that a search leaves out near its root, where other moves remain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restriction<M> {
    /// The seat whose moves are restricted.
    pub seat: Seat,
    /// The moves in question.
    pub moves: Vec<M>,
    /// Whether only these moves are allowed, rather than all others.
    pub only: bool,
    /// The number of decisions from the root to which it applies; 1 restricts the root alone.
    pub depth: u32,
}

impl<M: PartialEq> Restriction<M> {
    /// Whether the restriction leaves `m` to the mover of a node at this depth, 0 for the root.
    pub(crate) fn allows(&self, seat: Seat, depth: u32, m: &M) -> bool {
        seat != self.seat || depth >= self.depth || self.moves.contains(m) == self.only
    }
}

/// Limits of a search. The budget is counted in nodes, so that a level plays equally well on any machine; time is an
/// additional cap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum number of nodes: simulations of a Monte Carlo tree search, visited positions of any other search.
    pub nodes: u64,
    /// The time cap, if there is one.
    pub time: Option<Duration>,
}

impl Limits {
    /// A budget of nodes without a time cap.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, time: None }
    }

    /// Adds a time cap.
    #[must_use]
    pub const fn within(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }
}

/// A flag that ends a search early; it can be raised from another thread.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Requests the search to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// The algorithm that chose the move: the one that actually ran, which may differ from the one configured.
    pub engine: &'static str,
    /// The move to play.
    pub best: M,
    /// Nodes searched, as counted by [`Limits::nodes`].
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// The value of the root for each seat, or `None` if nothing was searched.
    pub values: Option<Values>,
    /// Every legal move, best first.
    pub candidates: Vec<Candidate<M>>,
    /// The principal variation, starting with the best move and including forced moves. Empty if the agent does not
    /// compute one.
    pub line: Vec<M>,
    /// The principal variations that start with the first candidates, in the order of `candidates`. Empty if the agent
    /// does not compute them.
    pub variations: Vec<Vec<M>>,
    /// Further statistics of the search by name, such as `depth`.
    pub details: Vec<(&'static str, f64)>,
    /// The paths that points took through a space of moves, for agents that follow gradients.
    pub paths: Vec<Path<M>>,
    /// Set if the agent forfeits the game instead of moving. `best` is then an arbitrary legal move, and the host of
    /// the game declares the game lost.
    pub forfeit: Option<Forfeit>,
}

impl<M: Copy> Report<M> {
    /// Creates a report of `engine` whose best move is the first candidate and whose other fields are empty.
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
            variations: Vec::new(),
            details: Vec::new(),
            paths: Vec::new(),
            forfeit: None,
        }
    }
}

/// One legal move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub m: M,
    /// Nodes spent on this move.
    pub visits: u64,
    /// Its share of all visits, from 0 to 1.
    pub share: f32,
    /// Its prior probability, from 0 to 1, or `None` if the agent uses no policy.
    pub prior: Option<f32>,
    /// Its probability in the policy improved by the search, from 0 to 1: a training target.
    pub policy: Option<f32>,
    /// The value after this move for each seat, in the seat order of the root, or `None` if the move was not searched.
    pub values: Option<Values>,
    /// Whether `values` are proven: they are the exact result of best play.
    pub solved: bool,
    /// The standard deviation of its worth for want of knowledge, if the agent estimates one.
    pub sigma: Option<f32>,
    /// The distance of its point to those of the moves that the agent chose before, if it measures one.
    pub novelty: Option<f32>,
    /// Its energy, for agents that prefer low ones.
    pub energy: Option<f32>,
}

/// The path of a point that started at a move, or at a mixture of all of them, followed a gradient, and was taken for a move
/// in the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Path<M> {
    /// The move it started at.
    pub from: Option<M>,
    /// The move it was taken for.
    pub to: M,
    /// What was climbed, or the energy that was descended, before every step.
    pub heights: Vec<f32>,
}

impl<M> Candidate<M> {
    /// A candidate without statistics.
    pub const fn new(m: M) -> Self {
        Self {
            m,
            visits: 0,
            share: 0.0,
            prior: None,
            policy: None,
            values: None,
            solved: false,
            sigma: None,
            novelty: None,
            energy: None,
        }
    }
}
