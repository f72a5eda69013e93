//! Cells, directions and the four boards.

use std::fmt::Debug;

use crate::{
    Board,
    bits::{Bits, Rows},
    sight::{LineWord, OnLine},
};

/// A cell of a board: `row × stride + column`, where the row is `x` and the column `y`, both counted from the
/// board's lowest coordinate. Ascending cells are the canonical scan order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u16);

impl Cell {
    #[inline]
    pub(crate) const fn new(index: usize) -> Self {
        Self(index as u16)
    }

    /// Position of the cell's bit in sets of cells.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A straight direction: twice the axis, plus one for the way back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Direction(pub(crate) u8);

impl Direction {
    /// The way along an axis.
    #[inline]
    pub const fn along(axis: usize) -> Self {
        Self(2 * axis as u8)
    }

    /// Number of the axis it runs along.
    #[inline]
    pub const fn axis(self) -> usize {
        self.0 as usize >> 1
    }

    /// Whether it runs along its axis, not against it.
    #[inline]
    pub(crate) const fn is_forward(self) -> bool {
        self.0 & 1 == 0
    }
}

/// Something that exists for every board and is compiled once for each: code that is generic over the board asks
/// [`Geometry::accept`] for the one that fits.
///
/// A generic function is compiled again in every crate that uses it; the methods of a visitor are not.
pub trait BoardVisitor {
    /// What there is for the board `B`.
    type Output<B: Geometry>;

    /// For the square of 8×8 cells.
    fn square8(self) -> Self::Output<Square8>;

    /// For the square of 19×19 cells.
    fn square19(self) -> Self::Output<Square19>;

    /// For the hexagon of radius 4.
    fn hex8(self) -> Self::Output<Hex8>;

    /// For the hexagon of radius 12.
    fn hexagonal(self) -> Self::Output<Hexagonal>;
}

/// The shape of one board, known at compile time.
///
/// The axes are numbered in the order in which recovery looks at them: (1,0) (0,1) (1,1) (1,−1) on squares,
/// (1,0) (1,−1) (0,−1) in the `x,y` of hexes.
pub trait Geometry: Copy + Eq + Debug + Send + Sync + 'static {
    /// Which board this is.
    const BOARD: Board;
    /// Whether cells have six neighbours instead of eight.
    const HEX: bool;
    /// Rows and columns of the (bounding) square.
    const SIZE: usize;
    /// Distance between the bits of a cell and of the cell with the next `x`.
    const STRIDE: usize;
    /// Line axes; there are twice as many directions.
    const AXES: usize;
    /// All cells of the board.
    const ON_BOARD: Self::Bits;
    /// The lines of an empty board.
    const OPEN_LINES: Self::Lines;
    /// An empty board's stacks.
    const NO_RINGS: Self::Rings;

    /// A set of cells.
    type Bits: Bits;
    /// Stacks, as words, by [slot](Geometry::slot).
    type Rings: Copy + Eq + Debug + Send + Sync + AsRef<[u64]> + AsMut<[u64]>;
    /// One line word.
    type LineWord: LineWord;
    /// Line words by number of the line.
    type Lines: Copy + Eq + Debug + Send + Sync + AsRef<[Self::LineWord]> + AsMut<[Self::LineWord]>;

    /// Calls the visitor's method for this board.
    fn accept<V: BoardVisitor>(visitor: V) -> V::Output<Self>;

    /// Where a cell lies on the lines through it, by axis.
    fn lines_through(cell: Cell) -> &'static [OnLine; 4];

    /// Index of the cell's stack.
    fn slot(cell: Cell) -> usize;

    /// The set moved one step; what leaves the board may appear off it, but never on it.
    fn shift(bits: Self::Bits, direction: Direction) -> Self::Bits;

    /// The cells of `open` that are connected with `seed` by territory adjacency. `seed` must lie in `open`.
    fn flood(seed: Cell, open: Self::Bits) -> Self::Bits;

