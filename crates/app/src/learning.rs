//! Self-play, training and the learning loop at the terminal: what they record for the Lab.

use std::{
    fs,
    path::{Path, PathBuf},
};

use arena::store::{JobKind, RunState};
use lab::JobLog;
use selfplay::Statistics;
use serde_json::{Value, json};
use train::{
    Progress,
    pipeline::{GateResult, Generation},
};

use crate::printer::Printer;

/// Where a job is recorded.
#[derive(clap::Args, Debug)]
pub(crate) struct RecordArgs {
    /// Record the progress in this database, so that the Lab shows it.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
}

impl RecordArgs {
    /// Begins to record a job with `planned` games, steps or generations, which writes to `output`.
    pub(crate) fn begin(&self, kind: JobKind, output: &Path, planned: u64) -> anyhow::Result<JobRecord> {
        let log = self.db.as_ref().map(|database| JobLog::begin(database, kind, output, planned));
        Ok(JobRecord { log: log.transpose()?, configured: false })
    }
}

/// The record of a job, if it has one.
pub(crate) struct JobRecord {
    log: Option<JobLog>,
    configured: bool,
}

impl JobRecord {
    /// Records the options of the job.
    pub(crate) fn configure(&mut self, config: &Value) {
        self.configured = true;
        if let Some(log) = &mut self.log {
            log.configure(config);
        }
    }

    /// Records the options of the job from the file that the job writes when they are resolved. Only the first call that
    /// finds the file does so.
    pub(crate) fn configure_from(&mut self, path: &Path) {
        if self.configured || self.log.is_none() {
            return;
        }
        if let Some(config) = fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok()) {
            self.configure(&config);
        }
    }

    /// Records a step of training in a table.
    pub(crate) fn training(&mut self, table: &str, progress: &Progress) {
        let mut values = json!({
            "epoch": progress.epoch,
            "learning_rate": progress.rate,
            "training_loss": progress.training_loss,
            "validation_loss": progress.validation_loss,
            "gradient_norm": progress.norm,
            "rows_per_s": progress.rows_per_second,
        });
        for (name, value) in &progress.measures {
            values[name] = json!(value);
        }
        self.put_row(table, progress.step, &values);
    }

    /// Records the progress of self-play, of which `games` games exist after `seconds` of this run.
    pub(crate) fn selfplay(&mut self, games: u64, statistics: &Statistics, seconds: f64) {
        let per_second = |count: u64| count as f64 / seconds.max(1e-9);
        let mut values = json!({
            "games_per_s": per_second(statistics.games),
            "decisions_per_s": per_second(statistics.decisions),
            "duplicates": statistics.duplicates(),
            "plies": statistics.plies as f64 / statistics.games.max(1) as f64,
        });
        if let Some(fill) = statistics.fill() {
            values["evaluations_per_s"] = json!(per_second(statistics.evaluations));
            values["fill"] = json!(fill);
        }
        self.put_row("progress", games, &values);
    }

    /// Records a complete generation.
    pub(crate) fn generation(&mut self, generation: &Generation) {
        let mut values = json!({
            "games": generation.games,
            "rows": generation.rows,
            "training_loss": generation.training_loss,
            "validation_loss": generation.validation_loss,
            "verdict": if generation.promoted { "promoted" } else { "rejected" },
        });
        for (name, value) in &generation.measures {
            values[name] = json!(value);
        }
        let gates = generation.gates.iter().map(|gate| (format!("score_{}", gate.name()), gate));
        let panel = generation.panel.iter().map(|gate| (format!("panel_{}", gate.against), gate));
        for (name, GateResult { games, score, interval: [low, high], .. }) in gates.chain(panel) {
            values[format!("{name}_low")] = json!(low);
            values[format!("{name}_high")] = json!(high);
            values[format!("{name}_games")] = json!(games);
            values[name] = json!(score);
        }
        self.put_row("generations", generation.number.into(), &values);
    }

    /// Records what a run of riftlab omega tells.
    pub(crate) fn omega(&mut self, event: &omega::Event<'_>) {
        match event {
            omega::Event::Training { stage, net, step, loss, validation, .. } if net.starts_with("value") => {
                let values = json!({ "training_loss": loss, "validation_loss": validation });
                self.put_row(&format!("training-{stage}"), *step, &values);
            }
            omega::Event::Generation { number, rated, against_random, against_previous } => {
                let mut values = json!({ "elo": rated.elo });
                let previous = against_previous.map(|played| ("previous", played));
                for (name, played) in [("random", *against_random)].into_iter().chain(previous) {
                    let interval = played.interval();
                    values[format!("against_{name}")] = json!(played.score());
                    values[format!("against_{name}_low")] = json!(interval.low);
                    values[format!("against_{name}_high")] = json!(interval.high);
                }
                self.put_row("generations", (*number).into(), &values);
            }
            _ => {}
        }
    }

    fn put_row(&mut self, table: &str, number: u64, values: &Value) {
        if let Some(log) = &mut self.log {
            log.put_row(table, number, values);
        }
    }

    /// Records how much is done, and what the job is doing.
    pub(crate) fn advance(&mut self, done: u64, stage: &str) {
        if let Some(log) = &mut self.log {
            log.advance(done, stage);
        }
    }

    /// Whether it is time for another update of work that proceeds in small steps.
    pub(crate) fn is_due(&self) -> bool {
        self.log.as_ref().is_some_and(JobLog::is_due)
    }

    /// Records the end of the job, and passes its result on. A database that could not be written is no error of the job.
    pub(crate) fn end<T, E: Into<anyhow::Error>>(
        self,
        finished: Result<T, E>,
        is_complete: impl FnOnce(&T) -> bool,
        printer: &Printer,
    ) -> anyhow::Result<T> {
        let finished = finished.map_err(Into::into);
        let (state, error) = match &finished {
            Ok(finished) if is_complete(finished) => (RunState::Complete, None),
            Ok(_) => (RunState::Stopped, None),
            Err(error) => (RunState::Failed, Some(format!("{error:#}"))),
        };
        if let Some(Err(error)) = self.log.map(|log| log.end(state, error.as_deref())) {
            printer.note(format!("the Lab does not show all of this run: {error}"));
        }
        finished
    }
}
