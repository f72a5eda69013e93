//! The curves of a run: a table, TensorBoard events and a chart, written at every report.
//!
//! When a run continues from a checkpoint, rows after its step are removed from the table, because those steps are taken
//! again. Events go to a new file, which tells TensorBoard to forget those steps.

mod chart;
mod events;
mod ticks;

use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use lab::atomic_file;

pub use chart::{Chart, Point, Series, svg};
use events::EventFile;

use crate::{Progress, TrainError};

/// The curves of a run, open for more rows.
pub(crate) struct Curves {
    folder: PathBuf,
    table: File,
    events: EventFile,
    rows: Vec<Row>,
    /// The names of the measures, which are the last columns.
    measures: &'static [&'static str],
    /// The duration of the run before it was continued, in seconds.
    before: f64,
    since: Instant,
}

/// A row of the table.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    step: u64,
    epoch: u32,
    rate: f32,
    training_loss: f32,
    validation_loss: f32,
    norm: f32,
    rows_per_second: f64,
    seconds: f64,
    measures: Vec<f32>,
}

/// The columns of every kind of network; those of its measures follow.
const HEADER: &str =
    "step,epoch,learning_rate,training_loss,validation_loss,gradient_norm,rows_per_s,seconds";

impl Curves {
    /// Opens the curves in the folder of a run that continues after `step`, with a column for each of the measures.
    pub(crate) fn open(
        folder: &Path,
        step: u64,
        measures: &'static [&'static str],
    ) -> Result<Self, TrainError> {
        let path = folder.join("curves.csv");
        let failed = |source| TrainError::Io { path: path.clone(), source };
        let mut rows = read(&path, measures)?;
        rows.retain(|row| row.step <= step);
        let text: String = rows.iter().map(|row| row.to_string() + "\n").collect();
        atomic_file::write(&path, format!("{}\n{text}", header(measures))).map_err(failed)?;
        let table = OpenOptions::new().append(true).open(&path).map_err(failed)?;
        let before = rows.last().map_or(0.0, |row| row.seconds);
        let events = EventFile::create(folder, now(), step + 1)?;
        let folder = folder.to_owned();
        Ok(Self { folder, table, events, rows, measures, before, since: Instant::now() })
    }

    /// Adds a row to all files.
    pub(crate) fn push(&mut self, progress: &Progress) -> Result<(), TrainError> {
        let row = Row {
            step: progress.step,
            epoch: progress.epoch,
            rate: progress.rate,
            training_loss: progress.training_loss,
            validation_loss: progress.validation_loss,
            norm: progress.norm,
            rows_per_second: progress.rows_per_second.round(),
            seconds: ((self.before + self.since.elapsed().as_secs_f64()) * 10.0).round() / 10.0,
            measures: progress.measures.iter().map(|measure| measure.1).collect(),
        };
        let failed = |name: &str, source| TrainError::Io { path: self.folder.join(name), source };
        let line = format!("{row}\n");
        let table = self.table.write_all(line.as_bytes()).and_then(|()| self.table.sync_data());
        table.map_err(|source| failed("curves.csv", source))?;
        let names: Vec<String> = self.measures.iter().map(|name| format!("validation/{name}")).collect();
        let measures = names.iter().map(String::as_str).zip(row.measures.iter().copied());
        let scalars: Vec<(&str, f32)> = row.scalars().into_iter().chain(measures).collect();
        self.events.push(now(), row.step, &scalars)?;
        self.rows.push(row);
        let picture = svg(&charts(&self.rows, self.measures));
        atomic_file::write(&self.folder.join("curves.svg"), picture)
            .map_err(|source| failed("curves.svg", source))
    }
}

/// The first line of a table with these measures.
fn header(measures: &[&str]) -> String {
    std::iter::once(HEADER).chain(measures.iter().copied()).collect::<Vec<_>>().join(",")
}

