//! `riftlab pipeline`: the learning loop from self-play to promotion.

mod gradient;
mod nnue;
mod pv;

use std::path::Path;

use arena::store::JobKind;
use clap::Subcommand;
use ladder::Kind;
use serde_json::json;
use train::pipeline::{self, Finished, GateResult, Recipe, Stage};

use crate::{Verdict, data_folder, learning::RecordArgs, playing::stop_at_interrupt, printer::Printer};

/// Improve a network generation by generation: self-play, training, a match against the best so far, promotion.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    network: Network,
}

#[derive(Subcommand)]
enum Network {
    Nnue(Box<nnue::Args>),
    Pv(Box<pv::Args>),
    Gmo(Box<gradient::Args>),
    IgGmo(Box<gradient::Args>),
    Ebmo(Box<gradient::Args>),
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let gradient = |args: &gradient::Args, kind: Kind| {
        improve(&args.options(kind)?, &args.out, args.json, &args.record, printer)
    };
    match &args.network {
        Network::Nnue(args) => improve(&args.options()?, &args.out, args.json, &args.record, printer),
        Network::Pv(args) => improve(&args.options()?, &args.out, args.json, &args.record, printer),
        Network::Gmo(args) => gradient(args, Kind::Gmo),
        Network::IgGmo(args) => gradient(args, Kind::IgGmo),
        Network::Ebmo(args) => gradient(args, Kind::Ebmo),
    }
}

fn improve(
    recipe: &dyn Recipe,
    out: &Path,
    json: bool,
    record: &RecordArgs,
    printer: &Printer,
) -> anyhow::Result<Verdict> {
    let stop = stop_at_interrupt()?;
    let mut job = record.begin(JobKind::Pipeline, out, recipe.generations().into())?;
    let config = out.join("config.json");
    let spinner = printer.spinner("starting".to_owned());
    let finished = pipeline::run(out, recipe, data_folder::models(), &stop, &mut |generation, stage| {
        if let Stage::Complete(complete) = stage
            && !json
        {
            let result = |name: String, result: &GateResult| {
                let (score, games) = (100.0 * result.score, result.games);
                format!("{name} {score:.1} % of {games} games")
            };
            let gates = complete.gates.iter().map(|gate| result(gate.name(), gate));
            let panel = complete.panel.iter().map(|gate| result(gate.against.clone(), gate));
            let gates: Vec<String> = gates.chain(panel).collect();
            let verdict = if complete.promoted { "promoted" } else { "rejected" };
            spinner.suspend(|| {
                printer.note(format!(
                    "generation {generation}: validation loss {:.4}; {}: {verdict}",
                    complete.validation_loss,
                    gates.join(", ")
                ));
            });
        }
        let message = format!("generation {generation}: {}", describe(stage));
        job.configure_from(&config);
        if let Stage::Train(progress) = stage {
            job.training(&format!("training-{generation:02}"), progress);
        }
        if let Stage::Complete(complete) = stage {
            job.generation(complete);
            job.advance(u64::from(generation) + 1, &message);
        } else if job.is_due() {
            job.advance(generation.into(), &message);
        }
        spinner.set_message(message);
    });
    spinner.finish_and_clear();
    if let Ok(finished) = &finished {
        // Generations that were complete before are recorded, too.
        finished.report.generations.iter().for_each(|generation| job.generation(generation));
        job.advance(finished.report.generations.len() as u64, "");
    }
    let finished = job.end(finished, |finished| finished.complete, printer)?;
    let Finished { report, complete, regressed, ended } = finished;
    if json {
        printer.line(
            json!({ "complete": complete, "regressed": regressed, "ended": ended, "generations": report.generations }),
        )?;
        return Ok(Verdict::of_work(complete));
    }
    printer.line(report.table())?;
    if regressed {
        printer.note(
            "two networks in a row were worse than the best one: more games or deeper searches may help",
        );
    }
    if let Some(reason) = ended {
        printer.note(format!("the loop ended: {reason}"));
    }
    if !complete {
        printer.note("interrupted; the same command resumes it");
    }
    Ok(Verdict::of_work(complete))
}

fn describe(stage: Stage<'_>) -> String {
    match stage {
        Stage::SelfPlay(folder, games, wanted, statistics) => {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let fill = statistics.fill().map(|fill| format!(", batches {:.0} % full", 100.0 * fill));
            format!("{games} of {wanted} games in {name}{}", fill.unwrap_or_default())
        }
        Stage::Train(progress) => format!(
            "step {} of {}, validation loss {:.4}, {:.0} rows/s",
            progress.step, progress.steps, progress.validation_loss, progress.rows_per_second
        ),
        Stage::Gate(games, score) => {
            format!("match for promotion: {:.1} % after {games} games", 100.0 * score)
        }
        Stage::Panel(opponent, games, score) => {
            format!("panel, {opponent}: {:.1} % after {games} games", 100.0 * score)
        }
        Stage::Complete(_) => "complete".to_owned(),
    }
}
