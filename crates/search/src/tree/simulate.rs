//! Simulations: descent to a leaf, request for an evaluation, and backup.
//!
//! A simulation descends to a node that needs an evaluation and waits there: for the values of a new node, or for the
//! policy of a node that it revisits. With batches, several simulations wait at a time.

use std::time::{Duration, Instant};

use game::{Evaluation, Game, Wants};
use rand::Rng;

use super::{NONE, ROOT, Tree, TreePolicy};
use crate::{Limits, Step, Stop};

/// The limits and counters of a search, independent of its policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) limits: Limits,
    pub(crate) start: Instant,
    /// The maximum number of simulations that wait at a time.
    pub(crate) batch: usize,
    /// The maximum depth in decisions. Nodes at this depth are evaluated again at every visit.
    pub(crate) depth: Option<u32>,
    /// Whether to collect AMAF statistics.
    pub(crate) amaf: bool,
    /// Whether to compute minimax values.
    pub(crate) minimax: bool,
    /// The maximum size of the tree in bytes. A search that reaches it ends.
    pub(crate) max_bytes: usize,
    /// The number of completed simulations.
    pub(crate) spent: u64,
    /// The number of simulations after which to report progress next.
    next_report: u64,
    /// The number of batches, and of the requests in them.
    batches: u64,
    requests: u64,
}

impl Context {
    pub(crate) fn new(limits: &Limits, batch: usize, max_bytes: usize) -> Self {
        Self {
            limits: *limits,
            start: Instant::now(),
            batch: batch.max(1),
            depth: None,
            amaf: false,
            minimax: false,
            max_bytes,
            spent: 0,
            next_report: 64,
            batches: 0,
            requests: 0,
        }
    }

    /// Whether `stop` is raised, or the time cap is exceeded by more than `grace`.
    pub(super) fn is_interrupted(&self, stop: &Stop, grace: Duration) -> bool {
        // The clock is read only if there is a time cap.
        stop.is_raised() || self.limits.time.is_some_and(|most| self.start.elapsed() >= most + grace)
    }

    /// The mean number of requests per batch, relative to the batch size, or `None` if the batch size is 1.
    pub(crate) fn fill(&self) -> Option<f64> {
        let most = self.batches * self.batch as u64;
        (self.batch > 1 && most > 0).then(|| self.requests as f64 / most as f64)
    }

    /// The mean number of requests per batch, or `None` if every batch was a single request.
    pub(crate) fn mean_batch(&self) -> Option<f64> {
        (self.requests > self.batches).then(|| self.requests as f64 / self.batches as f64)
    }
}

/// The most independent simulations that are evaluated together, beyond the size of batches.
const MAX_INDEPENDENT: usize = 32;

/// A simulation that awaits an evaluation.
#[derive(Debug)]
pub(super) struct Simulation<G: Game> {
    pub(super) position: G,
    pub(super) moves: Vec<G::Move>,
    pub(super) wants: Wants,
    /// The node at which it waits.
    pub(super) at: usize,
    /// The depth of that node, in decisions.
    pub(super) depth: u32,
}

/// Where a descent ended.
enum End {
    /// At a solved node. The result is already backed up.
    Solved,
    /// At a node that needs an evaluation.
    Waiting,
    /// At a node at which another simulation waits.
    Collision {
        /// Whether another descent could end elsewhere.
        retry: bool,
    },
}

impl<G: Game> Tree<G> {
    /// Requests what the root lacks: values, then a policy. Returns `false` if it lacks nothing. This costs no
    /// simulation.
    pub(crate) fn request_root(&mut self) -> bool {
        let wants = match &self.nodes[ROOT] {
            node if node.visits == 0 => Wants::Values,
            node if node.edges.is_empty() => Wants::Policy,
            _ => return false,
        };
        self.start(0);
        let root = &mut self.simulations[0];
        root.position.legal_moves(&mut root.moves);
        root.wants = wants;
        self.waiting = 1;
        true
    }

    /// Applies the answer to [`request_root`](Self::request_root).
    pub(crate) fn resume_root(
        &mut self,
        evaluation: &Evaluation<G::Move>,
        context: &Context,
        rng: &mut impl Rng,
    ) {
        self.waiting = 0;
        match self.simulations[0].wants {
            Wants::Values => self.apply_values(0, evaluation, context, rng),
            Wants::Policy => {
                self.expand(0, &evaluation.logits, context.amaf, rng);
                self.nodes[ROOT].pending -= 1;
            }
        }
    }

