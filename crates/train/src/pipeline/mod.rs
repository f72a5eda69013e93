//! The learning loop: self-play, relabelling, training, gate, promotion.
//!
//! Generation 0 learns from games of the heuristic or of a given network; every later one from games of the best network
//! so far, and from older games, with new values if wanted. A new network is promoted unless a match against the best one says that it is worse. All
//! state is in files: every step is skipped if its result exists and continues if it is incomplete, so a killed loop is
//! resumed by the same command.

mod gate;
mod options;
mod report;

use std::{
    fs,
    path::{Path, PathBuf},
};

use ladder::{Models, Spec};
use search::Stop;
use selfplay::{DataFolder, Plan, Relabelling, Statistics, Work};

use crate::{Progress, RunOptions, TrainError, run::run as train};

pub use gate::{GateResult, Verdict};
pub use options::PipelineOptions;
pub use report::{Generation, Report};

/// What the loop is doing.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// Playing games: the folder, the games in it, the games wanted, and the statistics of this run.
    SelfPlay(&'a Path, u64, u64, &'a Statistics),
    /// Training.
    Train(&'a Progress),
    /// Playing the match that decides about promotion: the games played and the score of the new network.
    Gate(u64, f64),
    /// A generation is complete.
    Complete(&'a Generation),
}

/// How the loop ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The generations so far.
    pub report: Report,
    /// Whether all generations are complete, or the loop ended because networks no longer improve.
    pub complete: bool,
    /// Whether two networks in a row were worse than the best one.
    pub regressed: bool,
}

/// Two rejected networks in a row end the loop.
const PATIENCE: usize = 2;

/// Runs the loop in `folder` until all generations are complete or `stop` is raised.
///
/// # Errors
/// If a step fails, or the folder belongs to a loop with other options.
pub fn run(
    folder: &Path,
    options: &PipelineOptions,
    models: &Models,
    stop: &Stop,
    observer: &mut dyn FnMut(u32, Stage<'_>),
) -> Result<Finished, TrainError> {
    fs::create_dir_all(folder).map_err(|source| TrainError::Io { path: folder.to_owned(), source })?;
    options.write_or_check(&folder.join("config.json"))?;
    let start = options.write_start(folder, models)?;
    let mut report = Report::read(folder)?;
    for number in 0..options.generations {
        if report.generations.len() > number as usize {
            continue;
        }
        if report.rejected_in_a_row() >= PATIENCE {
            return Ok(Finished { report, complete: true, regressed: true });
        }
        let loop_step =
            Step { folder, options, models, stop, number, best: report.best(folder).or(start.clone()) };
        let Some(generation) = loop_step.run(observer)? else {
            return Ok(Finished { report, complete: false, regressed: false });
        };
        observer(number, Stage::Complete(&generation));
        report.push(folder, generation)?;
    }
    let regressed = report.rejected_in_a_row() >= PATIENCE;
    Ok(Finished { report, complete: true, regressed })
}

/// One turn of the loop.
struct Step<'a> {
    folder: &'a Path,
    options: &'a PipelineOptions,
    models: &'a Models,
    stop: &'a Stop,
    number: u32,
    /// The file of the best network so far, if there is one.
    best: Option<PathBuf>,
}

impl Step<'_> {
    /// Returns `None` if it was stopped.
    fn run(&self, observer: &mut dyn FnMut(u32, Stage<'_>)) -> Result<Option<Generation>, TrainError> {
        let mut data = Vec::new();
        for &seats in &self.options.players {
            let plan = Plan::new(
                self.options.selfplay(seats, self.number, &self.teacher()?)?,
                Vec::new(),
                self.models,
            )?;
            let path = self.path(self.number, &format!("games-{seats}p"));
            if !self.fill(&path, &plan, self.options.games(seats), observer)? {
                return Ok(None);
            }
            data.push(path);
        }
        let games = self.options.players.iter().map(|&seats| self.options.games(seats)).sum();
        let oldest = self.options.window.map_or(0, |window| (self.number + 1).saturating_sub(window));
        for old in oldest..self.number {
            for &seats in &self.options.players {
                let path = self.path(old, &format!("games-{seats}p"));
                let Some(nodes) = self.options.relabel_nodes else {
                    data.push(path);
                    continue;
                };
                let label = PipelineOptions::agent(nodes, self.best_net().as_deref())?;
                let work = Relabelling::new(DataFolder::open(&path)?, &label, self.models)?;
                let relabelled = self.path(self.number, &format!("games-{seats}p-of-{old:02}"));
                if !self.fill(&relabelled, &work, work.games(), observer)? {
                    return Ok(None);
                }
                data.push(relabelled);
            }
        }
        let net = self.path(self.number, "net.safetensors");
        let start = self.best.clone().filter(|_| self.options.warm);
        let options = RunOptions { data, out: net.clone(), start, ..self.options.training(self.number) };
        let trained = train(&options, &mut |progress| {
            observer(self.number, Stage::Train(progress));
            !self.stop.is_raised()
        })?;
        let (Some(hash), Some(last)) = (trained.hash, trained.last) else { return Ok(None) };
        let mut gates = Vec::new();
        for &seats in &self.options.players {
            let file = self.path(self.number, &format!("gate-{seats}p.jsonl.zst"));
            let result = self.options.gate(
                seats,
                self.number,
                &net,
                self.best_net().as_deref(),
                &file,
                self.models,
                self.stop,
                &mut |games, score| {
                    observer(self.number, Stage::Gate(games, score));
                },
            )?;
            let Some(result) = result else { return Ok(None) };
            gates.push(result);
        }
        let promoted = gates[0].verdict != Verdict::Rejected;
        Ok(Some(Generation {
            number: self.number,
            net: net.strip_prefix(self.folder).unwrap_or(&net).to_owned(),
            hash,
            games,
            rows: trained.rows,
            validation_loss: last.validation_loss,
            training_loss: last.training_loss,
            gates,
            promoted,
        }))
    }

    /// The agent whose games are learned from.
    fn teacher(&self) -> Result<Spec, TrainError> {
        PipelineOptions::agent(self.options.nodes, self.best_net().as_deref())
    }

    /// The best network so far, as agents name it.
    fn best_net(&self) -> Option<String> {
        self.best.as_ref().map(|best| best.display().to_string())
    }

    fn path(&self, generation: u32, name: &str) -> PathBuf {
        self.folder.join(format!("generation-{generation:02}")).join(name)
    }

    /// Works until the folder has all games. Returns whether it has.
    fn fill(
        &self,
        path: &Path,
        work: &dyn Work,
        games: u64,
        observer: &mut dyn FnMut(u32, Stage<'_>),
    ) -> Result<bool, TrainError> {
        let mut data = DataFolder::create(path, work.resolved())?;
        let progress = &mut |count: u64, statistics: &Statistics| {
            observer(self.number, Stage::SelfPlay(path, count, games, statistics));
        };
        let finished = selfplay::run(work, &mut data, games, self.options.threads, self.stop, progress)?;
        Ok(finished.complete)
    }
}
