//! The twelve-plane network: a design with few features and several layers, to measure others by.
//!
//! It sees twelve planes of the board: for each seat, the cells with a ring of that seat, with a stack that it controls,
//! and with its territory. Seats are counted from the perspective's own, so one network serves two to four seats. Markers,
//! heights, hands and the seat to move are not among its features. The accumulator of the own perspective and the mean of
//! those of the others are followed by further layers. It is evaluated from scratch, in floating point.

use std::{marker::PhantomData, sync::Arc};

use game::{Game, MAX_SEATS, Seat, StaticEvaluator, Values};
use nn::{ModelFile, Nnue, Workspace};
use ringrift::{Bits, Content, Geometry, Position};

use super::{FeatureSet, NnueError, NnueEvaluator, softmax::softmax_values};

/// Rings of every seat, then stacks by controller, then territory by owner.
const PLANES: usize = 3 * MAX_SEATS;
const STACKS: usize = MAX_SEATS;
const TERRITORY: usize = 2 * MAX_SEATS;

/// The features of the twelve-plane network on the board `B`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedFeatures<B>(PhantomData<B>);

impl<B: Geometry> SeedFeatures<B> {
    fn cells() -> usize {
        B::NO_RINGS.as_ref().len()
    }
}

impl<B: Geometry> FeatureSet<B> for SeedFeatures<B> {
    fn id() -> String {
        format!("ringrift-{}-seed12", B::BOARD)
    }

    fn count() -> usize {
        PLANES * Self::cells()
    }

    /// A cell can have rings of several seats, but only one controller or owner.
    fn groups() -> Vec<usize> {
        let of_cell = |cell: usize| [1, 2, 3, 4, PLANES].map(|end| cell * PLANES + end);
        (0..Self::cells()).flat_map(of_cell).collect()
    }

    fn image(symmetry: usize) -> Vec<u16> {
        let mut image: Vec<u16> = (0..Self::count() as u16).collect();
        for cell in B::ON_BOARD.cells() {
            let (from, to) = (B::slot(cell), B::slot(Position::<B>::image(cell, symmetry)));
            for plane in 0..PLANES {
                image[from * PLANES + plane] = (to * PLANES + plane) as u16;
            }
        }
        image
    }

    fn kinds() -> Vec<Option<u16>> {
        (0..Self::count()).map(|feature| Some((feature % PLANES) as u16)).collect()
    }

    fn active(position: &Position<B>, seat: Seat, active: &mut Vec<u16>) {
        active.clear();
        let seats = position.seats();
        let relative = |owner: Seat| (owner.index() + seats - seat.index()) % seats;
        for (cell, content) in position.contents() {
            let first = B::slot(cell) * PLANES;
            match content {
                Content::Empty | Content::Marker(_) => {}
                Content::Collapsed(owner) => active.push((first + TERRITORY + relative(owner)) as u16),
                Content::Stack(stack) => {
                    let owners = Seat::all(seats).filter(|&owner| stack.count(owner) > 0);
                    active.extend(owners.map(|owner| (first + relative(owner)) as u16));
                    let controller = stack.top().map(|owner| (first + STACKS + relative(owner)) as u16);
                    active.extend(controller);
                }
            }
        }
    }

    /// One: stages are not distinguished.
    fn heads(_: usize) -> usize {
        1
    }

    fn head(_: &Position<B>, _: Seat, _: usize) -> usize {
        0
    }
}

/// Evaluates positions on the board `B` by a network over [`SeedFeatures`].
#[derive(Clone, Debug)]
pub struct SeedEvaluator<B: Geometry> {
    net: Arc<Nnue<f32>>,
    identity: u64,
    workspace: Workspace<f32>,
    features: [Vec<u16>; MAX_SEATS],
    board: PhantomData<B>,
}

impl<B: Geometry> SeedEvaluator<B> {
    /// The network of a model file.
    ///
    /// # Errors
    /// If the bytes are not a network for this board.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NnueError> {
        let file = ModelFile::from_bytes(bytes)?;
        let (found, expected) = (&file.header.encoder, SeedFeatures::<B>::id());
        if *found != expected {
            return Err(NnueError::Encoder { found: found.clone(), expected });
        }
        let hash = ModelFile::hash(bytes);
        Self::new(Arc::new(Nnue::from_file(&file)?), game::identity_of(hash))
    }

    /// A network that other evaluators may use too, known to caches by `identity`.
    ///
    /// # Errors
    /// If it does not fit this board.
    pub fn new(net: Arc<Nnue<f32>>, identity: u64) -> Result<Self, NnueError> {
        let (features, heads, expected) = (net.shape.features, net.shape.buckets, SeedFeatures::<B>::count());
        if features != expected || heads != 1 || net.shape.scalars != 0 {
            return Err(NnueError::Encoder {
                found: format!("{features} features, {heads} heads"),
                expected: format!("{} ({expected} features, 1 head)", SeedFeatures::<B>::id()),
            });
        }
        let workspace = Workspace::new(&net.shape);
        Ok(Self { net, identity, workspace, features: Default::default(), board: PhantomData })
    }

    /// The network.
    pub fn net(&self) -> &Arc<Nnue<f32>> {
        &self.net
    }
}