    /// Whether the board has this cell, which may come from another board.
    #[inline]
    fn has(cell: Cell) -> bool {
        cell.index() < Self::SIZE * Self::STRIDE && Self::ON_BOARD.contains(cell)
    }

    /// All directions.
    #[inline]
    fn directions() -> impl Iterator<Item = Direction> {
        (0..2 * Self::AXES as u8).map(Direction)
    }

    /// The directions of territory adjacency: no diagonals on squares.
    #[inline]
    fn sides() -> impl Iterator<Item = Direction> {
        (0..if Self::HEX { 6 } else { 4 }).map(Direction)
    }

    /// Step of a direction in `x` and `y`.
    #[inline]
    fn step(direction: Direction) -> (i32, i32) {
        let (dx, dy) = if Self::HEX { HEX_AXES[direction.axis()] } else { SQUARE_AXES[direction.axis()] };
        if direction.is_forward() { (dx, dy) } else { (-dx, -dy) }
    }

    /// The cell `distance` steps away. The caller knows that it is on the board.
    #[inline]
    fn ahead(cell: Cell, direction: Direction, distance: u32) -> Cell {
        let (dx, dy) = Self::step(direction);
        Cell::new((cell.index() as i32 + (dx * Self::STRIDE as i32 + dy) * distance as i32) as usize)
    }

    /// The neighbouring cell, if it is on the board.
    fn neighbour(cell: Cell, direction: Direction) -> Option<Cell> {
        let ((x, y), (dx, dy)) = (Self::coordinates(cell), Self::step(direction));
        Self::cell(x + dx, y + dy)
    }

    /// Distance from the centre to the edge on hex boards, 0 on squares: the offset of coordinates.
    #[inline]
    fn radius() -> i32 {
        if Self::HEX { Self::SIZE as i32 / 2 } else { 0 }
    }

    /// The cell at these coordinates, if it is on the board.
    fn cell(x: i32, y: i32) -> Option<Cell> {
        let (row, column) = (x + Self::radius(), y + Self::radius());
        on_board(Self::HEX, Self::SIZE as i32, row, column)
            .then(|| Cell::new(row as usize * Self::STRIDE + column as usize))
    }

    /// The coordinates of a cell; on hex boards the third one is `−x−y`.
    fn coordinates(cell: Cell) -> (i32, i32) {
        let (row, column) = (cell.index() / Self::STRIDE, cell.index() % Self::STRIDE);
        (row as i32 - Self::radius(), column as i32 - Self::radius())
    }
}

const SQUARE_AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
const HEX_AXES: [(i32, i32); 4] = [(1, 0), (1, -1), (0, -1), (0, 0)];

const fn on_board(hex: bool, size: i32, row: i32, column: i32) -> bool {
    let radius = size / 2;
    let inside = row >= 0 && row < size && column >= 0 && column < size;
    inside && (!hex || ((row + column) >= radius && (row + column) <= 3 * radius))
}

/// The lines of a board: where each cell lies on them, and their lengths.
struct LineMap<const CELLS: usize> {
    through: [[OnLine; 4]; CELLS],
    lengths: [u8; 112],
    count: usize,
}

impl<const CELLS: usize> LineMap<CELLS> {
    const fn new(hex: bool, size: i32, stride: i32) -> Self {
        let nowhere = OnLine { line: 0, position: 0 };
        let mut map = Self { through: [[nowhere; 4]; CELLS], lengths: [0; 112], count: 0 };
        let axes = if hex { 3 } else { 4 };
        let mut axis = 0;
        while axis < axes {
            let (dx, dy) = if hex { HEX_AXES[axis] } else { SQUARE_AXES[axis] };
            let mut index = 0;
            while index < size * size {
                let (mut row, mut column) = (index / size, index % size);
                index += 1;
                // A line starts where there is no cell before.
                let starts = on_board(hex, size, row, column) && !on_board(hex, size, row - dx, column - dy);
                let mut position = 0;
                while starts && on_board(hex, size, row, column) {
                    let cell = (row * stride + column) as usize;
                    map.through[cell][axis] = OnLine { line: map.count as u8, position };
                    position += 1;
                    row += dx;
                    column += dy;
                }
                if starts {
                    map.lengths[map.count] = position;
                    map.count += 1;
                }
            }
            axis += 1;
        }
        map
    }

