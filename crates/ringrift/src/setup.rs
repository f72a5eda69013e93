//! Positions as one line of text. `docs/games/ringrift.md` describes the format.

use std::{fmt::Write, ops::Range};

use game::{Fault, Faults, MAX_SEATS, Seat, Setup};

use crate::{
    Board, Cell, Draft, Part, Position, Rules,
    geometry::Geometry,
    notation::{cell_name, parse_cell_name},
    position::{Content, End, Owes, Phase, Reason, Standing, Swap},
    rules::{RecoveryRule, Variant},
};

impl Board {
    /// Returns the board of a position text, which is its first word.
    ///
    /// # Errors
    /// Returns a fault if the first word is not the name of a board.
    pub fn of_text(text: &str) -> Result<Self, Fault> {
        let (span, word) = words(text).next().unwrap_or((text.len()..text.len(), ""));
        word.parse().map_err(|error: crate::UnknownBoard| Fault::new(span, error.to_string()))
    }
}

impl<B: Geometry> Setup for Position<B> {
    fn to_text(&self) -> String {
        let draft = self.draft();
        let rules = draft.rules;
        let seats = rules.seats as usize;
        let mut text = format!("{} {seats} {}:{}", B::BOARD, draft.seat, draft.phase.name());
        let mut add = |word: String| {
            text.push(' ');
            text.push_str(&word);
        };
        add(format!("hands={}", join(&draft.hands[..seats])));
        add(format!("credits={}", join(&draft.credits[..seats])));
        if !draft.cells.is_empty() {
            let cells: Vec<String> =
                draft.cells.iter().map(|&(cell, content)| content_text::<B>(cell, content)).collect();
            add(format!("cells={}", cells.join(",")));
        }
        if let Some(cell) = draft.focus {
            add(format!("focus={}", cell_name::<B>(cell)));
        }
        match draft.owes {
            Owes::Nothing => {}
            Owes::Line => add("owes=line".to_owned()),
            Owes::Region => add("owes=region".to_owned()),
        }
        if draft.acted {
            add("acted".to_owned());
        }
        if draft.recovered {
            add("recovered".to_owned());
        }
        if draft.standing != Standing::default() {
            add(standing_text(draft.standing));
        }
        if draft.turn > 0 {
            add(format!("turn={}", draft.turn));
        }
        if draft.eliminated_at != [None; MAX_SEATS] {
            let turns: Vec<String> = draft.eliminated_at[..seats]
                .iter()
                .map(|turn| turn.map_or_else(|| "-".to_owned(), |turn| turn.to_string()))
                .collect();
            add(format!("out={}", turns.join(",")));
        }
        if let Some(end) = draft.ended {
            let winner = end.winner.map_or(0, Seat::number);
            let stalemate = if end.stalemate { ":stalemate" } else { "" };
            add(format!("end={winner}:{}{stalemate}", end.reason.name()));
        }
        let defaults = Rules::new(rules.seats);
        if rules.swap {
            add(format!("swap={}", swap_name(draft.swap)));
        }
        if rules.variant != defaults.variant {
            add(format!("variant={}", rules.variant));
        }
        if rules.recovery != defaults.recovery {
            add(format!("recovery={}", rules.recovery));
        }
        if rules.lps_rounds != defaults.lps_rounds {
            add(format!("lps-rounds={}", rules.lps_rounds));
        }
        if let Some(rings) = rules.rings {
            add(format!("rings={rings}"));
        }
        text
    }

    fn from_text(text: &str) -> Result<Self, Faults> {
        TextReader::new::<B>(text).read::<B>()
    }
}

fn join(numbers: &[u16]) -> String {
    numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

fn content_text<B: Geometry>(cell: Cell, content: Content) -> String {
    let cell = cell_name::<B>(cell);
    match content {
        Content::Empty => cell,
        Content::Stack(stack) => format!("{cell}:{stack}"),
        Content::Marker(seat) => format!("{cell}*{seat}"),
        Content::Collapsed(seat) => format!("{cell}#{seat}"),
    }
}

/// `lps=<first>/<able seats>/<alone>/<rounds>`, 0 for no seat.
fn standing_text(standing: Standing) -> String {
    let number = |seat: Option<Seat>| seat.map_or(0, Seat::number);
    let mut able = String::new();
    for seat in Seat::all(MAX_SEATS).filter(|seat| standing.able >> seat.index() & 1 != 0) {
        write!(able, "{seat}").expect("writing to a string");
    }
    let able = if able.is_empty() { "0" } else { &able };
    format!("lps={}/{able}/{}/{}", number(standing.first), number(standing.alone), standing.rounds)
}

const SWAP_NAMES: [(Swap, &str); 4] =
    [(Swap::Closed, "closed"), (Swap::Waiting, "waiting"), (Swap::Open, "open"), (Swap::Used, "used")];

fn swap_name(swap: Swap) -> &'static str {
    SWAP_NAMES.iter().find(|(known, _)| *known == swap).map_or("closed", |(_, name)| name)
}

