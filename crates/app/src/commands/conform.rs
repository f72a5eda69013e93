//! `riftlab conform`: replays conformance traces of the reference engine and compares every position.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use anyhow::anyhow;
use indicatif::ProgressBar;
use interchange::trace::{Replay, Trace};
use record::LineReader;
use serde_json::json;

use crate::{Verdict, game_files, printer::Printer};

/// Replay conformance traces of the reference engine, and compare every position.
///
/// The last line is a summary; the exit code is 1 if anything differs.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Trace files (.jsonl, .jsonl.gz, .jsonl.zst), or folders that contain them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Maximum number of differences to print.
    #[arg(long, value_name = "N", default_value_t = 10)]
    show: usize,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// A line of a file.
struct Job {
    file: usize,
    line: u64,
    text: String,
}

/// The findings of a worker.
#[derive(Default)]
struct Tally {
    games: usize,
    plies: usize,
    mismatches: usize,
    /// The first differences, with file and line as the sort key.
    shown: Vec<(usize, u64, String)>,
    /// The earliest line that could not be replayed.
    fault: Option<(usize, u64, anyhow::Error)>,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let files = game_files::find(&args.paths)?;
    let bytes = files.iter().filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum();
    let bar = printer.progress(bytes, args.json);
    let tally = replay_all(&files, args.show, &bar);
    bar.finish_and_clear();
    let tally = tally?;
    if let Some((_, _, error)) = tally.fault {
        return Err(error);
    }
    let Tally { games, plies, mismatches, shown, .. } = &tally;
    if args.json {
        let shown: Vec<_> = shown
            .iter()
            .map(|(file, line, text)| json!({ "file": files[*file], "line": line, "text": text }))
            .collect();
        printer.line(json!({
            "type": "conform", "version": 1, "files": files.len(),
            "games": games, "plies": plies, "mismatches": mismatches, "shown": shown,
        }))?;
    } else {
        for (file, line, text) in shown {
            printer.line(format!("{}:{line}: {text}\n", files[*file].display()))?;
        }
        printer.line(format!("{games} games, {plies} plies, {mismatches} mismatches"))?;
    }
    Ok(if *mismatches == 0 { Verdict::Yes } else { Verdict::No })
}

/// Reads the files in turn and distributes their lines over all cores. Files are too unequal in size to be distributed
/// whole.
fn replay_all(files: &[PathBuf], show: usize, bar: &ProgressBar) -> anyhow::Result<Tally> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let (sender, receiver) = sync_channel::<Job>(4 * workers);
    let receiver = Mutex::new(receiver);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let spawn = |_| scope.spawn(|| replay_jobs(&receiver, files, show, &stop));
        let workers: Vec<_> = (0..workers).map(spawn).collect();
        let read = files.iter().enumerate().try_for_each(|(index, path)| {
            bar.set_message(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
            send_lines(index, path, &sender, &stop)?;
            bar.inc(path.metadata().map_or(0, |data| data.len()));
            Ok(())
        });
        drop(sender);
        let mut total = Tally::default();
        for worker in workers {
            let tally = worker.join().map_err(|_| anyhow!("a replay panicked"))?;
            total.add(tally);
        }
        total.shown.sort();
        total.shown.truncate(show);
        // An invalid line was read before the file that cannot be read, so its error comes first.
        if total.fault.is_none() { read.map(|()| total) } else { Ok(total) }
    })
}

fn send_lines(
    file: usize,
    path: &Path,
    sender: &SyncSender<Job>,
    stop: &AtomicBool,
) -> Result<(), record::ReadError> {
    let mut lines = LineReader::open(path)?;
    while let Some(text) = lines.next() {
        let job = Job { file, line: lines.line_number(), text: text? };
        if stop.load(Ordering::Relaxed) || sender.send(job).is_err() {
            break;
        }
    }
    Ok(())
}

fn replay_jobs(receiver: &Mutex<Receiver<Job>>, files: &[PathBuf], show: usize, stop: &AtomicBool) -> Tally {
    let mut tally = Tally::default();
    loop {
        // The lock is held only while a job is received, not while it runs.
        let job = receiver.lock().expect("no worker panics while it receives a job").recv();
        let Ok(Job { file, line, text }) = job else { return tally };
        match replay(&text) {
            Ok(replay) => {
                tally.games += 1;
                tally.plies += replay.plies;
                tally.mismatches += replay.mismatches.len();
                let room = show.saturating_sub(tally.shown.len());
                tally.shown.extend(replay.mismatches.into_iter().take(room).map(|text| (file, line, text)));
            }
            Err(error) => {
                stop.store(true, Ordering::Relaxed);
                let error = error.context(format!("{}:{line} is not a trace", files[file].display()));
                tally.record_error(file, line, error);
            }
        }
    }
}

fn replay(text: &str) -> anyhow::Result<Replay> {
    Ok(serde_json::from_str::<Trace>(text)?.replay()?)
}

impl Tally {
    fn record_error(&mut self, file: usize, line: u64, error: anyhow::Error) {
        if self
            .fault
            .as_ref()
            .is_none_or(|&(known_file, known_line, _)| (file, line) < (known_file, known_line))
        {
            self.fault = Some((file, line, error));
        }
    }

    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.mismatches += other.mismatches;
        self.shown.extend(other.shown);
        if let Some((file, line, error)) = other.fault {
            self.record_error(file, line, error);
        }
    }
}
