//! What differs between the learning loops of different kinds of networks.

use std::path::{Path, PathBuf};

use ladder::{Models, Spec};
use record::Config;
use serde_json::Value;

use super::Report;
use crate::{Progress, TrainError};

/// A kind of learning loop.
pub trait Recipe {
    /// The number of generations.
    fn generations(&self) -> u32;

    /// The number of generations whose games are learned from, counted from the newest; `None` for all.
    fn window(&self) -> Option<u32>;

    /// The number of threads.
    fn threads(&self) -> usize;

    /// The seed of everything.
    fn seed(&self) -> u64;

    /// Everything that the results depend on. The number of generations is not part of it, so that a loop can be extended.
    fn resolved(&self) -> Value;

    /// What is played in every generation; gates are decided by the first.
    ///
    /// # Errors
    /// If there are no such games.
    fn tables(&self) -> Result<Vec<Table>, TrainError>;

    /// Writes the network that the loop starts with into its folder, unless it is there, and returns its path; `None` if it
    /// starts without one.
    ///
    /// # Errors
    /// If there is no such network, or it cannot be written.
    fn start(&self, folder: &Path, models: &Models) -> Result<Option<PathBuf>, TrainError>;

    /// How games are played, given the best network so far, except for their seed.
    ///
    /// # Errors
    /// If the agents make no sense.
    fn selfplay(
        &self,
        table: &Table,
        best: Option<&str>,
        report: &Report,
    ) -> Result<selfplay::Options, TrainError>;

    /// The agent that gives older games new values; `None` to leave them.
    ///
    /// # Errors
    /// If it makes no sense.
    fn relabelling(&self, best: Option<&str>) -> Result<Option<Spec>, TrainError>;

    /// Trains the network of a generation.
    ///
    /// # Errors
    /// If training fails.
    fn train(
        &self,
        lesson: &Lesson<'_>,
        progress: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<crate::Finished, TrainError>;

    /// The agent that plays matches with a network, or without one.
    ///
    /// # Errors
    /// If it makes no sense.
    fn contender(&self, net: Option<&str>) -> Result<Spec, TrainError>;

    /// The most games of a gate.
    fn gate_games(&self) -> u64;

    /// Opponents that stay the same, and the number of games against each.
    fn panel(&self) -> (&[Spec], u64) {
        (&[], 0)
    }

    /// Why the loop should end, given its generations; `None` if it should go on.
    fn verdict(&self, report: &Report) -> Option<&'static str> {
        let _ = report;
        None
    }
}

/// Games with the same options.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// The name in files and reports, as in `2p`.
    pub name: String,
    /// The options.
    pub config: Config,
    /// The number of games per generation.
    pub games: u64,
    /// A number of its own, from which seeds are derived.
    pub key: u64,
}

/// What the network of a generation learns from.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// The number of the generation.
    pub number: u32,
    /// The folders of its own games.
    pub new: &'a [PathBuf],
    /// All folders.
    pub data: &'a [PathBuf],
    /// The model file to write.
    pub out: &'a Path,
    /// The best network so far.
    pub best: Option<&'a Path>,
    /// The generations so far.
    pub report: &'a Report,
}
