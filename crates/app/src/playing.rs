//! Events at the terminal: their options, their progress, and Ctrl-C.

use std::{ops::ControlFlow, sync::Arc, thread};

use anyhow::Context;
use arena::GameSummary;
use clap::value_parser;
use indicatif::ProgressBar;
use lab::{Draft, EventObserver, Finished, LabError, Plan, Storage};
use ladder::Models;
use record::Config;
use search::Stop;

use crate::{failure::Hinted, printer::Printer};

/// How games are played, shared by the commands that play many.
#[derive(clap::Args, Debug)]
pub(crate) struct PlayArgs {
    /// Seed of the openings and the agents.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Random decisions at the start, steps without a choice not counted [default: two for each seat]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(..=1000))]
    opening_plies: Option<u32>,

    /// Games at the same time [default: one for each core]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

impl PlayArgs {
    pub(crate) fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }

    pub(crate) fn opening(&self, config: &Config) -> u32 {
        self.opening_plies.unwrap_or(2 * config.seats() as u32)
    }
}

/// The plan of an event, with every external program known to run.
pub(crate) fn plan(draft: &Draft, threads: usize) -> anyhow::Result<Plan> {
    let plan = draft.plan(threads, &models())?;
    plan.probe()?;
    Ok(plan)
}

/// The nets that agents of this process can name.
pub(crate) fn models() -> Models {
    Models::in_folder("models")
}

/// Raised by Ctrl-C.
pub(crate) fn stop_at_interrupt() -> anyhow::Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.raise()).context("Ctrl-C cannot be caught")?;
    Ok(stop)
}

/// Plays what the storage lacks of an event, with a bar that shows how far it is. `on_game` takes the games in order,
/// those that were there before included, and says whether to go on; what it returns beside that is shown at the bar.
pub(crate) fn play(
    plan: &Plan,
    storage: &mut Storage,
    stop: &Stop,
    printer: &Printer,
    quiet: bool,
    on_game: impl FnMut(GameSummary) -> (ControlFlow<()>, String),
) -> anyhow::Result<Finished> {
    let bar = printer.progress(plan.schedule.total(), quiet);
    let mut observer = AtTerminal { printer, bar, on_game };
    let finished = lab::play(plan, storage, stop, &mut observer);
    observer.bar.finish_and_clear();
    finished.map_err(explained)
}

/// Plays what the storage lacks of an event until Ctrl-C, and returns all its games in order.
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

struct AtTerminal<'a, F> {
    printer: &'a Printer,
    bar: ProgressBar,
    on_game: F,
}

impl<F: FnMut(GameSummary) -> (ControlFlow<()>, String)> EventObserver for AtTerminal<'_, F> {
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

/// Says what can be done about a file that holds something else.
fn explained(error: LabError) -> anyhow::Error {
    match error {
        LabError::OtherEvent { .. } | LabError::NoEvent { .. } => {
            Hinted::error(error.to_string(), "choose another --out")
        }
        error => error.into(),
    }
}
