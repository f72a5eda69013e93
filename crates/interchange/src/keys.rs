//! The text forms in conformance traces: cell keys, move keys, state strings and digests.

use std::fmt::Write;

use game::{Faults, Game, Seat};
use ringrift::{Bits, Cell, Content, Geometry, Kind, Move, Position, Rules};

use crate::state_string::StateReader;

/// The 64-bit FNV-1a hash of a text in hexadecimal, as in traces.
///
/// ```
/// assert_eq!(interchange::digest("foobar"), "85944171f73967e8");
/// ```
pub fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// A cell as `x,y`, or `x,y,z` on hex boards.
pub fn cell_key<B: Geometry>(cell: Cell) -> String {
    let (x, y) = B::coordinates(cell);
    if B::HEX { format!("{x},{y},{}", -x - y) } else { format!("{x},{y}") }
}

/// Parses `x,y` or `x,y,z`; `None` if it is not a cell of the board.
pub fn parse_cell_key<B: Geometry>(text: &str) -> Option<Cell> {
    let mut numbers = text.split(',').map(|number| number.parse::<i16>().ok().map(i32::from));
    let (x, y) = (numbers.next()??, numbers.next()??);
    if B::HEX && numbers.next()?? != -x - y || numbers.next().is_some() {
        return None;
    }
    B::cell(x, y)
}

pub(crate) fn cell_list<B: Geometry>(cells: impl Iterator<Item = Cell>) -> String {
    let mut cells: Vec<Cell> = cells.collect();
    cells.sort();
    cells.into_iter().map(cell_key::<B>).collect::<Vec<_>>().join(";")
}

/// The text forms of positions and moves in conformance traces.
///
/// ```
/// use game::Game;
/// use interchange::TraceText;
/// use ringrift::{Position, Rules, Square8};
///
/// let position = Position::<Square8>::new(&Rules::new(2));
/// let text = "1|ring_placement|h:18,18|e:0,0|t:0,0|S:|M:|C:";
/// assert_eq!(position.state_string(), text);
/// assert_eq!(Position::from_state_string(position.rules(), text), Ok(position));
/// assert_eq!(position.legal_keys()[0], "place_ring 0,0 x1");
/// ```
pub trait TraceText: Game {
    /// The state string of the trace format. It lacks the parts of a position that only affect the legal moves; see
    /// [`Setup::to_text`](game::Setup::to_text) for the complete position.
    fn state_string(&self) -> String;

    /// Sets up the start of a trace, with nothing pending, counters at zero and no history.
    ///
    /// # Errors
    /// All faults of the text.
    fn from_state_string(rules: &Self::Config, text: &str) -> Result<Self, Faults>;

    /// The canonical key of a move. For recovery slides it does not include the paying stack and the window.
    fn move_key(&self, m: Self::Move) -> String;

    /// [`TraceText::move_key`], with the payer ` ex=` and the collapsing cells ` col=` of a recovery slide.
    fn full_move_key(&self, m: Self::Move) -> String;

    /// The legal moves as traces hash them: canonical keys, sorted, without duplicates.
    fn legal_keys(&self) -> Vec<String>;
}

impl<B: Geometry> TraceText for Position<B> {
    fn state_string(&self) -> String {
        let numbers = |count: &dyn Fn(Seat) -> u32| {
            let counts = Seat::all(self.seats()).map(|seat| count(seat).to_string());
            counts.collect::<Vec<_>>().join(",")
        };
        let (mut stacks, mut markers, mut collapsed) = (String::new(), String::new(), String::new());
        for (cell, content) in self.contents() {
            let (list, text) = match content {
                Content::Empty => continue,
                Content::Stack(stack) => (&mut stacks, stack.to_string()),
                Content::Marker(seat) => (&mut markers, seat.to_string()),
                Content::Collapsed(seat) => (&mut collapsed, seat.to_string()),
            };
            let separator = if list.is_empty() { "" } else { ";" };
            write!(list, "{separator}{}={text}", cell_key::<B>(cell)).expect("writing to a string");
        }
        format!(
            "{}|{}|h:{}|e:{}|t:{}|S:{stacks}|M:{markers}|C:{collapsed}",
            if self.is_over() { 0 } else { self.to_move().number() },
            self.phase().name(),
            numbers(&|seat| self.hand(seat)),
            numbers(&|seat| self.credits(seat)),
            numbers(&|seat| self.territory(seat)),
        )
    }

    fn from_state_string(rules: &Rules, text: &str) -> Result<Self, Faults> {
        StateReader::new::<B>(rules, text).read::<B>()
    }

    fn move_key(&self, m: Move) -> String {
        let kind = m.kind();
        let name = kind.name();
        let cell = || cell_key::<B>(m.cell());
        let recovery = |mode: &str| format!("{name} {}>{} {mode}", cell(), cell_key::<B>(Self::slide_end(m)));
        match kind {
            Kind::PlaceRing => format!("{name} {} x{}", cell(), m.count()),
            Kind::MoveStack => format!("{name} {}>{}", cell(), cell_key::<B>(Self::landing(m))),
            Kind::Capture | Kind::ChainCapture => {
                let over = self.captured_cell(m).map(cell_key::<B>).unwrap_or_default();
                format!("{name} {}*{over}>{}", cell(), cell_key::<B>(Self::landing(m)))
            }
            Kind::RecoverFallback => recovery("fallback"),
            Kind::RecoverStrike => recovery("stack_strike"),
            Kind::RecoverLine => recovery("line 1"),
            Kind::RecoverWindow => recovery("line 2"),
            Kind::ProcessLine => format!("{name} {}", cell_list::<B>(Self::line_cells(m))),
            Kind::CollapseLine | Kind::CollapseWindow => {
                let line = cell_list::<B>(Self::line_cells(m));
                format!("{name} {line}|{}", cell_list::<B>(self.collapsing(m).into_iter()))
            }
            Kind::PayLine => format!("{name} {} line", cell()),
            Kind::PayRegion => format!("{name} {} territory", cell()),
            Kind::PayRegionBuried => format!("{name} {} recovery", cell()),
            Kind::ClaimRegion => {
                format!("{name} {}", cell_list::<B>(self.region(m).into_iter().flat_map(Bits::cells)))
            }
            Kind::ForcedElimination => format!("{name} {}", cell()),
            _ => name.to_owned(),
        }
    }

    fn full_move_key(&self, m: Move) -> String {
        let mut key = self.move_key(m);
        let kind = m.kind();
        if matches!(kind, Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine) {
            key += &format!(" ex={}", cell_key::<B>(m.payer()));
        }
        if matches!(kind, Kind::RecoverLine | Kind::RecoverWindow) {
            key += &format!(" col={}", cell_list::<B>(self.collapsing(m).into_iter()));
        }
        key
    }

    fn legal_keys(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mut keys: Vec<String> = moves.into_iter().map(|m| self.move_key(m)).collect();
        keys.sort();
        keys.dedup();
        keys
    }
}