impl<B: Geometry> StaticEvaluator<Position<B>> for SeedEvaluator<B> {
    fn values(&mut self, position: &Position<B>) -> Values {
        if let Some(outcome) = position.outcome() {
            return outcome.values();
        }
        let seats = position.seats();
        for (seat, list) in Seat::all(seats).zip(&mut self.features) {
            SeedFeatures::active(position, seat, list);
        }
        let lists: [&[u16]; MAX_SEATS] = std::array::from_fn(|seat| &*self.features[seat]);
        let found = self.net.logits(&lists[..seats], &[], &[0; MAX_SEATS], &mut self.workspace);
        let mut logits = [0.0; MAX_SEATS];
        logits[..seats].copy_from_slice(found);
        let most = NnueEvaluator::<B>::MOST;
        Values(softmax_values(logits, seats).map(|value| value.clamp(-most, most)))
    }

    fn identity(&self) -> Option<u64> {
        Some(self.identity)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use game::{Symmetry, pick};
    use nn::{Activation, NnueShape};
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
    use ringrift::{Hex8, Hexagonal, Rules, Square8, Square19};

    use super::*;

    fn generator(seed: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(seed)
    }

    fn net<B: Geometry>() -> Nnue<f32> {
        let (features, activation) = (SeedFeatures::<B>::count(), Activation::ClippedRelu);
        let shape = NnueShape { features, hidden: 8, activation, layers: vec![4, 4], buckets: 1, scalars: 0 };
        Nnue::random(&shape, 20, &mut generator(1))
    }

    /// Calls `look` with the unfinished positions of random games with two to four seats.
    fn walk<B: Geometry>(games: u64, mut look: impl FnMut(&Position<B>)) {
        let mut moves = Vec::new();
        for game in 0..games {
            let mut rng = generator(game);
            let mut position = Position::<B>::new(&Rules::new(2 + (game % 3) as u8));
            while !position.is_over() {
                look(&position);
                position.legal_moves(&mut moves);
                position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
            }
        }
    }

    fn check<B: Geometry>(games: u64) {
        let (groups, count) = (SeedFeatures::<B>::groups(), SeedFeatures::<B>::count());
        assert_eq!(groups.last(), Some(&count));
        let mut evaluator = SeedEvaluator::<B>::new(Arc::new(net::<B>()), 1).unwrap();
        let images: Vec<Vec<u16>> = (0..4).map(SeedFeatures::<B>::image).collect();
        let (mut active, mut image, mut planes) = (Vec::new(), Vec::new(), BTreeSet::new());
        walk::<B>(games, |position| {
            let values = evaluator.values(position);
            let sum: f32 = values.0[..position.seats()].iter().map(|value| (1.0 + value) / 2.0).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{values:?}");
            for seat in Seat::all(position.seats()) {
                SeedFeatures::active(position, seat, &mut active);
                let of_group = |&feature: &u16| groups.partition_point(|&end| end <= usize::from(feature));
                let used: BTreeSet<usize> = active.iter().map(of_group).collect();
                assert_eq!(used.len(), active.len(), "two features of one group: {active:?}");
                planes.extend(active.iter().map(|feature| usize::from(*feature) % PLANES));
                for symmetry in (1..position.symmetries().min(4)).filter(|_| position.turns() % 5 == 0) {
                    SeedFeatures::active(&position.transformed(symmetry), seat, &mut image);
                    let mut expected: Vec<u16> =
                        active.iter().map(|&feature| images[symmetry][usize::from(feature)]).collect();
                    expected.sort_unstable();
                    image.sort_unstable();
                    assert_eq!(expected, image);
                }
            }
        });
        assert!(planes.len() >= 10, "rings, stacks and territory of all seats occur: {planes:?}");
    }

    #[test]
    fn features_are_exclusive_within_groups_and_permuted_by_symmetries() {
        check::<Square8>(12);
        check::<Hex8>(12);
        check::<Square19>(3);
        check::<Hexagonal>(3);
    }

    #[test]
    fn planes_are_counted_from_the_own_seat() {
        let mut compared = 0;
        walk::<Square8>(9, |position| {
            let seats = position.seats();
            let (mut own, mut expected) = (Vec::new(), Vec::new());
            for seat in Seat::all(seats) {
                SeedFeatures::active(position, seat, &mut own);
                expected.clear();
                for (cell, content) in position.contents() {
                    let mut plane = |kind: usize, owner: Seat| {
                        let turns = (0..seats).find(|turns| (seat.index() + turns) % seats == owner.index());
                        expected.push((Square8::slot(cell) * 12 + 4 * kind + turns.unwrap()) as u16);
                    };
                    match content {
                        Content::Stack(stack) => {
                            for owner in stack.rings().collect::<BTreeSet<Seat>>() {
                                plane(0, owner);
                            }
                            plane(1, stack.top().unwrap());
                        }
                        Content::Collapsed(owner) => plane(2, owner),
                        Content::Empty | Content::Marker(_) => {}
                    }
                }
                own.sort_unstable();
                expected.sort_unstable();
                assert_eq!(own, expected);
                assert_eq!(SeedFeatures::head(position, seat, 1), 0);
                compared += own.len();
            }
        });
        assert!(compared > 1_000, "{compared}");
    }

    #[test]
    fn nets_of_other_boards_and_encoders_are_refused() {
        let file = |encoder: &str| net::<Square8>().to_file(encoder, BTreeMap::new()).to_bytes();
        let own = file(&SeedFeatures::<Square8>::id());
        assert!(SeedEvaluator::<Square8>::from_bytes(&own).is_ok());
        assert!(matches!(SeedEvaluator::<Hex8>::from_bytes(&own), Err(NnueError::Encoder { .. })));
        let other = SeedEvaluator::<Square8>::from_bytes(&file(&super::super::Features::<Square8>::id()));
        assert!(matches!(other, Err(NnueError::Encoder { .. })));
        assert!(SeedEvaluator::<Hexagonal>::new(Arc::new(net::<Square8>()), 1).is_err());
    }
}
