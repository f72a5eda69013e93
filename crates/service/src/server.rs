//! The server: its options, its data folder, its listener, startup and graceful shutdown.

use std::{
    fs::{self, File, TryLockError},
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ladder::Models;
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::watch,
    time::{sleep, timeout},
};

use crate::{
    ApiError, Quota, Scheduler,
    connections::{self, Bounds},
    games::Games,
    health::Health,
    http::{self, App, Guard},
    lab::Lab,
};

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on.
    pub address: SocketAddr,
    /// The data folder, created if it does not exist.
    pub data: PathBuf,
    /// The database of the laboratory; `lab.db` in the data folder by default.
    pub lab: Option<PathBuf>,
    /// The token that requests other than GET and HEAD must carry.
    pub token: Option<String>,
    /// Host names to accept in addition to those of this machine.
    pub hosts: Vec<String>,
    /// The maximum number of requests waiting for a search.
    pub queue: usize,
    /// The maximum number of games being played or watched.
    pub games: usize,
    /// The maximum number of open event streams.
    pub streams: usize,
    /// The maximum number of connections. If the system allows fewer open files, there are fewer.
    pub connections: usize,
    /// The time after which a connection is closed on which no complete request has arrived.
    pub idle_timeout: Duration,
}

impl Options {
    /// The default address.
    pub const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7878);

    /// The defaults: a service for this machine only, with its data in `data`.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        let (lab, token, hosts) = (None, None, Vec::new());
        Self {
            address: Self::ADDRESS,
            data: data.into(),
            lab,
            token,
            hosts,
            queue: 256,
            games: 4_096,
            streams: 4_096,
            connections: 8_192,
            idle_timeout: Duration::from_secs(20),
        }
    }
}

/// A service that is listening, and that answers requests once it [runs](Server::run).
pub struct Server {
    listener: TcpListener,
    app: App,
    guard: Guard,
    bounds: Bounds,
    shutdown: watch::Sender<bool>,
    /// The locked lock file of the data folder.
    lock: File,
}

/// The time that open connections have to finish after a shutdown begins.
const GRACE: Duration = Duration::from_secs(5);

/// The number of connections that may wait to be accepted: enough for every open page to reconnect at once.
const BACKLOG: u32 = 4_096;

/// The size of the buffer in which the system keeps what a client has not read yet, in bytes. By default it grows to
/// megabytes per connection.
const SEND_BUFFER: u32 = 256 << 10;

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Connections of a service that has just stopped must not block the address for the next one.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    // Accepted connections inherit it.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The number of files that the service itself needs: databases, listeners, and files of runs in the Lab.
#[cfg(target_os = "linux")]
const OWN_FILES: usize = 64;

/// Raises the limit on open files, and thereby on connections, to the maximum, since the default is often 1,024. Returns
/// the number of files that are left for connections, if there is a limit.
fn raise_file_limit() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // On failure, the lower limit remains.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
        let limit = usize::try_from(getrlimit(Resource::Nofile).current?).ok()?;
        Some(limit.saturating_sub(OWN_FILES))
    }
    #[cfg(not(target_os = "linux"))]
    {
        None
    }
}

