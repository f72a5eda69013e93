//! A reader of policies that answers a position once, however many games meet it.

use std::{collections::HashMap, sync::Arc};

use eval::{OmegaKernels, OmegaReader};
use go::{Points, Position};

/// About as many numbers of maps are remembered.
const REMEMBERED: usize = 1 << 22;

/// Everything that the map of a position depends on: own stones, the opponent's, sensible moves, and komi for the colour to
/// move in half points.
type Question<P> = (P, P, P, i32);

/// A reader that remembers the maps of positions.
///
/// Games of a policy often meet in the same positions: in the opening, and in all first moves of the continuations from one
/// position. The answer for a position does not depend on the others of its batch, so remembering changes nothing else.
pub(crate) struct RememberingReader<P> {
    reader: OmegaReader,
    places: HashMap<Question<P>, u32>,
    maps: Vec<f32>,
    /// The numbers of a map.
    length: usize,
}

impl<P: Points> RememberingReader<P> {
    /// A reader of these networks.
    pub(crate) fn new(kernels: Arc<OmegaKernels>) -> Self {
        let length = kernels.size() * kernels.size() + 1;
        Self { reader: OmegaReader::new(kernels), places: HashMap::new(), maps: Vec::new(), length }
    }

    /// The reader of values, which are not remembered.
    pub(crate) fn values(&mut self) -> &mut OmegaReader {
        &mut self.reader
    }

    /// The places of the maps of positions with their sensible moves. They are valid until the next call.
    pub(crate) fn find(&mut self, positions: &[(&Position<P>, P)]) -> Vec<u32> {
        if self.maps.len() > REMEMBERED {
            self.places.clear();
            self.maps.clear();
        }
        let mut next = (self.maps.len() / self.length) as u32;
        let mut fresh = Vec::new();
        let mut found = Vec::with_capacity(positions.len());
        for &(position, sensible) in positions {
            let place = *self.places.entry(question(position, sensible)).or_insert_with(|| {
                fresh.push((position, sensible));
                next += 1;
                next - 1
            });
            found.push(place);
        }
        for map in self.reader.maps(fresh.into_iter()) {
            self.maps.extend_from_slice(map);
        }
        found
    }

    /// The map at a place: one logit per point, row by row, and one for a pass.
    pub(crate) fn map(&self, place: u32) -> &[f32] {
        &self.maps[place as usize * self.length..][..self.length]
    }
}

fn question<P: Points>(position: &Position<P>, sensible: P) -> Question<P> {
    let (board, own) = (position.board(), position.turn());
    // Komi is White's.
    let sign = if own == go::Colour::White { 1 } else { -1 };
    (board.stones(own), board.stones(own.other()), sensible, sign * position.rules().komi.half_points())
}
