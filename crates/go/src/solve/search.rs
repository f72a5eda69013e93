//! Values by search, exact under the rules of the position that is searched.

use std::collections::HashMap;

use game::Game;

use crate::{Board, Colour, Ko, Move, Points, Position, Small, solve::Table};

/// Searches for what a position is worth by area, without komi, under its own rules and with its own history.
///
/// The value is exact: results are remembered under a key of the position and of the set of all boards before it, so
/// that none is used where another superko ban holds. That makes transpositions rare, and limits the search to
/// tiny boards and late positions, where [unconditional life](Board::unconditional_life) settles most lines.
///
/// With a [`Table`] the search ends wherever the table knows enough. Under situational superko this is exact too.
/// Take the boards from the root to here: none of them was known to reach the score asked for, or the search would
/// have ended there. The forcing side's way from here leads only through positions that are known to reach it, so
/// it never meets one of those again, and no ban stops it. Positional superko also bans boards that were there
/// with the other colour to move; there, and under the simple ko rule, the table is left aside.
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
        let board = position.board();
        let points = board.points().len() as i32;
        let safe = Colour::BOTH.map(|colour| board.safe_area(colour).len() as i32);
        let (least, most) = (2 * safe[0] - points, points - 2 * safe[1]);
        match self.table_bounds(position) {
            Some(known) if position.rules().ko == Ko::Situational => (least.max(known.0), most.min(known.1)),
            _ => (least, most),
        }
    }

    /// What the table says, to be trusted under situational superko only.
    fn table_bounds(&self, position: &Position<Small>) -> Option<(i32, i32)> {
        let table = self.table.filter(|_| !position.rules().suicide)?;
        let to_move = position.turn();
        let bounds = table.bounds(position.board(), to_move, position.passes() > 0);
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
                let (least, most) = self.table_bounds(&after).unwrap_or_else(|| self.sure_bounds(&after));
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
