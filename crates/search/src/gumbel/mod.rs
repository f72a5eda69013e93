//! Gumbel Monte Carlo tree search.

mod halving;
mod improve;
mod options;
mod schedule;

use game::{Evaluator, Game};
use rand::Rng;

pub use options::{Completion, GumbelOptions, Interior, Scale};

use self::{
    halving::{SequentialHalving, arms},
    improve::{improved, transformed},
    schedule::Schedule,
};
use crate::{
    Agent, Limits, Report, Search, Stop,
    noise::gumbel,
    stepwise::Owned,
    tree::{Context, NONE, ROOT, Tree, TreePolicy, TreeSearch, certainty},
};

/// Samples a few moves at the root without replacement, halves them by what simulations find, and improves the policy
/// of its evaluator with any budget.
///
/// Danihelka, Guez, Schrittwieser & Silver, *Policy improvement by planning with Gumbel* (2022). At the root, the `m`
/// moves with the largest noise + logit share the budget by Sequential Halving, in one tree that is kept from phase to
/// phase. Below it, visits follow the improved policy, softmax(logits + σ(completed q)), which is also what the report
/// offers to learn from. A node uses the values of the seat that decides there; nothing is negated.
///
/// Deliberately absent: noise beside Gumbel's, a temperature, and trees kept between decisions: the schedule counts
/// visits from none.
pub struct Gumbel<G: Game, R> {
    search: GumbelSearch<G, R>,
    evaluator: Owned<G>,
    /// Visits of the last search by move.
    visited: Vec<(G::Move, f32)>,
}

/// Gumbel Monte Carlo tree search as a [`Search`].
pub type GumbelSearch<G, R> = TreeSearch<G, R, SequentialHalving>;

impl<G: Game, R: Rng> GumbelSearch<G, R> {
    /// A search that draws from `rng`.
    pub fn new(rng: R, options: GumbelOptions) -> Self {
        Self::with_policy(SequentialHalving::new(options), rng)
    }
}

impl<G: Game, R: Rng> Gumbel<G, R> {
    /// A search that asks `evaluator` and draws from `rng`.
    pub fn new(evaluator: impl Evaluator<G> + Send + 'static, rng: R, options: GumbelOptions) -> Self {
        let evaluator = Owned::new(Box::new(evaluator));
        Self { search: GumbelSearch::new(rng, options), evaluator, visited: Vec::new() }
    }

    /// The visited moves of the last search, each with its part of all visits, the preferred ones first. The parts sum
    /// to 1; without a search, or if it visited nothing, the list is empty.
    pub fn visit_distribution(&self) -> &[(G::Move, f32)] {
        &self.visited
    }
}

impl<G: Game> TreePolicy<G> for SequentialHalving {
    const ENGINE: &'static str = "gumbel";

    #[inline]
    fn select(&mut self, tree: &Tree<G>, at: usize) -> usize {
        self.select_edge(tree, at)
    }

    fn schedules_root(&self) -> bool {
        true
    }

    fn context(&self, limits: &Limits) -> Context {
        Context::new(limits, self.options.batch, self.options.depth_limit, false)
    }

    /// Draws the noise of the root's edges and sorts both by noise + logit: the first `m` are a sample without
    /// replacement, in proportion to the priors if the weight of the noise is 1.
    fn prepare(&mut self, tree: &mut Tree<G>, limits: &Limits, rng: &mut impl Rng) {
        let edges = tree.edges_of(ROOT);
        let weight = self.options.noise;
        let draw = |_| if weight == 0.0 { 0.0 } else { weight * gumbel(rng) };
        let noise: Vec<f32> = edges.clone().map(draw).collect();
        let mut drawn: Vec<_> = tree.edges[edges.clone()].iter().copied().zip(noise).collect();
        drawn.sort_by(|(one, noise), (other, its)| (its + other.logit).total_cmp(&(noise + one.logit)));
        debug_assert!(drawn.iter().all(|(edge, _)| edge.node == NONE), "nothing points to these edges yet");
        for (slot, (edge, _)) in tree.edges[edges].iter_mut().zip(&drawn) {
            *slot = *edge;
        }
        self.considered = self.options.m.clamp(1, drawn.len());
        self.schedule = Schedule::new(self.considered, limits.nodes);
        self.noise.clear();
        self.noise.extend(drawn.into_iter().map(|(_, noise)| noise));
    }

    /// A report that goes by the improved policy: among the most visited moves the one with the best noise + logit +
    /// σ(q) first, unless something is certain.
    fn report(&self, tree: &Tree<G>, context: &Context) -> Report<G::Move> {
        let mut report = tree.report("gumbel", context);
        let (mut known, mut scores) = (Vec::new(), Vec::new());
        arms(tree, ROOT, &mut known);
        transformed(&known, tree.nodes[ROOT].evaluated, &self.options, &mut scores);
        let merit: Vec<f32> = (known.iter().zip(&self.noise).zip(&scores))
            .map(|((arm, noise), score)| noise + arm.logit + score)
            .collect();
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
}

impl<G: Game, R: Rng + Send> Agent<G> for Gumbel<G, R> {
    /// Spends the budget exactly, unless the root has one legal move only, is solved before, or time runs out.
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.visited.clear();
        self.search.begin(root, limits);
        let report = self.evaluator.run(&mut self.search, stop, tell);
        let visited = report.candidates.iter().filter(|candidate| candidate.visits > 0);
        self.visited.extend(visited.map(|candidate| (candidate.m, candidate.share)));
        report
    }
}
