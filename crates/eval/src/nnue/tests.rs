//! The encoder and the accumulators, over random games on every board.

use std::collections::BTreeSet;

use game::{Accumulator, Game, LazyLine, LineEvaluator, Seat, StaticEvaluator, Symmetry, pick};
use nn::{Activation, Nnue, NnueShape};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Geometry, Hex8, Hexagonal, Position, Rules, Square8, Square19};

use super::{FeatureSet, Features, HybridFeatures, NnueError, NnueEvaluator};
use crate::{Heuristic, Persona};

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn evaluator<B: Geometry>(seed: u64, scalars: usize) -> NnueEvaluator<B> {
    let activation = Activation::SquaredClippedRelu;
    let features = Features::<B>::count();
    let shape = NnueShape { features, hidden: 16, activation, layers: Vec::new(), buckets: 8, scalars };
    let mut net = Nnue::random(&shape, 400, &mut generator(seed));
    for weight in &mut net.input.weights {
        *weight *= 0.2;
    }
    NnueEvaluator::new(&net, seed).expect("small weights fit")
}

/// Calls `look` with every position of random games of this board.
fn walk<B: Geometry>(games: u64, mut look: impl FnMut(&Position<B>, Option<ringrift::Move>)) {
    for game in 0..games {
        let mut rng = generator(game);
        let mut position = Position::<B>::new(&Rules::new(2 + (game % 3) as u8));
        let mut moves = Vec::new();
        loop {
            position.legal_moves(&mut moves);
            let next = (!moves.is_empty()).then(|| moves[pick(&mut rng, moves.len())]);
            look(&position, next);
            let Some(m) = next else { break };
            position.play_unchecked(m, &mut ());
        }
    }
}

fn check_features<B: Geometry>(games: u64) {
    let groups = Features::<B>::groups();
    assert_eq!(groups.last(), Some(&Features::<B>::count()));
    assert!(u16::try_from(Features::<B>::count()).is_ok());
    let (mut active, mut seen) = (Vec::new(), BTreeSet::new());
    walk::<B>(games, |position, _| {
        if position.is_over() {
            return;
        }
        for seat in Seat::all(position.seats()) {
            Features::<B>::active(position, seat, &mut active);
            let of_group = |&feature: &u16| groups.partition_point(|&end| end <= usize::from(feature));
            let used: BTreeSet<usize> = active.iter().map(of_group).collect();
            assert_eq!(used.len(), active.len(), "two features of one group: {active:?}");
            seen.extend(active.iter().copied());
        }
    });
    assert!(seen.len() > Features::<B>::count() / 8, "{} of {}", seen.len(), Features::<B>::count());
}

#[test]
fn at_most_one_feature_of_a_group_is_active() {
    check_features::<Square8>(60);
    check_features::<Hex8>(60);
    check_features::<Square19>(6);
    check_features::<Hexagonal>(6);
}

fn check_symmetry<B: Geometry>(games: u64) {
    let (mut active, mut image) = (Vec::new(), Vec::new());
    let mut compared = 0;
    walk::<B>(games, |position, _| {
        if position.is_over() || position.turns() % 7 != 0 {
            return;
        }
        for symmetry in 1..position.symmetries() {
            let turned = position.transformed(symmetry);
            let map = Features::<B>::image(symmetry);
            for seat in Seat::all(position.seats()) {
                Features::<B>::active(position, seat, &mut active);
                Features::<B>::active(&turned, seat, &mut image);
                let mut expected: Vec<u16> =
                    active.iter().map(|&feature| map[usize::from(feature)]).collect();
                expected.sort_unstable();
                image.sort_unstable();
                assert_eq!(expected, image);
                compared += 1;
            }
        }
    });
    assert!(compared > 50, "{compared}");
}

#[test]
fn symmetries_permute_features() {
    check_symmetry::<Square8>(6);
    check_symmetry::<Hex8>(6);
    check_symmetry::<Square19>(1);
    check_symmetry::<Hexagonal>(1);
}

fn check_line<B: Geometry>(games: u64, scalars: usize) {
    let mut scratch = evaluator::<B>(1, scalars);
    let mut line = LazyLine::new(evaluator::<B>(1, scalars));
    let mut fresh = true;
    walk::<B>(games, |position, next| {
        if fresh {
            line.reset(position);
        }
        fresh = next.is_none();
        let Some(m) = next else { return };
        // Down two plies along the same move, asked only at the second, then up again and on.
        let mut below = *position;
        line.descend(1);
        line.play(1, &mut below, m);
        line.descend(2);
        let mut moves = Vec::new();
        below.legal_moves(&mut moves);
        let mut deepest = below;
        if let Some(&m) = moves.last() {
            line.play(2, &mut deepest, m);
        }
        assert_eq!(line.values(2, &deepest), StaticEvaluator::values(&mut scratch, &deepest));
        assert_eq!(line.values(1, &below), StaticEvaluator::values(&mut scratch, &below));
        assert_eq!(line.values(0, position), StaticEvaluator::values(&mut scratch, position));
        line.play(0, &mut position.clone(), m);
    });
}

