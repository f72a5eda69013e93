//! Encoders and fields on random games.

use std::{collections::BTreeMap, sync::Arc};

use ::go::{Rules as GoRules, Small};
use ::ringrift::{Hex8, Hexagonal, Position, Rules, Square8, Square19};
use game::{FieldView, Game, MoveField, pick};
use nn::{EbmoNet, EbmoPreset, PvInput};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Every legal move has features of its own, all within [−1, 1], and planes are those of the layout.
fn check<G: Game, E: EbmoEncoder<G>>(config: &G::Config, games: u64, plies: usize) {
    let (mut input, mut moves) = (PvInput::default(), Vec::new());
    let (grid, layout) = (E::grid(config), E::layout());
    for game in 0..games {
        let (mut rng, mut position) = (generator(game), G::new(config));
        for _ in 0..plies {
            if position.is_over() {
                break;
            }
            position.legal_moves(&mut moves);
            E::encode(&position, &moves, &mut input);
            assert_eq!(input.planes.len(), grid.cells() * layout.planes);
            assert_eq!((input.globals.len(), input.moves()), (layout.globals, moves.len()));
            let mut seen = BTreeMap::new();
            for (index, m) in moves.iter().enumerate() {
                let mut key = Vec::new();
                for &(number, weight) in input.terms(index) {
                    assert!((number as usize) < ACTION_FEATURES + 2 * grid.cells());
                    assert!((-1.0..=1.0).contains(&weight), "{m:?}: {weight}");
                    if (number as usize) < ACTION_FEATURES {
                        key.push((number, weight.to_bits()));
                    }
                }
                let other = seen.insert(key, m);
                assert_eq!(other, None, "{m:?} looks like another move of {position:?}");
            }
            position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
        }
    }
}

#[test]
fn every_legal_move_has_features_of_its_own() {
    for seats in 2..=4 {
        check::<_, RingRiftEbmo<Square8>>(&Rules::new(seats), 12, 400);
        check::<_, RingRiftEbmo<Hex8>>(&Rules::new(seats), 8, 400);
    }
    check::<_, RingRiftEbmo<Square19>>(&Rules::new(3), 1, 200);
    check::<_, RingRiftEbmo<Hexagonal>>(&Rules::new(2), 1, 200);
    check::<::go::Position<Small>, GoEbmo>(&GoRules::new(5), 4, 60);
}

#[test]
fn the_encoder_has_the_sizes_of_the_seed() {
    let layout = <RingRiftEbmo<Square8> as PvEncoder<Position<Square8>>>::layout();
    assert_eq!((layout.planes, layout.globals, ACTION_FEATURES), (56, 20, 14));
}

#[test]
fn fields_have_the_slopes_of_differences_and_refuse_other_nets() {
    let shape = EbmoPreset::Tiny.shape(56, 20, ACTION_FEATURES);
    let net = EbmoNet::random(&shape, &mut generator(3));
    let bytes = |encoder: &str| net.to_file(encoder, BTreeMap::new()).to_bytes();
    let id = <RingRiftEbmo<Square8> as PvEncoder<Position<Square8>>>::id();
    assert!(EbmoField::<Position<Square8>, RingRiftEbmo<Square8>>::from_bytes(&bytes(&id)).is_ok());
    assert!(EbmoField::<Position<Hex8>, RingRiftEbmo<Hex8>>::from_bytes(&bytes(&id)).is_err());
    assert!(EbmoField::<::go::Position<Small>, GoEbmo>::shared(Arc::new(net.clone())).is_err());
    let mut field = EbmoField::<Position<Square8>, RingRiftEbmo<Square8>>::shared(Arc::new(net)).unwrap();
    let (position, mut moves, mut points) = (Position::new(&Rules::new(2)), Vec::new(), Vec::new());
    position.legal_moves(&mut moves);
    field.begin(&position, &moves, &mut points);
    assert_eq!(points.len(), moves.len() * field.dimension());
    points.truncate(2 * 8);
    let mut view = FieldView::default();
    field.look(&points, &mut view);
    let slopes = FieldView { samples: vec![1.0, -0.5], ..FieldView::default() };
    let mut found = Vec::new();
    field.slopes(&slopes, &mut found);
    for index in 0..points.len() {
        let mut at = |step: f32| {
            let mut points = points.clone();
            points[index] += step;
            field.look(&points, &mut view);
            f64::from(view.samples[0]) - 0.5 * f64::from(view.samples[1])
        };
        // A short step, since rectified sums have kinks.
        let expected = (at(1e-3) - at(-1e-3)) / 2e-3;
        assert!((f64::from(found[index]) - expected).abs() < 1e-2, "{index}: {} {expected}", found[index]);
    }
}
