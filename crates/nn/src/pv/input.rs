//! What a network reads of a position, and what it says about it.

use super::{PvLayout, SEATS};
use crate::Scalar;

/// A position as numbers, and the scores that make up the logits of its legal moves.
///
/// A network has one score per cell and policy plane, and some pooled scores. The logit of a move is a weighted sum of
/// such scores: a move of one cell names one, a move from a cell to another may name two.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PvInput<T> {
    /// Numbers by cell and plane.
    pub planes: Vec<T>,
    /// Numbers of the whole position.
    pub globals: Vec<T>,
    /// How many seats play, counted from the seat to move.
    pub seats: usize,
    /// For every move, where its terms end.
    ends: Vec<u32>,
    /// Scores and their weights, move by move.
    terms: Vec<(u32, T)>,
}

impl<T: Scalar> PvInput<T> {
    /// Makes it an input of zeros without moves for a grid of this many cells, keeping its allocations.
    pub fn reset(&mut self, layout: &PvLayout, cells: usize, seats: usize) {
        let refill = |numbers: &mut Vec<T>, count: usize| {
            numbers.clear();
            numbers.resize(count, T::ZERO);
        };
        refill(&mut self.planes, cells * layout.planes);
        refill(&mut self.globals, layout.globals);
        self.seats = seats;
        self.clear_moves();
    }

    /// Forgets the moves.
    pub fn clear_moves(&mut self) {
        self.ends.clear();
        self.terms.clear();
    }

    /// Adds a score to the logit of the move under construction. The scores of a cell are numbered
    /// `cell · policy planes + plane`; pooled scores follow those of all cells.
    pub fn term(&mut self, score: usize, weight: T) {
        self.terms.push((score as u32, weight));
    }

    /// Ends the terms of a move.
    pub fn end_move(&mut self) {
        self.ends.push(self.terms.len() as u32);
    }

    /// The number of moves.
    pub fn moves(&self) -> usize {
        self.ends.len()
    }

    /// The scores of a move and their weights.
    pub fn terms(&self, index: usize) -> &[(u32, T)] {
        let first = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.terms[first as usize..self.ends[index] as usize]
    }

    /// The terms of all moves, in order.
    pub(super) fn each_move(&self) -> impl Iterator<Item = &[(u32, T)]> {
        (0..self.moves()).map(|index| self.terms(index))
    }
}

/// What a network says about a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PvOutput<T> {
    /// One logit per move of the input.
    pub logits: Vec<T>,
    /// One logit per seat, counted from the seat to move; their softmax is each seat's share of the game.
    pub values: [T; SEATS],
    /// The margin that each seat is expected to have in the end.
    pub margins: [T; SEATS],
    /// The squared error that the shares are expected to have, summed over seats.
    pub error: T,
    /// Logits of the owners of every cell, if they were asked for.
    pub owners: Vec<T>,
}
