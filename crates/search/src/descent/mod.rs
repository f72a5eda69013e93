//! Best-first minimax without a depth limit, over a table of positions.
//!
//! Every iteration follows the best moves of all seats from the root to a position that was not looked into yet, has
//! all positions after it judged in one batch, and backs the best values up. What is seen to its end is certain and
//! is not looked at again. The tree grows where the best play is thought to be, as deep as that goes.
//!
//! Cohen-Solal, *Learning to Play Two-Player Perfect-Information Games without Knowledge* (2020) has both modes, the
//! safest choice and learning from tree values; *Completeness of Unbounded Best-First Game Search* (2021) adds
//! completion and resolution. Both are for two seats. Here every seat maximises its own value, and completion is told
//! for every seat ([`bounds`]).
//!
//! What is deliberately absent: randomness (a search is a function of the positions it was asked about), learning
//! itself, and exploration for its own sake: whoever wants variety in self-play draws from the candidates.
//!
//! `table` holds the nodes, `walk` is one iteration, `report` says what was found, `targets` what can be learnt from it.

mod bounds;
mod report;
mod table;
mod targets;
#[cfg(test)]
mod tests;
mod walk;

use std::time::Instant;

use game::Game;

pub use self::targets::Target;
use self::{
    table::{Name, Table},
    walk::{Orders, Walk},
};
use crate::{Agent, Candidate, Guide, Limits, Report, Stop, Widening};

/// Unbounded best-first minimax with completion, for two to four seats.
///
/// The budget counts positions seen for the first time: judged by the guide, or found to be the end of a game.
/// Positions known already, by another way or from an earlier decision, cost nothing. The budget is never exceeded;
/// an expansion that does not fit into what is left of it ends the search, except at the root, where as many moves
/// are opened as there is budget for.
///
/// The table is kept from decision to decision, as far as it can still be reached, unless
/// [`DescentOptions::reuse`] is off.
///
/// A candidate's visits are the iterations that went through it, in this decision and those before.
#[derive(Clone, Debug)]
pub struct Descent<G: Game, E> {
    guide: E,
    options: DescentOptions,
    table: Table<G::Move>,
    /// The root of the last search, the first node of the table.
    root: Option<G>,
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
    /// opinion of the guide, or in an arbitrary order if it has none. A position is never called lost as long as
    /// there are moves to open.
    pub widen: Option<Widening>,
    /// The most positions the table holds, each about 150 bytes and 40 more for every opened move. A search that
    /// fills it ends.
    pub capacity: usize,
}

impl Default for DescentOptions {
    fn default() -> Self {
        Self {
            mode: DescentMode::BestFirst,
            choice: DescentChoice::Safest,
            reuse: true,
            widen: None,
            capacity: 500_000,
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

impl<G: Game, E: Guide<G>> Descent<G, E> {
    /// An agent that has positions judged by `guide`.
    pub fn new(guide: E, options: DescentOptions) -> Self {
        Self { guide, options, table: Table::default(), root: None }
    }

    /// Makes the table begin with `root`, keeping what is below it if the position was seen before, and as much of it
    /// as leaves room for `nodes` more. Returns how many positions were kept.
    fn set_root(&mut self, root: &G, moves: &[G::Move], nodes: u64) -> usize {
        let name = Name::of(root, moves);
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

impl<G: Game, E: Guide<G> + Send> Agent<G> for Descent<G, E> {
    /// Ends before the budget is spent if the root is resolved or has one legal move only.
    fn think_aloud(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        if let [only] = moves[..] {
            // The table stays: it is below the next decision, too.
            let report = Report::new(self.options.engine(), vec![Candidate::new(only)]);
            return Report { time: start.elapsed(), ..report };
        }
        let kept = self.set_root(root, &moves, limits.nodes);
        let orders = Orders { limits, stop, start };
        let mut walk = Walk::new(root, &mut self.table, &mut self.guide, &self.options, orders);
        while walk.iterate() {
            if walk.iterations.is_power_of_two() {
                tell(&walk.report(&moves, kept));
            }
        }
        walk.report(&moves, kept)
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
