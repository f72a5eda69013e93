//! The spellings that conformance traces and other programs use: state strings, canonical move keys, digests.

use std::{fmt::Write, ops::Range};

use game::{Fault, Faults, Game, MAX_SEATS, Seat};

use crate::{
    Cell, Draft, Kind, Move, Position, Rules, Stack,
    bits::Bits,
    draft::Part,
    geometry::{Direction, Geometry},
    position::{Content, Phase, Swap},
};

/// The 64-bit FNV-1a hash of a text, as traces print it.
///
/// ```
/// assert_eq!(ringrift::digest("foobar"), "85944171f73967e8");
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

/// Reads `x,y` or `x,y,z`; `None` if it is not a cell of the board.
pub fn parse_cell_key<B: Geometry>(text: &str) -> Option<Cell> {
    let mut numbers = text.split(',').map(|number| number.parse::<i16>().ok().map(i32::from));
    let (x, y) = (numbers.next()??, numbers.next()??);
    if B::HEX && numbers.next()?? != -x - y || numbers.next().is_some() {
        return None;
    }
    B::cell(x, y)
}

fn cell_list<B: Geometry>(cells: impl Iterator<Item = Cell>) -> String {
    let mut cells: Vec<Cell> = cells.collect();
    cells.sort();
    cells.into_iter().map(cell_key::<B>).collect::<Vec<_>>().join(";")
}

impl<B: Geometry> Position<B> {
    /// The state string of the trace format. It leaves out what only shows through the legal list; use
    /// [`Setup::to_text`](game::Setup::to_text) for the whole position.
    pub fn state_string(&self) -> String {
        let numbers = |counts: [u16; MAX_SEATS]| {
            let counts = counts[..self.rules.seats as usize].iter().map(u16::to_string);
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
            if self.is_over() { 0 } else { self.seat.number() },
            self.phase.name(),
            numbers(self.hands),
            numbers(self.credits),
            numbers(self.territory),
        )
    }

    /// Sets up a trace's start: nothing pending, fresh counters, no history.
    ///
    /// # Errors
    /// Every fault of the text.
    pub fn from_state_string(rules: &Rules, text: &str) -> Result<Self, Faults> {
        StateReader::new::<B>(rules, text).read::<B>()
    }

    /// The canonical key of a move. Recovery slides are projected: the paying stack and the window are left out.
    pub fn interchange_key(&self, m: Move) -> String {
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
                let region = self.region_cells(m.pass(), m.cell());
                format!("{name} {}", cell_list::<B>(region.into_iter().flat_map(Bits::cells)))
            }
            Kind::ForcedElimination => format!("{name} {}", cell()),
            _ => name.to_owned(),
        }
    }

    /// [`Position::interchange_key`], with the payer ` ex=` and the collapsing cells ` col=` of a recovery slide.
    pub fn full_interchange_key(&self, m: Move) -> String {
        let mut key = self.interchange_key(m);
        let kind = m.kind();
        if matches!(kind, Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine) {
            key += &format!(" ex={}", cell_key::<B>(m.payer()));
        }
        if matches!(kind, Kind::RecoverLine | Kind::RecoverWindow) {
            key += &format!(" col={}", cell_list::<B>(self.collapsing(m).into_iter()));
        }
        key
    }

    /// The legal list as traces hash it: projected keys, sorted, without duplicates.
    pub fn legal_keys(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mut keys: Vec<String> = moves.into_iter().map(|m| self.interchange_key(m)).collect();
        keys.sort();
        keys.dedup();
        keys
    }

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

/// Reads a state string, collecting faults with their places.
struct StateReader<'a> {
    text: &'a str,
    draft: Draft,
    faults: Vec<Fault>,
    /// Where each cell of the draft stands in the text.
    spans: Vec<Range<usize>>,
}

impl<'a> StateReader<'a> {
    fn new<B: Geometry>(rules: &Rules, text: &'a str) -> Self {
        Self { text, draft: Draft::new::<B>(*rules), faults: Vec::new(), spans: Vec::new() }
    }

