//! Training policy and value networks.

mod labels;
mod learner;
mod positions;
mod rows;
#[cfg(test)]
mod tests;

use std::{
    fs,
    path::{Path, PathBuf},
};

use nn::{AdamWOptions, ModelFile, PvNet, PvPreset, PvShape, PvWeights};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, GameRecord};
use selfplay::DataFolder;
use serde_json::{Value, json};

pub use labels::PvLabels;
pub use learner::{PvLearner, PvWorker};
pub use positions::PvPlanes;
pub use rows::PvRows;

use self::positions::{Positions, positions};
pub(crate) use self::{
    learner::{distinct, lacks_policy},
    positions::EncoderFacts,
};
use crate::{
    Finished, Progress, ReadOptions, RowEncoder, Source, TrainError, TrainOptions,
    source::fit_scale,
    training::{Training, hash_of},
};

/// What a run trains, on what and how.
#[derive(Clone, Debug)]
pub struct PvRunOptions {
    /// The folders of games, all for one encoder; their boards and numbers of seats may differ.
    pub data: Vec<PathBuf>,
    /// The model file to write.
    pub out: PathBuf,
    /// The planes that the network reads.
    pub planes: PvPlanes,
    /// The size of the network.
    pub preset: PvPreset,
    /// A model file to start from instead of random weights.
    pub start: Option<PathBuf>,
    /// How targets are computed; the scale is fitted to every folder.
    pub labels: PvLabels,
    /// How much the parts of the loss count.
    pub weights: PvWeights,
    /// How rows are read.
    pub read: ReadOptions,
    /// How the network is trained.
    pub train: TrainOptions,
    /// The number of steps between two reports.
    pub report_every: u64,
    /// The number of steps between two checkpoints.
    pub checkpoint_every: u64,
}

impl PvRunOptions {
    /// How these networks are trained unless somebody says otherwise. Weights are not clipped, since they are not
    /// quantised, but gradients are: there is no normalisation that would keep them in bounds.
    pub fn training() -> TrainOptions {
        TrainOptions {
            batch: 256,
            steps: 4_000,
            learning_rate: 2e-3,
            last_rate: 2e-5,
            warmup: 100,
            optimiser: AdamWOptions { clip: None, max_norm: Some(1.0), ..AdamWOptions::default() },
            ..TrainOptions::default()
        }
    }

    /// The most rows that are validated on: evaluating one takes about as long as a third of learning from it.
    pub const VALIDATION_ROWS: usize = 4_000;
}

/// From games of either game to positions with their targets.
pub struct PvRowEncoder {
    boards: Vec<Box<dyn Positions>>,
    /// How targets are computed, for each folder.
    labels: Vec<PvLabels>,
}

impl RowEncoder for PvRowEncoder {
    type Rows = PvRows;

    fn no_rows(&self) -> PvRows {
        PvRows::new(&self.boards)
    }

    fn encode(&self, folder: usize, game: &GameRecord, rows: &mut PvRows) -> Result<(), TrainError> {
        rows.add_game(folder, game, &self.labels[folder])
    }
}

impl Source<PvRowEncoder> {
    /// Opens folders, whose games must all be for one encoder.
    ///
    /// # Errors
    /// If a folder is not one of self-play games, all are empty, or one has games of another encoder.
    pub fn open_positions(
        paths: &[PathBuf],
        planes: PvPlanes,
        labels: &PvLabels,
        read: ReadOptions,
    ) -> Result<Self, TrainError> {
        let folders = paths.iter().map(|path| DataFolder::open(path)).collect::<Result<Vec<_>, _>>()?;
        if folders.iter().all(|folder| folder.games() == 0) {
            return Err(TrainError::Empty);
        }
        let mut boards: Vec<Box<dyn Positions>> = Vec::new();
        for folder in &folders {
            let board = board_of(folder, planes)?;
            let found = board.encoder().id;
            if let Some(expected) = boards.first().map(|board| board.encoder().id).filter(|id| *id != found) {
                return Err(TrainError::Encoders { path: folder.path().to_owned(), found, expected });
            }
            boards.push(board);
        }
        let labels = |folder: &DataFolder| Ok(PvLabels { scale: fit_scale(folder)?, ..*labels });
        let labels = folders.iter().map(labels).collect::<Result<_, TrainError>>()?;
        Ok(Self::new(folders, PvRowEncoder { boards, labels }, read))
    }

