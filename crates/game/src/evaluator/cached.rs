//! A bounded cache of evaluations.

use super::{Evaluation, Evaluator, Request, Wants, cleared};
use crate::{Game, Values};

/// An [`Evaluator`] that caches the answers of another one.
///
/// Entries are looked up by the key of the position and the [identity](Evaluator::identity) of the evaluator. Values,
/// logits and extras are stored. Playouts are not, since evaluators that draw random numbers have no identity and
/// bypass the cache. A new entry replaces the one in its slot, so the cache never exceeds the number of entries it was
/// created with: at most `entries · (80 + 4 · moves)` bytes on a 64-bit machine, not counting extras.
#[derive(Clone, Debug)]
pub struct Cached<E> {
    evaluator: E,
    slots: Vec<Option<Entry>>,
    counts: CacheCounts,
}

/// Hits and misses of a [`Cached`] evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheCounts {
    /// Requests answered from the cache.
    pub hits: u64,
    /// Requests passed on to the evaluator.
    pub misses: u64,
}

#[derive(Clone, Debug)]
struct Entry {
    key: u64,
    identity: u64,
    values: Option<Values>,
    /// The logits, empty for a uniform policy; `None` if no request has asked for the policy yet.
    policy: Option<Box<[f32]>>,
    extras: Box<[(&'static str, Vec<f32>)]>,
}

impl<E> Cached<E> {
    /// Caches up to `entries` answers of `evaluator`, at least one.
    pub fn new(evaluator: E, entries: usize) -> Self {
        Self { evaluator, slots: vec![None; entries.max(1)], counts: CacheCounts::default() }
    }

    /// The hits and misses so far.
    pub fn counts(&self) -> CacheCounts {
        self.counts
    }

    /// The number of answers in the cache.
    pub fn entries(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// The evaluator behind the cache.
    pub fn evaluator_mut(&mut self) -> &mut E {
        &mut self.evaluator
    }

    fn slot(&self, key: u64, identity: u64) -> usize {
        // Keys of toy games are small, so they are mixed before the high bits choose the slot.
        let mixed = (key ^ identity.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * self.slots.len() as u128) >> 64) as usize
    }

    /// Fills in what the cache holds. Returns `false` if the request asks for more than that.
    fn find<G: Game>(
        &self,
        request: &Request<'_, G>,
        identity: u64,
        evaluation: &mut Evaluation<G::Move>,
    ) -> bool {
        let key = request.position.key();
        let entry = self.slots[self.slot(key, identity)].as_ref();
        let Some(entry) = entry.filter(|entry| (entry.key, entry.identity) == (key, identity)) else {
            return false;
        };
        let known = match request.wants {
            Wants::Values => entry.values.is_some(),
            Wants::Policy => entry.policy.is_some(),
        };
        if known {
            evaluation.values = entry.values.unwrap_or_default();
            let logits = entry.policy.as_deref().filter(|logits| logits.len() == request.moves.len());
            evaluation.logits.extend_from_slice(logits.unwrap_or_default());
            evaluation.extras.extend_from_slice(&entry.extras);
        }
        known
    }

    fn store<G: Game>(&mut self, request: &Request<'_, G>, identity: u64, evaluation: &Evaluation<G::Move>) {
        let key = request.position.key();
        let slot = self.slot(key, identity);
        let old = self.slots[slot].take().filter(|entry| (entry.key, entry.identity) == (key, identity));
        let has_policy = request.wants == Wants::Policy || !evaluation.logits.is_empty();
        let policy = has_policy.then(|| evaluation.logits.clone().into_boxed_slice());
        let mut entry = Entry { key, identity, values: None, policy, extras: Box::default() };
        if request.wants == Wants::Values {
            entry.values = Some(evaluation.values);
            entry.extras = evaluation.extras.clone().into_boxed_slice();
        }
        if let Some(old) = old {
            entry.policy = entry.policy.or(old.policy);
            if entry.values.is_none() {
                (entry.values, entry.extras) = (old.values, old.extras);
            }
        }
        self.slots[slot] = Some(entry);
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Cached<E> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let Some(identity) = self.evaluator.identity() else {
            self.counts.misses += requests.len() as u64;
            return self.evaluator.evaluate_unless(requests, evaluations, is_interrupted);
        };
        let mut missing = Vec::new();
        for (index, request) in requests.iter().enumerate() {
            if !self.find(request, identity, &mut evaluations[index]) {
                missing.push(index);
            }
        }
        self.counts.hits += (requests.len() - missing.len()) as u64;
        self.counts.misses += missing.len() as u64;
        if missing.is_empty() {
            return true;
        }
        // All misses go to the evaluator in one batch.
        let asked: Vec<Request<'_, G>> = missing.iter().map(|&index| requests[index]).collect();
        let mut answers = Vec::new();
        let answers = cleared(&mut answers, asked.len());
        if !self.evaluator.evaluate_unless(&asked, answers, is_interrupted) {
            return false;
        }
        for ((&index, request), answer) in missing.iter().zip(&asked).zip(answers) {
            self.store(request, identity, answer);
            evaluations[index] = std::mem::take(answer);
        }
        true
    }

    fn identity(&self) -> Option<u64> {
        self.evaluator.identity()
    }

    fn reseed(&mut self, seed: u64) {
        self.evaluator.reseed(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        StaticEvaluator, ValuesOnly,
        toy::{Take, TakeMove, TakeRules},
    };

    /// Derives its answers from the key and a bias, with a policy on request, and counts batches.
    struct Biased {
        bias: f32,
        batches: u32,
    }

    impl Evaluator<Take> for Biased {
        fn evaluate(&mut self, requests: &[Request<'_, Take>], evaluations: &mut [Evaluation<TakeMove>]) {
            self.batches += 1;
            for (request, evaluation) in requests.iter().zip(evaluations) {
                let number = (request.position.key() % 97) as f32 / 100.0 + self.bias;
                match request.wants {
                    Wants::Values => {
                        evaluation.values = Values([number; crate::MAX_SEATS]);
                        evaluation.extras.push(("uncertainty", vec![number / 2.0]));
                    }
                    Wants::Policy => evaluation.logits.extend(request.moves.iter().map(|_| number)),
                }
            }
        }

        fn identity(&self) -> Option<u64> {
            Some(super::super::identity_of(self.bias.to_bits()))
        }
    }

    /// All positions of a game with their legal moves.
    fn positions() -> Vec<(Take, Vec<TakeMove>)> {
        let mut position = Take::new(&TakeRules { tokens: 60, most: 4, seats: 2 });
        let mut all = Vec::new();
        while !position.is_over() {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let m = moves[all.len() % moves.len()];
            all.push((position.clone(), moves));
            position.play_unchecked(m, &mut ());
        }
        all
    }

    fn ask(evaluator: &mut impl Evaluator<Take>, wants: Wants) -> Vec<Evaluation<TakeMove>> {
        let all = positions();
        let request = |(position, moves)| Request { position, moves, wants };
        let requests: Vec<_> = all.iter().map(|(position, moves)| request((position, moves))).collect();
        let mut answers = Vec::new();
        evaluator.evaluate(&requests, cleared(&mut answers, requests.len()));
        answers
    }

    #[test]
    fn answers_equal_the_evaluators_and_are_cached_the_second_time() {
        for entries in [1, 7, 10_000] {
            let mut plain = Biased { bias: 0.1, batches: 0 };
            let mut cached = Cached::new(Biased { bias: 0.1, batches: 0 }, entries);
            let count = positions().len() as u64;
            for round in 0..3 {
                // Values with extras, then the policy; neither is mistaken for the other.
                for wants in [Wants::Values, Wants::Policy] {
                    let (expected, found) = (ask(&mut plain, wants), ask(&mut cached, wants));
                    for (one, other) in expected.iter().zip(&found) {
                        if wants == Wants::Values {
                            assert_eq!((one.values, &one.extras), (other.values, &other.extras));
                        } else {
                            assert_eq!(one.logits, other.logits, "round {round}");
                        }
                    }
                }
            }
            assert!(cached.entries() <= entries, "{} of {entries}", cached.entries());
            if entries == 10_000 {
                assert!(cached.counts().hits > 3 * count, "{:?}", cached.counts());
                assert!(cached.evaluator_mut().batches < 6);
            }
        }
    }

    #[test]
    fn evaluators_of_different_identity_do_not_share_answers() {
        let mut cached = Cached::new(Biased { bias: 0.0, batches: 0 }, 10_000);
        let before = ask(&mut cached, Wants::Values);
        cached.evaluator_mut().bias = 0.5;
        let after = ask(&mut cached, Wants::Values);
        assert!(before.iter().zip(&after).all(|(one, other)| one.values != other.values));
        assert_eq!(after, ask(&mut Biased { bias: 0.5, batches: 0 }, Wants::Values));
    }

    #[test]
    fn answers_without_identity_are_not_cached() {
        let mut asked = 0;
        let mut cached = Cached::new(
            ValuesOnly(|_: &Take| {
                asked += 1;
                Values::default()
            }),
            100,
        );
        assert_eq!(StaticEvaluator::<Take>::identity(&cached.evaluator.0), None);
        ask(&mut cached, Wants::Values);
        ask(&mut cached, Wants::Values);
        assert_eq!((cached.entries(), cached.counts().hits), (0, 0));
        drop(cached);
        assert_eq!(asked, 2 * positions().len());
    }
}