#[test]
fn following_a_line_gives_the_values_of_a_fresh_look() {
    for scalars in [0, HybridFeatures::<Square8>::scalars()] {
        check_line::<Square8>(12, scalars);
        check_line::<Hex8>(12, scalars);
        check_line::<Square19>(2, scalars);
        check_line::<Hexagonal>(1, scalars);
    }
}

#[test]
fn updates_leave_what_a_refresh_finds() {
    for scalars in [0, HybridFeatures::<Square8>::scalars()] {
        check_updates(&evaluator::<Square8>(2, scalars));
    }
}

fn check_updates(evaluator: &NnueEvaluator<Square8>) {
    let mut state = None;
    walk::<Square8>(30, |position, next| {
        let current = state.take().unwrap_or_else(|| evaluator.refresh(position));
        assert_eq!(current, evaluator.refresh(position));
        let Some(m) = next else { return };
        let mut changes: Vec<ringrift::Change> = Vec::new();
        position.clone().play_unchecked(m, &mut changes);
        let mut current = current;
        for change in &changes {
            evaluator.update(&mut current, change);
        }
        state = Some(current);
    });
}

#[test]
fn nets_of_other_boards_are_refused() {
    let activation = Activation::SquaredClippedRelu;
    let features = Features::<Square8>::count();
    let shape = NnueShape { features, hidden: 16, activation, layers: Vec::new(), buckets: 4, scalars: 0 };
    let file =
        Nnue::<f32>::zeros(&shape).to_file(&Features::<Square8>::id(), std::collections::BTreeMap::new());
    assert!(NnueEvaluator::<Square8>::from_bytes(&file.to_bytes()).is_ok());
    let refused = NnueEvaluator::<Hex8>::from_bytes(&file.to_bytes());
    assert!(matches!(refused, Err(NnueError::Encoder { .. })));
}

/// A network that has not learned anything beside the heuristic, whose weights its scalars start with.
fn untrained<B: Geometry>() -> NnueEvaluator<B> {
    let (features, scalars) = (Features::<B>::count(), HybridFeatures::<B>::scalars());
    let activation = Activation::SquaredClippedRelu;
    let shape = NnueShape { features, hidden: 16, activation, layers: Vec::new(), buckets: 4, scalars };
    let mut net = Nnue::<f32>::zeros(&shape);
    for head in &mut net.heads {
        head[0].weights[shape.hidden..].copy_from_slice(&HybridFeatures::<B>::scalar_weights());
    }
    let file = net.to_file(&HybridFeatures::<B>::id(), std::collections::BTreeMap::new());
    NnueEvaluator::from_bytes(&file.to_bytes()).expect("a sound network")
}

#[test]
fn a_hybrid_network_begins_as_the_heuristic() {
    let (mut net, mut heuristic) = (untrained::<Square8>(), Heuristic::<Square8>::new(Persona::Balanced));
    let mut compared = 0;
    walk::<Square8>(20, |position, _| {
        if position.is_over() || position.seats() != 2 {
            return;
        }
        let [found, expected] =
            [StaticEvaluator::values(&mut net, position), StaticEvaluator::values(&mut heuristic, position)];
        // Different functions of the same lead, with the same slope where it is small.
        assert!(found.0[0] * expected.0[0] >= 0.0, "{found:?} {expected:?}");
        if expected.0[0].abs() < 0.1 {
            assert!((found.0[0] - expected.0[0]).abs() < 0.02, "{found:?} {expected:?}");
            compared += 1;
        }
    });
    assert!(compared > 20, "{compared}");
}

#[test]
fn scalars_are_the_components_of_every_seat() {
    let heuristic = Heuristic::<Hex8>::new(Persona::Balanced);
    let mut scalars = Vec::new();
    walk::<Hex8>(3, |position, _| {
        HybridFeatures::<Hex8>::read_scalars(position, &mut scalars);
        let components = Seat::all(position.seats()).flat_map(|seat| heuristic.components(position, seat));
        assert_eq!(scalars, components.map(|(_, component)| component).collect::<Vec<_>>());
    });
}
