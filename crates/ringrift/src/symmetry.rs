//! Symmetries of the boards.

use game::Symmetry;

use crate::{
    Board, Cell, Kind, Move, Position, RecoveryRule,
    bits::Bits,
    draft::Draft,
    geometry::{Direction, Geometry},
    notation::direction_and_distance,
};

/// A linear map of coordinates: `x' = a·x + b·y`, `y' = c·x + d·y`. On square boards the centre is the origin.
type Map = [i32; 4];

const SQUARE_MAPS: [Map; 8] = [
    [1, 0, 0, 1],
    [-1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
    [-1, 0, 0, 1],
    [1, 0, 0, -1],
    [0, 1, -1, 0],
    [0, -1, 1, 0],
];

/// The first four maps preserve the pair of directions (1,1) and (−1,−1); the others map it to a different pair.
const HEX_MAPS: [Map; 12] = [
    [1, 0, 0, 1],
    [-1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
    [0, -1, 1, 1],
    [-1, -1, 1, 0],
    [0, 1, -1, -1],
    [1, 1, -1, 0],
    [1, 0, -1, -1],
    [-1, -1, 0, 1],
    [-1, 0, 1, 1],
    [1, 1, 0, -1],
];

impl<B: Geometry> Position<B> {
    /// Where the symmetry `index` of the board takes a cell.
    ///
    /// # Panics
    /// If the board has fewer symmetries.
    pub fn image(cell: Cell, index: usize) -> Cell {
        let [a, b, c, d] = if B::HEX { HEX_MAPS[index] } else { SQUARE_MAPS[index] };
        let (x, y) = B::coordinates(cell);
        let image = if B::HEX {
            B::cell(a * x + b * y, c * x + d * y)
        } else {
            // Doubled coordinates put the centre at integers.
            let last = B::SIZE as i32 - 1;
            let (u, v) = (2 * x - last, 2 * y - last);
            B::cell((a * u + b * v + last) / 2, (c * u + d * v + last) / 2)
        };
        image.expect("a symmetry maps the board onto itself")
    }

    fn image_direction(direction: Direction, index: usize) -> Direction {
        let [a, b, c, d] = if B::HEX { HEX_MAPS[index] } else { SQUARE_MAPS[index] };
        let (dx, dy) = B::step(direction);
        let image = (a * dx + b * dy, c * dx + d * dy);
        B::directions()
            .find(|&direction| B::step(direction) == image)
            .expect("directions map onto directions")
    }
}

/// All symmetries of the board, except that hex8 has only four: there the border of a claimed region also grows along
/// (1,1) and (−1,−1), which the other eight maps do not preserve. Under [`RecoveryRule::Reference`], recovery by line
/// depends on the order of the axes, so only the identity is guaranteed while the mover is eligible for recovery.
impl<B: Geometry> Symmetry for Position<B> {
    fn symmetries(&self) -> usize {
        if self.rules.recovery == RecoveryRule::Reference && self.is_recovery_eligible() {
            return 1;
        }
        match B::BOARD {
            Board::Square8 | Board::Square19 => 8,
            Board::Hex8 => 4,
            Board::Hexagonal => 12,
        }
    }

    fn transformed(&self, index: usize) -> Self {
        let draft = self.draft();
        let image = Draft {
            cells: draft.cells.iter().map(|&(cell, content)| (Self::image(cell, index), content)).collect(),
            focus: draft.focus.map(|cell| Self::image(cell, index)),
            ..draft
        };
        image.build().expect("the image of a position is a position")
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        // Lazy, because a move without a cell has no image of one.
        let cell = || Self::image(m.cell(), index);
        match m.kind() {
            Kind::PlaceRing => Move::place(cell(), m.count()),
            Kind::MoveStack | Kind::Capture | Kind::ChainCapture => {
                Move::slide(m.kind(), cell(), Self::image_direction(m.direction(), index), m.distance())
            }
            Kind::RecoverFallback | Kind::RecoverStrike => {
                let direction = Self::image_direction(m.recovery_direction(), index);
                Move::recover(m.kind(), cell(), direction, 0, Self::image(m.payer(), index))
            }
            Kind::RecoverLine | Kind::RecoverWindow => self.transformed_recovery(m, index),
            Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => self.transformed_line(m, index),
            Kind::ClaimRegion => {
                let region = self.region_cells(m.pass(), m.cell()).unwrap_or(B::Bits::EMPTY);
                let first = region.cells().map(|cell| Self::image(cell, index)).min();
                Move::claim(first.unwrap_or_else(cell), m.pass())
            }
            Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried | Kind::ForcedElimination => {
                Move::on(m.kind(), cell())
            }
            _ => m,
        }
    }
}

impl<B: Geometry> Position<B> {
    fn transformed_line(&self, m: Move, index: usize) -> Move {
        let forward = Direction(2 * m.line_axis() as u8);
        let image = Self::image_direction(forward, index);
        let (length, window) = (m.line_length(), u32::from(self.goals.line_length));
        let last = B::ahead(m.cell(), forward, length - 1);
        if image.is_forward() {
            return Move::line(m.kind(), Self::image(m.cell(), index), image.axis(), length, m.offset());
        }
        // The image runs backwards along its axis, so it starts at the other end.
        let offset = if m.kind() == Kind::CollapseWindow { length - window - m.offset() } else { 0 };
        Move::line(m.kind(), Self::image(last, index), image.axis(), length, offset)
    }

    fn transformed_recovery(&self, m: Move, index: usize) -> Move {
        let direction = Self::image_direction(m.recovery_direction(), index);
        let (from, line) = (Self::image(m.cell(), index), self.recovery_line(m));
        let forward = Direction(2 * line.axis as u8);
        let axis = Self::image_direction(forward, index).axis();
        if m.kind() == Kind::RecoverLine {
            return Move::recover(m.kind(), from, direction, axis, Self::image(m.payer(), index));
        }
        // Measure the window's offset along the image's axis, from the start of the image's line.
        let last = B::ahead(line.first, forward, line.length - 1);
        let ends = [line.first, last].map(|cell| Self::image(cell, index));
        let image = self.transformed(index);
        let whole = image.recovery_line(Move::recover(Kind::RecoverLine, from, direction, axis, from));
        let along = |cell: Cell| {
            if cell == whole.first {
                0
            } else {
                direction_and_distance::<B>(whole.first, cell).map_or(0, |(_, d)| d)
            }
        };
        Move::recover_window(from, direction, axis, along(ends[0]).min(along(ends[1])))
    }
}
