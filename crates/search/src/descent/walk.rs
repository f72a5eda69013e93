//! One iteration: down by the best moves, open, and up again.

use std::time::Instant;

use game::{Game, Places};

use super::{
    DescentMode, DescentOptions,
    bounds::Bounds,
    table::{Edge, Id, Name, Table},
};
use crate::{Guide, Leaf, Limits, Stop};

/// The root is the first node of the table.
pub(super) const ROOT: Id = 0;

/// When a search has to end.
pub(super) struct Orders<'a> {
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a Stop,
    pub(super) start: Instant,
}

impl Orders<'_> {
    fn is_interrupted(&self) -> bool {
        // The clock is not read if nobody limits it.
        self.stop.is_raised() || self.limits.time.is_some_and(|most| self.start.elapsed() >= most)
    }
}

/// A search under way.
pub(super) struct Walk<'a, G: Game, E> {
    pub(super) root: &'a G,
    pub(super) table: &'a mut Table<G::Move>,
    guide: &'a mut E,
    pub(super) options: &'a DescentOptions,
    pub(super) orders: Orders<'a>,
    /// Positions seen for the first time by this search.
    pub(super) spent: u64,
    pub(super) iterations: u64,
    pub(super) expansions: u64,
    /// Moves that led to a position known already.
    pub(super) transpositions: u64,
    /// Decisions between the root and the deepest position opened.
    pub(super) depth: usize,
    /// The nodes on the way down, each with the edge taken.
    path: Vec<(Id, usize)>,
    /// The number of this iteration, by which nodes on the path are known.
    stamp: u64,
    /// Scratch space.
    leaves: Vec<Leaf<G>>,
    waiting: Vec<Id>,
    moves: Vec<G::Move>,
}

/// What came of trying to open a node.
enum Opening {
    /// Nothing was due.
    NotDue,
    Opened,
    /// No budget, time or room is left.
    Refused,
}

