//! `riftlab omega`: learning Go by alternating value and policy.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use arena::store::JobKind;
use clap::{Subcommand, value_parser};
use nn::{ModelFile, PlaneHead};
use omega::{Config, Event, Finished, Match, Preset};
use serde_json::json;

use crate::{
    Verdict,
    learning::RecordArgs,
    playing::{self, stop_at_interrupt},
    printer::Printer,
};

/// Learn Go from nothing, by alternating between a value network and a policy network.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Run(Box<RunArgs>),
    Rates(Box<RatesArgs>),
}

/// Learn, generation by generation, in a folder.
///
/// Stage 0 plays random games; every later stage plays by the policy of the generation before. Each generation is kept,
/// and plays against random moves and all earlier generations. After an interruption or a kill, the same command resumes;
/// with one thread the result is the same to the byte.
#[derive(clap::Args)]
struct RunArgs {
    #[command(flatten)]
    method: MethodArgs,

    /// The folder of the run.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Start from this generation of another run, on any board size, instead of from random play.
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    record: RecordArgs,
}

/// Measure how many positions are made per second of processor time, by random play and by policy.
#[derive(clap::Args)]
struct RatesArgs {
    #[command(flatten)]
    method: MethodArgs,

    /// Networks to play with [default: untrained ones]
    #[arg(long, value_name = "FILE")]
    nets: Option<PathBuf>,

    /// Seconds for each measurement.
    #[arg(long, value_name = "S", default_value_t = 5.0)]
    seconds: f64,
}

/// What the result depends on. Defaults are those of the preset.
#[derive(clap::Args)]
struct MethodArgs {
    /// The number of lines of the board.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u8).range(2..=19))]
    size: u8,

    /// Settings by name: default, seed or quick.
    #[arg(long, value_name = "NAME", default_value = "default")]
    preset: Preset,

    /// Layers and channels of the value network: light (5×16), seed (4×20), residual (5×32), tall (9×48) or deep (13×192).
    #[arg(long, value_name = "NAME")]
    net: Option<String>,

    /// Those of the policy network, which plays all games.
    #[arg(long, value_name = "NAME")]
    policy_net: Option<String>,

    /// Number of stages after stage 0.
    #[arg(long, value_name = "K")]
    iterations: Option<u32>,

    /// Number of positions of stage 0, one per random game.
    #[arg(long, value_name = "N")]
    random_positions: Option<u32>,

    /// Number of positions of every later stage, one per game.
    #[arg(long, value_name = "N")]
    positions: Option<u32>,

    /// Number of games played on from every position.
    #[arg(long, value_name = "N")]
    continuations: Option<u32>,

    /// How often the value network sees every position.
    #[arg(long, value_name = "N")]
    value_passes: Option<u32>,

    /// How often the policy network sees every position.
    #[arg(long, value_name = "N")]
    policy_passes: Option<u32>,

    /// Temperature of the softmax over values in stage 0.
    #[arg(long, value_name = "T")]
    temperature: Option<f32>,

    /// Factor of the temperature from stage to stage.
    #[arg(long, value_name = "F")]
    cooling: Option<f32>,

    /// Komi of all games in points, or "spread" over all possible margins.
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    komi: Option<String>,

    /// The most random moves before the policy takes over, in half of the games.
    #[arg(long, value_name = "N")]
    random_moves: Option<u32>,

    /// The highest learning rate.
    #[arg(long, value_name = "RATE")]
    learning_rate: Option<f32>,

    /// Number of openings per match between generations.
    #[arg(long, value_name = "N")]
    pairs: Option<u32>,

    /// Prioritised replay: the power of a position's error in its chance to be seen again.
    #[arg(long, value_name = "POWER")]
    prioritised: Option<f32>,

    /// Number of positions of a game of which the one with the value nearest to 0 is taken.
    #[arg(long, value_name = "N")]
    near_zero: Option<u32>,

    /// Learn from the end of games first, and from ever earlier positions later.
    #[arg(long)]
    backward: bool,

    /// Number of value networks, each for a stage of the game.
    #[arg(long, value_name = "N")]
    stages: Option<u32>,

    /// Number of plies after which the value network judges a continuation; 0 plays to the end.
    #[arg(long, value_name = "N")]
    td_plies: Option<u32>,