/// The words of a text with their byte ranges.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    text.split_ascii_whitespace().map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (start..start + word.len(), word)
    })
}

/// Reads a position text and collects all faults.
struct TextReader<'a> {
    text: &'a str,
    draft: Draft,
    hands_given: bool,
    faults: Vec<Fault>,
    /// Where the text gives each part, so that faults found later can point to it.
    places: Vec<(Part, Range<usize>)>,
}

impl<'a> TextReader<'a> {
    fn new<B: Geometry>(text: &'a str) -> Self {
        let draft = Draft::new::<B>(Rules::new(2));
        Self { text, draft, hands_given: false, faults: Vec::new(), places: Vec::new() }
    }

    fn fault(&mut self, span: &Range<usize>, message: impl Into<String>) {
        self.faults.push(Fault::new(span.clone(), message));
    }

    fn read<B: Geometry>(mut self) -> Result<Position<B>, Faults> {
        let mut words = words(self.text);
        let end = self.text.len()..self.text.len();
        let mut header = || words.next().unwrap_or((end.clone(), ""));
        let (board, seats, turn) = (header(), header(), header());
        if board.1 != B::BOARD.name() {
            self.fault(&board.0, format!("{:?}: expected the board {}", board.1, B::BOARD));
        }
        match seats.1.parse::<u8>().ok().filter(|seats| (2..=4).contains(seats)) {
            Some(seats) => self.draft = Draft::new::<B>(Rules::new(seats)),
            None => self.fault(&seats.0, format!("{:?}: expected the number of seats, 2 to 4", seats.1)),
        }
        self.turn(&turn.0, turn.1);
        for (span, word) in words {
            self.word::<B>(&span, word);
        }
        if !self.hands_given {
            self.draft.hands = Draft::new::<B>(self.draft.rules).hands;
        }
        if !self.faults.is_empty() {
            return Err(Faults(self.faults));
        }
        self.draft.build::<B>().map_err(|faults| {
            let place = |part| {
                let given = self.places.iter().find(|(known, _)| *known == part);
                given.map_or(turn.0.clone(), |(_, span)| span.clone())
            };
            Faults(faults.into_iter().map(|(part, message)| Fault::new(place(part), message)).collect())
        })
    }

    fn turn(&mut self, span: &Range<usize>, word: &str) {
        let parsed = word.split_once(':').and_then(|(seat, phase)| {
            let seat = Seat::from_number(seat.parse().ok()?)?;
            Some((seat, Phase::ALL.into_iter().find(|known| known.name() == phase)?))
        });
        match parsed {
            Some((seat, phase)) => (self.draft.seat, self.draft.phase) = (seat, phase),
            None => self.fault(span, format!("{word:?}: expected seat and phase, as in 1:ring_placement")),
        }
    }

    fn word<B: Geometry>(&mut self, span: &Range<usize>, word: &str) {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let part = match name {
            "hands" => Part::Hands,
            "credits" => Part::Credits,
            "focus" => Part::Focus,
            "owes" => Part::Owes,
            "acted" | "recovered" => Part::Acted,
            "swap" => Part::Swap,
            "lps" => Part::Standing,
            "end" => Part::End,
            _ => Part::Rules,
        };
        self.places.push((part, span.clone()));
        let understood = match name {
            "hands" => {
                self.hands_given = true;
                self.counts(value).map(|counts| self.draft.hands = counts)
            }
            "credits" => self.counts(value).map(|counts| self.draft.credits = counts),
            "cells" => {
                self.cells::<B>(span.start + "cells=".len(), value);
                Some(())
            }
            "focus" => parse_cell_name::<B>(value).map(|cell| self.draft.focus = Some(cell)),
            "owes" => {
                let owes = [("line", Owes::Line), ("region", Owes::Region)];
                owes.iter().find(|(known, _)| *known == value).map(|(_, owes)| self.draft.owes = *owes)
            }
            "acted" | "recovered" if word.contains('=') => None,
            "acted" => {
                self.draft.acted = true;
                Some(())
            }
            "recovered" => {
                self.draft.recovered = true;
                Some(())
            }
            "swap" => SWAP_NAMES.iter().find(|(_, known)| *known == value).map(|(swap, _)| {
                self.draft.rules.swap = true;
                self.draft.swap = *swap;
            }),
            "lps" => parse_standing(value).map(|standing| self.draft.standing = standing),
            "turn" => value.parse().ok().map(|turn| self.draft.turn = turn),
            "out" => self.eliminations(value),
            "end" => parse_end(value).map(|end| self.draft.ended = Some(end)),
            "variant" => value.parse::<Variant>().ok().map(|variant| self.draft.rules.variant = variant),
            "recovery" => value.parse::<RecoveryRule>().ok().map(|rule| self.draft.rules.recovery = rule),
            "lps-rounds" => value.parse().ok().map(|rounds| self.draft.rules.lps_rounds = rounds),
            "rings" => value.parse().ok().map(|rings| self.draft.rules.rings = Some(rings)),
            _ => {
                self.fault(span, format!("{word:?} is not part of a position"));
                return;
            }
        };
        if understood.is_none() {
            self.fault(span, format!("{word:?}: expected {}", self.expected_form(name)));
        }
    }

