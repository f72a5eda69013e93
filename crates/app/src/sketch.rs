//! Draws a position for people: the board, and how every seat stands.

use game::{Game, Seat};
use ringrift::{Bits, Cell, Content, Geometry, Position};

use crate::printer::{Printer, Style, escape};

/// Colours of the four seats, from the 256-colour palette: blue, orange, green, pink, apart from each other in
/// lightness too.
const COLOURS: [u8; 4] = [39, 208, 34, 176];

/// Cells that should catch the eye.
pub(crate) struct Marks<B: Geometry> {
    /// Changed by the last turn.
    pub(crate) changed: B::Bits,
    /// Can be chosen now.
    pub(crate) targets: B::Bits,
}

impl<B: Geometry> Default for Marks<B> {
    fn default() -> Self {
        Self { changed: B::Bits::EMPTY, targets: B::Bits::EMPTY }
    }
}

/// The board with its marks. Without colour, `'` follows what changed and `?` what can be chosen.
pub(crate) fn board<B: Geometry>(position: &Position<B>, marks: &Marks<B>, printer: &Printer) -> String {
    let colour = printer.has_colour();
    let drawing = position.draw_with(|padded, cell, content| {
        let text = padded.trim_end();
        let rest = &padded[text.len()..];
        let (changed, target) = (marks.changed.contains(cell), marks.targets.contains(cell));
        if colour {
            return painted(text, cell_style(changed, target), content) + rest;
        }
        let sign = match (target, changed) {
            (true, _) => "?",
            (false, true) => "'",
            (false, false) => return padded.to_owned(),
        };
        format!("{text}{sign}{}", &rest[1..])
    });
    drawing.lines().map(|line| format!("  {line}\n")).collect()
}

fn cell_style(changed: bool, target: bool) -> &'static str {
    match (target, changed) {
        (true, _) => "48;5;238;",
        (false, true) => "4;",
        (false, false) => "",
    }
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

/// `text` in the colour of a seat.
pub(crate) fn in_colour(seat: Seat, text: &str, printer: &Printer) -> String {
    if printer.has_colour() {
        escape(&format!("1;38;5;{}", COLOURS[seat.index()]), text)
    } else {
        text.to_owned()
    }
}

/// How every seat stands, with the goals. `names` are shown behind, as many as there are.
pub(crate) fn standing<B: Geometry>(position: &Position<B>, names: &[String], printer: &Printer) -> String {
    let goals = position.goals();
    let header = format!("  {:8}{:>6}{:>14}{:>13}", "", "hand", "eliminated", "territory");
    let mut lines = vec![printer.paint(Style::Dim, header.trim_end())];
    for seat in Seat::all(position.seats()) {
        let turn = if !position.is_over() && position.to_move() == seat { ">" } else { " " };
        let label = in_colour(seat, &format!("{:8}", format!("seat {seat}")), printer);
        let eliminated = format!("{} of {}", position.credits(seat), goals.eliminations);
        let territory = format!("{} of {}", position.territory(seat), goals.territory);
        let name = names.get(seat.index()).map(|name| format!("   {name}")).unwrap_or_default();
        lines.push(format!("{turn} {label}{:>6}{eliminated:>14}{territory:>13}{name}", position.hand(seat)));
    }
    lines.join("\n") + "\n"
}

/// The cells that were changed.
pub(crate) fn changed_cells<B: Geometry>(changes: &[ringrift::Change]) -> B::Bits {
    changes.iter().fold(B::Bits::EMPTY, |cells, change| cells.with(change.cell))
}

/// A set of cells.
pub(crate) fn cells<B: Geometry>(list: impl Iterator<Item = Cell>) -> B::Bits {
    list.fold(B::Bits::EMPTY, Bits::with)
}
