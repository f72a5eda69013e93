//! Best-first minimax without a depth limit, over a table of positions.
//!
//! Every iteration follows the best moves of all seats from the root to a position that is not expanded yet, evaluates
//! all positions after it, and backs the best values up. Positions that are searched to the end of the game are
//! resolved and not visited again. The tree grows along the lines that look best, to any depth.
//!
//! Cohen-Solal, *Learning to Play Two-Player Perfect-Information Games without Knowledge* (2020) introduces both modes,
//! the safest choice and learning from tree values; *Completeness of Unbounded Best-First Game Search* (2021) adds
//! completion and resolution. Both cover two seats. Here every seat maximises its own value, and completion is tracked
//! for every seat ([`bounds`]).
//!
//! Deliberately absent: randomness (the result depends only on the positions that were searched), training, and
//! exploration: self-play can sample from the candidates.
//!
//! `table` holds the nodes, `iterate` performs iterations, `report` builds reports and `targets` extracts training
//! targets.

mod bounds;
mod iterate;
mod report;
mod table;
mod targets;
#[cfg(test)]
mod tests;

use std::time::Instant;

use game::{Evaluation, Evaluator, Game, Request, Wants};

pub use self::targets::Target;
use self::{
    iterate::{Phase, Waiting},
    table::{Id, PositionKey, Table},
};
use crate::{
    Agent, Candidate, Limits, Report, Search, Step, Stop, Widening, stepwise::OwnedEvaluator, tree::MAX_BYTES,
};

/// Unbounded best-first minimax with completion, for two to four seats, as an [`Agent`].
///
/// The budget counts new positions, whether they are evaluated or finished games. Transpositions and positions from
/// earlier decisions cost nothing. The budget is never exceeded: an expansion that does not fit into the rest of it
/// ends the search, except at the root, where as many moves are expanded as the budget allows.
///
/// The part of the table that is still reachable is reused in the next decision, unless [`DescentOptions::reuse`] is
/// off.
///
/// A candidate's visits are the iterations through it, in this decision and earlier ones.
pub struct Descent<G: Game> {
    search: DescentSearch<G>,
    evaluator: OwnedEvaluator<G>,
}

/// Unbounded best-first minimax as a [`Search`].
#[derive(Clone, Debug)]
pub struct DescentSearch<G: Game> {
    options: DescentOptions,
    table: Table<G::Move>,
    /// The root of the last search, the first node of the table.
    root: Option<G>,
    seats: usize,
    /// The legal moves of the root, and their priors if the evaluator has a policy.
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    limits: Limits,
    start: Instant,
    /// The number of positions in the table before this search.
    kept: usize,
    /// The number of new positions in this search.
    spent: u64,
    iterations: u64,
    /// The value of `iterations` at the last [`Step::Progress`].
    reported_iterations: u64,
    expansions: u64,
    /// Whether the search ended because the table is full.
    is_full: bool,
    /// The value of `expansions` before the current iteration.
    expansions_before: u64,
    /// The number of moves that led to a known position.
    transpositions: u64,
    /// The number of decisions between the root and the deepest expanded position.
    depth: usize,
    phase: Phase<G::Move>,
    /// The current node of the iteration, its position, and the nodes above it, each with the edge taken.
    at: Id,
    position: Option<G>,
    path: Vec<(Id, usize)>,
    /// The number of this iteration, which marks the nodes on the path.
    stamp: u64,
    /// New positions: the first `waiting` of them await evaluation, the others are kept for their allocations.
    requests: Vec<Waiting<G>>,
    waiting: usize,
    /// The number of positions in the table, and of edges of the current node, before the waiting positions were added.
    before_batch: (usize, usize),
}

/// How [`Descent`] searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DescentOptions {
    /// Where an iteration ends.
    pub mode: DescentMode,
    /// Which move is played.
    pub choice: DescentChoice,
    /// Whether later decisions reuse the table; otherwise every decision starts with an empty one.
    pub reuse: bool,
    /// Progressive widening, for positions with hundreds of moves. Moves are expanded in the order of the evaluator's
    /// policy, or in an arbitrary order if the evaluator returns no policy with the values. A position is not
    /// considered lost as long as it has unexpanded moves.
    pub widen: Option<Widening>,
    /// Whether to ask the evaluator for the policy of the root: widening then begins with its best moves there too, and
    /// the report has their priors. This costs no node.
    pub policy: bool,
    /// The maximum size of the table in bytes. A search ends when the next expansion could exceed it, and its report
    /// then has the detail `full`.
    pub max_bytes: usize,
    /// The maximum number of positions in one batch. Time and [`Stop`] are checked between batches. It does not affect
    /// the result.
    pub batch: usize,
}

impl Default for DescentOptions {
    fn default() -> Self {
        Self {
            mode: DescentMode::BestFirst,
            choice: DescentChoice::Safest,
            reuse: true,
            widen: None,
            policy: false,
            max_bytes: MAX_BYTES,
            batch: 8,
        }
    }
}

