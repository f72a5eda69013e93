//! Results on their way up: counting, solving.

use std::cmp::Ordering;

use game::{Game, Places, Seat, Values};

use super::{ROOT, Tree};

impl<G: Game> Tree<G> {
    /// Credits the result of a simulation that ended in `at`, told by the seats there, to every node above, and marks
    /// those that are solved by it. What is certain of a node is its result from then on.
    ///
    /// `sample` is the game that gave the result, as far as it was played below `at`.
    pub(super) fn credit(
        &mut self,
        mut at: usize,
        mut result: Values,
        amaf: bool,
        sample: &[(Seat, G::Move)],
    ) {
        let mut below_solved = true;
        if amaf {
            self.firsts.clear();
            for &(seat, m) in sample.iter().rev() {
                self.firsts.put(m, seat);
            }
        }
        loop {
            if amaf {
                self.credit_firsts(at, &result);
            }
            let settled = if below_solved && !self.nodes[at].solved { self.solve(at) } else { None };
            let node = &mut self.nodes[at];
            node.pending -= 1;
            node.add(&result);
            if let Some(values) = settled {
                node.settle(values);
                result = values;
            }
            below_solved = node.solved;
            if at == ROOT {
                return;
            }
            result = node.places.told_before(result);
            if amaf {
                let places = node.places;
                if places != Places::default() {
                    self.firsts.rename(|seat| seat_before(places, seat));
                }
                let node = &self.nodes[at];
                let mover = self.nodes[node.parent as usize].mover;
                self.firsts.put(self.edges[node.edge as usize].m, mover);
            }
            at = self.nodes[at].parent as usize;
        }
    }

    /// Counts the result for every edge of `at` whose move its mover played here or later on, and before anybody else.
    fn credit_firsts(&mut self, at: usize, result: &Values) {
        let mover = self.nodes[at].mover;
        let value = result.of(mover);
        let edges = self.edges_of(at);
        for (edge, amaf) in self.edges[edges.clone()].iter().zip(&mut self.amaf[edges]) {
            if self.firsts.get(edge.m) == Some(mover) {
                amaf.visits += 1;
                amaf.total += value;
            }
        }
    }

    /// The certain result of a node, if its children allow to tell.
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
            let values = child.places.told_before(child.values()?);
            if values.of(mover) >= 1.0 {
                return Some(values);
            }
            match best.map_or(Ordering::Greater, |best| values.of(mover).total_cmp(&best.of(mover))) {
                Ordering::Greater => (best, ambiguous) = (Some(values), false),
                // With three or four seats, what is all the same to the mover need not be so to the others.
                Ordering::Equal => ambiguous |= best != Some(values),
                Ordering::Less => {}
            }
        }
        best.filter(|_| all_solved && !ambiguous)
    }
}

/// The seat before the moves of `places` whose participant sits in `seat` after them.
fn seat_before(places: Places, seat: Seat) -> Seat {
    Seat::all(game::MAX_SEATS).find(|&before| places.of(before) == seat).unwrap_or(seat)
}
