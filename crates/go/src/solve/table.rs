//! Retrograde analysis of all positions of a board from 2×2 to 4×4.

use std::collections::HashMap;

use crate::{Board, Colour, Point, Points, SYMMETRIES, Small, image};

/// Bounds of the value for the colour to move, for all boards of one size, under area scoring without suicide or komi.
///
/// A position here consists of a board, the colour to move, whether the last move was a pass, and the ko that may not
/// be retaken at once. The lower bound of a position is the score that its mover can force in a finite number of moves
/// without repeating a position; the upper bound is the score to which the opponent can limit the mover in the same
/// way. Neither depends on the history of the position. Where the two bounds are equal, the value is exact under the
/// simple ko rule if endless play counts as no result. [`Solver`](super::Solver) explains how far that holds under
/// superko.
pub struct Table {
    size: usize,
    /// The boards up to symmetry, with the mover's stones as Black: packed black and white sets, sorted by the white
    /// ones.
    boards: Vec<Code>,
    /// The index of the first board with each set of white stones.
    starts: Vec<u32>,
    /// The bounds if the last move was not a pass: for all boards, then for those where a ko may not be retaken.
    fresh: Vec<Bounds>,
    /// The bounds of all boards if the last move was a pass.
    passed: Vec<Bounds>,
    /// The indices in `fresh` of the positions with a forbidden ko.
    kos: HashMap<(u32, Point), u32>,
    symmetries: Symmetries,
    sweeps: u32,
}

/// Bounds of the value of a position to its mover: the mover's area minus the opponent's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The mover can force at least this.
    pub least: i8,
    /// The opponent can limit the mover to this.
    pub most: i8,
}

impl Bounds {
    /// The value, if both bounds are equal.
    pub fn exact(self) -> Option<i8> {
        (self.least == self.most).then_some(self.least)
    }

    /// The same bounds from the opponent's point of view.
    fn negated(self) -> Self {
        Self { least: -self.most, most: -self.least }
    }

    /// The bounds of a choice between two moves.
    fn max(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }
}

/// A board as a number: the white stones in the upper 16 bits, the black ones in the lower 16.
type Code = u32;

impl Table {
    /// Solves all positions of a board. 4×4 takes half a minute and half a gigabyte.
    ///
    /// # Panics
    /// If the size is not 2, 3 or 4.
    pub fn new(size: usize) -> Self {
        assert!((2..=4).contains(&size), "expected a board size from 2 to 4, not {size}");
        let symmetries = Symmetries::new(size);
        let (boards, starts) = canonical_boards(size, &symmetries);
        let (fresh, passed, kos) = (Vec::new(), Vec::new(), HashMap::new());
        let mut table = Self { size, boards, starts, fresh, passed, kos, symmetries, sweeps: 0 };
        let (links, kos) = Links::new(&table);
        table.kos = kos;
        let points = (size * size) as i8;
        let unknown = Bounds { least: -points, most: points };
        table.fresh = vec![unknown; links.starts.len() - 1];
        table.passed = vec![unknown; table.boards.len()];
        while table.sweep(&links) {
            table.sweeps += 1;
        }
        table
    }

    /// The number of boards, up to symmetry.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether the table has no boards, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// The number of sweeps over all positions that changed a bound.
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// The bounds of a position for `to_move`; `passed` says whether the last move was a pass.
    ///
    /// # Panics
    /// If the board has a different size or a chain without liberties.
    pub fn bounds(&self, board: &Board<Small>, to_move: Colour, passed: bool) -> Bounds {
        let id = self.id(board, to_move).0;
        if passed { self.passed[id] } else { self.fresh[id] }
    }

    /// The bounds of a position for `to_move`, who may not retake the ko on `ko` now. `None` if there is no such ko on
    /// this board.
    ///
    /// # Panics
    /// If the board has a different size or a chain without liberties.
    pub fn ko_bounds(&self, board: &Board<Small>, to_move: Colour, ko: Point) -> Option<Bounds> {
        let (id, symmetry) = self.id(board, to_move);
        let ko = image(ko, self.size, symmetry);
        let ko = self.symmetries.least_image(self.boards[id], ko, self.size);
        self.kos.get(&(id as u32, ko)).map(|&id| self.fresh[id as usize])
    }

