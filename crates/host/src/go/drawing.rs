//! The drawing of a Go board, and the table of both colours.

use game::Seat;
use go::{Move, Point, Points, Position};

use super::colour;
use crate::{
    Highlight, Ink, Marks, Painter,
    drawing::{indented, painted},
};

/// The drawing of the board with highlights. Without a painter, the last move is in parentheses, and `?` marks the points that
/// can be chosen.
pub(super) fn board<P: Points>(
    position: &Position<P>,
    marks: &Marks,
    painter: Option<&Painter<'_>>,
) -> String {
    let last = position.last_move().and_then(Move::point);
    let board = position.board();
    let drawing = board.draw_with(|mark, point| {
        let highlight = marks.highlight(&point.to_string());
        let Some(painter) = painter else {
            return if highlight == Some(Highlight::Target) { '?' } else { mark }.to_string();
        };
        let highlight = if last == Some(point) { Some(Highlight::Changed) } else { highlight };
        let ink = board.colour(point).map_or(Ink::Empty, |colour| Ink::Piece(colour.seat()));
        painter(ink, highlight, &mark.to_string())
    });
    indented(&match last {
        Some(point) if painter.is_none() => bracketed(&drawing, board.size(), point),
        _ => drawing,
    })
}

/// A plain drawing with one point in parentheses.
fn bracketed(drawing: &str, size: usize, point: Point) -> String {
    let margin = size.to_string().len();
    let bracket = |(number, line): (usize, &str)| {
        let mut line = line.to_owned() + " ";
        if number == size - 1 - point.row() {
            let at = margin + 1 + 2 * point.column();
            line.replace_range(at - 1..at, "(");
            line.replace_range(at + 1..at + 2, ")");
        }
        line.trim_end().to_owned() + "\n"
    };
    drawing.lines().enumerate().map(bracket).collect()
}

/// The table of stones and captures.
pub(super) fn standing<P: Points>(
    position: &Position<P>,
    to_move: Option<Seat>,
    names: &[String],
    painter: Option<&Painter<'_>>,
) -> String {
    let header = format!("  {:8}{:>8}{:>14}", "", "stones", "has captured");
    let mut lines = vec![painted(painter, Ink::Heading, None, header.trim_end())];
    for seat in Seat::all(2) {
        let colour = colour(seat);
        let turn = if to_move == Some(seat) { ">" } else { " " };
        let label = painted(painter, Ink::Piece(seat), None, &format!("{:8}", colour.to_string()));
        let stones = position.board().stones(colour).len();
        let taken = position.prisoners()[colour.other().index()];
        let name = names.get(seat.index()).map(|name| format!("   {name}")).unwrap_or_default();
        lines.push(format!("{turn} {label}{stones:>8}{taken:>14}{name}"));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use go::{Board, Small};

    #[test]
    fn the_last_move_stands_in_parentheses() {
        let drawing = Board::<Small>::from_drawing("X . .\n. O .\n. . X").unwrap().draw();
        assert_eq!(bracketed(&drawing, 3, Point::new(0, 2)), "3(X). .\n2 . O .\n1 . . X\n  A B C\n");
        assert_eq!(bracketed(&drawing, 3, Point::new(2, 0)), "3 X . .\n2 . O .\n1 . .(X)\n  A B C\n");
    }
}
