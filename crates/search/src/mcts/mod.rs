//! Monte Carlo tree search.

mod merge;
mod options;
mod select;

use std::time::Instant;

use game::{Evaluator, Game};
use rand::{Rng, SeedableRng};

pub use options::{MctsOptions, RootNoise, Selection};
pub(crate) use select::select;

use crate::{
    Agent, Candidate, Limits, Report, Restriction, Search, Stop,
    evaluators::parallel,
    noise::{dirichlet, open_unit},
    stepwise::OwnedEvaluator,
    tree::{Context, ROOT, Tree, TreePolicy, TreeSearch, unsearched},
};

/// Monte Carlo tree search as an [`Agent`].
///
/// A simulation descends the tree by upper confidence bounds, evaluates a new position and backs the values of all
/// seats up. Every node maximises the value of its mover; nothing is negated during backup. Positions with a single
/// legal move are passed through: they have no node and cost no simulation. Positions that are searched to the end of
/// the game are solved: wins are played at once, losses are not visited again. The evaluation of the root is not
/// counted in the budget.
///
/// Kocsis & Szepesvári, *Bandit based Monte-Carlo Planning* (2006); Winands, Björnsson & Saito, *Monte-Carlo Tree
/// Search Solver* (2008); Rosin, *Multi-armed bandits with episode context* (2011).
pub struct Mcts<G: Game, R> {
    options: MctsOptions,
    rng: R,
    workers: Vec<Worker<G, R>>,
}

/// A search with its evaluator, run by one thread.
struct Worker<G: Game, R> {
    search: MctsSearch<G, R>,
    evaluator: OwnedEvaluator<G>,
}

/// Monte Carlo tree search as a [`Search`]. [`MctsOptions::threads`] and [`MctsOptions::temperature`] apply only to
/// [`Mcts`].
pub type MctsSearch<G, R> = TreeSearch<G, R, Ucb>;

/// Selection by upper confidence bounds.
#[derive(Clone, Copy, Debug)]
pub struct Ucb(MctsOptions);

impl<G: Game, R: Rng> MctsSearch<G, R> {
    /// Creates a search that draws random numbers from `rng`.
    pub fn new(rng: R, options: MctsOptions) -> Self {
        Self::with_policy(Ucb(options), rng)
    }
}

impl<G: Game, R: Rng + SeedableRng + Clone> Mcts<G, R> {
    /// Creates an agent that uses `evaluator`, or a copy per thread, and draws random numbers from `rng`.
    pub fn new(evaluator: impl Evaluator<G> + Clone + Send + 'static, rng: R, options: MctsOptions) -> Self {
        Self::with_evaluators(move || Box::new(evaluator.clone()), rng, options)
    }

    /// Creates an agent with one evaluator per thread, each created by `make`. All but the first are
    /// [reseeded](Evaluator::reseed). Random numbers are drawn from `rng`.
    ///
    /// With batches of several requests the threads share a tree and divide every batch; otherwise each grows its own.
    pub fn with_evaluators(
        mut make: impl FnMut() -> Box<dyn Evaluator<G> + Send>,
        mut rng: R,
        options: MctsOptions,
    ) -> Self {
        let threads = options.threads.max(1);
        let (trees, evaluators) = if options.batch > 1 { (1, threads) } else { (threads, 1) };
        let options_of_one = MctsOptions { max_bytes: options.max_bytes / trees, ..options };
        let mut worker = |index| {
            let mut search = MctsSearch::new(R::from_rng(&mut rng), options_of_one);
            let mut evaluator = parallel(evaluators, &mut make, &mut search.rng.clone());
            if index > 0 {
                evaluator.reseed(search.rng.next_u64());
            }
            Worker { search, evaluator: OwnedEvaluator::new(evaluator) }
        };
        let workers = (0..trees).map(&mut worker).collect();
        Self { options, rng, workers }
    }
}

impl<G: Game> TreePolicy<G> for Ucb {
    const ENGINE: &'static str = "mcts";

