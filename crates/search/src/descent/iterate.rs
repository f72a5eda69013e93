//! One iteration of descent: selection along the best moves, expansion and backup.
//!
//! Expanding a node may take several batches of requests, so an iteration is a state machine that
//! [`advance`](DescentSearch::advance) drives.

use game::{Evaluation, Game, SeatPermutation};

use super::{
    DescentMode, DescentSearch,
    bounds::Bounds,
    table::{Edge, Id, PositionKey, Table},
};
use crate::{Search, Step, Stop};

/// The root is the first node of the table.
pub(super) const ROOT: Id = 0;

/// The state of an iteration.
#[derive(Clone, Debug)]
pub(super) enum Phase<M> {
    /// Asking for the policy of the root.
    Root,
    /// Between two iterations.
    Between,
    /// Selecting moves on the way down.
    Descending,
    /// Expanding the current node.
    Expanding {
        /// The moves that are not expanded yet, in reverse order.
        left: Vec<M>,
        /// Whether some moves are expanded already, so that the search may end here.
        is_begun: bool,
    },
    /// The search is over.
    Done,
}

/// A new position that awaits its evaluation.
#[derive(Clone, Debug)]
pub(super) struct Waiting<G: Game> {
    pub(super) position: G,
    pub(super) moves: Vec<G::Move>,
    id: Id,
}

/// Whether and how to expand a node on the way down.
enum Expansion<M> {
    Nothing,
    /// Expand these moves, in reverse order.
    Moves(Vec<M>),
    /// There are moves to expand, but no budget, time or capacity is left.
    Refused,
}

impl<G: Game> DescentSearch<G> {
    /// Advances to the next requests, to the end of an iteration that warrants a progress report, or to the end of the
    /// search.
    pub(super) fn advance(&mut self, stop: &Stop) -> Step {
        loop {
            match std::mem::replace(&mut self.phase, Phase::Done) {
                Phase::Done => return Step::Done,
                Phase::Root => {
                    self.request_root();
                    self.phase = Phase::Root;
                    return Step::Evaluate;
                }
                Phase::Between => self.start_iteration(),
                Phase::Descending => self.descend(stop),
                Phase::Expanding { left, is_begun } => {
                    if self.expand(left, is_begun, stop) {
                        return Step::Evaluate;
                    }
                }
            }
            let has_progress = matches!(self.phase, Phase::Between)
                && self.iterations.is_power_of_two()
                && self.reported_iterations < self.iterations;
            if has_progress {
                self.reported_iterations = self.iterations;
                return Step::Progress;
            }
        }
    }

    /// Makes the root the only waiting position.
    fn request_root(&mut self) {
        let root = self.root.clone().expect("a search has a root");
        let waiting = Waiting { position: root, moves: self.moves.clone(), id: ROOT };
        match self.requests.first_mut() {
            Some(first) => *first = waiting,
            None => self.requests.push(waiting),
        }
        self.waiting = 1;
    }

    /// Stores the policy of the root.
    fn apply_root(&mut self, logits: &[f32]) {
        self.phase = Phase::Between;
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
        self.priors.extend(logits.iter().map(|logit| (logit - most).exp() / sum));
        // A root that an earlier search knows keeps its order.
        let root = self.table.node(ROOT);
        if self.options.widen.is_some() && !root.expanded && root.unexpanded.is_empty() {
            self.table.set_unexpanded(ROOT, in_order(&self.requests[0], logits));
        }
    }

