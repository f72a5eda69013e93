//! Text notation for cells and moves. `docs/games/ringrift.md` describes it in full.

use std::ops::Range;

use game::{Fault, Notation, Seat};

use crate::{
    Cell, Kind, Move, Pass, Position,
    bits::Bits,
    geometry::{Direction, Geometry},
    position::Phase,
};

/// Returns the name of a cell: a letter for `x` and a number, counted from 1, for `y`.
///
/// ```
/// use ringrift::{Geometry, Hex8, Square8, cell_name};
/// assert_eq!(cell_name::<Square8>(Square8::cell(3, 0).unwrap()), "d1");
/// assert_eq!(cell_name::<Hex8>(Hex8::cell(0, 0).unwrap()), "e5");
/// ```
pub fn cell_name<B: Geometry>(cell: Cell) -> String {
    let (row, column) = (cell.index() / B::STRIDE, cell.index() % B::STRIDE);
    format!("{}{}", char::from(b'a' + row as u8), column + 1)
}

/// Parses the name of a cell; `None` if the board has no such cell.
pub fn parse_cell_name<B: Geometry>(name: &str) -> Option<Cell> {
    let letter = name.bytes().next()?.to_ascii_lowercase();
    let number = name.get(1..).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    let x = i32::from(letter.is_ascii_lowercase().then(|| letter - b'a')?);
    let y = i32::from(number.parse::<u8>().ok()?) - 1;
    B::cell(x - B::radius(), y - B::radius())
}

/// The moves that are written as a single word.
const WORDS: [(&str, Kind); 9] = [
    ("skip-placement", Kind::SkipPlacement),
    ("no-placement", Kind::NoPlacement),
    ("swap", Kind::SwapSides),
    ("skip-capture", Kind::SkipCapture),
    ("skip-recovery", Kind::SkipRecovery),
    ("no-movement", Kind::NoMovement),
    ("no-line", Kind::NoLine),
    ("skip-territory", Kind::SkipTerritory),
    ("no-territory", Kind::NoTerritory),
];

