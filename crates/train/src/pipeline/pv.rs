//! The learning loop of policy and value networks: Gumbel search plays, its improved policies and values are learned.

use std::path::{Path, PathBuf};

use lab::atomic_file;
use ladder::{Models, Spec};
use nn::{PvNet, PvPreset, PvWeights};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::Config;
use serde_json::{Value, json};

use super::{Lesson, Recipe, Report, Table};
use crate::{
    Progress, PvLabels, PvPlanes, PvRunOptions, ReadOptions, RowStore, Source, TrainError, TrainOptions,
    run_pv,
};

/// Options of the loop.
#[derive(Clone, Debug)]
pub struct PvPipelineOptions {
    /// What is played, each with its name. All must have the same encoder; gates are decided by the first.
    pub configs: Vec<(String, Config)>,
    /// The number of generations.
    pub generations: u32,
    /// The network that plays generation 0, by name, hash or file; `None` for random weights.
    pub start: Option<String>,
    /// The number of generations whose games are learned from, counted from the newest; `None` for all.
    pub window: Option<u32>,
    /// Whether training starts from the best network so far instead of random weights.
    pub warm: bool,
    /// The number of games of a generation, split over what is played: half for the first, the rest evenly.
    pub games: u64,
    /// The simulations of full searches. A loop begins with the first, and goes on to the next when its networks no longer
    /// improve against the panel.
    pub sims: Vec<u32>,
    /// The simulations of cheap searches, which have no policy to learn.
    pub cheap_sims: u32,
    /// The share of full searches.
    pub full_share: f64,
    /// The value above which a game is as good as decided; `None` to search all games to their end.
    pub decided: Option<f32>,
    /// The share of games that start at positions of the last generation's games.
    pub archive_share: f64,
    /// The number of games that a thread plays at once.
    pub interleave: usize,
    /// The range of the number of random decisions in an opening.
    pub opening: std::ops::RangeInclusive<u32>,
    /// The size of networks.
    pub preset: PvPreset,
    /// How targets are computed.
    pub labels: PvLabels,
    /// How networks are trained; the number of steps is the most of a generation.
    pub train: TrainOptions,
    /// How often a new row is learned from, on average.
    pub reuse: f64,
    /// The memory for rows, in bytes.
    pub block_bytes: usize,
    /// The simulations per decision in gates and against the panel.
    pub gate_sims: u32,
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

/// A network improves against the panel if its mean score exceeds the best before by this much.
const IMPROVEMENT: f64 = 0.01;

/// Two generations without an improvement are flat.
const PATIENCE: usize = 2;

/// What follows from the generations so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Course {
    /// The index of the simulations of full searches; beyond the last if even those no longer help.
    level: usize,
    /// How often a new row is learned from.
    pub(super) reuse: f64,
}

impl PvPipelineOptions {
    fn agent(text: &str) -> Result<Spec, TrainError> {
        text.parse().map_err(|error: ladder::SpecError| TrainError::Options(format!("{text}: {error}")))
    }

    /// A flat panel asks for deeper searches; a loss that rises twice on games kept apart asks for less reuse.
    pub(super) fn course(&self, report: &Report) -> Course {
        let (mut level, mut best, mut flat) = (0, f64::NEG_INFINITY, 0);
        let (mut reuse, mut last, mut rises) = (self.reuse, f32::INFINITY, 0);
        for generation in &report.generations {
            let fixed = &generation.panel[..self.panel.len().min(generation.panel.len())];
            if !fixed.is_empty() {
                let mean = fixed.iter().map(|result| result.score).sum::<f64>() / fixed.len() as f64;
                flat = if mean > best + IMPROVEMENT { 0 } else { flat + 1 };
                best = best.max(mean);
                if flat == PATIENCE {
                    // Targets of deeper searches have other losses, which do not compare.
                    (level, flat, last, rises) = (level + 1, 0, f32::INFINITY, 0);
                }
            }
            rises = if generation.validation_loss > last { rises + 1 } else { 0 };
            last = generation.validation_loss;
            if rises == PATIENCE {
                (reuse, rises) = ((reuse / 2.0).max(1.0), 0);
            }
        }
        Course { level, reuse }
    }

    pub(super) fn sims(&self, report: &Report) -> u32 {
        let level = self.course(report).level.min(self.sims.len() - 1);
        self.sims[level]
    }

    fn read(&self, seed: u64) -> ReadOptions {
        ReadOptions {
            block_bytes: self.block_bytes,
            threads: self.threads,
            seed,
            validation_rows: PvRunOptions::VALIDATION_ROWS,
        }
    }

    /// The number of rows of new games, of one pass.
    fn rows(&self, folders: &[PathBuf]) -> Result<usize, TrainError> {
        let mut source =
            Source::open_positions(folders, PvPlanes::Default, &self.labels, self.read(self.seed))?;
        let (mut rows, mut block) = (0, 0);
        while let Some(count) = source.with_block(0, block, |rows| Ok(rows.len()))? {
            (rows, block) = (rows + count, block + 1);
        }
        Ok(rows)
    }
}