    /// The index of a board, and the symmetry that maps the board to the one in the table.
    fn id(&self, board: &Board<Small>, to_move: Colour) -> (usize, usize) {
        assert_eq!(board.size(), self.size, "a table is for one size");
        let (code, symmetry) = self.symmetries.least(code(board, to_move));
        let id = self.find(code).expect("every board whose chains have liberties is in the table");
        (id, symmetry)
    }

    /// The number of boards, up to symmetry and without a preceding pass, whose value is exact.
    pub fn exact_count(&self) -> usize {
        let boards = &self.fresh[..self.boards.len()];
        boards.iter().filter(|bounds| bounds.exact().is_some()).count()
    }

    fn find(&self, code: Code) -> Option<usize> {
        let white = (code >> 16) as usize;
        let (first, end) = (self.starts[white] as usize, self.starts[white + 1] as usize);
        self.boards[first..end].binary_search(&code).ok().map(|at| first + at)
    }

    /// Updates the bounds of all positions once, and returns whether anything changed.
    fn sweep(&mut self, links: &Links) -> bool {
        let mut changed = false;
        for id in 0..self.fresh.len() {
            let worst = Bounds { least: i8::MIN, most: i8::MIN };
            let stones = links.of(id).iter().map(|&child| self.fresh[child as usize].negated());
            let best = stones.fold(worst, Bounds::max);
            let board = links.boards[id] as usize;
            let fresh = best.max(self.passed[links.swapped[board] as usize].negated());
            changed |= self.fresh[id] != fresh;
            self.fresh[id] = fresh;
            if id == board {
                // After a pass, another pass ends the game.
                let area = links.areas[board];
                let passed = best.max(Bounds { least: area, most: area });
                changed |= self.passed[board] != passed;
                self.passed[board] = passed;
            }
        }
        changed
    }
}

/// The graph of moves.
struct Links {
    /// The positions after each stone, as concatenated lists.
    children: Vec<u32>,
    /// The start of each position's list.
    starts: Vec<u32>,
    /// The board of each position.
    boards: Vec<u32>,
    /// Each board with the colours exchanged, which a pass leads to.
    swapped: Vec<u32>,
    /// The mover's area minus the opponent's, by board.
    areas: Vec<i8>,
}

impl Links {
    /// The graph, and the indices of the positions with a forbidden ko.
    fn new(table: &Table) -> (Self, HashMap<(u32, Point), u32>) {
        let symmetries = &table.symmetries;
        let count = table.boards.len() as u32;
        let mut links = Self {
            children: Vec::new(),
            starts: vec![0],
            boards: (0..count).collect(),
            swapped: Vec::new(),
            areas: Vec::new(),
        };
        // Positions with a forbidden ko are numbered as they are found.
        let mut kos: HashMap<(u32, Point), u32> = HashMap::new();
        let mut forbidden: Vec<Point> = Vec::new();
        let mut id = 0;
        while id < links.boards.len() {
            let board = decoded(table.boards[links.boards[id] as usize], table.size);
            let ko = id.checked_sub(count as usize).map(|at| forbidden[at]);
            for point in board.empty().iter().filter(|&point| Some(point) != ko) {
                let mut after = board;
                let captured = after.place(point, Colour::Black);
                let chain = after.chain(point);
                let liberties = after.liberties(chain);
                if liberties.is_empty() {
                    continue;
                }
                // The mover's stones are black; after the move the opponent is the mover.
                let (code, symmetry) = symmetries.least(code(&after, Colour::White));
                let child = table.find(code).expect("a move leads to a board whose chains have liberties");
                let is_ko = captured.len() == 1 && chain.len() == 1 && liberties == captured;
                let Some(taken) = captured.first().filter(|_| is_ko) else {
                    links.children.push(child as u32);
                    continue;
                };
                let taken = symmetries.least_image(code, image(taken, table.size, symmetry), table.size);
                let child = *kos.entry((child as u32, taken)).or_insert_with(|| {
                    forbidden.push(taken);
                    links.boards.push(child as u32);
                    links.boards.len() as u32 - 1
                });
                links.children.push(child);
            }
            links.starts.push(links.children.len() as u32);
            if ko.is_none() {
                let swapped = table.find(symmetries.least(code(&board, Colour::White)).0);
                links.swapped.push(swapped.expect("colours may be exchanged on every board") as u32);
                links.areas.push(board.area() as i8);
            }
            id += 1;
        }
        (links, kos)
    }

