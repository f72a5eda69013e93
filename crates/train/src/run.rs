//! A training run of an efficiently updatable network: from folders of games to a model file.

use std::{fs, path::PathBuf};

use nn::{ModelFile, Nnue, NnueShape};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::Board;
use serde_json::{Value, json};

use crate::{
    FactorisedNnue, Factoriser, FeatureEncoder, Finished, NnueLearner, Progress, Source, SourceOptions,
    TrainError, TrainOptions,
    growth::grow,
    training::{Training, hash_of},
};

/// What a run trains, on what and how.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The folders of games.
    pub data: Vec<PathBuf>,
    /// The model file to write.
    pub out: PathBuf,
    /// The number of neurons per perspective.
    pub hidden: usize,
    /// The layers between the accumulator and the output.
    pub layers: Vec<usize>,
    /// What neurons make of their sums.
    pub activation: nn::Activation,
    /// A model file to start from instead of random weights.
    pub start: Option<PathBuf>,
    /// Whether features of a kind share a part of their weights.
    pub factorise: bool,
    /// The decay of what the weights of a feature have of their own beside their kind, as a multiple of the learning rate;
    /// by default more on large boards.
    pub own_decay: Option<f32>,
    /// How rows are read.
    pub source: SourceOptions,
    /// How the network is trained.
    pub train: TrainOptions,
    /// The number of steps between two reports.
    pub report_every: u64,
    /// The number of steps between two checkpoints.
    pub checkpoint_every: u64,
}

/// How fast the own parts of weights decay unless an option says otherwise. On the large boards most features are too rare in
/// their places to learn from alone, and memorise games instead.
fn default_own_decay(board: Board) -> f32 {
    match board {
        Board::Square8 | Board::Hex8 => 0.0,
        Board::Square19 | Board::Hexagonal => 400.0,
    }
}

/// Trains a network, continuing an earlier run of the same options. `report` is called with the progress and returns
/// whether to continue; when it does not, a checkpoint is written.
///
/// # Errors
/// If the data cannot be read or have changed since the run began, files cannot be written, or training diverges.
pub fn run(options: &RunOptions, report: &mut dyn FnMut(&Progress) -> bool) -> Result<Finished, TrainError> {
    let mut source = Source::open(&options.data, &options.source)?;
    let encoding = source.encoding().clone();
    let shape = NnueShape {
        features: encoding.features,
        hidden: options.hidden,
        activation: options.activation,
        layers: options.layers.clone(),
        buckets: encoding.heads(options.source.stages),
        scalars: encoding.scalar_weights.len(),
    };
    let own_decay = options.own_decay.unwrap_or_else(|| default_own_decay(encoding.board));
    let resolved = resolved(options, &source, &shape, own_decay)?;
    let factoriser = Factoriser::new(if options.factorise { &encoding.kinds } else { &[] });
    let learner = NnueLearner { encoding, shape, factoriser, own_decay };
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
fn initial(options: &RunOptions, learner: &NnueLearner) -> Result<FactorisedNnue, TrainError> {
    let (encoding, shape) = (&learner.encoding, &learner.shape);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.train.seed);
    let mut net = Nnue::random(shape, TYPICAL_ACTIVE, &mut rng);
    learner.factoriser.equalise(&mut net);
    for head in &mut net.heads {
        let weights = &mut head[0].weights;
        let at = weights.len() - shape.scalars;
        weights[at..].copy_from_slice(&encoding.scalar_weights);
    }
    let Some(path) = &options.start else { return Ok(learner.factoriser.factorise(net)) };
    let bytes = fs::read(path).map_err(|source| TrainError::Io { path: path.clone(), source })?;
    let named = |source| TrainError::Model { path: path.clone(), source };
    let file = ModelFile::from_bytes(&bytes).map_err(named)?;
    let start = Nnue::from_file(&file).map_err(named)?;
    let encoder = &file.header.encoder;
    if start.shape == *shape && *encoder == encoding.id {
        return Ok(learner.factoriser.factorise(start));
    }
    if !(encoding.continues(encoder) && grow(&mut net, &start)) {
        let found = format!("{encoder} with {} neurons", start.shape.hidden);
        let expected = format!("{} with at most {} neurons", encoding.id, shape.hidden);
        return Err(TrainError::Encoder { found, expected });
    }
    Ok(learner.factoriser.factorise(net))
}

/// The number of active features that initial weights are scaled for.
const TYPICAL_ACTIVE: usize = 40;

/// Everything that the run depends on.
fn resolved(
    options: &RunOptions,
    source: &Source<FeatureEncoder>,
    shape: &NnueShape,
    own_decay: f32,
) -> Result<Value, TrainError> {
    let start = options.start.as_deref().map(hash_of).transpose()?;
    let own = json!({
        "encoder": source.encoding().id,
        "scales": source.scales(),
        "hidden": shape.hidden,
        "layers": shape.layers,
        "activation": shape.activation.name(),
        "stages": options.source.stages,
        "factorise": options.factorise,
        "own_decay": own_decay,
        "start": start,
        "result_share": options.source.result_share,
        "block_bytes": options.source.block_bytes,
    });
    let parts = [own, source.resolved(), options.train.resolved()];
    Ok(parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten().collect())
}