/// The rows of a table; none if there is no file. A line without an end is left out: the program was killed while it
/// wrote that line.
fn read(path: &Path, measures: &[&str]) -> Result<Vec<Row>, TrainError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(TrainError::Io { path: path.to_owned(), source }),
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines();
    let problem = |problem: String| TrainError::Curves { path: path.to_owned(), problem };
    let header = header(measures);
    match lines.next() {
        None => return Ok(Vec::new()),
        Some(found) if found == header => {}
        Some(found) => return Err(problem(format!("line 1 is {found:?}, expected {header:?}"))),
    }
    let columns = header.split(',').count();
    let row = |(number, line): (usize, &str)| {
        let expected = || problem(format!("line {} is {line:?}, expected {columns} numbers", number + 2));
        Row::parse(line).filter(|row| 8 + row.measures.len() == columns).ok_or_else(expected)
    };
    lines.enumerate().map(row).collect()
}

impl Row {
    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let &[
            step,
            epoch,
            rate,
            training_loss,
            validation_loss,
            norm,
            rows_per_second,
            seconds,
            ref measures @ ..,
        ] = fields.as_slice()
        else {
            return None;
        };
        Some(Self {
            step: step.parse().ok()?,
            epoch: epoch.parse().ok()?,
            rate: rate.parse().ok()?,
            training_loss: training_loss.parse().ok()?,
            validation_loss: validation_loss.parse().ok()?,
            norm: norm.parse().ok()?,
            rows_per_second: rows_per_second.parse().ok()?,
            seconds: seconds.parse().ok()?,
            measures: measures.iter().map(|measure| measure.parse().ok()).collect::<Option<_>>()?,
        })
    }

    /// The values with their names in TensorBoard.
    fn scalars(&self) -> [(&'static str, f32); 6] {
        [
            ("loss/training", self.training_loss),
            ("loss/validation", self.validation_loss),
            ("learning_rate", self.rate),
            ("gradient_norm", self.norm),
            ("rows_per_s", self.rows_per_second as f32),
            ("epoch", self.epoch as f32),
        ]
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { step, epoch, rate, training_loss, validation_loss, norm, .. } = self;
        let Self { rows_per_second, seconds, measures, .. } = self;
        write!(
            f,
            "{step},{epoch},{rate},{training_loss},{validation_loss},{norm},{rows_per_second},{seconds}"
        )?;
        measures.iter().try_for_each(|measure| write!(f, ",{measure}"))
    }
}

