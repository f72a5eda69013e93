//! Gradients against finite differences, learning, files.

use std::collections::BTreeMap;

use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::*;
use crate::{AdamW, AdamWOptions, Grid, ModelError, ModelFile, PvInput, Scalar, init::uniform};

const PLANES: usize = 5;
const GLOBALS: usize = 3;
const FEATURES: usize = 4;

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn shape(local: bool) -> EbmoShape {
    EbmoShape { local, ..EbmoPreset::Tiny.shape(PLANES, GLOBALS, FEATURES) }
}

fn numbers<T: Scalar>(count: usize, rng: &mut impl Rng) -> Vec<T> {
    (0..count).map(|_| uniform(rng, 1.0)).collect()
}

fn input<T: Scalar>(grid: &Grid, actions: usize, rng: &mut impl Rng) -> PvInput<T> {
    let mut input = PvInput::default();
    input.reset(&shape(true).trunk.layout, grid.cells(), 2);
    input.planes = numbers(grid.cells() * PLANES, rng);
    input.globals = numbers(GLOBALS, rng);
    for _ in 0..actions {
        for feature in 0..FEATURES {
            input.term(feature, uniform(rng, 1.0));
        }
        // Some actions leave or reach no cell.
        for side in 0..2 {
            let cell = (rng.next_u64() % (grid.cells() as u64 + 1)) as usize;
            if cell < grid.cells() {
                input.term(FEATURES + side * grid.cells() + cell, T::ONE);
            }
        }
        input.end_move();
    }
    input
}

fn labels<T: Scalar>(actions: usize, index: usize, rng: &mut impl Rng) -> EbmoLabels<T> {
    let mut policy: Vec<T> = numbers(actions, rng);
    crate::softmax(&mut policy);
    EbmoLabels {
        policy: if index == 1 { Vec::new() } else { policy },
        played: (index != 2).then(|| (index % actions, uniform(rng, 1.0))),
        weight: T::from_f64(0.5 + index as f64),
    }
}

#[test]
fn gradients_are_those_of_differences() {
    let grid = Grid::full(4, 4);
    for local in [true, false] {
        let rng = &mut generator(1);
        let mut net = EbmoNet::<f64>::random(&shape(local), rng);
        for group in net.parameters_mut() {
            group.iter_mut().filter(|weight| **weight == 0.0).for_each(|weight| *weight = uniform(rng, 0.1));
        }
        let set: Vec<(PvInput<f64>, EbmoLabels<f64>)> =
            (0..4).map(|index| (input(&grid, 3 + index, rng), labels(3 + index, index, rng))).collect();
        let positions: Vec<_> = set.iter().map(|(input, labels)| (input, labels)).collect();
        let weights = EbmoWeights { temperature: 0.5, outcome: 0.7 };
        let total = |net: &EbmoNet<f64>| {
            let kernels = EbmoKernels::prepared(net.clone(), grid.clone(), true);
            let mut gradient = kernels.zero_gradient();
            let losses =
                kernels.add_gradients(&positions, &weights, &mut gradient, &mut kernels.workspace(3));
            (losses.policy + weights.outcome * losses.outcome.0, kernels.finished(&gradient))
        };
        let (_, gradient) = total(&net);
        let mut checked = 0;
        for (group, (name, _, slopes)) in gradient.parameters().into_iter().enumerate() {
            for index in (0..slopes.len()).step_by(slopes.len() / 6 + 1) {
                let at = |step: f64| {
                    let mut net = net.clone();
                    net.parameters_mut()[group][index] += step;
                    total(&net).0
                };
                let expected = (at(1e-6) - at(-1e-6)) / 2e-6;
                let off = (slopes[index] - expected).abs();
                assert!(off < 1e-5 * (1.0 + expected.abs()), "{name} {index}: {} {expected}", slopes[index]);
                checked += 1;
            }
        }
        assert!(checked > 80, "{checked}");
    }
}

#[test]
fn kernels_are_renewed_and_tell_the_losses_of_each_position() {
    let (grid, rng) = (Grid::full(4, 4), &mut generator(4));
    let [first, second] = [(); 2].map(|()| EbmoNet::<f32>::random(&shape(true), rng));
    let set: Vec<(PvInput<f32>, EbmoLabels<f32>)> =
        (0..5).map(|index| (input(&grid, 3 + index, rng), labels(3 + index, index, rng))).collect();
    let positions: Vec<_> = set.iter().map(|(input, labels)| (input, labels)).collect();
    let weights = EbmoWeights::default();
    let learn = |kernels: &EbmoKernels<f32>, gradient: &mut EbmoGradient<f32>| {
        let losses = kernels.accumulate(&positions, &weights, gradient, &mut kernels.workspace(2));
        (losses, kernels.finish(gradient))
    };
    let fresh = EbmoKernels::for_learning(second.clone(), grid.clone());
    let expected = learn(&fresh, &mut fresh.no_gradient());
    // What is used again holds the numbers of another network.
    let kernels = EbmoKernels::for_learning(first, grid.clone());
    let mut gradient = kernels.no_gradient();
    assert_ne!(learn(&kernels, &mut gradient), expected);
    gradient.clear();
    let kernels = kernels.renewed(second.clone());
    assert_eq!(learn(&kernels, &mut gradient), expected);
    let playing = EbmoKernels::new(second, grid);
    let each = playing.losses(&positions, &weights, &mut playing.workspace(2));
    let mut sum = EbmoLosses::default();
    for losses in &each {
        sum.add(losses);
    }
    assert_eq!((each.len(), sum), (5, expected.0));
    let alone = playing.losses(&positions[3..4], &weights, &mut playing.workspace(1));
    assert_eq!(alone, each[3..4]);
}

