//! Reading records. `sgf-parse` handles the grammar; this module interprets the properties.

use std::collections::HashSet;

use sgf_parse::{
    Color, SgfNode, SgfParseError, SgfProp,
    go::{self, Prop},
};

use super::{Edit, GameTree, Node, NodeId, SgfError, write::RULE_SETS};
use crate::{Colour, Komi, Move, Point, Rules, handicap};

/// The largest number of nodes in a line of play. The parser frees its tree recursively, so the depth must be limited;
/// no game is as long.
const MAX_DEPTH: usize = 4000;

/// Limits that exceed any published collection and bound the memory that a text can take to some hundred megabytes.
const MAX_BYTES: usize = 16 << 20;
const MAX_NODES: usize = 200_000;
const MAX_RECTANGLES: usize = 10_000;

impl GameTree {
    /// Reads all games of a text.
    ///
    /// The known rule sets are Chinese, Japanese, Korean, AGA, NZ and Tromp-Taylor, in any case. Without a rule set, or
    /// with an unknown one, the rules are those of [`Rules::new`]. Without a komi property, the komi is zero.
    ///
    /// # Errors
    /// Returns an error if the text is not SGF, or if a property that is needed for a replay has an invalid value. The
    /// moves are checked only when they are [replayed](GameTree::position).
    pub fn read(text: &str) -> Result<Vec<Self>, SgfError> {
        if text.len() > MAX_BYTES {
            return Err(SgfError::TooLarge("16 MiB of text"));
        }
        Extent::of(text).check()?;
        let roots = go::parse(text).map_err(|error| match error {
            SgfParseError::UnexpectedGameType => SgfError::AnotherGame,
            error => SgfError::Grammar(error.to_string().to_lowercase()),
        })?;
        roots.into_iter().map(tree).collect()
    }
}

/// The size of a record, measured before parsing, whether or not the text is valid.
#[derive(Default)]
struct Extent {
    /// The number of nodes in the longest line of play.
    depth: usize,
    nodes: usize,
    /// The number of values that denote a rectangle of points: five characters for up to 361 of them.
    rectangles: usize,
}

impl Extent {
    fn of(text: &str) -> Self {
        let (mut extent, mut depth, mut opened) = (Self::default(), 0, Vec::new());
        let (mut value, mut escaped) = (None, false);
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if value.is_some() => escaped = true,
                b']' => {
                    let is_rectangle = |start: usize| at - start == 5 && text.as_bytes()[start + 2] == b':';
                    extent.rectangles += usize::from(value.take().is_some_and(is_rectangle));
                }
                _ if value.is_some() => {}
                b'[' => value = Some(at + 1),
                b'(' => opened.push(depth),
                b')' => depth = opened.pop().unwrap_or(0),
                b';' => {
                    depth += 1;
                    extent.nodes += 1;
                    extent.depth = extent.depth.max(depth);
                }
                _ => {}
            }
        }
        extent
    }

    fn check(&self) -> Result<(), SgfError> {
        if self.depth > MAX_DEPTH {
            Err(SgfError::TooDeep(MAX_DEPTH))
        } else if self.nodes > MAX_NODES {
            Err(SgfError::TooLarge("200,000 nodes"))
        } else if self.rectangles > MAX_RECTANGLES {
            Err(SgfError::TooLarge("10,000 rectangles of points"))
        } else {
            Ok(())
        }
    }
}

/// Converts one game. The parser's nodes are consumed one by one, children before siblings.
fn tree(mut root: SgfNode<Prop>) -> Result<GameTree, SgfError> {
    let rules = rules(&root.properties)?;
    let size = usize::from(rules.size);
    let mut tree = GameTree::new(&rules);
    for prop in &root.properties {
        match prop {
            Prop::PB(name) => tree.names[0].clone_from(&name.text),
            Prop::PW(name) => tree.names[1].clone_from(&name.text),
            Prop::RE(result) => tree.result = result.text.parse().ok(),
            _ => {}
        }
    }
    *tree.node_mut(NodeId(0)) = node(&root.properties, 0, size)?;
    normalize_handicap(&mut tree);
    let mut waiting: Vec<(NodeId, SgfNode<Prop>)> =
        root.children.drain(..).rev().map(|child| (NodeId(0), child)).collect();
    while let Some((parent, mut child)) = waiting.pop() {
        let read = node(&child.properties, tree.node_count(), size)?;
        let id = tree.add(parent, read);
        waiting.extend(child.children.drain(..).rev().map(|child| (id, child)));
    }
    Ok(tree)
}

