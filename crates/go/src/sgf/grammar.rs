//! The grammar: splits a text into games, nodes and properties.
//!
//! Files in the wild break the grammar in ways that leave no doubt about their meaning: text before or after a game, a
//! missing or extra `)`, long property names of older versions. These are repaired and the repairs are listed; anything
//! else is refused with its place.

use super::{Place, SgfError};

/// The largest number of nodes in a line of play; no game is as long.
const MAX_DEPTH: usize = 4000;

/// Limits that exceed any published collection and bound the memory that a text can take to some hundred megabytes.
const MAX_BYTES: usize = 16 << 20;
const MAX_NODES: usize = 200_000;

/// The maximum number of repairs that are listed for one game.
const MAX_REPAIRS: usize = 20;

/// The properties that a reader interprets; all others are skipped.
const KNOWN: [&str; 15] =
    ["B", "W", "AB", "AW", "AE", "PL", "C", "GM", "SZ", "KM", "RU", "HA", "PB", "PW", "RE"];

/// A game with its properties as text.
#[derive(Default)]
pub(super) struct RawGame<'a> {
    /// The nodes, parents before their children.
    pub(super) nodes: Vec<RawNode<'a>>,
    pub(super) repairs: Repairs,
}

pub(super) struct RawNode<'a> {
    pub(super) parent: Option<usize>,
    pub(super) properties: Vec<RawProperty<'a>>,
    depth: usize,
}

pub(super) struct RawProperty<'a> {
    pub(super) name: &'static str,
    pub(super) place: Place,
    /// The values, still escaped.
    pub(super) values: Vec<&'a str>,
}

/// A list of repairs, limited in length.
#[derive(Default)]
pub(super) struct Repairs {
    pub(super) list: Vec<String>,
    left_out: usize,
}

impl Repairs {
    pub(super) fn add(&mut self, place: Place, what: impl AsRef<str>) {
        if self.list.len() < MAX_REPAIRS {
            self.list.push(format!("{place}: {}", what.as_ref()));
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn finish(mut self) -> Vec<String> {
        if self.left_out > 0 {
            self.list.push(format!("{} more repairs", self.left_out));
        }
        self.list
    }
}

/// Splits a text into games.
pub(super) fn parse(text: &str) -> Result<Vec<RawGame<'_>>, SgfError> {
    if text.len() > MAX_BYTES {
        return Err(SgfError::TooLarge("16 MiB of text"));
    }
    let mut parser = Parser { text, at: 0, place: Place::START, counted: 0, nodes: 0 };
    let mut games: Vec<RawGame<'_>> = Vec::new();
    loop {
        let (outside, place) = (parser.at, parser.place());
        let start = game_start(text, outside);
        let skipped = text[outside..start.unwrap_or(text.len())].trim_matches(is_blank);
        if let Some(node) =
            skipped.find(';').filter(|&at| is_node(&skipped[at..])).filter(|_| !games.is_empty())
        {
            parser.at = outside + skipped.as_ptr() as usize - text[outside..].as_ptr() as usize + node;
            return Err(parser.error("a node outside of a game: is there a ) too many before it?"));
        }
        if let Some(start) = start {
            parser.at = start;
            games.push(parser.game()?);
        }
        if let Some(game) = games.last_mut().filter(|_| !skipped.is_empty()) {
            let extra = skipped.chars().all(|mark| mark == ')' || is_blank(mark));
            let what = if extra { "a ) too many is ignored" } else { "text outside of the game is ignored" };
            game.repairs.add(place, what);
        }
        if start.is_none() {
            break;
        }
    }
    if games.is_empty() {
        return Err(parser.error("there is no game, which begins with (;"));
    }
    Ok(games)
}

/// White space, and the marks with which some programs begin or end a file.
fn is_blank(mark: char) -> bool {
    mark.is_whitespace() || matches!(mark, '\u{feff}' | '\u{1a}' | '\0')
}

/// The place of the next `(` before a `;`, apart from white space and further `(`.
fn game_start(text: &str, from: usize) -> Option<usize> {
    let mut start = None;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'(' => start = start.or(Some(at)),
            b';' if start.is_some() => return start,
            _ if byte.is_ascii_whitespace() => {}
            _ => start = None,
        }
    }
    None
}

/// Whether a text begins with a node that has a property.
fn is_node(text: &str) -> bool {
    let name = text[1..].trim_start();
    let rest = name.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    rest.len() < name.len() && rest.starts_with('[')
}

