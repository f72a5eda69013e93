//! Drives many searches in one thread and evaluates their requests in common batches.

use game::{Evaluator, Game, Request, cleared};

use crate::{Search, Step, Stop};

/// The number and total size of batches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BatchCounts {
    /// Calls of the evaluator.
    pub batches: u64,
    /// Requests in all batches.
    pub requests: u64,
}

impl BatchCounts {
    /// The mean number of requests per batch.
    pub fn mean(&self) -> f64 {
        self.requests as f64 / self.batches.max(1) as f64
    }
}

/// Runs searches that were [begun](Search::begin) concurrently and evaluates their requests in common batches.
///
/// Every search is advanced to its next requests; then `evaluator` gets all of them, at most `most` at a time. A search
/// that is done is passed to `finished`, which reads its report and either begins another search and returns `true`, or
/// returns `false`. One thread can thus play any number of games at once. `drive` returns when every search is
/// finished.
///
/// Each search gets the same answers as if it ran alone, since the contract of [`Evaluator`] requires that answers do
/// not depend on the rest of the batch. Raising `stop` ends every search soon; `finished` is still called for each.
pub fn drive<G: Game, S: Search<G>>(
    searches: &mut [S],
    evaluator: &mut dyn Evaluator<G>,
    most: usize,
    stop: &Stop,
    mut finished: impl FnMut(usize, &mut S) -> bool,
) -> BatchCounts {
    let mut running: Vec<usize> = (0..searches.len()).collect();
    let mut counts = BatchCounts::default();
    let mut evaluations = Vec::new();
    loop {
        running.retain(|&index| {
            let search = &mut searches[index];
            loop {
                match search.step(stop) {
                    Step::Evaluate => return true,
                    Step::Progress => {}
                    Step::Done => {
                        if !finished(index, search) {
                            return false;
                        }
                    }
                }
            }
        });
        let asking = running.iter().map(|&index| &searches[index]);
        let requests: Vec<Request<'_, G>> =
            asking.flat_map(|search| (0..search.pending()).map(|at| search.request(at))).collect();
        if requests.is_empty() {
            return counts;
        }
        let answers = cleared(&mut evaluations, requests.len());
        for (requests, answers) in requests.chunks(most.max(1)).zip(answers.chunks_mut(most.max(1))) {
            evaluator.evaluate(requests, answers);
            counts.batches += 1;
            counts.requests += requests.len() as u64;
        }
        let mut answers = &*answers;
        for &index in &running {
            let (own, others) = answers.split_at(searches[index].pending());
            searches[index].resume(own);
            answers = others;
        }
    }
}
