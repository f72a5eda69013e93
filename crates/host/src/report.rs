//! Converts the report of an agent into its view.

use game::{Seat, Values};
use ladder::Player;
use search::{Candidate, Path, Report};

use crate::{
    hostable::Hostable,
    view::{CandidateView, MoveView, PathView, ReportView},
};

/// The view of a report about `position`, with at most `top` candidates.
pub(crate) fn report_view<G: Hostable>(
    position: &G,
    player: &Player,
    report: &Report<G::Move>,
    top: usize,
    partial: bool,
) -> ReportView {
    let values = |values: Option<Values>| -> Option<Vec<f64>> {
        values.map(|values| Seat::all(position.seats()).map(|seat| rounded(values.of(seat))).collect())
    };
    let candidate = |candidate: &Candidate<G::Move>| {
        let MoveView { text, marks, .. } = position.offer(candidate.m);
        CandidateView {
            text,
            words: position.describe_move(candidate.m),
            marks,
            visits: candidate.visits,
            share: rounded(candidate.share),
            prior: candidate.prior.map(rounded),
            policy: candidate.policy.map(rounded),
            values: values(candidate.values),
            solved: candidate.solved,
            sigma: candidate.sigma.map(rounded),
            novelty: candidate.novelty.map(rounded),
            energy: candidate.energy.map(rounded),
        }
    };
    let path = |path: &Path<G::Move>| PathView {
        from: path.from.map(|from| position.move_text(from)),
        to: position.move_text(path.to),
        heights: path.heights.iter().copied().map(rounded).collect(),
    };
    let MoveView { text: best, steps, marks, .. } = position.offer(report.best);
    ReportView {
        partial,
        engine: report.engine,
        plays: player.config.to_string(),
        net: player.net.as_ref().map(|net| net.id()),
        fallback: player.fallback.clone(),
        seat: position.to_move().number(),
        best,
        steps,
        marks,
        values: values(report.values),
        nodes: report.nodes,
        ms: 1000.0 * report.time.as_secs_f64(),
        line: line(position, &report.line),
        details: report.details.iter().copied().collect(),
        paths: report.paths.iter().map(path).collect(),
        legal: report.candidates.len(),
        candidates: report.candidates.iter().take(top).map(candidate).collect(),
        forfeit: report.forfeit.clone(),
    }
}

/// Rounds to the significant digits.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e5).round() / 1e5
}

/// The expected line in notation.
fn line<G: Hostable>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let text = |&m: &G::Move| {
        let text = position.move_text(m);
        position.play_unchecked(m, &mut ());
        text
    };
    moves.iter().map(text).collect()
}
