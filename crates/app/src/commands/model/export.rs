//! `riftlab model export`: writes a net for other programs.

use std::path::PathBuf;

use anyhow::Context;
use lab::atomic_file;

use super::{NetArgs, description};
use crate::{Verdict, failure::ErrorWithHint, printer::Printer};

/// Write a net for other programs as ONNX, a summary as JSON, or a smaller model file.
///
/// The ONNX graph of an NNUE has the inputs `features` (a dense vector per perspective) and `heads`, and the outputs
/// `logits` and `shares`; that of a policy and value net has the inputs `planes`, `globals` and `mask`, and the outputs
/// `scores`, `pooled`, `values`, `margins`, `error` and `owners`. The model file has weights in half precision: those of an
/// NNUE are rounded to the small integers of play, so it plays the same moves; those of gmo and ebmo keep eleven bits.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    net: NetArgs,

    /// The file; its extension, .onnx, .json or .safetensors, is the format.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let model = args.net.load()?;
    let bytes = match args.out.extension().and_then(|extension| extension.to_str()) {
        Some("onnx") => model.to_onnx()?,
        Some("safetensors") => model.to_half()?,
        Some("json") => {
            let mut text = serde_json::to_string_pretty(&description(&model)?)?;
            text.push('\n');
            text.into_bytes()
        }
        _ => {
            let message = format!("{} has no known format", args.out.display());
            return Err(ErrorWithHint::error(
                message,
                "end its name in .onnx, .json or .safetensors".to_owned(),
            ));
        }
    };
    atomic_file::write(&args.out, &bytes).with_context(|| format!("cannot write {}", args.out.display()))?;
    printer.note(format!("wrote {} to {}", model.id(), args.out.display()));
    Ok(Verdict::Yes)
}
