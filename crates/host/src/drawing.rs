//! Boards as text. Colours belong to whoever paints.

use game::Seat;

/// What a piece of a drawing shows.
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

/// Why a cell stands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Highlight {
    /// It changed lately.
    Changed,
    /// It can be chosen now.
    Target,
}

/// Paints a piece of a drawing. The result must be as wide as the text it is given.
pub type Painter<'a> = dyn Fn(Ink, Option<Highlight>, &str) -> String + 'a;

/// Cells that stand out, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Cells that changed lately.
    pub changed: Vec<String>,
    /// Cells that can be chosen now.
    pub targets: Vec<String>,
}

impl Marks {
    /// Why a cell stands out, if it does.
    pub(crate) fn highlight(&self, cell: &str) -> Option<Highlight> {
        let among = |cells: &[String]| cells.iter().any(|name| name == cell);
        if among(&self.targets) {
            Some(Highlight::Target)
        } else {
            among(&self.changed).then_some(Highlight::Changed)
        }
    }
}

/// `text` as `painter` paints it, or plain.
pub(crate) fn painted(
    painter: Option<&Painter<'_>>,
    ink: Ink,
    highlight: Option<Highlight>,
    text: &str,
) -> String {
    painter.map_or_else(|| text.to_owned(), |paint| paint(ink, highlight, text))
}

/// Every line of a drawing, indented.
pub(crate) fn indented(drawing: &str) -> String {
    drawing.lines().map(|line| format!("  {line}\n")).collect()
}
