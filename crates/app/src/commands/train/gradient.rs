//! `riftlab train gmo`, `train ig-gmo` and `train ebmo`: trains networks whose gradients agents follow.

use std::{path::PathBuf, sync::Arc};

use clap::{ValueEnum, value_parser};
use nn::{AdamWOptions, EbmoPreset, EbmoWeights, GmoLossWeights, GmoShape, GraphShape};
use train::{
    EbmoObjective, EbmoRunOptions, GmoLabelOptions, GmoRunOptions, PvLabels, ReadOptions, TrainOptions,
};

use super::Output;
use crate::{Verdict, learning::RecordArgs, playing, printer::Printer};

/// What both kinds of runs have in common.
#[derive(clap::Args)]
struct Common {
    /// Folders of games, made by riftlab selfplay; candidates stored with decisions are learned from as well.
    #[arg(long, visible_alias = "data-path", visible_alias = "data-dir", value_name = "DIR", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// The model file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Start from the weights of this model file instead of random ones.
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Number of passes over the data, unless --steps is given.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u64).range(1..=100_000))]
    epochs: u64,

    /// Number of steps; instead of --epochs.
    #[arg(long, value_name = "N", default_value_t = 0)]
    steps: u64,

    /// The highest learning rate.
    #[arg(long, visible_alias = "learning-rate", value_name = "RATE", default_value_t = 1e-3)]
    lr: f32,

    /// Weight decay.
    #[arg(long, value_name = "RATE", default_value_t = 0.01)]
    weight_decay: f32,

    /// Decay of the moving average of the weights.
    #[arg(long, value_name = "SHARE", default_value_t = 0.999)]
    average: f32,

    /// Weight of the game's result in the value of a position, and of the only move labelled; values of searches have the
    /// rest. Values of candidates are used as they are.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    result_share: f32,

    /// End after this many steps without a lower validation loss; the weights with the lowest one are kept.
    #[arg(long, value_name = "STEPS", default_value_t = 2000, value_parser = value_parser!(u64).range(1..))]
    patience: u64,

    /// Memory for rows in MiB; more data are read in several blocks.
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: usize,

    /// Seed of the initial weights and of the order of rows.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Number of threads [default: the number of cores]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The device to train on: cpu is the only one.
    #[arg(long, value_name = "NAME", default_value = "cpu", value_parser = parse_device)]
    device: String,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    record: RecordArgs,
}

/// Accepts the processor, and says why nothing else is.
fn parse_device(text: &str) -> Result<String, String> {
    match text {
        "cpu" => Ok(text.to_owned()),
        _ => Err("riftlab trains on the processor alone: expected cpu".to_owned()),
    }
}

impl Common {
    fn threads(&self) -> usize {
        self.threads.map_or_else(playing::cores, usize::from)
    }

    fn read(&self, validation_rows: usize) -> ReadOptions {
        ReadOptions {
            block_bytes: self.memory << 20,
            threads: self.threads(),
            seed: self.seed,
            validation_rows,
        }
    }

    fn train(&self, batch: usize, defaults: &TrainOptions) -> TrainOptions {
        TrainOptions {
            batch: batch.max(1),
            steps: self.steps,
            learning_rate: self.lr,
            last_rate: 0.01 * self.lr,
            optimiser: AdamWOptions { weight_decay: self.weight_decay, ..defaults.optimiser },
            average: self.average,
            threads: self.threads(),
            seed: self.seed,
            patience: Some(self.patience),
            ..defaults.clone()
        }
    }

    fn output(&self) -> Output<'_> {
        Output { out: &self.out, json: self.json, steps: self.steps, record: &self.record }
    }
}

/// Train a network of gradient move optimisation.
///
/// Learns the value of moves, with its uncertainty, from the values of the candidates stored with decisions, and from the
/// moves played. Writes a model file, and beside it a folder with the configuration, a checkpoint and the curves of the
/// run. After an interruption, the same command resumes; on one thread the result is the same to the byte.
#[derive(clap::Args)]
pub(super) struct GmoArgs {
    #[command(flatten)]
    common: Common,

    /// What the network reads of a position and its moves.
    #[arg(long, value_name = "NAME", default_value = "default")]
    encoder: Encoder,

    /// Number of positions per step, each with all its labelled moves.
    #[arg(long, visible_alias = "batch", value_name = "N", default_value_t = GmoRunOptions::training().batch)]
    batch_size: usize,

    /// Share of neurons dropped while learning.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    dropout: f64,

    /// Numbers of a position's embedding.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = value_parser!(u16).range(1..=4096))]
    state_dim: u16,

    /// Numbers of a move's embedding.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = value_parser!(u16).range(1..=4096))]
    move_dim: u16,

    /// Neurons of the hidden layers.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = value_parser!(u16).range(1..=4096))]
    hidden_dim: u16,

    /// The most moves of a position that are learned from.
    #[arg(long, value_name = "N", default_value_t = 64)]
    most_moves: usize,

    /// Weight of the order of a position's moves beside the likelihood of their values.
    #[arg(long, value_name = "W", default_value_t = GmoLossWeights::default().ranking)]
    ranking: f64,

    /// Values are divided by this before the order of moves becomes probabilities.
    #[arg(long, value_name = "T", default_value_t = GmoLossWeights::default().temperature)]
    ranking_temperature: f64,

    /// What the embedding of a move is made from.
    #[arg(long, value_name = "NAME", default_value = "after")]
    moves_read: MovesRead,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MovesRead {
    /// Its words, and the sums of the position's features after it.
    After,
    /// Its words alone.
    Words,
}

/// Train a network of gradient move optimisation with graph attention.
///
/// As train gmo, but positions are read by attention over the cells of the board and their neighbours.
#[derive(clap::Args)]
pub(super) struct IgGmoArgs {
    #[command(flatten)]
    gmo: GmoArgs,

