//! A training run: from folders of games to a model file.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lab::atomic_file;
use nn::{ModelFile, Nnue, NnueShape, QuantisedNnue};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Factoriser, Source, SourceOptions, TrainError, TrainOptions, Trainer, Workers, checkpoint, curves::Curves,
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
    /// How rows are read.
    pub source: SourceOptions,
    /// How the network is trained.
    pub train: TrainOptions,
    /// The number of steps between two reports.
    pub report_every: u64,
    /// The number of steps between two checkpoints.
    pub checkpoint_every: u64,
}

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// The number of steps so far.
    pub step: u64,
    /// The number of all steps.
    pub steps: u64,
    /// The number of complete passes over the data.
    pub epoch: u32,
    /// The learning rate of the last step.
    pub rate: f32,
    /// The mean loss since the last report.
    pub training_loss: f32,
    /// The mean loss of the averaged weights on games that are not trained on.
    pub validation_loss: f32,
    /// The norm of the last gradient.
    pub norm: f32,
    /// The number of rows per second since the last report.
    pub rows_per_second: f64,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Whether all steps are done and the model file is written.
    pub complete: bool,
    /// The step at which this run continued an earlier one.
    pub resumed: u64,
    /// The progress at the end.
    pub last: Option<Progress>,
    /// The duration of this run.
    pub elapsed: Duration,
    /// The content hash of the model file, if it is written.
    pub hash: Option<String>,
    /// The number of rows in the last block.
    pub rows: u64,
}

/// The folder of a run: its configuration, checkpoint and curves.
pub fn run_folder(out: &Path) -> PathBuf {
    out.with_extension("run")
}

/// Trains a network, continuing an earlier run of the same options. `report` is called with the progress and returns
/// whether to continue; when it does not, a checkpoint is written.
///
/// # Errors
/// If the data cannot be read or have changed since the run began, files cannot be written, or training diverges.
pub fn run(options: &RunOptions, report: &mut dyn FnMut(&Progress) -> bool) -> Result<Finished, TrainError> {
    let begin = Instant::now();
    let mut source = Source::open(&options.data, &options.source)?;
    let encoding = source.encoding().clone();
    let shape = NnueShape {
        features: encoding.features,
        hidden: options.hidden,
        activation: options.activation,
        layers: options.layers.clone(),
        buckets: encoding.heads(options.source.stages),
    };
    let folder = run_folder(&options.out);
    fs::create_dir_all(&folder).map_err(|source| TrainError::Io { path: folder.clone(), source })?;
    let resolved = resolved(options, &source, &shape)?;
    let config_path = folder.join("config.json");
    write_text(&config_path, &format!("{resolved:#}\n"))?;
    let checkpoint_path = folder.join("checkpoint.safetensors");
    let kinds = if options.train.factorise { encoding.kinds.clone() } else { Vec::new() };
    let factoriser = Factoriser::new(kinds, shape.hidden);
    let read = checkpoint::read(&checkpoint_path, &options.train, &shape, factoriser.clone(), &resolved)?;
    let (mut trainer, last) = if let Some(state) = read {
        state
    } else {
        let net = initial(options, &encoding.id, &shape, &factoriser)?;
        (Trainer::new(options.train.clone(), net, factoriser), None)
    };
    let resumed = trainer.steps();
    let mut curves = Curves::open(&folder, resumed)?;
    let validation = source.validation()?;
    let mut workers = Workers::new(&trainer.net, options.train.threads);
    let mut meter = Meter { last, ..Meter::new() };
    let (mut stopped, mut row_count) = (false, 0);
    while !trainer.is_done() && !stopped {
        let (epoch, block) = (trainer.epoch, trainer.block);
        let trained = source.with_block(epoch, block, |rows| {
            row_count = rows.len() as u64;
            trainer.begin_block(rows, &mut workers);
            while !trainer.is_done() {
                let Some(step) = trainer.step(rows, &encoding.images, &mut workers) else { break };
                if !step.loss.is_finite() || !step.norm.is_finite() {
                    return Err(TrainError::Diverged { step: step.step });
                }
                meter.push(step.loss, options.train.batch.min(rows.len()));
                let last = step.step == options.train.steps;
                if step.step.is_multiple_of(options.report_every) || last {
                    let progress = Progress {
                        step: step.step,
                        steps: options.train.steps,
                        epoch: trainer.epoch,
                        rate: step.rate,
                        training_loss: meter.loss(),
                        validation_loss: workers.mean_loss(&trainer.average, &validation),
                        norm: step.norm,
                        rows_per_second: meter.rate(),
                    };
                    curves.push(&progress)?;
                    stopped = !report(&progress) && !last;
                    meter = Meter { last: Some(progress), ..Meter::new() };
                }
                if step.step.is_multiple_of(options.checkpoint_every) || stopped || last {
                    checkpoint::write(&checkpoint_path, &trainer, meter.last.as_ref(), &resolved)?;
                }
                if stopped {
                    return Ok(false);
                }
            }
            if trainer.order.is_empty() {
                return Err(TrainError::Empty);
            }
            Ok(true)
        })?;
        match trained {
            Some(true) => {
                trainer.block += 1;
                (trainer.order, trainer.used) = (Vec::new(), 0);
            }
            Some(false) => {}
            None => (trainer.epoch, trainer.block) = (trainer.epoch + 1, 0),
        }
    }
    let mut hash = None;
    if !stopped {
        let mut provenance = provenance(&resolved);
        if let Some(progress) = meter.last {
            provenance.insert("validation_loss".to_owned(), progress.validation_loss.to_string());
        }
        if options.layers.is_empty() {
            QuantisedNnue::new(&trainer.average, &encoding.groups)?;
        }
        let bytes = trainer.average.to_file(&encoding.id, provenance).to_bytes();
        hash = Some(ModelFile::hash(&bytes));
        atomic_file::write(&options.out, bytes)
            .map_err(|source| TrainError::Io { path: options.out.clone(), source })?;
    }
    let rows = row_count;
    Ok(Finished { complete: !stopped, resumed, last: meter.last, elapsed: begin.elapsed(), hash, rows })
}

