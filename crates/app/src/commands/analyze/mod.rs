//! `riftlab analyze`: questions about positions in, answers out, a line of JSON each.

mod answer;
mod request;

use std::{
    io::{self, BufRead},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use clap::value_parser;
use search::Stop;
use serde_json::{Value, json};

use crate::{Verdict, agents, printer::Printer};
use ladder::Spec;
use request::Request;

/// Answer questions about positions, one JSON object a line from standard input.
///
/// A question names a position (`position`, or for a start `game` and any of its options, such as `board` and `players` in
/// RingRift, `size` and `komi` in Go) and moves from there (`moves`), who looks at it (`agent`, `nodes`, `seconds`, `seed`), and what to
/// tell (`top`, `partial`); `id` comes back in the answer. All are optional. Examples:
/// `{"board":"hex8","moves":["+e5"],"agent":"mcts(sims=800)"}`, `{"game":"go","size":9,"moves":["E5"]}`
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who looks at positions if a question does not say.
    #[arg(long, value_name = "SPEC", default_value = "mcts(sims=400)", value_parser = agents::parse)]
    agent: Spec,

    /// Questions answered at the same time; with more than one, answers come as they are ready.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// The longest question, in bytes.
const LONGEST: u64 = 1 << 20;

/// How long somebody who waits for a question takes to notice that nobody wants answers any more.
const PATIENCE: Duration = Duration::from_millis(50);

/// What the reader of standard input hands over.
type Line = io::Result<(u64, String)>;

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let (lines, taken) = sync_channel::<Line>(usize::from(args.threads));
    // The reader is not waited for: it may wait for input for ever after whoever wanted answers has left.
    thread::spawn(move || read_questions(&lines));
    let taken = Mutex::new(taken);
    let gone = Stop::default();
    thread::scope(|scope| {
        let work = || answer_all(args, &taken, &gone, printer);
        let workers: Vec<_> = (0..args.threads).map(|_| scope.spawn(work)).collect();
        let mut answered = true;
        for worker in workers {
            answered &= worker.join().map_err(|_| anyhow::anyhow!("an analysis broke down"))??;
        }
        Ok(if answered { Verdict::Yes } else { Verdict::No })
    })
}

/// Answers questions until there are no more or nobody listens; tells whether all could be answered.
fn answer_all(
    args: &Args,
    taken: &Mutex<Receiver<Line>>,
    gone: &Stop,
    printer: &Printer,
) -> io::Result<bool> {
    let mut answered = true;
    while !gone.is_raised() {
        let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PATIENCE);
        match next {
            Ok(line) => {
                let (number, text) = line?;
                // One answer that cannot be written means that nobody reads: all others stop, too.
                answered &= answer(args, number, &text, gone, printer).inspect_err(|_| gone.raise())?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(answered)
}

/// Hands over every line that is not blank, with its number, until nobody takes them any more.
fn read_questions(lines: &SyncSender<Line>) {
    let mut input = io::stdin().lock();
    for number in 1.. {
        let handed = match read_question(&mut input) {
            Ok(None) => return,
            Ok(Some(text)) if text.is_empty() => continue,
            Ok(Some(text)) => lines.send(Ok((number, text))),
            Err(error) => {
                // Nobody is left to tell if this fails too.
                let _ = lines.send(Err(error));
                return;
            }
        };
        if handed.is_err() {
            return;
        }
    }
}

/// The next line without blanks around it; nothing at the end of the input.
fn read_question(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    // One byte more than allowed tells a line that is too long from one that just fits.
    if io::Read::take(&mut *input, LONGEST + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 > LONGEST {
        // The rest of the line is nothing to answer.
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
}

/// Answers one question; tells whether it could be answered.
fn answer(args: &Args, number: u64, text: &str, gone: &Stop, printer: &Printer) -> io::Result<bool> {
    let refused = |id: Value, error: &anyhow::Error| {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        printer.line(json!({
            "type": "error", "version": 1, "id": id, "line": number, "error": causes.join(": "),
        }))
    };
    let request = match Request::parse(text, LONGEST as usize) {
        Ok(request) => request,
        Err((id, error)) => return refused(id, &error).map(|()| false),
    };
    match answer::answer(&request, &args.agent, gone, &mut |answer| printer.line(answer)) {
        Ok(()) => Ok(true),
        Err(answer::Failure::Refused(error)) => refused(request.id, &error).map(|()| false),
        Err(answer::Failure::Output(error)) => Err(error),
    }
}
