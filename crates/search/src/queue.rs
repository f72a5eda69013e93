//! One evaluator for several threads.

use std::{
    io,
    sync::mpsc::{self, Receiver, Sender},
    thread,
};

use game::{Evaluation, Evaluator, Game, Request, Wants, cleared};

/// A handle to an evaluator that runs in a thread of its own and answers all threads that hold one.
///
/// Positions are cloned into a queue. The evaluator takes whatever waits there, up to a number of requests, as one batch:
/// while it works, the next batch gathers. The thread ends with the last handle. An asker that goes away without reading
/// its answer holds nobody up. If the evaluator panics, everyone who waits for an answer or asks later panics as well,
/// instead of waiting for ever.
///
/// [`reseed`](Evaluator::reseed) does nothing: the evaluator is everybody's.
pub struct QueuedEvaluator<G: Game> {
    queue: Sender<Job<G>>,
    identity: Option<u64>,
}

/// The requests of one call.
struct Job<G: Game> {
    asked: Vec<(G, Vec<G::Move>, Wants)>,
    reply: Sender<Vec<Evaluation<G::Move>>>,
}

impl<G: Game> QueuedEvaluator<G> {
    /// Starts a thread that answers with `evaluator`, about `most` requests at a time: the requests of one call stay
    /// together.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(evaluator: impl Evaluator<G> + Send + 'static, most: usize) -> io::Result<Self> {
        let identity = evaluator.identity();
        let (queue, jobs) = mpsc::channel();
        thread::Builder::new().name("evaluator".to_owned()).spawn(move || serve(evaluator, &jobs, most))?;
        Ok(Self { queue, identity })
    }
}

impl<G: Game> Clone for QueuedEvaluator<G> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), identity: self.identity }
    }
}

impl<G: Game> Evaluator<G> for QueuedEvaluator<G> {
    /// # Panics
    /// If the evaluator has panicked.
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        let copy =
            |request: &Request<'_, G>| (request.position.clone(), request.moves.to_vec(), request.wants);
        // A channel for every call: if the evaluator's thread ends, its half of this one goes with it.
        let (reply, answers) = mpsc::channel();
        let sent = self.queue.send(Job { asked: requests.iter().map(copy).collect(), reply });
        let answers = sent.ok().and_then(|()| answers.recv().ok());
        let answers = answers.expect("the shared evaluator has panicked: see its message");
        for (evaluation, answer) in evaluations.iter_mut().zip(answers) {
            *evaluation = answer;
        }
    }

    fn identity(&self) -> Option<u64> {
        self.identity
    }
}

/// Answers jobs until nobody can send any more.
fn serve<G: Game>(mut evaluator: impl Evaluator<G>, jobs: &Receiver<Job<G>>, most: usize) {
    let mut evaluations = Vec::new();
    while let Ok(first) = jobs.recv() {
        let mut count = first.asked.len();
        let mut batch = vec![first];
        while count < most {
            let Ok(next) = jobs.try_recv() else { break };
            count += next.asked.len();
            batch.push(next);
        }
        let asked = batch.iter().flat_map(|job| &job.asked);
        let requests: Vec<_> =
            asked.map(|(position, moves, wants)| Request { position, moves, wants: *wants }).collect();
        let answers = cleared(&mut evaluations, count);
        evaluator.evaluate(&requests, answers);
        let mut answers = answers.iter_mut().map(std::mem::take);
        for Job { asked, reply } in &batch {
            // Whoever asked may be gone.
            let _ = reply.send(answers.by_ref().take(asked.len()).collect());
        }
    }
}
