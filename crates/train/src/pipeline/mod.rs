//! The learning loop: self-play, relabelling, training, gate, promotion.
//!
//! Generation 0 learns from games of the heuristic or of a given network; every later one from games of the best network
//! so far, and from older games, with new values if wanted. A new network is promoted unless a match against the best one
//! says that it is worse, and may play a panel of opponents that stay the same. A [`Recipe`] says how a kind of network is
//! played and trained. All
//! state is in files: every step is skipped if its result exists and continues if it is incomplete, so a killed loop is
//! resumed by the same command.

mod gate;
mod gradient;
mod nnue;
mod pv;
mod recipe;
mod report;
#[cfg(test)]
mod tests;

use std::{
    fs,
    path::{Path, PathBuf},
};

use lab::atomic_file;
use ladder::Models;
use record::GameRecord;
use search::Stop;
use selfplay::{DataFolder, Plan, Relabelling, Statistics, Work};
use serde_json::Value;

use crate::{Progress, TrainError};

pub use gate::{GateResult, Verdict};
pub use gradient::GradientPipelineOptions;
pub use nnue::PipelineOptions;
pub use pv::PvPipelineOptions;
pub use recipe::{Lesson, Recipe, Table};
pub use report::{Generation, Report};

use self::gate::Match;

/// What the loop is doing.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// Playing games: the folder, the games in it, the games wanted, and the statistics of this run.
    SelfPlay(&'a Path, u64, u64, &'a Statistics),
    /// Training.
    Train(&'a Progress),
    /// Playing the match that decides about promotion: the games played and the score of the new network.
    Gate(u64, f64),
    /// Playing the panel: the opponent, the games played and the score of the new network.
    Panel(&'a str, u64, f64),
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
    /// Why else the loop ended before all generations were complete.
    pub ended: Option<&'static str>,
}

/// Two rejected networks in a row end the loop.
const PATIENCE: usize = 2;

/// Runs the loop in `folder` until all generations are complete or `stop` is raised.
///
/// # Errors
/// If a step fails, or the folder belongs to a loop with other options.
pub fn run(
    folder: &Path,
    recipe: &dyn Recipe,
    models: &Models,
    stop: &Stop,
    observer: &mut dyn FnMut(u32, Stage<'_>),
) -> Result<Finished, TrainError> {
    fs::create_dir_all(folder).map_err(|source| TrainError::Io { path: folder.to_owned(), source })?;
    write_or_check(recipe, &folder.join("config.json"))?;
    let start = recipe.start(folder, models)?;
    let mut report = Report::read(folder)?;
    for number in 0..recipe.generations() {
        if report.generations.len() > number as usize {
            continue;
        }
        let regressed = report.rejected_in_a_row() >= PATIENCE;
        let ended = recipe.verdict(&report);
        if regressed || ended.is_some() {
            return Ok(Finished { report, complete: true, regressed, ended });
        }
        let best = report.best(folder).or(start.clone());
        let step = Step { folder, recipe, models, stop, number, best, report: &report };
        let Some(generation) = step.run(observer)? else {
            return Ok(Finished { report, complete: false, regressed: false, ended: None });
        };
        observer(number, Stage::Complete(&generation));
        report.push(folder, generation)?;
    }
    let regressed = report.rejected_in_a_row() >= PATIENCE;
    Ok(Finished { report, complete: true, regressed, ended: None })
}

/// Writes the options on the first run, and compares them on later ones.
fn write_or_check(recipe: &dyn Recipe, path: &Path) -> Result<(), TrainError> {
    let resolved = recipe.resolved();
    let io = |source| TrainError::Io { path: path.to_owned(), source };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return atomic_file::write(path, format!("{resolved:#}\n")).map_err(io);
        }
        Err(error) => return Err(io(error)),
    };
    let found: Value = serde_json::from_str(&text).unwrap_or_default();
    for (field, expected) in resolved.as_object().into_iter().flatten() {
        if found[field] != *expected {
            return Err(TrainError::Options(format!(
                "{} is of another loop: {field} is {} there and {expected} here; choose another folder",
                path.display(),
                found[field]
            )));
        }
    }
    Ok(())
}

/// One turn of the loop.
struct Step<'a> {
    folder: &'a Path,
    recipe: &'a dyn Recipe,
    models: &'a Models,
    stop: &'a Stop,
    number: u32,
    /// The file of the best network so far, if there is one.
    best: Option<PathBuf>,
    report: &'a Report,
}

/// The most games of the last generation that new games start from.
const ARCHIVE_GAMES: usize = 500;