    /// The fence of line `line`, for halves of `half` bits.
    const fn fence(&self, line: usize, half: u32) -> u64 {
        (u64::MAX << (self.lengths[line] + 1) | 1) & ((1 << half) - 1)
    }
}

macro_rules! board {
    (
        $(#[$doc:meta])* $name:ident, visit: $visit:ident, hex: $hex:literal, size: $size:literal, stride: $stride:literal,
        bits: $bits:ty = $on_board:expr, rings: $rings:literal, slot: $slot:expr,
        lines: [$line:ty; $lines:literal], shift: $shift:expr, flood: $flood:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name;

        impl $name {
            const MAP: LineMap<{ $size * $stride }> = LineMap::new($hex, $size, $stride);
        }

        impl Geometry for $name {
            const BOARD: Board = Board::$name;
            const HEX: bool = $hex;
            const SIZE: usize = $size;
            const STRIDE: usize = $stride;
            const AXES: usize = if $hex { 3 } else { 4 };
            const ON_BOARD: $bits = $on_board;
            const NO_RINGS: [u64; $rings] = [1; $rings];
            const OPEN_LINES: [$line; $lines] = {
                assert!($name::MAP.count == $lines, "the number of lines of the board");
                let mut lines = [0; $lines];
                let mut line = 0;
                while line < $lines {
                    lines[line] = $name::MAP.fence(line, <$line>::BITS / 2) as $line;
                    line += 1;
                }
                lines
            };

            type Bits = $bits;
            type Rings = [u64; $rings];
            type LineWord = $line;
            type Lines = [$line; $lines];

            fn accept<V: BoardVisitor>(visitor: V) -> V::Output<Self> {
                visitor.$visit()
            }

            #[inline]
            fn lines_through(cell: Cell) -> &'static [OnLine; 4] {
                static THROUGH: [[OnLine; 4]; $size * $stride] = $name::MAP.through;
                &THROUGH[cell.index()]
            }

            #[inline]
            fn slot(cell: Cell) -> usize {
                $slot(cell.index())
            }

            #[inline]
            fn shift(bits: $bits, direction: Direction) -> $bits {
                $shift(bits, direction)
            }

            #[inline]
            fn flood(seed: Cell, open: $bits) -> $bits {
                $flood(seed, open)
            }
        }
    };
}

board!(
    /// 8×8 cells.
    Square8, visit: square8, hex: false, size: 8, stride: 8,
    bits: u64 = u64::MAX, rings: 64, slot: |index: usize| index,
    lines: [u32; 46], shift: shift_square8, flood: flood_square8
);

board!(
    /// 19×19 cells.
    Square19, visit: square19, hex: false, size: 19, stride: 32,
    bits: Rows<24> = rows_on_board(false, 19), rings: 361, slot: |index: usize| (index >> 5) * 19 + (index & 31),
    lines: [u64; 112], shift: shift_rows::<24, false>, flood: flood_rows::<24, false>
);

board!(
    /// A hexagon of radius 4: 61 cells.
    Hex8, visit: hex8, hex: true, size: 9, stride: 10,
    bits: u128 = hex8_on_board(), rings: 90, slot: |index: usize| index,
    lines: [u32; 27], shift: shift_hex8, flood: flood_hex8
);

board!(
    /// A hexagon of radius 12: 469 cells.
    Hexagonal, visit: hexagonal, hex: true, size: 25, stride: 32,
    bits: Rows<28> = rows_on_board(true, 25), rings: 469, slot: slot_hexagonal,
    lines: [u64; 75], shift: shift_rows::<28, true>, flood: flood_rows::<28, true>
);

