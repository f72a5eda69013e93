//! The way down of [`Gumbel`](crate::Gumbel).

use game::Game;

use super::{
    improve::{Arm, improved, transformed},
    options::{GumbelOptions, Interior},
    schedule::Schedule,
};
use crate::{
    MctsOptions, Selection,
    mcts::Bandit,
    tree::{ROOT, Steer, Tree},
};

/// Sequential Halving at the root, the choice of [`Interior`] below.
pub(super) struct Halving<'a> {
    pub(super) options: &'a GumbelOptions,
    /// `noise · gumbel` of every edge of the root, in their order.
    pub(super) noise: &'a [f32],
    /// How many of the root's edges, which are sorted by noise and logit, are considered.
    pub(super) considered: usize,
    pub(super) schedule: &'a Schedule,
    pub(super) puct: MctsOptions,
    pub(super) arms: Vec<Arm>,
    pub(super) scores: Vec<f32>,
}

/// The options of a search that goes down by priors.
pub(super) fn puct(options: &GumbelOptions) -> MctsOptions {
    let c_puct = match options.interior {
        Interior::Puct { c_puct } => c_puct,
        Interior::Deterministic => 0.0,
    };
    MctsOptions { selection: Selection::Puct { c_puct, fpu_reduction: 0.0 }, ..MctsOptions::default() }
}

/// What is known of the moves of a node.
pub(super) fn arms<G: Game>(tree: &Tree<G>, at: usize, arms: &mut Vec<Arm>) {
    let mover = tree.nodes[at].mover;
    arms.clear();
    arms.extend(tree.edges[tree.edges_of(at)].iter().map(|edge| {
        let child = tree.child(edge);
        let value = child.filter(|child| child.visits > 0 || child.solved);
        Arm {
            logit: edge.logit,
            visits: child.map_or(0.0, |child| child.trials() as f32),
            value: value.map(|child| child.mean(child.places.of(mover))),
        }
    }));
}

impl<G: Game> Steer<G> for Halving<'_> {
    fn step(&mut self, tree: &Tree<G>, at: usize) -> usize {
        let first = tree.edges_of(at).start;
        if at == ROOT {
            return first + self.root_step(tree);
        }
        if matches!(self.options.interior, Interior::Puct { .. }) {
            return Bandit(&self.puct).step(tree, at);
        }
        arms(tree, at, &mut self.arms);
        transformed(&self.arms, tree.nodes[at].judged, self.options, &mut self.scores);
        improved(&self.arms, &mut self.scores);
        let all: f32 = self.arms.iter().map(|arm| arm.visits).sum();
        let lag = |(policy, arm): (&f32, &Arm)| policy - arm.visits / (1.0 + all);
        first + first_largest(self.scores.iter().zip(&self.arms).map(lag))
    }
}

impl Halving<'_> {
    /// Among the considered moves that have been visited as often as the schedule says, the one with the best
    /// noise + logit + σ(q).
    fn root_step<G: Game>(&mut self, tree: &Tree<G>) -> usize {
        // The visit of the root's own judgement and the pending one of this simulation are not of the schedule.
        let visits = self.schedule.visits_at(u64::from(tree.nodes[ROOT].trials()) - 2) as f32;
        arms(tree, ROOT, &mut self.arms);
        transformed(&self.arms, tree.nodes[ROOT].judged, self.options, &mut self.scores);
        let score = |index: usize| {
            // Whole numbers, whatever their type.
            if (self.arms[index].visits - visits).abs() < 0.5 {
                self.noise[index] + self.arms[index].logit + self.scores[index]
            } else {
                f32::NEG_INFINITY
            }
        };
        first_largest((0..self.considered).map(score))
    }
}

/// The index of the largest number, the first of equals.
fn first_largest(numbers: impl Iterator<Item = f32>) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, number) in numbers.enumerate() {
        if number > best.0 {
            best = (number, index);
        }
    }
    best.1
}