#[test]
fn slopes_of_points_are_those_of_differences() {
    let (grid, rng) = (Grid::full(3, 3), &mut generator(2));
    let kernels = EbmoKernels::prepared(EbmoNet::<f64>::random(&shape(true), rng), grid.clone(), false);
    let input = input::<f64>(&grid, 4, rng);
    let mut workspace = kernels.workspace(1);
    kernels.states_forward(std::iter::once(&input), &mut workspace);
    kernels.actions_forward(&[&input], &mut workspace);
    let points = workspace.embeddings[..4 * 8].to_vec();
    let factors: Vec<f64> = numbers(4, rng);
    let (mut energies, mut found) = (Vec::new(), Vec::new());
    kernels.point_energies(&points, &mut energies, &mut workspace);
    kernels.point_slopes(&factors, &mut found, &mut workspace);
    for index in 0..points.len() {
        let mut sum_at = |step: f64| -> f64 {
            let mut points = points.clone();
            points[index] += step;
            kernels.point_energies(&points, &mut energies, &mut workspace);
            energies.iter().zip(&factors).map(|(energy, factor)| energy * factor).sum()
        };
        let expected = (sum_at(1e-6) - sum_at(-1e-6)) / 2e-6;
        assert!((found[index] - expected).abs() < 1e-6, "{index}: {found:?} {expected}");
    }
    assert!(found.iter().any(|slope| slope.abs() > 1e-4), "{found:?}");
}

#[test]
fn a_small_set_is_learnt_by_heart_and_survives_a_file() {
    let (grid, rng) = (Grid::full(4, 4), &mut generator(3));
    let mut net = EbmoNet::<f32>::random(&shape(true), rng);
    let set: Vec<(PvInput<f32>, EbmoLabels<f32>)> = (0..6)
        .map(|index| {
            let mut policy = vec![0.0; 5];
            policy[index % 5] = 1.0;
            let labels = EbmoLabels { policy, played: Some((index % 5, 0.5)), weight: 1.0 };
            (input(&grid, 5, rng), labels)
        })
        .collect();
    let positions: Vec<_> = set.iter().map(|(input, labels)| (input, labels)).collect();
    let lengths: Vec<usize> = net.parameters().iter().map(|group| group.2.len()).collect();
    let options = AdamWOptions { weight_decay: 0.0, clip: None, ..AdamWOptions::default() };
    let (mut optimiser, mut last) = (AdamW::new(options, lengths), EbmoLosses::default());
    for _ in 0..300 {
        let kernels = EbmoKernels::for_learning(net.clone(), grid.clone());
        let mut gradient = kernels.no_gradient();
        let mut workspace = kernels.workspace(8);
        last = kernels.accumulate(&positions, &EbmoWeights::default(), &mut gradient, &mut workspace);
        let gradient = kernels.finish(&gradient);
        let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.2).collect();
        optimiser.step(&mut net.parameters_mut(), &slopes, 3e-3);
    }
    assert!(last.policy / last.weight < 0.05 && last.hits > 5.5, "{last:?}");
    assert!(last.outcome.0 / last.outcome.1 < 0.05, "{last:?}");
    let bytes = net.to_file("test-encoder", BTreeMap::new()).to_bytes();
    let file = ModelFile::from_bytes(&bytes).unwrap();
    assert_eq!(EbmoNet::from_file(&file).unwrap(), net);
    // The action of the lowest energy is the one that was learnt.
    let kernels = EbmoKernels::new(net, grid);
    let (mut workspace, mut points, mut energies) = (kernels.workspace(1), Vec::new(), Vec::new());
    kernels.begin(&set[2].0, &mut points, &mut workspace);
    kernels.energies(&points, &mut energies, &mut workspace);
    let lowest = (0..5).min_by(|&one, &other| energies[one].total_cmp(&energies[other]));
    assert_eq!(lowest, Some(2));
}

#[test]
fn presets_have_their_sizes_and_other_files_are_refused() {
    let seed = EbmoPreset::Seed.shape(56, 20, 14);
    assert_eq!((seed.trunk.blocks, seed.trunk.filters, seed.trunk.summary), (6, 128, 256));
    assert_eq!(
        (seed.action, seed.action_hidden, seed.hidden, seed.layers, seed.local),
        (128, 64, 256, 3, false)
    );
    assert_eq!("small".parse(), Ok(EbmoPreset::Small));
    assert!("large".parse::<EbmoPreset>().is_err());
    let file = EbmoNet::<f32>::zeros(&shape(true)).to_file("test-encoder", BTreeMap::new());
    let mut other = file.clone();
    other.header.kind = "gmo".to_owned();
    assert!(matches!(EbmoNet::from_file(&other), Err(ModelError::Kind { .. })));
    for (field, value) in
        [("filters", "0"), ("filters", "9"), ("local", "2"), ("layers", "1"), ("layers", "4")]
    {
        let mut other = file.clone();
        other.header.shape.insert(field.to_owned(), value.to_owned());
        assert!(EbmoNet::from_file(&other).is_err(), "{field}={value}");
    }
}
