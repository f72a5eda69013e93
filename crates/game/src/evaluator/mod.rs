//! Evaluating positions: what searches ask, and what evaluators answer.
//!
//! An [`Evaluator`] answers a batch of [`Request`]s with an [`Evaluation`] each. Heuristics, random playouts and
//! networks all stand behind it, and so do decorators such as [`Cached`]. A [`StaticEvaluator`] is the simple case:
//! one position in, one value per seat out; [`ValuesOnly`] turns it into an [`Evaluator`]. A [`LineEvaluator`] follows
//! a depth-first search along its line and updates incrementally.

mod cached;
mod line;
mod static_evaluator;

use std::hash::{DefaultHasher, Hash, Hasher};

pub use cached::{CacheCounts, Cached};
pub use line::{Accumulator, EagerLine, FromScratch, LazyLine, LineEvaluator};
pub use static_evaluator::{StaticEvaluator, ValuesOnly};

use crate::{Game, Seat, Values};

/// A position to evaluate, borrowed from whoever asks.
#[derive(Debug)]
pub struct Request<'a, G: Game> {
    /// The position, in a game that goes on.
    pub position: &'a G,
    /// Its legal moves, in the order of [`Game::legal_moves`]. Empty if the asker has no use for a policy.
    pub moves: &'a [G::Move],
    /// What the asker needs.
    pub wants: Wants,
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derive would ask for positions that are Copy")]
impl<G: Game> Clone for Request<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Request<'_, G> {}

/// What a [`Request`] asks for.
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
    /// What each seat can expect, in [−1, 1].
    pub values: Values,
    /// One logit per legal move; their softmax is the prior. Empty if the evaluator has no policy: all moves are then
    /// equally likely.
    pub logits: Vec<f32>,
    /// The moves of the playout that gave the values, from the position on, and the seat that chose each; empty if
    /// there was none. All-moves-as-first statistics learn from them.
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
    /// Clears the answer and keeps its buffers.
    pub fn clear(&mut self) {
        self.values = Values::default();
        self.logits.clear();
        self.playout.clear();
        self.extras.clear();
    }
}

/// Clears the first `count` evaluations, adding as many as are missing, and returns them.
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
/// draws them request by request, in order, and any other gives equal positions equal answers. Values are absolute, one
/// per seat, whoever is to move.
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
/// assert!(answers[0].logits.is_empty(), "no opinion on moves");
/// ```
pub trait Evaluator<G: Game> {
    /// Answers `requests[i]` in `evaluations[i]`. The evaluations come in [cleared](Evaluation::clear), as many as
    /// there are requests.
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]);

    /// A number that tells this evaluator from others with different answers: caches use it as a part of their key.
    /// `None` if equal positions may get different answers, which must not be cached.
    fn identity(&self) -> Option<u64> {
        None
    }

    /// Restarts the random numbers from `seed`, so that two copies do not draw the same ones. Does nothing to an
    /// evaluator that draws none.
    fn reseed(&mut self, seed: u64) {
        let _ = seed;
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Box<E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        (**self).evaluate(requests, evaluations);
    }

    fn identity(&self) -> Option<u64> {
        (**self).identity()
    }

    fn reseed(&mut self, seed: u64) {
        (**self).reseed(seed);
    }
}

/// An [identity](Evaluator::identity) made of everything that decides the answers of an evaluator.
pub fn identity_of(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}