    /// Advances until simulations wait for evaluations, the budget is spent, the root is solved, the tree is full or the
    /// search is interrupted.
    pub(crate) fn step(
        &mut self,
        policy: &mut impl TreePolicy<G>,
        context: &mut Context,
        stop: &Stop,
    ) -> Step {
        let budget = context.limits.nodes;
        loop {
            if context.spent >= context.next_report && context.spent < budget {
                context.next_report = context.spent.next_power_of_two().max(2 * context.next_report);
                return Step::Progress;
            }
            let is_over = self.nodes[ROOT].solved || (self.waiting == 0 && context.spent >= budget);
            if is_over || self.bytes() >= context.max_bytes || context.is_interrupted(stop, Duration::ZERO) {
                self.abandon();
                return Step::Done;
            }
            self.gather(policy, context);
            if self.waiting > 0 {
                context.batches += 1;
                context.requests += self.waiting as u64;
                return Step::Evaluate;
            }
        }
    }

    /// Whether another simulation may join those that wait.
    fn has_room(&self, policy: &impl TreePolicy<G>, context: &Context) -> bool {
        // A simulation that waits for a policy goes on afterwards, which must come before later simulations if the
        // evaluator draws random numbers.
        let joins = || self.simulations[..self.waiting].iter().all(|waiting| waiting.wants == Wants::Values);
        self.waiting < context.batch
            || self.waiting < MAX_INDEPENDENT && joins() && policy.is_independent(self)
    }

    /// Starts simulations until the batch is full.
    ///
    /// A descent that collides with a waiting simulation is retried. Its pending visits stay until the batch is
    /// complete, so that virtual loss directs the next descent elsewhere; then they are undone.
    fn gather(&mut self, policy: &mut impl TreePolicy<G>, context: &mut Context) {
        let mut collisions = 0;
        while self.has_room(policy, context)
            && context.spent + (self.waiting as u64) < context.limits.nodes
            && !self.nodes[ROOT].solved
        {
            let slot = self.waiting;
            self.start(slot);
            match self.descend(slot, policy, context) {
                End::Waiting => self.waiting += 1,
                End::Solved => {
                    context.spent += 1;
                    if self.waiting == 0 {
                        // No simulation waits, so the caller checks budget and clock first.
                        break;
                    }
                }
                End::Collision { retry } => {
                    collisions += 1;
                    if !retry || collisions > context.batch {
                        break;
                    }
                }
            }
        }
        self.undo_collisions();
    }

    /// Applies the answers to all waiting simulations. Simulations that receive values are backed up; those that
    /// receive a policy continue their descent.
    pub(crate) fn resume(
        &mut self,
        evaluations: &[Evaluation<G::Move>],
        policy: &mut impl TreePolicy<G>,
        context: &mut Context,
        rng: &mut impl Rng,
    ) {
        assert_eq!(evaluations.len(), self.waiting, "every request gets one answer");
        self.waiting = 0;
        for (slot, evaluation) in evaluations.iter().enumerate() {
            if self.simulations[slot].wants == Wants::Values {
                self.apply_values(slot, evaluation, context, rng);
                context.spent += 1;
                continue;
            }
            self.expand(slot, &evaluation.logits, context.amaf, rng);
            match self.descend(slot, policy, context) {
                End::Waiting => {
                    self.simulations.swap(self.waiting, slot);
                    self.waiting += 1;
                }
                End::Solved => context.spent += 1,
                End::Collision { .. } => {}
            }
        }
        self.undo_collisions();
    }

    /// Starts a new simulation at the root in `slot`.
    fn start(&mut self, slot: usize) {
        let root = self.root.as_ref().expect("a tree has a root before it is searched");
        if slot == self.simulations.len() {
            self.simulations.push(Simulation {
                position: root.clone(),
                moves: Vec::new(),
                wants: Wants::Values,
                at: ROOT,
                depth: 0,
            });
        }
        let simulation = &mut self.simulations[slot];
        simulation.position.clone_from(root);
        (simulation.at, simulation.depth) = (ROOT, 0);
        self.nodes[ROOT].pending += 1;
    }

