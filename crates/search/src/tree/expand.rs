//! Adding children to a node, and edges to a leaf.

use game::{Game, pick};
use rand::Rng;

use super::{Amaf, Edge, NONE, Node, Tree, simulate::Simulation};

impl<G: Game> Tree<G> {
    /// Creates the child behind an unvisited edge. Its position is left in the simulation.
    pub(super) fn add_child(&mut self, parent: usize, edge: usize, slot: usize) -> usize {
        let Simulation { position, moves, .. } = &mut self.simulations[slot];
        let mut node = Node { pending: 1, ..Node::new(parent as u32, edge as u32) };
        let first = self.edges[edge].m;
        node.permutation.advance(position, first);
        position.play_unchecked(first, &mut ());
        position.legal_moves(moves);
        let start = self.forced.len() as u32;
        while let [only] = moves[..] {
            self.forced.push(only);
            node.permutation.advance(position, only);
            position.play_unchecked(only, &mut ());
            position.legal_moves(moves);
        }
        node.forced = start..self.forced.len() as u32;
        node.mover = position.to_move();
        node.key = position.key();
        if let Some(outcome) = position.outcome() {
            node.mark_solved(outcome.values());
        }
        self.edges[edge].node = self.nodes.len() as u32;
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Expands the node of a simulation with one edge per legal move, most promising first. Equal moves come in random
    /// order, since the budget may not reach all of them.
    pub(super) fn expand(&mut self, slot: usize, logits: &[f32], amaf: bool, rng: &mut impl Rng) {
        let Simulation { position, moves, at, depth, .. } = &self.simulations[slot];
        let start = self.edges.len();
        if logits.is_empty() {
            let prior = 1.0 / moves.len() as f32;
            let logit = prior.ln();
            self.edges.extend(moves.iter().map(|&m| Edge { m, logit, prior, node: NONE }));
        } else {
            debug_assert_eq!(logits.len(), moves.len(), "an evaluator returns one logit per move");
            let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
            let shift = most + sum.ln();
            let edges = moves.iter().zip(logits).map(|(&m, logit)| Edge {
                m,
                logit: logit - shift,
                prior: (logit - shift).exp(),
                node: NONE,
            });
            self.edges.extend(edges);
        }
        let mover = position.to_move();
        let allowed = |edge: &Edge<G::Move>| {
            self.restrictions.iter().all(|restriction| restriction.allows(mover, *depth, &edge.m))
        };
        // A node without moves would count as the end of the game, so restrictions that leave nothing are ignored.
        if !self.restrictions.is_empty() && self.edges[start..].iter().any(allowed) {
            let kept: Vec<_> = self.edges[start..].iter().filter(|edge| allowed(edge)).copied().collect();
            self.edges.truncate(start);
            self.edges.extend(kept);
        }
        let new = &mut self.edges[start..];
        for last in (1..new.len()).rev() {
            new.swap(last, pick(rng, last + 1));
        }
        if !logits.is_empty() {
            new.sort_unstable_by(|one, other| other.logit.total_cmp(&one.logit));
        }
        if amaf {
            self.amaf.resize(self.edges.len(), Amaf::default());
        }
        let node = &mut self.nodes[*at];
        node.edges = start as u32..self.edges.len() as u32;
        node.awaits_policy = false;
    }
}
