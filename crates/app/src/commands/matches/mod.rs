//! `riftlab match`: two agents, many games, and what they prove.

mod keeping;
mod summary;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow};
use arena::{Contender, Decision, Match, MatchError, Sprt, Tally, store::RunState};
use clap::value_parser;
use indicatif::ProgressBar;
use ladder::{Player, Spec, WithoutNet};
use record::{Config, on_game};
use search::Stop;

use self::keeping::Keeper;
pub(crate) use self::keeping::{config_path, event};
pub(super) use self::summary::{Ending, forfeits, ms_per_move, nodes_per_move};
use crate::{Verdict, agents, printer::Printer, rule_args::RuleArgs};

/// Play two agents against each other, from both sides of the same openings.
///
/// Agents are written as values: random, mcts(sims=400), d5. Every opening is played from all seats. With three or four
/// seats each side sits alone among copies of the other, in every seat. The same seed plays the same match on any
/// number of threads, unless an agent looks at the clock.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent to measure.
    #[arg(long, value_name = "SPEC", value_parser = agents::parse)]
    a: Spec,

    /// The agent to measure it against.
    #[arg(long, value_name = "SPEC", value_parser = agents::parse)]
    b: Spec,

    /// Games to play, rounded up so that every opening is played from all seats.
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// Seed of the openings and the agents.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Random decisions at the start, steps without a choice not counted [default: two for each seat]
    #[arg(long, value_name = "K", value_parser = value_parser!(u32).range(..=1000))]
    opening_plies: Option<u32>,

    /// Stop as soon as A is known to be stronger by the second number (in Elo) or no stronger than by the first,
    /// with 5 % error either way; the exit code is 1 in the second case.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = parse_sprt)]
    sprt: Option<Sprt>,

    /// Record every game here (.jsonl, .gz, .zst); a match that was interrupted goes on where it stopped.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Keep participants, games and ratings in this database.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// Games at the same time [default: one for each core]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,

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

/// A match with nothing left open.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) sides: [Player; 2],
    pub(super) config: Config,
    pub(super) opening: u32,
    pub(super) play: Match,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let config = args.game.plain()?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let mut play = Match {
        games: args.games,
        seed: args.seed,
        threads: args.threads.map_or_else(cores, usize::from),
        sprt: args.sprt,
    };
    play.games = play.whole_games(config.seats());
    let opening = args.opening_plies.unwrap_or(2 * config.seats() as u32);
    let venue = lab::venue(&config);
    let side =
        |name, spec| Player::new(spec, venue, WithoutNet::Refuse).with_context(|| format!("{name} {spec}"));
    let plan = Plan { sides: [side("--a", &args.a)?, side("--b", &args.b)?], config, opening, play };
    on_game!(plan.config, P => play_match::<P>(args, &plan, printer))
}

fn play_match<P: lab::Contest>(args: &Args, plan: &Plan, printer: &Printer) -> anyhow::Result<Verdict> {
    let stop = stop_at_interrupt()?;
    let (tally, ending) =
        measure::<P>(plan, (args.out.as_deref(), args.db.as_deref()), &stop, printer, args.json)?;
    if args.json {
        printer.line(summary::json(plan, &tally, &ending))?;
    } else {
        summary::print(plan, &tally, &ending, printer)?;
    }
    Ok(if tally.decision() == Some(Decision::H0) { Verdict::No } else { Verdict::Yes })
}

/// Raised by Ctrl-C.
pub(super) fn stop_at_interrupt() -> anyhow::Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.raise()).context("Ctrl-C cannot be caught")?;
    Ok(stop)
}

/// Plays a match, or what is left of it in the files where it is kept: records, and a database.
pub(super) fn measure<P: lab::Contest>(
    plan: &Plan,
    (out, db): (Option<&Path>, Option<&Path>),
    stop: &Stop,
    printer: &Printer,
    quiet: bool,
) -> anyhow::Result<(Tally, Ending)> {
    let table = lab::table::<P>(&plan.config, plan.opening)?;
    let mut keeper = Keeper::open(out, db, plan, &table)?;
    let earlier = keeper.take_earlier();
    let resumed = earlier.len() as u64;
    if resumed > 0 {
        printer.note(format!("going on after {resumed} recorded games"));
    }
    let bar = progress(printer, plan.play.games, resumed, quiet);
    let [a, b] = plan.sides.each_ref().map(contender::<P>);
    let start = Instant::now();
    let result = arena::run(&plan.play, &table, [&a, &b], earlier, stop, |game, so_far| {
        bar.set_position(game.game.index + 1);
        bar.set_message(format!("{:.1} % for A", 100.0 * so_far.score()));
        keeper.keep(plan, game)
    });
    bar.finish_and_clear();
    let elapsed = start.elapsed();
    let result = result.map_err(|error| match error {
        MatchError::Keep(error) => error,
        illegal @ MatchError::Illegal(_) => anyhow!(illegal.to_string()),
    });
    let (state, error) = match &result {
        Ok(tally) if tally.games() >= plan.play.games || tally.decision().is_some() => {
            (RunState::Complete, None)
        }
        Ok(_) => (RunState::Stopped, None),
        Err(error) => (RunState::Failed, Some(error.to_string())),
    };
    // What went wrong first is what matters.
    let finished = keeper.finish(state, error.as_deref());
    let tally = result?;
    finished?;
    Ok((tally, Ending { resumed, elapsed }))
}

fn progress(printer: &Printer, games: u64, resumed: u64, hidden: bool) -> ProgressBar {
    let bar = printer.progress(games, hidden);
    bar.set_position(resumed);
    bar
}

/// The side that a player makes.
fn contender<P: lab::Contest>(player: &Player) -> Contender<'_, P> {
    Contender::new(player.limits(), |seed| player.agent(seed))
}

/// Milliseconds with their fraction.
fn ms(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}
