//! The tree that all Monte Carlo searches share.
//!
//! Nodes, edges and forced moves are stored in three vectors and referred to by index, so a simulation allocates
//! nothing once the vectors have grown. A node stores its statistics in its own seat order; reading them from the
//! parent goes through a [`SeatPermutation`](game::SeatPermutation), which covers the pie rule. Forced moves belong to
//! the edge before them.
//!
//! Searches differ only in their [`TreePolicy`]; simulations, backup, solving and reporting are shared.
//!
//! Deliberately absent: transpositions (`docs/agents/mcts.md` estimates what they would save) and locks, since a tree
//! belongs to one thread.

mod amaf;
mod backup;
mod expand;
mod node;
mod report;
mod reuse;
mod search;
mod simulate;

use std::ops::Range;

use amaf::AmafMoves;
use game::{Game, Request, Seat, Values};
use simulate::Simulation;

use crate::Restriction;

/// The default of the maximum size of a tree, in bytes. The levels of the ladder stay below it.
pub(crate) const MAX_BYTES: usize = 256 << 20;

pub(crate) use node::{Amaf, Edge, NONE, Node};
pub(crate) use report::{certainty, preference, unsearched};
pub(crate) use search::TreePolicy;
pub use search::TreeSearch;
pub(crate) use simulate::Context;

/// The index of the root.
pub(crate) const ROOT: usize = 0;

/// A search tree.
#[derive(Debug)]
pub(crate) struct Tree<G: Game> {
    /// The position of the root.
    root: Option<G>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge<G::Move>>,
    forced: Vec<G::Move>,
    /// Parallel to `edges` if AMAF is enabled, otherwise empty.
    pub(crate) amaf: Vec<Amaf>,
    /// The minimax values of nodes in their own seat order, parallel to `nodes`, if they are used; otherwise empty.
    minimax: Vec<Values>,
    /// The maximum depth of this search's simulations, in decisions.
    deepest: u32,
    /// Simulations: the first `waiting` of them await an evaluation, the others are kept for their allocations.
    simulations: Vec<Simulation<G>>,
    waiting: usize,
    /// Nodes at which descents of this batch collided, each with whether only the visits below the root's children
    /// remain to be undone.
    collided: Vec<(usize, bool)>,
    /// The moves of a simulation, for AMAF statistics.
    amaf_moves: AmafMoves<G::Move>,
    /// Which moves to leave out near the root.
    restrictions: Vec<Restriction<G::Move>>,
}

/// The statistics of an edge, for the mover of the parent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum EdgeStats {
    Unvisited,
    /// The exact result.
    Solved(f32),
    /// The mean and number of results, with pending visits counted as virtual losses.
    Visited {
        mean: f32,
        visits: f32,
    },
}

impl<G: Game> Tree<G> {
    pub(crate) fn new() -> Self {
        Self {
            root: None,
            nodes: Vec::new(),
            edges: Vec::new(),
            forced: Vec::new(),
            amaf: Vec::new(),
            minimax: Vec::new(),
            deepest: 0,
            simulations: Vec::new(),
            waiting: 0,
            collided: Vec::new(),
            amaf_moves: AmafMoves::new(),
            restrictions: Vec::new(),
        }
    }

    /// Clears the tree and starts with `root`, which is not evaluated yet.
    pub(crate) fn set_root(&mut self, root: &G) {
        self.nodes.clear();
        self.edges.clear();
        self.forced.clear();
        self.amaf.clear();
        self.minimax.clear();
        self.deepest = 0;
        self.root = Some(root.clone());
        self.nodes.push(Node { mover: root.to_move(), key: root.key(), ..Node::new(NONE, NONE) });
    }

    /// The size of the tree in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.edges[..])
            + size_of_val(&self.forced[..])
            + size_of_val(&self.amaf[..])
            + size_of_val(&self.minimax[..])
    }

    /// Restricts the moves of later searches. A tree that grew under other restrictions is forgotten.
    pub(crate) fn restrict(&mut self, restrictions: &[Restriction<G::Move>]) {
        if self.restrictions != restrictions {
            self.restrictions = restrictions.to_vec();
            self.nodes.clear();
        }
    }

    /// The number of simulations that await an evaluation.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// The request of a waiting simulation.
    pub(crate) fn request(&self, index: usize) -> Request<'_, G> {
        let Simulation { position, moves, wants, .. } = &self.simulations[..self.waiting][index];
        Request { position, moves, wants: *wants }
    }

    /// The indices of the edges of a node.
    #[inline]
    pub(crate) fn edges_of(&self, at: usize) -> Range<usize> {
        let Range { start, end } = self.nodes[at].edges;
        start as usize..end as usize
    }

    /// The child behind an edge, if it was visited.
    #[inline]
    pub(crate) fn child(&self, edge: &Edge<G::Move>) -> Option<&Node> {
        self.nodes.get(edge.node as usize)
    }

    /// The minimax value of the child behind an edge for `seat` of the parent, if the child has results.
    #[inline]
    pub(crate) fn minimax_of(&self, edge: &Edge<G::Move>, seat: Seat) -> Option<f32> {
        let child = self.child(edge).filter(|child| child.visits > 0)?;
        Some(self.minimax[edge.node as usize].of(child.permutation.of(seat)))
    }

    /// The statistics of an edge for `seat` of the parent. A pending visit counts as `loss` losses.
    #[inline]
    pub(crate) fn stats(&self, edge: &Edge<G::Move>, seat: Seat, loss: f32) -> EdgeStats {
        let Some(child) = self.child(edge) else { return EdgeStats::Unvisited };
        let seat = child.permutation.of(seat);
        if child.solved {
            return EdgeStats::Solved(child.mean(seat));
        }
        if child.pending == 0 {
            return EdgeStats::Visited { mean: child.mean(seat), visits: child.visits as f32 };
        }
        let lost = loss * child.pending as f32;
        let visits = child.visits as f32 + lost;
        if visits <= 0.0 {
            return EdgeStats::Unvisited;
        }
        EdgeStats::Visited { mean: (child.total[seat.index()] as f32 - lost) / visits, visits }
    }
}