/// Where an iteration ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DescentMode {
    /// After one expansion: unbounded best-first minimax, for play.
    BestFirst,
    /// At the end of the game, expanding every position on the way: descent, for training.
    Descent,
}

/// Which move is played. Proven wins always come first and proven losses last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DescentChoice {
    /// The most visited one; ties are broken by value.
    Safest,
    /// The one with the best value; ties are broken by visits.
    BestValue,
}

impl<G: Game> Descent<G> {
    /// Creates an agent that evaluates positions with `evaluator`.
    pub fn new(evaluator: impl Evaluator<G> + Send + 'static, options: DescentOptions) -> Self {
        Self { search: DescentSearch::new(options), evaluator: OwnedEvaluator::new(Box::new(evaluator)) }
    }
}

impl<G: Game> DescentSearch<G> {
    /// Creates a search with an empty table.
    pub fn new(options: DescentOptions) -> Self {
        Self {
            options,
            table: Table::default(),
            root: None,
            seats: 0,
            moves: Vec::new(),
            priors: Vec::new(),
            limits: Limits::nodes(0),
            start: Instant::now(),
            kept: 0,
            spent: 0,
            iterations: 0,
            reported_iterations: 0,
            expansions: 0,
            is_full: false,
            expansions_before: 0,
            transpositions: 0,
            depth: 0,
            phase: Phase::Done,
            at: 0,
            position: None,
            path: Vec::new(),
            stamp: 0,
            requests: Vec::new(),
            waiting: 0,
            before_batch: (0, 0),
        }
    }

    /// Makes `root` the first node of the table. If the position is known, the table keeps everything below it,
    /// provided that this leaves room for `nodes` more, or half of the table. Returns the number of positions kept.
    fn set_root(&mut self, root: &G, nodes: u64) -> usize {
        let key = PositionKey::of(root, &self.moves);
        let table = std::mem::take(&mut self.table);
        if let Some(id) = table.find(key).filter(|_| self.options.reuse) {
            let kept = table.below(id);
            let most = self.options.max_bytes;
            if kept.room(most) as u64 >= nodes || kept.bytes() <= most / 2 {
                self.table = kept;
            }
        }
        let kept = self.table.nodes.len();
        if kept == 0 {
            self.table.add(key, root.to_move());
        }
        self.root = Some(root.clone());
        kept
    }
}

impl<G: Game> Search<G> for DescentSearch<G> {
    fn begin(&mut self, root: &G, limits: &Limits) {
        self.start = Instant::now();
        root.legal_moves(&mut self.moves);
        assert!(!self.moves.is_empty(), "the game is over: there is nothing to choose");
        self.withdraw();
        (self.limits, self.seats) = (*limits, root.seats());
        (self.spent, self.iterations, self.reported_iterations, self.expansions) = (0, 0, 0, 0);
        (self.transpositions, self.depth, self.stamp, self.is_full) = (0, 0, 0, false);
        self.path.clear();
        self.priors.clear();
        self.phase = Phase::Done;
        // A forced move leaves the table unchanged, since the next decision lies below it too.
        if self.moves.len() > 1 {
            self.kept = self.set_root(root, limits.nodes);
            self.phase = if self.options.policy && limits.nodes > 0 { Phase::Root } else { Phase::Between };
        }
    }

    fn step(&mut self, stop: &Stop) -> Step {
        if self.waiting > 0 {
            if !self.is_interrupted(stop) {
                return Step::Evaluate;
            }
            self.withdraw();
        }
        self.advance(stop)
    }

    fn is_interrupted(&self, stop: &Stop) -> bool {
        // The clock is read only if there is a time cap.
        stop.is_raised() || self.limits.time.is_some_and(|most| self.start.elapsed() >= most)
    }

    fn pending(&self) -> usize {
        self.waiting
    }

    fn request(&self, index: usize) -> Request<'_, G> {
        let Waiting { position, moves, .. } = &self.requests[..self.waiting][index];
        let wants = if matches!(self.phase, Phase::Root) { Wants::Policy } else { Wants::Values };
        Request { position, moves, wants }
    }

    fn resume(&mut self, evaluations: &[Evaluation<G::Move>]) {
        assert_eq!(evaluations.len(), self.waiting, "every request gets one answer");
        self.apply(evaluations);
    }

    fn report(&self) -> Report<G::Move> {
        if let [only] = self.moves[..] {
            let report = Report::new(self.options.engine(), vec![Candidate::new(only)]);
            return Report { time: self.start.elapsed(), ..report };
        }
        self.root_report()
    }
}

impl<G: Game> Agent<G> for Descent<G> {
    /// Ends before the budget is spent if the root is resolved or has only one legal move.
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.search.begin(root, limits);
        self.evaluator.run(&mut self.search, stop, on_progress)
    }
}

impl DescentOptions {
    fn engine(&self) -> &'static str {
        match self.mode {
            DescentMode::BestFirst => "ubfm",
            DescentMode::Descent => "descent",
        }
    }
}
