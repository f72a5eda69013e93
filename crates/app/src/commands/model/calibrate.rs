//! `riftlab model calibrate`: what a net's uncertainty is worth, and what climbing does to its values.

use std::path::{Path, PathBuf};

use serde_json::json;
use train::{Calibration, CalibrationOptions, Climbs, Examination};

use super::NetArgs;
use crate::{Verdict, printer::Printer};

/// Compare the uncertainty of a net of gradient move optimisation with its errors.
///
/// Examines positions of held-out games whose candidates have values. For every estimate of uncertainty, prints its correlation
/// with the size of errors, how many errors are within one deviation, and the error by predicted deviation. For the best
/// moves of every position, follows the slope of the value and projects back, and prints how often the condition holds under
/// which this cannot do harm, and what it did.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    net: NetArgs,

    /// Folders of games with candidates, made by riftlab selfplay.
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// The most positions.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    positions: usize,

    /// Passes with dropout.
    #[arg(long, value_name = "N", default_value_t = 10)]
    mc_samples: usize,

    /// Share of neurons dropped in passes.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    dropout: f64,

    /// How many of the best moves climb.
    #[arg(long, value_name = "N", default_value_t = 3)]
    top_k: usize,

    /// Steps of a climb.
    #[arg(long, value_name = "N", default_value_t = 2)]
    optim_steps: usize,

    /// Rate of the steps.
    #[arg(long, value_name = "RATE", default_value_t = 0.1)]
    lr: f32,

    /// Seed of dropout.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let model = args.net.load()?;
    let options = CalibrationOptions {
        data: args.data.clone(),
        positions: args.positions.max(1),
        passes: args.mc_samples,
        dropout: args.dropout.clamp(0.0, 0.9),
        top_k: args.top_k,
        steps: args.optim_steps,
        lr: args.lr,
        seed: args.seed,
    };
    let found = train::calibrate(Path::new(&model.id()), model.bytes(), &options)?;
    if args.json {
        let mut object = json!(found);
        object["type"] = json!("calibration");
        object["version"] = json!(1);
        object["net"] = json!(model.id());
        printer.line(object)?;
    } else {
        printer.line(text(&model.id(), &found).trim_end())?;
    }
    Ok(Verdict::Yes)
}

/// The result as Markdown.
fn text(net: &str, found: &Examination) -> String {
    let Examination { positions, moves, squared_error, calibrations, climbs } = found;
    let mut text = format!(
        "{net}: {positions} positions, {moves} moves, mean squared error {squared_error:.4}\n\n\
         | uncertainty | correlation with the error | errors within one deviation | deviation and error by tenth |\n\
         |---|---|---|---|\n"
    );
    for Calibration { uncertainty, correlation, coverage, reliability } in calibrations {
        let groups: Vec<String> =
            reliability.iter().map(|[sigma, error]| format!("{sigma:.2}/{error:.2}")).collect();
        text.push_str(&format!(
            "| {uncertainty} | {correlation:.2} | {:.0} % | {} |\n",
            100.0 * coverage,
            groups.join(" ")
        ));
    }
    let Climbs { climbs, returned, guaranteed, better, worse, gain, distance, slope, regret, norm } = climbs;
    text.push_str(&format!(
        "\n{climbs} climbs: {:.1} % returned to their move, {:.1} % met the condition, {:.1} % ended at a better move, \
         {:.1} % at a worse one; gain {gain:.4}, distance {distance:.3} of the norm, slope {slope:.4}, regret \
         {regret:.5}, norm {norm:.2}\n",
        100.0 * returned,
        100.0 * guaranteed,
        100.0 * better,
        100.0 * worse
    ));
    text
}
