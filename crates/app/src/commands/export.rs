//! `riftlab export`: writes self-play games in formats of other programs.

use std::path::PathBuf;

use clap::{ValueEnum, value_parser};
use serde_json::json;
use train::{
    Source, SourceOptions,
    export::{write_jsonl, write_npz},
};

use super::train::Preset;
use crate::{Verdict, failure::ErrorWithHint, printer::Printer};

/// Write self-play games in formats of other programs.
///
/// The format jsonl has one game per line, with all moves in full, as the reference service trains on; riftlab import reads
/// it. The format npz has the rows that riftlab train nnue uses, as arrays for numpy.load.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders of games, made by riftlab selfplay; for npz, all of one board.
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// The format.
    #[arg(long, value_name = "NAME")]
    format: Format,

    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The features, as in riftlab train nnue (npz).
    #[arg(long, value_name = "NAME", default_value = "default")]
    preset: Preset,

    /// Weight of the game's result in targets (npz).
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    result_share: f32,

    /// Number of stages of the game that heads distinguish (npz).
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u8).range(1..=16))]
    stages: u8,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Jsonl,
    Npz,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    if args.out.exists() {
        let message = format!("{} already exists", args.out.display());
        return Err(ErrorWithHint::error(message, "choose another name for --out, or move that file away"));
    }
    let (exported, unit) = match args.format {
        Format::Jsonl => (write_jsonl(&args.data, &args.out)?, "moves"),
        Format::Npz => {
            let options = SourceOptions {
                encoder: args.preset.encoder(),
                result_share: args.result_share,
                stages: args.stages.into(),
                block_bytes: 0,
                threads: 1,
                seed: 0,
            };
            (write_npz(&Source::open(&args.data, &options)?, &args.out)?, "rows")
        }
    };
    if args.json {
        let mut object = json!({ "type": "export", "version": 1, "out": args.out, "games": exported.games });
        object[unit] = exported.rows.into();
        printer.line(object)?;
    } else {
        let out = args.out.display();
        printer.line(format!("{out}: {} games, {} {unit}", exported.games, exported.rows))?;
    }
    Ok(Verdict::Yes)
}