impl<'a, G: Game, E: Guide<G>> Walk<'a, G, E> {
    pub(super) fn new(
        root: &'a G,
        table: &'a mut Table<G::Move>,
        guide: &'a mut E,
        options: &'a DescentOptions,
        orders: Orders<'a>,
    ) -> Self {
        Self {
            root,
            table,
            guide,
            options,
            orders,
            spent: 0,
            iterations: 0,
            expansions: 0,
            transpositions: 0,
            depth: 0,
            path: Vec::new(),
            stamp: 0,
            leaves: Vec::new(),
            waiting: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Goes down and up once. Returns whether it is worth going on.
    pub(super) fn iterate(&mut self) -> bool {
        if self.table.node(ROOT).resolved {
            return false;
        }
        let expansions = self.expansions;
        let mut position = self.root.clone();
        let mut at = ROOT;
        let mut refused = false;
        self.stamp += 1;
        self.path.clear();
        loop {
            self.table.node_mut(at).iteration = self.stamp;
            match self.open_if_due(at, &position) {
                Opening::Refused => {
                    refused = true;
                    break;
                }
                Opening::Opened if self.options.mode == DescentMode::BestFirst => break,
                Opening::Opened => {
                    self.refresh(at);
                }
                Opening::NotDue => {}
            }
            if self.table.node(at).resolved {
                break;
            }
            // None: all that matters is resolved by now, by other ways, or would lead back onto this one.
            let Some(index) = self.select(at) else { break };
            self.path.push((at, index));
            at = self.follow(at, index, &mut position);
        }
        self.depth = self.depth.max(self.path.len());
        let expanded = self.expansions > expansions;
        let counts = expanded || !refused;
        let mut progress = self.refresh(at) || expanded;
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
        !refused && progress && !self.table.node(ROOT).resolved
    }

    /// Plays an edge and the single legal moves after it.
    fn follow(&self, at: Id, index: usize, position: &mut G) -> Id {
        let edge = &self.table.node(at).edges[index];
        debug_assert!(position.is_legal(edge.m), "{:?} was opened in another position: {position:?}", edge.m);
        position.play_unchecked(edge.m, &mut ());
        for &m in &edge.forced {
            position.play_unchecked(m, &mut ());
        }
        edge.child
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
            let seat = edge.places.of(mover);
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

    /// Opens a node that has no edges, or too few for its visits.
    fn open_if_due(&mut self, at: Id, position: &G) -> Opening {
        let node = self.table.node(at);
        if node.resolved || (node.expanded && node.unopened.is_empty()) {
            return Opening::NotDue;
        }
        let open = |visits| {
            self.options.widen.map_or(usize::MAX, |widening| widening.considered(visits, usize::MAX))
        };
        let allowed = open(node.visits as f32);
        let mut due = allowed.saturating_sub(node.edges.len());
        if due == 0 && self.select(at).is_none() {
            // All that was opened is resolved: the answer must be among the others.
            due = open(1.0);
        }
        if due == 0 {
            return Opening::NotDue;
        }
        if node.unopened.is_empty() {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            self.table.node_mut(at).unopened = moves;
        }
        let due = due.min(self.table.node(at).unopened.len());
        let room = self.room();
        let count = if at == ROOT { due.min(room) } else { due };
        if count == 0 || count > room || self.orders.is_interrupted() {
            return Opening::Refused;
        }
        self.open(at, position, count);
        Opening::Opened
    }

    /// How many positions may still be added.
    fn room(&self) -> usize {
        let budget = usize::try_from(self.orders.limits.nodes - self.spent).unwrap_or(usize::MAX);
        budget.min(self.options.capacity.saturating_sub(self.table.nodes.len()))
    }

    /// Opens the next `count` moves of a node and has the new positions judged together.
    fn open(&mut self, at: Id, position: &G, count: usize) {
        self.expansions += 1;
        let opened: Vec<G::Move> = self.table.node_mut(at).unopened.drain(..count).collect();
        let mut edges = std::mem::take(&mut self.table.node_mut(at).edges);
        edges.reserve_exact(opened.len());
        edges.extend(opened.into_iter().map(|m| self.link(position, m)));
        let node = self.table.node_mut(at);
        node.edges = edges;
        node.expanded = true;
        self.guide.judge(&mut self.leaves);
        for (id, leaf) in self.waiting.drain(..).zip(self.leaves.drain(..)) {
            let node = self.table.node_mut(id);
            node.values = leaf.values;
            if self.options.widen.is_some() {
                node.unopened = in_order(&leaf);
            }
        }
    }

    /// The edge of a move; a position not known yet waits for judgement.
    fn link(&mut self, position: &G, m: G::Move) -> Edge<G::Move> {
        let (mut child, mut places) = (position.clone(), Places::default());
        let mut forced = Vec::new();
        places.follow(&child, m);
        child.play_unchecked(m, &mut ());
        child.legal_moves(&mut self.moves);
        while let [only] = self.moves[..] {
            forced.push(only);
            places.follow(&child, only);
            child.play_unchecked(only, &mut ());
            child.legal_moves(&mut self.moves);
        }
        let name = Name::of(&child, &self.moves);
        let id = if let Some(id) = self.table.find(name) {
            self.transpositions += 1;
            id
        } else {
            self.spent += 1;
            let id = self.table.add(name, child.to_move());
            if let Some(outcome) = child.outcome() {
                let node = self.table.node_mut(id);
                node.values = outcome.values();
                node.bounds = Bounds::certain(node.values);
                node.resolved = true;
            } else {
                self.waiting.push(id);
                self.leaves.push(Leaf::new(child, self.moves.clone()));
            }
            id
        };
        Edge { m, child: id, forced: forced.into(), places, visits: 0 }
    }

    /// Computes a node again from what is known of its children. Returns whether it has become resolved by that.
    fn refresh(&mut self, at: Id) -> bool {
        let table = &*self.table;
        let node = table.node(at);
        let Some(best) = best_edge(table, at).filter(|_| !node.resolved) else { return false };
        let unopened = !node.unopened.is_empty();
        let (mover, seats) = (node.mover, self.root.seats());
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
        let (child, seat) = (table.node(edge.child), edge.places.of(node.mover));
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

/// The moves of a leaf, the promising ones first; in an arbitrary but repeatable order without an opinion.
fn in_order<G: Game>(leaf: &Leaf<G>) -> Vec<G::Move> {
    let mut order: Vec<usize> = (0..leaf.moves.len()).collect();
    if leaf.logits.is_empty() {
        let key = leaf.position.key();
        order.sort_by_key(|&index| (key ^ index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32));
    } else {
        order.sort_by(|&one, &other| leaf.logits[other].total_cmp(&leaf.logits[one]));
    }
    order.into_iter().map(|index| leaf.moves[index]).collect()
}
