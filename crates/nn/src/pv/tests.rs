//! Gradients against finite differences, batches, threads, learning, files.

use std::collections::BTreeMap;

use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;
use crate::{AdamW, AdamWOptions, Grid, ModelError, ModelFile, Scalar, Schedule, init::uniform};

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

const LAYOUT: PvLayout = PvLayout { planes: 5, globals: 3, policy_planes: 4, policy_pooled: 2 };

fn shapes() -> Vec<PvShape> {
    let plain =
        PvShape { layout: LAYOUT, blocks: 2, filters: 9, summary: 7, pooling: 0, squeeze: 0, owners: OWNERS };
    vec![
        plain.clone(),
        PvShape { pooling: 1, ..plain.clone() },
        PvShape { squeeze: 3, filters: 8, ..plain.clone() },
        PvShape { pooling: 2, squeeze: 4, blocks: 3, ..plain },
    ]
}

fn grids() -> Vec<Grid> {
    let hexagon = (0..25).map(|cell| (2..=6).contains(&(cell / 5 + cell % 5))).collect();
    vec![Grid::full(4, 4), Grid::masked(5, 5, hexagon)]
}

fn numbers<T: Scalar>(count: usize, rng: &mut impl Rng) -> Vec<T> {
    (0..count).map(|_| uniform(rng, 1.0)).collect()
}

