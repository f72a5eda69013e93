//! Positions as one line of text. `docs/games/go.md` describes the format.

use std::ops::Range;

use game::{Fault, Faults, Game, Notation, Setup};

use crate::{BadKomi, Board, Colour, Point, Points, Position, Rules, Scoring, Start, UnknownName};

impl<P: Points> Setup for Position<P> {
    fn to_text(&self) -> String {
        let (rules, start) = (self.rules(), self.start());
        let mut words = vec!["go".to_owned(), rules.size.to_string()];
        words.push(if start.to_move == Colour::Black { "b" } else { "w" }.to_owned());
        if start.board != Start::normal(rules).board {
            words.push(format!("rows={}", rows_text(&start.board)));
        }
        let defaults = Rules::new(rules.size);
        words.push(format!("komi={}", rules.komi));
        if rules.ko != defaults.ko {
            words.push(format!("ko={}", rules.ko.name()));
        }
        if rules.suicide {
            words.push("suicide".to_owned());
        }
        if rules.scoring == Scoring::Territory {
            words.push("score=territory".to_owned());
        }
        if rules.handicap > 0 {
            words.push(format!("handicap={}", rules.handicap));
        }
        if start.prisoners != [0; 2] {
            words.push(format!("prisoners={},{}", start.prisoners[0], start.prisoners[1]));
        }
        let moves = self.moves();
        if !moves.is_empty() {
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            words.push(format!("moves={}", moves.join(",")));
        }
        words.join(" ")
    }

    fn from_text(text: &str) -> Result<Self, Faults> {
        Reader::new(text).read()
    }
}

/// Writes the rows from the top, with runs of empty points as numbers: `3/1x1/2o`.
fn rows_text<P: Points>(board: &Board<P>) -> String {
    let row_text = |row: usize| {
        let mut text = String::new();
        let mut run = 0;
        for column in 0..board.size() {
            let Some(colour) = board.colour(Point::new(column, row)) else {
                run += 1;
                continue;
            };
            if run > 0 {
                text += &run.to_string();
                run = 0;
            }
            text.push(if colour == Colour::Black { 'x' } else { 'o' });
        }
        if run > 0 {
            text += &run.to_string();
        }
        text
    };
    (0..board.size()).rev().map(row_text).collect::<Vec<_>>().join("/")
}

/// The words of a text with their byte ranges.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    text.split_ascii_whitespace().map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (start..start + word.len(), word)
    })
}

/// A part of the text with its byte range.
type Spanned<'a> = (Range<usize>, &'a str);

