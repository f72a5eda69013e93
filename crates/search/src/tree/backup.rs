//! Backup of results along the path of a simulation, and solving of nodes.

use std::cmp::Ordering;

use game::{Game, Seat, SeatPermutation, Values};

use super::{ROOT, Tree};

impl<G: Game> Tree<G> {
    /// Backs the result of a simulation up from `at`, in the seat order of that node, to every node above, and marks
    /// nodes that it solves. From then on a solved node counts with its exact result.
    ///
    /// `playout` is the part of the playout below `at`.
    pub(super) fn backup(
        &mut self,
        mut at: usize,
        mut result: Values,
        amaf: bool,
        playout: &[(Seat, G::Move)],
    ) {
        let mut below_solved = true;
        if amaf {
            self.amaf_moves.clear();
            for &(seat, m) in playout.iter().rev() {
                self.amaf_moves.insert(m, seat);
            }
        }
        loop {
            if amaf {
                self.backup_amaf(at, &result);
            }
            let solution = if below_solved && !self.nodes[at].solved { self.solve(at) } else { None };
            let node = &mut self.nodes[at];
            node.pending -= 1;
            node.add(&result);
            if let Some(values) = solution {
                node.mark_solved(values);
                result = values;
            }
            below_solved = node.solved;
            if at == ROOT {
                return;
            }
            result = node.permutation.to_parent(result);
            if amaf {
                let permutation = node.permutation;
                if permutation != SeatPermutation::default() {
                    self.amaf_moves.map_seats(|seat| permutation.origin(seat));
                }
                let node = &self.nodes[at];
                let mover = self.nodes[node.parent as usize].mover;
                self.amaf_moves.insert(self.edges[node.edge as usize].m, mover);
            }
            at = self.nodes[at].parent as usize;
        }
    }

    /// Sets the minimax values of `at` to `values`, and those of every node above to the best of its visited children's for
    /// its mover.
    pub(super) fn update_minimax(&mut self, mut at: usize, values: Values) {
        self.minimax.resize(self.nodes.len(), Values::default());
        self.minimax[at] = values;
        while at != ROOT {
            // The path to `at` counts as visited, although the result is not backed up yet.
            let changed = at;
            at = self.nodes[at].parent as usize;
            let mover = self.nodes[at].mover;
            let mut best: Option<Values> = None;
            for edge in &self.edges[self.edges_of(at)] {
                let Some(child) = self.child(edge) else { continue };
                if child.visits == 0 && edge.node as usize != changed {
                    continue;
                }
                let known = child.values().filter(|_| child.solved);
                let values = known.unwrap_or(self.minimax[edge.node as usize]);
                let values = child.permutation.to_parent(values);
                if best.is_none_or(|best| values.of(mover) > best.of(mover)) {
                    best = Some(values);
                }
            }
            self.minimax[at] = best.unwrap_or_default();
        }
    }

    /// Counts the result for every edge of `at` whose move the mover played here or later, before any other seat did.
    fn backup_amaf(&mut self, at: usize, result: &Values) {
        let mover = self.nodes[at].mover;
        let value = result.of(mover);
        let edges = self.edges_of(at);
        for (edge, amaf) in self.edges[edges.clone()].iter().zip(&mut self.amaf[edges]) {
            if self.amaf_moves.get(edge.m) == Some(mover) {
                amaf.visits += 1;
                amaf.total += value;
            }
        }
    }

    /// The exact result of a node, if its children determine it.
    fn solve(&self, at: usize) -> Option<Values> {
        let mover = self.nodes[at].mover;
        let edges = self.edges_of(at);
        let mut best: Option<Values> = None;
        let (mut all_solved, mut ambiguous) = (!edges.is_empty(), false);
        for edge in &self.edges[edges] {
            let Some(child) = self.child(edge).filter(|child| child.solved) else {
                all_solved = false;
                continue;
            };
            let values = child.permutation.to_parent(child.values()?);
            if values.of(mover) >= 1.0 {
                return Some(values);
            }
            match best.map_or(Ordering::Greater, |best| values.of(mover).total_cmp(&best.of(mover))) {
                Ordering::Greater => (best, ambiguous) = (Some(values), false),
                // With three or four seats, children that are equal for the mover may differ for the others.
                Ordering::Equal => ambiguous |= best != Some(values),
                Ordering::Less => {}
            }
        }
        best.filter(|_| all_solved && !ambiguous)
    }
}