fn distribution<T: Scalar>(count: usize, rng: &mut impl Rng) -> Vec<T> {
    let mut shares: Vec<T> = numbers(count, rng);
    for share in &mut shares {
        *share = share.max(T::ZERO) + T::from_f64(0.01);
    }
    let sum: T = shares.iter().copied().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

/// A position of noise. Every third has no policy, every fourth no owners and margins.
fn position<T: Scalar>(index: usize, grid: &Grid, rng: &mut impl Rng) -> (PvInput<T>, PvTarget<T>) {
    let mut input = PvInput::default();
    let seats = 2 + index % 3;
    input.reset(&LAYOUT, grid.cells(), seats);
    for (place, value) in input.planes.iter_mut().enumerate() {
        if grid.on_board()[place / LAYOUT.planes] {
            *value = uniform(rng, 1.0);
        }
    }
    input.globals = numbers(LAYOUT.globals, rng);
    let cells: Vec<usize> = (0..grid.cells()).filter(|&cell| grid.on_board()[cell]).collect();
    let score = |rng: &mut dyn FnMut() -> u64| {
        cells[rng() as usize % cells.len()] * LAYOUT.policy_planes + rng() as usize % LAYOUT.policy_planes
    };
    for number in 0..6 {
        for _ in 0..=number % 3 {
            input.term(score(&mut || rng.next_u64()), T::from_f64(1.0 - 0.25 * (number % 2) as f64));
        }
        if number == 5 {
            input.term(grid.cells() * LAYOUT.policy_planes + index % LAYOUT.policy_pooled, T::ONE);
        }
        input.end_move();
    }
    let some = |is: bool, count: usize| if is { count } else { 0 };
    let target = PvTarget {
        policy: distribution(some(index % 3 != 2, 6), rng),
        value: distribution(seats, rng),
        margin: numbers(some(index % 4 != 3, seats), rng),
        owner: (0..some(index % 4 != 3, grid.cells()))
            .map(|cell| if cell % 5 == 4 { PvTarget::<T>::UNKNOWN } else { (rng.next_u64() % 5) as u8 })
            .collect(),
        weight: T::from_f64(0.5 + (index % 2) as f64),
    };
    (input, target)
}

fn pairs<T>(positions: &[(PvInput<T>, PvTarget<T>)]) -> Vec<(&PvInput<T>, &PvTarget<T>)> {
    positions.iter().map(|(input, target)| (input, target)).collect()
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let weights =
        PvWeights { policy: 1.0, soft_policy: 0.7, value: 1.3, owner: 0.9, margin: 0.8, error: 0.0 };
    for shape in shapes() {
        for grid in grids() {
            let mut rng = generator(3);
            let mut net = PvNet::<f64>::random(&shape, &mut rng);
            // Biases too, so that nothing is zero by accident.
            for group in net.parameters_mut() {
                for weight in group.iter_mut() {
                    *weight += uniform::<f64>(&mut rng, 0.05);
                }
            }
            let positions: Vec<_> = (0..5).map(|index| position(index, &grid, &mut rng)).collect();
            let positions = pairs(&positions);
            let loss = |net: &PvNet<f64>| {
                let kernels = PvKernels::prepared(net.clone(), grid.clone(), true);
                let mut gradient = kernels.no_gradient();
                let losses =
                    kernels.accumulate(&positions, &weights, &mut gradient, &mut kernels.workspace(2));
                (losses.total(&weights), kernels.finish(&gradient, 1.0))
            };
            let (_, gradient) = loss(&net);
            let expected: Vec<(String, Vec<f64>)> =
                gradient.parameters().into_iter().map(|(name, _, slopes)| (name, slopes.to_vec())).collect();
            for (group, (name, slopes)) in expected.iter().enumerate() {
                for index in (0..slopes.len()).step_by(1 + slopes.len() / 12) {
                    let mut at = |offset: f64| {
                        net.parameters_mut()[group][index] += offset;
                        let loss = loss(&net).0;
                        net.parameters_mut()[group][index] -= offset;
                        loss
                    };
                    let found = (at(1e-6) - at(-1e-6)) / 2e-6;
                    let error = (found - slopes[index]).abs();
                    assert!(error < 1e-6, "{shape:?} {name} {index}: {found} {}", slopes[index]);
                }
                let matters = slopes.iter().any(|slope| *slope != 0.0);
                assert!(matters, "{name} has no gradient in {shape:?}");
            }
        }
    }
}

#[test]
fn the_expected_error_learns_from_the_values_but_does_not_move_them() {
    let (shape, grid) = (&shapes()[1], &grids()[0]);
    let weights =
        PvWeights { policy: 0.0, soft_policy: 0.0, value: 0.0, owner: 0.0, margin: 0.0, error: 1.0 };
    let mut rng = generator(9);
    let net = PvNet::<f64>::random(shape, &mut rng);
    let (input, target) = position(0, grid, &mut rng);
    let loss = |net: &PvNet<f64>| {
        let kernels = PvKernels::prepared(net.clone(), grid.clone(), true);
        let mut gradient = kernels.no_gradient();
        let losses =
            kernels.accumulate(&[(&input, &target)], &weights, &mut gradient, &mut kernels.workspace(1));
        (losses.error, kernels.finish(&gradient, 1.0))
    };
    let (_, gradient) = loss(&net);
    let error = shape.readout().error;
    let values = gradient.readout.biases.iter().enumerate().filter(|(index, _)| *index != error);
    assert!(values.clone().all(|(_, slope)| *slope == 0.0), "{:?}", gradient.readout.biases);
    let at = |offset: f64| {
        let mut net = net.clone();
        net.readout.biases[error] += offset;
        loss(&net).0
    };
    let found = (at(1e-6) - at(-1e-6)) / 2e-6;
    assert!((found - target.weight * gradient.readout.biases[error] / target.weight).abs() < 1e-6, "{found}");
}

#[test]
fn answers_do_not_depend_on_the_batch() {
    for (shape, grid) in shapes().into_iter().zip(grids().into_iter().cycle()) {
        let shape = PvShape { filters: 48, ..shape };
        let mut rng = generator(4);
        let kernels = PvKernels::new(PvNet::<f32>::random(&shape, &mut rng), grid.clone());
        let inputs: Vec<_> = (0..13).map(|index| position::<f32>(index, &grid, &mut rng).0).collect();
        let evaluate = |capacity: usize, batch: usize| {
            let mut workspace = kernels.workspace(capacity);
            let mut outputs = vec![PvOutput::default(); inputs.len()];
            for (inputs, outputs) in inputs.chunks(batch).zip(outputs.chunks_mut(batch)) {
                kernels.evaluate(inputs, true, &mut workspace, outputs);
            }
            outputs
        };
        let all = evaluate(32, 13);
        assert_eq!(all, evaluate(1, 1));
        assert_eq!(all, evaluate(4, 13));
        assert_eq!(all, evaluate(16, 5));
        assert_ne!(all[0].logits, all[3].logits);
        // Learning goes through the same layers.
        let learning = PvKernels::for_learning(kernels.net().clone(), grid.clone());
        let mut outputs = vec![PvOutput::default(); inputs.len()];
        learning.evaluate(&inputs, true, &mut learning.workspace(8), &mut outputs);
        assert_eq!(all, outputs);
    }
}

/// Learns random positions by heart; returns the losses of the last step and the network.
fn memorise(shape: &PvShape, grid: &Grid, threads: usize, steps: u64) -> (PvLosses, PvNet<f32>) {
    let mut rng = generator(5);
    let mut net = PvNet::<f32>::random(shape, &mut rng);
    let positions: Vec<_> = (0..24).map(|index| position::<f32>(index, grid, &mut rng)).collect();
    let positions = pairs(&positions);
    let options = AdamWOptions { weight_decay: 1e-4, clip: None, max_norm: Some(5.0), ..Default::default() };
    let mut optimiser = AdamW::new(options, net.parameters().iter().map(|group| group.2.len()));
    let schedule = Schedule { peak: 5e-3, last: 1e-4, warmup: 5, steps };
    let mut shards = PvShards::new(&PvKernels::for_learning(net.clone(), grid.clone()), threads);
    let mut losses = PvLosses::default();
    for step in 0..steps {
        let kernels = PvKernels::for_learning(net.clone(), grid.clone());
        let (gradient, found) = shards.gradient(&kernels, &positions, &PvWeights::default());
        losses = found;
        let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.2).collect();
        optimiser.step(&mut net.parameters_mut(), &slopes, schedule.rate(step));
    }
    (losses, net)
}

