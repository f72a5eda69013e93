//! Best-first minimax without a depth limit, over a table of positions.
//!
//! Every iteration follows the best moves of all seats from the root to a position that was not opened yet, has all
//! positions after it evaluated, and backs the best values up. What is searched to its end is certain and is not
//! visited again. The tree grows where the best play is thought to be, as deep as that goes.
//!
//! Cohen-Solal, *Learning to Play Two-Player Perfect-Information Games without Knowledge* (2020) has both modes, the
//! safest choice and learning from tree values; *Completeness of Unbounded Best-First Game Search* (2021) adds
//! completion and resolution. Both are for two seats. Here every seat maximises its own value, and completion is told
//! for every seat ([`bounds`]).
//!
//! What is deliberately absent: randomness (a search is a function of the positions it was asked about), learning
//! itself, and exploration for its own sake: whoever wants variety in self-play draws from the candidates.
//!
//! `table` holds the nodes, `iterate` is one iteration, `report` says what was found, `targets` what can be learnt from
//! it.

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
    table::{Id, Name, Table},
};
use crate::{Agent, Candidate, Limits, Report, Search, Step, Stop, Widening, stepwise::Owned};

/// Unbounded best-first minimax with completion, for two to four seats, with an evaluator of its own.
///
/// The budget counts positions seen for the first time: evaluated, or found to be the end of a game. Positions known
/// already, by another way or from an earlier decision, cost nothing. The budget is never exceeded; an expansion that
/// does not fit into what is left of it ends the search, except at the root, where as many moves are opened as there is
/// budget for.
///
/// The table is kept from decision to decision, as far as it can still be reached, unless
/// [`DescentOptions::reuse`] is off.
///
/// A candidate's visits are the iterations that went through it, in this decision and those before.
pub struct Descent<G: Game> {
    search: DescentSearch<G>,
    evaluator: Owned<G>,
}

/// Unbounded best-first minimax as a [`Search`].
#[derive(Clone, Debug)]
pub struct DescentSearch<G: Game> {
    options: DescentOptions,
    table: Table<G::Move>,
    /// The root of the last search, the first node of the table.
    root: Option<G>,
    seats: usize,
    /// The legal moves of the root.
    moves: Vec<G::Move>,
    limits: Limits,
    start: Instant,
    /// Positions of the table that were known before this search.
    kept: usize,
    /// Positions seen for the first time by this search.
    spent: u64,
    iterations: u64,
    /// The number of iterations at the last [`Step::Progress`].
    told: u64,
    expansions: u64,
    /// The same before the iteration under way.
    expansions_before: u64,
    /// Moves that led to a position known already.
    transpositions: u64,
    /// Decisions between the root and the deepest position opened.
    depth: usize,
    phase: Phase<G::Move>,
    /// The node at which the iteration stands, its position, and the nodes above it, each with the edge taken.
    at: Id,
    position: Option<G>,
    path: Vec<(Id, usize)>,
    /// The number of this iteration, by which nodes on the path are known.
    stamp: u64,
    /// New positions: the first `waiting` of them wait for values, the others are kept for their buffers.
    requests: Vec<Waiting<G>>,
    waiting: usize,
}

/// How [`Descent`] searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DescentOptions {
    /// Where an iteration ends.
    pub mode: DescentMode,
    /// Which move is played in the end.
    pub choice: DescentChoice,
    /// Whether the table is kept from decision to decision; otherwise every decision begins with an empty one.
    pub reuse: bool,
    /// Opens few moves at first, if set: for boards with hundreds of moves. The most promising ones come first by the
    /// evaluator's policy, or in an arbitrary order if it gives none with the values. A position is never called lost as long as
    /// there are moves to open.
    pub widen: Option<Widening>,
    /// The most positions the table holds, each about 150 bytes and 40 more for every opened move. A search that
    /// fills it ends.
    pub capacity: usize,
    /// The most positions that are evaluated in one request: time and [`Stop`] are checked in between. What is found
    /// does not depend on it.
    pub batch: usize,
}

