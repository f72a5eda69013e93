//! Checkpoints: the whole state of a run in one file.

use std::{fs, path::Path};

use lab::atomic_file;
use nn::AdamW;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde_json::{Value, json};

use crate::{Progress, TrainError, TrainOptions, Trainer, learner::Parameters, trainer::Best};

/// Writes the state of `trainer` to `path`, with the last report. `run` is the resolved configuration of the run.
pub(crate) fn write<N: Parameters>(
    path: &Path,
    trainer: &Trainer<N>,
    progress: Option<&Progress>,
    run: &Value,
) -> Result<(), TrainError> {
    let mut tensors: Vec<(String, Dtype, Vec<u8>)> = Vec::new();
    let mut push = |name: String, numbers: &[f32]| {
        tensors.push((name, Dtype::F32, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()));
    };
    for (name, weights) in trainer.net.parameters() {
        push(format!("net.{name}"), weights);
    }
    for (name, weights) in trainer.average.parameters() {
        push(format!("average.{name}"), weights);
    }
    for (name, weights) in trainer.best.iter().flat_map(|best| best.net.parameters()) {
        push(format!("best.{name}"), weights);
    }
    for ((name, _), [means, variances]) in trainer.net.parameters().iter().zip(trainer.optimiser.moments()) {
        push(format!("mean.{name}"), means);
        push(format!("variance.{name}"), variances);
    }
    let order = trainer.order.iter().flat_map(|row| row.to_le_bytes()).collect();
    tensors.push(("order".to_owned(), Dtype::U32, order));
    let state = json!({
        "run": run,
        "progress": progress,
        "best": trainer.best.as_ref().map(|best| &best.progress),
        "steps": trainer.steps(),
        "epoch": trainer.epoch,
        "block": trainer.block,
        "used": trainer.used,
    });
    let metadata = [("state".to_owned(), state.to_string())].into_iter().collect();
    let views = tensors.iter().map(|(name, dtype, bytes)| {
        let view =
            TensorView::new(*dtype, vec![bytes.len() / 4], bytes).expect("tensors have four-byte numbers");
        (name.as_str(), view)
    });
    let bytes = safetensors::serialize(views, Some(metadata)).expect("tensors of known sizes can be written");
    atomic_file::write(path, bytes).map_err(|source| TrainError::Io { path: path.to_owned(), source })
}

/// The state of a run with its last report.
type Saved<N> = (Trainer<N>, Option<Progress>);

/// Reads the state of a run from `path`, which must be of the same configuration; `None` if there is none. `zeros` is a
/// network of the same shape.
pub(crate) fn read<N: Parameters>(
    path: &Path,
    options: &TrainOptions,
    zeros: &N,
    run: &Value,
) -> Result<Option<Saved<N>>, TrainError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(TrainError::Io { path: path.to_owned(), source }),
    };
    let problem = |problem: String| TrainError::Checkpoint { path: path.to_owned(), problem };
    let damaged = |error: &dyn std::fmt::Display| problem(format!("it is damaged ({error})"));
    let (_, header) = SafeTensors::read_metadata(&bytes).map_err(|error| damaged(&error))?;
    let tensors = SafeTensors::deserialize(&bytes).map_err(|error| damaged(&error))?;
    let state = header.metadata().as_ref().and_then(|fields| fields.get("state"));
    let state: Value =
        serde_json::from_str(state.map_or("", String::as_str)).map_err(|error| damaged(&error))?;
    for (field, expected) in run.as_object().into_iter().flatten() {
        let found = &state["run"][field];
        if found != expected {
            return Err(problem(format!(
                "it belongs to another run: {field} is {found} there and {expected} here"
            )));
        }
    }
    let number = |name: &str| state[name].as_u64().ok_or_else(|| damaged(&format!("no {name}")));
    let words = |name: &str, length: Option<usize>| -> Result<Vec<[u8; 4]>, TrainError> {
        let view = tensors.tensor(name).map_err(|error| damaged(&error))?;
        let words: Vec<[u8; 4]> = view.data().as_chunks().0.to_vec();
        if length.is_some_and(|length| length != words.len()) {
            return Err(damaged(&format!("{name} has {} numbers", words.len())));
        }
        Ok(words)
    };
    let floats = |name: &str, length: usize| -> Result<Vec<f32>, TrainError> {
        Ok(words(name, Some(length))?.into_iter().map(f32::from_le_bytes).collect())
    };
    let weights = |prefix: &str| -> Result<N, TrainError> {
        let mut net = zeros.clone();
        let names: Vec<String> = net.parameters().into_iter().map(|group| group.0).collect();
        for (name, weights) in names.iter().zip(net.parameters_mut()) {
            weights.copy_from_slice(&floats(&format!("{prefix}.{name}"), weights.len())?);
        }
        Ok(net)
    };
    let net = weights("net")?;
    let moments = net
        .parameters()
        .iter()
        .map(|(name, weights)| {
            Ok([
                floats(&format!("mean.{name}"), weights.len())?,
                floats(&format!("variance.{name}"), weights.len())?,
            ])
        })
        .collect::<Result<_, TrainError>>()?;
    let progress = serde_json::from_value(state["progress"].clone()).map_err(|error| damaged(&error))?;
    let best: Option<Progress> =
        serde_json::from_value(state["best"].clone()).map_err(|error| damaged(&error))?;
    let best =
        best.map(|progress| Ok::<_, TrainError>(Best { progress, net: weights("best")? })).transpose()?;
    let trainer = Trainer {
        options: options.clone(),
        average: weights("average")?,
        optimiser: AdamW::restore(options.optimiser, number("steps")?, moments),
        epoch: number("epoch")? as u32,
        block: number("block")? as u32,
        order: words("order", None)?.into_iter().map(u32::from_le_bytes).collect(),
        used: number("used")? as usize,
        best,
        net,
    };
    Ok(Some((trainer, progress)))
}
