//! The evaluator seam: the requests of searches and the answers of evaluators.
//!
//! An [`Evaluator`] answers a batch of [`Request`]s with an [`Evaluation`] each. Heuristics, random playouts, networks
//! and decorators such as [`Cached`] all implement it. A [`StaticEvaluator`] is the simple case: one position in, one
//! value per seat out; [`ValuesOnly`] turns it into an [`Evaluator`]. A [`LineEvaluator`] follows a depth-first search
//! along its line and updates incrementally.

mod cached;
mod line;
mod static_evaluator;

use std::hash::{DefaultHasher, Hash, Hasher};

pub use cached::{CacheCounts, Cached};
pub use line::{Accumulator, EagerLine, FromScratch, LazyLine, LineEvaluator};
pub use static_evaluator::{StaticEvaluator, ValuesOnly};

use crate::{Game, Seat, Values};

/// A position to evaluate, borrowed from the search.
#[derive(Debug)]
pub struct Request<'a, G: Game> {
    /// The position. The game is not over.
    pub position: &'a G,
    /// Its legal moves, in the order of [`Game::legal_moves`]. Empty if the search does not use a policy.
    pub moves: &'a [G::Move],
    /// Which part of the evaluation the search needs.
    pub wants: Wants,
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derive would ask for positions that are Copy")]
impl<G: Game> Clone for Request<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Request<'_, G> {}

/// The part of an [`Evaluation`] that a [`Request`] asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wants {
    /// The values of the position. An evaluator that gets the policy in the same pass, such as a network, fills in the
    /// logits as well.
    Values,
    /// The policy. A tree search sends this request when it revisits a position whose values came without logits, so
    /// that an evaluator with a costly policy computes it only where it is used. The values are ignored.
    Policy,
}

/// The answer to a [`Request`].
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation<M> {
    /// The expected result for each seat, in [−1, 1].
    pub values: Values,
    /// One logit per legal move; their softmax is the prior. Empty if the evaluator has no policy; all moves are then
    /// equally likely.
    pub logits: Vec<f32>,
    /// The moves of the playout that produced the values, starting at the position, each with the seat that played it.
    /// Empty if there was no playout. AMAF statistics are updated from them.
    pub playout: Vec<(Seat, M)>,
    /// Further outputs by name, such as `uncertainty` or `ownership`.
    pub extras: Vec<(&'static str, Vec<f32>)>,
}

impl<M> Default for Evaluation<M> {
    fn default() -> Self {
        Self { values: Values::default(), logits: Vec::new(), playout: Vec::new(), extras: Vec::new() }
    }
}

impl<M> Evaluation<M> {
    /// Clears the evaluation but keeps its allocations.
    pub fn clear(&mut self) {
        self.values = Values::default();
        self.logits.clear();
        self.playout.clear();
        self.extras.clear();
    }
}

/// Clears the first `count` evaluations, extending the vector if necessary, and returns them.
pub fn cleared<M>(evaluations: &mut Vec<Evaluation<M>>, count: usize) -> &mut [Evaluation<M>] {
    if evaluations.len() < count {
        evaluations.resize_with(count, Evaluation::default);
    }
    evaluations[..count].iter_mut().for_each(Evaluation::clear);
    &mut evaluations[..count]
}

/// Evaluates positions in batches.
///
/// The answer to a request does not depend on the other requests of its batch: an evaluator that draws random numbers
/// draws them request by request, in order, and any other evaluator gives equal positions equal answers. Values are
/// absolute, one per seat, regardless of the seat to move.
///
/// ```
/// use game::{Evaluation, Evaluator, Game, Request, ValuesOnly, Values, Wants, toy::{Take, TakeRules}};
///
/// let start = Take::new(&TakeRules { tokens: 5, most: 3, seats: 2 });
/// let mut moves = Vec::new();
/// start.legal_moves(&mut moves);
/// // A closure from positions to values is a static evaluator.
/// let mut evaluator = ValuesOnly(|_: &Take| Values([0.25, -0.25, 0.0, 0.0]));
/// let mut answers = [Evaluation::default()];
/// evaluator.evaluate(&[Request { position: &start, moves: &moves, wants: Wants::Values }], &mut answers);
/// assert_eq!(answers[0].values.0[0], 0.25);
/// assert!(answers[0].logits.is_empty(), "no policy");
/// ```
pub trait Evaluator<G: Game> {
    /// Answers `requests[i]` in `evaluations[i]`. The caller passes one [cleared](Evaluation::clear) evaluation per
    /// request.
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]);

    /// Like [`evaluate`](Self::evaluate), but gives up soon after `is_interrupted` returns `true`, so that a search
    /// can end in time whatever its evaluator costs. Returns whether every request was answered; if not, all answers
    /// are meaningless.
    ///
    /// The default does not check, which suits evaluators that answer a batch within a few milliseconds. Evaluators that
    /// take the requests one by one, or evaluate many positions for one request, check in between.
    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let _ = is_interrupted;
        self.evaluate(requests, evaluations);
        true
    }

    /// A number that distinguishes this evaluator from evaluators with different answers. Caches use it as part of
    /// their key. `None` if equal positions may get different answers, so that they must not be cached.
    fn identity(&self) -> Option<u64> {
        None
    }

    /// Reseeds the random number generator, so that two copies draw different numbers. The default does nothing, for
    /// evaluators without randomness.
    fn reseed(&mut self, seed: u64) {
        let _ = seed;
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Box<E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        (**self).evaluate(requests, evaluations);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        (**self).evaluate_unless(requests, evaluations, is_interrupted)
    }

    fn identity(&self) -> Option<u64> {
        (**self).identity()
    }

    fn reseed(&mut self, seed: u64) {
        (**self).reseed(seed);
    }
}

/// [`Evaluator::evaluate_unless`] for evaluators that gain nothing from batches: calls [`Evaluator::evaluate`] with a few
/// requests at a time, and checks for an interruption in between.
pub fn evaluate_in_pieces<G: Game>(
    evaluator: &mut impl Evaluator<G>,
    requests: &[Request<'_, G>],
    evaluations: &mut [Evaluation<G::Move>],
    is_interrupted: &dyn Fn() -> bool,
) -> bool {
    // A random playout takes up to two milliseconds.
    const PIECE: usize = 16;
    let pieces = requests.chunks(PIECE).zip(evaluations.chunks_mut(PIECE));
    for (index, (requests, evaluations)) in pieces.enumerate() {
        if index > 0 && is_interrupted() {
            return false;
        }
        evaluator.evaluate(requests, evaluations);
    }
    true
}

/// Hashes everything that determines the answers of an evaluator into an [identity](Evaluator::identity).
pub fn identity_of(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}
