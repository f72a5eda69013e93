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

/// An evaluator that keeps up with the play instead of looking at every position afresh.
///
/// What it remembers of a position is its memory, a value of its own: searches that go back keep one for every
/// position on their way, beside the position itself.
pub trait Follow<G: Game> {
    /// What is remembered of one position.
    type Memory: Clone + Send;

    /// What there is to remember of `position`, found out afresh.
    fn remember(&self, position: &G) -> Self::Memory;

    /// Plays the legal move `m` and brings the memory up to date by what the rules announce.
    fn play(&self, position: &mut G, memory: &mut Self::Memory, m: G::Move);

    /// What every seat can expect in `position`, whose memory this is. Values are as those of [`Evaluate`].
    fn values(&mut self, position: &G, memory: &Self::Memory) -> Values;
}

/// An evaluator that remembers nothing.
#[derive(Clone, Copy, Debug)]
pub struct Afresh<E>(pub E);

impl<G: Game, E: Evaluate<G>> Follow<G> for Afresh<E> {
    type Memory = ();

    fn remember(&self, _: &G) {}

    fn play(&self, position: &mut G, (): &mut (), m: G::Move) {
        position.play_unchecked(m, &mut ());
    }

    fn values(&mut self, position: &G, (): &()) -> Values {
        self.0.values(position)
    }
}
