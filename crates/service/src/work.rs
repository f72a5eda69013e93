//! Where searches run: beside the connections, a bounded number at a time, with a bounded queue before them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use ladder::Player;
use tokio::{
    runtime::{Builder, Runtime},
    sync::Semaphore,
};

use crate::{
    ApiError,
    share::{Client, Share, Shares},
};

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

/// Who waits for a move in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// A person who plays in it.
    Person,
    /// Nobody but other agents.
    Agents,
}

/// Runs work on threads of its own. Games have roads of their own: nobody who asks for something waits behind hundreds of
/// agents, or is sent away because of them; and no person waits for a move behind games that no person plays in.
#[derive(Clone, Debug)]
pub struct Work {
    requests: [Arc<Road>; 2],
    people: [Arc<Road>; 2],
    agents: [Arc<Road>; 2],
    /// Those whose place in the queue is bounded, by lane.
    queues: [Arc<Shares>; 2],
}

/// Threads of one priority, and how many of them may work at once.
#[derive(Debug)]
struct Road {
    threads: Arc<Threads>,
    room: Arc<Semaphore>,
    /// How many have room at once.
    places: usize,
    waiting: AtomicUsize,
}

/// How much the threads of long searches give way to those that answer at once, in steps of `nice`.
const LONG: i32 = 5;

/// How much the threads of agents among themselves give way to all others. More would not make those quicker, and now and then
/// they need something that such a thread holds.
pub(crate) const AGENTS: i32 = 10;

impl Work {
    /// As many threads a road as there are cores, and at most `queue` requests waiting in a lane.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn new(queue: usize) -> Result<Self, ApiError> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // Two roads lead to each.
        let threads = |name, way| Threads::new(name, way, 2 * cores).map(Arc::new);
        let (short, long, agents) =
            (threads("short", 0)?, threads("long", LONG)?, threads("agents", AGENTS)?);
        let road = |threads: &Arc<Threads>| {
            let room = Arc::new(Semaphore::new(cores));
            Arc::new(Road { threads: Arc::clone(threads), room, places: cores, waiting: AtomicUsize::new(0) })
        };
        Ok(Self {
            requests: [road(&short), road(&long)],
            people: [road(&short), road(&long)],
            agents: [road(&agents), road(&agents)],
            queues: [(); 2].map(|()| Shares::new("searches wait", queue)),
        })
    }

    /// How many wait on all roads.
    pub fn waiting(&self) -> usize {
        let roads = self.requests.iter().chain(&self.people).chain(&self.agents);
        roads.map(|road| road.waiting.load(Ordering::Relaxed)).sum()
    }

    /// How many requests wait in a lane for each place that there is.
    pub fn waiting_for_each_place(&self, lane: Lane) -> u32 {
        let road = &self.requests[lane as usize];
        road.waiting.load(Ordering::Relaxed).div_ceil(road.places) as u32
    }

    /// A place in the queue of a lane.
    ///
    /// # Errors
    /// If too many wait already, or too many of this client.
    pub fn queue(&self, lane: Lane, client: Client) -> Result<Place, ApiError> {
        let place = self.queues[lane as usize].take(client)?;
        Ok(Place { road: Arc::clone(&self.requests[lane as usize]), place })
    }

    /// Runs `work` when there is room.
    ///
    /// # Errors
    /// If too many wait already, or too many of this client, or the work broke down.
    pub async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        client: Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.queue(lane, client)?.run(work).await
    }

    /// Runs `work` for a game when there is room, however many wait: the number of games is bounded elsewhere.
    ///
    /// # Errors
    /// If the work broke down.
    pub async fn run_patiently<T: Send + 'static>(
        &self,
        lane: Lane,
        waiting: Waiting,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let roads = match waiting {
            Waiting::Person => &self.people,
            Waiting::Agents => &self.agents,
        };
        roads[lane as usize].run((), work).await
    }
}

/// A place in the queue, given back when the wait is over or given up.
#[derive(Debug)]
pub struct Place {
    road: Arc<Road>,
    place: Share,
}

impl Place {
    /// Runs `work` when there is room.
    ///
    /// # Errors
    /// If the work broke down.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.road.run(self.place, work).await
    }
}

impl Road {
    /// Runs `work` when there is room; `place` is held until then.
    async fn run<T: Send + 'static, P>(
        &self,
        place: P,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let queued = Queued::new(&self.waiting);
        let permit = Arc::clone(&self.room).acquire_owned().await.map_err(ApiError::internal)?;
        drop((queued, place));
        let work = move || {
            let done = work();
            drop(permit);
            done
        };
        self.threads.run(work).await
    }
}

/// Counts one that waits until the wait is over or given up.
struct Queued<'a>(&'a AtomicUsize);

impl<'a> Queued<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Threads of one priority, started when they are needed.
#[derive(Debug)]
struct Threads {
    /// A runtime that runs no task: it is wanted for the threads beside it, which the system is told about one by one.
    pool: Option<Runtime>,
}

