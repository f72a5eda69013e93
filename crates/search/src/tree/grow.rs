//! The loop: go down, ask the guide, grow, credit.

use std::time::Instant;

use game::{Game, pick};
use rand::Rng;

use super::{Amaf, Edge, NONE, Node, ROOT, Tree};
use crate::{Guide, Leaf, Limits, Stop};

/// Shows simulations the way down: the part in which searches differ.
pub(crate) trait Steer<G: Game> {
    /// The edge to follow from the node `at`, which is not solved and has edges.
    fn step(&mut self, tree: &Tree<G>, at: usize) -> usize;
}

/// How a search is run, whatever its way down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) stop: &'a Stop,
    pub(crate) start: Instant,
    /// The most leaves that are collected before the guide is asked.
    pub(crate) batch: usize,
    /// The most decisions below the root; what lies there is judged again at every visit.
    pub(crate) depth: Option<u32>,
    /// Whether to keep all-moves-as-first statistics.
    pub(crate) amaf: bool,
}

impl Course<'_> {
    fn goes_on(&self) -> bool {
        // The clock is not read if nobody limits it.
        !self.stop.is_raised() && self.limits.time.is_none_or(|most| self.start.elapsed() < most)
    }
}

/// Where a simulation ended.
enum End {
    /// At a certain result: credited already.
    Known,
    /// At a leaf that waits for the guide.
    Asked,
    /// At a leaf that another simulation of the batch waits for: undone.
    Taken,
}

impl<G: Game> Tree<G> {
    /// Judges the root if nobody did. No simulation is spent on that.
    pub(crate) fn judge_root(&mut self, guide: &mut impl Guide<G>, course: &Course<'_>, rng: &mut impl Rng) {
        if self.nodes[ROOT].visits == 0 {
            let root = self.root.as_ref().expect("a tree is planted before it is searched");
            put_leaf(&mut self.leaves, 0, root);
            root.legal_moves(&mut self.leaves[0].moves);
            self.waiting.clear();
            self.waiting.push(ROOT);
            self.nodes[ROOT].pending = 1;
            self.ask(guide, course, rng);
            if self.nodes[ROOT].edges.is_empty() {
                guide.prefer(&mut self.leaves[0]);
                self.expand(ROOT, 0, course.amaf, rng);
            }
        }
    }

    /// Runs simulations until the budget is spent, the root is solved or the search has to end. Returns how many
    /// were run; `tell` hears the number so far whenever it has doubled.
    pub(crate) fn run(
        &mut self,
        guide: &mut impl Guide<G>,
        steer: &mut impl Steer<G>,
        course: &Course<'_>,
        rng: &mut impl Rng,
        tell: &mut dyn FnMut(&Self, u64),
    ) -> u64 {
        let budget = course.limits.nodes;
        let (mut spent, mut next_word) = (0, 64);
        while spent < budget && !self.nodes[ROOT].solved && course.goes_on() {
            self.waiting.clear();
            let most = (course.batch.max(1) as u64).min(budget - spent);
            for _ in 0..most {
                if self.nodes[ROOT].solved {
                    break;
                }
                match self.descend(guide, steer, course, rng) {
                    End::Taken => break,
                    End::Known | End::Asked => spent += 1,
                }
            }
            self.ask(guide, course, rng);
            if spent >= next_word && spent < budget {
                tell(self, spent);
                next_word = spent.next_power_of_two().max(next_word * 2);
            }
        }
        spent
    }