    #[inline]
    fn select(&mut self, tree: &Tree<G>, at: usize) -> usize {
        select(&self.0, tree, at)
    }

    fn context(&self, limits: &Limits) -> Context {
        let mut context = Context::new(limits, self.0.batch, self.0.max_bytes);
        context.amaf = self.0.rave.is_some();
        context.minimax = self.0.implicit.is_some();
        context
    }

    fn set_root(&self, tree: &mut Tree<G>, root: &G) {
        // A tree that is nearly full leaves no room for this search.
        if !(self.0.reuse && tree.reuse(root, self.0.max_bytes / 2)) {
            tree.set_root(root);
        }
    }

    /// Mixes Dirichlet noise into the priors of the root.
    fn prepare(&mut self, tree: &mut Tree<G>, _: &Limits, rng: &mut impl Rng) {
        let Some(noise) = self.0.noise else { return };
        let edges = tree.edges_of(ROOT);
        let mut draw = vec![0.0; edges.len()];
        dirichlet(&mut draw, noise.alpha.into(), rng);
        for (edge, draw) in tree.edges[edges].iter_mut().zip(draw) {
            edge.prior = (1.0 - noise.share) * edge.logit.exp() + noise.share * draw;
        }
    }

    fn report(&self, tree: &Tree<G>, context: &Context) -> Report<G::Move> {
        with_policy(tree.report("mcts", context))
    }
}

/// Sets the policy of every candidate to its share of visits.
fn with_policy<M>(mut report: Report<M>) -> Report<M> {
    for candidate in &mut report.candidates {
        candidate.policy = Some(candidate.share);
    }
    report
}

impl<G: Game, R: Rng + Send> Agent<G> for Mcts<G, R> {
    /// Spends the budget exactly, unless the root has only one legal move, is solved early, the tree is full, or time
    /// runs out. With several threads there are no intermediate reports, and the result is reproducible unless time runs out.
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        if moves.len() == 1 || limits.nodes == 0 || stop.is_raised() {
            return unsearched::<G>("mcts", &moves, start);
        }
        let Self { options, rng, workers } = self;
        let mut report = match &mut workers[..] {
            [Worker { search, evaluator }] => {
                search.begin(root, limits);
                evaluator.run(search, stop, on_progress)
            }
            workers => {
                let limits = merge::split(limits, workers.len());
                let reports: Vec<Report<G::Move>> = std::thread::scope(|scope| {
                    let threads: Vec<_> = (workers.iter_mut().zip(&limits))
                        .map(|(Worker { search, evaluator }, limits)| {
                            scope.spawn(move || {
                                search.begin_with_root(root, limits);
                                evaluator.run(search, stop, &mut |_| ())
                            })
                        })
                        .collect();
                    threads
                        .into_iter()
                        .map(|thread| thread.join().expect("a search does not panic"))
                        .collect()
                });
                with_policy(merge::merge(&reports, root.to_move(), start))
            }
        };
        if options.temperature > 0.0 {
            report.best = draw(&report.candidates, options.temperature, rng);
            if report.line.first() != Some(&report.best) {
                report.line = workers[0].search.tree.line(report.best);
            }
        }
        report
    }

    fn restrict(&mut self, restrictions: &[Restriction<G::Move>]) -> bool {
        for Worker { search, .. } in &mut self.workers {
            search.tree.restrict(restrictions);
        }
        true
    }
}

/// Draws a move with a probability proportional to its visits to the power of 1 / temperature. Without visits, returns
/// the first.
fn draw<M: Copy>(candidates: &[Candidate<M>], temperature: f32, rng: &mut impl Rng) -> M {
    let most = candidates.iter().map(|candidate| candidate.visits).max().unwrap_or(0).max(1) as f64;
    let weight =
        |candidate: &Candidate<M>| (candidate.visits as f64 / most).powf(1.0 / f64::from(temperature));
    let mut left = open_unit(rng) * candidates.iter().map(weight).sum::<f64>();
    for candidate in candidates {
        left -= weight(candidate);
        if left < 0.0 {
            return candidate.m;
        }
    }
    candidates[0].m
}
