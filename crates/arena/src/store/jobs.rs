//! Jobs: self-play, training and the learning loop, with the tables that they report.
//!
//! A job is no event: it has no participants, and nothing about it is rated. Like a run of an event, it is observed
//! through the database: the process that works on it sends heartbeats, adds rows to its tables and records its end.

use rusqlite::{OptionalExtension, Row, params};

use super::{RunState, Store, StoreError, runs::HEARTBEAT_TIMEOUT};
use crate::content_id;

/// What a job does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobKind {
    /// Plays games as training data.
    SelfPlay,
    /// Trains a network.
    Train,
    /// Improves a network generation by generation.
    Pipeline,
}

impl JobKind {
    const ALL: [Self; 3] = [Self::SelfPlay, Self::Train, Self::Pipeline];

    /// The name in the database and in reports, which is that of the command.
    pub fn name(self) -> &'static str {
        match self {
            Self::SelfPlay => "selfplay",
            Self::Train => "train",
            Self::Pipeline => "pipeline",
        }
    }
}

/// A job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The content hash of kind and output: a job that continues has the same id.
    pub id: String,
    /// What it does.
    pub kind: JobKind,
    /// The file or folder that it writes, as an absolute path.
    pub output: String,
    /// A title for people.
    pub title: String,
    /// Its options, as JSON.
    pub config: String,
    /// The number of games, steps or generations.
    pub planned: u64,
}

impl Job {
    /// Creates a job. Its id follows from its kind and output.
    pub fn new(kind: JobKind, output: &str, title: &str, config: &str, planned: u64) -> Self {
        let id = content_id("riftlab job", &[kind.name(), output]);
        let [output, title, config] = [output, title, config].map(str::to_owned);
        Self { id, kind, output, title, config, planned }
    }
}

/// A job with its state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobRun {
    /// The job.
    pub job: Job,
    /// How many of the planned games, steps or generations are done.
    pub done: u64,
    /// What it is doing, in words.
    pub stage: String,
    /// The state.
    pub state: RunState,
    /// The error, if it failed.
    pub error: Option<String>,
    /// When it last began.
    pub begun: String,
}

/// A row of a table of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobRow {
    /// The table.
    pub table: String,
    /// The number of the row: of games, of the step, or of the generation.
    pub number: u64,
    /// Named values, as a JSON object.
    pub values: String,
}

impl Store {
    /// Records that a job begins or continues.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn begin_job(&mut self, job: &Job) -> Result<(), StoreError> {
        self.write(|transaction| {
            let Job { id, kind, output, title, config, planned } = job;
            transaction
                .execute(
                    "INSERT INTO jobs (id, kind, output, title, config, planned, state, seen)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running', unixepoch())
                     ON CONFLICT (id) DO UPDATE SET title = ?4, config = ?5, planned = ?6, state = 'running',
                         error = NULL, begun = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), seen = unixepoch()",
                    params![id, kind.name(), output, title, config, *planned as i64],
                )
                .map(|_| ())
        })
    }

    /// Records the options of a job, which may be resolved only after it has begun.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn configure_job(&mut self, job: &str, config: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("UPDATE jobs SET config = ?2 WHERE id = ?1", [job, config]).map(|_| ())
        })
    }

    /// Adds a row to a table of a job. Rows with the same or a greater number are removed: they are from before an
    /// interruption, and their work is done again.
    ///
    /// # Errors
    /// If the database cannot be written, or the job is unknown.
    pub fn put_job_row(&mut self, job: &str, row: &JobRow) -> Result<(), StoreError> {
        self.write(|transaction| {
            let JobRow { table, number, values } = row;
            transaction.execute(
                "DELETE FROM job_rows WHERE job = ?1 AND name = ?2 AND number >= ?3",
                params![job, table, *number as i64],
            )?;
            transaction
                .execute(
                    "INSERT INTO job_rows (job, name, number, content) VALUES (?1, ?2, ?3, ?4)",
                    params![job, table, *number as i64, values],
                )
                .map(|_| ())
        })
    }

    /// Records how much of a job is done, and what it is doing. This is a heartbeat, too.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn advance_job(&mut self, job: &str, done: u64, stage: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction
                .execute(
                    "UPDATE jobs SET done = ?2, stage = ?3, seen = unixepoch() WHERE id = ?1",
                    params![job, done as i64, stage],
                )
                .map(|_| ())
        })
    }

    /// Records a heartbeat of a job.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn record_job_heartbeat(&mut self, job: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("UPDATE jobs SET seen = unixepoch() WHERE id = ?1", [job]).map(|_| ())
        })
    }

    /// Records the end of a job.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn end_job(&mut self, job: &str, state: RunState, error: Option<&str>) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction
                .execute(
                    "UPDATE jobs SET state = ?2, error = ?3, stage = '', seen = unixepoch() WHERE id = ?1",
                    params![job, state.name(), error],
                )
                .map(|_| ())
        })
    }

    /// Jobs, latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn jobs(&self, limit: u64) -> Result<Vec<JobRun>, StoreError> {
        self.read(|connection| {
            let mut query =
                connection.prepare(&format!("{JOB} ORDER BY begun DESC, jobs.rowid DESC LIMIT ?2"))?;
            query.query_map(params![HEARTBEAT_TIMEOUT, limit as i64], job_from_row)?.collect()
        })
    }

    /// The job with this id or prefix of an id.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn job(&self, id: &str) -> Result<Option<JobRun>, StoreError> {
        self.read(|connection| {
            let mut query = connection.prepare(&format!("{JOB} WHERE substr(id, 1, length(?2)) = ?2"))?;
            query.query_row(params![HEARTBEAT_TIMEOUT, id], job_from_row).optional()
        })
    }

    /// The rows of all tables of a job: the tables by name, the rows by number.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn job_rows(&self, job: &str) -> Result<Vec<JobRow>, StoreError> {
        self.read(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT name, number, content FROM job_rows WHERE job = ?1 ORDER BY name, number",
            )?;
            let row = |row: &Row<'_>| {
                Ok(JobRow {
                    table: row.get("name")?,
                    number: row.get::<_, i64>("number")? as u64,
                    values: row.get("content")?,
                })
            };
            query.query_map([job], row)?.collect()
        })
    }
}

/// Selects jobs; the first parameter is the heartbeat timeout.
const JOB: &str = "
    SELECT id, kind, output, title, config, planned, done, stage, error, begun,
        CASE WHEN state = 'running' AND seen < unixepoch() - ?1 THEN 'lost' ELSE state END AS state
    FROM jobs";

fn job_from_row(row: &Row<'_>) -> rusqlite::Result<JobRun> {
    let (kind, state): (String, String) = (row.get("kind")?, row.get("state")?);
    Ok(JobRun {
        job: Job {
            id: row.get("id")?,
            kind: JobKind::ALL.into_iter().find(|known| known.name() == kind).unwrap_or(JobKind::Train),
            output: row.get("output")?,
            title: row.get("title")?,
            config: row.get("config")?,
            planned: row.get::<_, i64>("planned")? as u64,
        },
        done: row.get::<_, i64>("done")? as u64,
        stage: row.get("stage")?,
        state: RunState::from_name(&state),
        error: row.get("error")?,
        begun: row.get("begun")?,
    })
}
