//! Training networks of gradient move optimisation.

mod calibration;
mod learner;
mod posterior;
mod rows;

use std::{fs, path::PathBuf, sync::Arc};

use eval::{GmoEncoder, GmoGame, GmoImage};
use nn::{AdamWOptions, CellGraph, GmoLossWeights, GmoNet, GmoShape, GraphShape, ModelFile, MoveGroup};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{Config, GameRecord, Recorded, on_game};
use selfplay::DataFolder;
use serde_json::{Value, json};

pub use calibration::{Calibration, CalibrationOptions, Climbs, Examination, calibrate};
pub use learner::{GmoLearner, GmoWorker};
pub use rows::{GmoLabelOptions, GmoRow, GmoRows};

use crate::{
    Finished, Progress, ReadOptions, RowEncoder, Source, TrainError, TrainOptions,
    source::fit_scale,
    training::{Training, hash_of},
};

/// What a run trains, on what and how.
#[derive(Clone, Debug)]
pub struct GmoRunOptions {
    /// The folders of games, all of one game and board.
    pub data: Vec<PathBuf>,
    /// The model file to write.
    pub out: PathBuf,
    /// Whether positions are read by the twelve-plane encoder.
    pub seed_encoder: bool,
    /// The sizes of the network; features, groups and the board's graph are those of the encoder. Where the encoder does not
    /// tell what moves change, the embedding of moves cannot read the position after them.
    pub shape: GmoShape,
    /// A model file to start from instead of random weights.
    pub start: Option<PathBuf>,
    /// How targets are computed; the scale is fitted to every folder.
    pub labels: GmoLabelOptions,
    /// How much the parts of the loss count.
    pub weights: GmoLossWeights,
    /// The share of neurons that is dropped while learning.
    pub dropout: f64,
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

impl GmoRunOptions {
    /// The sizes that the algorithm was described with, and parts for all its extensions.
    pub fn default_shape() -> GmoShape {
        GmoShape {
            features: 0,
            groups: Vec::new(),
            state: 128,
            moves: 128,
            hidden: 256,
            ensemble: 5,
            projection: 128,
            legality: 128,
            after: true,
            graph: None,
        }
    }

    /// The same with graph attention over cells in place of the table of features.
    pub fn graph_shape() -> GmoShape {
        let graph = GraphShape { width: 32, heads: 4, layers: 2, graph: Arc::default() };
        GmoShape { graph: Some(graph), ..Self::default_shape() }
    }

