//! Moves as points, by networks for energy-based move optimisation.

mod field;
mod go;
mod ringrift;
#[cfg(test)]
mod tests;

use ::go::Points;
use ::ringrift::Geometry;
use game::Game;
use nn::PvInput;

use crate::PvEncoder;

pub use self::{
    field::{EbmoError, EbmoField},
    go::GoEbmo,
    ringrift::RingRiftEbmo,
};

/// The number of features of an action.
///
/// | features | meaning |
/// |---|---|
/// | 0, 1 | column and row that it leaves, from 0 to 1; ½ for none |
/// | 2, 3 | column and row that it reaches |
/// | 4–11 | its type: place, move, capture, decline, line, territory, exchange of seats, elimination or recovery |
/// | 12, 13 | the direction, of length 1; for actions without one, what else tells them apart |
///
/// The size of a type's feature tells variants of the type apart, such as the number of rings placed.
pub const ACTION_FEATURES: usize = 14;

const TYPES: usize = 4;
const DIRECTION: usize = 12;

/// How positions of a game become planes, and their moves become actions: as terms of a [`PvInput`], in the order that
/// [`nn::EbmoNet`] reads them.
pub trait EbmoEncoder<G: Game>: PvEncoder<G> {
    /// Whether a move leaves the position nearly as it is, although its mover could act.
    fn is_skip(m: G::Move) -> bool;
}

/// A game with the encoder that its networks use.
pub trait EbmoGame: Game {
    /// The encoder.
    type Encoder: EbmoEncoder<Self>;
}

impl<B: Geometry> EbmoGame for ::ringrift::Position<B> {
    type Encoder = RingRiftEbmo<B>;
}

impl<P: Points> EbmoGame for ::go::Position<P> {
    type Encoder = GoEbmo;
}

/// An action under construction.
struct Action {
    features: [f32; ACTION_FEATURES],
    cells: [Option<usize>; 2],
}

impl Action {
    /// An action of a type, with the size of the type's feature, on a grid of this width.
    fn new(kind: usize, size: f32) -> Self {
        let mut features = [0.0; ACTION_FEATURES];
        features[..TYPES].fill(0.5);
        features[TYPES + kind] = size;
        Self { features, cells: [None; 2] }
    }

    /// Leaves (0) or reaches (1) a cell of a grid of this width.
    fn touch(&mut self, side: usize, cell: usize, width: usize) {
        let unit = |place: usize| place as f32 / (width - 1) as f32;
        self.features[2 * side] = unit(cell % width);
        self.features[2 * side + 1] = unit(cell / width);
        self.cells[side] = Some(cell);
    }

    /// Points from the cell it leaves to the one it reaches.
    fn point(&mut self) {
        let (across, down) = (self.features[2] - self.features[0], self.features[3] - self.features[1]);
        let length = across.hypot(down).max(1e-6);
        self.note([across / length, down / length]);
    }

    /// Tells the action apart by two more numbers.
    fn note(&mut self, numbers: [f32; 2]) {
        self.features[DIRECTION..].copy_from_slice(&numbers);
    }

    /// Adds the action to an input whose grid has this many cells.
    fn add(&self, cells: usize, input: &mut PvInput<f32>) {
        for (feature, &value) in self.features.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            input.term(feature, value);
        }
        for (side, cell) in self.cells.into_iter().enumerate() {
            if let Some(cell) = cell {
                input.term(ACTION_FEATURES + side * cells + cell, 1.0);
            }
        }
        input.end_move();
    }
}
