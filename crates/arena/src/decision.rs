//! A decision of a game that is being played, for whoever wants to keep more than the move.

use game::{Game, Seat};
use search::{Candidate, Report};

use crate::Cost;

/// One decision, before its move is played.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a, G: Game> {
    /// Number of the game among the games of its event.
    pub game: u64,
    /// How many moves were played before.
    pub ply: usize,
    /// The seat to move.
    pub seat: Seat,
    /// Who decides, as an index into the contenders.
    pub player: usize,
    /// The position.
    pub position: &'a G,
    /// Its legal moves, in the order of [`Game::legal_moves`].
    pub legal: &'a [G::Move],
    /// What the agent found.
    pub report: &'a Report<G::Move>,
    /// What the decision cost.
    pub cost: Cost,
}

impl<G: Game> Decision<'_, G> {
    /// The agent's candidates in its order, each with its index in [`Decision::legal`].
    pub fn candidates(&self) -> impl Iterator<Item = (usize, &Candidate<G::Move>)> {
        let index = |m: G::Move| self.legal.iter().position(|&legal| legal == m);
        self.report.candidates.iter().filter_map(move |candidate| Some((index(candidate.m)?, candidate)))
    }

    /// The index of the chosen move in [`Decision::legal`]; `None` if the agent chose no legal move.
    pub fn choice(&self) -> Option<usize> {
        self.legal.iter().position(|&legal| legal == self.report.best)
    }

    /// The policy that the search arrived at, one probability for every legal move; `None` if the agent has none.
    pub fn policy(&self) -> Option<Vec<f32>> {
        let mut policy = vec![0.0; self.legal.len()];
        for (index, candidate) in self.candidates() {
            policy[index] = candidate.policy?;
        }
        Some(policy)
    }
}