struct Parser<'a> {
    text: &'a str,
    /// The offset of the next byte.
    at: usize,
    /// The place of the offset `counted`.
    place: Place,
    counted: usize,
    /// The number of nodes in all games.
    nodes: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(is_blank).len();
    }

    /// The place of the next byte. Successive calls together cost one pass over the text.
    fn place(&mut self) -> Place {
        if self.counted > self.at {
            (self.place, self.counted) = (Place::START, 0);
        }
        let passed = &self.text[self.counted..self.at];
        if let Some(last) = passed.rfind('\n') {
            self.place.line += passed.bytes().filter(|&byte| byte == b'\n').count();
            self.place.column = 1 + passed[last + 1..].chars().count();
        } else {
            self.place.column += passed.chars().count();
        }
        self.counted = self.at;
        self.place
    }

    fn error(&mut self, message: impl Into<String>) -> SgfError {
        SgfError::Grammar { place: self.place(), message: message.into() }
    }

    /// Reads the game that begins here.
    fn game(&mut self) -> Result<RawGame<'a>, SgfError> {
        let mut game = RawGame::default();
        // The node after which each open variation began, and the current node.
        let (mut open, mut current) = (Vec::new(), None);
        // Whether the next property belongs to the current node.
        let mut in_node = false;
        loop {
            self.skip_blank();
            let Some(mark) = self.peek() else {
                let place = self.place();
                game.repairs.add(place, format!("{} missing ) at the end", open.len()));
                break;
            };
            match mark {
                b'(' => {
                    open.push(current);
                    (in_node, self.at) = (false, self.at + 1);
                }
                b')' => {
                    self.at += 1;
                    current = open.pop().flatten();
                    in_node = false;
                    if open.is_empty() {
                        break;
                    }
                }
                b';' => {
                    self.at += 1;
                    current = Some(self.add_node(&mut game, current)?);
                    in_node = true;
                }
                _ if mark.is_ascii_alphabetic() => {
                    if !in_node {
                        let place = self.place();
                        game.repairs.add(place, "a missing ; is added");
                        current = Some(self.add_node(&mut game, current)?);
                        in_node = true;
                    }
                    let read = self.property(&mut game.repairs)?;
                    let node = current.map(|at| &mut game.nodes[at]);
                    if let (Some(node), Some(property)) = (node, read) {
                        node.properties.push(property);
                    }
                }
                b']' => return Err(self.error("a ] that closes nothing; within a text it is written \\]")),
                b'[' => return Err(self.error("a value without a property")),
                _ => {
                    let mark = self.text[self.at..].chars().next().unwrap_or_default();
                    return Err(self.error(format!("{mark:?} is neither a property nor one of ( ) ;")));
                }
            }
        }
        Ok(game)
    }

    fn add_node(&mut self, game: &mut RawGame<'a>, parent: Option<usize>) -> Result<usize, SgfError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(SgfError::TooLarge("200,000 nodes"));
        }
        let depth = parent.map_or(0, |parent| game.nodes[parent].depth) + 1;
        if depth > MAX_DEPTH {
            return Err(SgfError::TooDeep(MAX_DEPTH));
        }
        if parent.is_none() && !game.nodes.is_empty() {
            return Err(self.error("a second root: expected a new game"));
        }
        game.nodes.push(RawNode { parent, properties: Vec::new(), depth });
        Ok(game.nodes.len() - 1)
    }

    /// Reads a property; `None` if it is skipped.
    fn property(&mut self, repairs: &mut Repairs) -> Result<Option<RawProperty<'a>>, SgfError> {
        let (begin, place) = (self.at, self.place());
        while self.peek().is_some_and(|letter| letter.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let written = &self.text[begin..self.at];
        // Before FF[4], lower-case letters in names had no meaning: White[aa] is W[aa].
        let name: String = written.chars().filter(|letter| !letter.is_ascii_lowercase()).collect();
        if name.is_empty() {
            self.at = begin;
            return Err(self.error(format!("{written:?} is not a property: names have capital letters")));
        }
        let name = KNOWN.into_iter().find(|known| *known == name);
        let mut values = Vec::new();
        loop {
            self.skip_blank();
            if self.peek() != Some(b'[') {
                break;
            }
            let value = self.value()?;
            if name.is_some() {
                values.push(value);
            }
        }
        let Some(name) = name else { return Ok(None) };
        if values.is_empty() {
            repairs.add(place, format!("{name} has no value and is ignored"));
            return Ok(None);
        }
        Ok(Some(RawProperty { name, place, values }))
    }

    /// Reads a value with its brackets.
    fn value(&mut self) -> Result<&'a str, SgfError> {
        let begin = self.at + 1;
        let mut escaped = false;
        for (offset, byte) in self.text.as_bytes()[begin..].iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => {
                    self.at = begin + offset + 1;
                    return Ok(&self.text[begin..begin + offset]);
                }
                _ => {}
            }
        }
        Err(self.error("a value that is not closed: expected a ]"))
    }
}
