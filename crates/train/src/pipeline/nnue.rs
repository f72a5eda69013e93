//! The learning loop of the network of alpha-beta search.

use std::path::{Path, PathBuf};

use lab::atomic_file;
use ladder::{Models, Spec};
use record::{Config, GameKind, Options};
use ringrift::Board;
use serde_json::{Value, json};

use super::{Lesson, Recipe, Report, Table};
use crate::{Encoder, Progress, RunOptions, SourceOptions, TrainError, TrainOptions, run::run as train};

/// Options of the learning loop.
#[derive(Clone, Debug)]
pub struct PipelineOptions {
    /// The board.
    pub board: Board,
    /// The numbers of players whose games are learned from; the gate decides by the first.
    pub players: Vec<u8>,
    /// The number of generations.
    pub generations: u32,
    /// The network that plays and is improved in generation 0, by name, hash or file; `None` for the heuristic.
    pub start: Option<String>,
    /// The number of generations whose games are learned from, counted from the newest; `None` for all.
    pub window: Option<u32>,
    /// Whether training starts from the best network so far instead of random weights.
    pub warm: bool,
    /// The number of games of a generation, split over the numbers of players: half for the first, the rest evenly.
    pub games: u64,
    /// The nodes per decision of self-play.
    pub nodes: u64,
    /// The number of positions stored with each decision, out of those at which the search calls its evaluator.
    pub leaves: usize,
    /// The nodes with which older games are labelled again, or `None` to leave their values.
    pub relabel_nodes: Option<u64>,
    /// The range of the number of random decisions in an opening.
    pub opening: std::ops::RangeInclusive<u32>,
    /// The number of neurons per seat.
    pub hidden: usize,
    /// How networks are trained; the number of steps is that of generation 0.
    pub train: TrainOptions,
    /// How many more steps every later generation takes, as a share of those of generation 0.
    pub growth: f64,
    /// How rows are read.
    pub source: SourceOptions,
    /// The nodes per decision in gates.
    pub gate_nodes: u64,
    /// The most games of a gate.
    pub gate_games: u64,
    /// The seed of everything.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
}

impl PipelineOptions {
    /// The configuration of games for a number of players.
    fn config(&self, seats: u8) -> Result<Config, TrainError> {
        let mut options = Options::new(GameKind::RingRift);
        let set = options
            .parse("board", self.board.name())
            .and_then(|()| options.parse("players", &seats.to_string()))
            .and_then(|()| options.config());
        set.map_err(|error| TrainError::Options(error.to_string()))
    }

    /// The number of games per generation with this number of players.
    fn games(&self, seats: u8) -> u64 {
        let others = self.players.len() as u64 - 1;
        if others == 0 {
            return self.games;
        }
        if seats == self.players[0] { self.games / 2 } else { (self.games / 2).div_ceil(others) }
    }

    /// Alpha-beta search with a budget and a network, or with the heuristic.
    fn agent(nodes: u64, net: Option<&str>) -> Result<Spec, TrainError> {
        let net = net.map_or_else(String::new, |net| format!(",net={net}"));
        let text = format!("minimax(nodes={nodes}{net})");
        text.parse().map_err(|error: ladder::SpecError| TrainError::Options(format!("{text}: {error}")))
    }

    /// How a generation is trained.
    fn training(&self, lesson: &Lesson<'_>) -> RunOptions {
        let number = lesson.number;
        let growth = 1.0 + self.growth * f64::from(number);
        let steps = (self.train.steps as f64 * growth) as u64;
        let seed = game::derive_seed(self.seed, number.into(), 0);
        RunOptions {
            data: lesson.data.to_vec(),
            out: lesson.out.to_owned(),
            hidden: self.hidden,
            layers: Vec::new(),
            activation: nn::Activation::SquaredClippedRelu,
            start: lesson.best.filter(|_| self.warm).map(Path::to_owned),
            factorise: true,
            own_decay: None,
            source: SourceOptions { seed, ..self.source },
            train: TrainOptions { steps, seed, ..self.train.clone() },
            report_every: 200,
            checkpoint_every: 1_000,
        }
    }
}

impl Recipe for PipelineOptions {
    fn generations(&self) -> u32 {
        self.generations
    }

    fn window(&self) -> Option<u32> {
        self.window
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn resolved(&self) -> Value {
        json!({
            "board": self.board.name(),
            "players": self.players,
            "games": self.games,
            "nodes": self.nodes,
            "leaves": self.leaves,
            "start": self.start,
            "window": self.window,
            "warm": self.warm,
            "relabel_nodes": self.relabel_nodes,
            "opening": [self.opening.start(), self.opening.end()],
            "hidden": self.hidden,
            "hybrid": self.source.encoder == Encoder::Hybrid,
            "stages": self.source.stages,
            "result_share": self.source.result_share,
            "batch": self.train.batch,
            "steps": self.train.steps,
            "growth": self.growth,
            "learning_rate": self.train.learning_rate,
            "last_rate": self.train.last_rate,
            "weight_decay": self.train.optimiser.weight_decay,
            "average": self.train.average,
            "prioritised": self.train.prioritised,
            "gate_nodes": self.gate_nodes,
            "gate_games": self.gate_games,
            "seed": self.seed,
        })
    }

    fn tables(&self) -> Result<Vec<Table>, TrainError> {
        let table = |&seats: &u8| {
            let (name, key) = (format!("{seats}p"), seats.into());
            Ok(Table { name, config: self.config(seats)?, games: self.games(seats), key })
        };
        self.players.iter().map(table).collect()
    }

    fn start(&self, folder: &Path, models: &Models) -> Result<Option<PathBuf>, TrainError> {
        let Some(name) = &self.start else { return Ok(None) };
        let path = folder.join("start.safetensors");
        if !path.exists() {
            let model = models.get(name, lab::venue(&self.config(self.players[0])?));
            let model = model.map_err(|error| TrainError::Options(error.to_string()))?;
            atomic_file::write(&path, model.bytes())
                .map_err(|source| TrainError::Io { path: path.clone(), source })?;
        }
        Ok(Some(path))
    }

    fn selfplay(
        &self,
        table: &Table,
        best: Option<&str>,
        _: &Report,
    ) -> Result<selfplay::Options, TrainError> {
        let teacher = Self::agent(self.nodes, best)?;
        Ok(selfplay::Options {
            opening: self.opening.clone(),
            leaves: self.leaves,
            shard_games: 250,
            ..selfplay::Options::new(table.config.clone(), teacher)
        })
    }

    fn relabelling(&self, best: Option<&str>) -> Result<Option<Spec>, TrainError> {
        self.relabel_nodes.map(|nodes| Self::agent(nodes, best)).transpose()
    }

    fn train(
        &self,
        lesson: &Lesson<'_>,
        progress: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<crate::Finished, TrainError> {
        train(&self.training(lesson), progress)
    }

    fn contender(&self, net: Option<&str>) -> Result<Spec, TrainError> {
        Self::agent(self.gate_nodes, net)
    }

    fn gate_games(&self) -> u64 {
        self.gate_games
    }
}
