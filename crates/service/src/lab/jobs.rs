//! Jobs of learning: self-play, training and the learning loop, which the command line works on and the Lab shows.

use std::{collections::BTreeMap, sync::PoisonError};

use arena::store::{JobRow, JobRun, RunState, Store, StoreError};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{Lab, watch::MAX_LISTED};
use crate::ApiError;

/// The number of rows of a table above which some are left out, enough for any chart.
const MAX_ROWS: usize = 300;

/// A job of learning.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Job {
    /// The id of the job.
    pub id: String,
    /// `selfplay`, `train` or `pipeline`.
    pub kind: &'static str,
    /// The name of the file or folder that it writes.
    pub title: String,
    /// `running`, `complete`, `stopped`, `failed`, or `lost` if its process disappeared.
    pub state: &'static str,
    /// When the job last started.
    pub begun: String,
    /// The number of games, steps or generations that are done.
    pub done: u64,
    /// The number of games, steps or generations that are planned.
    pub planned: u64,
    /// What the job is doing, if that is not obvious.
    pub stage: String,
    /// What the job reports: `progress` over games or steps; for the learning loop `generations`, and `training-00`,
    /// `training-01`, … over the steps of each.
    pub tables: Vec<Table>,
    /// The options of the job.
    pub config: Value,
    /// Why the job failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A table of a job.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Table {
    /// The name of the table.
    pub name: String,
    /// The names of the columns. The first one, `number`, has the games, the step or the generation.
    pub columns: Vec<String>,
    /// The rows, by number, with a number, a text or `null` for every column. Some rows of long tables are left out.
    pub rows: Vec<Vec<Value>>,
}

impl Lab {
    /// The latest jobs, most recent first.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read.
    pub fn jobs(&self) -> Result<Vec<Job>, ApiError> {
        let mut known = self.inner.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = self.read(|store| {
            let shown = store.jobs(MAX_LISTED)?.into_iter().map(|run| {
                // Only a running job gets new rows.
                let same = known.remove(&run.job.id).filter(|(old, _)| *old == run);
                match same.filter(|_| run.state != RunState::Running) {
                    Some(same) => Ok(same),
                    None => Job::read(&run, store).map(|job| (run, job)),
                }
            });
            shown.collect::<Result<Vec<(JobRun, Job)>, StoreError>>()
        })?;
        let shown = shown.unwrap_or_default();
        *known = shown.iter().map(|(run, job)| (run.job.id.clone(), (run.clone(), job.clone()))).collect();
        Ok(shown.into_iter().map(|(_, job)| job).collect())
    }
}

impl Job {
    fn read(run: &JobRun, store: &Store) -> Result<Self, StoreError> {
        let JobRun { job, done, stage, state, error, begun } = run;
        Ok(Self {
            id: job.id[..16].to_owned(),
            kind: job.kind.name(),
            title: job.title.clone(),
            state: state.name(),
            begun: begun.clone(),
            done: *done,
            planned: job.planned,
            stage: stage.clone(),
            tables: tables(store.job_rows(&job.id)?),
            config: serde_json::from_str(&job.config).unwrap_or_default(),
            error: error.clone(),
        })
    }
}

/// The number of a row, and its values by name.
type NamedValues = (u64, BTreeMap<String, Value>);

/// The tables with these rows, which are ordered by table and number.
fn tables(rows: Vec<JobRow>) -> Vec<Table> {
    let mut tables: Vec<(String, Vec<NamedValues>)> = Vec::new();
    for JobRow { table, number, values } in rows {
        // A row that is no object has nothing to show.
        let Ok(values) = serde_json::from_str(&values) else { continue };
        match tables.last_mut() {
            Some((name, rows)) if *name == table => rows.push((number, values)),
            _ => tables.push((table, vec![(number, values)])),
        }
    }
    tables.into_iter().map(|(name, rows)| Table::new(name, &rows)).collect()
}

impl Table {
    fn new(name: String, rows: &[NamedValues]) -> Self {
        let mut columns: Vec<&String> = rows.iter().flat_map(|(_, values)| values.keys()).collect();
        columns.sort_unstable();
        columns.dedup();
        let spacing = rows.len().div_ceil(MAX_ROWS).max(1);
        // Counted from the end, so that the latest row is always there.
        let kept =
            rows.iter().enumerate().filter(|(place, _)| (rows.len() - 1 - place).is_multiple_of(spacing));
        let row = |(_, (number, values)): (usize, &NamedValues)| {
            let values = columns.iter().map(|&column| values.get(column).cloned().unwrap_or_default());
            [Value::from(*number)].into_iter().chain(values).collect()
        };
        let rows = kept.map(row).collect();
        let columns = ["number"].into_iter().chain(columns.iter().map(|column| column.as_str()));
        Self { name, columns: columns.map(str::to_owned).collect(), rows }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ::lab::JobLog;
    use arena::store::JobKind;
    use serde_json::json;

    use super::*;

    fn row(table: &str, number: u64, values: &str) -> JobRow {
        JobRow { table: table.to_owned(), number, values: values.to_owned() }
    }

    #[test]
    fn rows_become_tables_with_a_value_for_every_column() {
        let tables = tables(vec![
            row("generations", 0, r#"{"verdict":"promoted"}"#),
            row("progress", 10, r#"{"loss":0.5}"#),
            row("progress", 20, r#"{"loss":null,"rate":1}"#),
            row("progress", 30, "damaged"),
        ]);
        let shown = serde_json::to_value(&tables).unwrap();
        let expected = json!([
            { "name": "generations", "columns": ["number", "verdict"], "rows": [[0, "promoted"]] },
            { "name": "progress", "columns": ["number", "loss", "rate"], "rows": [[10, 0.5, null], [20, null, 1]] },
        ]);
        assert_eq!(shown, expected);
    }

    #[test]
    fn long_tables_are_thinned_and_keep_their_latest_row() {
        for count in [1, 299, 300, 301, 1000, 4321] {
            let rows: Vec<_> = (1..=count).map(|number| (number, BTreeMap::new())).collect();
            let table = Table::new("progress".to_owned(), &rows);
            assert!(table.rows.len() <= MAX_ROWS && table.rows.len() >= (count as usize).min(MAX_ROWS / 2));
            assert_eq!(table.rows.last().unwrap()[0], count);
        }
    }

    #[test]
    fn a_job_of_another_process_is_followed_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.db");
        let lab = Lab::open(&path).unwrap();
        assert!(lab.jobs().unwrap().is_empty(), "there is no database yet");
        let mut log = JobLog::begin(&path, JobKind::Train, Path::new("nets/a.safetensors"), 400).unwrap();
        let job = || lab.jobs().unwrap().remove(0);
        assert_eq!((job().kind, job().state, job().tables.len()), ("train", "running", 0));
        for step in [200, 400] {
            log.put_row("progress", step, &json!({ "training_loss": 0.5 }));
            log.advance(step, "");
            assert_eq!((job().done, job().tables[0].rows.len() as u64), (step, step / 200));
        }
        log.end(RunState::Complete, None).unwrap();
        assert_eq!((job().state, job().tables[0].rows.len()), ("complete", 2));
        let shown = serde_json::to_value(job()).unwrap();
        assert_eq!(shown["title"], "a.safetensors");
        assert!(!shown.to_string().contains("nets"), "paths of the machine are not shown");
        assert!(lab.runs().unwrap().is_empty() && lab.ratings(None).unwrap().venues.is_empty());
    }
}
