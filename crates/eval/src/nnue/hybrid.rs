//! A network beside the heuristic: it reads the components of the heuristic as well, and learns how much they count.
//!
//! On large boards the cells alone take many games to learn from, while the components know regions, captures and
//! mobility at once. A network over both starts as the heuristic and learns what the heuristic does not see.

use std::marker::PhantomData;

use game::{Game, Seat};
use ringrift::{Geometry, Position};

use super::{FeatureSet, Features};
use crate::{
    Profile,
    facts::Facts,
    tally::Tallies,
    weights::{Weights, components_of},
};

/// The [`Features`] of positions on the board `B`, with the components of the heuristic as scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HybridFeatures<B>(PhantomData<B>);

impl<B: Geometry> FeatureSet<B> for HybridFeatures<B> {
    fn id() -> String {
        format!("ringrift-{}-hybrid1", B::BOARD)
    }

    fn count() -> usize {
        Features::<B>::count()
    }

    fn groups() -> Vec<usize> {
        Features::<B>::groups()
    }

    fn image(symmetry: usize) -> Vec<u16> {
        Features::<B>::image(symmetry)
    }

    fn kinds() -> Vec<Option<u16>> {
        Features::<B>::kinds()
    }

    fn active(position: &Position<B>, seat: Seat, active: &mut Vec<u16>) {
        Features::<B>::active(position, seat, active);
    }

    fn heads(stages: usize) -> usize {
        Features::<B>::heads(stages)
    }

    fn head(position: &Position<B>, seat: Seat, heads: usize) -> usize {
        <Features<B> as FeatureSet<B>>::head(position, seat, heads)
    }

    fn scalars() -> usize {
        Weights::COUNT
    }

    fn read_scalars(position: &Position<B>, scalars: &mut Vec<f32>) {
        let tallies = Tallies::new(position);
        let facts = Facts::new(position, &tallies);
        scalars.clear();
        scalars.extend(Seat::all(position.seats()).flat_map(|seat| components_of(&facts, seat)));
    }

    /// Those of the shipped profile for two seats, as logits: near 0 the network then has the heuristic's values.
    fn scalar_weights() -> Vec<f32> {
        let Profile { weights, scale } = Profile::shipped(B::BOARD, 2);
        weights.to_array().map(|weight| 2.0 * weight / scale).to_vec()
    }
}
