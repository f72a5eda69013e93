//! Encoders and fields on random games.

use std::{collections::BTreeSet, sync::Arc};

use ::go::{Large, Rules as GoRules, Small};
use ::ringrift::{Hex8, Hexagonal, Position, Rules, Square8, Square19};
use game::{FieldView, Game, MoveField, Symmetry, pick};
use nn::{GmoInput, GmoKernels, GmoNet, GmoShape};
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn walk<G: Game>(config: &G::Config, seed: u64, plies: usize, mut look: impl FnMut(&G, &[G::Move])) {
    let (mut rng, mut moves, mut position) = (generator(seed), Vec::new(), G::new(config));
    for _ in 0..plies {
        if position.is_over() {
            return;
        }
        position.legal_moves(&mut moves);
        look(&position, &moves);
        position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
    }
}

fn shape<G: Game, E: GmoEncoder<G>>(config: &G::Config) -> GmoShape {
    GmoShape {
        features: E::features(config),
        groups: E::groups(config),
        state: 8,
        moves: 8,
        hidden: 16,
        ensemble: 2,
        projection: 4,
        legality: 4,
        after: E::groups(config).last().unwrap().words == 2 * E::features(config),
        graph: None,
    }
}

/// Features and words are in range, and no two legal moves have the same words.
fn check<G: Game, E: GmoEncoder<G>>(config: &G::Config, games: u64, plies: usize) -> usize {
    let (mut encoder, mut input, mut most) = (E::default(), GmoInput::default(), 0);
    let groups = E::groups(config);
    for game in 0..games {
        walk::<G>(config, game, plies, |position, moves| {
            encoder.encode(position, moves, &mut input);
            assert_eq!(input.moves(groups.len()), moves.len());
            assert!(input.features.iter().all(|&feature| usize::from(feature) < E::features(config)));
            let mut seen = BTreeSet::new();
            for (index, m) in moves.iter().enumerate() {
                let words: Vec<Vec<u16>> = (0..groups.len().min(4))
                    .map(|group| {
                        let words = input.words(index, group, groups.len());
                        assert!(words.iter().all(|&word| usize::from(word) < groups[group].words));
                        let mut words = words.to_vec();
                        words.sort_unstable();
                        words
                    })
                    .collect();
                assert!(seen.insert(words), "{m:?} looks like another move of {position:?}");
            }
            most = most.max(moves.len());
        });
    }
    most
}

#[test]
fn every_legal_move_of_ringrift_has_words_of_its_own() {
    for seats in 2..=4 {
        let rules = Rules::new(seats);
        assert!(check::<_, RingRiftGmo<Square8>>(&rules, 20, 400) > 20);
        check::<_, RingRiftSeedGmo<Square8>>(&rules, 20, 400);
        check::<_, RingRiftGmo<Hex8>>(&rules, 10, 400);
        check::<_, RingRiftSeedGmo<Hex8>>(&rules, 10, 400);
    }
    check::<_, RingRiftGmo<Square19>>(&Rules::new(3), 1, 300);
    check::<_, RingRiftSeedGmo<Hexagonal>>(&Rules::new(2), 1, 300);
    check::<_, RingRiftGmo<Hexagonal>>(&Rules::new(4), 1, 300);
}

#[test]
fn every_legal_move_of_go_has_words_of_its_own() {
    check::<::go::Position<Small>, GoGmo<Small>>(&GoRules::new(5), 10, 100);
    check::<::go::Position<Large>, GoGmo<Large>>(&GoRules::new(13), 1, 60);
}

