//! Reading records: interprets the properties that the [grammar](super::grammar) finds.

use std::collections::BTreeMap;

use super::{
    Edit, GameTree, Node, NodeId, Place, SgfError,
    decode::decode,
    grammar::{self, RawGame, RawNode, RawProperty, Repairs},
    write::named_rules,
};
use crate::{Colour, Komi, Move, Point, Rules, handicap};

/// The maximum number of rectangles of points in a text, which take a few characters for up to 361 points.
const MAX_RECTANGLES: usize = 10_000;

impl GameTree {
    /// Reads all games of a text.
    ///
    /// Deviations from the format whose meaning is clear are repaired and listed in [`GameTree::repairs`].
    ///
    /// The known rule sets are Chinese, Japanese, Korean, AGA, NZ, Ing and Tromp-Taylor, in any case. Without a rule set, or
    /// with an unknown one, the rules are those of [`Rules::new`]. Without a komi property, the komi is zero.
    ///
    /// # Errors
    /// Returns an error if the text is not SGF, or if a property that is needed for a replay has an invalid value. The
    /// moves are checked only when they are [replayed](GameTree::position).
    pub fn read(text: &str) -> Result<Vec<Self>, SgfError> {
        let mut rectangles = 0;
        grammar::parse(text)?.into_iter().map(|game| Reader::new(&mut rectangles).read(game)).collect()
    }

    /// Reads all games of a file in any character set: that of its byte order mark or of its property `CA`, otherwise UTF-8
    /// or Latin-1.
    ///
    /// # Errors
    /// As for [`GameTree::read`].
    pub fn read_bytes(bytes: &[u8]) -> Result<Vec<Self>, SgfError> {
        let (text, repair) = decode(bytes);
        let mut trees = Self::read(&text)?;
        for tree in &mut trees {
            tree.repairs.splice(0..0, repair.clone());
        }
        Ok(trees)
    }
}

/// Interprets the properties of one game.
struct Reader<'a> {
    size: usize,
    repairs: Repairs,
    /// The number of rectangles in all games of the text.
    rectangles: &'a mut usize,
}

impl<'a> Reader<'a> {
    fn new(rectangles: &'a mut usize) -> Self {
        Self { size: 19, repairs: Repairs::default(), rectangles }
    }

    fn read(mut self, game: RawGame<'_>) -> Result<GameTree, SgfError> {
        self.repairs = game.repairs;
        let root = &game.nodes[0];
        let (rules, names_rules) = self.rules(root)?;
        self.size = rules.size.into();
        let mut tree = GameTree::new(&Rules { handicap: 0, ..rules });
        tree.names_rules = names_rules;
        tree.names = ["PB", "PW"].map(|name| self.text(root, name).map(simple_text).unwrap_or_default());
        tree.result = self.text(root, "RE").and_then(|result| simple_text(result).parse().ok());
        // The last node of the tree for each node of the text, which may hold several moves.
        let mut ends: Vec<NodeId> = Vec::with_capacity(game.nodes.len());
        for raw in &game.nodes {
            let mut parent = raw.parent.map(|parent| ends[parent]);
            for node in self.node(raw)? {
                parent = Some(if let Some(parent) = parent {
                    tree.add(parent, node)
                } else {
                    *tree.node_mut(NodeId(0)) = node;
                    NodeId(0)
                });
            }
            ends.push(parent.unwrap_or(NodeId(0)));
        }
        self.handicap(&mut tree, root, rules.handicap);
        tree.repairs = self.repairs.finish();
        Ok(tree)
    }

