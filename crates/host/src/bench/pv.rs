//! The speed of policy and value networks.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use eval::{PvEncoder, PvGame};
use nn::{AdamW, AdamWOptions, PvInput, PvKernels, PvNet, PvOutput, PvPreset, PvShards, PvTarget, PvWeights};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, on_game};

use super::{sample, start};
use crate::{OpenError, hostable::Hostable};

/// The speed of a network: medians over rounds in which everything is measured once.
#[derive(Clone, PartialEq, Debug)]
pub struct PvSpeed {
    /// The encoder of the game.
    pub encoder: String,
    /// The number of weights.
    pub weights: usize,
    /// Rounds measured.
    pub rounds: usize,
    /// The time to encode one position with its legal moves.
    pub encoding: Duration,
    /// The time to evaluate one position alone.
    pub single: Duration,
    /// The time to evaluate [`PvSpeed::BATCH`] positions at once.
    pub batch: Duration,
    /// The time of a training step with [`PvSpeed::TRAINING_BATCH`] positions, from the transform of the weights to the
    /// optimiser.
    pub training_step: Duration,
}

impl PvSpeed {
    /// The positions of a batch.
    pub const BATCH: usize = 32;
    /// The positions of a training step.
    pub const TRAINING_BATCH: usize = 128;
}

/// Measures a network with random weights on positions from random games for the given time. Evaluations take one thread;
/// training takes `threads`.
///
/// # Errors
/// Returns an error if the options are invalid.
pub fn networks(
    config: &Config,
    preset: PvPreset,
    threads: usize,
    seed: u64,
    limit: Duration,
) -> Result<PvSpeed, OpenError> {
    on_game!(config, P => Ok(networks_of(&start::<P>(config)?, preset, threads, seed, limit)))
}

fn networks_of<P: Hostable + PvGame>(
    start: &P,
    preset: PvPreset,
    threads: usize,
    seed: u64,
    limit: Duration,
) -> PvSpeed {
    let positions = sample(start, seed, PvSpeed::TRAINING_BATCH);
    let mut moves = Vec::new();
    let mut inputs = vec![PvInput::default(); positions.len()];
    let mut targets = Vec::new();
    for (position, input) in positions.iter().zip(&mut inputs) {
        position.legal_moves(&mut moves);
        P::Encoder::encode(position, &moves, input);
        let (count, seats) = (moves.len(), position.seats());
        let mut target = PvTarget {
            policy: vec![1.0 / count as f32; count],
            value: vec![1.0 / seats as f32; seats],
            weight: 1.0,
            ..PvTarget::default()
        };
        P::Encoder::encode_end(position, position.to_move(), &mut target);
        targets.push(target);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut net = PvNet::random(&preset.shape(P::Encoder::layout()), &mut rng);
    let weights = net.parameters().iter().map(|group| group.2.len()).sum();
    let grid = P::Encoder::grid(&start.config());
    let kernels = PvKernels::new(net.clone(), grid.clone());
    let mut workspace = kernels.workspace(PvSpeed::BATCH);
    let mut outputs = vec![PvOutput::default(); PvSpeed::BATCH];
    let mut shards = PvShards::new(&PvKernels::for_learning(net.clone(), grid.clone()), threads);
    let mut optimiser =
        AdamW::new(AdamWOptions::default(), net.parameters().iter().map(|group| group.2.len()));
    let pairs: Vec<(&PvInput<f32>, &PvTarget<f32>)> = inputs.iter().zip(&targets).collect();

    let mut times: [Vec<Duration>; 4] = Default::default();
    let mut time = |which: usize, parts: usize, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        times[which].push(start.elapsed() / parts as u32);
    };
    let mut encoded = PvInput::default();
    let start_of_all = Instant::now();
    let mut rounds = 0;
    while rounds == 0 || start_of_all.elapsed() < limit {
        rounds += 1;
        time(0, PvSpeed::BATCH, &mut || {
            for position in &positions[..PvSpeed::BATCH] {
                position.legal_moves(&mut moves);
                P::Encoder::encode(black_box(position), &moves, &mut encoded);
            }
        });
        time(1, PvSpeed::BATCH, &mut || {
            for input in &inputs[..PvSpeed::BATCH] {
                kernels.evaluate(std::slice::from_ref(input), false, &mut workspace, &mut outputs[..1]);
            }
        });
        time(2, 1, &mut || {
            kernels.evaluate(&inputs[..PvSpeed::BATCH], false, &mut workspace, &mut outputs);
        });
        time(3, 1, &mut || {
            let kernels = PvKernels::for_learning(net.clone(), grid.clone());
            let (gradient, _) = shards.gradient(&kernels, &pairs, &PvWeights::default());
            let slopes: Vec<&[f32]> = gradient.parameters().into_iter().map(|group| group.2).collect();
            optimiser.step(&mut net.parameters_mut(), &slopes, 1e-4);
        });
    }
    let [encoding, single, batch, training_step] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    });
    PvSpeed { encoder: P::Encoder::id(), weights, rounds, encoding, single, batch, training_step }
}
