//! Boards, cell coordinates and the three neighbour relations (R001–R003).
//!
//! Everything here is pure geometry: nothing knows about rings or players.

use std::fmt;

/// An offset in the `(x, y)` plane; on hex boards `z` follows from `x + y + z = 0`.
pub(crate) type Offset = (i32, i32);

/// One cell of a board.
///
/// The derived order compares `x`, then `y`, which is the canonical cell order
/// of traces and keys. The `hex` flag is the same for all cells of a board, so
/// it never decides a comparison; it only affects how the cell is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pos {
    pub x: i32,
    pub y: i32,
    pub hex: bool,
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hex {
            write!(f, "{},{},{}", self.x, self.y, -self.x - self.y)
        } else {
            write!(f, "{},{}", self.x, self.y)
        }
    }
}

/// Cells in canonical order joined by `;`, whatever order they come in.
pub(crate) fn cell_list(cells: &[Pos]) -> String {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    let texts: Vec<String> = sorted.iter().map(Pos::to_string).collect();
    texts.join(";")
}

/// The four boards of R001.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Board {
    Square8,
    Square19,
    Hex8,
    Hexagonal,
}

impl Board {
    /// The board with this interchange name.
    ///
    /// # Panics
    /// If the name is none of the four.
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "square8" => Self::Square8,
            "square19" => Self::Square19,
            "hex8" => Self::Hex8,
            "hexagonal" => Self::Hexagonal,
            other => panic!("unknown board {other}"),
        }
    }

    pub(crate) fn is_hex(self) -> bool {
        matches!(self, Self::Hex8 | Self::Hexagonal)
    }

    /// Whether `pos` lies on the board.
    pub(crate) fn contains(self, pos: Pos) -> bool {
        let on_square = |size: i32| (0..size).contains(&pos.x) && (0..size).contains(&pos.y);
        let on_hex =
            |radius: i32| pos.x.abs() <= radius && pos.y.abs() <= radius && (pos.x + pos.y).abs() <= radius;
        match self {
            Self::Square8 => on_square(8),
            Self::Square19 => on_square(19),
            Self::Hex8 => on_hex(4),
            Self::Hexagonal => on_hex(12),
        }
    }

    /// Every cell of the board in canonical order.
    pub(crate) fn cells(self) -> Vec<Pos> {
        let mut cells = Vec::new();
        // -19..=19 covers the bounding box of every board.
        for x in -19..=19 {
            for y in -19..=19 {
                let pos = self.at(x, y);
                if self.contains(pos) {
                    cells.push(pos);
                }
            }
        }
        cells
    }

    /// The cell with these coordinates, which may lie off the board.
    pub(crate) fn at(self, x: i32, y: i32) -> Pos {
        Pos { x, y, hex: self.is_hex() }
    }

    /// Reads `x,y` or `x,y,z`.
    ///
    /// # Panics
    /// If the text is not a cell of this board.
    pub(crate) fn parse(self, text: &str) -> Pos {
        let numbers: Vec<i32> =
            text.split(',').map(|part| part.parse().expect("a cell consists of integers")).collect();
        let pos = self.at(numbers[0], numbers[1]);
        assert!(self.contains(pos) && pos.to_string() == text, "{text} is not a cell of {self:?}");
        pos
    }

    /// The neighbour of `pos` in direction `offset`, if it is on the board.
    pub(crate) fn step(self, pos: Pos, offset: Offset) -> Option<Pos> {
        let next = self.at(pos.x + offset.0, pos.y + offset.1);
        self.contains(next).then_some(next)
    }

    /// All cells met when leaving `from` in direction `offset`, nearest first.
    ///
    /// The cell at index `i` is at distance `i + 1`.
    pub(crate) fn ray(self, from: Pos, offset: Offset) -> Vec<Pos> {
        let mut cells = Vec::new();
        let mut here = from;
        while let Some(next) = self.step(here, offset) {
            cells.push(next);
            here = next;
        }
        cells
    }

    /// The cells strictly between two cells that share a movement line.
    ///
    /// # Panics
    /// If no movement direction leads from `from` to `to`.
    pub(crate) fn between(self, from: Pos, to: Pos) -> Vec<Pos> {
        for &direction in self.directions() {
            let mut ray = self.ray(from, direction);
            if let Some(index) = ray.iter().position(|&cell| cell == to) {
                ray.truncate(index);
                return ray;
            }
        }
        panic!("{from} and {to} do not share a line");
    }

    /// Directions for movement, capture and recovery slides.
    pub(crate) fn directions(self) -> &'static [Offset] {
        if self.is_hex() { &[(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)] } else { &EIGHT_OFFSETS }
    }

    /// Axes along which markers form lines (R120), each in its positive sense.
    pub(crate) fn line_axes(self) -> &'static [Offset] {
        if self.is_hex() { &[(1, 0), (1, -1), (0, -1)] } else { &[(1, 0), (1, 1), (0, 1), (1, -1)] }
    }

    /// The same axes in the order in which the reference engine tries them for
    /// recovery slides. The order matters there, see [`super::recovery`].
    pub(crate) fn recovery_axes(self) -> &'static [Offset] {
        if self.is_hex() { self.line_axes() } else { &[(1, 0), (0, 1), (1, 1), (1, -1)] }
    }

    /// Neighbours for region connectivity (R040): diagonals do not connect on
    /// square boards.
    pub(crate) fn territory_offsets(self) -> &'static [Offset] {
        if self.is_hex() { self.directions() } else { &[(1, 0), (0, 1), (-1, 0), (0, -1)] }
    }

    /// Offsets along which the border of a claimed region spreads from marker
    /// to marker. `hex8` is treated by the reference engine as if its `(x, y)`
    /// were a square grid; `hexagonal` does not spread at all.
    pub(crate) fn border_offsets(self) -> &'static [Offset] {
        if self == Self::Hexagonal { &[] } else { &EIGHT_OFFSETS }
    }

    /// Starting hand of each player (R020).
    pub(crate) fn rings_per_player(self) -> u32 {
        match self {
            Self::Square8 | Self::Hex8 => 18,
            Self::Square19 => 72,
            Self::Hexagonal => 96,
        }
    }

    /// `L`: the length that separates exact from overlength lines (R120).
    pub(crate) fn required_line(self, players: usize) -> usize {
        let small = matches!(self, Self::Square8 | Self::Hex8);
        if small && players >= 3 { 3 } else { 4 }
    }
}

const EIGHT_OFFSETS: [Offset; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