    /// What networks of each folder's positions read.
    pub(crate) fn facts(&self) -> Vec<EncoderFacts> {
        self.encoder().boards.iter().map(|board| board.encoder()).collect()
    }

    /// The fitted scale of search values, for each folder.
    pub(crate) fn fitted_scales(&self) -> Vec<f32> {
        self.encoder().labels.iter().map(|labels| labels.scale).collect()
    }

    /// A learner for these boards.
    pub fn learner(&self, preset: PvPreset, weights: PvWeights) -> PvLearner {
        let facts = self.facts();
        let (grids, folders) = learner::distinct(facts.iter().map(|facts| facts.grid.clone()));
        let (encoder, shape) = (facts[0].id.clone(), preset.shape(facts[0].layout));
        PvLearner { shape, encoder, weights, symmetries: usize::MAX, grids, folders }
    }
}

/// The encoder and the shape of networks for games with these options.
pub(crate) fn shape(config: &Config, preset: PvPreset) -> Result<(String, PvShape), TrainError> {
    let board = positions(config, PvPlanes::Default)?;
    let facts =
        board.ok_or_else(|| TrainError::Options("no encoder reads these games".to_owned()))?.encoder();
    Ok((facts.id, preset.shape(facts.layout)))
}

fn board_of(folder: &DataFolder, planes: PvPlanes) -> Result<Box<dyn Positions>, TrainError> {
    let config: Config = serde_json::from_value(folder.config()["config"].clone())
        .map_err(|_| TrainError::Game(folder.path().to_owned()))?;
    positions(&config, planes)?.ok_or_else(|| TrainError::Game(folder.path().to_owned()))
}

/// Trains a network, continuing an earlier run of the same options. `report` is called with the progress and returns
/// whether to continue; when it does not, a checkpoint is written.
///
/// # Errors
/// If the data cannot be read or have changed since the run began, there is no policy in them, files cannot be written,
/// or training diverges.
pub fn run_pv(
    options: &PvRunOptions,
    report: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Finished, TrainError> {
    let mut source = Source::open_positions(&options.data, options.planes, &options.labels, options.read)?;
    let learner = source.learner(options.preset, options.weights);
    if source.with_block(0, 0, |rows| Ok(learner::lacks_policy(rows)))? != Some(false) {
        return Err(TrainError::NoPolicy);
    }
    let resolved = resolved(options, &source, &learner)?;
    let training = Training {
        out: &options.out,
        train: &options.train,
        report_every: options.report_every,
        checkpoint_every: options.checkpoint_every,
        resolved: &resolved,
    };
    training.run(&mut source, &learner, || initial(options, &learner), report)
}

/// The weights to start from.
fn initial(options: &PvRunOptions, learner: &PvLearner) -> Result<PvNet<f32>, TrainError> {
    let Some(path) = &options.start else {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.train.seed);
        return Ok(PvNet::random(&learner.shape, &mut rng));
    };
    let (file, net) = read_net(path)?;
    if file.header.encoder != learner.encoder || net.shape != learner.shape {
        let described = |encoder: &str, shape: &PvShape| {
            format!("{encoder} with {} blocks of {} filters", shape.blocks, shape.filters)
        };
        let found = described(&file.header.encoder, &net.shape);
        return Err(TrainError::Encoder { found, expected: described(&learner.encoder, &learner.shape) });
    }
    Ok(net)
}

/// A network in a file.
fn read_net(path: &Path) -> Result<(ModelFile, PvNet<f32>), TrainError> {
    let bytes = fs::read(path).map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
    let named = |source| TrainError::Model { path: path.to_owned(), source };
    let file = ModelFile::from_bytes(&bytes).map_err(named)?;
    let net = PvNet::from_file(&file).map_err(named)?;
    Ok((file, net))
}

/// Everything that the run depends on.
fn resolved(
    options: &PvRunOptions,
    source: &Source<PvRowEncoder>,
    learner: &PvLearner,
) -> Result<Value, TrainError> {
    let PvWeights { policy, soft_policy, value, owner, margin, error } = options.weights;
    let own = json!({
        "encoder": learner.encoder,
        "preset": options.preset.name(),
        "scales": source.fitted_scales(),
        "start": options.start.as_deref().map(hash_of).transpose()?,
        "block_bytes": options.read.block_bytes,
        "weights": {
            "policy": policy, "soft_policy": soft_policy, "value": value,
            "owner": owner, "margin": margin, "error": error,
        },
    });
    let parts = [own, source.resolved(), options.labels.resolved(), options.train.resolved()];
    Ok(parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten().collect())
}
