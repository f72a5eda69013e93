//! What a network reads of a position and its moves, and the masks of dropout.

use crate::Scalar;

/// A position and moves in it, as lists of what is active.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GmoInput {
    /// The active features of the position.
    pub features: Vec<u16>,
    /// The words of all moves.
    words: Vec<u16>,
    /// For every move and group, where its words end.
    ends: Vec<u32>,
}

impl GmoInput {
    /// Forgets the features and all moves, keeping allocations.
    pub fn clear(&mut self) {
        self.features.clear();
        self.words.clear();
        self.ends.clear();
    }

    /// Adds a word to the group under construction.
    pub fn word(&mut self, word: usize) {
        self.words.push(word as u16);
    }

    /// Ends the words of a group. A move has all groups of the network, in order.
    pub fn end_group(&mut self) {
        self.ends.push(self.words.len() as u32);
    }

    /// The number of moves, given the number of groups.
    pub fn moves(&self, groups: usize) -> usize {
        self.ends.len() / groups.max(1)
    }

    /// The words of a move in a group.
    pub fn words(&self, m: usize, group: usize, groups: usize) -> &[u16] {
        let place = m * groups + group;
        let first = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.words[first as usize..self.ends[place] as usize]
    }

    /// Adds a move of another input.
    pub fn copy_move(&mut self, other: &Self, m: usize, groups: usize) {
        for group in 0..groups {
            self.words.extend_from_slice(other.words(m, group, groups));
            self.end_group();
        }
    }

    /// The memory that its lists take, in bytes.
    pub fn bytes(&self) -> usize {
        2 * (self.features.len() + self.words.len()) + 4 * self.ends.len() + size_of::<Self>()
    }
}

/// Factors by which hidden layers are multiplied: 0 for dropped neurons, and for the others what keeps the expectation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DropoutMasks<T> {
    hidden: usize,
    /// Two lists of factors per mask, one per hidden layer.
    factors: Vec<T>,
}

impl<T: Scalar> DropoutMasks<T> {
    /// Draws `count` masks for two layers of `hidden` neurons of which a share of `rate` is dropped. `random` gives random
    /// words.
    ///
    /// # Panics
    /// If everything would be dropped.
    pub fn draw(&mut self, hidden: usize, count: usize, rate: f64, random: &mut dyn FnMut() -> u64) {
        assert!((0.0..1.0).contains(&rate), "{rate} is not a share of neurons to drop");
        self.hidden = hidden;
        self.factors.clear();
        let scale = T::from_f64(1.0 / (1.0 - rate));
        let least = (rate * f64::from(u32::MAX)) as u32;
        while self.factors.len() < 2 * hidden * count {
            let word = random();
            for half in [word as u32, (word >> 32) as u32] {
                self.factors.push(if half >= least { scale } else { T::ZERO });
            }
        }
    }

    /// One mask that drops nothing.
    pub fn nothing(&mut self, hidden: usize) {
        self.hidden = hidden;
        self.factors.clear();
        self.factors.resize(2 * hidden, T::ONE);
    }

    /// The number of masks.
    pub fn count(&self) -> usize {
        self.factors.len() / (2 * self.hidden).max(1)
    }

    /// The factors of both layers of one mask.
    pub(super) fn of(&self, index: usize) -> [&[T]; 2] {
        let (first, second) = self.factors[2 * index * self.hidden..].split_at(self.hidden);
        [first, &second[..self.hidden]]
    }
}