impl Recipe for PvPipelineOptions {
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
        let configs: Vec<&Config> = self.configs.iter().map(|(_, config)| config).collect();
        let panel: Vec<String> = self.panel.iter().map(Spec::to_string).collect();
        let own = json!({
            "configs": configs,
            "start": self.start,
            "window": self.window,
            "warm": self.warm,
            "games": self.games,
            "sims": self.sims,
            "cheap_sims": self.cheap_sims,
            "full_share": self.full_share,
            "decided": self.decided,
            "archive_share": self.archive_share,
            "opening": [self.opening.start(), self.opening.end()],
            "preset": self.preset.name(),
            "reuse": self.reuse,
            "gate_sims": self.gate_sims,
            "gate_games": self.gate_games,
            "panel": panel,
            "panel_games": self.panel_games,
        });
        let train = TrainOptions { seed: self.seed, threads: 0, ..self.train.clone() };
        let parts = [self.labels.resolved(), train.resolved(), own];
        parts.into_iter().filter_map(|part| part.as_object().cloned()).flatten().collect()
    }

    fn tables(&self) -> Result<Vec<Table>, TrainError> {
        let others = self.configs.len() as u64 - 1;
        let table = |(index, (name, config)): (usize, &(String, Config))| {
            let games = match (others, index) {
                (0, _) => self.games,
                (_, 0) => self.games / 2,
                _ => (self.games / 2).div_ceil(others),
            };
            Table { name: name.clone(), config: config.clone(), games, key: index as u64 + 1 }
        };
        Ok(self.configs.iter().enumerate().map(table).collect())
    }

    /// Random weights unless there is a network to start with.
    fn start(&self, folder: &Path, models: &Models) -> Result<Option<PathBuf>, TrainError> {
        let path = folder.join("start.safetensors");
        if path.exists() {
            return Ok(Some(path));
        }
        let config = &self.configs[0].1;
        let bytes = if let Some(name) = &self.start {
            let model = models.get(name, lab::venue(config));
            model.map_err(|error| TrainError::Options(error.to_string()))?.bytes().to_vec()
        } else {
            let (encoder, shape) = crate::pv::shape(config, self.preset)?;
            let net = PvNet::random(&shape, &mut Xoshiro256PlusPlus::seed_from_u64(self.seed));
            let provenance = [("start".to_owned(), "random weights".to_owned())].into();
            net.to_file(&encoder, provenance).to_bytes()
        };
        atomic_file::write(&path, bytes).map_err(|source| TrainError::Io { path: path.clone(), source })?;
        Ok(Some(path))
    }

    fn selfplay(
        &self,
        table: &Table,
        best: Option<&str>,
        report: &Report,
    ) -> Result<selfplay::Options, TrainError> {
        let net = best.unwrap_or_default();
        let full = format!("gumbel(sims={},gumbel_noise=1,net={net})", self.sims(report));
        let cheap = format!("gumbel(sims={},net={net})", self.cheap_sims);
        Ok(selfplay::Options {
            cheap: (self.full_share < 1.0).then(|| Self::agent(&cheap)).transpose()?,
            full_share: self.full_share,
            decided: self.decided,
            interleave: self.interleave,
            opening: self.opening.clone(),
            archive_share: self.archive_share,
            // All of them: the policy of a search is a distribution over all moves.
            candidates: usize::from(u16::MAX),
            shard_games: 250,
            ..selfplay::Options::new(table.config.clone(), Self::agent(&full)?)
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
        let wanted = self.course(lesson.report).reuse * self.rows(lesson.new)? as f64;
        let steps = (wanted / self.train.batch as f64).ceil().max(1.0) as u64;
        let seed = game::derive_seed(self.seed, lesson.number.into(), 0);
        let options = PvRunOptions {
            data: lesson.data.to_vec(),
            out: lesson.out.to_owned(),
            planes: PvPlanes::Default,
            preset: self.preset,
            start: lesson.best.filter(|_| self.warm).map(Path::to_owned),
            labels: self.labels,
            weights: PvWeights::default(),
            read: self.read(seed),
            train: TrainOptions {
                steps: steps.min(self.train.steps),
                threads: self.threads,
                seed,
                ..self.train.clone()
            },
            report_every: 100,
            checkpoint_every: 200,
        };
        run_pv(&options, progress)
    }

    fn contender(&self, net: Option<&str>) -> Result<Spec, TrainError> {
        Self::agent(&format!("gumbel(sims={},net={})", self.gate_sims, net.unwrap_or_default()))
    }

    fn gate_games(&self) -> u64 {
        self.gate_games
    }

    fn panel(&self) -> (&[Spec], u64) {
        (&self.panel, self.panel_games)
    }

    fn verdict(&self, report: &Report) -> Option<&'static str> {
        let level = self.course(report).level;
        (level >= self.sims.len())
            .then_some("networks no longer improve against the panel, even with the deepest searches")
    }
}
