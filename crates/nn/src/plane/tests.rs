//! Gradients against finite differences, batches, sizes, learning, files.

use std::collections::BTreeMap;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;
use crate::{
    AdamW, AdamWOptions, Grid, Header, ModelError, ModelFile, Scalar, init::uniform, softmax_cross_entropy,
};

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn shapes() -> Vec<PlaneShape> {
    let plain = PlaneShape {
        planes: 4,
        layers: 3,
        channels: 9,
        residual: false,
        activation: PlaneActivation::Elu,
        head: PlaneHead::Value,
    };
    let heads = [PlaneHead::Value, PlaneHead::Map];
    let with = |head| {
        [
            PlaneShape { head, ..plain },
            PlaneShape { head, activation: PlaneActivation::Relu, layers: 1, ..plain },
            PlaneShape { head, activation: PlaneActivation::Relu, residual: true, layers: 5, ..plain },
            PlaneShape { head, residual: true, layers: 4, ..plain },
        ]
    };
    heads.into_iter().flat_map(with).collect()
}

fn random<T: Scalar>(shape: &PlaneShape, rng: &mut Xoshiro256PlusPlus) -> PlaneNet<T> {
    let mut net = PlaneNet::random(shape, rng);
    // Biases too, so that nothing is zero by accident.
    for group in net.parameters_mut() {
        for weight in group.iter_mut() {
            *weight += uniform::<T>(rng, 0.05);
        }
    }
    net
}

fn planes<T: Scalar>(kernels: &PlaneKernels<T>, boards: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<T> {
    (0..boards * kernels.inputs()).map(|_| uniform(rng, 1.0)).collect()
}

/// The loss of a board: squared error of a value, cross-entropy of a map with an even target over some of its places.
fn loss<T: Scalar>(outputs: &[T], board: usize, slopes: &mut [T]) -> T {
    if let [value] = outputs {
        let error = *value - T::from_f64(0.3 - 0.2 * board as f64);
        slopes[0] = error + error;
        return error * error;
    }
    let count = outputs.iter().enumerate().filter(|(place, _)| place % 2 == 0).count();
    let share = T::from_f64(1.0 / count as f64);
    let target: Vec<T> =
        (0..outputs.len()).map(|place| if place % 2 == 0 { share } else { T::ZERO }).collect();
    softmax_cross_entropy(outputs, &target, slopes)
}

#[test]
fn gradients_are_those_of_finite_differences() {
    for shape in shapes() {
        for grid in [Grid::full(3, 3), Grid::full(5, 4)] {
            let mut rng = generator(3);
            let mut net = random::<f64>(&shape, &mut rng);
            let boards = planes(&PlaneKernels::prepared(net.clone(), grid.clone(), true), 3, &mut rng);
            let total = |net: &PlaneNet<f64>| {
                let kernels = PlaneKernels::prepared(net.clone(), grid.clone(), true);
                let mut gradient = kernels.no_gradient();
                let mut sum = 0.0;
                // Two at a time, so that boards are divided among chunks.
                kernels.accumulate(
                    &boards,
                    &mut gradient,
                    &mut kernels.workspace(2),
                    &mut |outputs, board, slopes| {
                        sum += loss(outputs, board, slopes);
                    },
                );
                (sum, kernels.finish(&gradient, 1.0))
            };
            let (_, gradient) = total(&net);
            let expected: Vec<(String, Vec<f64>)> =
                gradient.parameters().into_iter().map(|(name, _, slopes)| (name, slopes.to_vec())).collect();
            for (group, (name, slopes)) in expected.iter().enumerate() {
                for index in (0..slopes.len()).step_by(1 + slopes.len() / 12) {
                    let mut at = |offset: f64| {
                        net.parameters_mut()[group][index] += offset;
                        let loss = total(&net).0;
                        net.parameters_mut()[group][index] -= offset;
                        loss
                    };
                    let found = (at(1e-6) - at(-1e-6)) / 2e-6;
                    let error = (found - slopes[index]).abs();
                    assert!(error < 1e-6, "{shape:?} {name} {index}: {found} {}", slopes[index]);
                }
                assert!(slopes.iter().any(|slope| *slope != 0.0), "{name} has no gradient in {shape:?}");
            }
        }
    }
}

#[test]
fn an_answer_does_not_depend_on_the_batch_and_play_agrees_with_learning() {
    let mut rng = generator(5);
    for shape in shapes() {
        let net = random::<f32>(&shape, &mut rng);
        let play = PlaneKernels::new(net.clone(), Grid::full(5, 5));
        let learn = PlaneKernels::for_learning(net, Grid::full(5, 5));
        let boards = planes(&play, 23, &mut rng);
        let answers = |kernels: &PlaneKernels<f32>, capacity| {
            let mut outputs = Vec::new();
            kernels.evaluate(&boards, &mut kernels.workspace(capacity), &mut outputs);
            outputs
        };
        assert_eq!(answers(&play, 1), answers(&play, 16));
        assert_eq!(answers(&play, 7), answers(&learn, 23));
    }
}

#[test]
fn one_network_serves_all_sizes_and_presets_have_the_stated_sizes() {
    let mut rng = generator(7);
    for head in [PlaneHead::Value, PlaneHead::Map] {
        let shape = PlanePreset::Seed.shape(12, head);
        assert_eq!((shape.layers, shape.channels), (4, 20));
        let net = PlaneNet::<f32>::random(&shape, &mut rng);
        for side in [2, 3, 9, 19] {
            let kernels = PlaneKernels::new(net.clone(), Grid::full(side, side));
            let mut outputs = Vec::new();
            kernels.evaluate(&planes(&kernels, 2, &mut rng), &mut kernels.workspace(2), &mut outputs);
            assert_eq!(outputs.len(), 2 * shape.outputs(side * side));
            assert!(outputs.iter().all(|output| output.is_finite()));
        }
    }
    for preset in PlanePreset::ALL {
        for head in [PlaneHead::Value, PlaneHead::Map] {
            let shape = preset.shape(12, head);
            let weights: usize =
                PlaneNet::<f32>::zeros(&shape).parameters().iter().map(|group| group.2.len()).sum();
            assert_eq!(weights, shape.weights(), "{preset}");
        }
        assert_eq!(preset.name().parse(), Ok(preset));
    }
    assert!("huge".parse::<PlanePreset>().is_err());
}

#[test]
fn values_learn_which_boards_have_more_of_the_first_plane() {
    let mut rng = generator(11);
    let shape =
        PlaneShape { planes: 2, channels: 8, layers: 2, ..PlanePreset::Seed.shape(2, PlaneHead::Value) };
    let mut net = PlaneNet::<f32>::random(&shape, &mut rng);
    let mut optimiser =
        AdamW::new(AdamWOptions::default(), net.parameters().iter().map(|group| group.2.len()));
    let grid = Grid::full(4, 4);
    let sample = |rng: &mut Xoshiro256PlusPlus| -> (Vec<f32>, f32) {
        let lean: f32 = uniform(rng, 1.0);
        let planes: Vec<f32> =
            (0..32).map(|place| uniform::<f32>(rng, 1.0) + if place % 2 == 0 { lean } else { 0.0 }).collect();
        (planes, lean.signum())
    };
    let mut mean = 1.0;
    for step in 0..300 {
        let kernels = PlaneKernels::for_learning(net.clone(), grid.clone());
        let samples: Vec<_> = (0..16).map(|_| sample(&mut rng)).collect();
        let planes: Vec<f32> = samples.iter().flat_map(|sample| sample.0.clone()).collect();
        let (mut gradient, mut sum) = (kernels.no_gradient(), 0.0);
        kernels.accumulate(
            &planes,
            &mut gradient,
            &mut kernels.workspace(16),
            &mut |outputs, board, slopes| {
                let error = outputs[0] - samples[board].1;
                (slopes[0], sum) = (2.0 * error, sum + error * error);
            },
        );
        let gradient = kernels.finish(&gradient, 1.0 / 16.0);
        let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.2).collect();
        optimiser.step(&mut net.parameters_mut(), &slopes, 0.01);
        if step >= 250 {
            mean = mean * 0.9 + 0.1 * sum / 16.0;
        }
    }
    assert!(mean < 0.3, "{mean}");
}

