//! `riftlab selfplay`: plays games of agents against themselves as training data.

use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
    time::Instant,
};

use arena::store::JobKind;
use clap::value_parser;
use ladder::Spec;
use record::{GameRecord, RecordReader};
use selfplay::{DataFolder, Finished, Options, Plan, Seating, Statistics};
use serde_json::{Value, json};

use crate::{
    Verdict, agents, data_folder,
    learning::RecordArgs,
    playing::{self, stop_at_interrupt},
    printer::Printer,
    rule_args::RuleArgs,
};

/// Play games of agents against themselves and store them as training data.
///
/// Games are stored with the value that the search found at every decision, in shards named by their content. The same
/// options and seed give the same shards on any number of threads. After an interruption, the same command resumes; with
/// more --games, it adds to those already played.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent that plays; may be repeated, and weighted as in heuristic*2.
    #[arg(long, value_name = "SPEC", value_parser = parse_agent, required = true)]
    agent: Vec<(Spec, u32)>,

    /// Number of games in the folder at the end.
    #[arg(long, value_name = "G", default_value_t = 1000, value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,

    /// The folder of the games.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Whether one agent plays all seats of a game, or every seat draws its own.
    #[arg(long, value_name = "NAME", default_value = "same", value_parser = ["same", "mixed"])]
    seating: String,

    /// Number of random decisions at the start of each game, not counting forced moves: a number or a range.
    #[arg(long, value_name = "MIN-MAX", default_value = "2-16", value_parser = parse_range)]
    opening_plies: RangeInclusive<u32>,

    /// Start games at random positions of the games in this file or folder of self-play games.
    #[arg(long, value_name = "PATH")]
    archive: Option<PathBuf>,

    /// The share of games that start from the archive.
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, requires = "archive")]
    archive_share: f64,

    /// Determine values with this agent instead of the one that plays; nodes=K is the first --agent with another budget.
    #[arg(long, value_name = "SPEC")]
    label: Option<String>,

    /// Search most decisions with this agent instead, and store no candidates of them; sims=K is the first --agent with another
    /// budget.
    #[arg(long, value_name = "SPEC", requires = "candidates")]
    cheap: Option<String>,

    /// The share of decisions that are searched in full if there is a --cheap agent.
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, requires = "cheap")]
    full_share: f64,

    /// Value above which a seat is as good as certain to win; after three such turns the game is marked and the rest is searched
    /// by the --cheap agent.
    #[arg(long, value_name = "VALUE")]
    decided: Option<f32>,

    /// Number of games that a thread plays at once, with common batches of evaluations (gumbel only).
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    interleave: u16,

    /// Number of candidates stored with each decision.
    #[arg(long, value_name = "N", default_value_t = 0)]
    candidates: usize,

    /// Number of positions stored with each decision, out of those at which the search calls its evaluator.
    #[arg(long, value_name = "N", default_value_t = 0)]
    leaves: usize,

    /// Number of games in a shard.
    #[arg(long, value_name = "N", default_value_t = 500)]
    shard_games: u64,

    /// Seed of all random choices.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Number of games played in parallel [default: the number of cores]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    record: RecordArgs,

    #[command(flatten)]
    game: RuleArgs,
}

/// Parses an agent with an optional weight, as in `heuristic*2`.
fn parse_agent(text: &str) -> Result<(Spec, u32), String> {
    if let Some((spec, weight)) = text.rsplit_once('*') {
        let weight = weight.parse().map_err(|_| format!("{weight:?}: expected a whole number as weight"))?;
        return Ok((agents::parse(spec)?, weight));
    }
    Ok((agents::parse(text)?, 1))
}

/// Parses a number or a range, as in `4` or `2-12`.
pub(super) fn parse_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if least <= most && most <= 1000 => Ok(least..=most),
        _ => Err("expected a number or a range up to 1000, as in 4 or 2-12".to_owned()),
    }
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let archive = match &args.archive {
        Some(path) => read_archive(path)?,
        None => Vec::new(),
    };
    let changed = |text: &String| changed(text, &args.agent[0].0);
    let label = args.label.as_ref().map(changed).transpose()?;
    let cheap = args.cheap.as_ref().map(changed).transpose()?;
    let options = Options {
        config: args.game.agents_only()?,
        agents: args.agent.clone(),
        seating: if args.seating == "mixed" { Seating::Mixed } else { Seating::Same },
        opening: args.opening_plies.clone(),
        archive_share: if args.archive.is_some() { args.archive_share } else { 0.0 },
        label,
        full_share: if cheap.is_some() { args.full_share } else { 1.0 },
        cheap,
        decided: args.decided,
        interleave: args.interleave.into(),
        candidates: args.candidates,
        leaves: args.leaves,
        seed: args.seed,
        shard_games: args.shard_games,
    };
    let plan = Plan::new(options, archive, data_folder::models())?;
    let mut folder = DataFolder::create(&args.out, &plan.resolved)?;
    let mut job = args.record.begin(JobKind::SelfPlay, &args.out, args.games)?;
    job.configure(&plan.resolved);
    let stop = stop_at_interrupt()?;
    let threads = args.threads.map_or_else(playing::cores, usize::from);
    let bar = printer.progress(args.games, args.json);
    let start = Instant::now();
    let finished = selfplay::run(&plan, &mut folder, args.games, threads, &stop, &mut |games, statistics| {
        bar.set_position(games);
        if job.is_due() || games == args.games {
            job.selfplay(games, statistics, start.elapsed().as_secs_f64());
            job.advance(games, "");
        }
        let rate = statistics.decisions as f64 / start.elapsed().as_secs_f64();
        let duplicates = 100.0 * statistics.duplicates();
        let length = statistics.plies as f64 / statistics.games as f64;
        let fill = statistics.fill().map(|fill| {
            let evaluations = statistics.evaluations as f64 / start.elapsed().as_secs_f64();
            format!(", {evaluations:.0} evaluations/s, batches {:.0} % full", 100.0 * fill)
        });
        let fill = fill.unwrap_or_default();
        bar.set_message(format!(
            "{games} games, {rate:.0} decisions/s, {length:.0} plies a game, {duplicates:.1} % duplicates{fill}"
        ));
    });
    bar.finish_and_clear();
    job.advance(folder.games(), "");
    let finished = job.end(finished, |finished| finished.complete, printer)?;
    if args.json {
        printer.line(json(&folder, &finished))?;
    } else {
        print(&folder, &finished, printer)?;
    }
    Ok(Verdict::of_work(finished.complete))
}

