//! The static evaluator for RingRift.

use std::marker::PhantomData;

use game::{Accumulator, Game, MAX_SEATS, Seat, StaticEvaluator, Values, identity_of};
use ringrift::{Change, Geometry, Position};

use crate::{
    Persona, Profile,
    facts::Facts,
    tally::Tallies,
    weights::{Weights, components_of},
};

/// Evaluates positions of RingRift by a weighted sum of components.
///
/// Each seat has a score; its value is its lead over the best opponent, squashed into (−1, 1).
///
/// It evaluates a position from scratch ([`StaticEvaluator`]), or updates the sums over stacks incrementally along the
/// line of a search ([`Accumulator`], for [`game::EagerLine`]). Both give the same values.
#[derive(Clone, Debug)]
pub struct Heuristic<B: Geometry> {
    /// Profiles for two, three and four seats.
    profiles: [Profile; 3],
    identity: u64,
    board: PhantomData<B>,
}

impl<B: Geometry> Heuristic<B> {
    /// The largest value of an unfinished game, so that wins outweigh any lead.
    pub const MOST: f32 = 0.999;

    /// Creates an evaluator with the shipped profiles of the board, modified by a persona.
    pub fn new(persona: Persona) -> Self {
        Self::with_profiles([2, 3, 4].map(|seats| Profile::shipped(B::BOARD, seats).with(persona)))
    }

    /// Creates an evaluator with other profiles, for two, three and four seats.
    pub fn with_profiles(profiles: [Profile; 3]) -> Self {
        // The debug text of a float identifies it exactly.
        let identity = identity_of(("heuristic", B::BOARD.to_string(), format!("{profiles:?}")));
        Self { profiles, identity, board: PhantomData }
    }

    fn profile(&self, seats: usize) -> &Profile {
        &self.profiles[seats - 2]
    }

    /// The raw score of every seat in an unfinished game.
    pub fn scores(&self, position: &Position<B>) -> [f32; MAX_SEATS] {
        self.scores_with(position, &Tallies::new(position))
    }

    fn scores_with(&self, position: &Position<B>, tallies: &Tallies) -> [f32; MAX_SEATS] {
        let facts = Facts::new(position, tallies);
        let weights = &self.profile(position.seats()).weights;
        let mut scores = [0.0; MAX_SEATS];
        for seat in Seat::all(position.seats()) {
            scores[seat.index()] = weights.score(&facts, seat);
        }
        scores
    }

    /// The unweighted components of one seat's score, by name.
    pub fn components(&self, position: &Position<B>, seat: Seat) -> Vec<(&'static str, f32)> {
        let components = components_of(&Facts::new(position, &Tallies::new(position)), seat);
        Weights::NAMES.iter().copied().zip(components).collect()
    }
}

impl<B: Geometry> StaticEvaluator<Position<B>> for Heuristic<B> {
    fn values(&mut self, position: &Position<B>) -> Values {
        Accumulator::values(self, position, &Tallies::new(position))
    }

    fn identity(&self) -> Option<u64> {
        Some(self.identity)
    }
}

impl<B: Geometry> Accumulator<Position<B>> for Heuristic<B> {
    type State = Tallies;

    fn refresh(&self, position: &Position<B>) -> Tallies {
        Tallies::new(position)
    }

    #[inline]
    fn update(&self, state: &mut Tallies, change: &Change) {
        state.update(change);
    }

    fn values(&mut self, position: &Position<B>, state: &Tallies) -> Values {
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let seats = position.seats();
        let scores = self.scores_with(position, state);
        let scale = self.profile(seats).scale;
        let mut values = Values::default();
        for seat in 0..seats {
            let others = (0..seats).filter(|&other| other != seat).map(|other| scores[other]);
            let lead = scores[seat] - others.fold(f32::NEG_INFINITY, f32::max);
            values.0[seat] = squash(lead / scale).clamp(-Self::MOST, Self::MOST);
        }
        values
    }
}

/// An odd, increasing function with slope 1 at 0 and limits ±1. It saturates more slowly than tanh and does not call
/// the mathematics library, so it gives the same bits on every machine.
fn squash(lead: f32) -> f32 {
    lead / (1.0 + lead.abs())
}