/// The weights to start from.
fn initial(
    options: &RunOptions,
    encoder: &str,
    shape: &NnueShape,
    factoriser: &Factoriser,
) -> Result<Nnue<f32>, TrainError> {
    let Some(path) = &options.start else {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.train.seed);
        let mut net = Nnue::random(shape, TYPICAL_ACTIVE, &mut rng);
        factoriser.equalise(&mut net);
        return Ok(net);
    };
    let bytes = fs::read(path).map_err(|source| TrainError::Io { path: path.clone(), source })?;
    let named = |source| TrainError::Model { path: path.clone(), source };
    let file = ModelFile::from_bytes(&bytes).map_err(named)?;
    let net = Nnue::from_file(&file).map_err(named)?;
    if file.header.encoder != encoder || net.shape != *shape {
        let found = format!("{} with {} neurons", file.header.encoder, net.shape.hidden);
        let expected = format!("{encoder} with {} neurons", shape.hidden);
        return Err(TrainError::Encoder { found, expected });
    }
    Ok(net)
}

/// The number of active features that initial weights are scaled for.
const TYPICAL_ACTIVE: usize = 40;

/// Everything that the run depends on.
fn resolved(options: &RunOptions, source: &Source, shape: &NnueShape) -> Result<Value, TrainError> {
    let start = match &options.start {
        Some(path) => {
            let bytes = fs::read(path).map_err(|source| TrainError::Io { path: path.clone(), source })?;
            Some(ModelFile::hash(&bytes))
        }
        None => None,
    };
    let TrainOptions {
        batch,
        steps,
        learning_rate,
        last_rate,
        warmup,
        prioritised,
        optimiser,
        average,
        factorise,
        threads,
        seed,
    } = &options.train;
    let games: u64 = source.folders().iter().map(selfplay::DataFolder::games).sum();
    Ok(json!({
        "data": source.manifest(),
        "games": games,
        "encoder": source.encoding().id,
        "scales": source.scales(),
        "hidden": shape.hidden,
        "layers": shape.layers,
        "activation": shape.activation.name(),
        "stages": options.source.stages,
        "start": start,
        "result_share": options.source.result_share,
        "block_bytes": options.source.block_bytes,
        "batch": batch,
        "steps": steps,
        "learning_rate": learning_rate,
        "last_rate": last_rate,
        "warmup": warmup,
        "prioritised": prioritised,
        "weight_decay": optimiser.weight_decay,
        "clip": optimiser.clip,
        "max_norm": optimiser.max_norm,
        "average": average,
        "factorise": factorise,
        "threads": threads,
        "seed": seed,
    }))
}

/// Where the weights come from, for the header of the model file.
fn provenance(resolved: &Value) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let fields = resolved.as_object().into_iter().flatten();
    let mut provenance: BTreeMap<String, String> =
        fields.map(|(name, value)| (name.clone(), text(value))).collect();
    provenance.insert("program".to_owned(), concat!("riftlab ", env!("CARGO_PKG_VERSION")).to_owned());
    provenance
}

fn write_text(path: &Path, text: &str) -> Result<(), TrainError> {
    atomic_file::write(path, text).map_err(|source| TrainError::Io { path: path.to_owned(), source })
}

/// Loss and rate since the last report.
struct Meter {
    since: Instant,
    loss: f64,
    steps: u64,
    rows: usize,
    last: Option<Progress>,
}

impl Meter {
    fn new() -> Self {
        Self { since: Instant::now(), loss: 0.0, steps: 0, rows: 0, last: None }
    }

    fn push(&mut self, loss: f32, rows: usize) {
        self.loss += f64::from(loss);
        self.steps += 1;
        self.rows += rows;
    }

    fn loss(&self) -> f32 {
        (self.loss / self.steps.max(1) as f64) as f32
    }

    fn rate(&self) -> f64 {
        self.rows as f64 / self.since.elapsed().as_secs_f64()
    }
}
