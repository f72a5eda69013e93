//! Tree reuse between decisions.

use game::Game;

use super::{NONE, Node, ROOT, Tree};

impl<G: Game> Tree<G> {
    /// Makes `root` the root of the existing tree. Returns `false` if the position is not in the tree, or its subtree is
    /// larger than `max_bytes`.
    ///
    /// Any number of plies by any seats may lie in between. The subtree of the new root is kept unchanged, and
    /// everything else is dropped.
    pub(crate) fn reuse(&mut self, root: &G, max_bytes: usize) -> bool {
        let Some(at) = self.find(root) else { return false };
        if at != ROOT {
            self.reroot(at);
        }
        if self.bytes() > max_bytes {
            return false;
        }
        self.root = Some(root.clone());
        self.deepest = 0;
        true
    }

    /// Finds the most visited expanded node with this position.
    fn find(&self, position: &G) -> Option<usize> {
        let key = position.key();
        let found = (0..self.nodes.len()).filter(|&at| {
            let node = &self.nodes[at];
            node.key == key && !node.edges.is_empty() && self.position_of(at).as_ref() == Some(position)
        });
        // Ties go to the first node, which is nearest to the root.
        found.rev().max_by_key(|&at| self.nodes[at].visits)
    }

    /// The position of a node, replayed from the root.
    fn position_of(&self, mut at: usize) -> Option<G> {
        let mut way = Vec::new();
        while at != ROOT {
            way.push(at);
            at = self.nodes[at].parent as usize;
        }
        let mut position = self.root.clone()?;
        for &at in way.iter().rev() {
            let Node { edge, forced, .. } = &self.nodes[at];
            position.play_unchecked(self.edges[*edge as usize].m, &mut ());
            for &m in &self.forced[forced.start as usize..forced.end as usize] {
                position.play_unchecked(m, &mut ());
            }
        }
        Some(position)
    }

    /// Makes `top` the root by copying its subtree in breadth-first order, and drops all other nodes.
    fn reroot(&mut self, top: usize) {
        let old_nodes = std::mem::take(&mut self.nodes);
        let old_edges = std::mem::take(&mut self.edges);
        let old_forced = std::mem::take(&mut self.forced);
        let old_amaf = std::mem::take(&mut self.amaf);
        let old_minimax = std::mem::take(&mut self.minimax);
        let has_minimax = !old_minimax.is_empty();
        // Nodes without results may be missing at the end of the list.
        let minimax = |at: usize| old_minimax.get(at).copied().unwrap_or_default();
        // The new root has no parent, so its forced moves and seat permutation no longer matter.
        let root = Node { parent: NONE, edge: NONE, forced: 0..0, ..old_nodes[top].clone() };
        self.nodes.push(root);
        self.minimax.extend(has_minimax.then(|| minimax(top)));
        let mut at = ROOT;
        while at < self.nodes.len() {
            let old = self.nodes[at].edges.start as usize..self.nodes[at].edges.end as usize;
            let start = self.edges.len();
            self.edges.extend_from_slice(&old_edges[old.clone()]);
            if !old_amaf.is_empty() {
                self.amaf.extend_from_slice(&old_amaf[old]);
            }
            self.nodes[at].edges = start as u32..self.edges.len() as u32;
            for index in start..self.edges.len() {
                let old = self.edges[index].node as usize;
                let Some(child) = old_nodes.get(old) else { continue };
                self.minimax.extend(has_minimax.then(|| minimax(old)));
                let forced = child.forced.start as usize..child.forced.end as usize;
                let first = self.forced.len() as u32;
                self.forced.extend_from_slice(&old_forced[forced]);
                self.edges[index].node = self.nodes.len() as u32;
                self.nodes.push(Node {
                    parent: at as u32,
                    edge: index as u32,
                    forced: first..self.forced.len() as u32,
                    ..child.clone()
                });
            }
            at += 1;
        }
    }
}
