//! Values of one evaluator with the policy of another.

use game::{Evaluation, Evaluator, Game, Request, Wants, identity_of};

/// Takes values from one evaluator and the policy from another, such as the values of a fast network and the policy of a
/// slow one.
///
/// The policy is computed only for [`Wants::Policy`], when a search revisits a position: most positions are never revisited.
#[derive(Clone, Debug)]
pub struct PolicyFrom<P, V> {
    policy: P,
    values: V,
    joint: bool,
}

impl<P, V> PolicyFrom<P, V> {
    /// Creates an evaluator with the policy of `policy` and the values of `values`.
    pub fn new(policy: P, values: V) -> Self {
        Self { policy, values, joint: false }
    }

    /// The same, but the policy is the product of both: the odds of a move by `policy` times those by `values`, if that
    /// has a policy.
    pub fn joint(policy: P, values: V) -> Self {
        Self { policy, values, joint: true }
    }
}

impl<G: Game, P: Evaluator<G>, V: Evaluator<G>> Evaluator<G> for PolicyFrom<P, V> {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        self.evaluate_unless(requests, evaluations, &|| false);
    }

    fn evaluate_unless(
        &mut self,
        requests: &[Request<'_, G>],
        evaluations: &mut [Evaluation<G::Move>],
        is_interrupted: &dyn Fn() -> bool,
    ) -> bool {
        let mut done = 0;
        for same in requests.chunk_by(|one, other| one.wants == other.wants) {
            let answers = &mut evaluations[done..done + same.len()];
            done += same.len();
            let answered = match same[0].wants {
                Wants::Policy => self.policy.evaluate_unless(same, answers, is_interrupted),
                Wants::Values => self.values.evaluate_unless(same, answers, is_interrupted),
            };
            if !answered {
                return false;
            }
            match same[0].wants {
                Wants::Values => answers.iter_mut().for_each(|answer| answer.logits.clear()),
                Wants::Policy if self.joint => {
                    let mut others = vec![Evaluation::default(); same.len()];
                    if !self.values.evaluate_unless(same, &mut others, is_interrupted) {
                        return false;
                    }
                    for (answer, other) in answers.iter_mut().zip(others) {
                        for (logit, other) in answer.logits.iter_mut().zip(other.logits) {
                            *logit += other;
                        }
                    }
                }
                Wants::Policy => {}
            }
        }
        true
    }

    fn identity(&self) -> Option<u64> {
        Some(identity_of(("policy from", self.joint, self.policy.identity()?, self.values.identity()?)))
    }

    fn reseed(&mut self, seed: u64) {
        self.policy.reseed(seed);
        self.values.reseed(seed);
    }
}
