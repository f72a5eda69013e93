//! `riftlab model verify`: checks that nets are what they should be and can be played.

use std::sync::Arc;

use clap::value_parser;
use ladder::{Model, Models, Quantisation, Venue};
use ringrift::Board;
use serde_json::{Value, json};

use super::summary;
use crate::{Verdict, data_folder, printer::Printer};

/// Check nets: the hash, the weights, and the answers in random games.
///
/// A net passes if its content is that of the ledger (shipped nets) or of the hash in its name (NET@HASH), and all its
/// weights are finite. An NNUE must fit into small integers: the report states how far an accumulator can go, and how much
/// values differ from floating point in positions of random games. A policy and value net must give finite answers in such
/// positions. The exit code is 1 if a net fails.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The nets: names, first digits of hashes, or files [default: all shipped nets and all in the user's folder]
    #[arg(value_name = "NET")]
    nets: Vec<String>,

    /// Number of random games whose positions are evaluated.
    #[arg(long, value_name = "G", default_value_t = 12, value_parser = value_parser!(u64).range(1..=100_000))]
    games: u64,

    /// Seed of the random games.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Print a JSON object per net instead of text.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let models = data_folder::models();
    // The venue matters only for `nnue` and `pv`, which stand for all shipped nets of the kind here.
    let venue = Venue::RingRift { board: Board::Square8, seats: 2 };
    let mut found: Vec<(String, Result<Arc<Model>, String>)> = Vec::new();
    let shipped = || Models::shipped().iter().map(|model| (model.id(), Ok(Arc::clone(model))));
    for name in &args.nets {
        match name.as_str() {
            kind @ ("nnue" | "pv") => {
                let of_kind = Models::shipped().iter().filter(|model| model.header.kind == kind);
                found.extend(of_kind.map(|model| (model.id(), Ok(Arc::clone(model)))));
            }
            name => {
                let model = models.get(name, venue).map_err(|error| error.to_string());
                found.push((name.to_owned(), model));
            }
        }
    }
    if args.nets.is_empty() {
        found.extend(shipped());
        for model in models.own()? {
            let name = model.as_ref().map_or_else(|_| "a file".to_owned(), |model| model.id());
            found.push((name, model.map_err(|error| error.to_string())));
        }
    }
    let mut verdict = Verdict::Yes;
    for (name, model) in found {
        let (object, text) = match model.and_then(|model| check(&model, args)) {
            Ok((object, text)) => (object, format!("{name}: {text}")),
            Err(problem) => {
                verdict = Verdict::No;
                (json!({ "id": name, "problem": problem }), format!("{name}: FAILED: {problem}"))
            }
        };
        if args.json {
            let mut object = object;
            object["type"] = json!("model-verification");
            object["version"] = json!(1);
            object["passed"] = json!(object["problem"].is_null());
            printer.line(object)?;
        } else {
            printer.line(text)?;
        }
    }
    Ok(verdict)
}

/// Checks one net. The error is what is wrong with it.
fn check(model: &Model, args: &Args) -> Result<(Value, String), String> {
    let said = |error: ladder::ModelError| error.to_string();
    if model.path.is_none() && Models::ledger_row(model).is_none() {
        return Err("the ledger models/LEDGER.md has no row with this id".to_owned());
    }
    if let Some(tensor) = model.tensors().map_err(said)?.iter().find(|tensor| tensor.not_finite > 0) {
        return Err(format!("{} weights of {} are infinite or NaN", tensor.not_finite, tensor.name));
    }
    let mut object = summary(model);
    if let Some(positions) = model.try_out(args.games, args.seed).map_err(said)? {
        object["positions"] = json!(positions);
        let text = format!("passed; played in floating point; finite answers to {positions} positions");
        return Ok((object, text));
    }
    let Some(quantisation) = model.quantisation(args.games, args.seed).map_err(said)? else {
        return Ok((object, "passed; played in floating point".to_owned()));
    };
    let Quantisation { reach, positions, mean_error, largest_error } = quantisation;
    object["reach"] = json!(reach);
    object["reach_limit"] = json!(Quantisation::LIMIT);
    object["positions"] = json!(positions);
    object["mean_error"] = json!(mean_error);
    object["largest_error"] = json!(largest_error);
    let text = format!(
        "passed; accumulators reach at most {reach} of {}; in {positions} positions small integers change values by \
         {mean_error:.5} on average and {largest_error:.5} at most",
        Quantisation::LIMIT
    );
    Ok((object, text))
}