/// The charts of a run, one below the other.
fn charts(rows: &[Row], measures: &[&str]) -> Vec<Chart> {
    let series = |name: &str, value: &dyn Fn(&Row) -> f32| Series {
        name: name.to_owned(),
        points: rows.iter().map(|row| Point::new(row.step as f64, f64::from(value(row)))).collect(),
    };
    let chart = |title: &str, series: Vec<Series>| Chart {
        title: title.to_owned(),
        x_label: "step".to_owned(),
        y_label: String::new(),
        series,
    };
    let mut charts = vec![
        chart(
            "Loss",
            vec![
                series("training", &|row| row.training_loss),
                series("validation", &|row| row.validation_loss),
            ],
        ),
        chart("Learning rate", vec![series("learning rate", &|row| row.rate)]),
        chart("Gradient norm", vec![series("gradient norm", &|row| row.norm)]),
        chart("Rows per second", vec![series("rows per second", &|row| row.rows_per_second as f32)]),
    ];
    for (index, name) in measures.iter().enumerate() {
        let title = format!("Validation: {}", name.replace('_', " "));
        charts.push(chart(&title, vec![series("validation", &|row| row.measures[index])]));
    }
    charts
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(step: u64, loss: f32) -> Progress {
        Progress {
            step,
            steps: 1000,
            epoch: (step / 300) as u32,
            rate: 0.001,
            training_loss: loss,
            validation_loss: loss + 0.01,
            norm: 0.25,
            rows_per_second: 812_345.6,
            measures: Vec::new(),
        }
    }

    fn table(folder: &Path) -> String {
        fs::read_to_string(folder.join("curves.csv")).unwrap()
    }

    fn steps(folder: &Path) -> Vec<u64> {
        read(&folder.join("curves.csv"), &[]).unwrap().iter().map(|row| row.step).collect()
    }

    fn event_files(folder: &Path) -> Vec<PathBuf> {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> =
            paths.filter(|path| path.to_string_lossy().contains("tfevents")).collect();
        paths.sort_unstable();
        paths
    }

    #[test]
    fn a_continued_run_has_every_row_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let mut curves = Curves::open(path, 0, &[]).unwrap();
        for step in [100, 200, 300] {
            curves.push(&progress(step, 0.5)).unwrap();
        }
        drop(curves);
        let before = table(path);
        // Killed in the middle of a line; the checkpoint is of step 200.
        OpenOptions::new()
            .append(true)
            .open(path.join("curves.csv"))
            .unwrap()
            .write_all(b"400,1,0.0")
            .unwrap();
        let mut curves = Curves::open(path, 200, &[]).unwrap();
        assert_eq!(steps(path), [100, 200]);
        assert!(before.starts_with(&table(path)), "rows that remain are unchanged");
        curves.push(&progress(300, 0.4)).unwrap();
        drop(curves);
        assert_eq!(steps(path), [100, 200, 300]);
        assert!(table(path).lines().last().unwrap().starts_with("300,1,0.001,0.4,0.41,0.25,812346,"));
        let records = |file: &PathBuf| events::tests::records(&fs::read(file).unwrap()).len();
        let files = event_files(path);
        let counts: Vec<usize> = files.iter().map(records).collect();
        assert_eq!(counts, [2 + 3, 2 + 1], "the version, the start and one record per row");
        // Without a checkpoint, a run starts again.
        drop(Curves::open(path, 0, &[]).unwrap());
        assert_eq!(steps(path), [0_u64; 0]);
    }

    #[test]
    fn measures_are_columns_of_their_own() {
        const NAMES: &[&str] = &["policy_loss", "policy_accuracy"];
        let folder = tempfile::tempdir().unwrap();
        let measured = |step, accuracy| Progress {
            measures: vec![(NAMES[0].to_owned(), 1.5), (NAMES[1].to_owned(), accuracy)],
            ..progress(step, 0.5)
        };
        let mut curves = Curves::open(folder.path(), 0, NAMES).unwrap();
        curves.push(&measured(1, 0.25)).unwrap();
        curves.push(&measured(2, 0.5)).unwrap();
        drop(curves);
        let text = table(folder.path());
        assert!(text.lines().next().unwrap().ends_with(",seconds,policy_loss,policy_accuracy"), "{text}");
        assert!(text.lines().last().unwrap().ends_with(",1.5,0.5"), "{text}");
        drop(Curves::open(folder.path(), 2, NAMES).unwrap());
        assert_eq!(table(folder.path()), text);
        let picture = fs::read_to_string(folder.path().join("curves.svg")).unwrap();
        assert!(picture.contains("Validation: policy accuracy"));
        assert!(Curves::open(folder.path(), 2, &[]).is_err(), "a table of another kind of network");
    }

    #[test]
    fn values_that_are_not_numbers_are_kept_in_the_table_and_left_out_of_the_chart() {
        let folder = tempfile::tempdir().unwrap();
        let mut curves = Curves::open(folder.path(), 0, &[]).unwrap();
        for (step, loss) in [(1, 0.5), (2, f32::NAN), (3, f32::INFINITY), (4, 0.25)] {
            curves.push(&progress(step, loss)).unwrap();
        }
        drop(curves);
        let before = table(folder.path());
        assert!(before.contains("NaN") && before.contains("inf"));
        drop(Curves::open(folder.path(), 4, &[]).unwrap());
        assert_eq!(table(folder.path()), before);
        let picture = fs::read_to_string(folder.path().join("curves.svg")).unwrap();
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    }

    #[test]
    fn a_table_of_another_program_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("curves.csv");
        let refused = |text: &str| {
            fs::write(&path, text).unwrap();
            Curves::open(folder.path(), 10, &[]).err().unwrap().to_string()
        };
        let error = refused("step,elo\n1,2\n");
        assert!(error.contains("curves.csv") && error.contains("step,elo"), "{error}");
        let error = refused(&format!("{HEADER}\n1,2,3\n"));
        assert!(error.contains("line 2") && error.contains("1,2,3"), "{error}");
        fs::write(&path, "").unwrap();
        Curves::open(folder.path(), 10, &[]).unwrap();
    }
}
