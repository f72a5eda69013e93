//! Moves as points, by networks for gradient move optimisation.

mod field;
mod go;
mod ringrift;
#[cfg(test)]
mod tests;

use std::fmt::Debug;

use ::go::Points;
use ::ringrift::Geometry;
use game::{Game, Seat};
use nn::{CellGraph, GmoInput, MoveGroup};

pub use self::{
    field::{GmoError, GmoField, Uncertainty},
    go::GoGmo,
    ringrift::{RingRiftGmo, RingRiftSeedGmo},
};

/// How positions of a game and their moves become lists of active features and words.
///
/// Everything is seen from the seat to move.
pub trait GmoEncoder<G: Game>: Clone + Debug + Default + Send + Sync + 'static {
    /// The name in model files. Networks of another name are refused.
    fn id(config: &G::Config) -> String;

    /// The number of features of a position.
    fn features(config: &G::Config) -> usize;

    /// The properties of moves.
    fn groups(config: &G::Config) -> Vec<MoveGroup>;

    /// Writes a position that is not over, and moves that are legal in it.
    fn encode(&mut self, position: &G, moves: &[G::Move], input: &mut GmoInput);

    /// The cells of the board as a graph, and what features say about them.
    fn graph(config: &G::Config) -> CellGraph;

    /// Where features and words go under a symmetry of the board.
    fn image(config: &G::Config, symmetry: usize) -> GmoImage;

    /// Whether a move leaves the position nearly as it is, although its mover could act.
    fn is_skip(m: G::Move) -> bool;
}

/// A game with the encoders that its networks use.
pub trait GmoGame: Game {
    /// The encoder that networks use unless somebody says otherwise.
    type Encoder: GmoEncoder<Self>;
    /// The encoder to measure others by.
    type Seed: GmoEncoder<Self>;
}

impl<B: Geometry> GmoGame for ::ringrift::Position<B> {
    type Encoder = RingRiftGmo<B>;
    type Seed = RingRiftSeedGmo<B>;
}

/// Go has one encoder.
impl<P: Points> GmoGame for ::go::Position<P> {
    type Encoder = GoGmo<P>;
    type Seed = GoGmo<P>;
}

/// Where features and words go under a symmetry of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GmoImage {
    /// The image of every feature.
    pub features: Vec<u16>,
    /// The image of every word of every group.
    pub groups: Vec<Vec<u16>>,
}

impl GmoImage {
    /// Writes the image of `input` to `image`.
    pub fn apply(&self, input: &GmoInput, image: &mut GmoInput) {
        image.clear();
        image.features.extend(input.features.iter().map(|&feature| self.features[usize::from(feature)]));
        let groups = self.groups.len();
        for m in 0..input.moves(groups) {
            for (group, words) in self.groups.iter().enumerate() {
                for &word in input.words(m, group, groups) {
                    image.word(words[usize::from(word)].into());
                }
                image.end_group();
            }
        }
    }
}

/// What a move leads to: the position at the next decision, or the end of the game.
#[derive(Clone, Debug)]
struct Aftermath<G: Game> {
    before: Vec<u16>,
    after: Vec<u16>,
    legal: Vec<G::Move>,
}

impl<G: Game> Default for Aftermath<G> {
    fn default() -> Self {
        Self { before: Vec::new(), after: Vec::new(), legal: Vec::new() }
    }
}

/// How a game ended for a seat, as words.
const ENDINGS: usize = 3;

impl<G: Game> Aftermath<G> {
    /// Remembers the features of the position before the move.
    fn begin(&mut self, features: &[u16]) {
        self.before.clear();
        self.before.extend_from_slice(features);
        self.before.sort_unstable();
    }

    /// Plays `m` and the forced moves after it. Calls `word` with every feature that this adds, and with `count` plus every
    /// feature that it removes. If the game is over then, returns 0 for a win of the mover, 1 for a loss, 2 for a draw.
    fn compare(
        &mut self,
        position: &G,
        m: G::Move,
        count: usize,
        active: impl Fn(&G, Seat, &mut Vec<u16>),
        mut word: impl FnMut(usize),
    ) -> Option<usize> {
        let (mut next, mut seat) = (position.clone(), position.to_move());
        self.legal.clear();
        self.legal.push(m);
        while let [only] = self.legal[..] {
            seat = next.seat_after(only, seat);
            next.play_unchecked(only, &mut ());
            next.legal_moves(&mut self.legal);
        }
        if let Some(outcome) = next.outcome() {
            let value = outcome.values().of(seat);
            return Some(if value > 0.0 { 0 } else { usize::from(value == 0.0) + 1 });
        }
        active(&next, seat, &mut self.after);
        self.after.sort_unstable();
        let (mut before, mut after) = (self.before.iter().peekable(), self.after.iter().peekable());
        loop {
            match (before.peek(), after.peek()) {
                (Some(old), Some(new)) if old == new => {
                    before.next();
                    after.next();
                }
                (Some(&&old), new) if new.is_none_or(|&&new| old < new) => {
                    word(count + usize::from(old));
                    before.next();
                }
                (_, Some(&&new)) => {
                    word(usize::from(new));
                    after.next();
                }
                _ => return None,
            }
        }
    }
}
