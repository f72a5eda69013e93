//! `riftlab pipeline pv`: the learning loop of policy and value networks.

use std::{ops::RangeInclusive, path::PathBuf};

use clap::{ValueEnum, builder::PossibleValuesParser, value_parser};
use ladder::Spec;
use nn::PvPreset;
use record::{Config, GameKind, Options};
use ringrift::Board;
use train::{PvLabels, PvRunOptions, TrainOptions, pipeline::PvPipelineOptions};

use super::super::{selfplay::parse_range, train::parse_share};
use crate::{agents, learning::RecordArgs, playing};

/// Improve a policy and value network by Gumbel search.
///
/// Every generation plays games with the best network so far, learns from them and from the newest generations before, plays
/// a match for promotion, and plays a panel of opponents that stay the same. Searches get deeper when networks no longer
/// improve against the panel. All results are in the folder: games, networks, curves, matches, and a report. After an
/// interruption, the same command resumes; with more --generations, it continues.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder of the loop.
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,

    /// The game.
    #[arg(long, value_name = "NAME", default_value = "ringrift")]
    game: Game,

    /// The boards of RingRift, separated by commas: square ones or hex ones; the first decides about promotion.
    #[arg(long, value_name = "NAME,NAME…", default_value = "square8", value_delimiter = ',', value_parser = PossibleValuesParser::new(Board::ALL.map(Board::name)))]
    board: Vec<String>,

    /// The numbers of players of RingRift, separated by commas; the first decides about promotion.
    #[arg(long, value_name = "N,N…", default_value = "2", value_delimiter = ',', value_parser = value_parser!(u8).range(2..=4))]
    players: Vec<u8>,

    /// The sizes of the board of Go, separated by commas; the first decides about promotion.
    #[arg(long, value_name = "N,N…", default_value = "9", value_delimiter = ',', value_parser = value_parser!(u8).range(2..=19))]
    size: Vec<u8>,

    /// Number of generations.
    #[arg(long, value_name = "K", default_value_t = 10)]
    generations: u32,

    /// Network that plays generation 0: a name, hash or file [default: random weights]
    #[arg(long, value_name = "NET")]
    start: Option<String>,

    /// Number of generations whose games are learned from, counted from the newest; 0 for all.
    #[arg(long, value_name = "K", default_value_t = 4)]
    window: u32,

    /// Train every network from random weights instead of those of the best one so far.
    #[arg(long)]
    from_scratch: bool,

    /// Number of games per generation: half of the first kind of games, the rest evenly.
    #[arg(long, value_name = "G", default_value_t = 1000)]
    games: u64,

    /// Simulations of full searches, separated by commas: the next ones when networks no longer improve.
    #[arg(long, value_name = "N,N…", default_value = "16,32,64", value_delimiter = ',', value_parser = value_parser!(u32).range(2..=1_000_000))]
    sims: Vec<u32>,

    /// Simulations of cheap searches, whose policy is not learned.
    #[arg(long, value_name = "N", default_value_t = 8)]
    cheap_sims: u32,

    /// Share of full searches.
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    full_share: f64,

    /// Value above which a seat is as good as certain to win; the rest of the game is searched cheaply. 1 for never.
    #[arg(long, value_name = "VALUE", default_value_t = 0.9, value_parser = parse_share)]
    decided: f32,

    /// Share of games that start at positions of the last generation's games.
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    archive_share: f64,

    /// Number of games that a thread plays at once, with common batches of evaluations.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = value_parser!(u16).range(1..=1024))]
    interleave: u16,

    /// Number of random decisions at the start of each game: a number or a range.
    #[arg(long, value_name = "MIN-MAX", default_value = "0-6", value_parser = parse_range)]
    opening_plies: RangeInclusive<u32>,

    /// Size of the network: tiny, small, base or seed.
    #[arg(long, value_name = "NAME", default_value_t = PvPreset::Small)]
    preset: PvPreset,

    /// Weight of the game's result in the target of the value.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = parse_share)]
    result_share: f32,

    /// How much of the searches' part of the target comes from later decisions.
    #[arg(long, value_name = "SHARE", default_value_t = PvLabels::default().lambda, value_parser = parse_share)]
    lambda: f32,

    /// Share of positions without a policy that are learned from.
    #[arg(long, value_name = "SHARE", default_value_t = PvLabels::default().value_rows, value_parser = parse_share)]
    value_rows: f32,

    /// How often a new row is learned from, on average.
    #[arg(long, value_name = "N", default_value_t = 4.0)]
    reuse: f64,

    /// The most training steps of a generation.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    steps: u64,

    /// Number of rows per step.
    #[arg(long, value_name = "N", default_value_t = PvRunOptions::training().batch)]
    batch: usize,

    /// The highest learning rate.
    #[arg(long, value_name = "RATE", default_value_t = PvRunOptions::training().learning_rate)]
    learning_rate: f32,

    /// The learning rate at the end of a generation.
    #[arg(long, value_name = "RATE", default_value_t = PvRunOptions::training().last_rate)]
    last_rate: f32,

    /// Decay of the moving average of the weights.
    #[arg(long, value_name = "SHARE", default_value_t = 0.99)]
    average: f32,

    /// Simulations per decision in matches for promotion and against the panel.
    #[arg(long, value_name = "N", default_value_t = 32)]
    gate_sims: u32,

    /// The most games of a match for promotion.
    #[arg(long, value_name = "G", default_value_t = 100)]
    gate_games: u64,

    /// Opponents of every network, besides older bests.
    #[arg(long, value_name = "SPEC", value_parser = agents::parse, num_args = 1.., default_values = ["random", "heuristic"])]
    panel: Vec<Spec>,

    /// Number of games against each of them; 0 for no panel.
    #[arg(long, value_name = "G", default_value_t = 40)]
    panel_games: u64,

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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Game {
    Ringrift,
    Go,
}

