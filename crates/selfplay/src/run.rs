//! Playing the games of a plan into a data folder.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use arena::{Jobs, in_order_by};
use search::Stop;
use serde_json::Value;

use crate::{DataFolder, SelfPlayError, Statistics, game::Played, interleaved::EvaluationCounts};

/// Work that yields the games of a data folder one by one.
pub trait Work: Sync {
    /// Everything that the games depend on, as JSON.
    fn resolved(&self) -> &Value;

    /// The number of games in a shard.
    fn shard_games(&self) -> u64;

    /// Makes game `index`, which depends on the work and the index alone. Returns `None` if `stop` is raised before it is
    /// finished.
    ///
    /// # Errors
    /// If the game cannot be made.
    fn produce(&self, index: u64, stop: &Stop) -> Result<Option<Played>, SelfPlayError>;

    /// Makes games on one thread until there are no more to make.
    fn produce_all(&self, games: &Games<'_>);

    /// The number of games that a thread makes at once.
    fn at_once(&self) -> usize {
        1
    }
}

/// The games that a thread makes.
pub struct Games<'a> {
    jobs: &'a Jobs<'a, Played, SelfPlayError>,
    /// The index of the first game of this run.
    first: u64,
    stop: &'a Stop,
    evaluations: &'a EvaluationCounts,
}

impl Games<'_> {
    /// The index of the next game to make; `None` if there is none.
    pub(crate) fn next(&self) -> Option<u64> {
        self.jobs.next().map(|place| self.first + place)
    }

    /// Stores a game, which is replayed first. Returns whether further games are needed.
    pub(crate) fn finish(&self, index: u64, played: Result<Played, SelfPlayError>) -> bool {
        let replayed = played.and_then(|played| {
            played.record.replay()?;
            Ok(played)
        });
        self.jobs.finish(index - self.first, replayed)
    }

    /// Makes one game after another.
    pub(crate) fn produce_each(&self, work: &impl Work) {
        while let Some(index) = self.next() {
            let Some(result) = work.produce(index, self.jobs.abandoned()).transpose() else { break };
            if !self.finish(index, result) {
                break;
            }
        }
    }

    /// A flag that is raised when the user wants the run to end.
    pub(crate) fn stop(&self) -> &Stop {
        self.stop
    }

    /// Whether games are no longer needed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_raised() || self.jobs.abandoned().is_raised()
    }

    /// Where evaluations are counted.
    pub(crate) fn evaluations(&self) -> &EvaluationCounts {
        self.evaluations
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The number of games from earlier runs.
    pub resumed: u64,
    /// Whether all games are played.
    pub complete: bool,
    /// The duration of this run.
    pub elapsed: Duration,
    /// Statistics of the games of this run.
    pub statistics: Statistics,
}

/// Works until `folder` has `games` games or `stop` is raised. Calls `progress` after every game of this run with the
/// number of all games.
///
/// Game `i` depends on the work and on `i` alone, so an interrupted run, continued, gives the same shards as an
/// uninterrupted one, on any number of threads. Every game is replayed before it is stored.
///
/// # Errors
/// If a game cannot be stored, or an agent chooses an illegal move.
pub fn run(
    work: &dyn Work,
    folder: &mut DataFolder,
    games: u64,
    threads: usize,
    stop: &Stop,
    progress: &mut dyn FnMut(u64, &Statistics),
) -> Result<Finished, SelfPlayError> {
    let start = Instant::now();
    let shard_games = work.shard_games();
    let mut statistics = Statistics::default();
    statistics.most = work.at_once() as u64;
    // An incomplete shard is opened again only if games are missing.
    if folder.games() >= games {
        let resumed = folder.games();
        return Ok(Finished { resumed, complete: true, elapsed: start.elapsed(), statistics });
    }
    let mut opened = folder.part(shard_games)?;
    // A killed run may have stored the last game of a shard without completing it.
    if opened.games.len() as u64 == shard_games {
        folder.complete(opened)?;
        opened = folder.part(shard_games)?;
    }
    let resumed = opened.first + opened.games.len() as u64;
    let mut part = Some(opened);
    let mut next = resumed;
    let evaluations = EvaluationCounts::default();
    let play = |jobs: &Jobs<'_, Played, SelfPlayError>| {
        work.produce_all(&Games { jobs, first: resumed, stop, evaluations: &evaluations });
    };
    in_order_by(games.saturating_sub(resumed), threads, stop, play, |played| {
        statistics.push(&played.record, &played.keys);
        (statistics.batches, statistics.evaluations) = evaluations.read();
        let mut open = match part.take() {
            Some(open) => open,
            None => folder.part(shard_games)?,
        };
        open.push(played.record)?;
        next += 1;
        if open.games.len() as u64 == shard_games {
            folder.complete(open)?;
        } else {
            part = Some(open);
        }
        progress(next, &statistics);
        Ok::<_, SelfPlayError>(ControlFlow::Continue(()))
    })?;
    let complete = next >= games;
    if let Some(open) = part {
        folder.complete(open)?;
    }
    Ok(Finished { resumed, complete, elapsed: start.elapsed(), statistics })
}
