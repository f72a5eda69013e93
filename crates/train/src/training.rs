//! The training loop, for networks of any kind.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lab::atomic_file;
use nn::ModelFile;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Source, TrainError, TrainOptions, Trainer, Workers, checkpoint,
    curves::Curves,
    learner::{Learner, RowEncoder, RowStore},
};

/// The progress of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
    /// What else the kind of network tells about games that are not trained on, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<(String, f32)>,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Whether all steps are done and the model file is written.
    pub complete: bool,
    /// The step at which this run continued an earlier one.
    pub resumed: u64,
    /// The progress at the end, or at the best report if patience was limited.
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

/// A run of the loop.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    /// The model file to write.
    pub out: &'a Path,
    /// How the network is trained.
    pub train: &'a TrainOptions,
    /// The number of steps between two reports.
    pub report_every: u64,
    /// The number of steps between two checkpoints.
    pub checkpoint_every: u64,
    /// Everything that the run depends on. A checkpoint of anything else is refused.
    pub resolved: &'a Value,
}

impl Training<'_> {
    /// Trains the network that `initial` makes, or continues from a checkpoint. `report` is called with the progress and
    /// returns whether to continue; when it does not, a checkpoint is written.
    ///
    /// # Errors
    /// If the data cannot be read or have changed since the run began, files cannot be written, or training diverges.
    pub fn run<E: RowEncoder, L: Learner<Rows = E::Rows>>(
        &self,
        source: &mut Source<E>,
        learner: &L,
        initial: impl FnOnce() -> Result<L::Net, TrainError>,
        report: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Finished, TrainError> {
        let begin = Instant::now();
        let folder = run_folder(self.out);
        fs::create_dir_all(&folder).map_err(|source| TrainError::Io { path: folder.clone(), source })?;
        let config_path = folder.join("config.json");
        write(&config_path, format!("{:#}\n", self.resolved))?;
        let checkpoint_path = folder.join("checkpoint.safetensors");
        let saved = checkpoint::read(&checkpoint_path, self.train, &learner.zeros(), self.resolved)?;
        let (mut trainer, last) = match saved {
            Some(state) => state,
            None => (Trainer::new(self.train.clone(), initial()?), None),
        };
        let resumed = trainer.steps();
        let mut curves = Curves::open(&folder, resumed, learner.measures())?;
        let validation = source.validation()?;
        let mut workers = Workers::new(learner, self.train.threads);
        let mut meter = Meter { last, ..Meter::new() };
        let (mut stopped, mut row_count) = (false, 0);
        while !trainer.is_done() && !stopped {
            let (epoch, block) = (trainer.epoch, trainer.block);
            let trained = source.with_block(epoch, block, |rows| {
                row_count = rows.len() as u64;
                trainer.begin_block(learner, rows, &mut workers);
                while !trainer.is_done() {
                    let Some(step) = trainer.step(learner, rows, &mut workers) else { break };
                    if !step.loss.is_finite() || !step.norm.is_finite() {
                        return Err(TrainError::Diverged { step: step.step });
                    }
                    meter.push(step.loss, self.train.batch.min(rows.len()));
                    let mut last = trainer.is_done();
                    if step.step.is_multiple_of(self.report_every) || last {
                        let (validation_loss, measures) =
                            workers.validate(learner, &trainer.average, &validation);
                        let names = learner.measures().iter().map(|&name| name.to_owned());
                        let progress = Progress {
                            step: step.step,
                            steps: self.train.steps,
                            epoch: trainer.epoch,
                            rate: step.rate,
                            training_loss: meter.loss(),
                            validation_loss,
                            norm: step.norm,
                            rows_per_second: meter.rate(),
                            measures: names.zip(measures).collect(),
                        };
                        curves.push(&progress)?;
                        // Without games to compare by, the last weights are as good as any.
                        if !validation.is_empty() {
                            trainer.reported(&progress);
                        }
                        last = trainer.is_done();
                        stopped = !report(&progress) && !last;
                        meter = Meter { last: Some(progress), ..Meter::new() };
                    }
                    if step.step.is_multiple_of(self.checkpoint_every) || stopped || last {
                        checkpoint::write(&checkpoint_path, &trainer, meter.last.as_ref(), self.resolved)?;
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
            let mut provenance = provenance(self.resolved);
            let mut net = &trainer.average;
            if let Some(best) = &trainer.best {
                provenance.insert("step".to_owned(), best.progress.step.to_string());
                (net, meter.last) = (&best.net, Some(best.progress.clone()));
            }
            if let Some(progress) = &meter.last {
                provenance.insert("validation_loss".to_owned(), progress.validation_loss.to_string());
            }
            let bytes = learner.model(net, provenance)?.to_bytes();
            hash = Some(ModelFile::hash(&bytes));
            write(self.out, bytes)?;
        }
        if row_count == 0 {
            // A run that was complete before has not read anything.
            row_count = source.with_block(0, 0, |rows| Ok(rows.len() as u64))?.unwrap_or(0);
        }
        let rows = row_count;
        Ok(Finished { complete: !stopped, resumed, last: meter.last, elapsed: begin.elapsed(), hash, rows })
    }
}

/// The hash by which a model file is known.
pub(crate) fn hash_of(path: &Path) -> Result<String, TrainError> {
    let bytes = fs::read(path).map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
    Ok(ModelFile::hash(&bytes))
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

fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), TrainError> {
    atomic_file::write(path, content).map_err(|source| TrainError::Io { path: path.to_owned(), source })
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
