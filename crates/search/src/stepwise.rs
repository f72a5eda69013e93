//! Searches that hand out their requests instead of calling an evaluator.

use game::{Evaluation, Evaluator, Game, Request, cleared};

use crate::{Limits, Report, Stop};

/// A search that is advanced from outside, one batch of requests at a time.
///
/// Whoever drives it owns the evaluator: [`Agent::think`](crate::Agent::think) is a loop over one search, and
/// [`drive`](crate::drive) runs many searches into common batches.
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
    /// Starts a search of `root` within `limits`. A search under way is abandoned; what is known of earlier roots may be
    /// used again.
    ///
    /// # Panics
    /// If the game is over at `root`.
    fn begin(&mut self, root: &G, limits: &Limits);

    /// Advances to the next requests, unless some wait already, or to the end. Ends soon after `stop` is raised or time
    /// has run out: requests that wait then are dropped.
    fn step(&mut self, stop: &Stop) -> Step;

    /// How many requests wait for an answer.
    fn pending(&self) -> usize;

    /// One of the waiting requests, counted from 0.
    ///
    /// # Panics
    /// If there are not so many.
    fn request(&self, index: usize) -> Request<'_, G>;

    /// Takes the answers to all waiting requests, in their order.
    ///
    /// # Panics
    /// If there are more or fewer answers than requests.
    fn resume(&mut self, evaluations: &[Evaluation<G::Move>]);

    /// What has been found so far.
    ///
    /// # Panics
    /// If no search was ever [begun](Self::begin).
    fn report(&self) -> Report<G::Move>;
}

impl<G: Game, S: Search<G> + ?Sized> Search<G> for Box<S> {
    fn begin(&mut self, root: &G, limits: &Limits) {
        (**self).begin(root, limits);
    }

    fn step(&mut self, stop: &Stop) -> Step {
        (**self).step(stop)
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
    /// Requests wait for an answer.
    Evaluate,
    /// Nothing; but the search has got noticeably further, and its [report](Search::report) is worth reading.
    Progress,
    /// Nothing: the search is over.
    Done,
}

/// An evaluator that a search owns, and room for its answers.
pub(crate) struct Owned<G: Game> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    evaluations: Vec<Evaluation<G::Move>>,
}

impl<G: Game> Owned<G> {
    pub(crate) fn new(evaluator: Box<dyn Evaluator<G> + Send>) -> Self {
        Self { evaluator, evaluations: Vec::new() }
    }

    /// Drives a search that was begun to its end.
    pub(crate) fn run(
        &mut self,
        search: &mut impl Search<G>,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        loop {
            match search.step(stop) {
                Step::Done => return search.report(),
                Step::Progress => tell(&search.report()),
                Step::Evaluate => {
                    let count = search.pending();
                    let answers = cleared(&mut self.evaluations, count);
                    if count == 1 {
                        // The usual case needs no list of its own.
                        self.evaluator.evaluate(&[search.request(0)], answers);
                    } else {
                        let requests: Vec<_> = (0..count).map(|index| search.request(index)).collect();
                        self.evaluator.evaluate(&requests, answers);
                    }
                    search.resume(answers);
                }
            }
        }
    }
}
