//! Move selection of [`Mcts`](crate::Mcts).

use game::Game;

use super::options::{MctsOptions, Selection};
use crate::tree::{Amaf, EdgeStats, Tree};

/// The edge of the node `at` with the largest upper confidence bound for its mover.
pub(crate) fn select<G: Game>(options: &MctsOptions, tree: &Tree<G>, at: usize) -> usize {
    let node = &tree.nodes[at];
    let mover = node.mover;
    let trials = node.trials().max(1) as f32;
    let edges = tree.edges_of(at);
    let considered =
        options.widening.map_or(edges.len(), |widening| widening.considered(trials, edges.len()));
    // The factor of the exploration term, and the value of an unvisited move.
    let (weight, untried) = match options.selection {
        Selection::Uct { exploration } => (exploration * trials.ln().sqrt(), node.mean(mover)),
        Selection::Puct { c_puct, fpu_reduction } => {
            let opened = &tree.edges[edges.start..edges.start + considered];
            let seen: f32 = if fpu_reduction == 0.0 {
                0.0
            } else {
                opened.iter().filter(|edge| tree.child(edge).is_some()).map(|edge| edge.prior).sum()
            };
            (c_puct * trials.sqrt(), node.mean(mover) - fpu_reduction * seen.sqrt())
        }
    };
    let by_prior = matches!(options.selection, Selection::Puct { .. });
    let exploration_term = |prior: f32, visits: f32| {
        if by_prior {
            weight * prior / (1.0 + visits)
        } else {
            // An unvisited move counts as one visit with the mean value of its node, so that good moves are revisited
            // before every move has been tried, which matters in positions with many moves.
            weight / visits.max(1.0).sqrt()
        }
    };
    let prior_visits = if by_prior { 0.0 } else { options.prior_visits };
    let mut best = (f32::NEG_INFINITY, edges.start);
    let mut only_lost = true;
    let mut index = edges.start;
    while index < edges.end {
        // If all considered moves are lost, widening continues.
        if index >= edges.start + considered && !only_lost {
            break;
        }
        let edge = &tree.edges[index];
        let (mean, visits) = match tree.stats(edge, mover, options.virtual_loss) {
            // A solved move needs no exploration, and a lost one is only the last resort.
            EdgeStats::Solved(value) => {
                if value > -1.0 {
                    only_lost = false;
                    if value > best.0 {
                        best = (value, index);
                    }
                }
                index += 1;
                continue;
            }
            EdgeStats::Visited { mean, visits } => (mean, visits),
            EdgeStats::Unvisited => (untried, 0.0),
        };
        only_lost = false;
        // The number of results behind the mean: visits, and for UCT what the prior counts as.
        let (mut mean, mut results) = (mean, visits);
        if prior_visits > 0.0 {
            let odds = edge.prior * edges.len() as f32;
            let expected = (odds - 1.0) / (odds + 1.0);
            mean = (mean * visits + expected * prior_visits) / (visits + prior_visits);
            results += prior_visits;
        }
        if let Some(rave) = options.rave {
            mean = blend(mean, results, tree.amaf[index], rave);
        }
        if let Some(weight) = options.implicit
            && let Some(minimax) = tree.minimax_of(edge, mover)
        {
            mean = (1.0 - weight) * mean + weight * minimax;
        }
        let bound = mean + exploration_term(edge.prior, visits);
        if bound > best.0 {
            best = (bound, index);
        }
        index += 1;
    }
    best.1
}

/// Mixes AMAF results with the move's own results. The weight of each grows with their number, and that of AMAF results
/// is limited, since their error does not vanish: Gelly & Silver, *Monte-Carlo Tree Search and Rapid Action Value
/// Estimation in Computer Go* (2011).
fn blend(mean: f32, results: f32, amaf: Amaf, rave: f32) -> f32 {
    if amaf.visits == 0 {
        return mean;
    }
    let similar = amaf.visits as f32;
    let share = similar / (similar + results + similar * results / rave);
    share * amaf.total / similar + (1.0 - share) * mean
}
