//! `KataGo`'s analysis protocol: queries and responses as JSON Lines, answered by any agent.
//!
//! A query names a game and the turns to analyse. Every turn is a job; workers take the job with the highest priority.
//! `docs/games/gtp.md` lists the fields.

mod query;
mod response;
#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    io::{self, Read, Write},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

use gtp::{Line, Lines};
use ladder::{Models, Spec};
use search::Stop;
use serde_json::{Value, json};

use query::{Fault, Query};

/// The maximum length of a query.
const MAX_QUERY: usize = 4 << 20;
/// The number of lines that are read ahead.
const CAPACITY: usize = 16;
/// How often to check whether the output is closed while no input comes.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Answers the queries of `KataGo`'s analysis protocol.
#[derive(Clone, Debug)]
pub struct AnalysisServer {
    /// The agent that analyses.
    pub spec: Spec,
    /// The nets that it can name.
    pub models: Arc<Models>,
    /// The number of turns that are analysed at the same time.
    pub threads: u16,
    /// The version that `query_version` replies with.
    pub version: String,
    /// The seed of the agents.
    pub seed: u64,
}

/// A turn of a query to be analysed.
struct Job {
    query: Arc<Query>,
    turn: usize,
    priority: i64,
    /// The number of the job, in the order of arrival.
    number: u64,
    stop: Arc<Stop>,
}

/// The jobs of all workers.
#[derive(Default)]
struct Queue {
    waiting: Vec<Job>,
    /// The ids, turns and stops of the jobs being analysed.
    running: Vec<(u64, String, usize, Arc<Stop>)>,
    arrived: u64,
    /// Whether no more jobs will come.
    closed: bool,
}

/// What the workers share.
struct Office<'a, W> {
    server: &'a AnalysisServer,
    queue: Mutex<Queue>,
    news: Condvar,
    output: Mutex<Output<'a, W>>,
}

struct Output<'a, W> {
    stream: &'a mut W,
    /// The error that ended the output.
    failure: Option<io::Error>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AnalysisServer {
    /// Answers queries from `input` until it ends and all are answered.
    ///
    /// # Errors
    /// If `output` cannot be written to.
    pub fn serve(
        &self,
        input: impl Read + Send + 'static,
        output: &mut (impl Write + Send),
    ) -> io::Result<()> {
        let (sender, lines) = sync_channel(CAPACITY);
        // This thread is not joined, since it may block in a read forever after the output is closed.
        thread::spawn(move || {
            let mut input = Lines::new(input, MAX_QUERY);
            loop {
                let line = input.next_line();
                let last = line == Line::End;
                if sender.send(line).is_err() || last {
                    return;
                }
            }
        });
        let office = Office {
            server: self,
            queue: Mutex::default(),
            news: Condvar::new(),
            output: Mutex::new(Output { stream: output, failure: None }),
        };
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| office.work());
            }
            loop {
                match lines.recv_timeout(POLL_INTERVAL) {
                    Ok(Line::Text(text)) => office.take(&text),
                    Ok(Line::TooLong) => {
                        let error = format!("a query of more than {MAX_QUERY} bytes");
                        office.write(&json!({ "error": error }));
                    }
                    Ok(Line::End) | Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if locked(&office.output).failure.is_some() {
                    break;
                }
            }
            locked(&office.queue).closed = true;
            office.news.notify_all();
        });
        let failure = locked(&office.output).failure.take();
        failure.map_or(Ok(()), Err)
    }
}

