//! One batch evaluated by several threads.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use game::{Evaluation, Evaluator, Game, Request};
use rand::Rng;

/// Copies of an evaluator that divide every batch among themselves, each in its own thread.
///
/// A search whose leaves are evaluated in batches thus uses several threads for one tree. Which copy gets which request
/// depends only on the batch, so the result is as reproducible as with one thread.
pub struct ParallelEvaluator<G: Game> {
    evaluators: Vec<Box<dyn Evaluator<G> + Send>>,
}

impl<G: Game> ParallelEvaluator<G> {
    /// Divides batches among `evaluators`. All but the first must have been [reseeded](Evaluator::reseed) if they draw
    /// random numbers.
    ///
    /// # Panics
    /// If there is no evaluator.
    pub fn new(evaluators: Vec<Box<dyn Evaluator<G> + Send>>) -> Self {
        assert!(!evaluators.is_empty(), "a batch needs at least one evaluator");
        Self { evaluators }
    }
}

impl<G: Game> Evaluator<G> for ParallelEvaluator<G> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let part = requests.len().div_ceil(self.evaluators.len()).max(1);
        let parts = requests.chunks(part).zip(evaluations.chunks_mut(part));
        let mut parts = self.evaluators.iter_mut().zip(parts);
        let Some((first, (requests, evaluations))) = parts.next() else { return true };
        // Only this thread may call `is_interrupted`; the others learn of it through a flag.
        let interrupted = AtomicBool::new(false);
        thread::scope(|scope| {
            let others: Vec<_> = parts
                .map(|(evaluator, (requests, evaluations))| {
                    let is_interrupted = || interrupted.load(Ordering::Relaxed);
                    scope.spawn(move || evaluator.evaluate_unless(requests, evaluations, &is_interrupted))
                })
                .collect();
            let is_interrupted = || {
                let now = is_interrupted();
                interrupted.fetch_or(now, Ordering::Relaxed);
                now
            };
            let mut is_answered = first.evaluate_unless(requests, evaluations, &is_interrupted);
            for other in others {
                is_answered &= other.join().expect("an evaluator does not panic");
            }
            is_answered
        })
    }

    fn identity(&self) -> Option<u64> {
        self.evaluators[0].identity()
    }

    fn reseed(&mut self, seed: u64) {
        for (number, evaluator) in (0..).zip(&mut self.evaluators) {
            evaluator.reseed(seed.wrapping_add(number));
        }
    }
}

/// The evaluator of `threads` threads: one made by `make`, or several that divide every batch. `rng` only seeds the others,
/// so a search whose evaluator draws no random numbers finds the same with any number of threads.
pub(crate) fn parallel<G: Game>(
    threads: usize,
    make: &mut impl FnMut() -> Box<dyn Evaluator<G> + Send>,
    rng: &mut impl Rng,
) -> Box<dyn Evaluator<G> + Send> {
    let first = make();
    if threads <= 1 {
        return first;
    }
    let mut evaluators = vec![first];
    for _ in 1..threads {
        let mut evaluator = make();
        evaluator.reseed(rng.next_u64());
        evaluators.push(evaluator);
    }
    Box::new(ParallelEvaluator::new(evaluators))
}