    /// The first value of a property. A second one, or a second such property, is ignored.
    fn text<'t>(&mut self, node: &RawNode<'t>, name: &str) -> Option<&'t str> {
        let mut all = node.properties.iter().filter(|property| property.name == name);
        let first = all.next()?;
        if first.values.len() > 1 || all.next().is_some() {
            self.repairs.add(first.place, format!("{name} is repeated; its first value counts"));
        }
        first.values.first().copied()
    }

    fn rules(&mut self, root: &RawNode<'_>) -> Result<(Rules, bool), SgfError> {
        let place = |name: &str| {
            root.properties.iter().find(|property| property.name == name).map_or(Place::START, |at| at.place)
        };
        let fault = |name: &'static str, value: &str, expected| SgfError::Property {
            place: place(name),
            name,
            value: value.to_owned(),
            expected,
        };
        let mut rules = Rules::new(19);
        rules.komi = Komi::ZERO;
        let mut names_rules = false;
        if let Some(game) = self.text(root, "GM").map(str::trim) {
            match game {
                "1" => {}
                "" => self.repairs.add(place("GM"), "GM is empty; the game is taken to be Go"),
                _ if game.eq_ignore_ascii_case("go") => {}
                _ => return Err(SgfError::AnotherGame),
            }
        }
        if let Some(text) = self.text(root, "SZ").map(str::trim) {
            let (width, height) = text.split_once([':', 'x', 'X']).unwrap_or((text, text));
            let lines = width.trim().parse().ok().filter(|lines| {
                (Rules::SMALLEST..=Rules::LARGEST).contains(lines) && width.trim() == height.trim()
            });
            match lines {
                Some(lines) => rules.size = lines,
                None if text.is_empty() => self.repairs.add(place("SZ"), "SZ is empty; the board is 19×19"),
                None => return Err(fault("SZ", text, "the size of a square board from 2 to 19")),
            }
        }
        if let Some(text) = self.text(root, "RU").map(simple_text) {
            let known = named_rules(&text);
            names_rules = known.is_some();
            match known {
                Some(known) => {
                    (rules.ko, rules.suicide, rules.scoring) = (known.ko, known.suicide, known.scoring);
                }
                None if text.trim().is_empty() => {}
                None => self.repairs.add(
                    place("RU"),
                    format!("RU[{}] is not a known rule set and is ignored", shortened(&text)),
                ),
            }
        }
        if let Some(text) = self.text(root, "KM").map(str::trim).filter(|text| !text.is_empty()) {
            let (komi, repair) =
                read_komi(text, rules).ok_or_else(|| fault("KM", text, "a number of points, such as 6.5"))?;
            rules.komi = komi;
            if let Some(repair) = repair {
                self.repairs.add(place("KM"), format!("KM[{text}] {repair}"));
            }
        }
        if let Some(text) = self.text(root, "HA").map(str::trim).filter(|text| !text.is_empty()) {
            if let Ok(stones) = text.parse::<u8>() {
                rules.handicap = stones;
            } else {
                let what = format!("HA[{}] is not a number of stones and is ignored", shortened(text));
                self.repairs.add(place("HA"), what);
            }
        }
        Ok((rules, names_rules))
    }

    /// Keeps the handicap if a fixed handicap of this size exists and the root sets up as many black stones; otherwise the
    /// stones are an ordinary set-up. A handicap without stones is placed, unless Black plays first: then the first moves
    /// are the handicap.
    fn handicap(&mut self, tree: &mut GameTree, root: &RawNode<'_>, stones: u8) {
        if stones < 2 {
            return;
        }
        let places = handicap::fixed(self.size, stones.into());
        let setup = &tree.node(NodeId(0)).setup;
        let (black, is_bare) = (setup.black.len(), setup.black.is_empty() && setup.white.is_empty());
        let first_move = tree.main_line().find_map(|id| Some(tree.node(id).play?.0));
        let first = setup.to_move.or(first_move);
        let place =
            root.properties.iter().find(|property| property.name == "HA").map_or(Place::START, |at| at.place);
        if places.is_some() && black == usize::from(stones) {
            tree.rules.handicap = stones;
            return;
        }
        if !is_bare {
            if black != usize::from(stones) {
                self.repairs
                    .add(place, format!("HA[{stones}] is ignored: there are {black} black stones to set up"));
            }
            return;
        }
        if let Some(mut points) = places.filter(|_| first != Some(Colour::Black)) {
            points.sort_unstable();
            tree.rules.handicap = stones;
            tree.node_mut(NodeId(0)).setup.black = points;
            self.repairs.add(place, format!("HA[{stones}] without stones: they are on the usual points"));
        } else {
            let why = if first == Some(Colour::Black) {
                "Black plays first"
            } else {
                "this board has no usual points for them"
            };
            self.repairs.add(place, format!("HA[{stones}] without stones is ignored: {why}"));
        }
    }

    /// The node with its properties, or several if it has more than one move.
    fn node(&mut self, raw: &RawNode<'_>) -> Result<Vec<Node>, SgfError> {
        let mut nodes = vec![Node::default()];
        let mut stones: BTreeMap<Point, Option<Colour>> = BTreeMap::new();
        let mut seen: Vec<&str> = Vec::new();
        for property in &raw.properties {
            let &RawProperty { name, place, ref values } = property;
            let is_repeated = seen.contains(&name);
            seen.push(name);
            match name {
                "AB" | "AW" | "AE" => {
                    if is_repeated {
                        self.repairs.add(place, format!("{name} is repeated; all its points count"));
                    }
                    let colour = match name {
                        "AB" => Some(Colour::Black),
                        "AW" => Some(Colour::White),
                        _ => None,
                    };
                    for value in values {
                        for point in self.points(name, place, value)? {
                            if stones.insert(point, colour).is_some_and(|before| before != colour) {
                                self.repairs.add(place, format!("{point} is set up twice; {name} counts"));
                            }
                        }
                    }
                }
                "PL" => {
                    let Some(colour) = self.colour(place, values[0].trim())? else { continue };
                    if nodes.iter().any(|node| node.play.is_some()) {
                        self.repairs.add(place, "PL after a move counts after it");
                        nodes.push(Node::default());
                    }
                    let last = nodes.last_mut().expect("there is always a node");
                    last.setup.to_move = Some(colour);
                }
                "B" | "W" => {
                    let colour = if name == "B" { Colour::Black } else { Colour::White };
                    for value in values {
                        let m = self.played(name, place, value)?;
                        let last = nodes.last_mut().expect("there is always a node");
                        if last.play.is_some() {
                            self.repairs
                                .add(place, "several moves in one node are played one after the other");
                            nodes.push(Node { play: Some((colour, m)), ..Node::default() });
                        } else {
                            last.play = Some((colour, m));
                        }
                    }
                }
                "C" => {
                    let last = nodes.last_mut().expect("there is always a node");
                    for value in values {
                        if !last.comment.is_empty() {
                            last.comment.push('\n');
                        }
                        last.comment += &plain_text(value);
                    }
                }
                _ => {}
            }
        }
        let of = |colour| stones.iter().filter(move |(_, set)| **set == colour).map(|(&point, _)| point);
        let Edit { black, white, empty, .. } = &mut nodes[0].setup;
        *black = of(Some(Colour::Black)).collect();
        *white = of(Some(Colour::White)).collect();
        *empty = of(None).collect();
        Ok(nodes)
    }

    /// The colour of `PL`; `None` if it is empty.
    fn colour(&mut self, place: Place, value: &str) -> Result<Option<Colour>, SgfError> {
        Ok(Some(match value.to_ascii_lowercase().as_str() {
            "b" | "black" => Colour::Black,
            "w" | "white" => Colour::White,
            // A misleading description of FF[3] made some programs write numbers.
            "1" => {
                self.repairs.add(place, "PL[1] is Black");
                Colour::Black
            }
            "2" => {
                self.repairs.add(place, "PL[2] is White");
                Colour::White
            }
            "" => {
                self.repairs.add(place, "PL is empty and is ignored");
                return Ok(None);
            }
            _ => {
                let (name, value) = ("PL", shortened(value));
                return Err(SgfError::Property { place, name, value, expected: "B or W" });
            }
        }))
    }

    /// The move of `B` or `W`.
    fn played(&mut self, name: &'static str, place: Place, value: &str) -> Result<Move, SgfError> {
        // Before FF[4], `tt` meant a pass on boards up to 19×19.
        match value.trim() {
            "" | "tt" => Ok(Move::PASS),
            text => Ok(Move::at(self.point(name, place, text)?)),
        }
    }

    /// The points of a value of `AB`, `AW` or `AE`: one, or a rectangle.
    fn points(&mut self, name: &'static str, place: Place, value: &str) -> Result<Vec<Point>, SgfError> {
        let value = value.trim();
        if value.is_empty() {
            self.repairs.add(place, format!("{name} has an empty value, which is ignored"));
            return Ok(Vec::new());
        }
        let Some((one, other)) = value.split_once(':') else {
            return Ok(vec![self.point(name, place, value)?]);
        };
        *self.rectangles += 1;
        if *self.rectangles > MAX_RECTANGLES {
            return Err(SgfError::TooLarge("10,000 rectangles of points"));
        }
        let (one, other) = (self.point(name, place, one)?, self.point(name, place, other)?);
        let span = |one: usize, other: usize| one.min(other)..=one.max(other);
        let columns = span(one.column(), other.column());
        let rows = span(one.row(), other.row());
        Ok(rows.flat_map(|row| columns.clone().map(move |column| Point::new(column, row))).collect())
    }

    fn point(&mut self, name: &'static str, place: Place, value: &str) -> Result<Point, SgfError> {
        let fault = |expected| SgfError::Property { place, name, value: shortened(value), expected };
        let &[column, row] = value.trim().as_bytes() else { return Err(fault("a point of two letters")) };
        if !column.is_ascii_alphabetic() || !row.is_ascii_alphabetic() {
            return Err(fault("a point of two letters"));
        }
        if column.is_ascii_uppercase() || row.is_ascii_uppercase() {
            self.repairs.add(place, format!("{name}[{value}] is read with small letters"));
        }
        let line = |letter: u8| usize::from(letter.to_ascii_lowercase() - b'a');
        let (column, row) = (line(column), line(row));
        if column >= self.size || row >= self.size {
            return Err(fault("a point on the board"));
        }
        Ok(Point::new(column, self.size - 1 - row))
    }
}