    /// Starts an iteration at the root, unless the root is resolved.
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
        self.phase = Phase::Descending;
    }

    /// Descends from the current node until moves need to be expanded or the iteration ends.
    fn descend(&mut self, stop: &Stop) {
        loop {
            self.table.node_mut(self.at).iteration = self.stamp;
            match self.next_expansion(stop) {
                Expansion::Refused => return self.finish_iteration(true),
                Expansion::Moves(moves) => {
                    let node = self.table.node_mut(self.at);
                    node.edges.reserve_exact(moves.len());
                    node.expanded = true;
                    self.expansions += 1;
                    self.phase = Phase::Expanding { left: moves, is_begun: false };
                    return;
                }
                Expansion::Nothing => {}
            }
            if !self.descend_to_best() {
                return self.finish_iteration(false);
            }
        }
    }

    /// Moves to the best child of the current node. Returns `false` if there is none: all relevant children are
    /// resolved through other paths, or would lead back onto this path.
    fn descend_to_best(&mut self) -> bool {
        if self.table.node(self.at).resolved {
            return false;
        }
        let Some(index) = self.select(self.at) else { return false };
        self.path.push((self.at, index));
        let edge = &self.table.node(self.at).edges[index];
        let position = self.position.as_mut().expect("an iteration has a position");
        debug_assert!(
            position.is_legal(edge.m),
            "{:?} was expanded in another position: {position:?}",
            edge.m
        );
        position.play_unchecked(edge.m, &mut ());
        for &m in &edge.forced {
            position.play_unchecked(m, &mut ());
        }
        self.at = edge.child;
        true
    }

    /// Backs values up from the current node to the root.
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
        // If nothing was added or proven, the next iteration would follow the same path.
        let goes_on = !refused && progress && !self.table.node(ROOT).resolved;
        self.phase = if goes_on { Phase::Between } else { Phase::Done };
    }

    /// Selects an edge to descend along: the best for the mover by completion and value, then the less visited one.
    ///
    /// Skips edges that are resolved, provably worse than another move, or lead back onto the path.
    fn select(&self, at: Id) -> Option<usize> {
        let node = self.table.node(at);
        let mover = node.mover;
        let mut best: Option<((i8, f32, u32), usize)> = None;
        for (index, edge) in node.edges.iter().enumerate() {
            let child = self.table.node(edge.child);
            let seat = edge.permutation.of(mover);
            if child.resolved
                || child.iteration == self.stamp
                || child.bounds.upper.of(seat) < node.bounds.lower.of(mover)
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

    /// The moves of the current node to expand: all if it has no edges, or as many as progressive widening allows.
    fn next_expansion(&mut self, stop: &Stop) -> Expansion<G::Move> {
        let node = self.table.node(self.at);
        if node.resolved || (node.expanded && node.unexpanded.is_empty()) {
            return Expansion::Nothing;
        }
        let open = |visits| {
            self.options.widen.map_or(usize::MAX, |widening| widening.considered(visits, usize::MAX))
        };
        let allowed = open(node.visits as f32);
        let mut due = allowed.saturating_sub(node.edges.len());
        if due == 0 && self.select(self.at).is_none() {
            // All expanded moves are resolved, so the value depends on the others.
            due = open(1.0);
        }
        if due == 0 {
            return Expansion::Nothing;
        }
        if node.unexpanded.is_empty() {
            let mut moves = Vec::new();
            let position = self.position.as_ref().expect("an iteration has a position");
            position.legal_moves(&mut moves);
            self.table.set_unexpanded(self.at, moves);
        }
        let due = due.min(self.table.node(self.at).unexpanded.len());
        let in_table = self.table.room(self.options.max_bytes);
        let room = in_table.min(usize::try_from(self.limits.nodes - self.spent).unwrap_or(usize::MAX));
        let count = if self.at == ROOT { due.min(room) } else { due };
        if count == 0 || count > room || self.is_interrupted(stop) {
            self.is_full = in_table < due;
            return Expansion::Refused;
        }
        let mut moves = self.table.take_unexpanded(self.at, count);
        moves.reverse();
        Expansion::Moves(moves)
    }

    /// Expands the moves of `left` until a batch of new positions awaits evaluation. Returns `false` if no moves are
    /// left or the search has to end; a later search expands the remaining moves.
    fn expand(&mut self, mut left: Vec<G::Move>, is_begun: bool, stop: &Stop) -> bool {
        if is_begun && !left.is_empty() && self.is_interrupted(stop) {
            self.postpone(left);
            return false;
        }
        self.before_batch = (self.table.nodes.len(), self.table.node(self.at).edges.len());
        while self.waiting < self.options.batch.max(1) {
            let Some(m) = left.pop() else { break };
            let edge = self.link(m);
            self.table.push_edge(self.at, edge);
        }
        if self.waiting > 0 {
            self.phase = Phase::Expanding { left, is_begun: true };
            return true;
        }
        // All moves are expanded and evaluated.
        if self.options.mode == DescentMode::BestFirst {
            self.finish_iteration(false);
        } else {
            self.refresh(self.at);
            if self.descend_to_best() {
                self.phase = Phase::Descending;
            } else {
                self.finish_iteration(false);
            }
        }
        false
    }

    /// Ends the search in the middle of an expansion. A later search expands the moves of `left`, which are in reverse
    /// order.
    fn postpone(&mut self, mut left: Vec<G::Move>) {
        left.reverse();
        left.extend(self.table.take_unexpanded(self.at, usize::MAX));
        self.table.set_unexpanded(self.at, left);
        self.finish_iteration(true);
    }

    /// Drops the waiting positions, if there are any, with everything else that was added since the last batch, and ends
    /// the search.
    pub(super) fn withdraw(&mut self) {
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        let waiting = std::mem::take(&mut self.waiting);
        let Phase::Expanding { mut left, .. } = phase else {
            debug_assert!(waiting == 0 || matches!(phase, Phase::Root), "only expansions await values");
            return;
        };
        let (nodes, edges) = self.before_batch;
        self.spent -= (self.table.nodes.len() - nodes) as u64;
        while self.table.node(self.at).edges.len() > edges {
            left.extend(self.table.pop_edge(self.at).map(|edge| edge.m));
        }
        if edges == 0 {
            self.table.node_mut(self.at).expanded = false;
            self.expansions -= 1;
        }
        self.table.truncate(nodes);
        self.postpone(left);
    }

    /// Creates the edge of a move of the current node. A new position is added to the requests.
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
        let key = PositionKey::of(child, moves);
        let found = if let Some(found) = self.table.find(key) {
            self.transpositions += 1;
            found
        } else {
            self.spent += 1;
            let new = self.table.add(key, child.to_move());
            if let Some(outcome) = child.outcome() {
                let node = self.table.node_mut(new);
                node.values = outcome.values();
                node.bounds = Bounds::exact(node.values);
                node.resolved = true;
            } else {
                *id = new;
                self.waiting += 1;
            }
            new
        };
        Edge { m, child: found, forced: forced.into(), permutation, visits: 0 }
    }

    /// Stores the values of the waiting positions and, with progressive widening, the order of their moves.
    pub(super) fn apply(&mut self, evaluations: &[Evaluation<G::Move>]) {
        let waiting = std::mem::take(&mut self.waiting);
        if matches!(self.phase, Phase::Root) {
            return self.apply_root(&evaluations[0].logits);
        }
        for (request, evaluation) in self.requests[..waiting].iter().zip(evaluations) {
            self.table.node_mut(request.id).values = evaluation.values;
            if self.options.widen.is_some() {
                self.table.set_unexpanded(request.id, in_order(request, &evaluation.logits));
            }
        }
    }

    /// Recomputes a node from its children. Returns whether this resolves it.
    fn refresh(&mut self, at: Id) -> bool {
        let table = &self.table;
        let node = table.node(at);
        let Some(best) = best_edge(table, at).filter(|_| !node.resolved) else { return false };
        let unexpanded = !node.unexpanded.is_empty();
        let (mover, seats) = (node.mover, self.seats);
        let choices = node.edges.iter().map(|edge| table.bounds_after(edge));
        let bounds = Bounds::of_choice(mover, seats, choices.clone(), unexpanded);
        let matters = |choice: &Bounds| choice.upper.of(mover) >= bounds.lower.of(mover);
        let known = node.edges.iter().zip(choices);
        let resolved = bounds.is_exact(seats)
            || !unexpanded
                && known
                    .filter(|(_, choice)| matters(choice))
                    .all(|(edge, _)| table.node(edge.child).resolved);
        let values = bounds.clamp(table.values_after(&node.edges[best]));
        let node = self.table.node_mut(at);
        (node.bounds, node.values, node.resolved) = (bounds, values, resolved);
        resolved
    }
}

/// The best edge for the mover by completion and value, then the more visited one.
pub(super) fn best_edge<M: Copy>(table: &Table<M>, at: Id) -> Option<usize> {
    let node = table.node(at);
    let rank = |edge: &Edge<M>| {
        let (child, seat) = (table.node(edge.child), edge.permutation.of(node.mover));
        (child.bounds.completion(seat), child.values.of(seat), edge.visits)
    };
    let ranked = node.edges.iter().map(rank).enumerate();
    // The first of equal edges, as in the selection.
    ranked
        .rev()
        .max_by(|(_, one), (_, other)| {
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.cmp(&other.2))
        })
        .map(|(index, _)| index)
}

/// The moves of a position, most promising first; without a policy, in an arbitrary but reproducible order.
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
