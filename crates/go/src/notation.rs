//! Text notation for moves: `D4`, `pass`.

use game::{Fault, Notation};

use crate::{Move, Point, Points, Position};

impl<P: Points> Notation for Position<P> {
    fn move_text(&self, m: Move) -> String {
        m.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, Fault> {
        let word = text.trim();
        if word.eq_ignore_ascii_case("pass") {
            return Ok(Move::PASS);
        }
        let start = text.len() - text.trim_start().len();
        let fault = |message| Fault::new(start..start + word.len(), message);
        let size = self.board().size();
        match Point::parse(word) {
            Some(point) if self.board().points().has(point) => Ok(Move::at(point)),
            Some(point) => Err(fault(format!("{point} is not on a {size}×{size} board"))),
            None => {
                Err(fault(format!("{word:?}: expected a point such as D4 (there is no column I), or pass")))
            }
        }
    }
}
