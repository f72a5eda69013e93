//! Positions with outcomes, and their bytes.

use game::Game;
use go::{Board, Colour, Komi, Move, Point, Points, Position, Rules, Start};

/// A position with its outcome.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Row<P> {
    pub(crate) board: Board<P>,
    pub(crate) turn: Colour,
    /// The sensible moves, as the history of the game allows them.
    pub(crate) sensible: P,
    /// Whether the opponent has just passed.
    pub(crate) passed: bool,
    pub(crate) komi: Komi,
    /// The mean result of games from here on, from −1 to 1, for the colour to move.
    pub(crate) outcome: f32,
}

/// The bytes of a set of points.
fn set_bytes(size: usize) -> usize {
    (size * size).div_ceil(8)
}

/// The bytes of a row.
pub(crate) fn row_bytes(size: usize) -> usize {
    3 * set_bytes(size) + 1 + 2 + 4
}

impl<P: Points> Row<P> {
    /// A position with an outcome for the colour to move.
    pub(crate) fn new(position: &Position<P>, outcome: f32) -> Self {
        Self {
            board: *position.board(),
            turn: position.turn(),
            sensible: eval::sensible(position),
            passed: position.passes() > 0,
            komi: position.rules().komi,
            outcome,
        }
    }

    /// The position, without the history before the last pass.
    pub(crate) fn position(&self) -> Position<P> {
        let rules = rules(self.board.size() as u8, self.komi);
        let to_move = if self.passed { self.turn.other() } else { self.turn };
        let start = Start { board: self.board, to_move, prisoners: [0; 2] };
        let mut position =
            Position::set_up(&rules, &start).expect("boards of games have no chain without liberty");
        if self.passed {
            position.play_unchecked(Move::PASS, &mut ());
        }
        position
    }

    /// Appends the row.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let size = self.board.size();
        for set in [self.board.stones(Colour::Black), self.board.stones(Colour::White), self.sensible] {
            let first = bytes.len();
            bytes.resize(first + set_bytes(size), 0);
            for point in set.iter() {
                let place = point.row() * size + point.column();
                bytes[first + place / 8] |= 1 << (place % 8);
            }
        }
        bytes.push(self.turn.index() as u8 | u8::from(self.passed) << 1);
        bytes.extend((self.komi.half_points() as i16).to_le_bytes());
        bytes.extend(self.outcome.to_le_bytes());
    }

    /// Reads a row of [`row_bytes`] bytes; `None` if they are not a row.
    pub(crate) fn read(bytes: &[u8], size: usize) -> Option<Self> {
        let length = set_bytes(size);
        let set = |index: usize| {
            let bytes = &bytes[index * length..][..length];
            let places = (0..size * size).filter(|place| bytes[place / 8] & 1 << (place % 8) != 0);
            P::of(places.map(|place| Point::new(place % size, place / size)))
        };
        let mut board = Board::new(size);
        let (black, white) = (set(0), set(1));
        if !(black & white).is_empty() {
            return None;
        }
        board.add(black, Colour::Black);
        board.add(white, Colour::White);
        let rest = bytes.get(3 * length..)?;
        let &[flags, low, high, a, b, c, d] = rest.first_chunk::<7>()?;
        let outcome = f32::from_le_bytes([a, b, c, d]);
        if flags > 3 || !(-1.0..=1.0).contains(&outcome) {
            return None;
        }
        Some(Self {
            board,
            turn: Colour::BOTH[usize::from(flags & 1)],
            sensible: set(2),
            passed: flags & 2 != 0,
            komi: Komi::from_half_points(i16::from_le_bytes([low, high])),
            outcome,
        })
    }
}

/// The rules of all games: area scoring, positional superko, no suicide.
pub(crate) fn rules(size: u8, komi: Komi) -> Rules {
    Rules { komi, ..Rules::new(size) }
}
