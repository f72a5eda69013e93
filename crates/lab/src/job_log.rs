//! Jobs of learning in the database, for the Lab.

use std::{
    path::{Path, absolute},
    time::{Duration, Instant},
};

use arena::store::{Job, JobKind, JobRow, RunState, Store, StoreError};
use serde_json::Value;

use crate::heartbeat::Pulse;

/// The least time between two updates that are not rows of a table.
const INTERVAL: Duration = Duration::from_secs(1);

/// A job that this process works on, as the database records it. While the value is alive, it sends regular heartbeats.
///
/// The job does not depend on the database: if it cannot be written, no more is recorded, and [`end`](Self::end) returns
/// the error.
pub struct JobLog {
    store: Store,
    job: String,
    pulse: Pulse,
    updated: Option<Instant>,
    error: Option<StoreError>,
}

impl JobLog {
    /// Records that a job begins or continues. A job is identified by its kind and the file or folder `output`; `planned`
    /// is its number of games, steps or generations.
    ///
    /// # Errors
    /// If the database cannot be opened or written.
    pub fn begin(database: &Path, kind: JobKind, output: &Path, planned: u64) -> Result<Self, StoreError> {
        let mut store = Store::open(database)?;
        let title = output.file_name().unwrap_or(output.as_os_str()).to_string_lossy();
        let output = absolute(output).unwrap_or_else(|_| output.to_owned());
        let job = Job::new(kind, &output.to_string_lossy(), &title, "{}", planned);
        store.begin_job(&job)?;
        let id = job.id.clone();
        let pulse = Pulse::start(&store, move |store| store.record_job_heartbeat(&id));
        Ok(Self { store, job: job.id, pulse, updated: None, error: None })
    }

    /// Records the options of the job, once they are resolved.
    pub fn configure(&mut self, config: &Value) {
        self.attempt(|store, job| store.configure_job(job, &config.to_string()));
    }

    /// Adds a row to a table of the job. `values` is an object of named values. Rows with the same or a greater number are
    /// from before an interruption and are removed.
    pub fn put_row(&mut self, table: &str, number: u64, values: &Value) {
        let row = JobRow { table: table.to_owned(), number, values: values.to_string() };
        self.attempt(|store, job| store.put_job_row(job, &row));
    }

    /// Records how much is done, and what the job is doing.
    pub fn advance(&mut self, done: u64, stage: &str) {
        self.updated = Some(Instant::now());
        self.attempt(|store, job| store.advance_job(job, done, stage));
    }

    /// Whether the last call of [`advance`](Self::advance) is long enough ago for another one. Work that proceeds in small
    /// steps asks this, so that it does not write all the time.
    pub fn is_due(&self) -> bool {
        self.updated.is_none_or(|updated| updated.elapsed() >= INTERVAL)
    }

    /// Records the end of the job.
    ///
    /// # Errors
    /// If the database could not be written, now or before.
    pub fn end(mut self, state: RunState, error: Option<&str>) -> Result<(), StoreError> {
        self.pulse.stop();
        self.attempt(|store, job| store.end_job(job, state, error));
        self.error.map_or(Ok(()), Err)
    }

    fn attempt(&mut self, write: impl FnOnce(&mut Store, &str) -> Result<(), StoreError>) {
        if self.error.is_none() {
            self.error = write(&mut self.store, &self.job).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_job_is_recorded_from_its_beginning_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.db");
        let begin = || JobLog::begin(&path, JobKind::Train, Path::new("nets/a.safetensors"), 40).unwrap();
        let mut log = begin();
        let onlooker = Store::open(&path).unwrap();
        let run = || onlooker.jobs(5).unwrap().remove(0);
        assert_eq!((run().state, run().done), (RunState::Running, 0));
        assert_eq!(run().job.title, "a.safetensors");
        assert!(Path::new(&run().job.output).is_absolute());
        log.configure(&json!({ "hidden": 64 }));
        assert_eq!(run().job.config, r#"{"hidden":64}"#);
        assert!(log.is_due());
        log.advance(10, "warming up");
        assert!(!log.is_due());
        log.put_row("progress", 10, &json!({ "loss": 0.5, "norm": f32::NAN }));
        assert_eq!((run().done, run().stage.as_str()), (10, "warming up"));
        let rows = onlooker.job_rows(&run().job.id).unwrap();
        assert_eq!(rows[0].values, r#"{"loss":0.5,"norm":null}"#);
        log.end(RunState::Stopped, None).unwrap();
        assert_eq!((run().state, run().stage.as_str()), (RunState::Stopped, ""));
        begin().end(RunState::Complete, None).unwrap();
        assert_eq!(onlooker.jobs(5).unwrap().len(), 1, "the same output is the same job");
    }

    #[test]
    fn a_failing_database_is_reported_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.db");
        let mut log = JobLog::begin(&path, JobKind::SelfPlay, folder.path(), 9).unwrap();
        Store::open(&path).unwrap();
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch("DROP TABLE job_rows").unwrap();
        log.put_row("progress", 1, &json!({}));
        log.advance(1, "");
        assert!(log.end(RunState::Complete, None).is_err());
    }
}
