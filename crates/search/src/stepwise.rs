//! Step-wise searches, which yield requests instead of calling an evaluator.

use game::{Evaluation, Evaluator, Game, Request, cleared};

use crate::{Limits, Report, Stop};

/// A search that its caller advances step by step, one batch of requests at a time.
///
/// The caller owns the evaluator: [`Agent::think`](crate::Agent::think) is a loop over one search, and
/// [`drive`](crate::drive) runs many searches with common batches.
///
/// ```
/// use game::{Evaluator, Game, ValuesOnly, Values, cleared, toy::{Take, TakeMove, TakeRules}};
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
/// use search::{Limits, MctsOptions, MctsSearch, Search, Step, Stop};
///
/// let mut position = Take::new(&TakeRules { tokens: 6, most: 3, seats: 2 });
/// position.play(TakeMove::One)?;
/// let mut evaluator = ValuesOnly(|_: &Take| Values::default());
/// let mut search = MctsSearch::new(Xoshiro256PlusPlus::seed_from_u64(1), MctsOptions::default());
/// let (stop, mut evaluations) = (Stop::default(), Vec::new());
/// search.begin(&position, &Limits::nodes(200));
/// loop {
///     match search.step(&stop) {
///         Step::Evaluate => {
///             let requests: Vec<_> = (0..search.pending()).map(|index| search.request(index)).collect();
///             let answers = cleared(&mut evaluations, requests.len());
///             evaluator.evaluate(&requests, answers);
///             search.resume(answers);
///         }
///         Step::Progress => {}
///         Step::Done => break,
///     }
/// }
/// assert_eq!(search.report().best, TakeMove::One);
/// # Ok::<(), game::toy::TakeFault>(())
/// ```
pub trait Search<G: Game>: Send {
    /// Starts a search of `root` within `limits`. Abandons the current search, if any. Results of earlier searches may
    /// be reused.
    ///
    /// # Panics
    /// If the game is over at `root`.
    fn begin(&mut self, root: &G, limits: &Limits);

    /// Advances until there are requests to answer or the search is done. Ends soon after `stop` is raised or time runs
    /// out, dropping pending requests.
    fn step(&mut self, stop: &Stop) -> Step;

    /// Whether `stop` is raised or time has run out, so that pending requests need no answers: the next
    /// [`step`](Self::step) drops them and ends the search. The first evaluation of a search may be given a little more
    /// time, without which it would have to play an arbitrary move.
    fn is_interrupted(&self, stop: &Stop) -> bool;

    /// The number of pending requests.
    fn pending(&self) -> usize;

    /// The pending request with this index, counted from 0.
    ///
    /// # Panics
    /// If `index` is not below [`pending`](Self::pending).
    fn request(&self, index: usize) -> Request<'_, G>;

    /// Passes the answers to all pending requests, in order.
    ///
    /// # Panics
    /// If the number of answers differs from the number of requests.
    fn resume(&mut self, evaluations: &[Evaluation<G::Move>]);

    /// The results so far.
    ///
    /// # Panics
    /// If no search has [begun](Self::begin).
    fn report(&self) -> Report<G::Move>;
}

impl<G: Game, S: Search<G> + ?Sized> Search<G> for Box<S> {
    fn begin(&mut self, root: &G, limits: &Limits) {
        (**self).begin(root, limits);
    }

    fn step(&mut self, stop: &Stop) -> Step {
        (**self).step(stop)
    }

    fn is_interrupted(&self, stop: &Stop) -> bool {
        (**self).is_interrupted(stop)
    }

    fn pending(&self) -> usize {
        (**self).pending()
    }

    fn request(&self, index: usize) -> Request<'_, G> {
        (**self).request(index)
    }

    fn resume(&mut self, evaluations: &[Evaluation<G::Move>]) {
        (**self).resume(evaluations);
    }

    fn report(&self) -> Report<G::Move> {
        (**self).report()
    }
}

/// What a [`Search`] needs next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Answers to the pending requests.
    Evaluate,
    /// Nothing, but the search has made noticeable progress and its [report](Search::report) is worth reading.
    Progress,
    /// Nothing: the search is over.
    Done,
}

/// An evaluator that an agent owns, with a buffer for its answers.
pub(crate) struct OwnedEvaluator<G: Game> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    evaluations: Vec<Evaluation<G::Move>>,
}

impl<G: Game> OwnedEvaluator<G> {
    pub(crate) fn new(evaluator: Box<dyn Evaluator<G> + Send>) -> Self {
        Self { evaluator, evaluations: Vec::new() }
    }

    /// Runs a search that was begun until it is done.
    pub(crate) fn run(
        &mut self,
        search: &mut impl Search<G>,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        loop {
            match search.step(stop) {
                Step::Done => return search.report(),
                Step::Progress => on_progress(&search.report()),
                Step::Evaluate => {
                    let count = search.pending();
                    let answers = cleared(&mut self.evaluations, count);
                    let is_interrupted = || search.is_interrupted(stop);
                    let answered = if count == 1 {
                        // Avoids an allocation in the common case.
                        self.evaluator.evaluate_unless(&[search.request(0)], answers, &is_interrupted)
                    } else {
                        let requests: Vec<_> = (0..count).map(|index| search.request(index)).collect();
                        self.evaluator.evaluate_unless(&requests, answers, &is_interrupted)
                    };
                    // Without answers, the next step ends the search.
                    if answered {
                        search.resume(answers);
                    }
                }
            }
        }
    }
}
