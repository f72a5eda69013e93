//! The tree that all Monte Carlo searches share.
//!
//! Nodes, edges and forced moves lie in three vectors and are named by their number, so a simulation allocates
//! nothing once the vectors have grown. A node keeps its statistics by its own seats; whoever reads them from above
//! asks [`Places`](game::Places) who sits where, which is all there is to say about the pie rule. Steps with a single
//! legal move belong to the edge before them.
//!
//! What differs between searches is the way down, [`Steer`]; growing, crediting, solving and reporting are the same.
//!
//! Deliberately absent: transpositions (see `docs/agents/mcts.md` for what they would save) and locks: a tree belongs
//! to one thread.

mod credit;
mod firsts;
mod grow;
mod keep;
mod node;
mod report;

use std::ops::Range;

use firsts::Firsts;
use game::{Game, Seat};

pub(crate) use grow::{Course, Steer};
pub(crate) use node::{Amaf, Edge, NONE, Node};
pub(crate) use report::{certainty, preference, unsearched};

use crate::Leaf;

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
    /// Leaves waiting for an answer, and the nodes they are for. Kept for their buffers.
    leaves: Vec<Leaf<G>>,
    waiting: Vec<usize>,
    /// The moves of a simulation, for all-moves-as-first statistics.
    firsts: Firsts<G::Move>,
}

/// What is known of an edge, for whoever decides above it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Trial {
    /// Nothing.
    None,
    /// The result of best play.
    Certain(f32),
    /// Mean and number of results, unanswered visits counted as given.
    Seen { mean: f32, visits: f32 },
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
            leaves: Vec::new(),
            waiting: Vec::new(),
            firsts: Firsts::new(),
        }
    }

    /// Forgets everything and starts with `root`, which is not judged yet.
    pub(crate) fn plant(&mut self, root: &G) {
        self.nodes.clear();
        self.edges.clear();
        self.forced.clear();
        self.amaf.clear();
        self.deepest = 0;
        self.root = Some(root.clone());
        self.nodes.push(Node { mover: root.to_move(), key: root.key(), ..Node::new(NONE, NONE) });
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

    /// What `seat` of the node above can expect from an edge. An unanswered visit counts as `loss` lost games.
    #[inline]
    pub(crate) fn trial(&self, edge: &Edge<G::Move>, seat: Seat, loss: f32) -> Trial {
        let Some(child) = self.child(edge) else { return Trial::None };
        let seat = child.places.of(seat);
        if child.solved {
            return Trial::Certain(child.mean(seat));
        }
        if child.pending == 0 {
            return Trial::Seen { mean: child.mean(seat), visits: child.visits as f32 };
        }
        let lost = loss * child.pending as f32;
        let visits = child.visits as f32 + lost;
        if visits <= 0.0 {
            return Trial::None;
        }
        Trial::Seen { mean: (child.total[seat.index()] as f32 - lost) / visits, visits }
    }
}
