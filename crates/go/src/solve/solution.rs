//! The value of a position and of all its moves.

use game::Game;

use super::{OutOfNodes, Solver, Table};
use crate::{Colour, Ko, Move, Position, Small};

/// What is proven about a position, by area scoring without komi.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Black's area minus White's under best play.
    pub value: i32,
    /// The legal moves, each with the value after it, best first. The value is missing, at the end of the list, if the
    /// limit of nodes was reached before.
    pub moves: Vec<(Move, Option<i32>)>,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The number of boards in the table that the search used, if it used one.
    pub table: Option<usize>,
    /// Whether the search stopped where the table decides, so that the values hold only if neither side needs a cycle
    /// through a retaken ko; see [`Solver`].
    pub assumes_no_ko_cycle: bool,
}

/// The largest board with a table.
const LARGEST_TABLE: usize = 4;

/// The number of nodes for a search without a table, if there could be one. Most late positions take fewer, and a table
/// for 4×4 takes half a minute.
const WITHOUT_TABLE: u64 = 200_000;

impl Solution {
    /// Solves a position that is not over with at most `max_nodes` nodes. If the board has at most four lines and a
    /// small part of the nodes does not suffice, the search is repeated with a [`Table`].
    ///
    /// # Errors
    /// Returns an error if the value of the position is unknown after that many nodes.
    pub fn of(position: &Position<Small>, max_nodes: u64) -> Result<Self, OutOfNodes> {
        let size = position.board().size();
        let may_use_table = size <= LARGEST_TABLE && !position.rules().suicide;
        if !may_use_table {
            return Self::by(Solver::new(max_nodes), position);
        }
        let quick = Self::by(Solver::new(max_nodes.min(WITHOUT_TABLE)), position);
        if max_nodes <= WITHOUT_TABLE || quick.as_ref().is_ok_and(Self::is_complete) {
            return quick;
        }
        let table = Table::new(size);
        let solution = Self::by(Solver::new(max_nodes).with_table(&table), position)?;
        let assumes_no_ko_cycle = position.rules().ko == Ko::Situational;
        Ok(Self { table: Some(table.len()), assumes_no_ko_cycle, ..solution })
    }

    fn by(mut solver: Solver<'_>, position: &Position<Small>) -> Result<Self, OutOfNodes> {
        let value = solver.value(position)?;
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let mut value_after = |m: Move| {
            let mut after = position.clone();
            after.play_unchecked(m, &mut ());
            solver.value(&after).ok()
        };
        let mut moves: Vec<_> = legal.into_iter().map(|m| (m, value_after(m))).collect();
        let sign = if position.turn() == Colour::Black { 1 } else { -1 };
        moves.sort_by_key(|&(m, value)| (value.is_none(), value.map(|value| -sign * value), m));
        let (nodes, table, assumes_no_ko_cycle) = (solver.nodes(), None, false);
        Ok(Self { value, moves, nodes, table, assumes_no_ko_cycle })
    }

    /// Whether the values of all moves are known.
    pub fn is_complete(&self) -> bool {
        self.moves.iter().all(|(_, value)| value.is_some())
    }
}
