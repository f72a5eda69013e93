//! One iteration: down by the best moves, open, and up again.
//!
//! Opening a node may take several batches of requests, so an iteration is a state that [`advance`](DescentSearch::advance)
//! moves on: on the way down, opening a node, or over.

use game::{Evaluation, Game, SeatPermutation};

use super::{
    DescentMode, DescentSearch,
    bounds::Bounds,
    table::{Edge, Id, Name, Table},
};
use crate::{Step, Stop};

/// The root is the first node of the table.
pub(super) const ROOT: Id = 0;

/// Where an iteration stands.
#[derive(Clone, Debug)]
pub(super) enum Phase<M> {
    /// No iteration is under way.
    Between,
    /// On the way down.
    Down,
    /// Opening moves of the node.
    Opening {
        /// The moves that are not opened yet, the next one last.
        left: Vec<M>,
        /// Whether some are, so that the search may end here.
        is_begun: bool,
    },
    /// The search is over.
    Over,
}

/// A new position that waits for its values.
#[derive(Clone, Debug)]
pub(super) struct Waiting<G: Game> {
    pub(super) position: G,
    pub(super) moves: Vec<G::Move>,
    id: Id,
}

/// What is due at a node on the way down.
enum Due<M> {
    Nothing,
    /// These moves are to be opened, the next one last.
    Open(Vec<M>),
    /// Moves are to be opened, but no budget, time or room is left.
    Refused,
}

impl<G: Game> DescentSearch<G> {
    /// Advances to the next requests, to the end of an iteration that is worth a report, or to the end of the search.
    pub(super) fn advance(&mut self, stop: &Stop) -> Step {
        loop {
            match std::mem::replace(&mut self.phase, Phase::Over) {
                Phase::Over => return Step::Done,
                Phase::Between => self.start_iteration(),
                Phase::Down => self.go_down(stop),
                Phase::Opening { left, is_begun } => {
                    if self.open(left, is_begun, stop) {
                        return Step::Evaluate;
                    }
                }
            }
            let is_worth_telling = matches!(self.phase, Phase::Between)
                && self.iterations.is_power_of_two()
                && self.told < self.iterations;
            if is_worth_telling {
                self.told = self.iterations;
                return Step::Progress;
            }
        }
    }

    /// Starts at the root, unless there is nothing left to find out.
    fn start_iteration(&mut self) {
        let Some(root) = &self.root else { return };
        if self.table.node(ROOT).resolved {
            return;
        }
        match &mut self.position {
            Some(position) => position.clone_from(root),
            None => self.position = Some(root.clone()),
        }
        self.at = ROOT;
        self.expansions_before = self.expansions;
        self.stamp += 1;
        self.path.clear();
        self.phase = Phase::Down;
    }

    /// Goes down from the present node until moves are to be opened or the iteration ends.
    fn go_down(&mut self, stop: &Stop) {
        loop {
            self.table.node_mut(self.at).iteration = self.stamp;
            match self.due(stop) {
                Due::Refused => return self.finish_iteration(true),
                Due::Open(moves) => {
                    let node = self.table.node_mut(self.at);
                    node.edges.reserve_exact(moves.len());
                    node.expanded = true;
                    self.expansions += 1;
                    self.phase = Phase::Opening { left: moves, is_begun: false };
                    return;
                }
                Due::Nothing => {}
            }
            if !self.follow_best() {
                return self.finish_iteration(false);
            }
        }
    }

    /// Goes on to the best child of the present node. `false` if there is none: all that matters is resolved by now, by
    /// other ways, or would lead back onto this one.
    fn follow_best(&mut self) -> bool {
        if self.table.node(self.at).resolved {
            return false;
        }
        let Some(index) = self.select(self.at) else { return false };
        self.path.push((self.at, index));
        let edge = &self.table.node(self.at).edges[index];
        let position = self.position.as_mut().expect("an iteration has a position");
        debug_assert!(position.is_legal(edge.m), "{:?} was opened in another position: {position:?}", edge.m);
        position.play_unchecked(edge.m, &mut ());
        for &m in &edge.forced {
            position.play_unchecked(m, &mut ());
        }
        self.at = edge.child;
        true
    }

