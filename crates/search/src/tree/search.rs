//! The step-wise search that all tree policies share.

use std::time::Duration;

use game::{Evaluation, Game, Request};
use rand::Rng;

use super::{Context, Tree, unsearched};
use crate::{Limits, Report, Search, Step, Stop};

/// What distinguishes one tree search from another: selection, preparation of the root, and the report.
pub(crate) trait TreePolicy<G: Game> {
    /// The name of the search in reports.
    const ENGINE: &'static str;

    /// The edge to follow from the node `at`, which is not solved and has edges.
    fn select(&mut self, tree: &Tree<G>, at: usize) -> usize;

    /// Whether a schedule depends on the visits of the root and its children, so that collisions must not change them.
    fn schedules_root(&self) -> bool {
        false
    }

    /// Whether the next simulation is the same one whatever the waiting ones find, and theirs whatever it finds, so that
    /// they can be evaluated together without changing the result.
    fn is_independent(&self, tree: &Tree<G>) -> bool {
        let _ = tree;
        false
    }

    /// Creates the context of a search within `limits`.
    fn context(&self, limits: &Limits) -> Context;

    /// Makes `root` the root of the tree.
    fn set_root(&self, tree: &mut Tree<G>, root: &G) {
        tree.set_root(root);
    }

    /// Called once the root has its edges, before the first simulation.
    fn prepare(&mut self, tree: &mut Tree<G>, limits: &Limits, rng: &mut impl Rng);

    /// Builds the report on the root.
    fn report(&self, tree: &Tree<G>, context: &Context) -> Report<G::Move>;
}

/// A tree search as a [`Search`]: [`MctsSearch`](crate::MctsSearch) or [`GumbelSearch`](crate::GumbelSearch).
#[derive(Debug)]
pub struct TreeSearch<G: Game, R, P> {
    pub(crate) policy: P,
    pub(crate) rng: R,
    pub(crate) tree: Tree<G>,
    phase: Phase,
    root: Option<G>,
    /// The legal moves of the root.
    moves: Vec<G::Move>,
    context: Context,
}

/// The time by which the evaluation of the root may exceed the time cap, since a search without it plays an arbitrary
/// move.
const ROOT_GRACE: Duration = Duration::from_millis(40);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Not started. The tree is still that of an earlier search, and stays so if this search is stopped now.
    Begun,
    /// The root is being evaluated and expanded.
    Root,
    Simulations,
    /// There is nothing to search.
    Unsearched,
}

#[expect(private_bounds, reason = "there are two policies, and each has an alias")]
impl<G: Game, R: Rng, P: TreePolicy<G>> TreeSearch<G, R, P> {
    pub(crate) fn with_policy(policy: P, rng: R) -> Self {
        let context = policy.context(&Limits::nodes(0));
        let (tree, phase) = (Tree::new(), Phase::Unsearched);
        Self { policy, rng, tree, phase, root: None, moves: Vec::new(), context }
    }

    /// Begins a search that evaluates the root even if the budget is zero.
    pub(crate) fn begin_with_root(&mut self, root: &G, limits: &Limits) {
        self.tree.abandon();
        self.context = self.policy.context(limits);
        root.legal_moves(&mut self.moves);
        assert!(!self.moves.is_empty(), "the game is over: there is nothing to choose");
        self.phase = if self.moves.len() == 1 { Phase::Unsearched } else { Phase::Begun };
        self.root = Some(root.clone());
    }
}

impl<G: Game, R: Rng + Send, P: TreePolicy<G> + Send> Search<G> for TreeSearch<G, R, P> {
    fn begin(&mut self, root: &G, limits: &Limits) {
        self.begin_with_root(root, limits);
        if limits.nodes == 0 {
            self.phase = Phase::Unsearched;
        }
    }

    fn step(&mut self, stop: &Stop) -> Step {
        if self.phase == Phase::Begun {
            if stop.is_raised() {
                self.phase = Phase::Unsearched;
            } else if let Some(root) = &self.root {
                self.policy.set_root(&mut self.tree, root);
                self.phase = Phase::Root;
            }
        }
        if self.phase == Phase::Root {
            if self.is_interrupted(stop) {
                self.tree.abandon();
                return Step::Done;
            }
            if self.tree.waiting() > 0 || self.tree.request_root() {
                return Step::Evaluate;
            }
            self.policy.prepare(&mut self.tree, &self.context.limits, &mut self.rng);
            self.phase = Phase::Simulations;
        }
        match self.phase {
            Phase::Simulations => self.tree.step(&mut self.policy, &mut self.context, stop),
            _ => Step::Done,
        }
    }

    fn is_interrupted(&self, stop: &Stop) -> bool {
        let grace = if self.phase == Phase::Root { ROOT_GRACE } else { Duration::ZERO };
        self.context.is_interrupted(stop, grace)
    }

    fn pending(&self) -> usize {
        self.tree.waiting()
    }

    fn request(&self, index: usize) -> Request<'_, G> {
        self.tree.request(index)
    }

    fn resume(&mut self, evaluations: &[Evaluation<G::Move>]) {
        let Self { policy, rng, tree, context, .. } = self;
        match self.phase {
            Phase::Root => tree.resume_root(&evaluations[0], context, rng),
            _ => tree.resume(evaluations, policy, context, rng),
        }
    }

    fn report(&self) -> Report<G::Move> {
        if self.phase != Phase::Simulations {
            return unsearched::<G>(P::ENGINE, &self.moves, self.context.start);
        }
        self.policy.report(&self.tree, &self.context)
    }
}