    /// How these networks are trained unless somebody says otherwise.
    pub fn training() -> TrainOptions {
        TrainOptions {
            batch: 256,
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

/// What a network must fit to, and how it reads games.
struct GameFacts {
    id: String,
    features: usize,
    groups: Vec<MoveGroup>,
    graph: Arc<CellGraph>,
    images: Vec<GmoImage>,
    add_game: AddGame,
}

impl GameFacts {
    /// A shape with the sizes of the game.
    fn shape(&self, wanted: &GmoShape) -> GmoShape {
        let tells_changes = self.groups.last().is_some_and(|group| group.words == 2 * self.features);
        let graph = |graph: &GraphShape| GraphShape { graph: Arc::clone(&self.graph), ..graph.clone() };
        GmoShape {
            features: self.features,
            groups: self.groups.clone(),
            after: wanted.after && tells_changes,
            graph: wanted.graph.as_ref().map(graph),
            ..*wanted
        }
    }
}

/// Adds the rows of a game.
type AddGame = fn(&GameRecord, &GmoLabelOptions, &mut GmoRows) -> Result<(), TrainError>;

/// From games of either game to positions with labelled moves.
pub struct GmoRowEncoder {
    facts: GameFacts,
    /// How targets are computed, for each folder.
    labels: Vec<GmoLabelOptions>,
}

impl GmoRowEncoder {
    /// The id of the games' encoder, as in model files.
    pub fn id(&self) -> &str {
        &self.facts.id
    }
}

impl RowEncoder for GmoRowEncoder {
    type Rows = GmoRows;

    fn no_rows(&self) -> GmoRows {
        GmoRows::default()
    }

    fn encode(&self, folder: usize, game: &GameRecord, rows: &mut GmoRows) -> Result<(), TrainError> {
        (self.facts.add_game)(game, &self.labels[folder], rows)
    }
}

impl Source<GmoRowEncoder> {
    /// Opens folders, whose games must all be of one board.
    ///
    /// # Errors
    /// If a folder is not one of self-play games, all are empty, or one has games of another encoder.
    pub fn open_moves(
        paths: &[PathBuf],
        seed_encoder: bool,
        labels: &GmoLabelOptions,
        read: ReadOptions,
    ) -> Result<Self, TrainError> {
        let folders = paths.iter().map(|path| DataFolder::open(path)).collect::<Result<Vec<_>, _>>()?;
        if folders.iter().all(|folder| folder.games() == 0) {
            return Err(TrainError::Empty);
        }
        let mut facts: Option<GameFacts> = None;
        for folder in &folders {
            let found = facts_of(folder, seed_encoder)?;
            if let Some(expected) = facts.as_ref().map(|facts| facts.id.clone()).filter(|id| *id != found.id)
            {
                let (path, found) = (folder.path().to_owned(), found.id);
                return Err(TrainError::Encoders { path, found, expected });
            }
            facts = Some(found);
        }
        let labels = |folder: &DataFolder| Ok(GmoLabelOptions { scale: fit_scale(folder)?, ..*labels });
        let labels = folders.iter().map(labels).collect::<Result<_, TrainError>>()?;
        let facts = facts.ok_or(TrainError::Empty)?;
        Ok(Self::new(folders, GmoRowEncoder { facts, labels }, read))
    }
}

fn facts_of(folder: &DataFolder, seed_encoder: bool) -> Result<GameFacts, TrainError> {
    let config: Config = serde_json::from_value(folder.config()["config"].clone())
        .map_err(|_| TrainError::Game(folder.path().to_owned()))?;
    match (&config, seed_encoder) {
        (Config::Go(_), true) => {
            Err(TrainError::Options("the twelve-plane encoder is one of RingRift: omit it for Go".to_owned()))
        }
        (_, true) => on_game!(config, P => facts::<P, <P as GmoGame>::Seed>(&config)),
        (_, false) => on_game!(config, P => facts::<P, <P as GmoGame>::Encoder>(&config)),
    }
}

fn facts<P: Recorded + game::Symmetry, E: GmoEncoder<P>>(config: &Config) -> Result<GameFacts, TrainError> {
    let options = P::options(config).map_err(|problem| TrainError::Options(problem.to_string()))?;
    let symmetries = P::new(&options).symmetries();
    Ok(GameFacts {
        id: E::id(&options),
        features: E::features(&options),
        groups: E::groups(&options),
        graph: Arc::new(E::graph(&options)),
        images: (0..symmetries).map(|symmetry| E::image(&options, symmetry)).collect(),
        add_game: rows::add_game::<P, E>,
    })
}

/// Trains a network, continuing an earlier run of the same options. `report` is called with the progress and returns
/// whether to continue; when it does not, a checkpoint is written.
///
/// # Errors
/// If the data cannot be read or have changed since the run began, files cannot be written, or training diverges.
pub fn run_gmo(
    options: &GmoRunOptions,
    report: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Finished, TrainError> {
    let mut source = Source::open_moves(&options.data, options.seed_encoder, &options.labels, options.read)?;
    let facts = &source.encoder().facts;
    let learner = GmoLearner {
        shape: facts.shape(&options.shape),
        encoder: facts.id.clone(),
        weights: options.weights,
        dropout: options.dropout,
        seed: options.train.seed,
        images: facts.images.clone(),
    };
    let mut train = options.train.clone();
    if train.steps == 0 {
        train.steps = steps_of(source.folders(), options.epochs, train.batch);
    }
    let resolved = resolved(options, &train, &source, &learner)?;
    let training = Training {
        out: &options.out,
        train: &train,
        report_every: options.report_every,
        checkpoint_every: options.checkpoint_every,
        resolved: &resolved,
    };
    let finished = training.run(&mut source, &learner, || initial(options, &learner), report)?;
    if !finished.complete {
        return Ok(finished);
    }
    let hash = posterior::add(&options.out, &mut source, &learner)?;
    Ok(Finished { hash: Some(hash), ..finished })
}

/// The number of steps of some passes over the decisions of folders, of which one game in twenty is for validation.
pub(crate) fn steps_of(folders: &[DataFolder], epochs: u64, batch: usize) -> u64 {
    let decisions: u64 = folders.iter().flat_map(DataFolder::shards).map(|shard| shard.decisions).sum();
    (epochs * decisions * 19 / 20).div_ceil(batch as u64).max(1)
}

/// The weights to start from.
fn initial(options: &GmoRunOptions, learner: &GmoLearner) -> Result<GmoNet<f32>, TrainError> {
    let Some(path) = &options.start else {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.train.seed);
        return Ok(GmoNet::random(&learner.shape, &mut rng));
    };
    let bytes = fs::read(path).map_err(|source| TrainError::Io { path: path.clone(), source })?;
    let named = |source| TrainError::Model { path: path.clone(), source };
    let file = ModelFile::from_bytes(&bytes).map_err(named)?;
    let net = GmoNet::from_file(&file).map_err(named)?;
    if file.header.encoder != learner.encoder || net.shape != learner.shape {
        let described = |encoder: &str, shape: &GmoShape| {
            let graph = if shape.graph.is_some() { ", graph attention" } else { "" };
            let after = if shape.after { ", positions after moves" } else { "" };
            format!("{encoder} with {} neurons, embeddings of {}{graph}{after}", shape.hidden, shape.moves)
        };
        let found = described(&file.header.encoder, &net.shape);
        return Err(TrainError::Encoder { found, expected: described(&learner.encoder, &learner.shape) });
    }
    Ok(net)
}

/// Everything that the run depends on.
fn resolved(
    options: &GmoRunOptions,
    train: &TrainOptions,
    source: &Source<GmoRowEncoder>,
    learner: &GmoLearner,
) -> Result<Value, TrainError> {
    let GmoShape { state, moves, hidden, ensemble, projection, legality, after, graph, .. } = &learner.shape;
    let GmoLossWeights {
        error,
        ensemble: of_ensemble,
        projection: of_projection,
        legality: of_legality,
        ranking,
        temperature,
        noise,
    } = options.weights;
    let own = json!({
        "encoder": learner.encoder,
        "shape": {
            "state": state, "moves": moves, "hidden": hidden, "ensemble": ensemble,
            "projection": projection, "legality": legality, "after": after,
            "graph": graph.as_ref().map(|graph| [graph.width, graph.heads, graph.layers]),
        },
        "dropout": options.dropout,
        "scales": source.encoder().labels.iter().map(|labels| labels.scale).collect::<Vec<_>>(),
        "result_share": options.labels.result_share,
        "most_moves": options.labels.most_moves,
        "start": options.start.as_deref().map(hash_of).transpose()?,
        "block_bytes": options.read.block_bytes,
        "weights": {
            "error": error, "ensemble": of_ensemble, "projection": of_projection, "legality": of_legality,
            "ranking": ranking, "temperature": temperature, "noise": noise,
        },
    });
    let parts = [own, source.resolved(), train.resolved()];
    Ok(parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten().collect())
}