    /// Numbers of a cell.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = value_parser!(u16).range(1..=1024))]
    graph_width: u16,

    /// Heads of a layer of attention; must divide --graph-width.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u16).range(1..=64))]
    graph_heads: u16,

    /// Layers of attention.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(1..=16))]
    graph_layers: u16,
}

pub(super) fn run_ig_gmo(args: &IgGmoArgs, printer: &Printer) -> anyhow::Result<Verdict> {
    let [width, heads, layers] = [args.graph_width, args.graph_heads, args.graph_layers].map(usize::from);
    anyhow::ensure!(width % heads == 0, "--graph-heads {heads} does not divide --graph-width {width}");
    let graph = GraphShape { width, heads, layers, graph: Arc::default() };
    run_moves(&args.gmo, Some(graph), printer)
}

pub(super) fn run_gmo(args: &GmoArgs, printer: &Printer) -> anyhow::Result<Verdict> {
    run_moves(args, None, printer)
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Encoder {
    /// Markers, heights, caps, hands and phase; moves by what they are and by what they change.
    Default,
    /// Twelve planes of the board of RingRift, without markers and heights; moves by what they are.
    Seed12,
}

fn run_moves(args: &GmoArgs, graph: Option<GraphShape>, printer: &Printer) -> anyhow::Result<Verdict> {
    let common = &args.common;
    let options = GmoRunOptions {
        data: common.data.clone(),
        out: common.out.clone(),
        seed_encoder: args.encoder == Encoder::Seed12,
        shape: GmoShape {
            state: args.state_dim.into(),
            moves: args.move_dim.into(),
            hidden: args.hidden_dim.into(),
            after: args.moves_read == MovesRead::After,
            graph,
            ..GmoRunOptions::default_shape()
        },
        start: common.start.clone(),
        labels: GmoLabelOptions {
            result_share: common.result_share,
            most_moves: args.most_moves.max(1),
            ..GmoLabelOptions::default()
        },
        weights: GmoLossWeights {
            ranking: args.ranking.max(0.0),
            temperature: args.ranking_temperature.max(1e-3),
            ..GmoLossWeights::default()
        },
        dropout: args.dropout.clamp(0.0, 0.9),
        read: common.read(20_000),
        train: common.train(args.batch_size, &GmoRunOptions::training()),
        epochs: common.epochs,
        report_every: 100,
        checkpoint_every: 500,
    };
    common.output().run(printer, |report| train::run_gmo(&options, report))
}

/// Train a network of energy-based move optimisation.
///
/// Learns low energies for the moves that searches prefer. Writes a model file, and beside it a folder with the
/// configuration, a checkpoint and the curves of the run. After an interruption, the same command resumes; on one thread
/// the result is the same to the byte.
#[derive(clap::Args)]
pub(super) struct EbmoArgs {
    #[command(flatten)]
    common: Common,

    /// Size of the network: tiny (1 block of 8 filters), small (3 × 32) or seed (6 × 128).
    #[arg(long, value_name = "NAME", default_value_t = EbmoPreset::Small)]
    preset: EbmoPreset,

    /// Number of positions per step.
    #[arg(long, visible_alias = "batch", value_name = "N", default_value_t = EbmoRunOptions::training().batch)]
    batch_size: usize,

    /// Compare with probabilities over all legal moves, or one positive move with negative ones.
    #[arg(long, value_name = "NAME", default_value = "softmax")]
    objective: Objective,

    /// Number of negative moves of the contrastive objective.
    #[arg(long, value_name = "N", default_value_t = 15)]
    num_negatives: usize,

    /// Share of negative moves that are the search's next choices.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    hard_negatives: f32,

    /// Energies are divided by this before they become probabilities.
    #[arg(long, value_name = "T", default_value_t = EbmoWeights::default().temperature)]
    contrastive_temperature: f64,

    /// Compare with a softmax of the candidates' values, divided by this, instead of the search's probabilities.
    #[arg(long, value_name = "T")]
    value_temperature: Option<f32>,

    /// Weight of the energy of the best move against its result.
    #[arg(long, value_name = "W", default_value_t = EbmoWeights::default().outcome)]
    outcome_weight: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Objective {
    /// The exact softmax over all legal moves.
    Softmax,
    /// `InfoNCE` with negative moves.
    Contrastive,
}

pub(super) fn run_ebmo(args: &EbmoArgs, printer: &Printer) -> anyhow::Result<Verdict> {
    let common = &args.common;
    let objective = match args.objective {
        Objective::Softmax => EbmoObjective::Softmax,
        Objective::Contrastive => EbmoObjective::Contrastive {
            negatives: args.num_negatives.max(1),
            hard_share: args.hard_negatives.clamp(0.0, 1.0),
        },
    };
    let options = EbmoRunOptions {
        data: common.data.clone(),
        out: common.out.clone(),
        preset: args.preset,
        start: common.start.clone(),
        objective,
        weights: EbmoWeights {
            temperature: args.contrastive_temperature.max(1e-3),
            outcome: args.outcome_weight,
        },
        labels: PvLabels {
            result_share: common.result_share,
            value_temperature: args.value_temperature.map(|temperature| temperature.max(1e-3)),
            ..PvLabels::default()
        },
        read: common.read(2_000),
        train: common.train(args.batch_size, &EbmoRunOptions::training()),
        epochs: common.epochs,
        report_every: 100,
        checkpoint_every: 200,
    };
    common.output().run(printer, |report| train::run_ebmo(&options, report))
}
