//! RingRift evaluated by an efficiently updatable network.

mod features;
#[cfg(test)]
mod tests;

use std::{marker::PhantomData, sync::Arc};

use game::{Accumulator, Game, MAX_SEATS, Seat, StaticEvaluator, Values};
use nn::{ModelError, ModelFile, Nnue, QuantisedNnue};
use ringrift::{Change, Geometry, Position};

pub use features::Features;

/// Evaluates positions on the board `B` by a network in small integers.
///
/// Each seat has an accumulator of what it sees; the network turns it into a logit, and the softmax over seats is the
/// share of the game each seat can expect. From scratch as a [`StaticEvaluator`], along the line of a search as an
/// [`Accumulator`]; the values are the same.
#[derive(Clone, Debug)]
pub struct NnueEvaluator<B: Geometry> {
    net: Arc<QuantisedNnue>,
    buckets: usize,
    identity: u64,
    active: Vec<u16>,
    scratch: Vec<i16>,
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

    /// The network of a model file.
    ///
    /// # Errors
    /// If the bytes are not a network for this board.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NnueError> {
        let file = ModelFile::from_bytes(bytes)?;
        let (found, expected) = (&file.header.encoder, Features::<B>::id());
        if *found != expected {
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
        Self::check(net.shape.features, net.shape.buckets)?;
        let quantised = QuantisedNnue::new(net, &Features::<B>::groups())?;
        Self::shared(Arc::new(quantised), identity)
    }

    /// A network in small integers that other evaluators may use too, known to caches by `identity`.
    ///
    /// # Errors
    /// If it does not fit this board.
    pub fn shared(net: Arc<QuantisedNnue>, identity: u64) -> Result<Self, NnueError> {
        Self::check(net.features(), net.buckets())?;
        let (buckets, scratch) = (net.buckets(), vec![0; net.hidden()]);
        Ok(Self { net, buckets, identity, active: Vec::new(), scratch, board: PhantomData })
    }

    fn check(features: usize, heads: usize) -> Result<(), NnueError> {
        let expected = Features::<B>::count();
        if features == expected && heads > 0 && heads.is_multiple_of(MAX_SEATS) {
            return Ok(());
        }
        let found = format!("{features} features, {heads} heads");
        let expected =
            format!("{} ({expected} features, a multiple of {MAX_SEATS} heads)", Features::<B>::id());
        Err(NnueError::Encoder { found, expected })
    }

    /// The network.
    pub fn net(&self) -> &Arc<QuantisedNnue> {
        &self.net
    }

    fn hidden(&self) -> usize {
        self.net.hidden()
    }
}

/// The accumulators of all seats, without what is read off the position when it is evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accumulators {
    seats: usize,
    sums: Box<[i16]>,
}

impl<B: Geometry> Accumulator<Position<B>> for NnueEvaluator<B> {
    type State = Accumulators;

    fn refresh(&self, position: &Position<B>) -> Accumulators {
        let (seats, hidden) = (position.seats(), self.hidden());
        let mut sums = vec![0; seats * hidden].into_boxed_slice();
        for (seat, sums) in Seat::all(seats).zip(sums.chunks_exact_mut(hidden)) {
            let contents = position.contents();
            let active = contents.filter_map(|(cell, content)| Features::<B>::of_cell(cell, content, seat));
            self.net.refresh(active, sums);
        }
        Accumulators { seats, sums }
    }

    #[inline]
    fn update(&self, state: &mut Accumulators, change: &Change) {
        let hidden = self.hidden();
        for (seat, sums) in Seat::all(state.seats).zip(state.sums.chunks_exact_mut(hidden)) {
            let before = Features::<B>::of_cell(change.cell, change.before, seat);
            let after = Features::<B>::of_cell(change.cell, change.after, seat);
            match (before, after) {
                (Some(before), Some(after)) if before == after => {}
                (Some(before), Some(after)) => self.net.replace(before, after, sums),
                (Some(before), None) => self.net.remove(before, sums),
                (None, Some(after)) => self.net.add(after, sums),
                (None, None) => {}
            }
        }
    }

    fn values(&mut self, position: &Position<B>, state: &Accumulators) -> Values {
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let (seats, hidden) = (position.seats(), self.hidden());
        let (head, mover) = (Features::<B>::head(position, self.buckets), position.to_move().index());
        let mut logits = [0.0; MAX_SEATS];
        for (seat, sums) in Seat::all(seats).zip(state.sums.chunks_exact(hidden)) {
            self.scratch.copy_from_slice(sums);
            self.active.clear();
            Features::<B>::of_turn(position, seat, &mut self.active);
            for &feature in &self.active {
                self.net.add(feature, &mut self.scratch);
            }
            let head = head + (seat.index() + seats - mover) % seats;
            logits[seat.index()] = self.net.output(&self.scratch, head) as f32 / QuantisedNnue::unit();
        }
        nn::softmax(&mut logits[..seats]);
        let mut values = Values::default();
        for (value, share) in values.0[..seats].iter_mut().zip(logits) {
            *value = (2.0 * share - 1.0).clamp(-Self::MOST, Self::MOST);
        }
        values
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