impl Default for DescentOptions {
    fn default() -> Self {
        Self {
            mode: DescentMode::BestFirst,
            choice: DescentChoice::Safest,
            reuse: true,
            widen: None,
            capacity: 500_000,
            batch: 8,
        }
    }
}

/// Where an iteration ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DescentMode {
    /// After one expansion: unbounded best-first minimax, for playing.
    BestFirst,
    /// At the end of the game, expanding everything on the way: descent, for learning.
    ToTheEnd,
}

/// Which move is played in the end. Certain wins come first and certain losses last in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DescentChoice {
    /// The one that most iterations went through; between equals the better value.
    Safest,
    /// The one with the best value; between equals the one that more iterations went through.
    BestValue,
}

impl<G: Game> Descent<G> {
    /// An agent that has positions evaluated by `evaluator`.
    pub fn new(evaluator: impl Evaluator<G> + Send + 'static, options: DescentOptions) -> Self {
        Self { search: DescentSearch::new(options), evaluator: Owned::new(Box::new(evaluator)) }
    }
}

impl<G: Game> DescentSearch<G> {
    /// A search with an empty table.
    pub fn new(options: DescentOptions) -> Self {
        Self {
            options,
            table: Table::default(),
            root: None,
            seats: 0,
            moves: Vec::new(),
            limits: Limits::nodes(0),
            start: Instant::now(),
            kept: 0,
            spent: 0,
            iterations: 0,
            told: 0,
            expansions: 0,
            expansions_before: 0,
            transpositions: 0,
            depth: 0,
            phase: Phase::Over,
            at: 0,
            position: None,
            path: Vec::new(),
            stamp: 0,
            requests: Vec::new(),
            waiting: 0,
        }
    }

    /// Makes the table begin with `root`, keeping what is below it if the position was seen before, and as much of it
    /// as leaves room for `nodes` more. Returns how many positions were kept.
    fn set_root(&mut self, root: &G, nodes: u64) -> usize {
        let name = Name::of(root, &self.moves);
        let table = std::mem::take(&mut self.table);
        if let Some(id) = table.find(name).filter(|_| self.options.reuse) {
            let kept = table.below(id);
            let room = (self.options.capacity as u64).saturating_sub(kept.nodes.len() as u64);
            if room >= nodes.min(self.options.capacity as u64 / 2) {
                self.table = kept;
            }
        }
        let kept = self.table.nodes.len();
        if kept == 0 {
            self.table.add(name, root.to_move());
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
        if std::mem::take(&mut self.waiting) > 0 {
            // Positions of an abandoned search have no values: nothing above them can be trusted.
            self.table = Table::default();
        }
        (self.limits, self.seats) = (*limits, root.seats());
        (self.spent, self.iterations, self.told, self.expansions) = (0, 0, 0, 0);
        (self.transpositions, self.depth, self.stamp) = (0, 0, 0);
        self.path.clear();
        self.phase = Phase::Over;
        // Where there is no choice the table stays: it is below the next decision, too.
        if self.moves.len() > 1 {
            self.kept = self.set_root(root, limits.nodes);
            self.phase = Phase::Between;
        }
    }

    fn step(&mut self, stop: &Stop) -> Step {
        if self.waiting > 0 {
            return Step::Evaluate;
        }
        self.advance(stop)
    }

    fn pending(&self) -> usize {
        self.waiting
    }

    fn request(&self, index: usize) -> Request<'_, G> {
        let Waiting { position, moves, .. } = &self.requests[..self.waiting][index];
        Request { position, moves, wants: Wants::Values }
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
    /// Ends before the budget is spent if the root is resolved or has one legal move only.
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.search.begin(root, limits);
        self.evaluator.run(&mut self.search, stop, tell)
    }
}

impl DescentOptions {
    fn engine(&self) -> &'static str {
        match self.mode {
            DescentMode::BestFirst => "ubfm",
            DescentMode::ToTheEnd => "descent",
        }
    }
}
