//! `riftlab model`: lists, shows, verifies and exports nets.

mod calibrate;
mod export;
mod show;
mod verify;

use std::sync::Arc;

use clap::{Subcommand, builder::PossibleValuesParser, builder::TypedValueParser, value_parser};
use ladder::{Model, Models, Venue};
use ringrift::Board;
use serde_json::{Value, json};

use crate::{
    Verdict, data_folder,
    printer::{Printer, Style},
};

/// List, show, verify or export nets: those shipped with the program, and model files.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    List(ListArgs),
    Show(show::Args),
    Verify(verify::Args),
    Export(export::Args),
    Calibrate(calibrate::Args),
}

/// List the shipped nets and those in the folder `models` of the user's data.
#[derive(clap::Args)]
struct ListArgs {
    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The net that a command is about.
#[derive(clap::Args)]
struct NetArgs {
    /// The net: nnue, pv, gmo or ebmo for the shipped one of the board, a name, the first digits of a hash, or a file.
    #[arg(value_name = "NET")]
    net: String,

    /// The board that nnue and pv stand for.
    #[arg(long, value_name = "BOARD", default_value = "square8", value_parser = board_parser())]
    board: Board,

    /// The number of players that nnue and pv stand for.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u8).range(2..=4))]
    players: u8,

    /// The size of the board of Go that pv stands for, instead of a board of RingRift.
    #[arg(long, value_name = "LINES", conflicts_with_all = ["board", "players"],
        value_parser = value_parser!(u8).range(2..=19))]
    go: Option<u8>,
}

fn board_parser() -> impl TypedValueParser<Value = Board> {
    PossibleValuesParser::new(Board::ALL.map(Board::name)).try_map(|name| name.parse::<Board>())
}

impl NetArgs {
    fn load(&self) -> anyhow::Result<Arc<Model>> {
        let ringrift = Venue::RingRift { board: self.board, seats: self.players };
        let venue = self.go.map_or(ringrift, |size| Venue::Go { size });
        Ok(data_folder::models().get(&self.net, venue)?)
    }
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    match &args.what {
        What::List(args) => list(args, printer),
        What::Show(args) => show::run(args, printer),
        What::Verify(args) => verify::run(args, printer),
        What::Export(args) => export::run(args, printer),
        What::Calibrate(args) => calibrate::run(args, printer),
    }
}

fn list(args: &ListArgs, printer: &Printer) -> anyhow::Result<Verdict> {
    let models = data_folder::models();
    let (own, broken): (Vec<_>, Vec<_>) = models.own()?.into_iter().partition(Result::is_ok);
    let own: Vec<Arc<Model>> = own.into_iter().flatten().collect();
    for error in broken.iter().filter_map(|net| net.as_ref().err()) {
        printer.note(error);
    }
    let folder = models.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
    if args.json {
        let rows = |models: &[Arc<Model>]| models.iter().map(|model| summary(model)).collect::<Vec<_>>();
        printer.line(json!({
            "type": "models", "version": 1, "shipped": rows(Models::shipped()), "own": rows(&own), "folder": folder,
        }))?;
        return Ok(Verdict::Yes);
    }
    for (title, models) in [("Shipped", Models::shipped()), (&*format!("In {folder}"), &own[..])] {
        printer.line(printer.paint(Style::Bold, title))?;
        for model in models {
            let (id, size) = (model.id(), model.bytes().len().div_ceil(1024));
            printer.line(format!(
                "  {id:32} {:12} {:28} {size:6} KiB",
                model.header.kind, model.header.encoder
            ))?;
        }
        if models.is_empty() {
            printer.line("  none")?;
        }
    }
    Ok(Verdict::Yes)
}

/// What identifies a net.
fn summary(model: &Model) -> Value {
    json!({
        "id": model.id(), "name": model.name, "hash": model.hash, "kind": model.header.kind,
        "encoder": model.header.encoder, "bytes": model.bytes().len(), "shipped": model.path.is_none(),
        "path": model.path.as_ref().map(|path| path.display().to_string()),
    })
}

/// Everything that a file says about its net, with a summary of its weights.
fn description(model: &Model) -> anyhow::Result<Value> {
    let tensor = |tensor: ladder::TensorSummary| {
        json!({
            "name": tensor.name, "count": tensor.count, "smallest": tensor.range[0], "largest": tensor.range[1],
            "root_mean_square": tensor.size, "not_finite": tensor.not_finite,
        })
    };
    let mut object = summary(model);
    object["type"] = json!("model");
    object["version"] = json!(1);
    object["shape"] = json!(model.header.shape);
    object["provenance"] = json!(model.header.provenance);
    object["ledger"] = json!(Models::ledger_row(model));
    object["tensors"] = model.tensors()?.into_iter().map(tensor).collect();
    Ok(object)
}