#[test]
fn a_few_positions_are_learnt_by_heart_and_the_same_threads_find_the_same_weights() {
    for (shape, grid) in shapes().iter().zip(grids().iter().cycle()) {
        let shape = PvShape { filters: 16, summary: 16, ..shape.clone() };
        let (losses, net) = memorise(&shape, grid, 2, 150);
        assert!(losses.policy / losses.policy_weight < 0.05, "{shape:?} {losses:?}");
        assert!(losses.value / losses.weight < 0.02, "{shape:?} {losses:?}");
        assert!(losses.policy_hits > 0.8 * losses.policy_weight, "{losses:?}");
        let (again, same) = memorise(&shape, grid, 2, 10);
        assert_eq!((again, &same), (memorise(&shape, grid, 2, 10).0, &memorise(&shape, grid, 2, 10).1));
        assert_ne!(net, same);
        // Other numbers of threads find the same but for the last digits.
        let (alone, _) = memorise(&shape, grid, 1, 10);
        assert!((alone.policy - again.policy).abs() < 1e-3 * alone.policy, "{alone:?} {again:?}");
    }
}

#[test]
fn presets_have_the_sizes_of_their_names() {
    for (preset, blocks, filters) in
        [(PvPreset::Tiny, 2, 16), (PvPreset::Small, 4, 32), (PvPreset::Base, 6, 64), (PvPreset::Seed, 8, 256)]
    {
        let shape = preset.shape(LAYOUT);
        assert_eq!((shape.blocks, shape.filters), (blocks, filters));
        assert_eq!(preset.name().parse(), Ok(preset));
    }
    assert!("huge".parse::<PvPreset>().is_err());
}

#[test]
fn a_network_comes_back_from_its_file_and_bad_files_are_refused() {
    for shape in shapes() {
        let net = PvNet::<f32>::random(&shape, &mut generator(6));
        let file = net.to_file("toy-pv", BTreeMap::from([("data".to_owned(), "noise".to_owned())]));
        let bytes = file.to_bytes();
        let read = ModelFile::from_bytes(&bytes).expect("it was just written");
        assert_eq!(PvNet::from_file(&read).expect("it holds a network"), net);
        let mut altered = bytes.clone();
        *altered.last_mut().unwrap() ^= 1;
        assert!(matches!(ModelFile::from_bytes(&altered), Err(ModelError::Damaged { .. })));
        let mut other = file.clone();
        other.header.kind = "nnue".to_owned();
        assert!(matches!(PvNet::from_file(&other), Err(ModelError::Kind { .. })));
        let mut missing = file.clone();
        missing.tensors.remove("block.1.second.bias");
        assert!(matches!(PvNet::from_file(&missing), Err(ModelError::Tensor { .. })));
        let mut infinite = file.clone();
        infinite.tensors.get_mut("summary.bias").unwrap().1[0] = f32::NAN;
        assert!(PvNet::from_file(&infinite).unwrap_err().to_string().contains("summary.bias"));
        for (name, value) in [("filters", "0"), ("filters", "999999"), ("planes", "x"), ("owners", "9")] {
            let mut wrong = file.clone();
            wrong.header.shape.insert(name.to_owned(), value.to_owned());
            assert!(PvNet::from_file(&wrong).is_err(), "{name}={value}");
        }
    }
}
