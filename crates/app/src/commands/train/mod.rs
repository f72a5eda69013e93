//! `riftlab train`: trains a network from self-play games.

mod gradient;
mod nnue;
mod pv;

use std::path::Path;

use arena::store::JobKind;
use clap::Subcommand;
use serde_json::json;
use train::{Finished, Progress, TrainError};

pub(crate) use self::{nnue::Preset, pv::parse_share};

use crate::{Verdict, learning::RecordArgs, playing::stop_at_interrupt, printer::Printer};

/// Train a network from self-play games.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    network: Network,
}

#[derive(Subcommand)]
enum Network {
    Nnue(nnue::Args),
    Pv(pv::Args),
    Gmo(gradient::GmoArgs),
    IgGmo(gradient::IgGmoArgs),
    Ebmo(gradient::EbmoArgs),
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    match &args.network {
        Network::Nnue(args) => nnue::run(args, printer),
        Network::Pv(args) => pv::run(args, printer),
        Network::Gmo(args) => gradient::run_gmo(args, printer),
        Network::IgGmo(args) => gradient::run_ig_gmo(args, printer),
        Network::Ebmo(args) => gradient::run_ebmo(args, printer),
    }
}

/// Where a run writes to, and how it is shown.
struct Output<'a> {
    out: &'a Path,
    json: bool,
    steps: u64,
    record: &'a RecordArgs,
}

/// What is called with the progress; whether to continue.
type Report<'r> = dyn FnMut(&Progress) -> bool + 'r;

impl Output<'_> {
    /// Trains with `train`, shows the progress and prints the result.
    fn run(
        &self,
        printer: &Printer,
        train: impl FnOnce(&mut Report<'_>) -> Result<Finished, TrainError>,
    ) -> anyhow::Result<Verdict> {
        let stop = stop_at_interrupt()?;
        let mut job = self.record.begin(JobKind::Train, self.out, self.steps)?;
        let config = train::run_folder(self.out).join("config.json");
        let bar = printer.progress(self.steps, self.json);
        let finished = train(&mut |progress: &Progress| {
            bar.set_position(progress.step);
            job.configure_from(&config);
            job.training("progress", progress);
            job.advance(progress.step, "");
            let line = describe(progress);
            if bar.is_hidden() && !self.json {
                printer.note(&line);
            }
            bar.set_message(line);
            !stop.is_raised()
        });
        bar.finish_and_clear();
        if let Ok(Finished { last: Some(last), .. }) = &finished {
            job.advance(last.step, "");
        }
        let finished = job.end(finished, |finished| finished.complete, printer)?;
        self.print(&finished, printer)?;
        Ok(Verdict::of_work(finished.complete))
    }

    fn print(&self, finished: &Finished, printer: &Printer) -> anyhow::Result<()> {
        let Finished { complete, resumed, last, elapsed, hash, rows } = finished;
        if self.json {
            let mut object = json!({
                "out": self.out,
                "hash": hash,
                "complete": complete,
                "resumed": resumed,
                "seconds": elapsed.as_secs_f64(),
                "training_loss": last.as_ref().map(|progress| progress.training_loss),
                "validation_loss": last.as_ref().map(|progress| progress.validation_loss),
                "rows_per_s": last.as_ref().map(|progress| progress.rows_per_second),
                "rows": rows,
                "epochs": last.as_ref().map(|progress| progress.epoch),
            });
            for (name, value) in last.iter().flat_map(|progress| &progress.measures) {
                object[name] = json!(value);
            }
            return Ok(printer.line(object)?);
        }
        if *resumed > 0 {
            printer.note(format!("resumed after step {resumed}"));
        }
        if let (Some(hash), Some(last)) = (hash, last) {
            printer.line(format!(
                "{}: validation loss {:.4} after {} steps and {} passes over the data, {:.0} s",
                self.out.display(),
                last.validation_loss,
                last.step,
                last.epoch,
                elapsed.as_secs_f64()
            ))?;
            for (name, value) in &last.measures {
                printer.line(format!("{}: {value:.4}", name.replace('_', " ")))?;
            }
            printer.line(format!("hash {hash}"))?;
        }
        if !complete {
            printer.note("interrupted; the same command resumes it");
        }
        Ok(())
    }
}

/// The progress in one line.
fn describe(progress: &Progress) -> String {
    let measures = progress.measures.iter().take(3);
    let measures: String =
        measures.map(|(name, value)| format!(", {} {value:.3}", name.replace('_', " "))).collect();
    format!(
        "step {}: loss {:.4}, validation {:.4}{measures}, {:.0} rows/s",
        progress.step, progress.training_loss, progress.validation_loss, progress.rows_per_second
    )
}
