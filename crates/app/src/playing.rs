//! Playing events at the terminal: shared options, progress bars, and interruption by Ctrl-C.

use std::{ops::ControlFlow, process, sync::Arc, thread};

use anyhow::Context;
use arena::GameSummary;
use clap::{ValueEnum, value_parser};
use indicatif::ProgressBar;
use lab::{Draft, EventObserver, Finished, LabError, Openings, Plan, Storage};
use record::Config;
use search::Stop;

use crate::{INTERRUPTED, data_folder::models, failure::ErrorWithHint, printer::Printer};

/// Options shared by all commands that play many games.
#[derive(clap::Args, Debug)]
pub(crate) struct PlayArgs {
    /// Seed of the openings and of the agents.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Number of decisions in an opening, not counting forced moves [default: 2 per seat]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(..=1000))]
    opening_plies: Option<u32>,

    /// How openings are chosen.
    #[arg(long, value_name = "KIND", default_value = "balanced")]
    openings: OpeningsName,

    /// Number of games played in parallel [default: the number of cores]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print a JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OpeningsName {
    /// Random decisions after which a neutral search considers the seats about even.
    Balanced,
    /// Random decisions.
    Random,
}

impl PlayArgs {
    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }

    pub(crate) fn openings(&self) -> Openings {
        match self.openings {
            OpeningsName::Balanced => Openings::Balanced,
            OpeningsName::Random => Openings::Random,
        }
    }

    pub(crate) fn opening_plies(&self, config: &Config) -> u32 {
        self.opening_plies.unwrap_or(2 * config.seats() as u32)
    }
}

/// The number of cores, by default that of threads.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Prepares an event, and checks that every external engine in it starts.
pub(crate) fn plan(draft: &Draft, threads: usize) -> anyhow::Result<Plan> {
    let plan = draft.plan(threads, models())?;
    plan.probe()?;
    Ok(plan)
}

/// Returns a stop flag that Ctrl-C raises. The second Ctrl-C ends the process at once; what is stored by then survives, as
/// after a crash.
pub(crate) fn stop_at_interrupt() -> anyhow::Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    let interrupt = move || {
        if raised.is_raised() {
            process::exit(INTERRUPTED.into());
        }
        raised.raise();
        Printer::announce("stopping; press Ctrl-C again to end at once");
    };
    ctrlc::set_handler(interrupt).context("cannot install the handler for Ctrl-C")?;
    Ok(stop)
}

/// Plays the games of an event that the storage does not have yet, with a progress bar. `on_game` receives all games in
/// order, including those from the storage, and returns whether to continue and a message for the progress bar.
pub(crate) fn play(
    plan: &Plan,
    storage: &mut Storage,
    stop: &Stop,
    printer: &Printer,
    quiet: bool,
    on_game: impl FnMut(GameSummary) -> (ControlFlow<()>, String),
) -> anyhow::Result<Finished> {
    let bar = printer.progress(plan.schedule.total(), quiet);
    let mut observer = TerminalProgress { printer, bar, on_game };
    let finished = lab::play(plan, storage, stop, &mut observer);
    observer.bar.finish_and_clear();
    finished.map_err(add_hint)
}

/// Plays the games of an event that the storage does not have yet, until Ctrl-C, and returns all games in order.
pub(crate) fn play_all(
    plan: &Plan,
    storage: &mut Storage,
    printer: &Printer,
    quiet: bool,
) -> anyhow::Result<(Vec<GameSummary>, Finished)> {
    let stop = stop_at_interrupt()?;
    let mut games = Vec::new();
    let finished = play(plan, storage, &stop, printer, quiet, |game| {
        games.push(game);
        (ControlFlow::Continue(()), String::new())
    })?;
    Ok((games, finished))
}

/// Shows the progress of an event at the terminal.
struct TerminalProgress<'a, F> {
    printer: &'a Printer,
    bar: ProgressBar,
    on_game: F,
}

impl<F: FnMut(GameSummary) -> (ControlFlow<()>, String)> EventObserver for TerminalProgress<'_, F> {
    fn resumed(&mut self, games: u64) {
        if games > 0 {
            self.printer.note(format!("resuming after {games} recorded games"));
        }
    }

    fn game(&mut self, game: GameSummary) -> ControlFlow<()> {
        self.bar.set_position(game.index + 1);
        let (flow, message) = (self.on_game)(game);
        self.bar.set_message(message);
        flow
    }
}

/// Adds a hint to the error that a file belongs to another event.
fn add_hint(error: LabError) -> anyhow::Error {
    match error {
        LabError::OtherEvent { ref differences, .. } if differences.starts_with("openings is null") => {
            let hint = "add --openings random, as in the recorded match, or choose another --out";
            ErrorWithHint::error(error.to_string(), hint)
        }
        LabError::OtherEvent { .. } | LabError::NoEvent { .. } => {
            ErrorWithHint::error(error.to_string(), "choose another --out")
        }
        error => error.into(),
    }
}
