//! Whether a seat could have avoided an immediate loss by another turn.

use std::ops::ControlFlow;

use game::{Game, Seat};
use ringrift::{Geometry, Move, Position};

use super::turn_search::{Budget, Gain, each_end, gain, handed_to};

/// The number of turns that avoid the loss after which the search ends.
const ENOUGH: usize = 24;

/// Winning turns of the opponent that are tried first, because one of them usually refutes the next attempt as well.
const MAX_REFUTATIONS: usize = 8;

/// A turn of the seat to move after which `winner` cannot win at once, as it can after the turn `played`, and gains least.
/// `None` if there is no such turn, or none was found within the budget. If `preferred` is such a turn, it is returned.
pub(super) fn rescue<B: Geometry>(
    start: &Position<B>,
    winner: Seat,
    played: &[Move],
    preferred: &[Move],
    budget: &mut Budget<'_>,
) -> Option<Vec<Move>> {
    let loser = start.to_move();
    let mut refutations: Vec<Vec<Move>> = Vec::new();
    let end_of = |line: &[Move]| {
        let mut end = *start;
        for &m in line {
            end.play_unchecked(m, &mut ());
        }
        end
    };
    if reply(&end_of(played), loser, winner, &mut refutations, budget).is_some() {
        return None;
    }
    if reply(&end_of(preferred), loser, winner, &mut refutations, budget).is_some() {
        return Some(preferred.to_vec());
    }
    // All turns are listed first, because the replies to them use the same budget.
    let mut lines: Vec<Vec<Move>> = Vec::new();
    each_end(start, budget, &mut |_, line| {
        lines.push(line.to_vec());
        ControlFlow::Continue(())
    });
    let mut safe: Vec<(Gain, Vec<Move>)> = Vec::new();
    for line in lines {
        if !budget.is_left() || safe.len() == ENOUGH {
            break;
        }
        let best = reply(&end_of(&line), loser, winner, &mut refutations, budget);
        safe.extend(best.map(|gain| (gain, line)));
    }
    safe.into_iter().min_by_key(|&(gain, _)| gain).map(|(_, line)| line)
}

/// What `winner` gains by its best reply at the end of a turn of `loser`; `None` if it wins.
fn reply<B: Geometry>(
    end: &Position<B>,
    loser: Seat,
    winner: Seat,
    refutations: &mut Vec<Vec<Move>>,
    budget: &mut Budget<'_>,
) -> Option<Gain> {
    if let Some(end) = end.end() {
        return (end.winner == Some(loser)).then(Gain::default);
    }
    let Some(start) = handed_to(end, winner) else { return Some(Gain::default()) };
    if let Some(known) = refutations.iter().position(|line| wins(&start, line, winner)) {
        refutations[..=known].rotate_right(1);
        return None;
    }
    let mut best = Gain::default();
    let mut winning = None;
    each_end(&start, budget, &mut |end, line| {
        best = best.max(gain(&start, end, winner));
        if best.wins {
            winning = Some(line.to_vec());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    if let Some(line) = winning {
        refutations.insert(0, line);
        refutations.truncate(MAX_REFUTATIONS);
        return None;
    }
    budget.is_left().then_some(best)
}

/// Whether `line` is legal and wins for `seat`.
fn wins<B: Geometry>(start: &Position<B>, line: &[Move], seat: Seat) -> bool {
    let mut position = *start;
    line.iter().all(|&m| position.play(m).is_ok())
        && position.end().is_some_and(|end| end.winner == Some(seat))
}