    /// Brings everything above the present node up to date.
    fn finish_iteration(&mut self, refused: bool) {
        self.depth = self.depth.max(self.path.len());
        let expanded = self.expansions > self.expansions_before;
        let counts = expanded || !refused;
        let mut progress = self.refresh(self.at) || expanded;
        while let Some((above, index)) = self.path.pop() {
            if counts {
                let node = self.table.node_mut(above);
                node.visits += 1;
                node.edges[index].visits += 1;
            }
            progress |= self.refresh(above);
        }
        self.iterations += u64::from(counts);
        // Without new positions or new certainty the next iteration would go the same way.
        let goes_on = !refused && progress && !self.table.node(ROOT).resolved;
        self.phase = if goes_on { Phase::Between } else { Phase::Over };
    }

    /// The edge to go down by: best for the mover by completion and value, then the one taken less often.
    ///
    /// Left out is what is resolved, what is certainly worse than another move, and what leads back onto the path.
    fn select(&self, at: Id) -> Option<usize> {
        let node = self.table.node(at);
        let mover = node.mover;
        let mut best: Option<((i8, f32, u32), usize)> = None;
        for (index, edge) in node.edges.iter().enumerate() {
            let child = self.table.node(edge.child);
            let seat = edge.permutation.of(mover);
            if child.resolved
                || child.iteration == self.stamp
                || child.bounds.most.of(seat) < node.bounds.least.of(mover)
            {
                continue;
            }
            let rank = (child.bounds.completion(seat), child.values.of(seat), edge.visits);
            let better = best.is_none_or(|(other, _)| {
                (rank.0.cmp(&other.0).then(rank.1.total_cmp(&other.1)).then(other.2.cmp(&rank.2))).is_gt()
            });
            if better {
                best = Some((rank, index));
            }
        }
        best.map(|(_, index)| index)
    }

    /// Which moves of the present node are to be opened: all, if it has no edges, or as many as its visits allow.
    fn due(&mut self, stop: &Stop) -> Due<G::Move> {
        let node = self.table.node(self.at);
        if node.resolved || (node.expanded && node.unopened.is_empty()) {
            return Due::Nothing;
        }
        let open = |visits| {
            self.options.widen.map_or(usize::MAX, |widening| widening.considered(visits, usize::MAX))
        };
        let allowed = open(node.visits as f32);
        let mut due = allowed.saturating_sub(node.edges.len());
        if due == 0 && self.select(self.at).is_none() {
            // All that was opened is resolved: the answer must be among the others.
            due = open(1.0);
        }
        if due == 0 {
            return Due::Nothing;
        }
        if node.unopened.is_empty() {
            let mut moves = Vec::new();
            let position = self.position.as_ref().expect("an iteration has a position");
            position.legal_moves(&mut moves);
            self.table.node_mut(self.at).unopened = moves;
        }
        let due = due.min(self.table.node(self.at).unopened.len());
        let room = self.room();
        let count = if self.at == ROOT { due.min(room) } else { due };
        if count == 0 || count > room || self.is_interrupted(stop) {
            return Due::Refused;
        }
        let mut moves: Vec<G::Move> = self.table.node_mut(self.at).unopened.drain(..count).collect();
        moves.reverse();
        Due::Open(moves)
    }

    /// How many positions may still be added.
    fn room(&self) -> usize {
        let budget = usize::try_from(self.limits.nodes - self.spent).unwrap_or(usize::MAX);
        budget.min(self.options.capacity.saturating_sub(self.table.nodes.len()))
    }

    fn is_interrupted(&self, stop: &Stop) -> bool {
        // The clock is not read if nobody limits it.
        stop.is_raised() || self.limits.time.is_some_and(|most| self.start.elapsed() >= most)
    }

    /// Opens the moves of `left` until a batch of new positions waits for values. `false` if none are left to open or
    /// the search has to end: moves that are not opened then are opened by a later search.
    fn open(&mut self, mut left: Vec<G::Move>, is_begun: bool, stop: &Stop) -> bool {
        if is_begun && !left.is_empty() && self.is_interrupted(stop) {
            let unopened = &mut self.table.node_mut(self.at).unopened;
            left.reverse();
            left.append(unopened);
            *unopened = left;
            self.finish_iteration(true);
            return false;
        }
        while self.waiting < self.options.batch.max(1) {
            let Some(m) = left.pop() else { break };
            let edge = self.link(m);
            self.table.node_mut(self.at).edges.push(edge);
        }
        if self.waiting > 0 {
            self.phase = Phase::Opening { left, is_begun: true };
            return true;
        }
        // Everything is opened and answered.
        if self.options.mode == DescentMode::BestFirst {
            self.finish_iteration(false);
        } else {
            self.refresh(self.at);
            if self.follow_best() {
                self.phase = Phase::Down;
            } else {
                self.finish_iteration(false);
            }
        }
        false
    }

