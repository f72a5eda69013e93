//! Gradients against finite differences, learning, and the way through a file.

use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::{
    Activation, AdamW, AdamWOptions, Nnue, NnueShape, QuantiseError, QuantisedNnue, Sample, Schedule,
    Workspace,
};

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn shapes() -> Vec<NnueShape> {
    let plain = |activation| NnueShape {
        features: 30,
        hidden: 12,
        activation,
        layers: Vec::new(),
        buckets: 2,
        scalars: 0,
    };
    let deep = |activation| NnueShape { layers: vec![7, 5], ..plain(activation) };
    let shapes = Activation::ALL.into_iter().flat_map(|activation| [plain(activation), deep(activation)]);
    // More than one block of neurons that stay in registers, and a remainder.
    let wide = NnueShape { hidden: 70, ..plain(Activation::SquaredClippedRelu) };
    let with_scalars = [(Vec::new(), 5), (vec![7], 3)].map(|(layers, scalars)| NnueShape {
        layers,
        scalars,
        ..plain(Activation::SquaredClippedRelu)
    });
    shapes.chain([wide]).chain(with_scalars).collect()
}

/// Scalars for each of `seats` perspectives, between −1 and 1.
fn scalars(seats: usize, shape: &NnueShape, rng: &mut impl Rng) -> Vec<f32> {
    (0..seats * shape.scalars).map(|_| (rng.next_u64() % 201) as f32 / 100.0 - 1.0).collect()
}

/// Lists of active features for each of `seats` perspectives.
fn perspectives(seats: usize, features: usize, rng: &mut impl Rng) -> Vec<Vec<u16>> {
    let list =
        |_| -> Vec<u16> { (0..features as u16).filter(|_| rng.next_u64().is_multiple_of(4)).collect() };
    (0..seats).map(list).collect()
}

fn borrowed(lists: &[Vec<u16>]) -> Vec<&[u16]> {
    lists.iter().map(Vec::as_slice).collect()
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let targets: [&[f64]; 3] = [&[0.9, 0.1], &[0.2, 0.0, 0.8], &[0.25, 0.25, 0.4, 0.1]];
    for shape in shapes() {
        for target in targets {
            let mut rng = generator(target.len() as u64);
            let mut net = Nnue::<f64>::random(&shape, 8, &mut rng);
            let lists = perspectives(target.len(), shape.features, &mut rng);
            let perspectives = borrowed(&lists);
            let scalars: Vec<f64> =
                scalars(target.len(), &shape, &mut rng).into_iter().map(f64::from).collect();
            let sample = Sample {
                perspectives: &perspectives,
                scalars: &scalars,
                heads: &[1, 0, 1, 0][..perspectives.len()],
                target,
                weight: 1.5,
            };
            let mut workspace = Workspace::new(&shape);
            let mut gradient = Nnue::zeros(&shape);
            net.accumulate(&sample, &mut gradient, &mut workspace);
            let expected: Vec<Vec<f64>> =
                gradient.parameters().into_iter().map(|group| group.1.to_vec()).collect();
            let mut moved = 0;
            for (group, slopes) in expected.iter().enumerate() {
                for (index, &slope) in slopes.iter().enumerate() {
                    let mut loss_at = |offset: f64| {
                        net.parameters_mut()[group][index] += offset;
                        let loss = net.accumulate(&sample, &mut Nnue::zeros(&shape), &mut workspace);
                        net.parameters_mut()[group][index] -= offset;
                        loss
                    };
                    let step = 1e-6;
                    let found = (loss_at(step) - loss_at(-step)) / (2.0 * step);
                    assert!((found - slope).abs() < 1e-6, "{shape:?} {group} {index}: {found} {slope}");
                    moved += usize::from(slope != 0.0);
                }
            }
            assert!(moved > 100, "{shape:?}: {moved} weights matter");
        }
    }
}

#[test]
fn permuted_seats_have_permuted_logits() {
    for shape in shapes() {
        let mut rng = generator(5);
        let net = Nnue::<f32>::random(&shape, 8, &mut rng);
        let lists = perspectives(4, shape.features, &mut rng);
        let mut workspace = Workspace::new(&shape);
        let mut scalars = scalars(4, &shape, &mut rng);
        let logits = net.logits(&borrowed(&lists), &scalars, &[0; 4], &mut workspace).to_vec();
        scalars.rotate_left(shape.scalars);
        let rotated = [lists[1].clone(), lists[2].clone(), lists[3].clone(), lists[0].clone()];
        let turned = net.logits(&borrowed(&rotated), &scalars, &[0; 4], &mut workspace);
        for seat in 0..4 {
            assert!((logits[(seat + 1) % 4] - turned[seat]).abs() < 1e-5);
        }
    }
}

/// Trains on `count` random samples until they are known by heart; returns the last mean loss.
fn memorise(shape: &NnueShape, count: usize, seed: u64) -> (Nnue<f32>, f32) {
    let mut rng = generator(seed);
    let mut net = Nnue::<f32>::random(shape, 8, &mut rng);
    let rows: Vec<_> = (0..count)
        .map(|_| {
            let lists = perspectives(2, shape.features, &mut rng);
            let first = if rng.next_u64().is_multiple_of(2) { 1.0 } else { 0.0 };
            (lists, scalars(2, shape, &mut rng), [first, 1.0_f32 - first])
        })
        .collect();
    let lengths: Vec<usize> = net.parameters().iter().map(|group| group.1.len()).collect();
    let mut optimiser = AdamW::new(AdamWOptions::default(), lengths);
    let schedule = Schedule { peak: 0.02, last: 1e-4, warmup: 10, steps: 400 };
    let mut workspace = Workspace::new(shape);
    let mut loss = 0.0;
    for step in 0..schedule.steps {
        let mut gradient = Nnue::zeros(shape);
        loss = 0.0;
        for (lists, scalars, target) in &rows {
            let perspectives = borrowed(lists);
            let weight = 1.0 / count as f32;
            let heads = &[0; 4][..perspectives.len()];
            let sample = Sample { perspectives: &perspectives, scalars, heads, target, weight };
            loss += net.accumulate(&sample, &mut gradient, &mut workspace);
        }
        let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.1).collect();
        optimiser.step(&mut net.parameters_mut(), &slopes, schedule.rate(step));
    }
    (net, loss)
}

