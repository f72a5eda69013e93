use crate::{Game, Values};

/// Scores positions: what every seat can expect, without looking ahead.
///
/// Values are absolute, one per seat, in [−1, 1], whoever is to move. A finished game has exactly the values of its
/// [outcome](crate::Outcome::values), and a game that goes on stays strictly inside the interval, so that a search
/// can tell a certain win from a good position.
///
/// `&mut self` because an evaluator may keep a cache or scratch space; equal positions get equal values all the same.
///
/// ```
/// use game::{Evaluate, Game, Values, toy::{Take, TakeRules}};
///
/// /// Knows who has won and nothing else.
/// struct Blind;
///
/// impl<G: Game> Evaluate<G> for Blind {
///     fn values(&mut self, position: &G) -> Values {
///         position.outcome().map(|outcome| outcome.values()).unwrap_or_default()
///     }
/// }
///
/// let start = Take::new(&TakeRules { tokens: 5, most: 3, seats: 2 });
/// assert_eq!(Blind.values(&start), Values::default());
/// ```
pub trait Evaluate<G: Game> {
    /// What every seat can expect in `position`.
    fn values(&mut self, position: &G) -> Values;
}

/// A plain function is an evaluator, which tests like.
impl<G: Game, F: FnMut(&G) -> Values> Evaluate<G> for F {
    fn values(&mut self, position: &G) -> Values {
        self(position)
    }
}
