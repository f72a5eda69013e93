//! Load generator: plays and watches many games at once on a running service, and measures its latency and memory use.
//!
//! ```text
//! riftlab serve --address 127.0.0.1:7878 --data /tmp/load &
//! cargo run --release -p service --example load -- 127.0.0.1:7878 games seconds=60 games=200 connections=1000
//! cargo run --release -p service --example load -- 127.0.0.1:7878 moves requests=2000 exchanges=../shared/reference-api/exchanges.jsonl
//! cargo run --release -p service --example load -- 127.0.0.1:7878 memory games=10000 pid=$(pgrep -n riftlab)
//! ```
//!
//! With `requests` and `exchanges`, `games` also measures moves during the load, spread over the whole time. Every connection
//! has its own thread, since this program need not be fast. Threads that play and watch run at a lower priority than the one
//! that measures, as if they were on other machines.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

mod client;
mod games;
mod memory;
mod moves;

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    fs,
    net::SocketAddr,
    process::ExitCode,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// The settings of a run, as `name=value`.
pub(crate) struct Settings {
    pub(crate) address: SocketAddr,
    named: BTreeMap<String, String>,
}

impl Settings {
    /// A whole number, or `default` if it is not given.
    pub(crate) fn number(&self, name: &str, default: u64) -> u64 {
        self.named.get(name).and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.named.get(name).map(String::as_str)
    }

    /// The resident memory of the service in kB, if its process id is given.
    pub(crate) fn resident_kb(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.text("pid")?)).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

/// The number of errors, and the messages of the first few.
#[derive(Default)]
pub(crate) struct Errors {
    count: AtomicU64,
    first: Mutex<Vec<String>>,
}

impl Errors {
    pub(crate) fn add(&self, error: &dyn std::fmt::Display) {
        self.count.fetch_add(1, Ordering::Relaxed);
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if first.len() < 5 {
            first.push(error.to_string());
        }
    }

    pub(crate) fn summary(&self) -> String {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        format!(
            "{} errors{}",
            self.count.load(Ordering::Relaxed),
            first.iter().map(|error| format!("\n  {error}")).collect::<String>()
        )
    }

    fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }
}

/// The stack size of a thread that waits for a connection.
pub(crate) const STACK_BYTES: usize = 256 * 1024;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let usage = "expected ADDRESS games|moves|memory [name=value …]";
    let mut words = env::args().skip(1);
    let address = words.next().ok_or(usage)?.parse()?;
    let command = words.next().ok_or(usage)?;
    let named = words
        .filter_map(|word| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
    let settings = Settings { address, named: named.collect() };
    let errors = Errors::default();
    match command.as_str() {
        "games" => games::run(&settings, &errors)?,
        "moves" => moves::measure(&settings, Duration::ZERO)?,
        "memory" => memory::run(&settings, &errors)?,
        _ => return Err(usage.into()),
    }
    println!("{}", errors.summary());
    Ok(if errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
