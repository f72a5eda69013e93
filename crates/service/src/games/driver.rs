//! Agents at work in games.

use std::{
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use search::Stop;
use tokio::time::sleep;

use super::{Games, Live, Status};
use crate::{Refusal, work::Lane};

/// How often watchers hear of an agent's thoughts.
const TOLD_EVERY: Duration = Duration::from_millis(100);

/// How many candidates are told of while an agent thinks.
const TOLD: usize = 5;

impl Games {
    /// Lets agents move until it is a person's turn, the game is over or agents have to wait.
    pub(super) async fn drive(&self, live: &Arc<Live>) {
        {
            let mut kept = live.game.lock().await;
            if kept.driven || !may_move(&kept.game) {
                return;
            }
            kept.driven = true;
        }
        let (games, live) = (self.clone(), Arc::clone(live));
        tokio::spawn(async move { while games.decide(&live).await {} });
    }

    /// Lets an agent make one decision. Tells whether there may be another.
    async fn decide(&self, live: &Arc<Live>) -> bool {
        let begun = Instant::now();
        let stop = Arc::new(Stop::default());
        let (table, player, generation, delay, seed) = {
            let mut kept = live.game.lock().await;
            let player = kept.game.agent().cloned().filter(|_| may_move(&kept.game));
            let Some(player) = player else {
                kept.driven = false;
                return false;
            };
            let game = &kept.game;
            let seed = seed(&game.id, game.moves.len());
            *live.stop.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&stop);
            if game.progress.resigning.is_some() {
                stop.raise();
            }
            (game.table.fork(), player, game.generation, game.progress.delay_ms, seed)
        };
        let lane = Lane::of(&player);
        let told = Arc::clone(live);
        let raised = Arc::clone(&stop);
        let think = move || {
            let limits = crate::caps::limits(player.limits());
            let mut last = Instant::now();
            table.think(&player, &limits, seed, TOLD, &raised, &mut |report| {
                // Whoever holds the game is about to tell more than this.
                if last.elapsed() >= TOLD_EVERY
                    && let Ok(mut kept) = told.game.try_lock()
                    && kept.game.generation == generation
                {
                    last = Instant::now();
                    kept.game.thinking = Some(report);
                    drop(kept);
                    told.tell();
                }
            })
        };
        let found = self.inner.work.run_patiently(lane, think).await;
        let rest = Duration::from_millis(delay).saturating_sub(begun.elapsed());
        if !rest.is_zero() && !stop.is_raised() {
            sleep(rest).await;
        }
        let mut kept = live.game.lock().await;
        if kept.game.generation != generation {
            // A move was taken back meanwhile: what was found is about another position.
            return true;
        }
        let played = match found {
            Ok(report) => kept.game.play(&report.best, Some(&report)),
            Err(refusal) => Err(refusal),
        };
        kept.game.steps = kept.game.steps.saturating_sub(1);
        let done: Result<(), Refusal> = match played {
            Ok(()) => self.keep(&mut kept).await,
            Err(refusal) => Err(refusal),
        };
        if done.is_err() {
            // The game waits; the next request about it tries again.
            kept.driven = false;
        }
        drop(kept);
        live.tell();
        done.is_ok()
    }
}

fn may_move(game: &super::Game) -> bool {
    let waits = game.progress.paused && game.steps == 0;
    game.status() == Status::Playing && game.agent().is_some() && !waits
}

/// The same game and ply, the same seed: a game can be played again.
fn seed(id: &str, ply: usize) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in id.bytes().chain((ply as u64).to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}
