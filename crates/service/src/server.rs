//! The service as a whole: its address, its files, its beginning and its end.

use std::{
    fs::{self, File, TryLockError},
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::serve::ListenerExt;
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::watch,
    time::{sleep, timeout},
};

use crate::{
    ApiError, Shares, Work,
    games::Games,
    http::{self, App, Guard},
    lab::Lab,
};

/// How the service is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub address: SocketAddr,
    /// The folder of its files, made if it is not there.
    pub data: PathBuf,
    /// The database of the laboratory, if it is not `lab.db` in that folder.
    pub lab: Option<PathBuf>,
    /// What whoever changes something or starts work has to know.
    pub token: Option<String>,
    /// Names besides this machine's own under which it may be asked.
    pub hosts: Vec<String>,
    /// The most requests that wait for a search.
    pub queue: usize,
    /// The most games that are played or watched.
    pub games: usize,
    /// The most streams of events.
    pub streams: usize,
}

impl Options {
    /// Where the service listens unless told otherwise.
    pub const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7878);

    /// This machine only, with files in `data`.
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
        }
    }
}

/// A service that listens and answers once it [runs](Server::run).
pub struct Server {
    listener: TcpListener,
    app: App,
    guard: Guard,
    end: watch::Sender<bool>,
    /// Held while it lives.
    claim: File,
}

/// How long connections have to end by themselves.
const GRACE: Duration = Duration::from_secs(5);

/// How many connections may wait to be taken: all pages of a crowd that comes back at once.
const BACKLOG: u32 = 4_096;

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Connections of a service that has just ended must not keep the next one from its address.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Lets this process have as many files and connections open as the system allows it at all: many systems begin with 1,024.
fn open_many() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // With fewer, further connections wait until others end.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

impl Server {
    /// Opens the files and takes the address. It has to be called where a runtime is.
    ///
    /// # Errors
    /// If a file or the address cannot be used.
    pub fn open(options: &Options) -> Result<Self, ApiError> {
        let folder = &options.data;
        let unusable = |error| ApiError::internal(format!("the folder {}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(unusable)?;
        let claim = claim(folder)?;
        open_many();
        let work = Work::new(options.queue)?;
        let games = Games::open(&folder.join("games.db"), work.clone(), options.games)?;
        let taken = |error| ApiError::internal(format!("cannot listen on {}: {error}", options.address));
        let listener = listen(options.address).map_err(taken)?;
        let (end, ending) = watch::channel(false);
        let guard = Guard {
            hosts: options.hosts.clone(),
            open: !options.address.ip().is_loopback(),
            token: options.token.clone(),
        };
        let lab = Lab::open(&options.lab.clone().unwrap_or_else(|| folder.join("lab.db")))?;
        let reference = Arc::new(reference::Service::default());
        let streams = Shares::new("streams are open", options.streams);
        let app = App { games, work, metrics: Arc::default(), reference, lab, streams, ending };
        Ok(Self { listener, app, guard, end, claim })
    }

    /// Where it listens: the port may have been chosen by the system.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> Result<SocketAddr, ApiError> {
        self.listener.local_addr().map_err(ApiError::internal)
    }

    /// Answers until `ended`, then lets what goes on come to an end. Every move that was acknowledged is on disk.
    ///
    /// # Errors
    /// If the address is lost.
    pub async fn run(self, ended: impl Future<Output = ()> + Send + 'static) -> Result<(), ApiError> {
        let Self { listener, app, guard, end, claim: _claim } = self;
        app.games.go_on().await?;
        let mut over = end.subscribe();
        let (lab, runs) = (app.lab.clone(), app.lab.clone());
        let over_too = async move {
            // Streams and matches would go on: they are told, and end.
            ended.await;
            lab.end();
            end.send_replace(true);
        };
        let listener = listener.tap_io(|stream| {
            // What is written is to be read: no waiting for more to send along.
            let _ = stream.set_nodelay(true);
        });
        let router = http::router(app, guard).into_make_service_with_connect_info::<SocketAddr>();
        let served = axum::serve(listener, router).with_graceful_shutdown(over_too);
        let last_call = async move {
            let _ = over.wait_for(|&over| over).await;
            timeout(GRACE, std::future::pending::<()>()).await
        };
        let all = async move {
            let served = served.await.map_err(ApiError::internal);
            // Runs finish the games on their tables, and say in the database that they were stopped.
            while runs.is_busy() {
                sleep(Duration::from_millis(10)).await;
            }
            served
        };
        tokio::select! {
            served = all => served,
            _ = last_call => Ok(()),
        }
    }
}

/// Makes the games in a folder ours: two services would both play them. However a service ends, its claim ends with it.
fn claim(folder: &Path) -> Result<File, ApiError> {
    let path = folder.join("games.lock");
    let unusable = |error: std::io::Error| ApiError::internal(format!("{}: {error}", path.display()));
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
        Err(TryLockError::WouldBlock) => Err(ApiError::internal(format!(
            "another riftlab plays the games in {}: end it, or choose another folder with --data",
            folder.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn games_are_played_by_one_service_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let options = Options { address: anywhere, ..Options::new(folder.path()) };
        let first = Server::open(&options).unwrap();
        let Err(refused) = Server::open(&options) else { panic!("two play the same games") };
        assert!(refused.message.contains("another riftlab"), "{}", refused.message);
        drop(first);
        assert!(Server::open(&options).is_ok(), "its claim ended with it");
    }

    #[tokio::test]
    async fn a_database_of_something_else_is_refused_before_anybody_asks() {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes.txt");
        fs::write(&notes, "these are notes and no database, whatever the name of the option says").unwrap();
        let options = Options { lab: Some(notes.clone()), ..Options::new(folder.path().join("data")) };
        let options = Options { address: SocketAddr::from(([127, 0, 0, 1], 0)), ..options };
        let Err(refused) = Server::open(&options) else { panic!("notes are no database") };
        assert!(refused.message.contains("notes.txt"), "{}", refused.message);
    }
}
