//! Exact values by search, under the rules and with the history of the position.

use std::collections::HashMap;

use game::Game;

use crate::{Board, Colour, Ko, Move, Points, Position, Small, solve::Table};

/// Finds the area value of a position, without komi, under its own rules and with its own history.
///
/// The value is exact. Results are stored under a key of the position and of the set of all earlier boards, so that
/// none is reused where superko forbids different moves. That makes transpositions rare and limits the search to tiny
/// boards and endgame positions, where [unconditional life](Board::unconditional_life) decides most lines. A game
/// that is void by a long cycle counts as a tie.
///
/// With a [`Table`], the search orders moves by the table's bounds under every rule. Under situational superko it also
/// stops wherever those bounds decide. That is sound with one exception.
///
/// Suppose the table says that Black can force the required score from here. The forcing line consists of positions
/// from which Black can force it, each decided before the position that leads to it. Superko can stop Black only by
/// forbidding a return to a board X that occurred earlier with White to move. White then made some move from X. If
/// White could make the same move after Black's return, the position after that move would have been decided before
/// the return, and so would everything after it, and the line would never return to X. If X lies between the root and
/// here, the position after White's move would also have been decided, and the search would have stopped there. So
/// White cannot make the same move, which means that Black's return captures a ko that White retook the first time.
/// The solver does not check whether the forcing side needs such a cycle: a ko is retaken, and later the whole board
/// from before the retake recurs. A value found with a table is correct if no such cycle is needed. Positional superko
/// forbids more moves, so there the table only orders them.
pub struct Solver<'a> {
    table: Option<&'a Table>,
    /// Whether Black reaches a score, by the key of the position with its history and the score.
    known: HashMap<(u64, i32), bool>,
    nodes: u64,
    max_nodes: u64,
}

/// An error for a search that reached its limit of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no value after {0} nodes")]
pub struct OutOfNodes(pub u64);

impl<'a> Solver<'a> {
    /// A solver that stops after this many nodes.
    pub fn new(max_nodes: u64) -> Self {
        Self { table: None, known: HashMap::new(), nodes: 0, max_nodes }
    }

    /// Returns the solver with a table to order moves and to decide positions.
    #[must_use]
    pub fn with_table(self, table: &'a Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// The number of nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of the position: Black's area minus White's under best play.
    ///
    /// # Errors
    /// Returns an error if the search reaches its limit of nodes.
    pub fn value(&mut self, position: &Position<Small>) -> Result<i32, OutOfNodes> {
        let points = position.board().points().len() as i32;
        let (mut least, mut most) = (-points, points);
        while least < most {
            // Bisect, rounding up.
            let score = least + (most - least + 1) / 2;
            if self.reaches(position, score)? {
                least = score;
            } else {
                most = score - 1;
            }
        }
        Ok(least)
    }

    /// Whether Black can force an area that exceeds White's by at least `score`.
    ///
    /// # Errors
    /// Returns an error if the search reaches its limit of nodes.
    pub fn reaches(&mut self, position: &Position<Small>, score: i32) -> Result<bool, OutOfNodes> {
        if position.is_over() {
            let area = if position.ended_by_cycle() { 0 } else { position.board().area() };
            return Ok(area >= score);
        }
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            return Err(OutOfNodes(self.max_nodes));
        }
        let (least, most) = self.proven_bounds(position);
        if least >= score || most < score {
            return Ok(least >= score);
        }
        let key = (position.key(), score);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        // Black needs one move that reaches the score, White one that does not.
        let wanted = position.turn() == Colour::Black;
        let mut answer = !wanted;
        for m in self.ordered_moves(position) {
            let mut after = position.clone();
            after.play_unchecked(m, &mut ());
            if self.reaches(&after, score)? == wanted {
                answer = wanted;
                break;
            }
        }
        self.known.insert(key, answer);
        Ok(answer)
    }

    /// Proven lower and upper bounds of Black's area minus White's.
    fn proven_bounds(&self, position: &Position<Small>) -> (i32, i32) {
        let (least, most) = safe_bounds(position.board());
        match self.table_bounds(position) {
            Some(known) if position.rules().ko == Ko::Situational => (least.max(known.0), most.min(known.1)),
            _ => (least, most),
        }
    }

    /// The table's lower and upper bounds of Black's area minus White's.
    fn table_bounds(&self, position: &Position<Small>) -> Option<(i32, i32)> {
        let table = self.table.filter(|_| !position.rules().suicide)?;
        let (board, to_move) = (position.board(), position.turn());
        let bounds = match position.banned_ko() {
            Some(ko) => table.ko_bounds(board, to_move, ko)?,
            None => table.bounds(board, to_move, position.passes() > 0),
        };
        let (least, most) = (i32::from(bounds.least), i32::from(bounds.most));
        Some(if to_move == Colour::Black { (least, most) } else { (-most, -least) })
    }

    /// The legal moves, ordered by the bounds and a static estimate of the positions that they lead to, best first.
    fn ordered_moves(&self, position: &Position<Small>) -> Vec<Move> {
        let sign = if position.turn() == Colour::Black { 1 } else { -1 };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut rated: Vec<(i32, Move)> = moves
            .into_iter()
            .map(|m| {
                let mut after = position.clone();
                after.play_unchecked(m, &mut ());
                let known = self.table_bounds(&after);
                let (least, most) = known.unwrap_or_else(|| safe_bounds(after.board()));
                let liberties = |colour| {
                    let board = after.board();
                    board.liberties(board.stones(colour)).len() as i32
                };
                let estimate = 8 * after.board().area() + liberties(Colour::Black) - liberties(Colour::White);
                (-sign * (64 * (least + most) + estimate), m)
            })
            .collect();
        rated.sort_unstable();
        rated.into_iter().map(|(_, m)| m).collect()
    }
}

/// Lower and upper bounds of Black's area minus White's, from the safe area of both colours.
fn safe_bounds(board: &Board<Small>) -> (i32, i32) {
    let points = board.points().len() as i32;
    let safe = Colour::BOTH.map(|colour| board.safe_area(colour).len() as i32);
    (2 * safe[0] - points, points - 2 * safe[1])
}

impl<P: Points> Board<P> {
    /// The pass-alive stones of a colour, and those of their regions in which every point, not only every empty one,
    /// touches the stones. The colour can clear such a region of enemy stones: every stone that it plays there is alive
    /// too, so no ko rule can prevent it, and in the end the whole region counts.
    fn safe_area(&self, colour: Colour) -> P {
        let life = self.unconditional_life(colour);
        let touched = life.stones.around();
        let open = life.territory.without(touched).flood(life.territory);
        life.stones | life.territory.without(open)
    }
}
