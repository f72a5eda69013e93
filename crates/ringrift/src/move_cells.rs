//! The cells that a move is about.

use crate::{
    Cell, Kind, Move, Position,
    bits::Bits,
    geometry::{Direction, Geometry},
};

impl<B: Geometry> Position<B> {
    /// Where a move or capture lands.
    pub fn landing(m: Move) -> Cell {
        B::ahead(m.cell(), m.direction(), m.distance())
    }

    /// The stack that a capture passes.
    pub fn captured_cell(&self, m: Move) -> Option<Cell> {
        let path = (1..m.distance()).map(|distance| B::ahead(m.cell(), m.direction(), distance));
        path.into_iter().find(|&cell| !self.stack(cell).is_empty())
    }

    /// The cells of the line that a line decision is about, along its axis.
    pub fn line_cells(m: Move) -> impl Iterator<Item = Cell> {
        let forward = Direction(2 * m.line_axis() as u8);
        (0..m.line_length()).map(move |distance| B::ahead(m.cell(), forward, distance))
    }

    /// Where a recovery slide takes its marker.
    pub fn slide_end(m: Move) -> Cell {
        B::ahead(m.cell(), m.recovery_direction(), 1)
    }

    /// The cells of the region that a claim is about, without its border; `None` for any other move.
    pub fn region(&self, m: Move) -> Option<B::Bits> {
        if m.kind() == Kind::ClaimRegion { self.region_cells(m.pass(), m.cell()) } else { None }
    }

    /// The cells that a line decision, a recovery by line or a claim collapses, border included.
    pub fn collapsing(&self, m: Move) -> Vec<Cell> {
        match m.kind() {
            Kind::ProcessLine | Kind::CollapseLine => Self::line_cells(m).collect(),
            Kind::CollapseWindow => {
                Self::line_cells(m).skip(m.offset() as usize).take(self.goals.line_length as usize).collect()
            }
            Kind::RecoverLine | Kind::RecoverWindow => {
                let line = self.recovery_line(m);
                let forward = Direction(2 * line.axis as u8);
                (0..line.length).map(|distance| B::ahead(line.first, forward, distance)).collect()
            }
            Kind::ClaimRegion => {
                let region = self.region_cells(m.pass(), m.cell()).unwrap_or(B::Bits::EMPTY);
                (region | self.border(region)).cells().collect()
            }
            _ => Vec::new(),
        }
    }
}
