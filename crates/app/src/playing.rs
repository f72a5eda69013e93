//! Schedules at the terminal: their options, their progress, and Ctrl-C.

use std::{sync::Arc, thread};

use anyhow::Context;
use arena::store::Store;
use clap::value_parser;
use lab::{Finished, Plan};
use record::Config;
use search::Stop;

use crate::printer::Printer;

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

/// Plays what the database lacks, with a bar that shows how far it is.
pub(crate) fn play(
    plan: &Plan,
    store: &mut Store,
    printer: &Printer,
    quiet: bool,
) -> anyhow::Result<Finished> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.raise()).context("Ctrl-C cannot be caught")?;
    let bar = printer.progress(plan.schedule.total(), quiet);
    let there = store.count_games(&plan.event.id)?.min(plan.schedule.total());
    if there > 0 {
        printer.note(format!("going on after {there} games in the database"));
    }
    let finished = lab::play(plan, store, &stop, &mut |_| bar.inc(1));
    bar.finish_and_clear();
    Ok(finished?)
}
