//! `riftlab analyze --protocol kata`: `KataGo`'s analysis protocol, for programs such as `KaTrain`.

use std::{io, sync::Arc};

use gtp_engine::AnalysisServer;

use super::Args;
use crate::{Verdict, data_folder};

/// The agent unless `--agent` names one: the strongest without a net, with a budget that queries usually set themselves.
pub(super) const AGENT: &str =
    "mcts(sims=2000,leaves=rollout,select=uct,c=0.05,rave=1000,priors=20,reuse=yes)";

/// Answers queries from standard input until it ends or the output is closed.
pub(super) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let spec = args.agent.clone().map_or_else(|| AGENT.parse(), Ok)?;
    let version = concat!("riftlab ", env!("CARGO_PKG_VERSION")).to_owned();
    let models = Arc::new(data_folder::open_models());
    let server = AnalysisServer { spec, models, threads: args.threads, version, seed: 1 };
    server.serve(io::stdin(), &mut io::stdout())?;
    Ok(Verdict::Yes)
}