impl<W: Write + Send> Office<'_, W> {
    /// Writes a line. If that fails, all work ends.
    fn write(&self, value: &Value) {
        let mut output = locked(&self.output);
        if output.failure.is_some() {
            return;
        }
        let written = writeln!(output.stream, "{value}").and_then(|()| output.stream.flush());
        if let Err(error) = written {
            output.failure = Some(error);
            drop(output);
            let mut queue = locked(&self.queue);
            queue.waiting.clear();
            queue.running.iter().for_each(|(.., stop)| stop.raise());
        }
    }

    /// Handles a line of input.
    fn take(&self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => {
                return self.write(&json!({ "error": format!("could not parse the query: {error}") }));
            }
        };
        let handled = match value.get("action") {
            Some(action) => self.act(action.as_str().unwrap_or_default(), &value),
            None => Query::parse(&value).map(|query| self.enqueue(query)),
        };
        if let Err(Fault { field, message }) = handled {
            self.write(&json!({ "error": message, "field": field, "id": value.get("id") }));
        }
    }

    fn enqueue(&self, query: Query) {
        for field in &query.unused {
            self.write(&json!({
                "id": query.id, "field": field, "warning": "this field has no effect",
            }));
        }
        let query = Arc::new(query);
        let mut queue = locked(&self.queue);
        for (index, &turn) in query.turns.iter().enumerate() {
            queue.arrived += 1;
            let priority = query.priorities.get(index).copied().unwrap_or(query.priority);
            let number = queue.arrived;
            queue.waiting.push(Job {
                query: Arc::clone(&query),
                turn,
                priority,
                number,
                stop: Arc::default(),
            });
        }
        self.news.notify_all();
    }

    /// Carries out an action other than an analysis.
    fn act(&self, action: &str, value: &Value) -> Result<(), Fault> {
        let mut reply = value.clone();
        match action {
            "query_version" => {
                reply["version"] = json!(self.server.version);
                reply["git_hash"] = json!("");
            }
            // Agents keep nothing from one query to the next, and have no nets to list.
            "clear_cache" => {}
            "query_models" => reply["models"] = json!([]),
            "terminate" => {
                let id = value.get("terminateId").and_then(Value::as_str);
                let id = id.ok_or_else(|| Fault::new("terminateId", "expected the id of a query"))?;
                self.terminate(Some(id), value);
            }
            "terminate_all" => self.terminate(None, value),
            _ => return Err(Fault::new("action", format!("unknown action {action:?}"))),
        }
        self.write(&reply);
        Ok(())
    }

    /// Ends the jobs of a query, or of all. Those that have begun report what they have found.
    fn terminate(&self, id: Option<&str>, value: &Value) {
        let turns = value.get("turnNumbers").and_then(Value::as_array);
        let is_turn = |turn: usize| turns.is_none_or(|turns| turns.contains(&json!(turn)));
        let meant = |its: &str, turn: usize| id.is_none_or(|id| id == its) && is_turn(turn);
        let mut ended = Vec::new();
        {
            let mut queue = locked(&self.queue);
            queue.waiting.retain(|job| {
                let ends = meant(&job.query.id, job.turn);
                if ends {
                    ended.push((job.query.id.clone(), job.turn));
                }
                !ends
            });
            for (_, its, turn, stop) in &queue.running {
                if meant(its, *turn) {
                    stop.raise();
                }
            }
        }
        for (id, turn) in ended {
            self.write(&json!({ "id": id, "isDuringSearch": false, "noResults": true, "turnNumber": turn }));
        }
    }

    /// Takes jobs until there are no more.
    fn work(&self) {
        while let Some(job) = self.next_job() {
            let answered = response::respond(self.server, &job.query, job.turn, &job.stop, &mut |response| {
                self.write(&response);
            });
            if let Err(Fault { field, message }) = answered {
                self.write(&json!({ "error": message, "field": field, "id": job.query.id }));
            }
            locked(&self.queue).running.retain(|(number, ..)| *number != job.number);
        }
    }

    fn next_job(&self) -> Option<Job> {
        let mut queue = locked(&self.queue);
        loop {
            let first = (0..queue.waiting.len())
                .min_by_key(|&at| (Reverse(queue.waiting[at].priority), queue.waiting[at].number));
            if let Some(at) = first {
                let job = queue.waiting.swap_remove(at);
                queue.running.push((job.number, job.query.id.clone(), job.turn, Arc::clone(&job.stop)));
                return Some(job);
            }
            if queue.closed {
                return None;
            }
            queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
