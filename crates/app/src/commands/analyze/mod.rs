//! `riftlab analyze`: questions about positions in, answers out, a line of JSON each.

mod answer;
mod request;

use std::{
    io::{self, BufRead},
    sync::{Mutex, mpsc::sync_channel},
    thread,
};

use clap::value_parser;
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

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let (questions, taken) = sync_channel::<(u64, String)>(usize::from(args.threads));
    let taken = Mutex::new(taken);
    let work = || -> io::Result<bool> {
        let mut answered = true;
        loop {
            let next = taken.lock().map_or(None, |taken| taken.recv().ok());
            let Some((number, text)) = next else { return Ok(answered) };
            answered &= answer(args, number, &text, printer)?;
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..args.threads).map(|_| scope.spawn(work)).collect();
        let read = read_questions(|number, text| questions.send((number, text)).is_ok());
        drop(questions);
        let mut answered = true;
        for worker in workers {
            answered &= worker.join().map_err(|_| anyhow::anyhow!("an analysis broke down"))??;
        }
        read?;
        Ok(if answered { Verdict::Yes } else { Verdict::No })
    })
}

/// Hands over every line that is not blank, with its number, until nobody takes them any more.
fn read_questions(mut take: impl FnMut(u64, String) -> bool) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        // One byte more than allowed tells a line that is too long from one that just fits.
        if io::Read::take(&mut input, LONGEST + 1).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 > LONGEST {
            // The rest of the line is nothing to answer.
            input.skip_until(b'\n')?;
        }
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() && !take(number, text.trim().to_owned()) {
            break;
        }
    }
    Ok(())
}

/// Answers one question; tells whether it could be answered.
fn answer(args: &Args, number: u64, text: &str, printer: &Printer) -> io::Result<bool> {
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
    match answer::answer(&request, &args.agent, &mut |answer| printer.line(answer)) {
        Ok(()) => Ok(true),
        Err(answer::Failure::Refused(error)) => refused(request.id, &error).map(|()| false),
        Err(answer::Failure::Output(error)) => Err(error),
    }
}
