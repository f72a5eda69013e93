//! `riftlab train pv`: trains a policy and value network.

use std::path::PathBuf;

use clap::{ValueEnum, value_parser};
use nn::{AdamWOptions, PvPreset, PvWeights};
use train::{PvLabels, PvPlanes, PvRunOptions, ReadOptions, TrainOptions};

use super::Output;
use crate::{Verdict, learning::RecordArgs, playing, printer::Printer};

/// Train a policy and value network for tree searches.
///
/// Learns a policy from the stored candidates of searches, or from the moves that they chose, and values from results and
/// searches. Folders may differ in the number of players and in the size of the board; one network serves all of a family.
/// Writes a model file, and beside it a folder with the configuration, a checkpoint and the curves of the run. After an
/// interruption, the same command resumes; on one thread the result is the same to the byte.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Folders of games, made by riftlab selfplay: of RingRift on square or on hex boards, or of Go.
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// The model file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Start from the weights of this model file instead of random ones.
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Size of the network: tiny (2 blocks of 16 filters), small (4 × 32), base (6 × 64) or seed (8 × 256).
    #[arg(long, value_name = "NAME", default_value_t = PvPreset::Small)]
    preset: PvPreset,

    /// What the network reads of a position.
    #[arg(long, value_name = "NAME", default_value = "default")]
    planes: Planes,

    /// Weight of the game's result in the target of the value; values of searches have the rest.
    #[arg(long, value_name = "SHARE", default_value_t = PvLabels::default().result_share, value_parser = parse_share)]
    result_share: f32,

    /// How much of the searches' part comes from later decisions; 0 for the search of the position alone.
    #[arg(long, value_name = "SHARE", default_value_t = PvLabels::default().lambda, value_parser = parse_share)]
    lambda: f32,

    /// Share of positions without a policy that are learned from: positions inside searches, forced moves, short searches.
    #[arg(long, value_name = "SHARE", default_value_t = PvLabels::default().value_rows, value_parser = parse_share)]
    value_rows: f32,

    /// Learn as policy a softmax of the candidates' values, divided by this, instead of the search's probabilities.
    #[arg(long, value_name = "T")]
    value_temperature: Option<f32>,

    /// Let every game count the same, however long it is.
    #[arg(long)]
    by_game: bool,

    /// Weight of the policy in the loss; the value has 1.
    #[arg(long, value_name = "W", default_value_t = PvWeights::default().policy)]
    policy_weight: f64,

    /// Weight of the soft policy.
    #[arg(long, value_name = "W", default_value_t = PvWeights::default().soft_policy)]
    soft_weight: f64,

    /// Weight of the final owners of cells.
    #[arg(long, value_name = "W", default_value_t = PvWeights::default().owner)]
    owner_weight: f64,

    /// Weight of the final margins.
    #[arg(long, value_name = "W", default_value_t = PvWeights::default().margin)]
    margin_weight: f64,

    /// Weight of the network's own error.
    #[arg(long, value_name = "W", default_value_t = PvWeights::default().error)]
    error_weight: f64,

    /// Number of steps.
    #[arg(long, value_name = "N", default_value_t = PvRunOptions::training().steps)]
    steps: u64,

    /// Number of rows per step.
    #[arg(long, value_name = "N", default_value_t = PvRunOptions::training().batch)]
    batch: usize,

    /// The highest learning rate.
    #[arg(long, value_name = "RATE", default_value_t = PvRunOptions::training().learning_rate)]
    learning_rate: f32,

    /// The learning rate at the end.
    #[arg(long, value_name = "RATE", default_value_t = PvRunOptions::training().last_rate)]
    last_rate: f32,

    /// Weight decay.
    #[arg(long, value_name = "RATE", default_value_t = PvRunOptions::training().optimiser.weight_decay)]
    weight_decay: f32,

    /// Longest gradient; longer ones are scaled down.
    #[arg(long, value_name = "NORM", default_value_t = PvRunOptions::training().optimiser.max_norm.unwrap_or(1.0))]
    max_norm: f32,

    /// Decay of the moving average of the weights.
    #[arg(long, value_name = "SHARE", default_value_t = PvRunOptions::training().average)]
    average: f32,

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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Planes {
    /// Those of the game's encoder, which one network can read for all sizes and numbers of players.
    Default,
    /// Twelve planes of the board of RingRift, without markers and heights, to compare with.
    Seed,
}

/// Parses a share from 0 to 1.
pub(crate) fn parse_share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a share from 0 to 1".to_owned()),
    }
}

pub(super) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let threads = args.threads.map_or_else(playing::cores, usize::from);
    let training = PvRunOptions::training();
    let optimiser =
        AdamWOptions { weight_decay: args.weight_decay, max_norm: Some(args.max_norm), ..training.optimiser };
    let options = PvRunOptions {
        data: args.data.clone(),
        out: args.out.clone(),
        planes: if args.planes == Planes::Seed { PvPlanes::Seed } else { PvPlanes::Default },
        preset: args.preset,
        start: args.start.clone(),
        labels: PvLabels {
            result_share: args.result_share,
            lambda: args.lambda,
            value_rows: args.value_rows,
            by_game: args.by_game,
            value_temperature: args.value_temperature.map(|temperature| temperature.max(1e-3)),
            ..PvLabels::default()
        },
        weights: PvWeights {
            policy: args.policy_weight,
            soft_policy: args.soft_weight,
            owner: args.owner_weight,
            margin: args.margin_weight,
            error: args.error_weight,
            ..PvWeights::default()
        },
        read: ReadOptions {
            block_bytes: args.memory << 20,
            threads,
            seed: args.seed,
            validation_rows: PvRunOptions::VALIDATION_ROWS,
        },
        train: TrainOptions {
            batch: args.batch.max(1),
            steps: args.steps,
            learning_rate: args.learning_rate,
            last_rate: args.last_rate,
            prioritised: args.prioritised,
            optimiser,
            average: args.average,
            threads,
            seed: args.seed,
            ..training
        },
        report_every: 100,
        checkpoint_every: 200,
    };
    let output = Output { out: &args.out, json: args.json, steps: args.steps, record: &args.record };
    output.run(printer, |report| train::run_pv(&options, report))
}
