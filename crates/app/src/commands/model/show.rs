//! `riftlab model show`: what is known about a net.

use ladder::Models;

use super::{NetArgs, description};
use crate::{
    Verdict,
    printer::{Printer, Style},
};

/// Show what is known about a net: its header, where it comes from, and its weights in summary.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    net: NetArgs,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let model = args.net.load()?;
    if args.json {
        printer.line(description(&model)?)?;
        return Ok(Verdict::Yes);
    }
    printer.line(printer.paint(Style::Bold, &model.id()))?;
    let place = model.path.as_ref().map_or("shipped".to_owned(), |path| path.display().to_string());
    let size = format!("{} bytes", model.bytes().len());
    for (name, value) in [
        ("file", &place),
        ("hash", &model.hash),
        ("size", &size),
        ("kind", &model.header.kind),
        ("encoder", &model.header.encoder),
    ] {
        printer.line(format!("  {name:12} {value}"))?;
    }
    for (title, fields) in [("Shape", &model.header.shape), ("Provenance", &model.header.provenance)] {
        printer.line(printer.paint(Style::Bold, title))?;
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            printer.line(format!("  {name:12} {value}"))?;
        }
    }
    printer.line(printer.paint(Style::Bold, "Weights"))?;
    for tensor in model.tensors()? {
        let [low, high] = tensor.range;
        printer.line(format!(
            "  {:16} {:9} numbers from {low:.3} to {high:.3}, root mean square {:.4}",
            tensor.name, tensor.count, tensor.size
        ))?;
    }
    if let Some(row) = Models::ledger_row(&model) {
        printer.line(printer.paint(Style::Bold, "Ledger"))?;
        printer.line(format!("  {row}"))?;
    }
    Ok(Verdict::Yes)
}
