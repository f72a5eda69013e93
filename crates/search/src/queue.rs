//! A queue through which several threads share one evaluator.

use std::{
    io,
    sync::mpsc::{self, Receiver, Sender},
    thread,
};

use game::{Evaluation, Evaluator, Game, Request, Wants, cleared};

/// A cloneable handle to an evaluator that runs in its own thread.
///
/// Positions are cloned into a queue. The evaluator takes all queued requests, up to a maximum, as one batch; the next
/// batch forms while it works. The thread ends when the last handle is dropped. A caller that is dropped without
/// reading its answer does not block the others. If the evaluator panics, every thread that waits for an answer or
/// sends a request later panics as well, instead of waiting forever.
///
/// [`reseed`](Evaluator::reseed) does nothing, since the evaluator is shared.
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
    /// Starts a thread that runs `evaluator` on batches of about `most` requests. The requests of one call are never
    /// split.
    ///
    /// # Errors
    /// If the thread cannot be started.
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
        // Each call has its own channel, so that it disconnects if the evaluator's thread ends.
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

/// Serves jobs until the last handle is dropped.
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
            // The caller may have been dropped.
            let _ = reply.send(answers.by_ref().take(asked.len()).collect());
        }
    }
}
