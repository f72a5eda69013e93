//! Gradients against finite differences, dropout, learning, files.

use std::{collections::BTreeMap, sync::Arc};

use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;
use crate::{AdamW, AdamWOptions, ModelError, ModelFile, Scalar, init::uniform};

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn shape() -> GmoShape {
    let group = |words, width| MoveGroup { words, width };
    GmoShape {
        features: 30,
        groups: vec![group(4, 3), group(9, 5), group(9, 5)],
        state: 6,
        moves: 7,
        hidden: 11,
        ensemble: 3,
        projection: 5,
        legality: 4,
        after: false,
        graph: None,
    }
}

/// The same with changes as the last group, read by the embedding of moves, and five cells in a ring with five features
/// each; the others are of the whole position.
fn graph_shape() -> GmoShape {
    let places =
        (0..30).map(|feature| if feature < 25 { (feature / 5, feature % 5) } else { (5, feature - 20) });
    let neighbours = (0..5).map(|cell| vec![cell, (cell + 1) % 5, (cell + 4) % 5]);
    let graph = CellGraph { places: places.collect(), neighbours: neighbours.collect() };
    let graph = GraphShape { width: 6, heads: 2, layers: 2, graph: Arc::new(graph) };
    let mut shape = GmoShape { after: true, graph: Some(graph), ..shape() };
    shape.groups[2].words = 60;
    shape
}

/// A position of noise with some moves.
fn input(shape: &GmoShape, moves: usize, rng: &mut impl Rng) -> GmoInput {
    let mut input = GmoInput::default();
    let mut pick = |count: u64| (rng.next_u64() % count) as usize;
    input.features = (0..8).map(|_| pick(30) as u16).collect();
    for _ in 0..moves {
        for (group, count) in shape.groups.iter().zip([1, 1, 3]) {
            (0..count).for_each(|_| input.word(pick(group.words as u64)));
            input.end_group();
        }
    }
    input
}

fn numbers<T: Scalar>(count: usize, rng: &mut impl Rng) -> Vec<T> {
    (0..count).map(|_| uniform(rng, 1.0)).collect()
}

fn labels<T: Scalar>(moves: usize, rng: &mut impl Rng) -> GmoLabels<T> {
    let weights = numbers::<T>(moves, rng).into_iter().map(|weight| weight * weight + T::ONE).collect();
    GmoLabels { values: numbers(moves, rng), weights, policy: Vec::new(), draw: rng.next_u64() }
}

/// A network whose raw log-variances are all within bounds, and a covariance.
fn kernels(shape: &GmoShape, rng: &mut impl Rng) -> GmoKernels<f64> {
    let mut net = GmoNet::<f64>::random(shape, rng);
    for group in net.parameters_mut() {
        group.iter_mut().filter(|weight| **weight == 0.0).for_each(|weight| *weight = uniform(rng, 0.1));
    }
    let mut covariance = vec![0.0; 121];
    for row in 0..11 {
        for column in 0..=row {
            let value = uniform::<f64>(rng, 0.1) + if row == column { 1.0 } else { 0.0 };
            (covariance[row * 11 + column], covariance[column * 11 + row]) = (value, value);
        }
    }
    GmoKernels::new(net).with_covariance(covariance)
}

