//! Runs searches on thread pools separate from the threads that serve connections, with bounded concurrency and bounded
//! queues.

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
    quota::{Client, Quota, QuotaPermit},
};

/// The size of a job. Short jobs never wait behind long ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobSize {
    /// A few milliseconds.
    Short,
    /// Anything longer.
    Long,
}

impl JobSize {
    /// The size of one decision of `player`.
    pub fn of(player: &Player) -> Self {
        let searches = player.config.kind.searches();
        if !searches || player.limits().nodes <= 2_000 { Self::Short } else { Self::Long }
    }
}

/// The priority of a decision in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// A person takes part in the game.
    Interactive,
    /// Only agents take part in the game.
    Background,
}

/// Runs jobs on thread pools.
///
/// Requests, games with people and games between agents have separate queues. A request therefore never waits behind, or is
/// rejected because of, hundreds of games between agents, and neither does a move in a game with a person.
#[derive(Clone, Debug)]
pub struct Scheduler {
    requests: [Arc<Queue>; 2],
    interactive: [Arc<Queue>; 2],
    background: [Arc<Queue>; 2],
    /// Bounds the number of waiting requests, by job size.
    quotas: [Arc<Quota>; 2],
}

/// A queue of jobs for a thread pool, with a bound on how many of them run at once.
#[derive(Debug)]
struct Queue {
    threads: Arc<ThreadPool>,
    permits: Arc<Semaphore>,
    /// The number of jobs that may run at once.
    concurrency: usize,
    waiting: AtomicUsize,
}

/// The niceness of threads that run long jobs, relative to those that run short ones.
const LONG_NICE: i32 = 5;

/// The niceness of threads that run games between agents. A higher value would not make other threads faster, and they
/// sometimes wait for a lock that such a thread holds.
pub(crate) const BACKGROUND_NICE: i32 = 10;

impl Scheduler {
    /// Creates a scheduler that runs as many jobs per queue as there are cores, and lets at most `queue` requests of each
    /// job size wait.
    ///
    /// # Errors
    /// Returns an error if the system cannot start threads.
    pub fn new(queue: usize) -> Result<Self, ApiError> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // Two queues share each pool.
        let threads = |name, nice| ThreadPool::new(name, nice, 2 * cores).map(Arc::new);
        let (short, long, background) =
            (threads("short", 0)?, threads("long", LONG_NICE)?, threads("background", BACKGROUND_NICE)?);
        let queue_on = |threads: &Arc<ThreadPool>| {
            let permits = Arc::new(Semaphore::new(cores));
            let threads = Arc::clone(threads);
            Arc::new(Queue { threads, permits, concurrency: cores, waiting: AtomicUsize::new(0) })
        };
        Ok(Self {
            requests: [queue_on(&short), queue_on(&long)],
            interactive: [queue_on(&short), queue_on(&long)],
            background: [queue_on(&background), queue_on(&background)],
            quotas: [(); 2].map(|()| Quota::new("searches are waiting", queue)),
        })
    }

    /// The number of jobs waiting in all queues.
    pub fn waiting(&self) -> usize {
        let queues = self.requests.iter().chain(&self.interactive).chain(&self.background);
        queues.map(|queue| queue.waiting.load(Ordering::Relaxed)).sum()
    }

    /// The number of waiting requests of this size per thread that serves them, rounded up.
    pub fn waiting_per_thread(&self, size: JobSize) -> u32 {
        let queue = &self.requests[size as usize];
        queue.waiting.load(Ordering::Relaxed).div_ceil(queue.concurrency) as u32
    }

    /// Reserves a slot in the queue of requests of this size.
    ///
    /// # Errors
    /// Returns an error if the queue is full or the client's quota is used up.
    pub fn enqueue(&self, size: JobSize, client: Client) -> Result<QueueSlot, ApiError> {
        let permit = self.quotas[size as usize].acquire(client)?;
        Ok(QueueSlot { queue: Arc::clone(&self.requests[size as usize]), permit })
    }

    /// Runs `job` for a request and returns its result.
    ///
    /// # Errors
    /// Returns an error if the queue is full, the client's quota is used up or the job panics.
    pub async fn run<T: Send + 'static>(
        &self,
        size: JobSize,
        client: Client,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.enqueue(size, client)?.run(job).await
    }

    /// Runs `job` for a game and returns its result. This queue is unbounded, since the number of games is bounded.
    ///
    /// # Errors
    /// Returns an error if the job panics.
    pub async fn run_for_game<T: Send + 'static>(
        &self,
        size: JobSize,
        priority: Priority,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let queues = match priority {
            Priority::Interactive => &self.interactive,
            Priority::Background => &self.background,
        };
        queues[size as usize].run((), job).await
    }
}

/// A reserved slot in a queue, released when its job starts or the slot is dropped.
#[derive(Debug)]
pub struct QueueSlot {
    queue: Arc<Queue>,
    permit: QuotaPermit,
}

impl QueueSlot {
    /// Waits for its turn, runs `job` and returns its result.
    ///
    /// # Errors
    /// Returns an error if the job panics.
    pub async fn run<T: Send + 'static>(
        self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.queue.run(self.permit, job).await
    }
}

impl Queue {
    /// Waits for a free thread, drops `slot` and runs `job`.
    async fn run<T: Send + 'static, S>(
        &self,
        slot: S,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let counted = WaitingCount::new(&self.waiting);
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(ApiError::internal)?;
        drop((counted, slot));
        let job = move || {
            let done = job();
            drop(permit);
            done
        };
        self.threads.run(job).await
    }
}

/// Counts a waiting job until it starts or is abandoned.
struct WaitingCount<'a>(&'a AtomicUsize);

