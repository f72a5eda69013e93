//! Play by the policy of an evaluator, without search.

use std::time::Instant;

use game::{Evaluation, Evaluator, Game, Request, Wants, cleared, pick};
use rand::Rng;

use crate::{Agent, Candidate, Limits, Report, Stop, noise::open_unit, tree::unsearched};

/// Evaluates the position once and plays by the policy of its evaluator.
///
/// With a temperature of 0 it plays the move with the highest probability; equal ones are chosen from at random.
/// Otherwise it draws a move with a probability proportional to the prior to the power of 1 / temperature. The report
/// lists the moves by their priors, which are also their shares. The budget of [`Limits`] is ignored: the cost is that
/// of one evaluation.
pub struct PolicyOnly<G: Game, R> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    rng: R,
    temperature: f32,
    evaluations: Vec<Evaluation<G::Move>>,
}

impl<G: Game, R: Rng> PolicyOnly<G, R> {
    /// Creates an agent that plays by the policy of `evaluator` and draws moves from `rng`.
    pub fn new(evaluator: impl Evaluator<G> + Send + 'static, rng: R, temperature: f32) -> Self {
        Self { evaluator: Box::new(evaluator), rng, temperature, evaluations: Vec::new() }
    }

    /// Asks the evaluator. Returns `None` if it is interrupted.
    fn ask(&mut self, root: &G, moves: &[G::Move], is_interrupted: &dyn Fn() -> bool) -> Option<()> {
        let request = |wants| [Request { position: root, moves, wants }];
        let answers = cleared(&mut self.evaluations, 2);
        let (first, second) = answers.split_at_mut(1);
        let mut ask = |wants, answers: &mut [Evaluation<G::Move>]| {
            let answered = self.evaluator.evaluate_unless(&request(wants), answers, is_interrupted);
            answered.then_some(())
        };
        ask(Wants::Values, first)?;
        // A network answers both at once; others compute a policy only if they are asked for it.
        if first[0].logits.is_empty() {
            ask(Wants::Policy, second)?;
            std::mem::swap(&mut first[0].logits, &mut second[0].logits);
        }
        Some(())
    }
}

impl<G: Game, R: Rng + Send> Agent<G> for PolicyOnly<G, R> {
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        const ENGINE: &str = "policy";
        let start = Instant::now();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        assert!(!moves.is_empty(), "the game is over: there is nothing to choose");
        let is_interrupted = || stop.is_raised() || limits.time.is_some_and(|most| start.elapsed() >= most);
        if moves.len() == 1 || stop.is_raised() || self.ask(root, &moves, &is_interrupted).is_none() {
            return unsearched::<G>(ENGINE, &moves, start);
        }
        let Evaluation { values, logits, .. } = &self.evaluations[0];
        let mut ranked: Vec<(f32, G::Move)> = if logits.is_empty() {
            moves.iter().map(|&m| (0.0, m)).collect()
        } else {
            logits.iter().copied().zip(moves.iter().copied()).collect()
        };
        // Shuffling breaks ties at random.
        for last in (1..ranked.len()).rev() {
            ranked.swap(last, pick(&mut self.rng, last + 1));
        }
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
        let most = ranked[0].0;
        let sum: f32 = ranked.iter().map(|(logit, _)| (logit - most).exp()).sum();
        let candidate = |&(logit, m): &(f32, G::Move)| {
            let prior = (logit - most).exp() / sum;
            Candidate { share: prior, prior: Some(prior), ..Candidate::new(m) }
        };
        let mut report = Report::new(ENGINE, ranked.iter().map(candidate).collect());
        if self.temperature > 0.0 {
            report.best = draw(&ranked, self.temperature, &mut self.rng);
        }
        report.nodes = 1;
        report.values = Some(*values);
        report.line = vec![report.best];
        report.time = start.elapsed();
        report
    }
}

/// Draws a move with a probability proportional to exp(logit / temperature). The first move has the largest logit.
fn draw<M: Copy>(ranked: &[(f32, M)], temperature: f32, rng: &mut impl Rng) -> M {
    let weight = |logit: f32| f64::from((logit - ranked[0].0) / temperature).exp();
    let mut left = open_unit(rng) * ranked.iter().map(|&(logit, _)| weight(logit)).sum::<f64>();
    for &(logit, m) in ranked {
        left -= weight(logit);
        if left < 0.0 {
            return m;
        }
    }
    ranked[0].1
}
