//! Decisions as passed to the decision callback, with reports and costs.

use game::{Game, Seat};
use search::{Candidate, Report};

use crate::Cost;

/// One decision, before its move is played.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a, G: Game> {
    /// The index of the game in its event.
    pub game: u64,
    /// The number of moves played before.
    pub ply: usize,
    /// The seat to move.
    pub seat: Seat,
    /// The index of the contender that decides.
    pub player: usize,
    /// The position.
    pub position: &'a G,
    /// Its legal moves, in the order of [`Game::legal_moves`].
    pub legal: &'a [G::Move],
    /// The agent's report.
    pub report: &'a Report<G::Move>,
    /// The cost of the decision.
    pub cost: Cost,
}

impl<G: Game> Decision<'_, G> {
    /// The agent's candidates in order, each with its index in [`Decision::legal`].
    pub fn candidates(&self) -> impl Iterator<Item = (usize, &Candidate<G::Move>)> {
        let index = |m: G::Move| self.legal.iter().position(|&legal| legal == m);
        self.report.candidates.iter().filter_map(move |candidate| Some((index(candidate.m)?, candidate)))
    }

    /// The index of the chosen move in [`Decision::legal`], or `None` if the move is illegal.
    pub fn choice(&self) -> Option<usize> {
        self.legal.iter().position(|&legal| legal == self.report.best)
    }

    /// The improved policy, with one probability per legal move, or `None` if the agent has none.
    pub fn policy(&self) -> Option<Vec<f32>> {
        let mut policy = vec![0.0; self.legal.len()];
        for (index, candidate) in self.candidates() {
            policy[index] = candidate.policy?;
        }
        Some(policy)
    }
}
