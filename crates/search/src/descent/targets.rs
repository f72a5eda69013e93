//! What a search found out about every position it opened, to learn from.

use game::{Game, Values};

use super::{Descent, DescentSearch, iterate::ROOT};

/// A position and what the search below it says it is worth.
#[derive(Clone, Debug)]
pub struct Target<G> {
    /// The position: under way, with a choice.
    pub position: G,
    /// What each seat can expect, backed up from below: a better estimate than the evaluator's.
    pub values: Values,
    /// Whether `values` are certain.
    pub solved: bool,
    /// Iterations that went on from here.
    pub visits: u64,
}

impl<G: Game> Descent<G> {
    /// As [`DescentSearch::targets`].
    pub fn targets(&self) -> Vec<Target<G>> {
        self.search.targets()
    }
}

impl<G: Game> DescentSearch<G> {
    /// Every position below the last root that was opened, the root first, each once however often it can be reached.
    ///
    /// A position that was opened for an earlier decision and is still below the root is among them, with the values
    /// it has now. Positions are replayed from the root, so this is not free.
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
        // A root that could not be opened has nothing to say.
        found.retain(|&(id, _)| self.table.node(id).expanded);
        let target = |(id, position): (_, G)| {
            let node = self.table.node(id);
            let solved = node.bounds.is_certain(position.seats());
            Target { position, values: node.values, solved, visits: node.visits.into() }
        };
        found.into_iter().map(target).collect()
    }
}