const fn rows_on_board<const N: usize>(hex: bool, size: i32) -> Rows<N> {
    let mut rows = [0; N];
    let mut index = 0;
    while index < size * size {
        if on_board(hex, size, index / size, index % size) {
            rows[(index / size) as usize] |= 1 << (index % size);
        }
        index += 1;
    }
    Rows(rows)
}

const fn hex8_on_board() -> u128 {
    let rows = rows_on_board::<9>(true, 9);
    let mut bits = 0;
    let mut row = 0;
    while row < 9 {
        bits |= (rows.0[row] as u128) << (10 * row);
        row += 1;
    }
    bits
}

/// Rows of the large hexagon have different lengths; this table packs them without gaps.
#[inline]
fn slot_hexagonal(index: usize) -> usize {
    static ROW_START: [u16; 25] = {
        let mut starts = [0; 25];
        let (mut row, mut next) = (0, 0);
        while row < 25 {
            let first_column = 12_usize.saturating_sub(row);
            // Wrapping: the first columns of the upper rows do not exist, so the start may lie below 0.
            starts[row] = (next as u16).wrapping_sub(first_column as u16);
            next += 25 - row.abs_diff(12);
            row += 1;
        }
        starts
    };
    ROW_START[index >> 5].wrapping_add(index as u16 & 31) as usize
}

#[inline]
fn shift_square8(bits: u64, direction: Direction) -> u64 {
    const LAST_COLUMN: u64 = 0x8080_8080_8080_8080;
    match direction.0 {
        0 => bits << 8,
        1 => bits >> 8,
        2 => (bits & !LAST_COLUMN) << 1,
        3 => bits >> 1 & !LAST_COLUMN,
        4 => (bits & !LAST_COLUMN) << 9,
        5 => bits >> 9 & !LAST_COLUMN,
        6 => bits << 7 & !LAST_COLUMN,
        _ => (bits & !LAST_COLUMN) >> 7,
    }
}

#[inline]
fn shift_hex8(bits: u128, direction: Direction) -> u128 {
    match direction.0 {
        0 => bits << 10,
        1 => bits >> 10,
        2 => bits << 9,
        3 => bits >> 9,
        4 => bits >> 1,
        _ => bits << 1,
    }
}

#[inline]
fn shift_rows<const N: usize, const HEX: bool>(bits: Rows<N>, direction: Direction) -> Rows<N> {
    let mut moved = [0; N];
    let rows = &bits.0;
    // The cases are spelled out so that each becomes a constant shift and a constant offset.
    match (HEX, direction.0) {
        (_, 0) => moved[1..].copy_from_slice(&rows[..N - 1]),
        (_, 1) => moved[..N - 1].copy_from_slice(&rows[1..]),
        (false, 2) | (true, 5) => (0..N).for_each(|row| moved[row] = rows[row] << 1),
        (false, 3) | (true, 4) => (0..N).for_each(|row| moved[row] = rows[row] >> 1),
        (false, 4) => (1..N).for_each(|row| moved[row] = rows[row - 1] << 1),
        (false, 5) => (1..N).for_each(|row| moved[row - 1] = rows[row] >> 1),
        (false, 6) | (true, 2) => (1..N).for_each(|row| moved[row] = rows[row - 1] >> 1),
        _ => (1..N).for_each(|row| moved[row - 1] = rows[row] << 1),
    }
    Rows(moved)
}

#[inline]
fn flood_square8(seed: Cell, open: u64) -> u64 {
    const LAST_COLUMN: u64 = 0x8080_8080_8080_8080;
    let up = open & !(LAST_COLUMN >> 7);
    let down = open & !LAST_COLUMN;
    let mut filled = 1 << seed.index();
    loop {
        let before = filled;
        filled = smear(filled, up, |bits, steps| bits << steps);
        filled = smear(filled, down, |bits, steps| bits >> steps);
        filled = smear(filled, open, |bits, steps| bits << (8 * steps));
        filled = smear(filled, open, |bits, steps| bits >> (8 * steps));
        if filled == before || filled == open {
            return filled;
        }
    }
}

