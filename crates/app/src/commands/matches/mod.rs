//! `riftlab match`: plays two agents against each other and estimates the difference in strength.

mod summary;

use std::{ops::ControlFlow, path::PathBuf, time::Duration};

use arena::{Hypothesis, Sprt, Tally};
use clap::value_parser;
use lab::{Draft, Finished, Form, Plan, Storage};
use ladder::Spec;
use search::Stop;

pub(super) use self::summary::{forfeits, ms_per_move, nodes_per_move};
use crate::{
    Verdict, agents,
    playing::{self, PlayArgs, stop_at_interrupt},
    printer::Printer,
    rule_args::RuleArgs,
};

/// Play two agents against each other, and measure which is stronger.
///
/// Agents are written as specs such as random, mcts(sims=400) or d5. Every opening is played from all seats. With three or
/// four seats, each agent in turn plays alone in every seat against copies of the other. The same seed gives the same match
/// with any number of threads, unless an agent has a time limit.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent to measure.
    #[arg(long, value_name = "SPEC", value_parser = agents::parse)]
    a: Spec,

    /// The agent to measure it against.
    #[arg(long, value_name = "SPEC", value_parser = agents::parse)]
    b: Spec,

    /// Number of games, rounded up so that every opening is played from all seats.
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// Stop early by a sequential probability ratio test of H0 (A is ELO0 stronger) against H1 (A is ELO1 stronger) with
    /// error rates of 5 %; the exit code is 1 if H0 is accepted.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = parse_sprt)]
    sprt: Option<Sprt>,

    /// Record the games in this file (.jsonl, .gz, .zst); an interrupted match is resumed.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Store participants, games and ratings in this database.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    #[command(flatten)]
    play: PlayArgs,

    #[command(flatten)]
    game: RuleArgs,
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let numbers = text
        .split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse::<f64>().ok()?, elo1.trim().parse::<f64>().ok()?)));
    let (elo0, elo1) = numbers.ok_or_else(|| "expected two Elo differences, as in 0,10".to_owned())?;
    Sprt::new(elo0, elo1).map_err(|error| error.to_string())
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let config = args.game.agents_only()?;
    let draft = Draft {
        form: Form::Match { sprt: args.sprt },
        agents: vec![args.a.clone(), args.b.clone()],
        opening_plies: args.play.opening_plies(&config),
        openings: args.play.openings(),
        config,
        games: args.games,
        seed: args.play.seed,
    };
    let plan = playing::plan(&draft, args.play.threads())?;
    let stop = stop_at_interrupt()?;
    let mut storage = Storage::open(args.out.as_deref(), args.db.as_deref())?;
    let (tally, finished) = measure(&plan, &mut storage, &stop, printer, args.play.json)?;
    if let Some(store) = storage.store() {
        lab::store_ratings(store, &plan.event.scale, &[])?;
    }
    if args.play.json {
        printer.line(summary::json(&plan, &tally, &finished))?;
    } else {
        summary::print(&plan, &tally, &finished, printer)?;
    }
    Ok(match tally.decision() {
        Some(Hypothesis::H0) => Verdict::No,
        None if !finished.complete => Verdict::Interrupted,
        _ => Verdict::Yes,
    })
}

/// Plays the games of a match that the storage does not have yet, and tallies all of them.
pub(super) fn measure(
    plan: &Plan,
    storage: &mut Storage,
    stop: &Stop,
    printer: &Printer,
    quiet: bool,
) -> anyhow::Result<(Tally, Finished)> {
    let sprt = if let Form::Match { sprt } = plan.form { sprt } else { None };
    let mut tally = Tally::new(plan.schedule.seats, sprt);
    let finished = playing::play(plan, storage, stop, printer, quiet, |game| {
        tally.push(game);
        let flow =
            if tally.decision().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        (flow, format!("{:.1} % for A", 100.0 * tally.score()))
    })?;
    Ok((tally, finished))
}

/// Milliseconds, with a fraction.
fn ms(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}
