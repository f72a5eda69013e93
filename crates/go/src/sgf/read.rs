//! Text to records. The grammar is `sgf-parse`'s; what the properties mean is decided here.

use std::collections::HashSet;

use sgf_parse::{
    Color, SgfNode, SgfParseError, SgfProp,
    go::{self, Prop},
};

use super::{Edit, GameTree, Node, NodeId, SgfError, write::RULE_SETS};
use crate::{Colour, Komi, Move, Point, Rules, handicap};

/// Nodes in a row. The parser's tree is freed by a function that calls itself for each, so there must be an end;
/// no game is as long.
const DEEPEST: usize = 4000;

/// More than any collection that people share, and what keeps the memory that a text can take to some hundred megabytes.
const LONGEST: usize = 16 << 20;
const MOST_NODES: usize = 200_000;
const MOST_RECTANGLES: usize = 10_000;

impl GameTree {
    /// Reads all games of a text.
    ///
    /// Rules are known by name (Chinese, Japanese, Korean, AGA, NZ, Tromp-Taylor, in any case); without a name,
    /// or with another one, they are those of [`Rules::new`]. Without a komi there is none.
    ///
    /// # Errors
    /// If the text is not SGF, or a property that matters for a replay has a value that it cannot have. Whether the
    /// moves are legal shows when they are [replayed](GameTree::position).
    pub fn read(text: &str) -> Result<Vec<Self>, SgfError> {
        if text.len() > LONGEST {
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

/// How much a text is before it is parsed, whether or not it is sound.
#[derive(Default)]
struct Extent {
    /// The most nodes in a row.
    depth: usize,
    nodes: usize,
    /// Values that stand for a rectangle of points: five letters for up to 361 of them.
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
        if self.depth > DEEPEST {
            Err(SgfError::TooDeep(DEEPEST))
        } else if self.nodes > MOST_NODES {
            Err(SgfError::TooLarge("200,000 nodes"))
        } else if self.rectangles > MOST_RECTANGLES {
            Err(SgfError::TooLarge("10,000 rectangles of points"))
        } else {
            Ok(())
        }
    }
}

/// One game. The parser's nodes are taken apart one by one, children before siblings.
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
    settle_handicap(&mut tree);
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
                    return Err(fault("SZ", format!("{width}:{height}"), "a square board of 2 to 19 lines"));
                }
                rules.size = width;
            }
            Prop::KM(komi) => {
                // The shortest text of the number, so that it is judged by its digits.
                let text = komi.to_string();
                rules.komi =
                    text.parse().map_err(|_| fault("KM", text, "a number of whole or half points"))?;
            }
            Prop::RU(name) => {
                let known = named_rules(&name.text);
                (rules.ko, rules.suicide, rules.scoring) = (known.ko, known.suicide, known.scoring);
            }
            Prop::HA(stones) => rules.handicap = u8::try_from(*stones).unwrap_or(0),
            Prop::Invalid(name, values) if name == "SZ" => {
                return Err(fault("SZ", values.join(", "), "the lines of the board"));
            }
            Prop::Invalid(name, values) if name == "KM" && values.iter().any(|value| !value.is_empty()) => {
                return Err(fault("KM", values.join(", "), "a number of whole or half points"));
            }
            _ => {}
        }
    }
    Ok(rules)
}

/// The rule set of this name, or the options that are written one by one.
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

/// Handicap is an option only if its stones are on the board and have fixed places to be; otherwise the stones
/// are a set-up like any other.
fn settle_handicap(tree: &mut GameTree) {
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
                fault(name, format!("{} points", list.len()), "a list of points of the board")
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
                // On boards of up to 19 lines the point beyond the corner once stood for a pass.
                let is_pass = matches!(played, go::Move::Pass | go::Move::Move(go::Point { x: 19, y: 19 }));
                let m =
                    match played {
                        _ if is_pass => Move::PASS,
                        go::Move::Move(at) => Move::at(point(at).ok_or_else(|| {
                            fault(&name, format!("{},{}", at.x, at.y), "a point of the board")
                        })?),
                        go::Move::Pass => Move::PASS,
                    };
                node.play = Some((colour, m));
            }
            Prop::C(text) => node.comment.clone_from(&text.text),
            Prop::Invalid(name, values) if ["B", "W", "AB", "AW", "AE", "PL"].contains(&name.as_str()) => {
                let expected = if name == "PL" { "B or W" } else { "points of two letters" };
                return Err(fault(name, values.join(", "), expected));
            }
            _ => {}
        }
    }
    Ok(node)
}