/// Reads a position text and collects all faults.
struct Reader<'a> {
    text: &'a str,
    rules: Rules,
    rows: Option<Spanned<'a>>,
    moves: Option<Spanned<'a>>,
    prisoners: [u32; 2],
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let rules = Rules::new(Rules::LARGEST);
        Self { text, rules, rows: None, moves: None, prisoners: [0; 2], faults: Vec::new() }
    }

    fn fault(&mut self, span: &Range<usize>, message: impl Into<String>) {
        self.faults.push(Fault::new(span.clone(), message));
    }

    fn read<P: Points>(mut self) -> Result<Position<P>, Faults> {
        let mut words = words(self.text);
        let end = self.text.len()..self.text.len();
        let mut header = || words.next().unwrap_or((end.clone(), ""));
        let (name, size, mover) = (header(), header(), header());
        if name.1 != "go" {
            self.fault(&name.0, format!("{:?}: expected go", name.1));
        }
        self.size::<P>(&size);
        let to_move = match mover.1 {
            "b" => Colour::Black,
            "w" => Colour::White,
            other => {
                self.fault(&mover.0, format!("{other:?}: expected the colour that moves first, b or w"));
                Colour::Black
            }
        };
        for (span, word) in words {
            if let Err(message) = self.word(&span, word) {
                self.fault(&span, message);
            }
        }
        for fault in self.rules.faults() {
            self.fault(&size.0, fault);
        }
        if !self.faults.is_empty() {
            return Err(Faults(self.faults));
        }
        let mut start = Start { to_move, prisoners: self.prisoners, ..Start::normal(&self.rules) };
        let mut place = size.0;
        if let Some((span, value)) = self.rows.take() {
            match self.board(&span, value) {
                Some(board) => start.board = board,
                None => return Err(Faults(self.faults)),
            }
            place = span;
        }
        let mut position = Position::set_up(&self.rules, &start)
            .map_err(|error| Faults(vec![Fault::new(place, error.to_string())]))?;
        if let Some((span, value)) = self.moves {
            play_all(&mut position, span.start, value).map_err(|fault| Faults(vec![fault]))?;
        }
        Ok(position)
    }

    fn size<P: Points>(&mut self, (span, word): &Spanned<'a>) {
        let lines = Rules::SMALLEST..=Rules::LARGEST.min(P::LARGEST as u8);
        if let Some(size) = word.parse().ok().filter(|size| lines.contains(size)) {
            self.rules.size = size;
        } else {
            let (least, most) = (lines.start(), lines.end());
            self.fault(span, format!("{word:?}: expected the board size, {least} to {most}"));
        }
    }

    fn word(&mut self, span: &Range<usize>, word: &'a str) -> Result<(), String> {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let place = span.end - value.len()..span.end;
        match name {
            "rows" => self.rows = Some((place, value)),
            "moves" => self.moves = Some((place, value)),
            "komi" => self.rules.komi = value.parse().map_err(|error: BadKomi| error.to_string())?,
            "ko" => self.rules.ko = value.parse().map_err(|error: UnknownName| error.to_string())?,
            "score" => self.rules.scoring = value.parse().map_err(|error: UnknownName| error.to_string())?,
            "suicide" if word == name => self.rules.suicide = true,
            "suicide" => return Err(format!("{word:?}: expected the word without a value")),
            "handicap" => {
                let stones = value
                    .parse()
                    .map_err(|_| format!("{value:?}: expected the number of stones, as in handicap=4"))?;
                self.rules.handicap = stones;
            }
            "prisoners" => {
                let pair = parse_pair(value);
                self.prisoners = pair.ok_or_else(|| {
                    format!("{value:?}: expected captured stones, black and white, as in 0,2")
                })?;
            }
            _ => return Err(format!("{word:?} is not part of a position")),
        }
        Ok(())
    }

    fn board<P: Points>(&mut self, span: &Range<usize>, value: &str) -> Option<Board<P>> {
        let size = usize::from(self.rules.size);
        let mut board = Board::new(size);
        let count = value.split('/').count();
        if count != size {
            self.fault(span, format!("{count} rows: expected {size}"));
            return None;
        }
        let mut at = span.start;
        for (from_top, text) in value.split('/').enumerate() {
            let place = at..at + text.len();
            at = place.end + 1;
            let Some(marks) = parse_row(text, size) else {
                self.fault(&place, format!("{text:?}: expected {size} points, as in 1xo{}", size.max(4) - 3));
                continue;
            };
            for (column, colour) in marks.into_iter().enumerate() {
                if let Some(colour) = colour {
                    board.add(P::only(Point::new(column, size - 1 - from_top)), colour);
                }
            }
        }
        self.faults.is_empty().then_some(board)
    }
}

fn parse_row(text: &str, size: usize) -> Option<Vec<Option<Colour>>> {
    let mut marks = Vec::new();
    let mut rest = text;
    while let Some(mark) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let run: usize = rest[..digits].parse().ok().filter(|&run| run <= size)?;
            marks.resize(marks.len() + run, None);
        } else {
            marks.push(Some(match mark {
                'x' | 'X' => Colour::Black,
                'o' | 'O' => Colour::White,
                _ => return None,
            }));
        }
        rest = &rest[digits.max(1)..];
    }
    (marks.len() == size).then_some(marks)
}

fn parse_pair(value: &str) -> Option<[u32; 2]> {
    let (black, white) = value.split_once(',')?;
    // A larger number, which no game reaches, could overflow the score in half points.
    let count = |text: &str| text.parse().ok().filter(|&count: &u32| count < 1 << 20);
    Some([count(black)?, count(white)?])
}

fn play_all<P: Points>(position: &mut Position<P>, mut at: usize, value: &str) -> Result<(), Fault> {
    for word in value.split(',') {
        let span = at..at + word.len();
        at = span.end + 1;
        let m = position.parse_move(word).map_err(|fault| Fault::new(span.clone(), fault.message))?;
        position.play(m).map_err(|error| Fault::new(span, error.to_string()))?;
    }
    Ok(())
}
