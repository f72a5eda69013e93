//! `riftlab import`: converts games of other programs to records.

use std::path::PathBuf;

use interchange::{Format, ImportReader};
use record::{GameRecord, write_records};
use serde_json::json;

use crate::{Verdict, failure::ErrorWithHint, printer::Printer};

/// Convert conformance traces, training games and games of Go (SGF) to game records.
///
/// Every game is checked by replaying it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games as JSON Lines, plain or compressed (.gz, .zst), in formats that are detected line by line, or an SGF file.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write the records to this file; the endings .gz and .zst compress it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Skip games that cannot be imported and report them, instead of stopping at the first.
    #[arg(long)]
    skip_bad: bool,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    if args.out.exists() {
        let message = format!("{} already exists", args.out.display());
        return Err(ErrorWithHint::error(message, "choose another name for --out, or move that file away"));
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
                if let Some(repaired) = imported.record.tags.get("repaired") {
                    printer.note(format!("{}: repaired: {repaired}", imported.record.id));
                }
                records.push(imported.record);
            }
            Err(error) if args.skip_bad => {
                bad += 1;
                printer.note(format!("skipped: {error}"));
            }
            Err(error) => {
                let hint = "use --skip-bad to skip such games";
                let message = format!("line {} cannot be imported", games.line_number());
                return Err(error.context(ErrorWithHint::context(message, hint)));
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
        let note = if inserted > 0 {
            format!(", including {inserted} inserted forced moves")
        } else {
            String::new()
        };
        printer.line(format!("{games} games, {moves} moves{note}, {bad} skipped"))?;
    }
    Ok(if bad == 0 { Verdict::Yes } else { Verdict::No })
}
