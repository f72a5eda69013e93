//! RingRift evaluated by an efficiently updatable network.

mod feature_set;
mod features;
mod hybrid;
mod seed;
pub(crate) mod softmax;
#[cfg(test)]
mod tests;

use std::{marker::PhantomData, sync::Arc};

use game::{Accumulator, Game, MAX_SEATS, Seat, StaticEvaluator, Values};
use nn::{Block, ModelError, ModelFile, Nnue, QuantisedNnue};
use ringrift::{Change, Geometry, Position};

use crate::{
    facts::Facts,
    tally::Tallies,
    weights::{Weights, components_of},
};
use features::TurnFeatures;
use softmax::softmax_values;

pub use feature_set::FeatureSet;
pub use features::Features;
pub use hybrid::HybridFeatures;
pub use seed::{SeedEvaluator, SeedFeatures};

/// Evaluates positions on the board `B` by a network in small integers.
///
/// Each seat has an accumulator of what it sees; the network turns it into a logit, and the softmax over seats is the
/// share of the game each seat can expect. A network over [`HybridFeatures`] reads the components of the heuristic as well.
/// From scratch as a [`StaticEvaluator`], along the line of a search as an
/// [`Accumulator`]; the values are the same.
#[derive(Clone, Debug)]
pub struct NnueEvaluator<B: Geometry> {
    net: Arc<QuantisedNnue>,
    identity: u64,
    board: PhantomData<B>,
}

/// Why a network cannot evaluate positions of a board.
#[derive(Debug, thiserror::Error)]
pub enum NnueError {
    /// Not a model file, or one of another kind.
    #[error(transparent)]
    File(#[from] ModelError),
    /// The features are those of another encoder.
    #[error("the net reads {found:?}, but this board is encoded as {expected:?}: use a net of this board")]
    Encoder {
        /// What the file says.
        found: String,
        /// What the board needs.
        expected: String,
    },
    /// The network cannot be played in small integers.
    #[error(transparent)]
    Quantise(#[from] nn::QuantiseError),
}

impl<B: Geometry> NnueEvaluator<B> {
    /// The largest value of a position that is not won: certain wins are worth more.
    const MOST: f32 = 0.999;

    /// The encoders whose networks this evaluates: without and with the components of the heuristic.
    pub fn encoders() -> [String; 2] {
        [Features::<B>::id(), HybridFeatures::<B>::id()]
    }

    /// The network of a model file.
    ///
    /// # Errors
    /// If the bytes are not a network for this board.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NnueError> {
        let file = ModelFile::from_bytes(bytes)?;
        let found = &file.header.encoder;
        if !Self::encoders().contains(found) {
            let [expected, hybrid] = Self::encoders();
            let expected = format!("{expected} or {hybrid}");
            return Err(NnueError::Encoder { found: found.clone(), expected });
        }
        let hash = ModelFile::hash(bytes);
        Self::new(&Nnue::from_file(&file)?, game::identity_of(hash))
    }

    /// A network that is known to caches by `identity`.
    ///
    /// # Errors
    /// If it does not fit this board, or into small integers.
    pub fn new(net: &Nnue<f32>, identity: u64) -> Result<Self, NnueError> {
        Self::check(net.shape.features, net.shape.buckets, net.shape.scalars)?;
        let quantised = QuantisedNnue::new(net, &Features::<B>::groups())?;
        Self::shared(Arc::new(quantised), identity)
    }

    /// A network in small integers that other evaluators may use too, known to caches by `identity`.
    ///
    /// # Errors
    /// If it does not fit this board.
    pub fn shared(net: Arc<QuantisedNnue>, identity: u64) -> Result<Self, NnueError> {
        Self::check(net.features(), net.buckets(), net.scalars())?;
        Ok(Self { net, identity, board: PhantomData })
    }

    fn check(features: usize, heads: usize, scalars: usize) -> Result<(), NnueError> {
        let expected = Features::<B>::count();
        let has_heads = heads > 0 && heads.is_multiple_of(MAX_SEATS);
        if features == expected && has_heads && [0, Weights::COUNT].contains(&scalars) {
            return Ok(());
        }
        let found = format!("{features} features, {heads} heads, {scalars} scalars");
        let expected = format!(
            "{} ({expected} features, a multiple of {MAX_SEATS} heads, no scalars or {})",
            Features::<B>::id(),
            Weights::COUNT
        );
        Err(NnueError::Encoder { found, expected })
    }

    /// The network.
    pub fn net(&self) -> &Arc<QuantisedNnue> {
        &self.net
    }
}

/// The accumulators of all seats, without what is read off the position when it is evaluated.
#[derive(PartialEq, Eq, Debug)]
pub struct Accumulators {
    sums: Vec<Block>,
    /// What the components of the heuristic are computed from; counted only for networks that read them.
    tallies: Tallies,
}

impl Clone for Accumulators {
    fn clone(&self) -> Self {
        Self { sums: self.sums.clone(), tallies: self.tallies }
    }

