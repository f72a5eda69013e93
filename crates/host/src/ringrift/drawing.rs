//! The drawing of a RingRift board, and the table of seats.

use game::{Game, Seat};
use ringrift::{Content, Geometry, Position, cell_name};

use crate::{
    Highlight, Ink, Marks, Painter,
    drawing::{indented, painted},
};

/// The drawing of the board with highlights. Without a painter, `'` follows cells that changed, and `?` cells that can be
/// chosen.
pub(super) fn board<B: Geometry>(
    position: &Position<B>,
    marks: &Marks,
    painter: Option<&Painter<'_>>,
) -> String {
    let drawing = position.draw_with(|padded, cell, content| {
        let text = padded.trim_end();
        let rest = &padded[text.len()..];
        let highlight = marks.highlight(&cell_name::<B>(cell));
        if let Some(painter) = painter {
            return in_colour(painter, text, highlight, content) + rest;
        }
        let sign = match highlight {
            Some(Highlight::Target) => '?',
            Some(Highlight::Changed) => '\'',
            None => return padded.to_owned(),
        };
        format!("{text}{sign}{}", &rest[1..])
    });
    indented(&drawing)
}

fn in_colour(painter: &Painter<'_>, text: &str, highlight: Option<Highlight>, content: Content) -> String {
    match content {
        Content::Empty => painter(Ink::Empty, highlight, text),
        Content::Marker(seat) => painter(Ink::Marker(seat), highlight, text),
        Content::Collapsed(seat) => painter(Ink::Territory(seat), highlight, text),
        Content::Stack(stack) if text.len() == stack.height() as usize => {
            stack.rings().map(|seat| painter(Ink::Piece(seat), highlight, &seat.to_string())).collect()
        }
        Content::Stack(stack) => {
            stack.top().map_or_else(|| text.to_owned(), |seat| painter(Ink::Piece(seat), highlight, text))
        }
    }
}

/// The table of the counts of every seat, with the goals.
pub(super) fn standing<B: Geometry>(
    position: &Position<B>,
    to_move: Option<Seat>,
    names: &[String],
    painter: Option<&Painter<'_>>,
) -> String {
    let goals = position.goals();
    let header = format!("  {:8}{:>6}{:>14}{:>13}", "", "hand", "eliminated", "territory");
    let mut lines = vec![painted(painter, Ink::Heading, None, header.trim_end())];
    for seat in Seat::all(position.seats()) {
        let turn = if to_move == Some(seat) { ">" } else { " " };
        let label = painted(painter, Ink::Piece(seat), None, &format!("{:8}", format!("seat {seat}")));
        let eliminated = format!("{} of {}", position.credits(seat), goals.eliminations);
        let territory = format!("{} of {}", position.territory(seat), goals.territory);
        let name = names.get(seat.index()).map(|name| format!("   {name}")).unwrap_or_default();
        lines.push(format!("{turn} {label}{:>6}{eliminated:>14}{territory:>13}{name}", position.hand(seat)));
    }
    lines.join("\n") + "\n"
}
