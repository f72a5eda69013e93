//! `riftlab analyze`: analyses positions, with requests and responses as JSON Lines.

mod kata;
mod request;
mod response;

use std::{
    io::{self, BufRead},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use clap::{ValueEnum, value_parser};
use search::Stop;
use serde_json::{Value, json};

use crate::{Verdict, agents, printer::Printer};
use ladder::Spec;
use request::Request;

/// Analyse positions, with requests and responses as JSON Lines.
///
/// Every line of standard input is a request. It names a position (`position`, or `game` with options such as `board` and
/// `players` for RingRift, `size` and `komi` for Go), moves to play from there (`moves`), the agent and its limits
/// (`agent`, `nodes`, `seconds`, `seed`), and what to report (`top`, `partial`); `id` is returned in the response. All
/// fields are optional. Examples:
/// `{"board":"hex8","moves":["+e5"],"agent":"mcts(sims=800)"}`, `{"game":"go","size":9,"moves":["E5"]}`
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent for requests that do not name one [default: mcts(sims=400); with `--protocol kata` one with playouts]
    #[arg(long, value_name = "SPEC", value_parser = agents::parse)]
    agent: Option<Spec>,

    /// The format of requests and responses: our own, or that of `katago analysis` for games of Go.
    #[arg(long, value_name = "NAME", default_value = "riftlab")]
    protocol: Protocol,

    /// Number of requests analysed in parallel; with more than one, responses may come in a different order.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// The formats of requests and responses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Protocol {
    /// The format of this page.
    Riftlab,
    /// `KataGo`'s analysis protocol.
    Kata,
}

/// The agent unless `--agent` names one.
const AGENT: &str = "mcts(sims=400)";

/// The maximum size of a request, in bytes.
const MAX_REQUEST: u64 = 1 << 20;

/// How often an idle worker checks whether the output is closed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A request with its line number, or the error that ended the input.
type Line = io::Result<(u64, String)>;

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    if args.protocol == Protocol::Kata {
        return kata::run(args);
    }
    let agent = args.agent.clone().map_or_else(|| AGENT.parse(), Ok)?;
    let (lines, requests) = sync_channel::<Line>(usize::from(args.threads));
    // The reader thread is not joined: it may block on input forever after the output is closed.
    thread::spawn(move || read_requests(&lines));
    let requests = Mutex::new(requests);
    let closed = Stop::default();
    thread::scope(|scope| {
        let work = || respond_to_all(&agent, &requests, &closed, printer);
        let workers: Vec<_> = (0..args.threads).map(|_| scope.spawn(work)).collect();
        let mut all_valid = true;
        for worker in workers {
            all_valid &= worker.join().map_err(|_| anyhow::anyhow!("an analysis panicked"))??;
        }
        Ok(if all_valid { Verdict::Yes } else { Verdict::No })
    })
}

/// Responds to requests until the input ends or the output is closed. Returns whether all requests were valid.
fn respond_to_all(
    agent: &Spec,
    requests: &Mutex<Receiver<Line>>,
    closed: &Stop,
    printer: &Printer,
) -> io::Result<bool> {
    let mut all_valid = true;
    while !closed.is_raised() {
        let next = requests.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL_INTERVAL);
        match next {
            Ok(line) => {
                let (number, text) = line?;
                // If one response cannot be written, the output is closed: stop the other workers, too.
                all_valid &=
                    respond(agent, number, &text, closed, printer).inspect_err(|_| closed.raise())?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(all_valid)
}

/// Sends every line that is not blank, with its number, until the receiver is dropped.
fn read_requests(lines: &SyncSender<Line>) {
    let mut input = io::stdin().lock();
    for number in 1.. {
        let sent = match read_request(&mut input) {
            Ok(None) => return,
            Ok(Some(text)) if text.is_empty() => continue,
            Ok(Some(text)) => lines.send(Ok((number, text))),
            Err(error) => {
                // If the receiver is dropped, the error cannot be reported.
                let _ = lines.send(Err(error));
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Reads the next line and trims it; `None` at the end of the input.
fn read_request(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    // One byte more than the maximum distinguishes a line that is too long from one that just fits.
    if io::Read::take(&mut *input, MAX_REQUEST + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 > MAX_REQUEST {
        // Discard the rest of the line.
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
}

/// Responds to one request. Returns whether it was valid.
fn respond(agent: &Spec, number: u64, text: &str, closed: &Stop, printer: &Printer) -> io::Result<bool> {
    let reject = |id: Value, error: &anyhow::Error| {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        printer.line(json!({
            "type": "error", "version": 1, "id": id, "line": number, "error": causes.join(": "),
        }))
    };
    let request = match Request::parse(text, MAX_REQUEST as usize) {
        Ok(request) => request,
        Err((id, error)) => return reject(id, &error).map(|()| false),
    };
    match response::respond(&request, agent, closed, &mut |response| printer.line(response)) {
        Ok(()) => Ok(true),
        Err(response::Failure::Rejected(error)) => reject(request.id, &error).map(|()| false),
        Err(response::Failure::Output(error)) => Err(error),
    }
}
