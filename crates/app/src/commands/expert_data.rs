//! `riftlab expert-data`: labels the decisions of stored games with the candidates of a strong search.

use std::path::PathBuf;

use clap::value_parser;
use ladder::Spec;
use selfplay::{DataFolder, Relabelling, Work};
use serde_json::json;

use crate::{
    Verdict, agents, data_folder,
    playing::{self, stop_at_interrupt},
    printer::Printer,
};

/// Label the decisions of stored games with the candidates of a strong search.
///
/// Reads a folder of self-play games and writes another one with the same games, in which every decision has the value that
/// the agent found and its best candidates with their probabilities and values. After an interruption, the same command
/// resumes. `riftlab export npz` writes the result as arrays.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of games, made by riftlab selfplay.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// The agent that labels. Best-first minimax values every candidate.
    #[arg(long, visible_alias = "engine", value_name = "SPEC", default_value = "descent(nodes=400)", value_parser = agents::parse)]
    agent: Spec,

    /// Number of candidates stored with each decision.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = value_parser!(u32).range(1..=65_535))]
    candidates: u32,

    /// Label only the first games [default: all]
    #[arg(long, visible_alias = "num-games", value_name = "G", value_parser = value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// The folder to write.
    #[arg(long, visible_alias = "output", value_name = "DIR")]
    out: PathBuf,

    /// Number of games labelled in parallel [default: the number of cores]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let source = DataFolder::open(&args.data)?;
    let work = Relabelling::new(source, &args.agent, data_folder::models())?
        .with_candidates(args.candidates as usize);
    let games = args.games.map_or(work.games(), |games| games.min(work.games()));
    let mut folder = DataFolder::create(&args.out, work.resolved())?;
    let stop = stop_at_interrupt()?;
    let threads = args.threads.map_or_else(playing::cores, usize::from);
    let bar = printer.progress(games, args.json);
    let finished = selfplay::run(&work, &mut folder, games, threads, &stop, &mut |done, statistics| {
        bar.set_position(done);
        bar.set_message(format!("{done} games, {} decisions", statistics.decisions));
    });
    bar.finish_and_clear();
    let finished = finished?;
    if args.json {
        printer.line(json!({
            "folder": folder.path(),
            "manifest": folder.manifest(),
            "games": folder.games(),
            "complete": finished.complete,
            "seconds": finished.elapsed.as_secs_f64(),
            "decisions": finished.statistics.decisions,
        }))?;
    } else {
        printer.line(format!("{} games labelled in {}", folder.games(), folder.path().display()))?;
        if !finished.complete {
            printer.note("interrupted; the same command resumes it");
        }
    }
    Ok(if finished.complete { Verdict::Yes } else { Verdict::Interrupted })
}
