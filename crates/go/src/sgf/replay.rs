//! Replaying records.

use super::{Edit, GameTree, Node, NodeId, SgfError};
use crate::{Board, Colour, Illegal, Point, Points, Position, Start};

impl GameTree {
    /// Returns the position after a node, replayed from the root.
    ///
    /// If a colour moves twice in a row, the opponent is assumed to have passed in between. After set-up stones, where play
    /// continues after two passes, and where a move repeats an earlier board against the rules, the history restarts.
    ///
    /// # Errors
    /// Returns an error if a move is illegal or a set-up is not a valid position.
    pub fn position<P: Points>(&self, id: NodeId) -> Result<Position<P>, SgfError> {
        Ok(self.replay(id)?.0)
    }

    /// Like [`GameTree::position`], and returns a sentence for each move that was played although it repeats a board.
    ///
    /// # Errors
    /// Returns an error if a move is illegal or a set-up is not a valid position.
    pub fn replay<P: Points>(&self, id: NodeId) -> Result<(Position<P>, Vec<String>), SgfError> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), |id| self.node(*id).parent).collect();
        path.reverse();
        let mut position = self.start()?;
        let mut repairs = Vec::new();
        for id in path {
            let node = self.node(id);
            if id != self.root() && !node.setup.is_empty() {
                position = self.edited(&position, &node.setup, id)?;
            }
            let Some((colour, m)) = node.play else { continue };
            let mut played = position.clone().after_move_of(colour, m, &mut ());
            if let Err(Illegal::Ko(_) | Illegal::Superko { .. }) = played {
                repairs.push(format!(
                    "node {}: {colour}'s move {m} repeats an earlier board; the ko rule ignores the moves before it",
                    id.0
                ));
                played = position.without_history(colour).after_move_of(colour, m, &mut ());
            }
            position = played.map_err(|source| SgfError::Move { node: id.0, colour, m, source })?;
        }
        Ok((position, repairs))
    }

    fn start<P: Points>(&self) -> Result<Position<P>, SgfError> {
        let Edit { black, white, to_move, .. } = &self.node(self.root()).setup;
        let size = usize::from(self.rules.size);
        let mut start = Start::normal(&self.rules_for::<P>()?);
        start.board = Board::new(size);
        start.board.add(self.set(black, self.root())?, Colour::Black);
        start.board.add(
            self.set::<P>(white, self.root())?.without(start.board.stones(Colour::Black)),
            Colour::White,
        );
        let first_move = || self.main_line().find_map(|id| Some(self.node(id).play?.0));
        start.to_move = to_move.or_else(first_move).unwrap_or(start.to_move);
        Position::set_up(&self.rules, &start).map_err(|source| SgfError::Start { node: 0, source })
    }

    /// The rules, if the board fits.
    fn rules_for<P: Points>(&self) -> Result<crate::Rules, SgfError> {
        let mut faults = self.rules.faults();
        if usize::from(self.rules.size) > P::LARGEST {
            faults.push(format!("board size {}: expected at most {}", self.rules.size, P::LARGEST));
        }
        if faults.is_empty() {
            return Ok(self.rules);
        }
        Err(SgfError::Start { node: 0, source: crate::BadStart::Rules(faults) })
    }

    fn set<P: Points>(&self, points: &[Point], id: NodeId) -> Result<P, SgfError> {
        let board = P::board(self.rules.size.into());
        if let Some(point) = points.iter().find(|point| !board.has(**point)) {
            return Err(SgfError::OffBoard { node: id.0, point: *point });
        }
        Ok(P::of(points.iter().copied()))
    }

    fn edited<P: Points>(
        &self,
        position: &Position<P>,
        edit: &Edit,
        id: NodeId,
    ) -> Result<Position<P>, SgfError> {
        let (black, white): (P, P) = (self.set(&edit.black, id)?, self.set(&edit.white, id)?);
        if let (Edit { to_move: Some(colour), .. }, true) = (edit, edit.has_no_points()) {
            return Ok(position.clone().facing(*colour));
        }
        let touched = black | white | self.set(&edit.empty, id)?;
        let mut board = position.board().cleared(touched).0;
        board.add(black, Colour::Black);
        board.add(white.without(black), Colour::White);
        let to_move = edit.to_move.unwrap_or(position.turn());
        restarted(position, board, to_move, id)
    }
}

/// The same game with its history restarted.
fn restarted<P: Points>(
    position: &Position<P>,
    board: Board<P>,
    to_move: Colour,
    id: NodeId,
) -> Result<Position<P>, SgfError> {
    let start = Start { board, to_move, prisoners: position.prisoners() };
    Position::set_up(position.rules(), &start).map_err(|source| SgfError::Start { node: id.0, source })
}

impl Node {
    /// The parent node; `None` for the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }
}