    /// Goes down to a leaf, leaving a pending visit in every node on the way. A node that was judged but not looked at
    /// further gets its edges now: most leaves are never come back to.
    fn descend(
        &mut self,
        guide: &mut impl Guide<G>,
        steer: &mut impl Steer<G>,
        course: &Course<'_>,
        rng: &mut impl Rng,
    ) -> End {
        let slot = self.waiting.len();
        let root = self.root.as_ref().expect("a tree is planted before it is searched");
        put_leaf(&mut self.leaves, slot, root);
        let mut at = ROOT;
        self.nodes[ROOT].pending += 1;
        let mut depth = 0;
        loop {
            let edge = steer.step(self, at);
            depth += 1;
            let next = self.edges[edge].node;
            if next == NONE {
                at = self.open(at, edge, slot);
                break;
            }
            at = next as usize;
            self.nodes[at].pending += 1;
            let node = &self.nodes[at];
            if node.solved {
                break;
            }
            let position = &mut self.leaves[slot].position;
            position.play_unchecked(self.edges[edge].m, &mut ());
            for &m in &self.forced[node.forced.start as usize..node.forced.end as usize] {
                position.play_unchecked(m, &mut ());
            }
            if node.visits == 0 {
                self.undo(at);
                return End::Taken;
            }
            let at_limit = course.depth.is_some_and(|most| depth >= most);
            if at_limit || node.edges.is_empty() {
                let leaf = &mut self.leaves[slot];
                leaf.position.legal_moves(&mut leaf.moves);
                if at_limit {
                    break;
                }
                guide.prefer(leaf);
                self.expand(at, slot, course.amaf, rng);
                self.leaves[slot].logits.clear();
            }
        }
        self.deepest = self.deepest.max(depth);
        if let Some(values) = self.nodes[at].values().filter(|_| self.nodes[at].solved) {
            self.credit(at, values, course.amaf, &[]);
            return End::Known;
        }
        self.waiting.push(at);
        End::Asked
    }

    /// Makes the node behind an edge that nobody followed yet. Its position is left in the leaf of `slot`.
    fn open(&mut self, parent: usize, edge: usize, slot: usize) -> usize {
        let Leaf { position, moves, .. } = &mut self.leaves[slot];
        let mut node = Node { pending: 1, ..Node::new(parent as u32, edge as u32) };
        let first = self.edges[edge].m;
        node.places.follow(position, first);
        position.play_unchecked(first, &mut ());
        position.legal_moves(moves);
        let start = self.forced.len() as u32;
        while let [only] = moves[..] {
            self.forced.push(only);
            node.places.follow(position, only);
            position.play_unchecked(only, &mut ());
            position.legal_moves(moves);
        }
        node.forced = start..self.forced.len() as u32;
        node.mover = position.to_move();
        node.key = position.key();
        if let Some(outcome) = position.outcome() {
            node.settle(outcome.values());
        }
        self.edges[edge].node = self.nodes.len() as u32;
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Takes back the pending visits from `at` up to the root.
    fn undo(&mut self, mut at: usize) {
        loop {
            self.nodes[at].pending -= 1;
            if at == ROOT {
                return;
            }
            at = self.nodes[at].parent as usize;
        }
    }

    /// Asks the guide for all leaves that wait, gives them edges if logits came with the answer, and credits it.
    fn ask(&mut self, guide: &mut impl Guide<G>, course: &Course<'_>, rng: &mut impl Rng) {
        let count = self.waiting.len();
        if count == 0 {
            return;
        }
        guide.judge(&mut self.leaves[..count]);
        for slot in 0..count {
            let at = self.waiting[slot];
            let values = self.leaves[slot].values;
            if self.nodes[at].visits == 0 {
                self.nodes[at].judged = values.of(self.nodes[at].mover);
                if !self.leaves[slot].logits.is_empty() {
                    self.expand(at, slot, course.amaf, rng);
                }
            }
            let sample = std::mem::take(&mut self.leaves[slot].sample);
            self.credit(at, values, course.amaf, &sample);
            self.leaves[slot].sample = sample;
        }
    }

    /// Gives a node one edge per legal move: the most promising first, equals in random order, since the budget may
    /// not reach all of them.
    fn expand(&mut self, at: usize, slot: usize, amaf: bool, rng: &mut impl Rng) {
        let Leaf { moves, logits, .. } = &self.leaves[slot];
        let start = self.edges.len();
        if logits.is_empty() {
            let prior = 1.0 / moves.len() as f32;
            let logit = prior.ln();
            self.edges.extend(moves.iter().map(|&m| Edge { m, logit, prior, node: NONE }));
        } else {
            debug_assert_eq!(logits.len(), moves.len(), "a guide gives every move its logit");
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
        self.nodes[at].edges = start as u32..self.edges.len() as u32;
    }
}

/// Puts a copy of `position` into the leaf of `slot`, reusing its buffers.
fn put_leaf<G: Game>(leaves: &mut Vec<Leaf<G>>, slot: usize, position: &G) {
    if slot == leaves.len() {
        leaves.push(Leaf::new(position.clone(), Vec::new()));
    }
    leaves[slot].position.clone_from(position);
    leaves[slot].moves.clear();
    leaves[slot].logits.clear();
    leaves[slot].sample.clear();
}