/// Extends `filled` through `open` by up to seven steps in one direction, doubling the reach each time.
#[inline]
fn smear(mut filled: u64, mut open: u64, shift: impl Fn(u64, u32) -> u64) -> u64 {
    for steps in [1, 2, 4] {
        filled |= open & shift(filled, steps);
        open &= shift(open, steps);
    }
    filled
}

#[inline]
fn flood_hex8(seed: Cell, open: u128) -> u128 {
    let mut filled = 1 << seed.index();
    loop {
        let spread =
            filled | filled << 10 | filled >> 10 | filled << 9 | filled >> 9 | filled << 1 | filled >> 1;
        let next = spread & open;
        if next == filled {
            return filled;
        }
        filled = next;
    }
}

/// Sweeps down and up, filling each row's runs from the row before, until a sweep changes nothing.
#[inline]
fn flood_rows<const N: usize, const HEX: bool>(seed: Cell, open: Rows<N>) -> Rows<N> {
    let open = &open.0;
    let mut filled = [0_u32; N];
    let seed_row = seed.index() >> 5;
    filled[seed_row] = fill_runs(1 << (seed.index() & 31), open[seed_row]);
    // The next x is reached by (1,0) and, on hexes, by (1,−1).
    let down = |row: u32| if HEX { row | row >> 1 } else { row };
    let up = |row: u32| if HEX { row | row << 1 } else { row };
    let mut swept_up = false;
    loop {
        let mut changed = false;
        for row in 1..N {
            let reached = down(filled[row - 1]) & open[row] & !filled[row];
            if reached != 0 {
                filled[row] = fill_runs(filled[row] | reached, open[row]);
                changed = true;
            }
        }
        // Most floods fill everything; seeing that is cheaper than another sweep.
        // The seed may have everything above it, so one sweep down proves nothing yet.
        if (!changed && swept_up) || filled == *open {
            return Rows(filled);
        }
        (changed, swept_up) = (false, true);
        for row in (1..N).rev() {
            let reached = up(filled[row]) & open[row - 1] & !filled[row - 1];
            if reached != 0 {
                filled[row - 1] = fill_runs(filled[row - 1] | reached, open[row - 1]);
                changed = true;
            }
        }
        if !changed || filled == *open {
            return Rows(filled);
        }
    }
}

/// The runs of `open` that hold a bit of `seeds`; `seeds` lies in `open`.
#[inline]
fn fill_runs(seeds: u32, open: u32) -> u32 {
    // Under a filled row a row is full already, or all but for cells beside a filled one.
    let seeds = seeds | open & (seeds << 1 | seeds >> 1);
    if seeds == open {
        return open;
    }
    // Adding carries every seed to the end of its run; the bits that flipped are the run above the seed.
    let mut filled = seeds | open & !open.wrapping_add(seeds);
    let mut below = open;
    for steps in [1, 2, 4, 8, 16] {
        filled |= below & filled >> steps;
        below &= below >> steps;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::on_board;

    #[test]
    fn a_flood_fills_the_same_from_wherever_it_starts() {
        for board in Board::ALL {
            on_board!(board, B => {
                let mut state = 7_u64;
                for density in [3, 5, 8] {
                    let mut open = B::ON_BOARD;
                    for cell in B::ON_BOARD.cells() {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        if (state >> 33) % 10 >= density {
                            open.toggle(cell);
                        }
                    }
                    for seed in open.cells() {
                        let mut slow = <B as Geometry>::Bits::EMPTY.with(seed);
                        loop {
                            let beside = B::sides().fold(slow, |all, side| all | B::shift(slow, side)) & open;
                            if beside == slow {
                                break;
                            }
                            slow = beside;
                        }
                        assert_eq!(B::flood(seed, open), slow, "{board} from {seed:?}");
                    }
                }
            });
        }
    }
}
