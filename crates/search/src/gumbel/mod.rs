//! Gumbel Monte Carlo tree search.

mod descend;
mod improve;
mod options;
mod schedule;

use std::time::Instant;

use game::Game;
use rand::Rng;

pub use options::{Completion, GumbelOptions, Interior, Scale};

use self::{
    descend::{Halving, arms, puct},
    improve::{improved, transformed},
    schedule::Schedule,
};
use crate::{
    Agent, Guide, Limits, Report, Stop,
    noise::gumbel,
    tree::{Course, NONE, ROOT, Tree, certainty, unsearched},
};

/// Samples a few moves at the root without replacement, halves them by what simulations find, and improves the policy
/// of its guide with any budget.
///
/// Danihelka, Guez, Schrittwieser & Silver, *Policy improvement by planning with Gumbel* (2022). At the root, the `m`
/// moves with the largest noise + logit share the budget by Sequential Halving, in one tree that is kept from phase to
/// phase. Below it, visits follow the improved policy, softmax(logits + σ(completed q)), which is also what the report
/// offers to learn from. A node uses the values of the seat that decides there; nothing is negated.
///
/// Deliberately absent: noise beside Gumbel's, a temperature, and trees kept between decisions: the schedule counts
/// visits from none.
#[derive(Debug)]
pub struct Gumbel<G: Game, J, R> {
    options: GumbelOptions,
    guide: J,
    rng: R,
    tree: Tree<G>,
    /// Visits of the last search by move.
    visited: Vec<(G::Move, f32)>,
}

impl<G: Game, J: Guide<G>, R: Rng> Gumbel<G, J, R> {
    /// A search that asks `guide` at its leaves and draws from `rng`.
    pub fn new(guide: J, rng: R, options: GumbelOptions) -> Self {
        Self { options, guide, rng, tree: Tree::new(), visited: Vec::new() }
    }

    /// The visited moves of the last search, each with its part of all visits, the preferred ones first. The parts sum
    /// to 1; without a search, or if it visited nothing, the list is empty.
    pub fn visit_distribution(&self) -> &[(G::Move, f32)] {
        &self.visited
    }

    /// Draws the noise of the root's edges and sorts both by noise + logit: the first `m` are a sample without
    /// replacement, in proportion to the priors if the weight of the noise is 1.
    fn sample(&mut self) -> Vec<f32> {
        let edges = self.tree.edges_of(ROOT);
        let rng = &mut self.rng;
        let draw = |_| if self.options.noise == 0.0 { 0.0 } else { self.options.noise * gumbel(rng) };
        let noise: Vec<f32> = edges.clone().map(draw).collect();
        let mut drawn: Vec<_> = self.tree.edges[edges.clone()].iter().copied().zip(noise).collect();
        drawn.sort_by(|(one, noise), (other, its)| (its + other.logit).total_cmp(&(noise + one.logit)));
        debug_assert!(drawn.iter().all(|(edge, _)| edge.node == NONE), "nothing points to these edges yet");
        for (slot, (edge, _)) in self.tree.edges[edges].iter_mut().zip(&drawn) {
            *slot = *edge;
        }
        drawn.into_iter().map(|(_, noise)| noise).collect()
    }
}

/// A report that goes by the improved policy: among the most visited moves the one with the best noise + logit +
/// σ(q) first, unless something is certain.
fn report<G: Game>(
    tree: &Tree<G>,
    options: &GumbelOptions,
    noise: &[f32],
    spent: u64,
    start: Instant,
) -> Report<G::Move> {
    let mut report = tree.report("gumbel", spent, start);
    let (mut known, mut scores) = (Vec::new(), Vec::new());
    arms(tree, ROOT, &mut known);
    transformed(&known, tree.nodes[ROOT].judged, options, &mut scores);
    let merit: Vec<f32> =
        known.iter().zip(noise).zip(&scores).map(|((arm, noise), score)| noise + arm.logit + score).collect();
    improved(&known, &mut scores);
    let edges = &tree.edges[tree.edges_of(ROOT)];
    let index_of = |m| edges.iter().position(|edge| edge.m == m).expect("every candidate is an edge");
    for candidate in &mut report.candidates {
        candidate.policy = Some(scores[index_of(candidate.m)]);
    }
    let mover = tree.nodes[ROOT].mover;
    report.candidates.sort_by(|one, other| {
        (certainty(other, mover).cmp(&certainty(one, mover)))
            .then(other.visits.cmp(&one.visits))
            .then_with(|| merit[index_of(other.m)].total_cmp(&merit[index_of(one.m)]))
    });
    report.best = report.candidates[0].m;
    report.line = tree.line(report.best);
    report
}

impl<G: Game, J: Guide<G> + Send, R: Rng + Send> Agent<G> for Gumbel<G, J, R> {
    /// Spends the budget exactly, unless the root has one legal move only, is solved before, or time runs out.
    fn think_aloud(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        self.visited.clear();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        if moves.len() == 1 || limits.nodes == 0 || stop.is_raised() {
            return unsearched::<G>("gumbel", &moves, start);
        }
        let options = self.options;
        let (batch, depth) = (options.batch, options.depth_limit);
        let course = Course { limits, stop, start, batch, depth, amaf: false };
        self.tree.plant(root);
        self.tree.judge_root(&mut self.guide, &course, &mut self.rng);
        let noise = self.sample();
        let considered = options.m.clamp(1, moves.len());
        let schedule = Schedule::new(considered, limits.nodes);
        let mut halving = Halving {
            options: &options,
            noise: &noise,
            considered,
            schedule: &schedule,
            puct: puct(&options),
            arms: Vec::new(),
            scores: Vec::new(),
        };
        let mut told = |tree: &Tree<G>, spent| tell(&report(tree, &options, &noise, spent, start));
        let spent = self.tree.run(&mut self.guide, &mut halving, &course, &mut self.rng, &mut told);
        let report = report(&self.tree, &options, &noise, spent, start);
        let visited = report.candidates.iter().filter(|candidate| candidate.visits > 0);
        self.visited.extend(visited.map(|candidate| (candidate.m, candidate.share)));
        report
    }
}
