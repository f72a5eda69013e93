//! `riftlab pipeline`: the learning loop from self-play to promotion.

use std::{ops::RangeInclusive, path::PathBuf};

use arena::store::JobKind;
use clap::{Subcommand, builder::PossibleValuesParser, value_parser};
use nn::AdamWOptions;
use ringrift::Board;
use serde_json::json;
use train::{
    Encoder, SourceOptions, TrainOptions,
    pipeline::{self, Finished, PipelineOptions, Stage},
};

use super::selfplay::parse_range;
use crate::{
    Verdict, data_folder,
    learning::RecordArgs,
    playing::{self, stop_at_interrupt},
    printer::Printer,
};

/// Improve a network generation by generation: self-play, training, a match against the best so far, promotion.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    network: Network,
}

#[derive(Subcommand)]
enum Network {
    Nnue(NnueArgs),
}

/// Improve the network of alpha-beta search.
///
/// Generation 0 learns from games of the heuristic or of --start, every later one from games of the best network so far. All results are in
/// the folder: games, networks, curves, matches, and a report. After an interruption, the same command resumes; with more
/// --generations, it continues.
#[derive(clap::Args)]
struct NnueArgs {
    /// The folder of the loop.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The board.
    #[arg(long, value_name = "NAME", default_value = "square8", value_parser = PossibleValuesParser::new(Board::ALL.map(Board::name)))]
    board: String,

    /// The numbers of players to learn, separated by commas; matches for promotion are decided by the first.
    #[arg(long, value_name = "N,N…", default_value = "2", value_delimiter = ',', value_parser = value_parser!(u8).range(2..=4))]
    players: Vec<u8>,

    /// Number of generations.
    #[arg(long, value_name = "K", default_value_t = 3)]
    generations: u32,

    /// Network that plays generation 0: a name, hash or file [default: the heuristic]
    #[arg(long, value_name = "NET")]
    start: Option<String>,

    /// Number of generations whose games are learned from, counted from the newest; 0 for all.
    #[arg(long, value_name = "K", default_value_t = 0)]
    window: u32,

    /// Train every network from the weights of the best one so far.
    #[arg(long)]
    warm: bool,

    /// Number of games per generation.
    #[arg(long, value_name = "G", default_value_t = 10_000)]
    games: u64,

    /// Nodes per decision in self-play.
    #[arg(long, value_name = "N", default_value_t = 400)]
    nodes: u64,

    /// Number of positions stored with each decision, out of those at which the search calls its evaluator.
    #[arg(long, value_name = "N", default_value_t = 6)]
    leaves: usize,

    /// Nodes per decision with which older games get new values; 0 leaves their values.
    #[arg(long, value_name = "N", default_value_t = 0)]
    relabel_nodes: u64,

    /// Number of random decisions at the start of each game: a number or a range.
    #[arg(long, value_name = "MIN-MAX", default_value = "2-16", value_parser = parse_range)]
    opening_plies: RangeInclusive<u32>,

    /// Number of neurons per seat.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u16).range(1..=4096))]
    hidden: u16,

    /// Number of stages of the game with output weights of their own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u8).range(1..=16))]
    stages: u8,

    /// Weight of the game's result in targets.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    result_share: f32,

    /// Number of training steps of generation 0.
    #[arg(long, value_name = "N", default_value_t = 4000)]
    steps: u64,

    /// How many more steps every later generation takes, as a share of those of generation 0.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    growth: f64,

    /// Number of rows per step.
    #[arg(long, value_name = "N", default_value_t = 8192)]
    batch: usize,

    /// The highest learning rate.
    #[arg(long, value_name = "RATE", default_value_t = 2e-3)]
    learning_rate: f32,

    /// Nodes per decision in matches for promotion.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    gate_nodes: u64,

    /// The most games of a match for promotion.
    #[arg(long, value_name = "G", default_value_t = 400)]
    gate_games: u64,

    /// Memory for rows in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: usize,

    /// Seed of everything.
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

impl NnueArgs {
    fn options(&self) -> anyhow::Result<PipelineOptions> {
        let threads = self.threads.map_or_else(playing::cores, usize::from);
        let board = Board::ALL.into_iter().find(|board| board.name() == self.board);
        Ok(PipelineOptions {
            board: board.ok_or_else(|| anyhow::anyhow!("there is no board {:?}", self.board))?,
            players: self.players.clone(),
            generations: self.generations,
            start: self.start.clone(),
            window: Some(self.window).filter(|&window| window > 0),
            warm: self.warm,
            games: self.games,
            nodes: self.nodes,
            leaves: self.leaves,
            relabel_nodes: Some(self.relabel_nodes).filter(|&nodes| nodes > 0),
            opening: self.opening_plies.clone(),
            hidden: self.hidden.into(),
            train: TrainOptions {
                batch: self.batch.max(1),
                steps: self.steps,
                learning_rate: self.learning_rate,
                optimiser: AdamWOptions::default(),
                threads,
                ..TrainOptions::default()
            },
            growth: self.growth,
            source: SourceOptions {
                encoder: Encoder::Nnue,
                result_share: self.result_share,
                stages: self.stages.into(),
                block_bytes: self.memory << 20,
                threads,
                seed: self.seed,
            },
            gate_nodes: self.gate_nodes,
            gate_games: self.gate_games,
            seed: self.seed,
            threads,
        })
    }
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let Network::Nnue(args) = &args.network;
    let options = args.options()?;
    let stop = stop_at_interrupt()?;
    let mut job = args.record.begin(JobKind::Pipeline, &args.out, options.generations.into())?;
    let config = args.out.join("config.json");
    let spinner = printer.spinner("starting".to_owned());
    let finished =
        pipeline::run(&args.out, &options, data_folder::models(), &stop, &mut |generation, stage| {
            if let Stage::Complete(complete) = stage
                && !args.json
            {
                let gates: Vec<String> = (complete.gates.iter())
                    .map(|gate| {
                        let (score, games) = (100.0 * gate.score, gate.games);
                        format!("{score:.1} % of {games} games with {} players", gate.players)
                    })
                    .collect();
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
    let Finished { report, complete, regressed } = finished;
    if args.json {
        printer.line(
            json!({ "complete": complete, "regressed": regressed, "generations": report.generations }),
        )?;
        return Ok(Verdict::of_work(complete));
    }
    printer.line(report.table())?;
    if regressed {
        printer.note(
            "two networks in a row were worse than the best one: more games or deeper searches may help",
        );
    }
    if !complete {
        printer.note("interrupted; the same command resumes it");
    }
    Ok(Verdict::of_work(complete))
}

fn describe(stage: Stage<'_>) -> String {
    match stage {
        Stage::SelfPlay(folder, games, wanted, _) => {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            format!("{games} of {wanted} games in {name}")
        }
        Stage::Train(progress) => format!(
            "step {} of {}, validation loss {:.4}, {:.0} rows/s",
            progress.step, progress.steps, progress.validation_loss, progress.rows_per_second
        ),
        Stage::Gate(games, score) => {
            format!("match for promotion: {:.1} % after {games} games", 100.0 * score)
        }
        Stage::Complete(_) => "complete".to_owned(),
    }
}
