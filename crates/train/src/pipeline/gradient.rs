//! The learning loop of networks of moves: a search guided by the best network plays, and the values and probabilities that
//! it gives to moves are learned.

use std::path::{Path, PathBuf};

use lab::atomic_file;
use ladder::{Kind, Models, Spec};
use nn::{EbmoPreset, EbmoWeights, GmoLossWeights, GmoShape};
use record::Config;
use serde_json::{Value, json};

use super::{Lesson, Recipe, Report, Table};
use crate::{
    EbmoObjective, EbmoRunOptions, GmoLabelOptions, GmoRunOptions, Progress, PvLabels, ReadOptions,
    TrainError, TrainOptions, run_ebmo, run_gmo,
};

/// Options of the loop.
#[derive(Clone, Debug)]
pub struct GradientPipelineOptions {
    /// The kind of agent: one of those that follow gradients.
    pub kind: Kind,
    /// What is played.
    pub config: Config,
    /// The number of generations.
    pub generations: u32,
    /// The number of generations whose games are learned from, counted from the newest; `None` for all.
    pub window: Option<u32>,
    /// The network to start with, by name, hash or file; `None` to start without one.
    pub start: Option<String>,
    /// The net whose values lead self-play, by name, hash or file; `None` for the heuristic.
    pub values: Option<String>,
    /// The number of games of a generation.
    pub games: u64,
    /// The simulations of a decision in self-play.
    pub sims: u32,
    /// The range of the number of random decisions in an opening.
    pub opening: std::ops::RangeInclusive<u32>,
    /// Passes over the games of the window.
    pub epochs: u64,
    /// How networks are trained; the number of steps follows from the epochs.
    pub train: TrainOptions,
    /// The sizes of networks of gradient move optimisation.
    pub shape: GmoShape,
    /// The size of networks of energies.
    pub preset: EbmoPreset,
    /// The memory for rows, in bytes.
    pub block_bytes: usize,
    /// The most games of a gate.
    pub gate_games: u64,
    /// The opponents of every network, besides old bests.
    pub panel: Vec<Spec>,
    /// The number of games against each of them; 0 for no panel.
    pub panel_games: u64,
    /// The seed of everything.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
}

impl GradientPipelineOptions {
    fn agent(text: &str) -> Result<Spec, TrainError> {
        text.parse().map_err(|error: ladder::SpecError| TrainError::Options(format!("{text}: {error}")))
    }

    /// How the network of a generation is trained.
    fn training(&self, lesson: &Lesson<'_>) -> (ReadOptions, TrainOptions) {
        let seed = game::derive_seed(self.seed, lesson.number.into(), 0);
        let read = ReadOptions {
            block_bytes: self.block_bytes,
            threads: self.threads,
            seed,
            validation_rows: if self.kind == Kind::Ebmo { 2_000 } else { 20_000 },
        };
        (read, TrainOptions { steps: 0, threads: self.threads, seed, ..self.train.clone() })
    }
}

impl Recipe for GradientPipelineOptions {
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
        let panel: Vec<String> = self.panel.iter().map(Spec::to_string).collect();
        let size = if self.kind == Kind::Ebmo {
            json!(self.preset.name())
        } else {
            let graph = self.shape.graph.as_ref().map(|graph| [graph.width, graph.heads, graph.layers]);
            json!([[self.shape.state, self.shape.moves, self.shape.hidden], graph])
        };
        let own = json!({
            "kind": self.kind.name(),
            "config": self.config,
            "start": self.start,
            "values": self.values,
            "window": self.window,
            "games": self.games,
            "sims": self.sims,
            "opening": [self.opening.start(), self.opening.end()],
            "epochs": self.epochs,
            "size": size,
            "gate_games": self.gate_games,
            "panel": panel,
            "panel_games": self.panel_games,
        });
        let train = TrainOptions { seed: self.seed, threads: 0, ..self.train.clone() };
        let parts = [train.resolved(), own];
        parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten().collect()
    }

    fn tables(&self) -> Result<Vec<Table>, TrainError> {
        let name = format!("{}p", self.config.seats());
        Ok(vec![Table { name, config: self.config.clone(), games: self.games, key: 1 }])
    }

    fn start(&self, folder: &Path, models: &Models) -> Result<Option<PathBuf>, TrainError> {
        let Some(name) = &self.start else { return Ok(None) };
        let path = folder.join("start.safetensors");
        if !path.exists() {
            let model = models.get(name, lab::venue(&self.config));
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
        let values = self.values.as_ref().map_or_else(String::new, |net| format!(",net={net}"));
        let policy = best.map_or_else(String::new, |net| format!(",policy={net}"));
        let text = format!("gumbel(sims={},leaves=prior,gumbel_noise=1{values}{policy})", self.sims);
        Ok(selfplay::Options {
            opening: self.opening.clone(),
            // All of them: the policy of a search is a distribution over all moves.
            candidates: usize::from(u16::MAX),
            shard_games: 250,
            ..selfplay::Options::new(table.config.clone(), Self::agent(&text)?)
        })
    }

    fn relabelling(&self, _: Option<&str>) -> Result<Option<Spec>, TrainError> {
        Ok(None)
    }

    fn train(
        &self,
        lesson: &Lesson<'_>,
        progress: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<crate::Finished, TrainError> {
        let (read, train) = self.training(lesson);
        let (data, out) = (lesson.data.to_vec(), lesson.out.to_owned());
        if self.kind == Kind::Ebmo {
            let options = EbmoRunOptions {
                data,
                out,
                preset: self.preset,
                start: None,
                objective: EbmoObjective::Softmax,
                weights: EbmoWeights::default(),
                labels: PvLabels::default(),
                read,
                train,
                epochs: self.epochs,
                report_every: 100,
                checkpoint_every: 200,
            };
            return run_ebmo(&options, progress);
        }
        let options = GmoRunOptions {
            data,
            out,
            seed_encoder: false,
            shape: self.shape.clone(),
            start: None,
            labels: GmoLabelOptions::default(),
            weights: GmoLossWeights::default(),
            dropout: 0.1,
            read,
            train,
            epochs: self.epochs,
            report_every: 100,
            checkpoint_every: 500,
        };
        run_gmo(&options, progress)
    }

    /// Without a network, the heuristic plays.
    fn contender(&self, net: Option<&str>) -> Result<Spec, TrainError> {
        let Some(net) = net else { return Self::agent("heuristic") };
        Self::agent(&format!("{}(net={net})", self.kind))
    }

    fn gate_games(&self) -> u64 {
        self.gate_games
    }

    fn panel(&self) -> (&[Spec], u64) {
        (&self.panel, self.panel_games)
    }
}
