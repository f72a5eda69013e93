//! Training targets: the backed-up values of all expanded positions.

use game::{Game, Values};

use super::{Descent, DescentSearch, iterate::ROOT};

/// A position with its backed-up values.
#[derive(Clone, Debug)]
pub struct Target<G> {
    /// The position, which has at least two legal moves.
    pub position: G,
    /// The backed-up value for each seat, a better estimate than the evaluator's.
    pub values: Values,
    /// Whether `values` are proven.
    pub solved: bool,
    /// Iterations through this position.
    pub visits: u64,
}

impl<G: Game> Descent<G> {
    /// See [`DescentSearch::targets`].
    pub fn targets(&self) -> Vec<Target<G>> {
        self.search.targets()
    }
}

impl<G: Game> DescentSearch<G> {
    /// Every expanded position below the last root, each once, starting with the root.
    ///
    /// This includes positions that were expanded by an earlier decision and are still below the root, with their
    /// current values. Positions are replayed from the root, which takes time.
    pub fn targets(&self) -> Vec<Target<G>> {
        let Some(root) = self.root.clone() else { return Vec::new() };
        let mut seen = vec![false; self.table.nodes.len()];
        seen[ROOT as usize] = true;
        let mut found = vec![(ROOT, root)];
        let mut next = 0;
        while next < found.len() {
            let (at, position) = found[next].clone();
            for edge in &self.table.node(at).edges {
                let known = std::mem::replace(&mut seen[edge.child as usize], true);
                if known || !self.table.node(edge.child).expanded {
                    continue;
                }
                let mut child = position.clone();
                child.play_unchecked(edge.m, &mut ());
                for &m in &edge.forced {
                    child.play_unchecked(m, &mut ());
                }
                found.push((edge.child, child));
            }
            next += 1;
        }
        // The root is not expanded if there was no budget.
        found.retain(|&(id, _)| self.table.node(id).expanded);
        let target = |(id, position): (_, G)| {
            let node = self.table.node(id);
            let solved = node.bounds.is_exact(position.seats());
            Target { position, values: node.values, solved, visits: node.visits.into() }
        };
        found.into_iter().map(target).collect()
    }
}