    /// Descends from the current node of the simulation, leaving a pending visit in every node on the path.
    fn descend(&mut self, slot: usize, policy: &mut impl TreePolicy<G>, context: &Context) -> End {
        let Simulation { mut at, mut depth, .. } = self.simulations[slot];
        let mut wants = Wants::Values;
        loop {
            let edge = policy.select(self, at);
            depth += 1;
            let next = self.edges[edge].node;
            if next == NONE {
                at = self.add_child(at, edge, slot);
                break;
            }
            at = next as usize;
            self.nodes[at].pending += 1;
            let node = &self.nodes[at];
            if node.solved {
                break;
            }
            let Simulation { position, moves, .. } = &mut self.simulations[slot];
            position.play_unchecked(self.edges[edge].m, &mut ());
            for &m in &self.forced[node.forced.start as usize..node.forced.end as usize] {
                position.play_unchecked(m, &mut ());
            }
            if node.visits == 0 || node.awaits_policy {
                return self.collide(at, policy);
            }
            let at_limit = context.depth.is_some_and(|most| depth >= most);
            if at_limit || node.edges.is_empty() {
                position.legal_moves(moves);
                if !at_limit {
                    self.nodes[at].awaits_policy = true;
                    wants = Wants::Policy;
                }
                break;
            }
        }
        self.deepest = self.deepest.max(depth);
        if let Some(values) = self.nodes[at].values().filter(|_| self.nodes[at].solved) {
            if context.minimax {
                self.update_minimax(at, values);
            }
            self.backup(at, values, context.amaf, &[]);
            return End::Solved;
        }
        let simulation = &mut self.simulations[slot];
        (simulation.at, simulation.depth, simulation.wants) = (at, depth, wants);
        End::Waiting
    }

    /// Ends a descent at a node at which another simulation waits.
    fn collide(&mut self, at: usize, policy: &impl TreePolicy<G>) -> End {
        let mut retry = true;
        if policy.schedules_root() {
            // The schedule depends on the visits of the root and its children, so these are undone at once and the next
            // descent starts with the same move.
            let mut child = at;
            while self.nodes[child].parent as usize != ROOT {
                child = self.nodes[child].parent as usize;
            }
            self.nodes[ROOT].pending -= 1;
            self.nodes[child].pending -= 1;
            retry = child != at;
        }
        if retry {
            self.collided.push((at, policy.schedules_root()));
        }
        End::Collision { retry }
    }

    /// Undoes the pending visits of descents that collided.
    fn undo_collisions(&mut self) {
        while let Some((mut at, below_children)) = self.collided.pop() {
            if below_children {
                while self.nodes[at].parent as usize != ROOT {
                    self.nodes[at].pending -= 1;
                    at = self.nodes[at].parent as usize;
                }
            } else {
                self.undo(at);
            }
        }
    }

    /// Undoes a pending visit from `at` up to the root.
    fn undo(&mut self, mut at: usize) {
        loop {
            self.nodes[at].pending -= 1;
            if at == ROOT {
                return;
            }
            at = self.nodes[at].parent as usize;
        }
    }

    /// Drops the waiting simulations. Nodes without values are detached, so that a later search creates them again.
    pub(crate) fn abandon(&mut self) {
        for slot in 0..std::mem::take(&mut self.waiting) {
            let at = self.simulations[slot].at;
            self.undo(at);
            let node = &mut self.nodes[at];
            node.awaits_policy = false;
            if node.visits == 0 && at != ROOT {
                self.edges[node.edge as usize].node = NONE;
            }
        }
    }

    /// Stores the values of a node, expands it if logits came with them, and backs the values up.
    fn apply_values(
        &mut self,
        slot: usize,
        evaluation: &Evaluation<G::Move>,
        context: &Context,
        rng: &mut impl Rng,
    ) {
        let at = self.simulations[slot].at;
        if self.nodes[at].visits == 0 {
            self.nodes[at].evaluated = evaluation.values.of(self.nodes[at].mover);
            if !evaluation.logits.is_empty() {
                self.expand(slot, &evaluation.logits, context.amaf, rng);
            }
            if context.minimax {
                self.update_minimax(at, evaluation.values);
            }
        }
        self.backup(at, evaluation.values, context.amaf, &evaluation.playout);
    }
}
