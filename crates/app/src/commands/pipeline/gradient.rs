//! `riftlab pipeline gmo`, `ig-gmo` and `ebmo`: the learning loops of networks of moves.

use std::{ops::RangeInclusive, path::PathBuf};

use clap::value_parser;
use ladder::{Kind, Models};
use nn::EbmoPreset;
use train::{EbmoRunOptions, GmoRunOptions, TrainOptions, pipeline::GradientPipelineOptions};

use super::super::{selfplay::parse_range, tournament::Specs};
use crate::{agents, learning::RecordArgs, playing, rule_args::RuleArgs};

/// Improve a network of moves.
///
/// Every generation plays games by a Gumbel search whose policy is the best network so far, learns the values and probabilities
/// that the search gave to moves, and plays a match against the best network, or against the heuristic if there is none
/// yet. All results are in the folder: games, networks, curves, matches, and a report. After an interruption, the same
/// command resumes; with more --iterations, it continues.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder of the loop.
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,

    /// Number of generations.
    #[arg(long, visible_alias = "generations", value_name = "K", default_value_t = 3)]
    iterations: u32,

    /// Number of games per generation.
    #[arg(long, visible_alias = "num-games", value_name = "G", default_value_t = 500, value_parser = value_parser!(u64).range(1..))]
    games: u64,

    /// Number of passes over the games per generation.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u64).range(1..=100_000))]
    epochs: u64,

    /// Number of generations whose games are learned from, counted from the newest; 0 for all.
    #[arg(long, value_name = "K", default_value_t = 0)]
    window: u32,

    /// Network to start with: a name, hash or file.
    #[arg(long, value_name = "NET")]
    start: Option<String>,

    /// Net whose values lead self-play: a name, hash or file, or none for the heuristic [default: nnue where one is shipped]
    #[arg(long, value_name = "NET")]
    values: Option<String>,

    /// Simulations per decision in self-play.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(2..))]
    sims: u32,

    /// Number of random decisions at the start of each game: a number or a range.
    #[arg(long, value_name = "MIN-MAX", default_value = "2-16", value_parser = parse_range)]
    opening_plies: RangeInclusive<u32>,

    /// Size of a network of energies: tiny, small or seed.
    #[arg(long, value_name = "NAME", default_value_t = EbmoPreset::Small)]
    preset: EbmoPreset,

    /// The highest learning rate.
    #[arg(long, visible_alias = "learning-rate", value_name = "RATE", default_value_t = 1e-3)]
    lr: f32,

    /// The most games of a match for promotion.
    #[arg(long, value_name = "G", default_value_t = 100)]
    gate_games: u64,

    /// Opponents that every network plays, separated by commas.
    #[arg(long, value_name = "SPEC,SPEC,…", default_value = "random,heuristic", value_parser = agents::parse_list)]
    panel: Specs,

    /// Number of games against each of them; 0 for none.
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

    #[command(flatten)]
    game: RuleArgs,
}

impl Args {
    pub(super) fn options(&self, kind: Kind) -> anyhow::Result<GradientPipelineOptions> {
        let config = self.game.agents_only()?;
        let shipped = || Models::shipped_for("nnue", lab::venue(&config)).map(|model| model.hash.clone());
        let values = match self.values.as_deref() {
            None => shipped(),
            Some("none") => None,
            Some(name) => Some(name.to_owned()),
        };
        let defaults =
            if kind == Kind::Ebmo { EbmoRunOptions::training() } else { GmoRunOptions::training() };
        Ok(GradientPipelineOptions {
            kind,
            config,
            generations: self.iterations,
            window: Some(self.window).filter(|&window| window > 0),
            start: self.start.clone(),
            values,
            games: self.games,
            sims: self.sims,
            opening: self.opening_plies.clone(),
            epochs: self.epochs,
            train: TrainOptions { learning_rate: self.lr, last_rate: 0.01 * self.lr, ..defaults },
            shape: match kind {
                Kind::IgGmo => GmoRunOptions::graph_shape(),
                _ => GmoRunOptions::default_shape(),
            },
            preset: self.preset,
            block_bytes: self.memory << 20,
            gate_games: self.gate_games,
            panel: self.panel.clone(),
            panel_games: self.panel_games,
            seed: self.seed,
            threads: self.threads.map_or_else(playing::cores, usize::from),
        })
    }
}
