//! What an analysis shows of a report: which moves, in which order, with which numbers.

use go::{Colour, Move};
use host::{Estimate, Forecast, GoGame};
use search::{Candidate, Report};

/// A move as analyses show it. Probabilities and leads are those of the colour to move.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MoveInsight {
    /// The move.
    pub(super) m: Move,
    /// The number of visits.
    pub(super) visits: u64,
    /// The probability of winning.
    pub(super) winrate: f32,
    /// A lower bound of that probability.
    pub(super) lcb: f32,
    /// The prior probability of the move, if the agent has one.
    pub(super) prior: Option<f32>,
    /// The principal variation, beginning with the move.
    pub(super) line: Vec<Move>,
}

/// A move with less than this share of the visits of the best one is not shown: its value rests on a few playouts, and
/// programs that draw the highest value would draw those.
const LEAST_SHARE: f64 = 0.02;
/// The number of standard errors between the winrate and its lower bound.
const ERRORS: f32 = 1.96;

/// The moves to show, the one to play first and the others by visits, then by lower bound. At least `least` and at most
/// `most` of the moves that were searched.
pub(super) fn shown_moves(
    report: &Report<Move>,
    colour: Colour,
    least: usize,
    most: usize,
) -> Vec<MoveInsight> {
    let mut order: Vec<usize> = (0..report.candidates.len()).collect();
    let visits = |index: usize| report.candidates[index].visits;
    order.retain(|&index| visits(index) > 0 || report.candidates[index].m == report.best);
    let insight = |index: usize| {
        let candidate = &report.candidates[index];
        let is_best = candidate.m == report.best;
        let own = report.variations.get(index).filter(|line| line.first() == Some(&candidate.m));
        let line = own.or_else(|| Some(&report.line).filter(|line| is_best && !line.is_empty()));
        let winrate = winrate(report, candidate, colour);
        MoveInsight {
            m: candidate.m,
            visits: candidate.visits,
            winrate,
            lcb: lower_bound(winrate, candidate),
            prior: candidate.prior,
            line: line.cloned().unwrap_or_else(|| vec![candidate.m]),
        }
    };
    let mut moves: Vec<MoveInsight> = order.into_iter().map(insight).collect();
    moves.sort_by(|one, other| {
        (other.m == report.best)
            .cmp(&(one.m == report.best))
            .then(other.visits.cmp(&one.visits))
            .then(other.lcb.total_cmp(&one.lcb))
    });
    let enough = moves.first().map_or(0.0, |best| LEAST_SHARE * best.visits as f64);
    let shown = moves.iter().take_while(|shown| shown.visits as f64 >= enough).count();
    moves.truncate(shown.max(least).max(1).min(most.max(1)));
    moves
}

/// The probability of winning for a colour. Programs expect a number, so an unknown value counts as even.
fn winrate(report: &Report<Move>, candidate: &Candidate<Move>, colour: Colour) -> f32 {
    let values = candidate.values.or(report.values.filter(|_| candidate.m == report.best));
    values.map_or(0.5, |values| f32::midpoint(values.of(colour.seat()), 1.0).clamp(0.0, 1.0))
}

/// A lower bound by the normal approximation, with one win and one loss added so that few visits are uncertain.
fn lower_bound(winrate: f32, candidate: &Candidate<Move>) -> f32 {
    if candidate.solved {
        return winrate;
    }
    let visits = candidate.visits as f32 + 2.0;
    let smoothed = (winrate * candidate.visits as f32 + 1.0) / visits;
    (winrate - ERRORS * (smoothed * (1.0 - smoothed) / visits).sqrt()).max(0.0)
}

/// The lead of `colour` in a forecast.
pub(super) fn lead_of(forecast: &Forecast, colour: Colour) -> f32 {
    if colour == Colour::Black { forecast.lead } else { -forecast.lead }
}

/// The forecasts after the principal variations of these moves.
pub(super) fn forecasts(
    game: &dyn GoGame,
    colour: Colour,
    moves: &[MoveInsight],
    estimate: &mut Estimate<'_>,
) -> Vec<Forecast> {
    moves.iter().map(|shown| game.forecast(colour, &shown.line, estimate)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Values;
    use go::Point;

    fn report(moves: &[(&str, u64, f32)]) -> Report<Move> {
        let candidate = |&(at, visits, winrate): &(&str, u64, f32)| Candidate {
            visits,
            values: (visits > 0).then_some(Values([2.0 * winrate - 1.0, 1.0 - 2.0 * winrate, 0.0, 0.0])),
            ..Candidate::new(Move::at(Point::parse(at).unwrap()))
        };
        Report::new("test", moves.iter().map(candidate).collect())
    }

    fn names(moves: &[MoveInsight]) -> Vec<String> {
        moves.iter().map(|shown| shown.m.to_string()).collect()
    }

    #[test]
    fn moves_with_few_visits_are_hidden() {
        let report = report(&[("C3", 900, 0.55), ("D4", 50, 0.5), ("A1", 2, 1.0), ("B1", 0, 0.0)]);
        assert_eq!(names(&shown_moves(&report, Colour::Black, 0, 99)), ["C3", "D4"]);
        assert_eq!(names(&shown_moves(&report, Colour::Black, 3, 99)), ["C3", "D4", "A1"]);
        assert_eq!(names(&shown_moves(&report, Colour::Black, 99, 99)), ["C3", "D4", "A1"]);
        assert_eq!(names(&shown_moves(&report, Colour::Black, 0, 1)), ["C3"]);
    }

    #[test]
    fn few_visits_are_less_certain() {
        let report = report(&[("C3", 900, 0.55), ("D4", 100, 0.55), ("E5", 100, 0.60)]);
        let moves = shown_moves(&report, Colour::Black, 0, 99);
        assert_eq!(names(&moves), ["C3", "E5", "D4"]);
        assert!(moves[0].lcb > moves[2].lcb && moves.iter().all(|shown| shown.lcb < shown.winrate));
        let white = shown_moves(&report, Colour::White, 0, 99);
        assert!((white[0].winrate - 0.45).abs() < 1e-4);
    }
}