#[test]
fn gradients_of_points_are_those_of_differences() {
    let rng = &mut generator(1);
    let kernels = kernels(&shape(), rng);
    let (input, mut workspace, mut points) = (input(&shape(), 4, rng), GmoWorkspace::default(), Vec::new());
    kernels.begin(&input, &mut points, &mut workspace);
    let mut masks = DropoutMasks::default();
    masks.draw(11, 3, 0.2, &mut || rng.next_u64());
    let (mut told, mut slopes) = (GmoPoints::default(), GmoPoints::default());
    kernels.forward(&points, &masks, &mut told, &mut workspace);
    slopes.reset(&kernels, 4, 3);
    let lists = |points: &GmoPoints<f64>| {
        let GmoPoints { values, log_variances, errors, ensemble, spreads, legality } = points.clone();
        [values, log_variances, errors, ensemble, spreads, legality].concat()
    };
    let each = [
        &mut slopes.values,
        &mut slopes.log_variances,
        &mut slopes.errors,
        &mut slopes.ensemble,
        &mut slopes.spreads,
        &mut slopes.legality,
    ];
    for list in each {
        for slope in list.iter_mut() {
            *slope = uniform(rng, 1.0);
        }
    }
    assert_eq!(lists(&told).len(), 12 * 4 + 36 + 4);
    let mut found = Vec::new();
    kernels.backward(&slopes, &masks, &mut found, &mut workspace);
    let factors = lists(&slopes);
    let mut sum_at = |points: &[f64]| -> f64 {
        kernels.forward(points, &masks, &mut told, &mut workspace);
        lists(&told).iter().zip(&factors).map(|(value, factor)| value * factor).sum()
    };
    for index in 0..points.len() {
        let step = 1e-6;
        let [mut ahead, mut behind] = [points.clone(), points.clone()];
        (ahead[index], behind[index]) = (points[index] + step, points[index] - step);
        let expected = (sum_at(&ahead) - sum_at(&behind)) / (2.0 * step);
        assert!(
            (found[index] - expected).abs() < 1e-6 * (1.0 + expected.abs()),
            "{index}: {found:?} {expected}"
        );
    }
    assert!(found.iter().any(|slope| slope.abs() > 1e-3), "{found:?}");
}

#[test]
fn gradients_of_weights_are_those_of_differences() {
    let shapes = [shape(), GmoShape { graph: None, ..graph_shape() }, graph_shape()];
    shapes.iter().for_each(compare_gradients_of_weights);
}

fn compare_gradients_of_weights(shape: &GmoShape) {
    let rng = &mut generator(2);
    let kernels = kernels(shape, rng);
    let mut positions: Vec<(GmoInput, GmoLabels<f64>)> =
        [3, 1, 0, 5].map(|moves| (input(shape, moves, rng), labels(moves, rng))).into();
    // The moves of one position are known by their probabilities, and only one of them by its value.
    positions[0].1.policy = vec![0.2, 0.7, 0.1];
    positions[0].1.weights = vec![0.0, 1.0, 0.0];
    let positions: Vec<_> = positions.iter().map(|(input, labels)| (input, labels)).collect();
    let mut masks = DropoutMasks::default();
    masks.draw(11, 4, 0.2, &mut || rng.next_u64());
    let noise: Vec<f64> = numbers(50, rng);
    let mut checked = 0;
    // The squared error is a label to the head that expects it, so that head is compared alone.
    for error in [0.0, 1.0] {
        let weights = GmoLossWeights { error, ..GmoLossWeights::default() };
        let total = |kernels: &GmoKernels<f64>, gradient: &mut GmoGradient<f64>| {
            let workspace = &mut GmoWorkspace::default();
            kernels.accumulate(&positions, &weights, &masks, &noise, gradient, workspace)
        };
        let mut gradient = GmoNet::zeros(shape);
        let losses = total(&kernels, &mut gradient);
        assert_eq!(losses.moves, 9);
        assert!(losses.projection.1 > 1.0 && losses.legality.1 > 4.0, "{losses:?}");
        for (group, (name, _, slopes)) in gradient.parameters().into_iter().enumerate() {
            // Embeddings are given to the side networks, so each loss is compared where it flows.
            let of = |losses: GmoLosses| match &name {
                name if name.starts_with("projection") => weights.projection * losses.projection.0,
                name if name.starts_with("legality") => weights.legality * losses.legality.0,
                _ if error > 0.0 => losses.error,
                _ => {
                    losses.likelihood
                        + weights.ensemble * losses.ensemble
                        + weights.ranking * losses.ranking.0
                }
            };
            let of_error = |index| name == "readout.weight" && index / 11 == ERROR;
            let wanted = |index: &usize| if error > 0.0 { of_error(*index) } else { index % 5 == group % 5 };
            for index in (0..slopes.len()).filter(wanted) {
                let at = |step: f64| {
                    let mut net = kernels.net().clone();
                    net.parameters_mut()[group][index] += step;
                    of(total(&GmoKernels::new(net), &mut GmoNet::zeros(shape)))
                };
                let expected = (at(1e-6) - at(-1e-6)) / 2e-6;
                let off = (slopes[index] - expected).abs();
                assert!(off < 1e-5 * (1.0 + expected.abs()), "{name} {index}: {} {expected}", slopes[index]);
                checked += 1;
            }
        }
    }
    assert!(checked > 250, "{checked}");
}