    /// Describes the expected form of the word with this name.
    fn expected_form(&self, name: &str) -> String {
        let seats = self.draft.rules.seats as usize;
        let each = |value: &str| vec![value; seats].join(",");
        let form = match name {
            "hands" => return format!("a number for each of {seats} seats, as in hands={}", each("18")),
            "credits" => return format!("a number for each of {seats} seats, as in credits={}", each("0")),
            "out" => return format!("a turn or - for each of {seats} seats, as in out={}", each("-")),
            "focus" => "a cell on the board, as in focus=d4",
            "owes" => "owes=line or owes=region",
            "acted" | "recovered" => "the word without a value",
            "swap" => "swap=waiting, open, used or closed",
            "lps" => "first seat, seats able to act, the only such seat and rounds, as in lps=2/12/1/3",
            "end" => "winner and reason, as in end=1:territory_control",
            "variant" => "variant=hex8-line3 or variant=base",
            "recovery" => "recovery=reference or recovery=text",
            "lps-rounds" => "a whole number from 1 to 255, as in lps-rounds=3",
            "rings" => "a whole number from 1 to 1000, as in rings=18",
            _ => "a whole number from 0 to 65535, as in turn=12",
        };
        form.to_owned()
    }

    fn counts(&self, value: &str) -> Option<[u16; MAX_SEATS]> {
        let numbers: Vec<u16> = value.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let mut counts = [0; MAX_SEATS];
        let seats = self.draft.rules.seats as usize;
        (numbers.len() == seats).then(|| counts[..seats].copy_from_slice(&numbers))?;
        Some(counts)
    }

    fn eliminations(&mut self, value: &str) -> Option<()> {
        let turns =
            value.split(',').map(|turn| if turn == "-" { Some(None) } else { turn.parse().ok().map(Some) });
        let turns: Vec<Option<u16>> = turns.collect::<Option<_>>()?;
        let seats = self.draft.rules.seats as usize;
        (turns.len() == seats).then(|| self.draft.eliminated_at[..seats].copy_from_slice(&turns))
    }

    fn cells<B: Geometry>(&mut self, mut at: usize, value: &str) {
        for entry in value.split(',') {
            let span = at..at + entry.len();
            at = span.end + 1;
            match parse_content::<B>(entry) {
                Ok(cell) => {
                    self.places.push((Part::Cell(self.draft.cells.len()), span));
                    self.draft.cells.push(cell);
                }
                Err(message) => self.fault(&span, message),
            }
        }
    }
}

fn parse_content<B: Geometry>(entry: &str) -> Result<(Cell, Content), String> {
    let shape = || format!("{entry:?}: expected a stack d4:112, a marker d4*1 or a collapsed cell d4#1");
    let sort = entry.find([':', '*', '#']).ok_or_else(shape)?;
    let (name, text) = (&entry[..sort], &entry[sort + 1..]);
    let cell = parse_cell_name::<B>(name).ok_or_else(|| format!("{name:?} is not a cell of {}", B::BOARD))?;
    if entry.as_bytes()[sort] == b':' {
        let stack = text.parse().map_err(|error: crate::BadStack| error.to_string())?;
        return Ok((cell, Content::Stack(stack)));
    }
    let seat = text.parse().ok().and_then(Seat::from_number).ok_or_else(shape)?;
    let marker = entry.as_bytes()[sort] == b'*';
    Ok((cell, if marker { Content::Marker(seat) } else { Content::Collapsed(seat) }))
}

/// Parses a seat number; 0 means no seat.
fn parse_seat(text: &str) -> Result<Option<Seat>, ()> {
    match text.parse::<usize>().map_err(drop)? {
        0 => Ok(None),
        number => Seat::from_number(number).map(Some).ok_or(()),
    }
}

fn parse_standing(value: &str) -> Option<Standing> {
    let fields: Vec<&str> = value.split('/').collect();
    let [first, able, alone, rounds] = fields[..] else { return None };
    let able = able.bytes().filter(|&digit| digit != b'0').try_fold(0, |able, digit| {
        let seat = Seat::from_number(usize::from(digit.checked_sub(b'0')?))?;
        Some(able | 1 << seat.index())
    })?;
    let (first, alone) = (parse_seat(first).ok()?, parse_seat(alone).ok()?);
    Some(Standing { first, able, alone, rounds: rounds.parse().ok()? })
}

fn parse_end(value: &str) -> Option<End> {
    let mut fields = value.split(':');
    let winner = parse_seat(fields.next()?).ok()?;
    let name = fields.next()?;
    let reason = Reason::ALL.into_iter().find(|reason| reason.name() == name)?;
    let stalemate = match fields.next() {
        None => false,
        Some("stalemate") => true,
        Some(_) => return None,
    };
    fields.next().is_none().then_some(End { winner, reason, stalemate })
}
