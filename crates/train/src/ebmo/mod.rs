//! Training networks of energy-based move optimisation.

mod learner;

use std::{fs, path::PathBuf};

use eval::ACTION_FEATURES;
use nn::{AdamWOptions, EbmoNet, EbmoPreset, EbmoShape, EbmoWeights, ModelFile};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use serde_json::{Value, json};

pub use learner::{EbmoLearner, EbmoObjective, EbmoWorker};

use crate::{
    Finished, Progress, PvLabels, PvPlanes, PvRowEncoder, ReadOptions, Source, TrainError, TrainOptions,
    pv::{distinct, lacks_policy},
    training::{Training, hash_of},
};

/// What a run trains, on what and how.
#[derive(Clone, Debug)]
pub struct EbmoRunOptions {
    /// The folders of games, all for one encoder; their boards and numbers of seats may differ.
    pub data: Vec<PathBuf>,
    /// The model file to write.
    pub out: PathBuf,
    /// The size of the network.
    pub preset: EbmoPreset,
    /// A model file to start from instead of random weights.
    pub start: Option<PathBuf>,
    /// What energies are compared with.
    pub objective: EbmoObjective,
    /// How much the parts of the loss count.
    pub weights: EbmoWeights,
    /// How results are computed; the scale is fitted to every folder.
    pub labels: PvLabels,
    /// How rows are read.
    pub read: ReadOptions,
    /// How the network is trained. If there are no steps, as many are taken as `epochs` take.
    pub train: TrainOptions,
    /// Passes over the data, if the number of steps is 0.
    pub epochs: u64,
    /// The number of steps between two reports.
    pub report_every: u64,
    /// The number of steps between two checkpoints.
    pub checkpoint_every: u64,
}

impl EbmoRunOptions {
    /// How these networks are trained unless somebody says otherwise.
    pub fn training() -> TrainOptions {
        TrainOptions {
            batch: 128,
            steps: 0,
            learning_rate: 1e-3,
            last_rate: 1e-5,
            warmup: 100,
            optimiser: AdamWOptions { clip: None, max_norm: Some(1.0), ..AdamWOptions::default() },
            patience: Some(2_000),
            ..TrainOptions::default()
        }
    }
}

/// Trains a network, continuing an earlier run of the same options. `report` is called with the progress and returns
/// whether to continue; when it does not, a checkpoint is written.
///
/// # Errors
/// If the data cannot be read or have changed since the run began, there is no policy in them, files cannot be written,
/// or training diverges.
pub fn run_ebmo(
    options: &EbmoRunOptions,
    report: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Finished, TrainError> {
    // Only decisions with a choice are of use.
    let labels = PvLabels { value_rows: 0.0, ..options.labels };
    let mut source = Source::open_positions(&options.data, PvPlanes::Ebmo, &labels, options.read)?;
    let facts = source.facts();
    let (grids, folders) = distinct(facts.iter().map(|facts| facts.grid.clone()));
    let layout = facts[0].layout;
    let learner = EbmoLearner {
        shape: options.preset.shape(layout.planes, layout.globals, ACTION_FEATURES),
        encoder: facts[0].id.clone(),
        objective: options.objective,
        weights: options.weights,
        seed: options.train.seed,
        grids,
        folders,
    };
    if source.with_block(0, 0, |rows| Ok(lacks_policy(rows)))? != Some(false) {
        return Err(TrainError::NoPolicy);
    }
    let mut train = options.train.clone();
    if train.steps == 0 {
        train.steps = crate::gmo::steps_of(source.folders(), options.epochs, train.batch);
    }
    let resolved = resolved(options, &labels, &train, &source, &learner)?;
    let training = Training {
        out: &options.out,
        train: &train,
        report_every: options.report_every,
        checkpoint_every: options.checkpoint_every,
        resolved: &resolved,
    };
    training.run(&mut source, &learner, || initial(options, &learner), report)
}

/// The weights to start from.
fn initial(options: &EbmoRunOptions, learner: &EbmoLearner) -> Result<EbmoNet<f32>, TrainError> {
    let Some(path) = &options.start else {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.train.seed);
        return Ok(EbmoNet::random(&learner.shape, &mut rng));
    };
    let bytes = fs::read(path).map_err(|source| TrainError::Io { path: path.clone(), source })?;
    let named = |source| TrainError::Model { path: path.clone(), source };
    let file = ModelFile::from_bytes(&bytes).map_err(named)?;
    let net = EbmoNet::from_file(&file).map_err(named)?;
    if file.header.encoder != learner.encoder || net.shape != learner.shape {
        let described = |encoder: &str, shape: &EbmoShape| {
            format!("{encoder} with {} blocks of {} filters", shape.trunk.blocks, shape.trunk.filters)
        };
        let found = described(&file.header.encoder, &net.shape);
        return Err(TrainError::Encoder { found, expected: described(&learner.encoder, &learner.shape) });
    }
    Ok(net)
}

/// Everything that the run depends on.
fn resolved(
    options: &EbmoRunOptions,
    labels: &PvLabels,
    train: &TrainOptions,
    source: &Source<PvRowEncoder>,
    learner: &EbmoLearner,
) -> Result<Value, TrainError> {
    let own = json!({
        "encoder": learner.encoder,
        "preset": options.preset.name(),
        "objective": options.objective.resolved(),
        "temperature": options.weights.temperature,
        "outcome_weight": options.weights.outcome,
        "scales": source.fitted_scales(),
        "start": options.start.as_deref().map(hash_of).transpose()?,
        "block_bytes": options.read.block_bytes,
    });
    let parts = [own, source.resolved(), labels.resolved(), train.resolved()];
    Ok(parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten().collect())
}