#[test]
fn graph_attention_treats_cells_alike() {
    let (rng, shape) = (&mut generator(7), graph_shape());
    let net = GmoKernels::new(GmoNet::<f64>::random(&shape, rng));
    let (mut workspace, mut points) = (GmoWorkspace::default(), Vec::new());
    let mut read = |features: &[u16]| {
        let mut input = GmoInput::default();
        input.features.extend_from_slice(features);
        net.begin(&input, &mut points, &mut workspace);
        workspace.sums.clone()
    };
    let near = |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-12);
    let here = read(&[1, 8, 27]);
    assert!(here.iter().any(|&sum| sum > 0.0));
    assert!(near(&here, &read(&[11, 18, 27])), "turned by two cells");
    assert!(!near(&here, &read(&[1, 13, 27])), "two cells apart instead of one");
}

#[test]
fn graph_attention_survives_a_file() {
    let net = GmoNet::<f32>::random(&graph_shape(), &mut generator(8));
    let file = net.to_file("test-encoder", BTreeMap::new(), &[]);
    let read = ModelFile::from_bytes(&file.to_bytes()).unwrap();
    assert_eq!(GmoNet::from_file(&read).unwrap(), net);
    for (field, value) in [("graph", "6x4x2"), ("graph", "6x2"), ("after", "2"), ("groups", "4x3,9x5,9x5")] {
        let mut other = file.clone();
        other.header.shape.insert(field.to_owned(), value.to_owned());
        assert!(GmoNet::from_file(&other).is_err(), "{field}={value}");
    }
    let mut other = file;
    other.tensors.remove("graph.edges");
    assert!(GmoNet::from_file(&other).is_err());
}

#[test]
fn answers_do_not_depend_on_other_points_or_passes() {
    let rng = &mut generator(3);
    let net = GmoKernels::new(GmoNet::<f32>::random(&shape(), rng));
    let (input, mut workspace, mut points) = (input(&shape(), 5, rng), GmoWorkspace::default(), Vec::new());
    net.begin(&input, &mut points, &mut workspace);
    let mut masks = DropoutMasks::default();
    masks.draw(11, 4, 0.1, &mut || rng.next_u64());
    let (mut all, mut one) = (GmoPoints::default(), GmoPoints::default());
    net.forward(&points, &masks, &mut all, &mut workspace);
    for point in 0..5 {
        net.forward(&points[point * 7..][..7], &masks, &mut one, &mut workspace);
        for pass in 0..4 {
            assert_eq!(one.values[pass].to_bits(), all.values[pass * 5 + point].to_bits());
        }
    }
}

#[test]
fn dropout_keeps_the_mean_and_spreads_around_it() {
    let rng = &mut generator(4);
    let mut masks = DropoutMasks::<f64>::default();
    masks.draw(256, 200, 0.1, &mut || rng.next_u64());
    assert_eq!(masks.count(), 200);
    let factors: Vec<f64> = (0..200).flat_map(|mask| masks.of(mask).concat()).collect();
    let mean = factors.iter().sum::<f64>() / factors.len() as f64;
    let dropped = factors.iter().filter(|&&factor| factor == 0.0).count() as f64 / factors.len() as f64;
    assert!((mean - 1.0).abs() < 0.01 && (dropped - 0.1).abs() < 0.01, "{mean} {dropped}");
    // Passes of a network differ with dropout, and not without it.
    let net = GmoKernels::new(GmoNet::<f64>::random(&shape(), rng));
    let (input, mut workspace, mut points) = (input(&shape(), 1, rng), GmoWorkspace::default(), Vec::new());
    net.begin(&input, &mut points, &mut workspace);
    for (rate, differ) in [(0.3, true), (0.0, false)] {
        masks.draw(11, 50, rate, &mut || rng.next_u64());
        let mut told = GmoPoints::default();
        net.forward(&points, &masks, &mut told, &mut workspace);
        assert_eq!(told.values.iter().any(|value| (value - told.values[0]).abs() > 1e-9), differ);
    }
}