impl<B: Geometry> Notation for Position<B> {
    fn move_text(&self, m: Move) -> String {
        let name = cell_name::<B>;
        let cell = name(m.cell());
        let ends = |first: Cell, axis: usize, length: u32| {
            let last = B::ahead(first, Direction(2 * axis as u8), length.saturating_sub(1));
            format!("{}-{}", name(first), name(last))
        };
        let slide =
            |strike: &str| format!("{cell}~{strike}{}", name(B::ahead(m.cell(), m.recovery_direction(), 1)));
        let recovery_line = || {
            let line = self.recovery_line(m);
            format!("{}={}", slide(""), ends(line.first, line.axis, line.length))
        };
        match m.kind() {
            Kind::PlaceRing => "+".repeat(m.count() as usize) + &cell,
            Kind::MoveStack => format!("{cell}-{}", name(Self::landing(m))),
            Kind::Capture | Kind::ChainCapture => {
                let over = self.captured_cell(m).map(name).unwrap_or_default();
                format!("{cell}x{over}-{}", name(Self::landing(m)))
            }
            Kind::RecoverFallback => format!("{}/{}", slide(""), name(m.payer())),
            Kind::RecoverStrike => format!("{}/{}", slide("!"), name(m.payer())),
            Kind::RecoverLine => format!("{}/{}", recovery_line(), name(m.payer())),
            Kind::RecoverWindow => recovery_line(),
            Kind::ProcessLine | Kind::CollapseLine => {
                format!("={}", ends(m.cell(), m.line_axis(), m.line_length()))
            }
            Kind::CollapseWindow => {
                let first = B::ahead(m.cell(), Direction(2 * m.line_axis() as u8), m.offset());
                let window = ends(first, m.line_axis(), self.goals.line_length.into());
                format!("={}:{window}", ends(m.cell(), m.line_axis(), m.line_length()))
            }
            Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried | Kind::ForcedElimination => {
                format!("-{cell}")
            }
            Kind::ClaimRegion => match m.pass() {
                Pass::PLAIN => format!("#{cell}"),
                Pass(colour) => format!("#{cell}@{}", colour + 1),
            },
            kind => WORDS
                .iter()
                .find(|(_, word)| *word == kind)
                .map_or_else(|| kind.name().to_owned(), |(word, _)| (*word).to_owned()),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, Fault> {
        let text = text.trim_end();
        let mut reader = Reader { text, at: text.len() - text.trim_start().len() };
        let whole = reader.at..text.len();
        if let Some((_, kind)) = WORDS.iter().find(|(word, _)| text[whole.clone()].eq_ignore_ascii_case(word))
        {
            return Ok(Move::plain(*kind));
        }
        let m = match reader.peek() {
            Some('+') => reader.placement::<B>()?,
            Some('-') => {
                reader.at += 1;
                Move::on(self.payment(), reader.cell::<B>()?)
            }
            Some('#') => {
                reader.at += 1;
                reader.claim::<B>()?
            }
            Some('=') => {
                reader.at += 1;
                self.parse_line(&mut reader)?
            }
            _ => self.parse_from_cell(&mut reader, whole)?,
        };
        reader.end()?;
        Ok(m)
    }
}

impl<B: Geometry> Position<B> {
    /// The kind of move that `-d4` denotes in the current phase.
    fn payment(&self) -> Kind {
        match self.phase {
            Phase::ForcedElimination => Kind::ForcedElimination,
            Phase::TerritoryProcessing if self.recovered => Kind::PayRegionBuried,
            Phase::TerritoryProcessing => Kind::PayRegion,
            _ => Kind::PayLine,
        }
    }

    fn parse_from_cell(&self, reader: &mut Reader<'_>, whole: Range<usize>) -> Result<Move, Fault> {
        let from = reader.cell::<B>()?;
        let straight = |from, to| {
            let message = "the two cells do not lie on one straight line of the board";
            direction_and_distance::<B>(from, to).ok_or_else(|| Fault::new(whole.clone(), message))
        };
        match reader.next() {
            Some('-') => {
                let (direction, distance) = straight(from, reader.cell::<B>()?)?;
                Ok(Move::slide(Kind::MoveStack, from, direction, distance))
            }
            Some('x') => {
                let over_at = reader.at;
                let over = reader.cell::<B>()?;
                let over_span = over_at..reader.at;
                reader.expect('-')?;
                let (direction, distance) = straight(from, reader.cell::<B>()?)?;
                let chain = self.phase == Phase::ChainCapture;
                let kind = if chain { Kind::ChainCapture } else { Kind::Capture };
                let m = Move::slide(kind, from, direction, distance);
                match self.captured_cell(m) {
                    Some(cell) if cell == over => Ok(m),
                    Some(cell) => {
                        let message =
                            format!("the first stack in that direction is on {}", cell_name::<B>(cell));
                        Err(Fault::new(over_span, message))
                    }
                    None => Err(Fault::new(over_span, "there is no stack to capture in that direction")),
                }
            }
            Some('~') => self.parse_recovery(reader, from),
            _ => {
                Err(reader
                    .fault("expected -, x or ~ after the first cell, as in d4-d7, d4xd6-d8 or d4~d5/e6"))
            }
        }
    }

    fn parse_recovery(&self, reader: &mut Reader<'_>, from: Cell) -> Result<Move, Fault> {
        let strike = reader.peek() == Some('!');
        reader.at += usize::from(strike);
        let to_at = reader.at;
        let to = reader.cell::<B>()?;
        let step = direction_and_distance::<B>(from, to).filter(|&(_, distance)| distance == 1);
        let (direction, _) =
            step.ok_or_else(|| Fault::new(to_at..reader.at, "a recovery slide goes to a neighbouring cell"))?;
        if reader.peek() == Some('=') {
            reader.at += 1;
            let line_at = reader.at;
            let (first, axis, length) = reader.line::<B>()?;
            if reader.peek() == Some('/') {
                reader.at += 1;
                return Ok(Move::recover(Kind::RecoverLine, from, direction, axis, reader.cell::<B>()?));
            }
            // The offset of the window counts from the start of the whole line through the destination.
            let whole = self.recovery_line(Move::recover(Kind::RecoverLine, from, direction, axis, from));
            return match direction_and_distance::<B>(whole.first, first) {
                _ if length != u32::from(self.goals.line_length) => {
                    let message = format!("a window has {} cells, not {length}", self.goals.line_length);
                    Err(Fault::new(line_at..reader.at, message))
                }
                None if first == whole.first => Ok(Move::recover_window(from, direction, axis, 0)),
                Some((along, offset)) if along == Direction(2 * axis as u8) => {
                    Ok(Move::recover_window(from, direction, axis, offset))
                }
                _ => Err(Fault::new(line_at..reader.at, "those cells are not part of the line")),
            };
        }
        reader.expect('/')?;
        let kind = if strike { Kind::RecoverStrike } else { Kind::RecoverFallback };
        Ok(Move::recover(kind, from, direction, 0, reader.cell::<B>()?))
    }

    fn parse_line(&self, reader: &mut Reader<'_>) -> Result<Move, Fault> {
        let (first, axis, length) = reader.line::<B>()?;
        let required = u32::from(self.goals.line_length);
        if reader.peek() != Some(':') {
            let kind = if length == required { Kind::ProcessLine } else { Kind::CollapseLine };
            return Ok(Move::line(kind, first, axis, length, 0));
        }
        reader.at += 1;
        let window_at = reader.at;
        let (window, window_axis, window_length) = reader.line::<B>()?;
        let offset = if window == first {
            Some(0)
        } else {
            direction_and_distance::<B>(first, window)
                .filter(|(along, _)| *along == Direction(2 * axis as u8))
                .map(|(_, offset)| offset)
        };
        match offset {
            Some(offset) if window_axis == axis && window_length == required => {
                Ok(Move::line(Kind::CollapseWindow, first, axis, length, offset))
            }
            _ => {
                let message = format!("expected {required} consecutive cells of the line");
                Err(Fault::new(window_at..reader.at, message))
            }
        }
    }
}

/// Returns the direction and distance from one cell to another if they lie on a straight line.
pub(crate) fn direction_and_distance<B: Geometry>(from: Cell, to: Cell) -> Option<(Direction, u32)> {
    let ((from_x, from_y), (to_x, to_y)) = (B::coordinates(from), B::coordinates(to));
    let (dx, dy) = (to_x - from_x, to_y - from_y);
    let distance = dx.abs().max(dy.abs());
    let along = |direction: &Direction| {
        let (step_x, step_y) = B::step(*direction);
        distance > 0 && (step_x * distance, step_y * distance) == (dx, dy)
    };
    B::directions().find(along).map(|direction| (direction, distance as u32))
}

/// A cursor over the text of a move.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next.to_ascii_lowercase())
    }

