//! Game records in the Smart Game Format, version FF\[4\].
//!
//! A [`GameTree`] holds what this crate can replay: the rules, the players' names, the result, and a tree of moves,
//! set-up stones and comments. Markup, clocks and all other properties are skipped. Files of other versions and of
//! programs that deviate from the format are read as far as their meaning is clear; `docs/games/go.md` lists how.
//!
//! ```
//! use go::{Colour, Large, sgf::GameTree};
//! let trees = GameTree::read("(;FF[4]GM[1]SZ[9]KM[7]RU[Chinese]RE[B+R];B[ee];W[gc](;B[cc])(;B[]))").unwrap();
//! let tree = &trees[0];
//! let last = tree.main_line().last().unwrap();
//! let position = tree.position::<Large>(last).unwrap();
//! assert_eq!(position.moves_played(), 3);
//! assert_eq!(position.turn(), Colour::White);
//! assert_eq!(tree.result.unwrap().to_string(), "B+R");
//! ```

mod decode;
mod grammar;
mod read;
mod replay;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::{BadStart, Colour, GameResult, Illegal, Move, Point, Points, Position, Rules, Start};

/// One game with its variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTree {
    /// Size, komi and all other options.
    pub rules: Rules,
    /// The names of Black and White; empty if the record does not give them.
    pub names: [String; 2],
    /// The result, if the record gives it.
    pub result: Option<GameResult>,
    /// Whether the record names a known rule set. Otherwise all rules but size, komi and handicap are defaults.
    pub names_rules: bool,
    /// What was repaired when the record was read, in sentences that name the place. Not part of the written text.
    pub repairs: Vec<String>,
    nodes: Vec<Node>,
}

/// Identifies a node of a [`GameTree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(usize);

/// A node of a game tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// Stones added or removed before the move.
    pub setup: Edit,
    /// The move of this node, if it has one.
    pub play: Option<(Colour, Move)>,
    /// The comment.
    pub comment: String,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
}

/// A change of the board other than by a move. Superko ignores everything before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edit {
    /// Points that become black. Like the other lists, this one is sorted when read.
    pub black: Vec<Point>,
    /// Points that become white.
    pub white: Vec<Point>,
    /// Points that become empty.
    pub empty: Vec<Point>,
    /// The colour that moves next.
    pub to_move: Option<Colour>,
}

impl Edit {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether no point changes.
    fn has_no_points(&self) -> bool {
        self.black.is_empty() && self.white.is_empty() && self.empty.is_empty()
    }
}

/// An error for a record that cannot be read or replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SgfError {
    /// The text is not SGF.
    #[error("not an SGF record: {place}: {message}")]
    Grammar {
        /// The place in the text.
        place: Place,
        /// What is wrong there.
        message: String,
    },
    /// A line of play has too many nodes.
    #[error("a line of play has more than {0} nodes")]
    TooDeep(usize),
    /// The record would take too much memory.
    #[error("the record is too large: more than {0}")]
    TooLarge(&'static str),
    /// The record is of another game.
    #[error("the record is not a game of Go")]
    AnotherGame,
    /// A property has a value that it cannot have.
    #[error("{place}: property {name}: {value:?} is not {expected}")]
    Property {
        /// The place in the text.
        place: Place,
        /// The identifier of the property.
        name: &'static str,
        /// The value found.
        value: String,
        /// The value expected.
        expected: &'static str,
    },
    /// A stone is set up off the board.
    #[error("node {node}: {point} is not on the board")]
    OffBoard {
        /// The number of the node, counted from 0 at the root.
        node: usize,
        /// The point.
        point: Point,
    },
    /// The options are not valid, or a set-up has a chain without liberties.
    #[error("node {node}: {source}")]
    Start {
        /// The number of the node, counted from 0 at the root.
        node: usize,
        /// The cause.
        source: BadStart,
    },
    /// A move is not legal.
    #[error("{colour}'s move {m} in node {node}: {source}")]
    Move {
        /// The number of the node, counted from 0 at the root.
        node: usize,
        /// The colour that moved.
        colour: Colour,
        /// The move.
        m: Move,
        /// The rule that forbids it.
        source: Illegal,
    },
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Place {
    /// The first character.
    pub const START: Self = Self { line: 1, column: 1 };
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl GameTree {
    /// A game without moves, at its normal start.
    pub fn new(rules: &Rules) -> Self {
        let black = crate::handicap::fixed(rules.size.into(), rules.handicap.into()).unwrap_or_default();
        let mut root = Node::default();
        root.setup.black = black;
        root.setup.black.sort_unstable();
        Self {
            rules: *rules,
            names: Default::default(),
            result: None,
            names_rules: true,
            repairs: Vec::new(),
            nodes: vec![root],
        }
    }

    /// The record of the moves that led to a position.
    pub fn of_position<P: Points>(position: &Position<P>) -> Self {
        let start: Start<P> = position.start();
        let mut tree = Self::new(position.rules());
        let [black, white] = Colour::BOTH.map(|colour| start.board.stones(colour).iter().collect());
        let normal = Start::<P>::normal(position.rules());
        let to_move =
            (start.board != normal.board || start.to_move != normal.to_move).then_some(start.to_move);
        tree.nodes[0].setup = Edit { black, white, empty: Vec::new(), to_move };
        let (mut colour, mut last) = (start.to_move, tree.root());
        for m in position.moves() {
            last = tree.add_move(last, colour, m);
            colour = colour.other();
        }
        tree
    }

    /// The root, where the game begins.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns a node.
    ///
    /// # Panics
    /// May panic if `id` belongs to another tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// Returns a mutable reference to a node.
    ///
    /// # Panics
    /// May panic if `id` belongs to another tree.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// The number of nodes, at least one.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a variation that starts with a move, without checking it. The first variation of a node is its main line.
    pub fn add_move(&mut self, parent: NodeId, colour: Colour, m: Move) -> NodeId {
        self.add(parent, Node { play: Some((colour, m)), ..Node::default() })
    }

    /// Adds a variation without checking it.
    pub fn add(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node { parent: Some(parent), children: Vec::new(), ..node });
        self.nodes[parent.0].children.push(id);
        id
    }

    /// The variations of a node, the main line first.
    pub fn variations(&self, id: NodeId) -> &[NodeId] {
        &self.nodes[id.0].children
    }

    /// All nodes, parents before their children.
    pub fn all(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// The root and the first variation of each node.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(self.root()), |id| self.variations(*id).first().copied())
    }
}