impl Threads {
    fn new(name: &str, way: i32, most: usize) -> Result<Self, ApiError> {
        let mut pool = Builder::new_current_thread();
        let pool = pool.thread_name(name).max_blocking_threads(most).on_thread_start(move || give_way(way));
        Ok(Self { pool: Some(pool.build().map_err(ApiError::internal)?) })
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let broken = || ApiError::internal("a search broke down");
        let pool = self.pool.as_ref().ok_or_else(broken)?;
        pool.spawn_blocking(work).await.map_err(|_| broken())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Whoever drops this must not wait for a search.
        if let Some(pool) = self.pool.take() {
            pool.shutdown_background();
        }
    }
}

/// Lets this thread, and those that it starts, give way to others by so many steps of `nice`. Linux alone has a priority for
/// every thread; where there is none, everything is slower under load, and nothing is wrong.
pub(crate) fn give_way(steps: i32) {
    #[cfg(target_os = "linux")]
    if steps > 0 {
        let thread = Some(rustix::thread::gettid());
        let _ = rustix::process::getpriority_process(thread)
            .and_then(|now| rustix::process::setpriority_process(thread, (now + steps).min(19)));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = steps;
}

#[cfg(test)]
mod tests {
    use std::{
        net::{IpAddr, Ipv4Addr},
        sync::{Mutex, mpsc},
    };

    use super::*;
    use crate::ErrorKind;

    fn client(last: u8) -> Client {
        Client::from(IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)))
    }

    /// Work that goes on until the door is opened.
    fn closed() -> (mpsc::Sender<()>, impl Fn() + Clone + Send + 'static) {
        let (open, door) = mpsc::channel::<()>();
        let door = Arc::new(Mutex::new(door));
        (open, move || drop(door.lock().map(|door| door.recv())))
    }

    #[tokio::test]
    async fn requests_and_moves_against_people_do_not_wait_behind_games_of_agents() {
        let work = Work::new(1).unwrap();
        let (open, wait) = closed();
        let game = || {
            let (work, wait) = (work.clone(), wait.clone());
            tokio::spawn(async move { work.run_patiently(Lane::Short, Waiting::Agents, wait).await })
        };
        let games: Vec<_> = (0..100).map(|_| game()).collect();
        while work.waiting() < 50 {
            tokio::task::yield_now().await;
        }
        assert_eq!(work.run(Lane::Short, client(1), || 7).await, Ok(7));
        assert_eq!(work.run_patiently(Lane::Short, Waiting::Person, || 8).await, Ok(8));
        drop(open);
        for game in games {
            assert_eq!(game.await.map_err(ApiError::internal), Ok(Ok(())));
        }
        assert_eq!(work.waiting(), 0);
    }

    #[tokio::test]
    async fn a_client_that_fills_its_share_of_a_queue_leaves_room_for_others_and_the_other_lane() {
        let work = Work::new(4).unwrap();
        let (open, wait) = closed();
        let ask = |place: Result<Place, ApiError>| {
            let wait = wait.clone();
            tokio::spawn(async move { place?.run(wait).await })
        };
        let mut busy = Vec::new();
        while work.requests[1].room.available_permits() > 0 {
            busy.push(ask(work.queue(Lane::Long, client(9))));
            while work.waiting() > 0 || work.queues[1].held() > 0 {
                tokio::task::yield_now().await;
            }
        }
        let mut waiting: Vec<_> = (0..2).map(|_| ask(work.queue(Lane::Long, client(1)))).collect();
        let sort = |place: Result<Place, ApiError>| place.unwrap_err().kind;
        assert_eq!(sort(work.queue(Lane::Long, client(1))), ErrorKind::Greedy);
        assert_eq!(work.run(Lane::Short, client(1), || 7).await, Ok(7));
        waiting.extend((0..2).map(|_| ask(work.queue(Lane::Long, client(2)))));
        assert_eq!(sort(work.queue(Lane::Long, client(3))), ErrorKind::Busy);
        drop(open);
        for asked in busy.into_iter().chain(waiting) {
            assert_eq!(asked.await.map_err(ApiError::internal), Ok(Ok(())));
        }
        assert_eq!(work.run(Lane::Long, client(1), || 8).await, Ok(8));
    }

    #[tokio::test]
    async fn work_that_breaks_down_is_an_error_and_makes_room() {
        let work = Work::new(4).unwrap();
        for _ in 0..100 {
            let broken = work.run(Lane::Short, client(1), || panic!("on purpose")).await;
            assert_eq!(broken.unwrap_err().kind, ErrorKind::Internal);
        }
        assert_eq!(work.run(Lane::Short, client(1), || 7).await, Ok(7));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn agents_among_themselves_give_way_to_whoever_asks() {
        fn nice() -> i32 {
            rustix::process::getpriority_process(Some(rustix::thread::gettid())).unwrap()
        }
        let (work, here) = (Work::new(4).unwrap(), nice());
        assert_eq!(work.run(Lane::Short, client(1), nice).await, Ok(here));
        assert_eq!(work.run(Lane::Long, client(1), nice).await, Ok((here + LONG).min(19)));
        assert_eq!(work.run_patiently(Lane::Short, Waiting::Person, nice).await, Ok(here));
        let agents = work.run_patiently(Lane::Short, Waiting::Agents, nice).await;
        assert_eq!(agents, Ok((here + AGENTS).min(19)));
    }
}