    /// The edge of a move of the present node; a position not known yet waits for its values.
    fn link(&mut self, m: G::Move) -> Edge<G::Move> {
        let position = self.position.as_ref().expect("an iteration has a position");
        if self.waiting == self.requests.len() {
            self.requests.push(Waiting { position: position.clone(), moves: Vec::new(), id: ROOT });
        }
        let Waiting { position: child, moves, id } = &mut self.requests[self.waiting];
        let (mut forced, mut permutation) = (Vec::new(), SeatPermutation::default());
        child.clone_from(position);
        permutation.advance(child, m);
        child.play_unchecked(m, &mut ());
        child.legal_moves(moves);
        while let [only] = moves[..] {
            forced.push(only);
            permutation.advance(child, only);
            child.play_unchecked(only, &mut ());
            child.legal_moves(moves);
        }
        let name = Name::of(child, moves);
        let found = if let Some(found) = self.table.find(name) {
            self.transpositions += 1;
            found
        } else {
            self.spent += 1;
            let new = self.table.add(name, child.to_move());
            if let Some(outcome) = child.outcome() {
                let node = self.table.node_mut(new);
                node.values = outcome.values();
                node.bounds = Bounds::certain(node.values);
                node.resolved = true;
            } else {
                *id = new;
                self.waiting += 1;
            }
            new
        };
        Edge { m, child: found, forced: forced.into(), permutation, visits: 0 }
    }

    /// Gives the waiting positions their values and, if the order of moves matters, the order.
    pub(super) fn apply(&mut self, evaluations: &[Evaluation<G::Move>]) {
        let waiting = std::mem::take(&mut self.waiting);
        for (request, evaluation) in self.requests[..waiting].iter().zip(evaluations) {
            let node = self.table.node_mut(request.id);
            node.values = evaluation.values;
            if self.options.widen.is_some() {
                node.unopened = in_order(request, &evaluation.logits);
            }
        }
    }

    /// Computes a node again from what is known of its children. Returns whether it has become resolved by that.
    fn refresh(&mut self, at: Id) -> bool {
        let table = &self.table;
        let node = table.node(at);
        let Some(best) = best_edge(table, at).filter(|_| !node.resolved) else { return false };
        let unopened = !node.unopened.is_empty();
        let (mover, seats) = (node.mover, self.seats);
        let choices = node.edges.iter().map(|edge| table.bounds_after(edge));
        let bounds = Bounds::of_choice(mover, seats, choices.clone(), unopened);
        let matters = |choice: &Bounds| choice.most.of(mover) >= bounds.least.of(mover);
        let settled = node.edges.iter().zip(choices);
        let resolved = bounds.is_certain(seats)
            || !unopened
                && settled
                    .filter(|(_, choice)| matters(choice))
                    .all(|(edge, _)| table.node(edge.child).resolved);
        let values = bounds.correct(table.values_after(&node.edges[best]));
        let node = self.table.node_mut(at);
        (node.bounds, node.values, node.resolved) = (bounds, values, resolved);
        resolved
    }
}

/// The best edge for the mover by completion and value, then the one taken more often.
pub(super) fn best_edge<M: Copy>(table: &Table<M>, at: Id) -> Option<usize> {
    let node = table.node(at);
    let rank = |edge: &Edge<M>| {
        let (child, seat) = (table.node(edge.child), edge.permutation.of(node.mover));
        (child.bounds.completion(seat), child.values.of(seat), edge.visits)
    };
    let ranked = node.edges.iter().map(rank).enumerate();
    // The first of equals, as in the selection.
    ranked
        .rev()
        .max_by(|(_, one), (_, other)| {
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.cmp(&other.2))
        })
        .map(|(index, _)| index)
}

/// The moves of a position, the promising ones first; in an arbitrary but repeatable order without a policy.
fn in_order<G: Game>(request: &Waiting<G>, logits: &[f32]) -> Vec<G::Move> {
    let mut order: Vec<usize> = (0..request.moves.len()).collect();
    if logits.is_empty() {
        let key = request.position.key();
        order.sort_by_key(|&index| (key ^ index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32));
    } else {
        order.sort_by(|&one, &other| logits[other].total_cmp(&logits[one]));
    }
    order.into_iter().map(|index| request.moves[index]).collect()
}
