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
    Agent, Limits, Report, Restriction, Search, Stop,
    evaluators::parallel,
    noise::gumbel,
    stepwise::OwnedEvaluator,
    tree::{Context, NONE, Node, ROOT, Tree, TreePolicy, TreeSearch, certainty},
};

/// Gumbel Monte Carlo tree search: samples a few moves at the root without replacement, halves them repeatedly by
/// simulations, and improves the policy of its evaluator with any budget.
///
/// Danihelka, Guez, Schrittwieser & Silver, *Policy improvement by planning with Gumbel* (2022). At the root, the `m`
/// moves with the largest noise + logit share the budget by Sequential Halving, in one tree for all phases. Below the
/// root, visits follow the improved policy, softmax(logits + σ(completed q)), which the report also contains as a
/// training target. A node uses the values of its mover; nothing is negated.
///
/// Deliberately absent: other noise than Gumbel's, a temperature, and tree reuse between decisions, since the schedule
/// counts visits from zero.
pub struct Gumbel<G: Game, R> {
    search: GumbelSearch<G, R>,
    evaluator: OwnedEvaluator<G>,
    /// The visit distribution of the last search.
    visited: Vec<(G::Move, f32)>,
}

/// Gumbel Monte Carlo tree search as a [`Search`].
pub type GumbelSearch<G, R> = TreeSearch<G, R, SequentialHalving>;

impl<G: Game, R: Rng> GumbelSearch<G, R> {
    /// Creates a search that draws random numbers from `rng`.
    pub fn new(rng: R, options: GumbelOptions) -> Self {
        Self::with_policy(SequentialHalving::new(options), rng)
    }
}

impl<G: Game, R: Rng> Gumbel<G, R> {
    /// Creates an agent that uses `evaluator` and draws random numbers from `rng`.
    pub fn new(evaluator: impl Evaluator<G> + Send + 'static, rng: R, options: GumbelOptions) -> Self {
        let evaluator = OwnedEvaluator::new(Box::new(evaluator));
        Self { search: GumbelSearch::new(rng, options), evaluator, visited: Vec::new() }
    }

    /// Creates an agent with one evaluator per thread, each created by `make`. All but the first are
    /// [reseeded](Evaluator::reseed). Random numbers are drawn from `rng`.
    pub fn with_evaluators(
        mut make: impl FnMut() -> Box<dyn Evaluator<G> + Send>,
        rng: R,
        options: GumbelOptions,
    ) -> Self
    where
        R: Clone,
    {
        let evaluator = parallel(options.threads, &mut make, &mut rng.clone());
        Self::new(evaluator, rng, options)
    }

    /// The visited moves of the last search with their shares of all visits, best first. The shares sum to 1. The list
    /// is empty if there was no search or it visited no move.
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

    /// The simulations of one round go to different moves of the root, and which moves these are does not depend on
    /// their results.
    fn is_independent(&self, tree: &Tree<G>) -> bool {
        let Node { visits, pending, .. } = tree.nodes[ROOT];
        // The root's own evaluation is a visit too.
        let first = u64::from(visits) - 1;
        self.joins_rounds
            && self.schedule.visits_at(first) == self.schedule.visits_at(first + u64::from(pending))
    }

    fn context(&self, limits: &Limits) -> Context {
        let mut context = Context::new(limits, self.options.batch, self.options.max_bytes);
        context.depth = self.options.depth_limit;
        context
    }

    /// Draws the noise of the root's edges and sorts both by noise + logit. The first `m` are a sample without
    /// replacement, drawn in proportion to the priors if the weight of the noise is 1.
    fn prepare(&mut self, tree: &mut Tree<G>, limits: &Limits, rng: &mut impl Rng) {
        let edges = tree.edges_of(ROOT);
        let weight = self.options.noise;
        let draw = |_| if weight == 0.0 { 0.0 } else { weight * gumbel(rng) };
        let noise: Vec<f32> = edges.clone().map(draw).collect();
        let mut drawn: Vec<_> = tree.edges[edges.clone()].iter().copied().zip(noise).collect();
        drawn.sort_by(|(one, noise), (other, its)| (its + other.logit).total_cmp(&(noise + one.logit)));
        debug_assert!(drawn.iter().all(|(edge, _)| edge.node == NONE), "no node refers to these edges yet");
        for (slot, (edge, _)) in tree.edges[edges].iter_mut().zip(&drawn) {
            *slot = *edge;
        }
        self.considered = self.options.considered(limits.nodes).min(drawn.len());
        self.schedule = Schedule::new(self.considered, limits.nodes);
        self.noise.clear();
        self.noise.extend(drawn.into_iter().map(|(_, noise)| noise));
    }

    /// The best move is the one with the highest noise + logit + σ(q) among the most visited moves; solved moves take
    /// precedence.
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
        report.variations = tree.variations(&report.candidates);
        report
    }
}

impl<G: Game, R: Rng + Send> Agent<G> for Gumbel<G, R> {
    /// Spends the budget exactly, unless the root has only one legal move, is solved early, the tree is full, or
    /// time runs out.
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.visited.clear();
        self.search.begin(root, limits);
        let report = self.evaluator.run(&mut self.search, stop, on_progress);
        let visited = report.candidates.iter().filter(|candidate| candidate.visits > 0);
        self.visited.extend(visited.map(|candidate| (candidate.m, candidate.share)));
        report
    }

    fn restrict(&mut self, restrictions: &[Restriction<G::Move>]) -> bool {
        self.search.tree.restrict(restrictions);
        true
    }
}
