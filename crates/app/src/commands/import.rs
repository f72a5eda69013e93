//! `riftlab import`: turns games that other programs wrote into records.

use std::path::PathBuf;

use interchange::{Format, ImportReader};
use record::{GameRecord, write_records};
use serde_json::json;

use crate::{Verdict, failure::Hinted, printer::Printer};

/// Turn traces, training games and games of Go (SGF) into game records.
///
/// Every game is played by our rules on the way, so what comes out replays.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games as JSON Lines, plain or packed (.gz, .zst), the sort of each line is found out; or an .sgf file.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Where to write the records; .gz and .zst pack them.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Leave out games that cannot be imported, and say which, instead of stopping at the first.
    #[arg(long)]
    skip_bad: bool,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    if args.out.exists() {
        let message = format!("{} exists already", args.out.display());
        return Err(Hinted::error(message, "choose another name for --out, or move that file away"));
    }
    let (mut records, mut bad, mut inserted) = (Vec::new(), 0, 0);
    let mut games = ImportReader::open(&args.file)?;
    while let Some(game) = games.next() {
        let checked = game.map_err(anyhow::Error::from).and_then(|imported| {
            if imported.format == Format::Record {
                imported.record.replay()?;
            }
            Ok(imported)
        });
        match checked {
            Ok(imported) => {
                inserted += imported.inserted;
                records.push(imported.record);
            }
            Err(error) if args.skip_bad => {
                bad += 1;
                printer.note(format!("left out: {error}"));
            }
            Err(error) => {
                let hint = "--skip-bad leaves such games out and goes on";
                let message = format!("line {} was not imported", games.line_number());
                return Err(error.context(Hinted::context(message, hint)));
            }
        }
    }
    write_records(&args.out, &records)?;
    let moves: usize = records.iter().map(|record: &GameRecord| record.moves.len()).sum();
    let games = records.len();
    if args.json {
        printer.line(json!({
            "type": "import", "version": 1, "games": games, "moves": moves, "inserted": inserted, "left_out": bad,
        }))?;
    } else {
        let note =
            if inserted > 0 { format!(", {inserted} of them forced ones put in") } else { String::new() };
        printer.line(format!("{games} games, {moves} moves{note}, {bad} left out"))?;
    }
    Ok(if bad == 0 { Verdict::Yes } else { Verdict::No })
}
