//! Static evaluators: one position at a time, values only.

use super::{Evaluation, Evaluator, Request, Wants, evaluate_in_pieces};
use crate::{Game, Values};

/// Evaluates one position at a time, without search and without a policy.
///
/// Values are absolute, one per seat, in [−1, 1], regardless of the seat to move. A finished game has exactly the
/// values of its [outcome](crate::Outcome::values). Values of unfinished games lie strictly inside the interval, so
/// that a search can distinguish a certain win from a good position.
///
/// Methods take `&mut self` because an evaluator may hold a cache or scratch space. Equal positions still get equal
/// values.
///
/// ```
/// use game::{Game, StaticEvaluator, Values, toy::{Take, TakeRules}};
///
/// /// Knows who has won and nothing else.
/// struct Results;
///
/// impl<G: Game> StaticEvaluator<G> for Results {
///     fn values(&mut self, position: &G) -> Values {
///         position.outcome().map(|outcome| outcome.values()).unwrap_or_default()
///     }
/// }
///
/// let start = Take::new(&TakeRules { tokens: 5, most: 3, seats: 2 });
/// assert_eq!(Results.values(&start), Values::default());
/// ```
pub trait StaticEvaluator<G: Game> {
    /// The value of `position` for every seat.
    fn values(&mut self, position: &G) -> Values;

    /// See [`Evaluator::identity`].
    fn identity(&self) -> Option<u64> {
        None
    }
}

/// A function from positions to values is an evaluator. It has no identity, so its answers are never cached.
impl<G: Game, F: FnMut(&G) -> Values> StaticEvaluator<G> for F {
    fn values(&mut self, position: &G) -> Values {
        self(position)
    }
}

/// A [`StaticEvaluator`] as an [`Evaluator`] with a uniform policy.
#[derive(Clone, Copy, Debug)]
pub struct ValuesOnly<E>(pub E);

impl<G: Game, E: StaticEvaluator<G>> Evaluator<G> for ValuesOnly<E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        for (request, evaluation) in requests.iter().zip(evaluations) {
            if request.wants == Wants::Values {
                evaluation.values = self.0.values(request.position);
            }
        }
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        evaluate_in_pieces(self, requests, evaluations, is_interrupted)
    }

    fn identity(&self) -> Option<u64> {
        self.0.identity()
    }
}