impl<'a> WaitingCount<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for WaitingCount<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Threads of one priority, started on demand.
#[derive(Debug)]
struct ThreadPool {
    /// A runtime without tasks, used for its pool of blocking threads: each sets its own priority when it starts.
    pool: Option<Runtime>,
}

impl ThreadPool {
    fn new(name: &str, nice: i32, max: usize) -> Result<Self, ApiError> {
        let mut pool = Builder::new_current_thread();
        let pool =
            pool.thread_name(name).max_blocking_threads(max).on_thread_start(move || lower_priority(nice));
        Ok(Self { pool: Some(pool.build().map_err(ApiError::internal)?) })
    }

    async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let failed = || ApiError::internal("a search failed unexpectedly");
        let pool = self.pool.as_ref().ok_or_else(failed)?;
        pool.spawn_blocking(job).await.map_err(|_| failed())
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        // Dropping the pool must not block until a search ends.
        if let Some(pool) = self.pool.take() {
            pool.shutdown_background();
        }
    }
}

/// Raises the niceness of this thread, and of the threads that it starts. Only Linux has priorities per thread; elsewhere
/// this does nothing, and responses are slower under load.
pub(crate) fn lower_priority(nice: i32) {
    #[cfg(target_os = "linux")]
    if nice > 0 {
        let thread = Some(rustix::thread::gettid());
        let _ = rustix::process::getpriority_process(thread)
            .and_then(|now| rustix::process::setpriority_process(thread, (now + nice).min(19)));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
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

    /// A job that blocks until the sender is dropped.
    fn blocked() -> (mpsc::Sender<()>, impl Fn() + Clone + Send + 'static) {
        let (open, door) = mpsc::channel::<()>();
        let door = Arc::new(Mutex::new(door));
        (open, move || drop(door.lock().map(|door| door.recv())))
    }

    #[tokio::test]
    async fn requests_and_moves_against_people_do_not_wait_behind_games_of_agents() {
        let scheduler = Scheduler::new(1).unwrap();
        let (open, wait) = blocked();
        let game = || {
            let (scheduler, wait) = (scheduler.clone(), wait.clone());
            tokio::spawn(
                async move { scheduler.run_for_game(JobSize::Short, Priority::Background, wait).await },
            )
        };
        let games: Vec<_> = (0..100).map(|_| game()).collect();
        while scheduler.waiting() < 50 {
            tokio::task::yield_now().await;
        }
        assert_eq!(scheduler.run(JobSize::Short, client(1), || 7).await, Ok(7));
        assert_eq!(scheduler.run_for_game(JobSize::Short, Priority::Interactive, || 8).await, Ok(8));
        drop(open);
        for game in games {
            assert_eq!(game.await.map_err(ApiError::internal), Ok(Ok(())));
        }
        assert_eq!(scheduler.waiting(), 0);
    }

    #[tokio::test]
    async fn a_client_over_its_quota_blocks_neither_other_clients_nor_jobs_of_the_other_size() {
        let scheduler = Scheduler::new(4).unwrap();
        let (open, wait) = blocked();
        let ask = |slot: Result<QueueSlot, ApiError>| {
            let wait = wait.clone();
            tokio::spawn(async move { slot?.run(wait).await })
        };
        let mut busy = Vec::new();
        while scheduler.requests[1].permits.available_permits() > 0 {
            busy.push(ask(scheduler.enqueue(JobSize::Long, client(9))));
            while scheduler.waiting() > 0 || scheduler.quotas[1].held() > 0 {
                tokio::task::yield_now().await;
            }
        }
        let mut waiting: Vec<_> = (0..2).map(|_| ask(scheduler.enqueue(JobSize::Long, client(1)))).collect();
        let kind = |slot: Result<QueueSlot, ApiError>| slot.unwrap_err().kind;
        assert_eq!(kind(scheduler.enqueue(JobSize::Long, client(1))), ErrorKind::QuotaExceeded);
        assert_eq!(scheduler.run(JobSize::Short, client(1), || 7).await, Ok(7));
        waiting.extend((0..2).map(|_| ask(scheduler.enqueue(JobSize::Long, client(2)))));
        assert_eq!(kind(scheduler.enqueue(JobSize::Long, client(3))), ErrorKind::Busy);
        drop(open);
        for asked in busy.into_iter().chain(waiting) {
            assert_eq!(asked.await.map_err(ApiError::internal), Ok(Ok(())));
        }
        assert_eq!(scheduler.run(JobSize::Long, client(1), || 8).await, Ok(8));
    }

    #[tokio::test]
    async fn a_job_that_panics_is_an_error_and_frees_its_slot() {
        let scheduler = Scheduler::new(4).unwrap();
        for _ in 0..100 {
            let broken = scheduler.run(JobSize::Short, client(1), || panic!("on purpose")).await;
            assert_eq!(broken.unwrap_err().kind, ErrorKind::Internal);
        }
        assert_eq!(scheduler.run(JobSize::Short, client(1), || 7).await, Ok(7));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn games_between_agents_run_at_a_lower_priority() {
        fn nice() -> i32 {
            rustix::process::getpriority_process(Some(rustix::thread::gettid())).unwrap()
        }
        let (scheduler, here) = (Scheduler::new(4).unwrap(), nice());
        assert_eq!(scheduler.run(JobSize::Short, client(1), nice).await, Ok(here));
        assert_eq!(scheduler.run(JobSize::Long, client(1), nice).await, Ok((here + LONG_NICE).min(19)));
        assert_eq!(scheduler.run_for_game(JobSize::Short, Priority::Interactive, nice).await, Ok(here));
        let agents = scheduler.run_for_game(JobSize::Short, Priority::Background, nice).await;
        assert_eq!(agents, Ok((here + BACKGROUND_NICE).min(19)));
    }
}