/// Parses a spec, or `nodes=K` or `sims=K` for `agent` with another budget.
fn changed(text: &str, agent: &Spec) -> anyhow::Result<Spec> {
    let budget = text.split_once('=').filter(|(name, _)| matches!(*name, "nodes" | "sims"));
    let Some((name, value)) = budget else {
        return agents::parse(text).map_err(anyhow::Error::msg);
    };
    let pair = (name.to_owned(), value.to_owned());
    let mut spec = agent.clone();
    match &mut spec {
        Spec::Agent(config) => config.set(&[pair])?,
        Spec::Level { overrides, .. } => overrides.push(pair),
    }
    Ok(spec)
}

/// The games of a file of records, or of a folder of self-play games.
fn read_archive(path: &Path) -> anyhow::Result<Vec<GameRecord>> {
    if path.is_dir() {
        let folder = DataFolder::open(path)?;
        let mut games = Vec::new();
        for shard in folder.shards() {
            games.extend(folder.read(shard)?);
        }
        return Ok(games);
    }
    Ok(RecordReader::open(path)?.collect::<Result<_, _>>()?)
}

fn json(folder: &DataFolder, finished: &Finished) -> Value {
    let Finished { resumed, complete, elapsed, statistics } = finished;
    let seconds = elapsed.as_secs_f64();
    let per_second = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
    json!({
        "folder": folder.path(),
        "manifest": folder.manifest(),
        "games": folder.games(),
        "shards": folder.shards().len(),
        "resumed": resumed,
        "complete": complete,
        "seconds": seconds,
        "games_per_s": per_second(statistics.games),
        "decisions_per_s": per_second(statistics.decisions),
        "positions_per_s": per_second(statistics.plies),
        "duplicates": statistics.duplicates(),
        "evaluations_per_s": statistics.fill().map(|_| per_second(statistics.evaluations)),
        "fill": statistics.fill(),
        "decided": statistics.decided,
        "misjudged": statistics.misjudged,
        "length_step": Statistics::LENGTH_STEP,
        "lengths": statistics.lengths,
        "wins": statistics.wins,
    })
}

fn print(folder: &DataFolder, finished: &Finished, printer: &Printer) -> anyhow::Result<()> {
    let Finished { resumed, complete, elapsed, statistics } = finished;
    let seconds = elapsed.as_secs_f64().max(1e-9);
    printer.line(format!(
        "{} games in {} shards in {}",
        folder.games(),
        folder.shards().len(),
        folder.path().display()
    ))?;
    if statistics.games > 0 {
        printer.line(format!(
            "this run: {} games in {seconds:.1} s ({:.1} games/s, {:.0} decisions/s, {:.0} positions/s)",
            statistics.games,
            statistics.games as f64 / seconds,
            statistics.decisions as f64 / seconds,
            statistics.plies as f64 / seconds
        ))?;
        printer.line(format!("duplicates: {:.2} % of decisions", 100.0 * statistics.duplicates()))?;
        if let Some(fill) = statistics.fill() {
            printer.line(format!(
                "evaluations: {:.0}/s in batches of up to {}, {:.0} % full",
                statistics.evaluations as f64 / seconds,
                statistics.most,
                100.0 * fill
            ))?;
        }
        if statistics.decided > 0 {
            let Statistics { decided, misjudged, .. } = statistics;
            let share = 100.0 * *misjudged as f64 / *decided as f64;
            printer.line(format!(
                "decided early: {decided} games, {misjudged} of them wrongly ({share:.1} %)"
            ))?;
        }
        let (draws, wins) = statistics.wins.split_last().unwrap_or((&0, &[]));
        let wins: Vec<String> = wins.iter().map(u64::to_string).collect();
        printer.line(format!("wins by seat: {}; without a winner: {draws}", wins.join(", ")))?;
        printer.line("plies      games")?;
        let most = statistics.lengths.iter().copied().max().unwrap_or(1);
        for (class, &games) in statistics.lengths.iter().enumerate().filter(|(_, games)| **games > 0) {
            let bar = "#".repeat((40 * games).div_ceil(most) as usize);
            printer.line(format!("{:>5}  {games:>8}  {bar}", class * Statistics::LENGTH_STEP))?;
        }
    }
    if *resumed > 0 && statistics.games > 0 {
        printer.note(format!("resumed after {resumed} games"));
    }
    if !complete {
        printer.note("interrupted; the same command resumes it");
    }
    Ok(())
}
