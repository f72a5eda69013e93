//! Parses the state strings of conformance traces.

use std::ops::Range;

use game::{Fault, Faults, Game, MAX_SEATS, Seat};
use ringrift::{Content, Draft, Geometry, Part, Phase, Position, Rules, Stack, Swap};

use crate::parse_cell_key;

/// A parser of state strings that collects faults with their locations.
pub(crate) struct StateReader<'a> {
    text: &'a str,
    draft: Draft,
    faults: Vec<Fault>,
    /// The location of each cell of the draft in the text.
    spans: Vec<Range<usize>>,
}

impl<'a> StateReader<'a> {
    pub(crate) fn new<B: Geometry>(rules: &Rules, text: &'a str) -> Self {
        Self { text, draft: Draft::new::<B>(*rules), faults: Vec::new(), spans: Vec::new() }
    }

    fn span(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn fault(&mut self, part: &str, message: String) {
        self.faults.push(Fault::new(self.span(part), message));
    }

    pub(crate) fn read<B: Geometry>(mut self) -> Result<Position<B>, Faults> {
        let rule_faults = self.draft.rules.faults();
        if !rule_faults.is_empty() {
            let whole = 0..self.text.len();
            return Err(Faults(
                rule_faults.into_iter().map(|fault| Fault::new(whole.clone(), fault)).collect(),
            ));
        }
        let fields: Vec<&str> = self.text.split('|').collect();
        let [seat, phase, hands, credits, territory, stacks, markers, collapsed] = fields[..] else {
            let message = format!("{} fields separated by |: expected 8", fields.len());
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
        let counted = |seat: Seat| position.territory(seat) == u32::from(territory_counts[seat.index()]);
        if !Seat::all(position.seats()).all(counted) {
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
