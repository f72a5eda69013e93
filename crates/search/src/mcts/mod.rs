//! Monte Carlo tree search.

mod merge;
mod options;
mod select;

use std::time::Instant;

use game::Game;
use rand::{Rng, SeedableRng};

pub use options::{MctsOptions, RootNoise, Selection};
pub(crate) use select::Bandit;

use crate::{
    Agent, Candidate, Guide, Limits, Report, Stop,
    noise::{dirichlet, open_unit},
    tree::{Course, ROOT, Tree, unsearched},
};

/// Goes down a tree by what is known and what is not, asks a [`Guide`] at its edge and credits every seat's
/// expectation along the way.
///
/// The node where a seat moves prefers what is good for that seat; nothing is negated on the way up. Positions with a
/// single legal move are passed through: they get no node and cost no simulation. What has been seen to its end is
/// solved: a win is taken at once, a loss is not visited again. The root itself is judged once, beside the budget.
///
/// Kocsis & Szepesvári, *Bandit based Monte-Carlo Planning* (2006); Winands, Björnsson & Saito, *Monte-Carlo Tree
/// Search Solver* (2008); Rosin, *Multi-armed bandits with episode context* (2011).
#[derive(Debug)]
pub struct Mcts<G: Game, J, R> {
    options: MctsOptions,
    rng: R,
    workers: Vec<Worker<G, J, R>>,
}

/// A tree with all that it takes to grow it.
#[derive(Debug)]
struct Worker<G: Game, J, R> {
    tree: Tree<G>,
    guide: J,
    rng: R,
}

impl<G: Game, J: Guide<G> + Clone, R: Rng + SeedableRng> Mcts<G, J, R> {
    /// A search that asks `guide` at its leaves and draws from `rng`.
    pub fn new(guide: J, mut rng: R, options: MctsOptions) -> Self {
        let mut worker = |guide| Worker { tree: Tree::new(), guide, rng: R::from_rng(&mut rng) };
        let mut workers = vec![worker(guide)];
        for _ in 1..options.threads {
            let mut other = worker(workers[0].guide.clone());
            other.guide.reseed(other.rng.next_u64());
            workers.push(other);
        }
        Self { options, rng, workers }
    }
}

impl<G: Game, J: Guide<G>, R: Rng> Worker<G, J, R> {
    /// Searches `root` and reports. Visits in the report count kept ones, if any.
    fn search(
        &mut self,
        root: &G,
        options: &MctsOptions,
        course: &Course<'_>,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        if !(options.reuse && self.tree.keep(root)) {
            self.tree.plant(root);
        }
        self.tree.judge_root(&mut self.guide, course, &mut self.rng);
        if let Some(noise) = options.noise {
            let edges = self.tree.edges_of(ROOT);
            let mut draw = vec![0.0; edges.len()];
            dirichlet(&mut draw, noise.alpha.into(), &mut self.rng);
            for (edge, draw) in self.tree.edges[edges].iter_mut().zip(draw) {
                edge.prior = (1.0 - noise.share) * edge.logit.exp() + noise.share * draw;
            }
        }
        let mut bandit = Bandit(options);
        let mut tell = |tree: &Tree<G>, spent| tell(&with_policy(tree.report("mcts", spent, course.start)));
        let spent = self.tree.run(&mut self.guide, &mut bandit, course, &mut self.rng, &mut tell);
        with_policy(self.tree.report("mcts", spent, course.start))
    }
}

/// The visits are what a player should learn from this search.
fn with_policy<M>(mut report: Report<M>) -> Report<M> {
    for candidate in &mut report.candidates {
        candidate.policy = Some(candidate.share);
    }
    report
}

impl<G: Game, J: Guide<G> + Send, R: Rng + Send> Agent<G> for Mcts<G, J, R> {
    /// Spends the budget exactly, unless the root has one legal move only, is solved before, or time runs out. With
    /// more than one thread, what is found depends on the budget and the seed only as long as time does not matter,
    /// and nothing is told before the end.
    fn think_aloud(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        if moves.len() == 1 || limits.nodes == 0 || stop.is_raised() {
            return unsearched::<G>("mcts", &moves, start);
        }
        let Self { options, rng, workers } = self;
        let course = |limits| Course {
            limits,
            stop,
            start,
            batch: options.batch,
            depth: None,
            amaf: options.rave.is_some(),
        };
        let mut report = match &mut workers[..] {
            [worker] => worker.search(root, options, &course(limits), tell),
            workers => {
                let limits = merge::split(limits, workers.len());
                let reports: Vec<Report<G::Move>> = std::thread::scope(|scope| {
                    let threads: Vec<_> = (workers.iter_mut().zip(&limits))
                        .map(|(worker, limits)| {
                            let course = course(limits);
                            let options = &*options;
                            scope.spawn(move || worker.search(root, options, &course, &mut |_| ()))
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
                report.line = workers[0].tree.line(report.best);
            }
        }
        report
    }
}

/// A move drawn in proportion to its visits to the power of 1 / temperature; the first without any visits.
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