impl Server {
    /// Opens the data folder and starts to listen. Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// Returns an error if the folder, a database or the address cannot be used.
    pub fn open(options: &Options) -> Result<Self, ApiError> {
        let folder = &options.data;
        let unusable =
            |error| ApiError::internal(format!("cannot use the data folder {}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(unusable)?;
        let lock = lock(folder)?;
        let descriptors = raise_file_limit();
        let bounds = Bounds::new(options.connections, descriptors, options.idle_timeout);
        let scheduler = Scheduler::new(options.queue)?;
        let (games_path, lab_path) =
            (folder.join("games.db"), options.lab.clone().unwrap_or_else(|| folder.join("lab.db")));
        let nets = Arc::new(Models::within_folder(folder.join("models")));
        let games = Games::open(&games_path, scheduler.clone(), options.games, Arc::clone(&nets))?;
        let taken = |error| ApiError::internal(format!("cannot listen on {}: {error}", options.address));
        let listener = listen(options.address).map_err(taken)?;
        let (shutdown, shutting_down) = watch::channel(false);
        let guard = Guard {
            hosts: options.hosts.clone(),
            any_address: !options.address.ip().is_loopback(),
            token: options.token.clone(),
        };
        let lab = Lab::open(&lab_path)?;
        let health = Arc::new(Health::new(games.clone(), games_path, lab_path));
        let reference = Arc::new(reference::Service::default());
        let streams = Quota::new("streams are open", options.streams);
        let metrics = Arc::default();
        let app = App { games, nets, scheduler, lab, streams, metrics, health, reference, shutting_down };
        Ok(Self { listener, app, guard, bounds, shutdown, lock })
    }

    /// The address that the server listens on, with the port that the system chose if port 0 was requested.
    ///
    /// # Errors
    /// Returns an error if the system does not report the address.
    pub fn address(&self) -> Result<SocketAddr, ApiError> {
        self.listener.local_addr().map_err(ApiError::internal)
    }

    /// Serves requests until `shutdown_requested` completes, then shuts down gracefully. Every acknowledged move is on
    /// disk.
    ///
    /// # Errors
    /// Returns an error if the database of games cannot be read.
    pub async fn run(
        self,
        shutdown_requested: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ApiError> {
        let Self { listener, app, guard, bounds, shutdown, lock: _lock } = self;
        app.games.resume_unfinished().await?;
        let mut shutting_down = shutdown.subscribe();
        let (lab, runs) = (app.lab.clone(), app.lab.clone());
        let begin_shutdown = async move {
            // Streams and runs do not end by themselves, so they are notified.
            shutdown_requested.await;
            lab.stop_all();
            shutdown.send_replace(true);
        };
        let router = http::router(app, guard);
        let served = connections::serve(listener, router, bounds, shutting_down.clone());
        let grace_period = async move {
            let _ = shutting_down.wait_for(|&shutting_down| shutting_down).await;
            timeout(GRACE, std::future::pending::<()>()).await
        };
        let all = async move {
            tokio::join!(served, begin_shutdown);
            // Runs finish the games in progress and record in the database that they were stopped.
            while runs.is_busy() {
                sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            () = all => {}
            _ = grace_period => {}
        }
        Ok(())
    }
}

/// Locks the data folder, since two services would both play its games. The system releases the lock when the process
/// ends, however it ends.
fn lock(folder: &Path) -> Result<File, ApiError> {
    let path = folder.join("games.lock");
    let unusable = |error: std::io::Error| ApiError::internal(format!("{}: {error}", path.display()));
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
        Err(TryLockError::WouldBlock) => Err(ApiError::internal(format!(
            "another riftlab is using the data folder {}: stop it, or choose another folder with --data",
            folder.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_service_at_a_time_uses_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let options = Options { address: anywhere, ..Options::new(folder.path()) };
        let first = Server::open(&options).unwrap();
        let Err(refused) = Server::open(&options) else { panic!("two services use the same folder") };
        assert!(refused.message.contains("another riftlab"), "{}", refused.message);
        drop(first);
        assert!(Server::open(&options).is_ok(), "the lock was released");
    }

    #[tokio::test]
    async fn a_file_that_is_no_database_is_refused_at_startup() {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes.txt");
        fs::write(&notes, "these are notes and no database, whatever the name of the option says").unwrap();
        let options = Options { lab: Some(notes.clone()), ..Options::new(folder.path().join("data")) };
        let options = Options { address: SocketAddr::from(([127, 0, 0, 1], 0)), ..options };
        let Err(refused) = Server::open(&options) else { panic!("notes are no database") };
        assert!(refused.message.contains("notes.txt"), "{}", refused.message);
    }
}