    /// Reuses the memory: a search copies accumulators for almost every node.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.sums.clone_from(&source.sums);
        self.tallies = source.tallies;
    }
}

impl<B: Geometry> Accumulator<Position<B>> for NnueEvaluator<B> {
    type State = Accumulators;

    fn refresh(&self, position: &Position<B>) -> Accumulators {
        let mut sums = self.net.accumulator().repeat(position.seats());
        for (cell, content) in position.contents() {
            let Some(feature) = Features::<B>::of_cell(cell, content) else { continue };
            for (seat, sums) in Seat::all(position.seats()).zip(sums.chunks_exact_mut(self.net.blocks())) {
                self.net.add(feature.seen_from(seat), sums);
            }
        }
        let tallies = if self.net.scalars() > 0 { Tallies::new(position) } else { Tallies::default() };
        Accumulators { sums, tallies }
    }

    #[inline]
    fn update(&self, state: &mut Accumulators, change: &Change) {
        if self.net.scalars() > 0 {
            state.tallies.update(change);
        }
        let [before, after] =
            [change.before, change.after].map(|content| Features::<B>::of_cell(change.cell, content));
        if before == after {
            return;
        }
        let perspectives = state.sums.chunks_exact_mut(self.net.blocks()).enumerate();
        for (seat, sums) in perspectives.map(|(index, sums)| (Seat::new(index), sums)) {
            match (before, after) {
                (Some(before), Some(after)) => {
                    self.net.replace(before.seen_from(seat), after.seen_from(seat), sums);
                }
                (Some(before), None) => self.net.remove(before.seen_from(seat), sums),
                (None, Some(after)) => self.net.add(after.seen_from(seat), sums),
                (None, None) => {}
            }
        }
    }

    fn values(&mut self, position: &Position<B>, state: &Accumulators) -> Values {
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let seats = position.seats();
        let head = Features::<B>::head(position, self.net.buckets());
        let turn = TurnFeatures::new(position);
        let mut logits = [0.0; MAX_SEATS];
        for (seat, sums) in Seat::all(seats).zip(state.sums.chunks_exact(self.net.blocks())) {
            let head = head + turn.turns_until(seat);
            let output = self.net.output(sums, turn.seen_from(seat).as_slice(), head);
            logits[seat.index()] = output as f32 / QuantisedNnue::unit();
        }
        if self.net.scalars() > 0 {
            let facts = Facts::new(position, &state.tallies);
            for seat in Seat::all(seats) {
                let components = components_of(&facts, seat);
                logits[seat.index()] += self.net.scalar_logit(&components, head + turn.turns_until(seat));
            }
        }
        Values(softmax_values(logits, seats).map(|value| value.clamp(-Self::MOST, Self::MOST)))
    }
}

impl<B: Geometry> StaticEvaluator<Position<B>> for NnueEvaluator<B> {
    fn values(&mut self, position: &Position<B>) -> Values {
        let state = self.refresh(position);
        Accumulator::values(self, position, &state)
    }

    fn identity(&self) -> Option<u64> {
        Some(self.identity)
    }
}
