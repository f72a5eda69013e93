//! Alpha-beta on games with known values, and against reference searches.

mod budgets;
mod reference;

mod toys;
mod turns;

use game::{Evaluation, Evaluator, FromScratch, Game, Request, StaticEvaluator, Values};

use self::reference::Reference;
use super::{AlphaBeta, AlphaBetaOptions, Rule, Techniques, score};
use crate::{Agent, Limits, Report, Stop};

/// An evaluator that knows only the results of finished games.
fn blind<G: Game>(position: &G) -> Values {
    position.outcome().map(|outcome| outcome.values()).unwrap_or_default()
}

const RULES: [Rule; 3] = [Rule::Paranoid, Rule::MaxN, Rule::Brs];

/// Options without reductions, to a fixed depth.
fn exact(rule: Rule, depth: Option<u32>) -> AlphaBetaOptions {
    AlphaBetaOptions { depth, rule, megabytes: 1, reductions: false, reuse: true }
}

fn think<G: Game>(
    root: &G,
    evaluator: impl StaticEvaluator<G> + Send + 'static,
    options: AlphaBetaOptions,
) -> Report<G::Move> {
    let mut agent = AlphaBeta::new(FromScratch(evaluator), options);
    agent.think(root, &Limits::nodes(u64::MAX), &Stop::default())
}

fn detail<M>(report: &Report<M>, name: &str) -> Option<f64> {
    report.details.iter().find(|(of, _)| *of == name).map(|&(_, value)| value)
}

/// The score of a report: the mover's value, or the distance to a proven end.
fn score_of<G: Game>(root: &G, report: &Report<G::Move>) -> score::Score {
    let values = report.values.expect("something was searched");
    match detail(report, "turns_to_end") {
        Some(turns) if values.of(root.to_move()) > 0.0 => score::WIN - turns as score::Score,
        Some(turns) => turns as score::Score - score::WIN,
        None => score::scalar(root, values, root.to_move(), 0),
    }
}

const ON: Techniques = Techniques { table: true, scouts: true, aspiration: true, reductions: false };

/// All techniques that must not change the result, and each of them switched off.
const VARIANTS: [Techniques; 5] = [
    ON,
    Techniques { table: false, ..ON },
    Techniques { scouts: false, ..ON },
    Techniques { aspiration: false, ..ON },
    Techniques { table: false, scouts: false, aspiration: false, ..ON },
];

/// Asserts that the search finds the score of the reference search, and a move with that score. Returns `false` if the
/// reference search would visit more than `most` positions.
fn compare<G: Game, E: StaticEvaluator<G> + Clone + Send + 'static>(
    root: &G,
    evaluator: &E,
    rule: Rule,
    depth: u32,
    most: u64,
    variants: &[Techniques],
) -> bool {
    let mut reference = Reference { evaluator: evaluator.clone(), rule, most };
    let Some(expected) = reference.scores(root, depth as i32) else {
        return false;
    };
    let best = *expected.iter().max().unwrap();
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    // The first variant once more with an arbitrary policy, which must not change the result either.
    let ordered = variants.first().map(|&techniques| (techniques, true));
    for (techniques, by_policy) in variants.iter().map(|&techniques| (techniques, false)).chain(ordered) {
        let mut agent = AlphaBeta::new(FromScratch(evaluator.clone()), exact(rule, Some(depth)));
        agent.techniques = techniques;
        if by_policy {
            agent = agent.with_policy(Arbitrary, 1);
        }
        let report = agent.think(root, &Limits::nodes(u64::MAX), &Stop::default());
        let found = score_of(root, &report);
        let chosen = expected[moves.iter().position(|&m| m == report.best).unwrap()];
        // A proven result ends the search early.
        let early = detail(&report, "depth").unwrap() < f64::from(depth);
        assert_eq!(found, best, "{rule:?} to {depth} with {techniques:?}: {root:?}");
        assert_eq!(chosen, best, "{rule:?} to {depth} with {techniques:?}: {root:?}");
        assert!(!early || detail(&report, "turns_to_end").is_some(), "{report:?}");
        check_report(root, &report, &moves);
    }
    true
}

/// A policy without sense.
struct Arbitrary;

impl<G: Game> Evaluator<G> for Arbitrary {
    fn evaluate(&mut self, requests: &[Request<'_, G>], evaluations: &mut [Evaluation<G::Move>]) {
        for (request, evaluation) in requests.iter().zip(evaluations) {
            let logit = |index: usize| (request.position.key() ^ (7 * index as u64)) % 13;
            evaluation.logits.extend((0..request.moves.len()).map(|index| logit(index) as f32));
        }
    }
}

/// Checks the invariants of every report.
fn check_report<G: Game>(root: &G, report: &Report<G::Move>, legal: &[G::Move]) {
    let mut listed: Vec<G::Move> = report.candidates.iter().map(|candidate| candidate.m).collect();
    assert_eq!(listed[0], report.best);
    listed.sort_unstable();
    let mut all = legal.to_vec();
    all.sort_unstable();
    assert_eq!(listed, all, "every legal move is a candidate, once");
    assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), report.nodes);
    assert_eq!(report.values, report.candidates[0].values);
    if !report.line.is_empty() {
        assert_eq!(report.line[0], report.best);
        let mut position = root.clone();
        for &m in &report.line {
            position.play(m).expect("the line is legal");
        }
    }
}