fn rules(properties: &[Prop]) -> Result<Rules, SgfError> {
    let fault = |name: &str, value: String, expected| SgfError::Property {
        node: 0,
        name: name.to_owned(),
        value,
        expected,
    };
    let mut rules = Rules::new(19);
    rules.komi = Komi::ZERO;
    for prop in properties {
        match prop {
            &Prop::SZ((width, height)) => {
                let lines = Rules::SMALLEST..=Rules::LARGEST;
                if width != height || !lines.contains(&width) {
                    return Err(fault(
                        "SZ",
                        format!("{width}:{height}"),
                        "the size of a square board from 2 to 19",
                    ));
                }
                rules.size = width;
            }
            Prop::KM(komi) => {
                // The shortest text of the number, so that its decimal digits decide.
                let text = komi.to_string();
                rules.komi = text.parse().map_err(|_| fault("KM", text, "a multiple of half a point"))?;
            }
            Prop::RU(name) => {
                let known = named_rules(&name.text);
                (rules.ko, rules.suicide, rules.scoring) = (known.ko, known.suicide, known.scoring);
            }
            Prop::HA(stones) => rules.handicap = u8::try_from(*stones).unwrap_or(0),
            Prop::Invalid(name, values) if name == "SZ" => {
                return Err(fault("SZ", values.join(", "), "the size of a square board from 2 to 19"));
            }
            Prop::Invalid(name, values) if name == "KM" && values.iter().any(|value| !value.is_empty()) => {
                return Err(fault("KM", values.join(", "), "a multiple of half a point"));
            }
            _ => {}
        }
    }
    Ok(rules)
}

/// The rule set of this name, or the rules with the options that the text lists.
fn named_rules(name: &str) -> Rules {
    let known = RULE_SETS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.trim()));
    if let Some((_, rules)) = known {
        return *rules;
    }
    let mut rules = Rules::new(19);
    for word in name.split_whitespace() {
        match word.split_once('=') {
            Some(("ko", ko)) => rules.ko = ko.parse().unwrap_or(rules.ko),
            Some(("score", scoring)) => rules.scoring = scoring.parse().unwrap_or(rules.scoring),
            None if word == "suicide" => rules.suicide = true,
            _ => {}
        }
    }
    rules
}

/// Keeps the handicap only if a fixed handicap of this size exists and the root sets up as many black stones. Otherwise
/// the stones are an ordinary set-up.
fn normalize_handicap(tree: &mut GameTree) {
    let stones = usize::from(tree.rules.handicap);
    let has_places = handicap::fixed(tree.rules.size.into(), stones).is_some();
    if !has_places || tree.nodes[0].setup.black.len() != stones {
        tree.rules.handicap = 0;
    }
}

fn node(properties: &[Prop], number: usize, size: usize) -> Result<Node, SgfError> {
    let fault = |name: &str, value: String, expected| SgfError::Property {
        node: number,
        name: name.to_owned(),
        value,
        expected,
    };
    let point = |point: &go::Point| {
        let on_board = usize::from(point.x) < size && usize::from(point.y) < size;
        on_board.then(|| Point::new(point.x.into(), size - 1 - usize::from(point.y)))
    };
    let points = |name: &str, list: &HashSet<go::Point>| {
        let mut all: Vec<Point> =
            list.iter().map(point).collect::<Option<_>>().ok_or_else(|| {
                fault(name, format!("{} points", list.len()), "a list of points on the board")
            })?;
        all.sort_unstable();
        Ok(all)
    };
    let mut node = Node::default();
    let Edit { black, white, empty, to_move } = &mut node.setup;
    for prop in properties {
        match prop {
            Prop::AB(list) => *black = points("AB", list)?,
            Prop::AW(list) => *white = points("AW", list)?,
            Prop::AE(list) => *empty = points("AE", list)?,
            Prop::PL(colour) => {
                *to_move = Some(if *colour == Color::Black { Colour::Black } else { Colour::White });
            }
            Prop::B(played) | Prop::W(played) => {
                let name = prop.identifier();
                let colour = if name == "B" { Colour::Black } else { Colour::White };
                // Before FF[4], `tt` meant a pass on boards up to 19×19.
                let is_pass = matches!(played, go::Move::Pass | go::Move::Move(go::Point { x: 19, y: 19 }));
                let m =
                    match played {
                        _ if is_pass => Move::PASS,
                        go::Move::Move(at) => Move::at(point(at).ok_or_else(|| {
                            fault(&name, format!("{},{}", at.x, at.y), "a point on the board")
                        })?),
                        go::Move::Pass => Move::PASS,
                    };
                node.play = Some((colour, m));
            }
            Prop::C(text) => node.comment.clone_from(&text.text),
            Prop::Invalid(name, values) if ["B", "W", "AB", "AW", "AE", "PL"].contains(&name.as_str()) => {
                let expected = if name == "PL" { "B or W" } else { "a point of two letters" };
                return Err(fault(name, values.join(", "), expected));
            }
            _ => {}
        }
    }
    Ok(node)
}
