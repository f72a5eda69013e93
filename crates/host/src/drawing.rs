//! Drawings of boards as text. A [`Painter`] of the caller adds colours.

use game::Seat;

/// What a part of a drawing shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// An empty cell.
    Empty,
    /// A ring or a stone, or the name of a seat.
    Piece(Seat),
    /// A marker.
    Marker(Seat),
    /// Collapsed territory.
    Territory(Seat),
    /// The heading of a table.
    Heading,
}

/// The reason for highlighting a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Highlight {
    /// The cell changed in the last turn.
    Changed,
    /// The cell can be chosen.
    Target,
}

/// Colours a part of a drawing. The result must be as wide as the given text.
pub type Painter<'a> = dyn Fn(Ink, Option<Highlight>, &str) -> String + 'a;

/// The cells to highlight, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Cells that changed in the last turn.
    pub changed: Vec<String>,
    /// Cells that can be chosen.
    pub targets: Vec<String>,
}

impl Marks {
    /// The highlight of a cell, if any.
    pub(crate) fn highlight(&self, cell: &str) -> Option<Highlight> {
        let among = |cells: &[String]| cells.iter().any(|name| name == cell);
        if among(&self.targets) {
            Some(Highlight::Target)
        } else {
            among(&self.changed).then_some(Highlight::Changed)
        }
    }
}

/// `text` coloured by `painter`, or plain without one.
pub(crate) fn painted(
    painter: Option<&Painter<'_>>,
    ink: Ink,
    highlight: Option<Highlight>,
    text: &str,
) -> String {
    painter.map_or_else(|| text.to_owned(), |paint| paint(ink, highlight, text))
}

/// Indents every line of a drawing.
pub(crate) fn indented(drawing: &str) -> String {
    drawing.lines().map(|line| format!("  {line}\n")).collect()
}