impl Step<'_> {
    /// Returns `None` if it was stopped.
    fn run(&self, observer: &mut dyn FnMut(u32, Stage<'_>)) -> Result<Option<Generation>, TrainError> {
        let tables = self.recipe.tables()?;
        let mut new = Vec::new();
        for table in &tables {
            let path = self.path(self.number, &format!("games-{}", table.name));
            if !self.fill(&path, &self.plan(table)?, table.games, observer)? {
                return Ok(None);
            }
            new.push(path);
        }
        let mut data = new.clone();
        let oldest = self.recipe.window().map_or(0, |window| (self.number + 1).saturating_sub(window));
        for old in oldest..self.number {
            for table in &tables {
                let path = self.path(old, &format!("games-{}", table.name));
                let Some(label) = self.recipe.relabelling(self.best_net().as_deref())? else {
                    data.push(path);
                    continue;
                };
                let work = Relabelling::new(DataFolder::open(&path)?, &label, self.models)?;
                let relabelled = self.path(self.number, &format!("games-{}-of-{old:02}", table.name));
                if !self.fill(&relabelled, &work, work.games(), observer)? {
                    return Ok(None);
                }
                data.push(relabelled);
            }
        }
        let net = self.path(self.number, "net.safetensors");
        let lesson = Lesson {
            number: self.number,
            new: &new,
            data: &data,
            out: &net,
            best: self.best.as_deref(),
            report: self.report,
        };
        let trained = self.recipe.train(&lesson, &mut |progress| {
            observer(self.number, Stage::Train(progress));
            !self.stop.is_raised()
        })?;
        let (Some(hash), Some(last)) = (trained.hash, trained.last) else { return Ok(None) };
        let own = self.recipe.contender(Some(&net.display().to_string()))?;
        let mut gates = Vec::new();
        for table in &tables {
            let contest = Match {
                file: &self.path(self.number, &format!("gate-{}.jsonl.zst", table.name)),
                table,
                agent: &own,
                opponent: &self.recipe.contender(self.best_net().as_deref())?,
                games: self.recipe.gate_games(),
                seed: self.seed(1_000 + table.key),
                threads: self.recipe.threads(),
                is_gate: true,
            };
            let result = contest.play(self.models, self.stop, &mut |games, score| {
                observer(self.number, Stage::Gate(games, score));
            })?;
            let Some(result) = result else { return Ok(None) };
            gates.push(result);
        }
        let Some(panel) = self.panel(&tables[0], &own, observer)? else { return Ok(None) };
        let promoted = gates[0].verdict != Verdict::Rejected;
        Ok(Some(Generation {
            number: self.number,
            net: net.strip_prefix(self.folder).unwrap_or(&net).to_owned(),
            hash,
            games: tables.iter().map(|table| table.games).sum(),
            rows: trained.rows,
            validation_loss: last.validation_loss,
            training_loss: last.training_loss,
            measures: last.measures,
            gates,
            panel,
            promoted,
        }))
    }

    /// How the games of this generation are played.
    fn plan(&self, table: &Table) -> Result<Plan, TrainError> {
        let options = self.recipe.selfplay(table, self.best_net().as_deref(), self.report)?;
        let options = selfplay::Options { seed: self.seed(table.key), ..options };
        let archive = if options.archive_share > 0.0 { self.archive(table)? } else { Vec::new() };
        let archive_share = if archive.is_empty() { 0.0 } else { options.archive_share };
        Ok(Plan::new(selfplay::Options { archive_share, ..options }, archive, self.models)?)
    }

    /// Games of the last generation.
    fn archive(&self, table: &Table) -> Result<Vec<GameRecord>, TrainError> {
        let Some(last) = self.number.checked_sub(1) else { return Ok(Vec::new()) };
        let folder = DataFolder::open(&self.path(last, &format!("games-{}", table.name)))?;
        let mut games = Vec::new();
        for shard in folder.shards() {
            games.extend(folder.read(shard)?);
            if games.len() >= ARCHIVE_GAMES {
                break;
            }
        }
        games.truncate(ARCHIVE_GAMES);
        Ok(games)
    }

    /// Plays opponents that stay the same, and the old bests among them. Returns `None` if it was stopped.
    fn panel(
        &self,
        table: &Table,
        own: &ladder::Spec,
        observer: &mut dyn FnMut(u32, Stage<'_>),
    ) -> Result<Option<Vec<GateResult>>, TrainError> {
        let (fixed, games) = self.recipe.panel();
        let mut opponents: Vec<(String, ladder::Spec)> =
            fixed.iter().map(|spec| (spec.to_string(), spec.clone())).collect();
        if games == 0 {
            return Ok(Some(Vec::new()));
        }
        for old in self.report.old_bests() {
            let net = self.folder.join(&old.net).display().to_string();
            opponents.push((format!("generation {}", old.number), self.recipe.contender(Some(&net))?));
        }
        let mut results = Vec::new();
        for (index, (name, opponent)) in opponents.iter().enumerate() {
            let contest = Match {
                file: &self.path(self.number, &format!("panel-{index}.jsonl.zst")),
                table,
                agent: own,
                opponent,
                games,
                // Every generation plays the same openings.
                seed: game::derive_seed(self.recipe.seed(), u64::MAX, 2_000 + index as u64),
                threads: self.recipe.threads(),
                is_gate: false,
            };
            let result = contest.play(self.models, self.stop, &mut |games, score| {
                observer(self.number, Stage::Panel(name, games, score));
            })?;
            let Some(result) = result else { return Ok(None) };
            results.push(GateResult { against: name.clone(), ..result });
        }
        Ok(Some(results))
    }

    /// The best network so far, as agents name it.
    fn best_net(&self) -> Option<String> {
        self.best.as_ref().map(|best| best.display().to_string())
    }

    fn seed(&self, purpose: u64) -> u64 {
        game::derive_seed(self.recipe.seed(), self.number.into(), purpose)
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
        let finished = selfplay::run(work, &mut data, games, self.recipe.threads(), self.stop, progress)?;
        Ok(finished.complete)
    }
}
