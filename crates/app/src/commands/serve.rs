//! `riftlab serve`: runs the web app and its API on this machine.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Mutex,
};

use anyhow::{Context, anyhow};
use service::{Options, Server};

use crate::{INTERRUPTED, Verdict, data_folder, failure::ErrorWithHint, printer::Printer};

/// Run the web app and its API on this machine.
///
/// Games are stored in the folder of --data and survive a restart.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address to listen on; other machines can connect only if it is not a loopback address.
    #[arg(long, value_name = "ADDRESS", default_value_t = Options::ADDRESS)]
    address: SocketAddr,

    /// Folder for games [default: riftlab in the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Database of matches, tournaments and ratings [default: lab.db in the folder for games]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// File with a token that requests must present to change anything or to start work.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Additional host name under which the service accepts requests; may be repeated.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let token = args.token_file.as_deref().map(token).transpose()?;
    let data = args.data.clone().map_or_else(data_folder::required, Ok)?;
    let options = Options {
        address: args.address,
        lab: args.db.clone(),
        token,
        hosts: args.hosts.clone(),
        ..Options::new(data)
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the threads of the service")?;
    runtime.block_on(async {
        let server = Server::open(&options).map_err(|error| {
            let taken = error.message.contains("in use");
            let error = anyhow!(error);
            if taken {
                ErrorWithHint::error(error.to_string(), "try another port: --address 127.0.0.1:0".to_owned())
            } else {
                error
            }
        })?;
        let address = server.address().map_err(|error| anyhow!(error))?;
        printer.line(format!("riftlab is at http://{address}/"))?;
        printer.line(format!(
            "Games are stored in {}. Press Ctrl-C to stop the service.",
            options.data.display()
        ))?;
        server.run(interrupted()?).await.map_err(|error| anyhow!(error))?;
        Ok(Verdict::Yes)
    })
}

/// A future that completes on Ctrl-C or when the system terminates the process.
fn interrupted() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
    let sender = Mutex::new(Some(sender));
    let end = move || {
        let sender = sender.lock().map_or(None, |mut sender| sender.take());
        // A second Ctrl-C exits at once.
        match sender {
            Some(sender) => drop(sender.send(())),
            None => std::process::exit(INTERRUPTED.into()),
        }
    };
    ctrlc::set_handler(end).context("cannot install the handler for Ctrl-C")?;
    Ok(async move {
        let _ = receiver.await;
    })
}

/// Reads a token from the first line of a file.
fn token(path: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the token in {}", path.display()))?;
    let token = text.lines().next().unwrap_or_default().trim();
    anyhow::ensure!(
        token.len() >= 8,
        "{}: expected a token of at least 8 characters in the first line",
        path.display()
    );
    Ok(token.to_owned())
}
