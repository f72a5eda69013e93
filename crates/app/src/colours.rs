//! Colours for drawings of the board at the terminal.

use game::Seat;
use host::{Highlight, Ink, Painter};

use crate::printer::{Printer, escape};

/// Colours of the four seats from the 256-colour palette: blue, orange, green and pink, which also differ in
/// lightness.
const COLOURS: [u8; 4] = [39, 208, 34, 176];

/// The painter for drawings, or `None` if colour is off.
pub(crate) fn painter(printer: &Printer) -> Option<&'static Painter<'static>> {
    printer.has_colour().then_some(&paint)
}

fn paint(ink: Ink, highlight: Option<Highlight>, text: &str) -> String {
    let base = match highlight {
        Some(Highlight::Target) => "48;5;238;",
        Some(Highlight::Changed) => "4;",
        None => "",
    };
    let code = match ink {
        Ink::Empty | Ink::Heading => format!("{base}2"),
        Ink::Piece(seat) => format!("{base}1;38;5;{}", COLOURS[seat.index()]),
        Ink::Marker(seat) => format!("{base}38;5;{}", COLOURS[seat.index()]),
        Ink::Territory(seat) => format!("{base}38;5;16;48;5;{}", COLOURS[seat.index()]),
    };
    escape(&code, text)
}

/// `text` in the colour of a seat.
pub(crate) fn in_colour(seat: Seat, text: &str, printer: &Printer) -> String {
    painter(printer).map_or_else(|| text.to_owned(), |paint| paint(Ink::Piece(seat), None, text))
}