/// Words of transformed moves are the images of the words.
fn check_images<G: Symmetry, E: GmoEncoder<G>>(config: &G::Config, games: u64) {
    let groups = E::groups(config).len();
    let (mut encoder, mut compared) = (E::default(), 0);
    let (mut input, mut image, mut direct) = (GmoInput::default(), GmoInput::default(), GmoInput::default());
    let sorted = |words: &[u16]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words
    };
    for game in 0..games {
        walk::<G>(config, 90 + game, 300, |position, moves| {
            for symmetry in 1..position.symmetries() {
                encoder.encode(position, moves, &mut input);
                E::image(config, symmetry).apply(&input, &mut image);
                let moves: Vec<_> = moves.iter().map(|&m| position.transformed_move(m, symmetry)).collect();
                encoder.encode(&position.transformed(symmetry), &moves, &mut direct);
                assert_eq!(sorted(&image.features), sorted(&direct.features));
                for (index, m) in moves.iter().enumerate() {
                    for group in 0..groups {
                        let [image, direct] =
                            [&image, &direct].map(|input| sorted(input.words(index, group, groups)));
                        assert_eq!(image, direct, "{m:?} of {position:?}, group {group}");
                        compared += 1;
                    }
                }
            }
        });
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn words_follow_the_symmetries_of_the_board() {
    check_images::<_, RingRiftGmo<Square8>>(&Rules::new(2), 3);
    check_images::<_, RingRiftSeedGmo<Square8>>(&Rules::new(3), 2);
    check_images::<_, RingRiftGmo<Hex8>>(&Rules::new(2), 3);
    check_images::<::go::Position<Small>, GoGmo<Small>>(&GoRules::new(5), 1);
}

/// Features of a cell keep their kind and go where the cell goes, and neighbours stay neighbours.
fn check_graph<G: Symmetry, E: GmoEncoder<G>>(config: &G::Config, degrees: [usize; 2]) {
    let graph = E::graph(config);
    let cells = graph.neighbours.len() as u16;
    assert_eq!(graph.places.len(), E::features(config));
    // Corners of the box around a hexagon are no cells: their places have no neighbours but themselves.
    let degree = graph.neighbours.iter().map(Vec::len).filter(|&near| near > 1).collect::<BTreeSet<_>>();
    assert_eq!([degree.first(), degree.last()], [Some(&degrees[0]), Some(&degrees[1])]);
    for symmetry in 0..G::new(config).symmetries() {
        let image = E::image(config, symmetry);
        let mut cell_image = vec![None; usize::from(cells)];
        for (feature, &to) in image.features.iter().enumerate() {
            let [from, to] = [graph.places[feature], graph.places[usize::from(to)]];
            assert_eq!(from.1, to.1, "the kind stays");
            if from.0 < cells {
                let known = cell_image[usize::from(from.0)].get_or_insert(to.0);
                assert_eq!(*known, to.0, "all features of a cell go to one cell");
            } else {
                assert_eq!(from, to);
            }
        }
        for (cell, neighbours) in graph.neighbours.iter().enumerate() {
            assert_eq!(usize::from(neighbours[0]), cell);
            let images: BTreeSet<_> =
                neighbours.iter().map(|&other| cell_image[usize::from(other)]).collect();
            let to = &graph.neighbours[usize::from(cell_image[cell].unwrap())];
            assert_eq!(images, to.iter().map(|&other| Some(other)).collect());
        }
    }
}

#[test]
fn boards_are_graphs_that_symmetries_keep() {
    check_graph::<_, RingRiftGmo<Square8>>(&Rules::new(2), [4, 9]);
    check_graph::<_, RingRiftSeedGmo<Square8>>(&Rules::new(2), [4, 9]);
    check_graph::<_, RingRiftGmo<Hex8>>(&Rules::new(3), [4, 7]);
    check_graph::<::go::Position<Small>, GoGmo<Small>>(&GoRules::new(5), [3, 5]);
}

#[test]
fn the_seed_encoder_has_its_sizes() {
    let rules = Rules::new(2);
    assert_eq!(<RingRiftSeedGmo<Square8> as GmoEncoder<_>>::features(&rules), 768);
    let groups = <RingRiftSeedGmo<Square8> as GmoEncoder<_>>::groups(&rules);
    let widths: Vec<usize> = groups.iter().map(|group| group.width).collect();
    assert_eq!((widths, groups[1].words, groups[2].words), (vec![32, 32, 32, 16], 65, 65));
}

#[test]
fn a_move_that_wins_says_so() {
    let config = GoRules::new(5);
    let mut position = ::go::Position::<Small>::new(&config);
    position.play_unchecked(::go::Move::PASS, &mut ());
    let (mut encoder, mut input) = (GoGmo::<Small>::default(), GmoInput::default());
    // White answers a pass with a pass and wins by komi.
    encoder.encode(&position, &[::go::Move::PASS], &mut input);
    assert_eq!(input.words(0, 2, 4), [0, 5]);
}

fn field<E>(config: &Rules, uncertainty: Uncertainty) -> GmoField<E>
where
    E: GmoEncoder<Position<Square8>>,
{
    let net = GmoNet::random(&shape::<_, E>(config), &mut generator(1));
    let kernels = GmoKernels::new(net).with_covariance(vec![0.01; 256]);
    GmoField::shared(Arc::new(kernels), config, uncertainty, 0.1).unwrap()
}

#[test]
fn slopes_of_views_are_those_of_differences() {
    let rules = Rules::new(3);
    for uncertainty in Uncertainty::ALL {
        let mut field = field::<RingRiftGmo<Square8>>(&rules, uncertainty);
        let position = Position::<Square8>::new(&rules);
        let (mut moves, mut points, mut rng) = (Vec::new(), Vec::new(), generator(2));
        position.legal_moves(&mut moves);
        field.begin(&position, &moves, &mut points);
        points.truncate(3 * 8);
        MoveField::<Position<Square8>>::draw(&mut field, 4, &mut || rng.next_u64());
        let view = |field: &mut GmoField<_>, points: &[f32]| {
            let mut view = FieldView::default();
            MoveField::<Position<Square8>>::look(field, points, &mut view);
            view
        };
        let slopes = view(&mut field, &points);
        let mut found = Vec::new();
        // The slopes of half the sum of squares of everything that is said are what is said.
        MoveField::<Position<Square8>>::slopes(&mut field, &slopes, &mut found);
        let mut half_squares = |points: &[f32]| -> f64 {
            let FieldView { samples, noise, spread, legality } = view(&mut field, points);
            let all = [samples, noise, spread, legality].concat();
            all.into_iter().map(|value| 0.5 * f64::from(value) * f64::from(value)).sum()
        };
        for index in 0..points.len() {
            let step = 1e-3;
            let [mut ahead, mut behind] = [points.clone(), points.clone()];
            ahead[index] += step;
            behind[index] -= step;
            let expected = (half_squares(&ahead) - half_squares(&behind)) / f64::from(2.0 * step);
            let off = (f64::from(found[index]) - expected).abs();
            assert!(
                off < 2e-2 * (0.1 + expected.abs()),
                "{uncertainty} {index}: {} {expected}",
                found[index]
            );
        }
    }
}

#[test]
fn nets_of_other_encoders_are_refused() {
    let rules = Rules::new(2);
    let net = GmoNet::random(&shape::<_, RingRiftSeedGmo<Square8>>(&rules), &mut generator(1));
    let id = <RingRiftSeedGmo<Square8> as GmoEncoder<_>>::id(&rules);
    let bytes = net.to_file(&id, std::collections::BTreeMap::new(), &[]).to_bytes();
    let load = |uncertainty| {
        GmoField::<RingRiftSeedGmo<Square8>>::from_bytes(&bytes, &rules, uncertainty, 0.1).map(drop)
    };
    assert!(load(Uncertainty::Dropout).is_ok());
    assert!(matches!(load(Uncertainty::Bayes), Err(GmoError::Uncertainty(_))));
    let other = GmoField::<RingRiftGmo<Square8>>::from_bytes(&bytes, &rules, Uncertainty::Dropout, 0.1);
    assert!(matches!(other, Err(GmoError::Encoder { .. })));
    assert!(
        GmoField::<RingRiftSeedGmo<Hex8>>::from_bytes(&bytes, &rules, Uncertainty::Dropout, 0.1).is_err()
    );
}
