//! `riftlab pipeline nnue`: the learning loop of the network of alpha-beta search.

use std::{ops::RangeInclusive, path::PathBuf};

use clap::{builder::PossibleValuesParser, value_parser};
use nn::AdamWOptions;
use ringrift::Board;
use train::{Encoder, SourceOptions, TrainOptions, pipeline::PipelineOptions};

use super::super::selfplay::parse_range;
use crate::{learning::RecordArgs, playing};

/// Improve the network of alpha-beta search.
///
/// Generation 0 learns from games of the heuristic or of --start, every later one from games of the best network so far. All results are in
/// the folder: games, networks, curves, matches, and a report. After an interruption, the same command resumes; with more
/// --generations, it continues.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder of the loop.
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,

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

    /// Let the network read the components of the heuristic as well, like the preset hybrid of riftlab train nnue.
    #[arg(long)]
    hybrid: bool,

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
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) record: RecordArgs,
}

impl Args {
    pub(super) fn options(&self) -> anyhow::Result<PipelineOptions> {
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
                encoder: if self.hybrid { Encoder::Hybrid } else { Encoder::Nnue },
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
