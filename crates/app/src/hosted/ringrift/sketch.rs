//! Draws a position for people: the board, and how every seat stands.

use game::{Game, Seat};
use ringrift::{Cell, Content, Geometry, Position};

use crate::{
    hosted::{COLOURS, Marks, in_colour},
    printer::{Printer, Style, escape},
};

/// The board with its marks. Without colour, `'` follows what changed and `?` what can be chosen.
pub(super) fn board<B: Geometry>(position: &Position<B>, marks: &Marks<Cell>, printer: &Printer) -> String {
    let colour = printer.has_colour();
    let drawing = position.draw_with(|padded, cell, content| {
        let text = padded.trim_end();
        let rest = &padded[text.len()..];
        if colour {
            return painted(text, marks.style(cell), content) + rest;
        }
        match marks.sign(cell) {
            Some(sign) => format!("{text}{sign}{}", &rest[1..]),
            None => padded.to_owned(),
        }
    });
    drawing.lines().map(|line| format!("  {line}\n")).collect()
}

fn painted(text: &str, base: &str, content: Content) -> String {
    let seat_code = |seat: Seat, more: &str| format!("{base}{more}38;5;{}", COLOURS[seat.index()]);
    match content {
        Content::Empty => escape(&format!("{base}2"), text),
        Content::Marker(seat) => escape(&seat_code(seat, ""), text),
        Content::Collapsed(seat) => escape(&format!("{base}38;5;16;48;5;{}", COLOURS[seat.index()]), text),
        Content::Stack(stack) if text.len() == stack.height() as usize => {
            let rings = stack.rings().map(|seat| escape(&seat_code(seat, "1;"), &seat.to_string()));
            rings.collect()
        }
        Content::Stack(stack) => {
            stack.top().map_or_else(|| text.to_owned(), |seat| escape(&seat_code(seat, "1;"), text))
        }
    }
}

/// How every seat stands, with the goals. `names` are shown behind, as many as there are.
pub(super) fn standing<B: Geometry>(
    position: &Position<B>,
    over: bool,
    names: &[String],
    printer: &Printer,
) -> String {
    let goals = position.goals();
    let header = format!("  {:8}{:>6}{:>14}{:>13}", "", "hand", "eliminated", "territory");
    let mut lines = vec![printer.paint(Style::Dim, header.trim_end())];
    for seat in Seat::all(position.seats()) {
        let turn = if !over && position.to_move() == seat { ">" } else { " " };
        let label = in_colour(seat, &format!("{:8}", format!("seat {seat}")), printer);
        let eliminated = format!("{} of {}", position.credits(seat), goals.eliminations);
        let territory = format!("{} of {}", position.territory(seat), goals.territory);
        let name = names.get(seat.index()).map(|name| format!("   {name}")).unwrap_or_default();
        lines.push(format!("{turn} {label}{:>6}{eliminated:>14}{territory:>13}{name}", position.hand(seat)));
    }
    lines.join("\n") + "\n"
}
