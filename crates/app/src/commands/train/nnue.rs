//! `riftlab train nnue`: trains the network of alpha-beta search.

use std::path::PathBuf;

use clap::{ValueEnum, value_parser};
use nn::{Activation, AdamWOptions};
use train::{Encoder, RunOptions, SourceOptions, TrainOptions};

use super::Output;
use crate::{Verdict, learning::RecordArgs, playing, printer::Printer};

/// Train the network of alpha-beta search.
///
/// Writes a model file, and beside it a folder with the configuration, a checkpoint and the curves of the run. After an
/// interruption, the same command resumes; on one thread the result is the same to the byte.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Folders of games, made by riftlab selfplay; all of one board.
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// The model file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Start from the weights of this model file instead of random ones. It may have fewer neurons or stages, or lack the
    /// components of the heuristic: the larger network then starts by evaluating as it does.
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// The features and layers of the network.
    #[arg(long, value_name = "NAME", default_value = "default")]
    preset: Preset,

    /// Number of neurons per seat [default: 64; with the preset seed: 256]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=4096))]
    hidden: Option<u16>,

    /// Number of stages of the game with output weights of their own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u8).range(1..=16))]
    stages: u8,

    /// Weight of the game's result in targets; the value of the search has the rest.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    result_share: f32,

    /// Number of steps.
    #[arg(long, value_name = "N", default_value_t = 4000)]
    steps: u64,

    /// Number of rows per step.
    #[arg(long, value_name = "N", default_value_t = 8192)]
    batch: usize,

    /// The highest learning rate.
    #[arg(long, value_name = "RATE", default_value_t = 2e-3)]
    learning_rate: f32,

    /// The learning rate at the end.
    #[arg(long, value_name = "RATE", default_value_t = 2e-6)]
    last_rate: f32,

    /// Weight decay.
    #[arg(long, value_name = "RATE", default_value_t = 0.01)]
    weight_decay: f32,

    /// Decay of the moving average of the weights.
    #[arg(long, value_name = "SHARE", default_value_t = 0.999)]
    average: f32,

    /// Let features of the same kind on different cells share a part of their weights, which learns from all of them.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    factorise: bool,

    /// Decay of what the weights of a feature have of their own beside their kind, as a multiple of the learning rate
    /// [default: 0, on square19 and hexagonal 400]
    #[arg(long, value_name = "RATE")]
    own_decay: Option<f32>,

    /// Share of additional rows drawn in proportion to their loss.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    prioritised: f32,

    /// Memory for rows in MiB; more data are read in several blocks.
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: usize,

    /// Seed of the initial weights and of the order of rows.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Number of threads [default: the number of cores]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    record: RecordArgs,
}

/// Features and layers of networks.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// Composite features of cells and counters, one layer, small integers, incremental.
    Default,
    /// The same, beside the components of the heuristic, whose weights it starts from.
    Hybrid,
    /// Twelve planes of the board, three layers, floating point.
    Seed,
}

impl Preset {
    pub(crate) fn encoder(self) -> Encoder {
        match self {
            Self::Default => Encoder::Nnue,
            Self::Hybrid => Encoder::Hybrid,
            Self::Seed => Encoder::Seed,
        }
    }

    /// The neurons per seat, the layers behind them and the activation.
    fn layers(self) -> (u16, Vec<usize>, Activation) {
        match self {
            Self::Default | Self::Hybrid => (64, Vec::new(), Activation::SquaredClippedRelu),
            Self::Seed => (256, vec![32, 32], Activation::ClippedRelu),
        }
    }
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let threads = args.threads.map_or_else(playing::cores, usize::from);
    let train = TrainOptions {
        batch: args.batch.max(1),
        steps: args.steps,
        learning_rate: args.learning_rate,
        last_rate: args.last_rate,
        prioritised: args.prioritised,
        optimiser: AdamWOptions { weight_decay: args.weight_decay, ..AdamWOptions::default() },
        average: args.average,
        threads,
        seed: args.seed,
        ..TrainOptions::default()
    };
    let (hidden, layers, activation) = args.preset.layers();
    let options = RunOptions {
        data: args.data.clone(),
        out: args.out.clone(),
        hidden: args.hidden.unwrap_or(hidden).into(),
        layers,
        activation,
        start: args.start.clone(),
        factorise: args.factorise,
        own_decay: args.own_decay,
        source: SourceOptions {
            encoder: args.preset.encoder(),
            result_share: args.result_share,
            stages: args.stages.into(),
            block_bytes: args.memory << 20,
            threads,
            seed: args.seed,
        },
        train,
        report_every: 200,
        checkpoint_every: 1000,
    };
    let output = Output { out: &args.out, json: args.json, steps: args.steps, record: &args.record };
    output.run(printer, |report| train::run(&options, report))
}