#[test]
fn files_hold_several_networks_and_damage_is_noticed() {
    let mut rng = generator(13);
    let header = Header {
        kind: "test".to_owned(),
        encoder: "none".to_owned(),
        shape: BTreeMap::new(),
        provenance: BTreeMap::new(),
    };
    let mut file = ModelFile { header, tensors: BTreeMap::new() };
    let nets: Vec<PlaneNet<f32>> = shapes()[2..6].iter().map(|shape| random(shape, &mut rng)).collect();
    for (index, net) in nets.iter().enumerate() {
        net.add_to(&mut file, &format!("net{index}"));
    }
    let again = ModelFile::from_bytes(&file.to_bytes()).unwrap();
    for (index, net) in nets.iter().enumerate() {
        assert_eq!(PlaneNet::read_from(&again, &format!("net{index}")).unwrap(), *net);
    }
    assert!(matches!(PlaneNet::read_from(&again, "net9"), Err(ModelError::Shape { .. })));
    file.tensors.get_mut("net0.readout.bias").unwrap().1[0] = f32::NAN;
    assert!(matches!(PlaneNet::read_from(&file, "net0"), Err(ModelError::Format(_))));
    file.tensors.remove("net1.pooled.weight");
    assert!(matches!(PlaneNet::read_from(&file, "net1"), Err(ModelError::Tensor { .. })));
    file.header.shape.insert("net2.layers".to_owned(), "0".to_owned());
    assert!(matches!(PlaneNet::read_from(&file, "net2"), Err(ModelError::Shape { .. })));
}
