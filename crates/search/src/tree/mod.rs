//! The tree that all Monte Carlo searches share.
//!
//! Nodes, edges and forced moves lie in three vectors and are named by their number, so a simulation allocates
//! nothing once the vectors have grown. A node keeps its statistics by its own seats; whoever reads them from above
//! asks [`SeatPermutation`](game::SeatPermutation) who sits where, which is all there is to say about the pie rule. Steps with a single
//! legal move belong to the edge before them.
//!
//! What differs between searches is the [`TreePolicy`]; simulations, backup, solving and reporting are the same.
//!
//! Deliberately absent: transpositions (see `docs/agents/mcts.md` for what they would save) and locks: a tree belongs
//! to one thread.

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
use game::{Game, Request, Seat};
use simulate::Simulation;

pub(crate) use node::{Amaf, Edge, NONE, Node};
pub(crate) use report::{certainty, preference, unsearched};
pub(crate) use search::TreePolicy;
pub use search::TreeSearch;
pub(crate) use simulate::Context;

/// The number of the root.
pub(crate) const ROOT: usize = 0;

/// Everything known about the positions below a root.
#[derive(Debug)]
pub(crate) struct Tree<G: Game> {
    /// The position of the root.
    root: Option<G>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge<G::Move>>,
    forced: Vec<G::Move>,
    /// Beside `edges` if the search asks for it, else empty.
    pub(crate) amaf: Vec<Amaf>,
    /// The most decisions between the root and a node, over all simulations of this search.
    deepest: u32,
    /// Simulations: the first `waiting` of them wait for an answer, the others are kept for their buffers.
    simulations: Vec<Simulation<G>>,
    waiting: usize,
    /// Nodes where descents of this batch collided, and whether only the visits below the root's children are left to
    /// undo.
    collided: Vec<(usize, bool)>,
    /// The moves of a simulation, for all-moves-as-first statistics.
    amaf_moves: AmafMoves<G::Move>,
}

/// What is known of an edge, for the seat that decides above it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum EdgeStats {
    Unvisited,
    /// The result of best play.
    Solved(f32),
    /// Mean and number of results, pending visits counted as virtual losses.
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
            deepest: 0,
            simulations: Vec::new(),
            waiting: 0,
            collided: Vec::new(),
            amaf_moves: AmafMoves::new(),
        }
    }

    /// Forgets everything and starts with `root`, which is not evaluated yet.
    pub(crate) fn set_root(&mut self, root: &G) {
        self.nodes.clear();
        self.edges.clear();
        self.forced.clear();
        self.amaf.clear();
        self.deepest = 0;
        self.root = Some(root.clone());
        self.nodes.push(Node { mover: root.to_move(), key: root.key(), ..Node::new(NONE, NONE) });
    }

    /// How many simulations wait for an answer.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// What a waiting simulation asks.
    pub(crate) fn request(&self, index: usize) -> Request<'_, G> {
        let Simulation { position, moves, wants, .. } = &self.simulations[..self.waiting][index];
        Request { position, moves, wants: *wants }
    }

    /// The numbers of the edges of a node.
    #[inline]
    pub(crate) fn edges_of(&self, at: usize) -> Range<usize> {
        let Range { start, end } = self.nodes[at].edges;
        start as usize..end as usize
    }

    /// The node behind an edge, if there was a visit.
    #[inline]
    pub(crate) fn child(&self, edge: &Edge<G::Move>) -> Option<&Node> {
        self.nodes.get(edge.node as usize)
    }

    /// What `seat` of the node above can expect from an edge. A pending visit counts as `loss` lost games.
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