#[test]
fn a_few_samples_are_learnt_by_heart_and_the_same_seed_gives_the_same_weights() {
    for shape in shapes() {
        let (net, loss) = memorise(&shape, 40, 3);
        assert!(loss < 0.2, "{shape:?}: {loss}");
        assert_eq!(net, memorise(&shape, 40, 3).0);
    }
}

#[test]
fn small_integers_say_nearly_the_same() {
    for scalars in [0, 5] {
        check_small_integers(&NnueShape { hidden: 32, scalars, ..shapes()[2].clone() });
    }
}

fn check_small_integers(shape: &NnueShape) {
    assert!(shape.layers.is_empty() && shape.activation == Activation::SquaredClippedRelu);
    let (net, _) = memorise(shape, 40, 7);
    let groups: Vec<usize> = (1..=shape.features).collect();
    let quantised = QuantisedNnue::new(&net, &groups).expect("weights of this size fit");
    let mut rng = generator(1);
    assert_eq!(quantised.scalars(), shape.scalars);
    let rounded = net.rounded();
    assert_eq!(rounded.rounded(), rounded);
    let mut workspace = Workspace::new(shape);
    for _ in 0..200 {
        let lists = perspectives(2, shape.features, &mut rng);
        let scalars = scalars(2, shape, &mut rng);
        let exact = net.logits(&borrowed(&lists), &scalars, &[0; 4], &mut workspace).to_vec();
        for (seat, (list, exact)) in lists.iter().zip(exact).enumerate() {
            let found = quantised.output(&quantised.accumulator(), list, 0) as f32 / QuantisedNnue::unit();
            let own = &scalars[seat * shape.scalars..][..shape.scalars];
            let found = found + quantised.scalar_logit(own, 0);
            assert!((found - exact).abs() < 0.1, "{found} {exact}");
        }
    }
}

#[test]
fn features_that_come_and_go_leave_what_a_refresh_finds() {
    for hidden in [12, 16, 64, 80] {
        check_changes(&NnueShape { hidden, ..shapes()[2].clone() });
    }
}

fn check_changes(shape: &NnueShape) {
    let net = Nnue::<f32>::random(shape, 8, &mut generator(2));
    let quantised = QuantisedNnue::new(&net, &[shape.features]).expect("one active feature fits");
    let mut followed = quantised.accumulator();
    let (mut rng, mut active) = (generator(3), Vec::new());
    for _ in 0..500 {
        let feature = (rng.next_u64() % 30) as u16;
        if let Some(at) = active.iter().position(|&other| other == feature) {
            active.swap_remove(at);
            quantised.remove(feature, &mut followed);
        } else {
            active.push(feature);
            quantised.add(feature, &mut followed);
        }
        let mut fresh = quantised.accumulator();
        for &feature in &active {
            quantised.add(feature, &mut fresh);
        }
        assert_eq!(followed, fresh);
        for bucket in 0..2 {
            let late = quantised.output(&quantised.accumulator(), &active, bucket);
            assert_eq!(quantised.output(&followed, &[], bucket), late);
        }
    }
}

#[test]
fn networks_that_do_not_fit_are_refused() {
    let shape = shapes()[2].clone();
    let mut net = Nnue::<f32>::random(&shape, 8, &mut generator(2));
    net.input.weights.fill(1.98);
    let groups: Vec<usize> = (1..=shape.features).collect();
    assert!(QuantisedNnue::new(&net, &groups).is_ok(), "30 features of 505 units");
    net.input.weights.fill(9.0);
    let overflow = QuantisedNnue::new(&net, &groups);
    assert!(matches!(overflow, Err(QuantiseError::Overflow { neuron: 0, .. })), "{overflow:?}");
    // Training shrinks such weights, but no others.
    net.input.weights.iter_mut().step_by(shape.hidden).for_each(|weight| *weight = 1.0);
    net.limit_reach(&groups);
    let quantised = QuantisedNnue::new(&net, &groups).expect("the weights were shrunk");
    assert!(quantised.reach() > 32_700, "{}", quantised.reach());
    assert!(
        net.input.weights.iter().step_by(shape.hidden).all(|&weight| weight.to_bits() == 1.0_f32.to_bits())
    );
    // What pulls up and what pulls down is counted apart.
    for (feature, row) in net.input.weights.chunks_exact_mut(shape.hidden).enumerate() {
        row.fill(if feature % 2 == 0 { 8.0 } else { -8.0 });
    }
    assert!(QuantisedNnue::new(&net, &groups).is_ok(), "15 features of 2,040 units in either direction");
    net.input.weights.fill(0.0);
    net.heads[0][0].weights[3] = -2.5;
    assert_eq!(QuantisedNnue::new(&net, &groups), Err(QuantiseError::Weight(-2.5)));
    let deep = Nnue::<f32>::random(&shapes()[3], 8, &mut generator(2));
    assert_eq!(QuantisedNnue::new(&deep, &groups), Err(QuantiseError::Shape));
}
