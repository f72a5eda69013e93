//! Marker lines and the `line_processing` phase (R120–R123).

use super::geometry::{Board, Offset, Pos};
use super::moves::{Context, Move};
use super::state::{Content, Oracle, Owed, Player};

impl Oracle {
    /// `L`: lines of exactly this length cost a ring, longer ones give a choice.
    pub(super) fn required_line(&self) -> usize {
        self.board.required_line(self.players)
    }

    /// The shortest run that counts as a line. It differs from the required
    /// length only on `hex8` with more than two players, by option.
    fn shortest_line(&self) -> usize {
        if self.board == Board::Hex8 && self.players > 2 {
            usize::from(self.options.hex8_line_min)
        } else {
            self.required_line()
        }
    }

    pub(super) fn is_marker_of(&self, pos: Pos, player: Player) -> bool {
        self.cells.get(&pos) == Some(&Content::Marker(player))
    }

    /// The maximal run of the player's markers through `pos` along an axis, in
    /// axis direction. `pos` itself is taken to be such a marker.
    pub(super) fn run_through(&self, pos: Pos, axis: Offset, player: Player) -> Vec<Pos> {
        let arm = |offset: Offset| -> Vec<Pos> {
            let ray = self.board.ray(pos, offset).into_iter();
            ray.take_while(|&cell| self.is_marker_of(cell, player)).collect()
        };
        let mut run = arm((-axis.0, -axis.1));
        run.reverse();
        run.push(pos);
        run.extend(arm(axis));
        run
    }

    /// All lines of a player: maximal runs that are long enough.
    pub(super) fn lines_of(&self, player: Player) -> Vec<Vec<Pos>> {
        let mut lines = Vec::new();
        for &axis in self.board.line_axes() {
            for &pos in self.cells.keys() {
                if !self.is_marker_of(pos, player) {
                    continue;
                }
                let run = self.run_through(pos, axis, player);
                // Each run is found once per cell; keep only the one from its first cell.
                if run[0] == pos && run.len() >= self.shortest_line() {
                    lines.push(run);
                }
            }
        }
        lines
    }

    /// Everything the current player may do in `line_processing`.
    pub(super) fn line_moves(&self) -> Vec<Move> {
        if self.owed == Some(Owed::LineRing) {
            let payers = self.controlled(self.current).into_iter();
            return payers.map(|to| Move::EliminateRings { to, context: Context::Line }).collect();
        }
        let mut moves = Vec::new();
        for line in self.lines_of(self.current) {
            if line.len() == self.required_line() {
                moves.push(Move::ProcessLine { line });
                continue;
            }
            moves.push(Move::ChooseLineOption { line: line.clone(), collapsed: line.clone() });
            for window in line.windows(self.required_line()) {
                moves.push(Move::ChooseLineOption { line: line.clone(), collapsed: window.to_vec() });
            }
        }
        if moves.is_empty() {
            moves.push(Move::NoLineAction);
        }
        moves
    }

    /// Collapses cells of a line. Collapsing the whole line costs a ring, which
    /// is waived for a player who controls no stack (R122).
    pub(super) fn collapse_line(&mut self, line: &[Pos], collapsed: &[Pos]) {
        self.collapse(collapsed);
        if collapsed.len() == line.len() && !self.controlled(self.current).is_empty() {
            self.owed = Some(Owed::LineRing);
        }
    }
}
