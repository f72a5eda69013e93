//! Every position of a board of two to four lines, solved by working backwards.

use std::collections::HashMap;

use crate::{Board, Colour, Point, Points, SYMMETRIES, Small, image};

/// What the colour to move can be sure of, for all boards of one size: area scoring, no suicide, no komi.
///
/// A position here is a board, the colour to move, whether the last move was a pass, and the ko that may not be
/// retaken at once. A play that never ends counts as the worst for whoever claims something: the lower bound
/// of a position is what its mover can force in a finite number of moves without ever repeating a position,
/// whatever the other does, and the upper bound is what the other can hold it to in the same way. Neither
/// depends on how the position arose. Where the two meet, the value is exact under the simple ko rule with endless
/// play counting as no result. How far that carries under superko is the matter of [`Solver`](super::Solver).
pub struct Table {
    size: usize,
    /// The boards up to symmetry, mover's stones as Black: packed black and white sets, sorted by the white ones.
    boards: Vec<Code>,
    /// Where the boards with these white stones begin.
    starts: Vec<u32>,
    /// Bounds when the last move was no pass: of all boards, then of those where a ko may not be retaken.
    fresh: Vec<Bounds>,
    /// Bounds of all boards when the last move was a pass.
    passed: Vec<Bounds>,
    /// Where the positions with a forbidden ko are in `fresh`.
    kos: HashMap<(u32, Point), u32>,
    symmetries: Symmetries,
    sweeps: u32,
}

/// What a position is worth at least and at most to its mover: its area less the other's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The mover can force as much.
    pub least: i8,
    /// The other can hold the mover to this.
    pub most: i8,
}

impl Bounds {
    /// The value, if it is known.
    pub fn exact(self) -> Option<i8> {
        (self.least == self.most).then_some(self.least)
    }

    /// The same for the other colour.
    fn turned(self) -> Self {
        Self { least: -self.most, most: -self.least }
    }

    /// The better of two choices.
    fn or(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }
}

/// White stones above, black ones below, 16 bits each.
type Code = u32;

impl Table {
    /// Solves all positions of a board. Four lines take half a minute and half a gigabyte.
    ///
    /// # Panics
    /// If the board has not two to four lines.
    pub fn new(size: usize) -> Self {
        assert!((2..=4).contains(&size), "tables are for boards of two to four lines, not {size}");
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

    /// How many boards there are, up to symmetry.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether there are no boards, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// How often all positions were looked at until nothing changed.
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// What a position is worth to `to_move`; `passed` says whether the last move was a pass.
    ///
    /// # Panics
    /// If the board is of another size, or has a chain without liberties.
    pub fn bounds(&self, board: &Board<Small>, to_move: Colour, passed: bool) -> Bounds {
        let id = self.id(board, to_move).0;
        if passed { self.passed[id] } else { self.fresh[id] }
    }

    /// What a position is worth to `to_move`, who may not play on `ko`, because it would retake a stone just played.
    /// `None` if there is no such ko on this board.
    ///
    /// # Panics
    /// If the board is of another size, or has a chain without liberties.
    pub fn ko_bounds(&self, board: &Board<Small>, to_move: Colour, ko: Point) -> Option<Bounds> {
        let (id, symmetry) = self.id(board, to_move);
        let ko = image(ko, self.size, symmetry);
        let ko = self.symmetries.least_image(self.boards[id], ko, self.size);
        self.kos.get(&(id as u32, ko)).map(|&id| self.fresh[id as usize])
    }

    /// A board's number, and the symmetry that leads to its like in the table.
    fn id(&self, board: &Board<Small>, to_move: Colour) -> (usize, usize) {
        assert_eq!(board.size(), self.size, "a table is for one size");
        let (code, symmetry) = self.symmetries.least(code(board, to_move));
        let id = self.find(code).expect("every board whose chains have liberties is in the table");
        (id, symmetry)
    }

    /// How many boards, up to symmetry and with no pass before, have a value.
    pub fn exact_count(&self) -> usize {
        let boards = &self.fresh[..self.boards.len()];
        boards.iter().filter(|bounds| bounds.exact().is_some()).count()
    }

    fn find(&self, code: Code) -> Option<usize> {
        let white = (code >> 16) as usize;
        let (first, end) = (self.starts[white] as usize, self.starts[white + 1] as usize);
        self.boards[first..end].binary_search(&code).ok().map(|at| first + at)
    }

    /// Looks at all positions once more; whether anything changed.
    fn sweep(&mut self, links: &Links) -> bool {
        let mut changed = false;
        for id in 0..self.fresh.len() {
            let worst = Bounds { least: i8::MIN, most: i8::MIN };
            let stones = links.of(id).iter().map(|&child| self.fresh[child as usize].turned());
            let best = stones.fold(worst, Bounds::or);
            let board = links.boards[id] as usize;
            let fresh = best.or(self.passed[links.swapped[board] as usize].turned());
            changed |= self.fresh[id] != fresh;
            self.fresh[id] = fresh;
            if id == board {
                // After a pass another one ends the game.
                let area = links.areas[board];
                let passed = best.or(Bounds { least: area, most: area });
                changed |= self.passed[board] != passed;
                self.passed[board] = passed;
            }
        }
        changed
    }
}

/// Where moves lead.
struct Links {
    /// The positions after each stone, one list after the other.
    children: Vec<u32>,
    /// Where each position's list begins.
    starts: Vec<u32>,
    /// Each position's board.
    boards: Vec<u32>,
    /// Each board with the colours exchanged: what a pass leads to.
    swapped: Vec<u32>,
    /// What the mover's area exceeds the other's by.
    areas: Vec<i8>,
}

impl Links {
    /// The links, and the numbers of the positions with a forbidden ko.
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
        // Positions with a forbidden ko are numbered as they are met.
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
                // The mover's stones are Black's; after the move the other colour is the mover.
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

/// All boards whose chains have liberties, up to symmetry, and where those with equal white stones begin.
fn canonical_boards(size: usize, symmetries: &Symmetries) -> (Vec<Code>, Vec<u32>) {
    let sets = 1u32 << (size * size);
    let (mut boards, mut starts) = (Vec::new(), Vec::new());
    for white in 0..1 << 16 {
        starts.push(boards.len() as u32);
        if white >= sets {
            continue;
        }
        // All subsets of what is not white, in ascending order.
        let free = (sets - 1) & !white;
        let mut black = 0;
        loop {
            let code = white << 16 | black;
            if symmetries.is_least(code) {
                let board = decoded(code, size);
                let breathes = |colour| board.chains(colour).all(|chain| !board.liberties(chain).is_empty());
                if Colour::BOTH.into_iter().all(breathes) {
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

/// The symmetries of packed sets, a table for each half of a set.
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

    /// The least image of a board, and a symmetry that leads to it.
    fn least(&self, code: Code) -> (Code, usize) {
        let images = (0..SYMMETRIES).map(|symmetry| (self.image(code, symmetry), symmetry));
        images.min().unwrap_or((code, 0))
    }

    /// The least image of a point under the symmetries that leave the board as it is.
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
