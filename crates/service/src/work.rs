//! Where searches run: beside the connections, a bounded number at a time, with a bounded queue before them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use ladder::Player;
use tokio::{sync::Semaphore, task};

use crate::{Refusal, Sort};

/// How much work a request means. Short work never waits behind long work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// A few milliseconds.
    Short,
    /// Anything longer.
    Long,
}

impl Lane {
    /// Where a decision of `player` belongs.
    pub fn of(player: &Player) -> Self {
        let searches = player.config.kind.searches();
        if !searches || player.limits().nodes <= 2_000 { Self::Short } else { Self::Long }
    }
}

/// Runs work on threads of its own. Games have roads of their own: nobody who asks for something waits behind hundreds of
/// agents, or is sent away because of them.
#[derive(Clone, Debug)]
pub struct Work {
    requests: [Arc<Road>; 2],
    games: [Arc<Road>; 2],
}

#[derive(Debug)]
struct Road {
    room: Arc<Semaphore>,
    /// How many have room at once.
    places: usize,
    waiting: AtomicUsize,
    longest: usize,
}

impl Work {
    /// As many threads a road as there are cores, and at most `queue` requests waiting in a lane.
    pub fn new(queue: usize) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let road = || {
            let room = Arc::new(Semaphore::new(cores));
            Arc::new(Road { room, places: cores, waiting: AtomicUsize::new(0), longest: queue })
        };
        Self { requests: [road(), road()], games: [road(), road()] }
    }

    /// How many wait on all roads.
    pub fn waiting(&self) -> usize {
        self.requests.iter().chain(&self.games).map(|road| road.waiting.load(Ordering::Relaxed)).sum()
    }

    /// How many requests wait in a lane for each place that there is.
    pub fn waiting_for_each_place(&self, lane: Lane) -> u32 {
        let road = &self.requests[lane as usize];
        road.waiting.load(Ordering::Relaxed).div_ceil(road.places) as u32
    }

    /// Whether somebody may join the queue of a lane.
    ///
    /// # Errors
    /// If too many wait already.
    pub fn admits(&self, lane: Lane) -> Result<(), Refusal> {
        let road = &self.requests[lane as usize];
        if road.waiting.load(Ordering::Relaxed) < road.longest { Ok(()) } else { Err(full()) }
    }

    /// Runs `work` when there is room.
    ///
    /// # Errors
    /// If too many wait already, or the work broke down.
    pub async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let road = &self.requests[lane as usize];
        let queued = Queued::new(road);
        if queued.ahead >= road.longest {
            return Err(full());
        }
        road.run(queued, work).await
    }

    /// Runs `work` when there is room, however many wait: for games, whose number is bounded elsewhere.
    ///
    /// # Errors
    /// If the work broke down.
    pub async fn run_patiently<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let road = &self.games[lane as usize];
        road.run(Queued::new(road), work).await
    }
}

impl Road {
    async fn run<T: Send + 'static>(
        &self,
        queued: Queued<'_>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = Arc::clone(&self.room).acquire_owned().await.map_err(Refusal::internal)?;
        drop(queued);
        let work = move || {
            let done = work();
            drop(permit);
            done
        };
        task::spawn_blocking(work).await.map_err(|_| Refusal::internal("a search broke down"))
    }
}

fn full() -> Refusal {
    Refusal::new(Sort::Busy, "too much is being thought about: try again in a second")
}

/// A place in the queue, given back when the wait is over or given up.
struct Queued<'a> {
    road: &'a Road,
    ahead: usize,
}

impl<'a> Queued<'a> {
    fn new(road: &'a Road) -> Self {
        Self { road, ahead: road.waiting.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.road.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, mpsc};

    use super::*;

    #[tokio::test]
    async fn a_request_waits_behind_requests_and_not_behind_games() {
        let work = Work::new(1);
        let (open, door) = mpsc::channel::<()>();
        let door = Arc::new(Mutex::new(door));
        let game = || {
            let (work, door) = (work.clone(), Arc::clone(&door));
            let wait = move || drop(door.lock().map(|door| door.recv()));
            tokio::spawn(async move { work.run_patiently(Lane::Short, wait).await })
        };
        let games: Vec<_> = (0..100).map(|_| game()).collect();
        while work.waiting() < 50 {
            tokio::task::yield_now().await;
        }
        assert_eq!(work.run(Lane::Short, || 7).await, Ok(7));
        drop(open);
        for game in games {
            assert_eq!(game.await.map_err(Refusal::internal), Ok(Ok(())));
        }
        assert_eq!(work.waiting(), 0);
    }
}
