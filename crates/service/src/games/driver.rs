//! Agents at work in games.

use std::{
    sync::{Arc, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

use search::Stop;
use tokio::{sync::OwnedMutexGuard, task::yield_now, time::sleep};

use host::{Status, view::ReportView};

use super::{Games, Kept, Live, game::to_json};
use crate::{
    ApiError,
    work::{Lane, Waiting},
};

/// How often watchers hear of an agent's thoughts.
const TOLD_EVERY: Duration = Duration::from_millis(100);

/// How many candidates are told of while an agent thinks.
const TOLD: usize = 5;

/// What comes back from where agents think.
enum Found {
    /// A move that is to be played later.
    Later(Box<ReportView>),
    /// A move that was played, or nothing because the game had changed.
    Played(Option<Played>),
}

/// A move that was played and is not yet on disk.
struct Played {
    /// Nobody else sees the game before it is.
    kept: OwnedMutexGuard<Kept>,
    legal: Result<(), ApiError>,
    /// What has changed, as JSON, if somebody watches.
    words: Option<Vec<u8>>,
}

impl Games {
    /// Lets agents move until it is a person's turn, the game is over or agents have to wait.
    pub(super) async fn drive(&self, live: &Arc<Live>) {
        {
            let kept = live.game.lock().await;
            if live.driven.load(Ordering::Relaxed) || !may_move(&kept.game) {
                return;
            }
            live.driven.store(true, Ordering::Relaxed);
        }
        let (games, live) = (self.clone(), Arc::clone(live));
        tokio::spawn(async move { while games.decide(&live).await {} });
    }

    /// Lets an agent make one decision. Tells whether there may be another.
    async fn decide(&self, live: &Arc<Live>) -> bool {
        let begun = Instant::now();
        let stop = Arc::new(Stop::default());
        let (mut thinker, revision, delay, waiting) = {
            let kept = live.game.lock().await;
            let game = &kept.game;
            let Some(thinker) = game.hosted.thinker().filter(|_| may_move(game)) else {
                live.driven.store(false, Ordering::Relaxed);
                return false;
            };
            *live.stop.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&stop);
            if game.resigning.is_some() {
                stop.raise();
            }
            let waiting = if game.people().is_empty() { Waiting::Agents } else { Waiting::Person };
            let delay = Duration::from_millis(game.delay_ms);
            (thinker, game.hosted.revision(), delay, waiting)
        };
        let (lane, paper) = (Lane::of(thinker.player()), live.paper());
        let agents = Arc::clone(&self.inner.agents);
        let told = Arc::clone(live);
        let raised = Arc::clone(&stop);
        let think = move || {
            let limits = crate::caps::limits(thinker.player().limits());
            let mut last = Instant::now();
            let report = thinker.think(&limits, TOLD, &raised, &mut |report| {
                // Whoever holds the game is about to tell more than this.
                if last.elapsed() >= TOLD_EVERY
                    && let Ok(mut kept) = told.game.try_lock()
                    && kept.game.hosted.revision() == revision
                {
                    last = Instant::now();
                    if told.is_watched() {
                        told.news.send_modify(|news| news.think(to_json(&report, Vec::new())));
                    }
                    kept.game.thinking = Some(report);
                }
            });
            agents.used(&thinker.slot(), thinker.player());
            // Moves are played where agents think, so that whoever asks for something else does not wait for it.
            if delay.is_zero() {
                Found::Played(told.play(revision, &report, paper))
            } else {
                Found::Later(Box::new(report))
            }
        };
        let found = self.inner.work.run_patiently(lane, waiting, think).await;
        let played = match found {
            Ok(Found::Played(played)) => Ok(played),
            Ok(Found::Later(report)) => {
                let rest = delay.saturating_sub(begun.elapsed());
                if !rest.is_zero() && !stop.is_raised() {
                    sleep(rest).await;
                }
                let (here, paper) = (Arc::clone(live), live.paper());
                let play = move || here.play(revision, &report, paper);
                self.inner.work.run_patiently(Lane::Short, waiting, play).await
            }
            Err(error) => Err(error),
        };
        let done = match played {
            Ok(Some(played)) => self.acknowledge(live, played, waiting).await,
            // A move was taken back meanwhile: what was found is about another position.
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        if done.is_err() {
            // The game waits; the next request about it tries again.
            live.driven.store(false, Ordering::Relaxed);
        }
        done.is_ok()
    }

    /// Keeps a move, and tells everybody when it is on disk.
    async fn acknowledge(&self, live: &Live, played: Played, waiting: Waiting) -> Result<(), ApiError> {
        let Played { mut kept, legal, words } = played;
        let done = match legal {
            Ok(()) => self.keep(&mut kept).await,
            Err(error) => Err(error),
        };
        // Hundreds of games may have waited for the disk together. If all of them spoke at once, whoever asks for something
        // else would wait for thousands of watchers.
        let _turn = match waiting {
            Waiting::Person => None,
            Waiting::Agents => Some(self.inner.speaking.lock().await),
        };
        match done {
            Ok(()) => live.show(&mut kept, words),
            Err(_) => live.tell(&mut kept),
        }
        drop(kept);
        yield_now().await;
        done
    }
}

impl Live {
    /// Something to write the next words on. Threads that give way hold the allocator's locks in turn: what others drop must not
    /// be memory of theirs, or they would wait for them.
    fn paper(&self) -> Vec<u8> {
        let last = self.news.borrow().length();
        Vec::with_capacity(if self.is_watched() { last + last / 4 } else { 0 })
    }

    /// Plays what an agent found, unless the game has changed since `revision`, and puts it down on `paper`.
    fn play(&self, revision: u64, found: &ReportView, paper: Vec<u8>) -> Option<Played> {
        let mut kept = Arc::clone(&self.game).blocking_lock_owned();
        if kept.game.hosted.revision() != revision {
            return None;
        }
        let legal = kept.game.play_report(found);
        kept.game.steps = kept.game.steps.saturating_sub(1);
        let words = self.is_watched().then(|| kept.change(paper));
        Some(Played { kept, legal, words })
    }
}

fn may_move(game: &super::Game) -> bool {
    let waits = game.paused && game.steps == 0;
    game.status() == Status::Playing && game.agent().is_some() && !waits
}
