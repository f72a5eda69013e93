//! `riftlab puzzles`: finds positions with a unique solution in recorded games.

use std::path::PathBuf;

use clap::value_parser;
use interchange::ImportReader;
use learn::puzzles::Finder;
use record::Config;

use crate::{Verdict, printer::Printer};

/// Find puzzles in recorded games: positions in which a goal has exactly one solution, proved by exhaustive search.
///
/// Prints one puzzle per line as JSON, the easiest first.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games of RingRift as JSON Lines, plain or compressed (.gz, .zst).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Maximum number of puzzles per goal, board and number of seats.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u16).range(1..))]
    most: u16,

    /// Maximum number of moves that a proof may search.
    #[arg(long, value_name = "MOVES", default_value_t = 30_000, value_parser = value_parser!(u64).range(1..))]
    budget: u64,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let mut finder = Finder::new(args.most.into(), args.budget);
    let mut puzzles = Vec::new();
    for file in &args.files {
        for game in ImportReader::open(file)? {
            let record = game?.record;
            if !matches!(record.config, Config::RingRift(_)) {
                anyhow::bail!("game {:?} is a game of Go: expected games of RingRift", record.id);
            }
            finder.search(&record, &mut puzzles)?;
        }
    }
    puzzles.sort_by_key(|puzzle| puzzle.difficulty);
    for puzzle in &puzzles {
        printer.line(serde_json::to_string(puzzle)?)?;
    }
    Ok(if puzzles.is_empty() { Verdict::No } else { Verdict::Yes })
}
