//! Values by search, exact under the rules of the position that is searched.

use std::collections::HashMap;

use game::Game;

use crate::{Board, Colour, Ko, Move, Points, Position, Small, solve::Table};

/// Searches for what a position is worth by area, without komi, under its own rules and with its own history.
///
/// The value is exact: results are remembered under a key of the position and of the set of all boards before it, so
/// that none is used where another superko ban holds. That makes transpositions rare, and limits the search to
/// tiny boards and late positions, where [unconditional life](Board::unconditional_life) settles most lines. A game
/// void by a long cycle counts as a tie.
///
/// With a [`Table`], moves are tried in its order under every rule, and under situational superko the search
/// also ends wherever the table knows enough. That holds but for one kind of line. Say the table knows that Black
/// can force the score asked for from here, by a way on which every position is known to do so, each settled before
/// the one it follows from. A ban can stop Black only by forbidding a board X that was there before with White to
/// move. White moved on from it then. If White could do the same after Black's return to X, then what that move led to
/// was settled before the return, and so was all that followed, which therefore never comes to X; or, if X lies
/// between the root and here, then what followed was known as well, and the search had ended there. So White can not
/// do the same: Black's return takes a ko that White retook the first time. A ko retaken, and later the whole board
/// of before the retake again: whether the forcing side needs such a cycle is not looked at, and a value found
/// with a table holds if it does not. Positional superko bans more, so there the table only orders the moves.
pub struct Solver<'a> {
    table: Option<&'a Table>,
    /// Who can reach how much, by position with history and score asked for.
    known: HashMap<(u64, i32), bool>,
    nodes: u64,
    most_nodes: u64,
}

/// The search was given too few nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no value after {0} nodes")]
pub struct OutOfNodes(pub u64);

impl<'a> Solver<'a> {
    /// A search that gives up after so many nodes.
    pub fn new(most_nodes: u64) -> Self {
        Self { table: None, known: HashMap::new(), nodes: 0, most_nodes }
    }

    /// The same, with the help of a table.
    #[must_use]
    pub fn with_table(self, table: &'a Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Black's area less White's if both play as well as possible.
    ///
    /// # Errors
    /// If the nodes do not suffice.
    pub fn value(&mut self, position: &Position<Small>) -> Result<i32, OutOfNodes> {
        let points = position.board().points().len() as i32;
        let (mut least, mut most) = (-points, points);
        while least < most {
            // Ask near the middle of what is possible, above it.
            let score = least + (most - least + 1) / 2;
            if self.reaches(position, score)? {
                least = score;
            } else {
                most = score - 1;
            }
        }
        Ok(least)
    }

    /// Whether Black can get an area that exceeds White's by at least `score`.
    ///
    /// # Errors
    /// If the nodes do not suffice.
    pub fn reaches(&mut self, position: &Position<Small>, score: i32) -> Result<bool, OutOfNodes> {
        if position.is_over() {
            let area = if position.ended_by_cycle() { 0 } else { position.board().area() };
            return Ok(area >= score);
        }
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return Err(OutOfNodes(self.most_nodes));
        }
        let (least, most) = self.sure_bounds(position);
        if least >= score || most < score {
            return Ok(least >= score);
        }
        let key = (position.key(), score);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        // Black looks for one move that reaches the score, White for one that does not.
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

    /// What Black's area exceeds White's by at least and at most, for sure.
    fn sure_bounds(&self, position: &Position<Small>) -> (i32, i32) {
        let (least, most) = safe_bounds(position.board());
        match self.table_bounds(position) {
            Some(known) if position.rules().ko == Ko::Situational => (least.max(known.0), most.min(known.1)),
            _ => (least, most),
        }
    }

    /// What the table says of Black's area less White's, at least and at most.
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

    /// The legal moves, those first that leave the mover best at sight.
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
                let sight = 8 * after.board().area() + liberties(Colour::Black) - liberties(Colour::White);
                (-sign * (64 * (least + most) + sight), m)
            })
            .collect();
        rated.sort_unstable();
        rated.into_iter().map(|(_, m)| m).collect()
    }
}

/// What Black's area exceeds White's by at least and at most, by what is safe on both sides.
fn safe_bounds(board: &Board<Small>) -> (i32, i32) {
    let points = board.points().len() as i32;
    let safe = Colour::BOTH.map(|colour| board.safe_area(colour).len() as i32);
    (2 * safe[0] - points, points - 2 * safe[1])
}

impl<P: Points> Board<P> {
    /// The unconditionally living stones of a colour, and those of their regions that it can clear of all
    /// enemy stones move by move: every point, not only every empty one, touches the living stones. Each stone it
    /// plays there lives too, so no ko rule can stop it, and at the end all of it counts.
    fn safe_area(&self, colour: Colour) -> P {
        let life = self.unconditional_life(colour);
        let touched = life.stones.around();
        let open = life.territory.without(touched).flood(life.territory);
        life.stones | life.territory.without(open)
    }
}