#[test]
fn a_small_set_is_learnt_by_heart_and_survives_a_file() {
    let rng = &mut generator(5);
    let mut net = GmoNet::<f32>::random(&shape(), rng);
    let set: Vec<(GmoInput, GmoLabels<f32>)> = (0..6)
        .map(|_| {
            let values = numbers(4, rng).into_iter().map(|value: f32| 0.8 * value).collect();
            let labels =
                GmoLabels { values, weights: vec![1.0; 4], policy: Vec::new(), draw: rng.next_u64() };
            (input(&shape(), 4, rng), labels)
        })
        .collect();
    let positions: Vec<_> = set.iter().map(|(input, labels)| (input, labels)).collect();
    let lengths: Vec<usize> = net.parameters().iter().map(|group| group.2.len()).collect();
    let mut optimiser =
        AdamW::new(AdamWOptions { weight_decay: 0.0, clip: None, ..AdamWOptions::default() }, lengths);
    let mut masks = DropoutMasks::default();
    masks.nothing(11);
    let (noise, mut last) = (numbers(64, rng), GmoLosses::default());
    for _ in 0..600 {
        let kernels = GmoKernels::new(net.clone());
        let mut gradient = GmoNet::zeros(&shape());
        last = kernels.accumulate(
            &positions,
            &GmoLossWeights::default(),
            &masks,
            &noise,
            &mut gradient,
            &mut GmoWorkspace::default(),
        );
        let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.2).collect();
        optimiser.step(&mut net.parameters_mut(), &slopes, 3e-3);
    }
    assert!(last.squared / last.weight < 1e-2, "{last:?}");
    assert!(last.likelihood / last.weight < -3.0, "the variance is learnt too: {last:?}");
    // The projection of a disturbed embedding prefers better moves, and legal ones look legal.
    assert!(last.projection.0 / last.projection.1 < 0.5, "{last:?}");
    assert!(last.legality.0 / last.legality.1 < 0.5, "{last:?}");
    let covariance = vec![0.5; 121];
    let bytes = net.to_file("test-encoder", BTreeMap::new(), &covariance).to_bytes();
    let file = ModelFile::from_bytes(&bytes).unwrap();
    assert_eq!(GmoNet::from_file(&file).unwrap(), net);
    let mut told = GmoPoints::default();
    let (kernels, mut workspace, mut points) =
        (GmoKernels::from_file(&file).unwrap(), GmoWorkspace::default(), Vec::new());
    kernels.begin(&set[0].0, &mut points, &mut workspace);
    kernels.forward(&points, &masks, &mut told, &mut workspace);
    assert_eq!(told.spreads.len(), 4, "the posterior is in the file");
    let mut logits = Vec::new();
    assert!(kernels.project(&points[..7], &points, &mut logits, &mut workspace) && logits.len() == 4);
}

#[test]
fn files_of_other_kinds_and_broken_ones_are_refused() {
    let net = GmoNet::<f32>::random(&shape(), &mut generator(6));
    let file = net.to_file("test-encoder", BTreeMap::new(), &[]);
    let mut other = file.clone();
    other.header.kind = "pv".to_owned();
    assert!(matches!(GmoNet::from_file(&other), Err(ModelError::Kind { .. })));
    for (field, value) in
        [("hidden", "0"), ("hidden", "12"), ("groups", "4x3"), ("groups", "4x3,9y5"), ("features", "70000")]
    {
        let mut other = file.clone();
        other.header.shape.insert(field.to_owned(), value.to_owned());
        assert!(GmoNet::from_file(&other).is_err(), "{field}={value}");
    }
    let mut other = file.clone();
    other.tensors.get_mut("second.weight").unwrap().1[3] = f32::NAN;
    assert!(matches!(GmoNet::from_file(&other), Err(ModelError::Format(_))));
    assert!(GmoNet::from_file(&file).is_ok());
}
