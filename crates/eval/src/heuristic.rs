//! The evaluator.

use std::marker::PhantomData;

use game::{Accumulator, Game, MAX_SEATS, Seat, StaticEvaluator, Values, identity_of};
use ringrift::{Change, Geometry, Position};

use crate::{Persona, Profile, facts::Facts, tally::Tallies, weights::parts};

/// Scores positions of RingRift by a weighted sum of components.
///
/// Each seat is scored for itself; its value is the lead over the best of the others, squashed into (−1, 1).
///
/// It evaluates a position from scratch ([`StaticEvaluator`]), or keeps the sums over stacks up to date along the line of
/// a search ([`Accumulator`], for [`game::EagerLine`]); the values are the same.
#[derive(Clone, Debug)]
pub struct Heuristic<B: Geometry> {
    /// Profiles for two, three and four seats.
    profiles: [Profile; 3],
    identity: u64,
    board: PhantomData<B>,
}

impl<B: Geometry> Heuristic<B> {
    /// The largest value of a position that is not won: certain wins are worth more than any lead.
    pub const MOST: f32 = 0.999;

    /// The shipped profiles of the board, as this persona sees them.
    pub fn new(persona: Persona) -> Self {
        Self::with_profiles([2, 3, 4].map(|seats| Profile::shipped(B::BOARD, seats).with(persona)))
    }

    /// With other profiles, for two, three and four seats.
    pub fn with_profiles(profiles: [Profile; 3]) -> Self {
        // The text of a number tells it from every other.
        let identity = identity_of(("heuristic", B::BOARD.to_string(), format!("{profiles:?}")));
        Self { profiles, identity, board: PhantomData }
    }

    fn profile(&self, seats: usize) -> &Profile {
        &self.profiles[seats - 2]
    }

    /// The score of every seat, unsquashed and not compared with the others'. Of a game under way.
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

    /// Every component of one seat by name, unweighted: what the score is made of.
    pub fn components(&self, position: &Position<B>, seat: Seat) -> Vec<(&'static str, f32)> {
        parts(&Facts::new(position, &Tallies::new(position)), seat)
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

/// Odd, rising, with slope 1 at 0 and limits ±1. Kinder to strong leads than tanh, and without a call to the
/// mathematics library, so the same bits on every machine.
fn squash(lead: f32) -> f32 {
    lead / (1.0 + lead.abs())
}
