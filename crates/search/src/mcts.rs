//! Monte Carlo tree search with random play at the leaves.

use std::{cmp::Ordering, ops::Range, time::Instant};

use game::{Game, MAX_SEATS, Seat, Values, pick, play_out};
use rand::Rng;

use crate::{Agent, Candidate, Limits, Report, Stop};

/// UCT: goes down the tree by upper confidence bounds, plays a random game at its edge and credits every seat's
/// result along the way.
///
/// The node where a seat moves prefers what is good for that seat; nothing is negated on the way up. Positions
/// with a single legal move are passed through: they get no node and cost no simulation. What has been seen to its
/// end is solved: a win is taken at once, a loss is not visited again.
///
/// Kocsis & Szepesvári, *Bandit based Monte-Carlo Planning* (2006); Winands, Björnsson & Saito, *Monte-Carlo Tree
/// Search Solver* (2008).
#[derive(Clone, Debug)]
pub struct Mcts<R> {
    rng: R,
    exploration: f32,
}

impl<R: Rng> Mcts<R> {
    /// The weight of the unknown against the known, for values in [−1, 1].
    pub const EXPLORATION: f32 = 0.7;

    /// An agent that draws from `rng`.
    pub fn new(rng: R) -> Self {
        Self { rng, exploration: Self::EXPLORATION }
    }

    /// With another weight of the unknown.
    #[must_use]
    pub fn with_exploration(self, exploration: f32) -> Self {
        Self { exploration, ..self }
    }
}

impl<G: Game, R: Rng + Send> Agent<G> for Mcts<R> {
    /// Spends the budget exactly, unless the root has one legal move only, is solved before, or time runs out.
    fn think_aloud(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let mut tree = Tree::new(root, &mut self.rng);
        let in_time = || limits.time.is_none_or(|most| start.elapsed() < most);
        let mut simulations = 0;
        while simulations < limits.nodes
            && !tree.is_decided()
            && !stop.is_raised()
            // The clock is not read if nobody limits it.
            && in_time()
        {
            tree.simulate(root, self.exploration, &mut self.rng);
            simulations += 1;
        }
        tree.report(simulations, start)
    }
}

/// A decision that was reached, or that can be reached by one move from one that was.
struct Node<M> {
    /// The move that leads here.
    m: M,
    /// The single legal moves that follow it, as a part of [`Tree::forced`]. Known from the first visit on.
    forced: Range<u32>,
    /// The seat that decides here.
    mover: Seat,
    /// Where the children are in [`Tree::nodes`]; empty until the second visit.
    children: Range<u32>,
    visits: u32,
    /// Sum of the results of all visits.
    total: [f32; MAX_SEATS],
    /// The result of best play, once it is certain.
    solved: Option<Values>,
}

impl<M> Node<M> {
    fn new(m: M) -> Self {
        let total = [0.0; MAX_SEATS];
        Self { m, forced: 0..0, mover: Seat::FIRST, children: 0..0, visits: 0, total, solved: None }
    }

    /// What each seat can expect here; `None` before the first visit.
    fn values(&self) -> Option<Values> {
        let mean = || Values(self.total.map(|sum| sum / self.visits as f32));
        self.solved.or_else(|| (self.visits > 0).then(mean))
    }

    fn add(&mut self, result: &Values) {
        self.visits += 1;
        for (sum, value) in self.total.iter_mut().zip(result.0) {
            *sum += value;
        }
    }
}

/// All nodes in one vector, the root first, the children of a node side by side.
struct Tree<G: Game> {
    nodes: Vec<Node<G::Move>>,
    forced: Vec<G::Move>,
    /// Scratch space.
    moves: Vec<G::Move>,
    path: Vec<usize>,
}

const ROOT: usize = 0;

impl<G: Game> Tree<G> {
    fn new(root: &G, rng: &mut impl Rng) -> Self {
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        // The move that leads to the root is never looked at.
        let node = Node { mover: root.to_move(), ..Node::new(moves[0]) };
        let mut tree = Self { nodes: vec![node], forced: Vec::new(), moves, path: Vec::new() };
        tree.add_children(ROOT, rng);
        tree
    }

    /// Whether there is nothing left to find out about the root.
    fn is_decided(&self) -> bool {
        self.nodes[ROOT].children.len() == 1 || self.nodes[ROOT].solved.is_some()
    }

    fn simulate(&mut self, root: &G, exploration: f32, rng: &mut impl Rng) {
        let mut position = root.clone();
        let mut at = ROOT;
        self.path.clear();
        self.path.push(at);
        while !self.nodes[at].children.is_empty() && self.nodes[at].solved.is_none() {
            at = self.select(at, exploration);
            self.path.push(at);
            self.enter(at, &mut position);
        }
        if self.nodes[at].visits > 0 && self.nodes[at].solved.is_none() {
            position.legal_moves(&mut self.moves);
            self.add_children(at, rng);
            at = self.select(at, exploration);
            self.path.push(at);
            self.enter(at, &mut position);
        }
        let result = self.nodes[at].solved.unwrap_or_else(|| {
            play_out(&mut position, rng, &mut self.moves);
            position.outcome().map(|outcome| outcome.values()).unwrap_or_default()
        });
        self.back_up(&result);
    }