/// A komi, and how it was repaired if it was.
///
/// Chinese records may count in stones, of which one is two points: 3.75 is 7.5 points. Some servers write hundredths.
/// Every other komi that is not a multiple of half a point has the same winner as the one between the same whole numbers.
fn read_komi(text: &str, rules: Rules) -> Option<(Komi, Option<String>)> {
    let most = f64::from(Rules::LARGEST).powi(2);
    let written = text.replace(',', ".");
    let mut number: f64 = written.parse().ok()?;
    let hundredths = number.abs() > most;
    if hundredths {
        number /= 100.0;
    }
    if !number.is_finite() || number.abs() > most {
        return None;
    }
    let is_half = (2.0 * number).fract() == 0.0;
    let in_stones = rules.scoring == crate::Scoring::Area && [2.75, 3.75].contains(&number);
    let (halves, why) = if in_stones {
        (4.0 * number, "counts in stones: ")
    } else if !is_half {
        (2.0 * number.floor() + 1.0, "has the same winner as ")
    } else if hundredths {
        (2.0 * number, "counts in hundredths: ")
    } else {
        (2.0 * number, "is ")
    };
    let komi = Komi::from_half_points(halves as i16);
    let is_clean = is_half && !hundredths && written == text;
    Some((komi, (!is_clean).then(|| format!("{why}{komi} points"))))
}

/// The beginning of a text, for messages.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Removes escapes and escaped line breaks. Other white space becomes spaces.
fn plain_text(value: &str) -> String {
    let value = value.replace("\r\n", "\n").replace("\n\r", "\n").replace('\r', "\n");
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(mut character) = characters.next() {
        let escaped = character == '\\';
        if escaped {
            let Some(next) = characters.next() else { break };
            character = next;
        }
        match character {
            '\n' if escaped => {}
            '\n' => text.push('\n'),
            _ if character.is_whitespace() => text.push(' '),
            _ => text.push(character),
        }
    }
    text
}

/// A text on one line, without space around it.
fn simple_text(value: &str) -> String {
    plain_text(value).replace('\n', " ").trim().to_owned()
}
