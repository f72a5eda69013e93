//! Two evaluators mixed in a fixed ratio.

use game::{
    Accumulator, Evaluation, Evaluator, Game, MAX_SEATS, Request, StaticEvaluator, Values, Wants, identity_of,
};

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
        mix(self.ratio, first, second)
    }
}

/// The mean of two lists of values, of which the first has the weight `ratio`.
fn mix(ratio: f32, first: Values, second: Values) -> Values {
    let mut mixed = Values::default();
    for seat in 0..MAX_SEATS {
        mixed.0[seat] = ratio * first.0[seat] + (1.0 - ratio) * second.0[seat];
    }
    mixed
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

/// An evaluator of batches, such as a policy and value network, whose values are mixed with those of a static evaluator.
/// Its policy stays as it is.
#[derive(Clone, Debug)]
pub struct BlendedValues<E, S> {
    evaluator: E,
    other: S,
    /// The weight of the evaluator; the static one has the rest.
    ratio: f32,
}

impl<E, S> BlendedValues<E, S> {
    /// Mixes the values of `evaluator` with weight `ratio` and those of `other` with the rest.
    pub fn new(evaluator: E, other: S, ratio: f32) -> Self {
        Self { evaluator, other, ratio }
    }
}

impl<G: Game, E: Evaluator<G>, S: StaticEvaluator<G>> Evaluator<G> for BlendedValues<E, S> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        if !self.evaluator.evaluate_unless(requests, evaluations, is_interrupted) {
            return false;
        }
        for (request, evaluation) in requests.iter().zip(evaluations) {
            if request.wants == Wants::Values {
                evaluation.values = mix(self.ratio, evaluation.values, self.other.values(request.position));
            }
        }
        true
    }

    fn identity(&self) -> Option<u64> {
        let (evaluator, other) = (self.evaluator.identity()?, self.other.identity()?);
        Some(identity_of(("blended values", evaluator, other, self.ratio.to_bits())))
    }

    fn reseed(&mut self, seed: u64) {
        self.evaluator.reseed(seed);
    }
}
