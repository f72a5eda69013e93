//! Two evaluators mixed in a fixed ratio.

use game::{Accumulator, Game, MAX_SEATS, StaticEvaluator, Values, identity_of};

/// The weighted mean of two evaluators, such as a network and the heuristic.
#[derive(Clone, Debug)]
pub struct Blend<A, B> {
    first: A,
    second: B,
    /// The weight of the first; the second has the rest.
    ratio: f32,
}

impl<A, B> Blend<A, B> {
    /// Mixes `first` with weight `ratio` and `second` with the rest.
    pub fn new(first: A, second: B, ratio: f32) -> Self {
        Self { first, second, ratio }
    }

    /// Both evaluators, and the weight of the first.
    pub fn into_parts(self) -> (A, B, f32) {
        (self.first, self.second, self.ratio)
    }

    fn mix(&self, first: Values, second: Values) -> Values {
        let mut mixed = Values::default();
        for seat in 0..MAX_SEATS {
            mixed.0[seat] = self.ratio * first.0[seat] + (1.0 - self.ratio) * second.0[seat];
        }
        mixed
    }
}

impl<G: Game, A: StaticEvaluator<G>, B: StaticEvaluator<G>> StaticEvaluator<G> for Blend<A, B> {
    fn values(&mut self, position: &G) -> Values {
        // Rounding must not change the exact values of finished games.
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let (first, second) = (self.first.values(position), self.second.values(position));
        self.mix(first, second)
    }

    fn identity(&self) -> Option<u64> {
        Some(identity_of((self.first.identity()?, self.second.identity()?, self.ratio.to_bits())))
    }
}

impl<G: Game, A: Accumulator<G>, B: Accumulator<G>> Accumulator<G> for Blend<A, B> {
    type State = (A::State, B::State);

    fn refresh(&self, position: &G) -> Self::State {
        (self.first.refresh(position), self.second.refresh(position))
    }

    #[inline]
    fn update(&self, state: &mut Self::State, change: &G::Change) {
        self.first.update(&mut state.0, change);
        self.second.update(&mut state.1, change);
    }

    fn values(&mut self, position: &G, state: &Self::State) -> Values {
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let (first, second) = (self.first.values(position, &state.0), self.second.values(position, &state.1));
        self.mix(first, second)
    }
}