    fn of(&self, id: usize) -> &[u32] {
        &self.children[self.starts[id] as usize..self.starts[id + 1] as usize]
    }
}

fn code(board: &Board<Small>, mover: Colour) -> Code {
    let [own, other] = [mover, mover.other()].map(|colour| board.stones(colour).packed(board.size()) as u32);
    other << 16 | own
}

fn decoded(code: Code, size: usize) -> Board<Small> {
    let mut board = Board::new(size);
    board.add(Small::unpacked(u64::from(code & 0xffff), size), Colour::Black);
    board.add(Small::unpacked(u64::from(code >> 16), size), Colour::White);
    board
}

/// All boards whose chains have liberties, up to symmetry, and the index of the first board with each set of white
/// stones.
fn canonical_boards(size: usize, symmetries: &Symmetries) -> (Vec<Code>, Vec<u32>) {
    let sets = 1u32 << (size * size);
    let (mut boards, mut starts) = (Vec::new(), Vec::new());
    for white in 0..1 << 16 {
        starts.push(boards.len() as u32);
        if white >= sets {
            continue;
        }
        // All subsets of the points that are not white, in ascending order.
        let free = (sets - 1) & !white;
        let mut black = 0;
        loop {
            let code = white << 16 | black;
            if symmetries.is_least(code) {
                let board = decoded(code, size);
                let has_liberties =
                    |colour| board.chains(colour).all(|chain| !board.liberties(chain).is_empty());
                if Colour::BOTH.into_iter().all(has_liberties) {
                    boards.push(code);
                }
            }
            black = black.wrapping_sub(free) & free;
            if black == 0 {
                break;
            }
        }
    }
    starts.push(boards.len() as u32);
    (boards, starts)
}

/// The symmetries of packed sets, with one lookup table for each half of a set.
struct Symmetries {
    low: Vec<[u16; 256]>,
    high: Vec<[u16; 256]>,
}

impl Symmetries {
    fn new(size: usize) -> Self {
        let mapped = |byte: usize, shift: usize, symmetry: usize| {
            let set = Small::unpacked((byte << shift) as u64 & ((1 << (size * size)) - 1), size);
            Small::of(set.iter().map(|point| image(point, size, symmetry))).packed(size) as u16
        };
        let tables = |shift: usize| {
            (0..SYMMETRIES)
                .map(|symmetry| std::array::from_fn(|byte| mapped(byte, shift, symmetry)))
                .collect()
        };
        Self { low: tables(0), high: tables(8) }
    }

    fn set(&self, set: u32, symmetry: usize) -> u32 {
        u32::from(self.low[symmetry][set as usize & 255] | self.high[symmetry][set as usize >> 8 & 255])
    }

    fn image(&self, code: Code, symmetry: usize) -> Code {
        self.set(code >> 16, symmetry) << 16 | self.set(code & 0xffff, symmetry)
    }

    /// The smallest image of a board, and a symmetry that leads to it.
    fn least(&self, code: Code) -> (Code, usize) {
        let images = (0..SYMMETRIES).map(|symmetry| (self.image(code, symmetry), symmetry));
        images.min().unwrap_or((code, 0))
    }

    /// The smallest image of a point under the symmetries that leave the board unchanged.
    fn least_image(&self, code: Code, point: Point, size: usize) -> Point {
        let images = (0..SYMMETRIES)
            .filter(|&symmetry| self.image(code, symmetry) == code)
            .map(|symmetry| image(point, size, symmetry));
        images.min().unwrap_or(point)
    }

    fn is_least(&self, code: Code) -> bool {
        (1..SYMMETRIES).all(|symmetry| self.image(code, symmetry) >= code)
    }
}
