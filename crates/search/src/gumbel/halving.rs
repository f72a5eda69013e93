//! Move selection of [`Gumbel`](crate::Gumbel) search.

use game::Game;

use super::{
    improve::{Arm, improved, transformed},
    options::{GumbelOptions, Interior},
    schedule::Schedule,
};
use crate::{
    MctsOptions, Selection,
    mcts::select,
    tree::{ROOT, Tree},
};

/// Selection by Sequential Halving at the root and by [`Interior`] below it.
#[derive(Clone, Debug)]
pub struct SequentialHalving {
    pub(super) options: GumbelOptions,
    /// The scaled Gumbel noise of every edge of the root, in their order.
    pub(super) noise: Vec<f32>,
    /// How many of the root's edges, sorted by noise + logit, are considered.
    pub(super) considered: usize,
    pub(super) schedule: Schedule,
    /// Whether the simulations of a round are evaluated together; tests turn it off to compare results.
    pub(crate) joins_rounds: bool,
    /// The options of PUCT selection in the interior.
    puct: MctsOptions,
    arms: Vec<Arm>,
    scores: Vec<f32>,
}

/// Collects the statistics of the moves of a node.
pub(super) fn arms<G: Game>(tree: &Tree<G>, at: usize, arms: &mut Vec<Arm>) {
    let mover = tree.nodes[at].mover;
    arms.clear();
    arms.extend(tree.edges[tree.edges_of(at)].iter().map(|edge| {
        let child = tree.child(edge);
        let value = child.filter(|child| child.visits > 0 || child.solved);
        Arm {
            logit: edge.logit,
            visits: child.map_or(0.0, |child| child.trials() as f32),
            value: value.map(|child| child.mean(child.permutation.of(mover))),
        }
    }));
}

impl SequentialHalving {
    pub(super) fn new(options: GumbelOptions) -> Self {
        let c_puct = match options.interior {
            Interior::Puct { c_puct } => c_puct,
            Interior::Deterministic => 0.0,
        };
        let selection = Selection::Puct { c_puct, fpu_reduction: 0.0 };
        Self {
            options,
            noise: Vec::new(),
            considered: 0,
            schedule: Schedule::new(1, 0),
            joins_rounds: true,
            puct: MctsOptions { selection, ..MctsOptions::default() },
            arms: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// The edge to follow from the node `at`.
    pub(super) fn select_edge<G: Game>(&mut self, tree: &Tree<G>, at: usize) -> usize {
        let first = tree.edges_of(at).start;
        if at == ROOT {
            return first + self.root_step(tree);
        }
        if matches!(self.options.interior, Interior::Puct { .. }) {
            return select(&self.puct, tree, at);
        }
        arms(tree, at, &mut self.arms);
        transformed(&self.arms, tree.nodes[at].evaluated, &self.options, &mut self.scores);
        improved(&self.arms, &mut self.scores);
        let all: f32 = self.arms.iter().map(|arm| arm.visits).sum();
        let lag = |(policy, arm): (&f32, &Arm)| policy - arm.visits / (1.0 + all);
        first + argmax(self.scores.iter().zip(&self.arms).map(lag))
    }

    /// The considered move with the highest noise + logit + σ(q) among those whose visits equal the schedule's.
    fn root_step<G: Game>(&mut self, tree: &Tree<G>) -> usize {
        // The schedule does not count the root's own evaluation and the pending visit of this simulation.
        let visits = self.schedule.visits_at(u64::from(tree.nodes[ROOT].trials()) - 2) as f32;
        arms(tree, ROOT, &mut self.arms);
        transformed(&self.arms, tree.nodes[ROOT].evaluated, &self.options, &mut self.scores);
        let score = |index: usize| {
            // Both are whole numbers.
            if (self.arms[index].visits - visits).abs() < 0.5 {
                self.noise[index] + self.arms[index].logit + self.scores[index]
            } else {
                f32::NEG_INFINITY
            }
        };
        argmax((0..self.considered).map(score))
    }
}

/// The index of the largest number; the first one in case of ties.
fn argmax(numbers: impl Iterator<Item = f32>) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, number) in numbers.enumerate() {
        if number > best.0 {
            best = (number, index);
        }
    }
    best.1
}