    /// Seed of everything.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Number of threads [default: the number of cores]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl MethodArgs {
    #[allow(clippy::clone_on_copy, reason = "one line serves numbers and text")]
    fn config(&self) -> anyhow::Result<Config> {
        let mut config = Config::new(self.preset, self.size);
        macro_rules! take {
            ($($field:ident),*) => { $(if let Some(value) = &self.$field { config.$field = value.clone(); })* };
        }
        take!(net, policy_net, iterations, random_positions, positions, continuations, value_passes);
        take!(policy_passes, temperature, cooling);
        take!(random_moves, learning_rate, pairs, prioritised, stages, td_plies);
        if let Some(count) = self.near_zero {
            config.candidates = count;
        }
        if let Some(komi) = &self.komi {
            config.komi = match komi.as_str() {
                "spread" => None,
                text => {
                    let komi: go::Komi = text.parse().context("--komi")?;
                    Some(komi.half_points() as i16)
                }
            };
        }
        config.backward = self.backward;
        config.seed = self.seed;
        config.threads = self.threads.map_or_else(playing::cores, usize::from) as u32;
        Ok(config)
    }
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    match &args.action {
        Action::Run(args) => learn(args, printer),
        Action::Rates(args) => rates(args, printer),
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn learn(args: &RunArgs, printer: &Printer) -> anyhow::Result<Verdict> {
    let mut config = args.method.config()?;
    let start = args.start.as_deref().map(read).transpose()?;
    if let Some(bytes) = &start {
        let nets = eval::OmegaNets::from_bytes(bytes)?;
        config.stages = nets.values.len() as u32;
        config.start = Some(ModelFile::hash(bytes));
    }
    let stop = stop_at_interrupt()?;
    let generations = u64::from(config.iterations) + 1;
    let mut job = args.record.begin(JobKind::Pipeline, &args.out, generations)?;
    let bar = printer.progress(generations, args.json);
    let quiet = args.json || !bar.is_hidden();
    let mut announced = String::new();
    let finished = omega::run(&config, start.as_deref(), &args.out, &mut |event: &Event<'_>| {
        job.configure_from(&args.out.join("config.json"));
        let (stage, line, done) = told(event);
        bar.set_position(stage.into());
        bar.set_message(line.clone());
        // Without a terminal, one line for everything that is done.
        if done && line != announced && !quiet {
            printer.note(&line);
            announced.clone_from(&line);
        }
        if done || job.is_due() {
            job.advance(stage.into(), &line);
            job.omega(event);
        }
        !stop.is_raised()
    });
    bar.finish_and_clear();
    let finished = job.end(finished, |finished| finished.complete, printer)?;
    print(args, &finished, printer)?;
    Ok(Verdict::Yes)
}

/// The stage of an event, a line about it, and whether it ends something.
fn told(event: &Event<'_>) -> (u32, String, bool) {
    match event {
        Event::Positions { stage, done, planned, per_second } => (
            *stage,
            format!("stage {stage}: {done} of {planned} positions, {per_second:.0}/s"),
            done == planned,
        ),
        Event::Targets { stage, done, planned } => {
            (*stage, format!("stage {stage}: {done} of {planned} policies to learn"), done == planned)
        }
        Event::Training { stage, net, step, steps, loss, validation } => {
            let held_out = validation.map(|loss| format!(", {loss:.4} on positions not trained on"));
            let line = format!(
                "stage {stage}: {net}, step {step} of {steps}, loss {loss:.4}{}",
                held_out.unwrap_or_default()
            );
            (*stage, line, step == steps)
        }
        Event::Matched(played) => {
            let stage = played.one.rsplit('-').next().and_then(|number| number.parse().ok());
            (stage.unwrap_or(0), match_line(played), true)
        }
        Event::Generation { number, rated, against_random, .. } => (
            *number + 1,
            format!(
                "generation {number}: Elo {:.0} ({:.0} to {:.0}), {:.1} % against random play",
                rated.elo,
                rated.low,
                rated.high,
                100.0 * against_random.score()
            ),
            true,
        ),
    }
}

fn match_line(played: &Match) -> String {
    let (Match { one, other, wins, draws, losses }, interval) = (played, played.interval());
    format!(
        "{one} against {other}: +{wins} ={draws} -{losses}, {:.1} % ({:.1} to {:.1})",
        100.0 * played.score(),
        100.0 * interval.low,
        100.0 * interval.high
    )
}

fn print(args: &RunArgs, finished: &Finished, printer: &Printer) -> anyhow::Result<()> {
    let Finished { complete, generations, rated, elapsed } = finished;
    if args.json {
        let rated: Vec<_> = rated
            .iter()
            .map(|rated| json!({ "player": rated.name, "elo": rated.elo, "low": rated.low, "high": rated.high }))
            .collect();
        printer.line(json!({
            "out": args.out,
            "complete": complete,
            "generations": generations,
            "seconds": elapsed.as_secs_f64(),
            "ratings": rated,
        }))?;
        return Ok(());
    }
    for rated in rated {
        printer.line(format!(
            "{:<16} {:>6.0}  ({:.0} to {:.0})",
            rated.name, rated.elo, rated.low, rated.high
        ))?;
    }
    printer.line(format!(
        "{generations} generations in {}, {:.0} s",
        args.out.display(),
        elapsed.as_secs_f64()
    ))?;
    if !complete {
        printer.note("interrupted; the same command resumes it");
    }
    Ok(())
}

fn rates(args: &RatesArgs, printer: &Printer) -> anyhow::Result<Verdict> {
    let config = args.method.config()?;
    let nets = args.nets.as_deref().map(read).transpose()?;
    let nets = nets.map(|bytes| eval::OmegaNets::from_bytes(&bytes)).transpose()?;
    let rate = omega::rates(&config, nets.as_ref(), Duration::from_secs_f64(args.seconds))?;
    let shape = config.net_presets()?[0].shape(eval::OMEGA_PLANES, PlaneHead::Map);
    printer.line(format!(
        "{size}×{size}, {} continuations: {:.0} positions/s by random play, {:.0} by a policy of {} layers of {} channels",
        config.continuations,
        rate.random,
        rate.policy,
        shape.layers,
        shape.channels,
        size = config.size,
    ))?;
    Ok(Verdict::Yes)
}