    fn span(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn fault(&mut self, part: &str, message: String) {
        self.faults.push(Fault::new(self.span(part), message));
    }

    fn read<B: Geometry>(mut self) -> Result<Position<B>, Faults> {
        let rule_faults = self.draft.rules.faults();
        if !rule_faults.is_empty() {
            let whole = 0..self.text.len();
            return Err(Faults(
                rule_faults.into_iter().map(|fault| Fault::new(whole.clone(), fault)).collect(),
            ));
        }
        let fields: Vec<&str> = self.text.split('|').collect();
        let [seat, phase, hands, credits, territory, stacks, markers, collapsed] = fields[..] else {
            let message = format!("{} fields separated by |: a state string has 8", fields.len());
            return Err(Faults(vec![Fault::new(0..self.text.len(), message)]));
        };
        match seat.parse().ok().and_then(Seat::from_number) {
            Some(seat) => self.draft.seat = seat,
            None => self.fault(seat, format!("{seat:?} is not a seat to move: expected 1 to 4")),
        }
        match Phase::ALL.into_iter().find(|known| known.name() == phase) {
            Some(Phase::GameOver) | None => {
                self.fault(phase, format!("{phase:?} is not a phase a game can start in"));
            }
            Some(phase) => self.draft.phase = phase,
        }
        self.draft.hands = self.counts(hands, "h:");
        self.draft.credits = self.counts(credits, "e:");
        let territory_counts = self.counts(territory, "t:");
        self.cells::<B>(stacks, "S:", |text| text.parse::<Stack>().ok().map(Content::Stack));
        self.cells::<B>(markers, "M:", |text| Some(Content::Marker(Seat::from_number(text.parse().ok()?)?)));
        self.cells::<B>(collapsed, "C:", |text| {
            Some(Content::Collapsed(Seat::from_number(text.parse().ok()?)?))
        });
        // Seat 2 may swap only after a recorded turn of seat 1.
        if self.draft.seat != Seat::FIRST {
            self.draft.swap = Swap::Closed;
        }
        if !self.faults.is_empty() {
            return Err(Faults(self.faults));
        }
        let position = self.draft.build::<B>().map_err(|faults| {
            let place = |part| match part {
                Part::Cell(index) => self.spans[index].clone(),
                Part::Hands => self.span(hands),
                Part::Credits => self.span(credits),
                _ => self.span(seat).start..self.span(phase).end,
            };
            Faults(faults.into_iter().map(|(part, message)| Fault::new(place(part), message)).collect())
        })?;
        if position.territory != territory_counts {
            let message = format!("territory {territory:?} does not match the collapsed cells listed");
            return Err(Faults(vec![Fault::new(self.span(territory), message)]));
        }
        Ok(position)
    }

    fn counts(&mut self, field: &'a str, prefix: &str) -> [u16; MAX_SEATS] {
        let seats = self.draft.rules.seats as usize;
        let mut counts = [0; MAX_SEATS];
        let numbers: Option<Vec<u16>> = field
            .strip_prefix(prefix)
            .and_then(|list| list.split(',').map(|number| number.parse().ok()).collect());
        match numbers.filter(|numbers| numbers.len() == seats) {
            Some(numbers) => counts[..seats].copy_from_slice(&numbers),
            None => self.fault(field, format!("{field:?}: expected {prefix} and {seats} numbers")),
        }
        counts
    }

    fn cells<B: Geometry>(
        &mut self,
        field: &'a str,
        prefix: &str,
        content: impl Fn(&str) -> Option<Content>,
    ) {
        let Some(list) = field.strip_prefix(prefix) else {
            self.fault(field, format!("expected a field that starts with {prefix}"));
            return;
        };
        for entry in list.split(';').filter(|entry| !entry.is_empty()) {
            let parsed = entry
                .split_once('=')
                .and_then(|(cell, text)| Some((parse_cell_key::<B>(cell)?, content(text)?)));
            match parsed {
                Some(cell) => {
                    self.draft.cells.push(cell);
                    self.spans.push(self.span(entry));
                }
                None => self
                    .fault(entry, format!("{entry:?}: expected a cell of {}, = and its content", B::BOARD)),
            }
        }
    }
}