impl Args {
    /// What is played, with names.
    fn configs(&self) -> anyhow::Result<Vec<(String, Config)>> {
        let config = |kind, settings: &[(&'static str, String)]| {
            let mut options = Options::new(kind);
            settings.iter().try_for_each(|(name, value)| options.parse(name, value))?;
            options.config()
        };
        let mut configs = Vec::new();
        match self.game {
            Game::Go => {
                for size in &self.size {
                    let config = config(GameKind::Go, &[("size", size.to_string())])?;
                    configs.push((format!("{size}x{size}"), config));
                }
            }
            Game::Ringrift => {
                for board in &self.board {
                    for players in &self.players {
                        let settings = [("board", board.clone()), ("players", players.to_string())];
                        let config = config(GameKind::RingRift, &settings)?;
                        let several = self.board.len() > 1;
                        let name =
                            if several { format!("{board}-{players}p") } else { format!("{players}p") };
                        configs.push((name, config));
                    }
                }
            }
        }
        Ok(configs)
    }

    pub(super) fn options(&self) -> anyhow::Result<PvPipelineOptions> {
        let threads = self.threads.map_or_else(playing::cores, usize::from);
        Ok(PvPipelineOptions {
            configs: self.configs()?,
            generations: self.generations,
            start: self.start.clone(),
            window: Some(self.window).filter(|&window| window > 0),
            warm: !self.from_scratch,
            games: self.games,
            sims: self.sims.clone(),
            cheap_sims: self.cheap_sims,
            full_share: self.full_share,
            decided: Some(self.decided).filter(|&value| value < 1.0),
            archive_share: self.archive_share,
            interleave: self.interleave.into(),
            opening: self.opening_plies.clone(),
            preset: self.preset,
            labels: PvLabels {
                result_share: self.result_share,
                lambda: self.lambda,
                value_rows: self.value_rows,
                ..PvLabels::default()
            },
            train: TrainOptions {
                batch: self.batch.max(1),
                steps: self.steps,
                learning_rate: self.learning_rate,
                last_rate: self.last_rate,
                average: self.average,
                ..PvRunOptions::training()
            },
            reuse: self.reuse,
            block_bytes: self.memory << 20,
            gate_sims: self.gate_sims,
            gate_games: self.gate_games,
            panel: self.panel.clone(),
            panel_games: self.panel_games,
            seed: self.seed,
            threads,
        })
    }
}
