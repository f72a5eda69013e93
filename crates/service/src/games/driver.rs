//! The driver: lets agents decide until a person is to move, the game is over or agents are paused.

use std::{
    sync::{Arc, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

use search::Stop;
use tokio::{sync::OwnedMutexGuard, task::yield_now, time::sleep};

use host::{Status, view::ReportView};

use super::{ActiveGame, GameState, Games, game::to_json};
use crate::{
    ApiError,
    scheduler::{JobSize, Priority},
};

/// The interval between progress reports to watchers.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The number of candidates in a progress report.
const REPORTED_CANDIDATES: usize = 5;

/// The result of a job in which an agent decides.
enum Decision {
    /// A move to be played after the delay of the game.
    Delayed(Box<ReportView>),
    /// A move that was played, or `None` if the game had changed.
    Played(Option<Played>),
}

/// A move that was played and is not yet on disk.
struct Played {
    /// The lock is held until the move is on disk, so that no request sees it earlier.
    state: OwnedMutexGuard<GameState>,
    legal: Result<(), ApiError>,
    /// The change as JSON, if the game is being watched.
    change: Option<Vec<u8>>,
}

impl Games {
    /// Starts a task that lets agents decide, unless one is running or no agent may move.
    pub(super) async fn drive(&self, active: &Arc<ActiveGame>) {
        {
            let state = active.state.lock().await;
            if active.driven.load(Ordering::Relaxed) || !may_move(&state.game) {
                return;
            }
            active.driven.store(true, Ordering::Relaxed);
        }
        let (games, active) = (self.clone(), Arc::clone(active));
        tokio::spawn(async move { while games.decide(&active).await {} });
    }

    /// Lets an agent make one decision, and returns whether to call this again.
    async fn decide(&self, active: &Arc<ActiveGame>) -> bool {
        let begun = Instant::now();
        let stop = Arc::new(Stop::default());
        let (mut thinker, revision, delay, priority) = {
            let state = active.state.lock().await;
            let game = &state.game;
            let Some(thinker) = game.hosted.thinker().filter(|_| may_move(game)) else {
                active.driven.store(false, Ordering::Relaxed);
                return false;
            };
            *active.stop.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&stop);
            if game.resigning.is_some() {
                stop.raise();
            }
            let priority =
                if game.people().is_empty() { Priority::Background } else { Priority::Interactive };
            let delay = Duration::from_millis(game.delay_ms);
            (thinker, game.hosted.revision(), delay, priority)
        };
        let (size, buffer) = (JobSize::of(thinker.player()), active.buffer());
        let agents = Arc::clone(&self.inner.agents);
        let game = Arc::clone(active);
        let stop_flag = Arc::clone(&stop);
        let think = move || {
            let limits = crate::caps::limits(thinker.player().limits());
            let mut last = Instant::now();
            let report = thinker.think(&limits, REPORTED_CANDIDATES, &stop_flag, &mut |report| {
                // If the game is locked, a change is about to be published, and this report can be skipped.
                if last.elapsed() >= REPORT_INTERVAL
                    && let Ok(mut state) = game.state.try_lock()
                    && state.game.hosted.revision() == revision
                {
                    last = Instant::now();
                    if game.is_watched() {
                        game.feed.send_modify(|feed| feed.set_report(to_json(&report, Vec::new())));
                    }
                    state.game.thinking = Some(report);
                }
            });
            agents.used(&thinker.slot(), thinker.player());
            // Playing the move on this thread keeps the work away from the threads that serve connections.
            if delay.is_zero() {
                Decision::Played(game.play(revision, &report, buffer))
            } else {
                Decision::Delayed(Box::new(report))
            }
        };
        let decision = self.inner.scheduler.run_for_game(size, priority, think).await;
        let played = match decision {
            Ok(Decision::Played(played)) => Ok(played),
            Ok(Decision::Delayed(report)) => {
                let rest = delay.saturating_sub(begun.elapsed());
                if !rest.is_zero() && !stop.is_raised() {
                    sleep(rest).await;
                }
                let (game, buffer) = (Arc::clone(active), active.buffer());
                let play = move || game.play(revision, &report, buffer);
                self.inner.scheduler.run_for_game(JobSize::Short, priority, play).await
            }
            Err(error) => Err(error),
        };
        let done = match played {
            Ok(Some(played)) => self.save_and_publish(active, played, priority).await,
            // The game changed during the search, for example by an undo: the result is obsolete.
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        if done.is_err() {
            // The game pauses; the next request about it tries again.
            active.driven.store(false, Ordering::Relaxed);
        }
        done.is_ok()
    }

    /// Saves a move, and publishes it once it is on disk.
    async fn save_and_publish(
        &self,
        active: &ActiveGame,
        played: Played,
        priority: Priority,
    ) -> Result<(), ApiError> {
        let Played { mut state, legal, change } = played;
        let done = match legal {
            Ok(()) => self.save(&mut state).await,
            Err(error) => Err(error),
        };
        // Hundreds of games may become durable in one transaction. If all of them notified their watchers at once, requests
        // would wait for thousands of notifications.
        let _turn = match priority {
            Priority::Interactive => None,
            Priority::Background => Some(self.inner.publishing.lock().await),
        };
        match done {
            Ok(()) => active.publish_json(&mut state, change),
            Err(_) => active.publish(&mut state),
        }
        drop(state);
        yield_now().await;
        done
    }
}

impl ActiveGame {
    /// Allocates a buffer for the next change. It is allocated here rather than on a low-priority search thread, because
    /// freeing it later would contend for the allocator's lock of that thread.
    fn buffer(&self) -> Vec<u8> {
        let last = self.feed.borrow().change_len();
        Vec::with_capacity(if self.is_watched() { last + last / 4 } else { 0 })
    }

    /// Plays the move of `report` unless the game has changed since `revision`, and serializes the change into `buffer`.
    fn play(&self, revision: u64, report: &ReportView, buffer: Vec<u8>) -> Option<Played> {
        let mut state = Arc::clone(&self.state).blocking_lock_owned();
        if state.game.hosted.revision() != revision {
            return None;
        }
        let legal = state.game.play_report(report);
        state.game.steps = state.game.steps.saturating_sub(1);
        let change = self.is_watched().then(|| state.change(buffer));
        Some(Played { state, legal, change })
    }
}

fn may_move(game: &super::Game) -> bool {
    let is_paused = game.paused && game.steps == 0;
    game.status() == Status::Playing && game.agent().is_some() && !is_paused
}