    /// A fault that spans the next character.
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.at..self.at + self.peek().map_or(0, char::len_utf8), message)
    }

    fn expect(&mut self, wanted: char) -> Result<(), Fault> {
        if self.peek() == Some(wanted) {
            self.at += wanted.len_utf8();
            return Ok(());
        }
        Err(self.fault(format!("expected {wanted}")))
    }

    fn end(&self) -> Result<(), Fault> {
        if self.at == self.text.len() {
            return Ok(());
        }
        let rest = &self.text[self.at..];
        Err(Fault::new(self.at..self.text.len(), format!("the move should end before {rest:?}")))
    }

    fn cell<B: Geometry>(&mut self) -> Result<Cell, Fault> {
        let rest = &self.text[self.at..];
        let letter = rest.chars().next().map_or(0, |letter| usize::from(letter.is_ascii_alphabetic()));
        let digits = rest[letter..].bytes().take_while(u8::is_ascii_digit).count();
        let name = &rest[..letter + digits];
        let Some(cell) = parse_cell_name::<B>(name) else {
            let message = if name.is_empty() {
                "expected a cell such as d4".to_owned()
            } else {
                format!("{name:?} is not a cell of {}", B::BOARD)
            };
            return Err(Fault::new(self.at..self.at + name.len(), message));
        };
        self.at += name.len();
        Ok(cell)
    }

    fn placement<B: Geometry>(&mut self) -> Result<Move, Fault> {
        let start = self.at;
        while self.peek() == Some('+') {
            self.at += 1;
        }
        let count = self.at - start;
        if count > 3 {
            return Err(Fault::new(start..self.at, format!("{count} rings: expected one to three")));
        }
        Ok(Move::place(self.cell::<B>()?, count as u32))
    }

    fn claim<B: Geometry>(&mut self) -> Result<Move, Fault> {
        let first = self.cell::<B>()?;
        if self.peek() != Some('@') {
            return Ok(Move::claim(first, Pass::PLAIN));
        }
        self.at += 1;
        let seat = self.peek().and_then(|digit| digit.to_digit(10));
        let Some(seat) = seat.and_then(|number| Seat::from_number(number as usize)) else {
            return Err(self.fault("expected the seat whose markers enclose the region, 1 to 4"));
        };
        self.at += 1;
        Ok(Move::claim(first, Pass::walled_by(seat)))
    }

    /// Reads the two ends of a line; returns its first cell, axis and length.
    fn line<B: Geometry>(&mut self) -> Result<(Cell, usize, u32), Fault> {
        let start = self.at;
        let one = self.cell::<B>()?;
        self.expect('-')?;
        let other = self.cell::<B>()?;
        let Some((direction, distance)) = direction_and_distance::<B>(one, other) else {
            return Err(Fault::new(
                start..self.at,
                "the two ends do not lie on one straight line of the board",
            ));
        };
        let first = if direction.is_forward() { one } else { other };
        Ok((first, direction.axis(), distance + 1))
    }
}

impl<B: Geometry> Position<B> {
    /// The cells of the region that a claim takes, without the border markers.
    pub fn claimed_region(&self, m: Move) -> Vec<Cell> {
        let region = self.region_cells(m.pass(), m.cell());
        region.into_iter().flat_map(Bits::cells).collect()
    }
}