    /// Plays the move of a node and the single legal ones that follow it.
    fn enter(&mut self, at: usize, position: &mut G) {
        position.play_unchecked(self.nodes[at].m, &mut ());
        if self.nodes[at].visits > 0 {
            let forced = self.nodes[at].forced.start as usize..self.nodes[at].forced.end as usize;
            for &m in &self.forced[forced] {
                position.play_unchecked(m, &mut ());
            }
            return;
        }
        let start = self.forced.len() as u32;
        position.legal_moves(&mut self.moves);
        while let [only] = self.moves[..] {
            self.forced.push(only);
            position.play_unchecked(only, &mut ());
            position.legal_moves(&mut self.moves);
        }
        let node = &mut self.nodes[at];
        node.forced = start..self.forced.len() as u32;
        node.mover = position.to_move();
        node.solved = position.outcome().map(|outcome| outcome.values());
    }

    /// Gives a node one child per legal move, in random order: the budget may not reach all of them.
    fn add_children(&mut self, at: usize, rng: &mut impl Rng) {
        for last in (1..self.moves.len()).rev() {
            self.moves.swap(last, pick(rng, last + 1));
        }
        let start = self.nodes.len() as u32;
        self.nodes.extend(self.moves.iter().map(|&m| Node::new(m)));
        self.nodes[at].children = start..self.nodes.len() as u32;
    }

    fn children(&self, at: usize) -> impl Iterator<Item = (usize, &Node<G::Move>)> {
        let children = self.nodes[at].children.start as usize..self.nodes[at].children.end as usize;
        children.clone().zip(&self.nodes[children])
    }

    /// The child to visit next.
    fn select(&self, at: usize, exploration: f32) -> usize {
        let parent = &self.nodes[at];
        let mover = parent.mover;
        let log_visits = (parent.visits.max(1) as f32).ln();
        // A child never tried counts as one visit that went as well as its parent does on the whole: what went
        // better is looked at again before everything has been tried, which wide positions need.
        let untried =
            parent.values().map_or(0.0, |values| values.of(mover)) + exploration * log_visits.sqrt();
        let urgency = |child: &Node<G::Move>| match child.values() {
            Some(values) if child.solved.is_some() => {
                // Certain: nothing is left to explore, and a loss is only for want of anything else.
                if values.of(mover) > -1.0 { values.of(mover) } else { f32::NEG_INFINITY }
            }
            Some(values) => values.of(mover) + exploration * (log_visits / child.visits as f32).sqrt(),
            None => untried,
        };
        let mut best = (f32::NEG_INFINITY, parent.children.start as usize);
        for (index, child) in self.children(at) {
            let urgency = urgency(child);
            if urgency > best.0 {
                best = (urgency, index);
            }
        }
        best.1
    }

    /// Credits the result to every node of the path, and marks those that are solved by it.
    fn back_up(&mut self, result: &Values) {
        let mut below_solved = true;
        for step in (0..self.path.len()).rev() {
            let at = self.path[step];
            self.nodes[at].add(result);
            if below_solved && self.nodes[at].solved.is_none() {
                self.nodes[at].solved = self.solve(at);
            }
            below_solved = self.nodes[at].solved.is_some();
        }
    }

    /// The certain result of a node, if its children allow to tell.
    fn solve(&self, at: usize) -> Option<Values> {
        let mover = self.nodes[at].mover;
        let mut best: Option<Values> = None;
        let (mut all_solved, mut ambiguous) = (!self.nodes[at].children.is_empty(), false);
        for (_, child) in self.children(at) {
            let Some(values) = child.solved else {
                all_solved = false;
                continue;
            };
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

    fn report(&self, simulations: u64, start: Instant) -> Report<G::Move> {
        let mover = self.nodes[ROOT].mover;
        let candidate = |(_, child): (usize, &Node<G::Move>)| Candidate {
            visits: child.visits.into(),
            share: if simulations > 0 { child.visits as f32 / simulations as f32 } else { 0.0 },
            values: child.values(),
            solved: child.solved.is_some(),
            ..Candidate::new(child.m)
        };
        let mut candidates: Vec<_> = self.children(ROOT).map(candidate).collect();
        candidates.sort_by(|one, other| preference(one, other, mover));
        let values = self.nodes[ROOT].values();
        Report { nodes: simulations, time: start.elapsed(), values, ..Report::new("mcts", candidates) }
    }
}

/// Certain wins first and certain losses last; between them the most visited, which a few lucky games cannot fool.
fn preference<M: Ord>(one: &Candidate<M>, other: &Candidate<M>, mover: Seat) -> Ordering {
    let value = |candidate: &Candidate<M>| candidate.values.map_or(-1.0, |values| values.of(mover));
    let certain = |candidate: &Candidate<M>| match candidate.solved {
        true if value(candidate) >= 1.0 => 1,
        true if value(candidate) <= -1.0 => -1,
        _ => 0,
    };
    (certain(other).cmp(&certain(one)))
        .then(other.visits.cmp(&one.visits))
        .then(value(other).total_cmp(&value(one)))
        .then(one.m.cmp(&other.m))
}
