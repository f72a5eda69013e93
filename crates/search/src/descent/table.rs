//! The transposition table of descent: each position is stored once, however it is reached.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hash, Hasher},
};

use game::{Game, Seat, SeatPermutation, Values};

use super::bounds::Bounds;

/// The index of a node in [`Table::nodes`].
pub(super) type Id = u32;

/// A position with at least two legal moves, or a finished game.
#[derive(Clone, Debug)]
pub(super) struct Node<M> {
    key: u64,
    /// Distinguishes positions that share a key.
    signature: u32,
    pub(super) mover: Seat,
    /// The backed-up values, in this node's seat order, within the bounds.
    pub(super) values: Values,
    pub(super) bounds: Bounds,
    /// Whether the search below this node is complete.
    pub(super) resolved: bool,
    /// Whether some moves are expanded, though not necessarily all.
    pub(super) expanded: bool,
    /// The last iteration of this search that visited the node.
    pub(super) iteration: u64,
    pub(super) visits: u32,
    pub(super) edges: Vec<Edge<M>>,
    /// Moves to expand later, in order. For an unexpanded node, filled only with progressive widening.
    pub(super) unexpanded: Vec<M>,
}

/// An expanded move.
#[derive(Clone, Debug)]
pub(super) struct Edge<M> {
    pub(super) m: M,
    pub(super) child: Id,
    /// The forced moves that follow it.
    pub(super) forced: Box<[M]>,
    /// Maps the seats of the node to those of the child.
    pub(super) permutation: SeatPermutation,
    pub(super) visits: u32,
}

/// All nodes, with an index by position.
#[derive(Clone, Debug)]
pub(super) struct Table<M> {
    pub(super) nodes: Vec<Node<M>>,
    by_key: HashMap<u64, Id, BuildHasherDefault<KeyHasher>>,
    /// The number of edges of all nodes, and of moves in their lists of forced and unexpanded moves.
    edges: usize,
    moves: usize,
}

/// The lookup key of a position.
#[derive(Clone, Copy)]
pub(super) struct PositionKey {
    key: u64,
    signature: u32,
}

impl PositionKey {
    /// The lookup key of a position with these legal moves.
    pub(super) fn of<G: Game>(position: &G, moves: &[G::Move]) -> Self {
        let mut hasher = Fnv::default();
        (position.to_move(), moves).hash(&mut hasher);
        Self { key: position.key(), signature: hasher.finish() as u32 }
    }
}

impl<M: Copy> Default for Table<M> {
    fn default() -> Self {
        Self { nodes: Vec::new(), by_key: HashMap::default(), edges: 0, moves: 0 }
    }
}

impl<M: Copy> Table<M> {
    /// The bytes of a node without its edges and moves, with its entry in the index, which is up to half empty.
    const NODE_BYTES: usize = size_of::<Node<M>>() + 2 * size_of::<(u64, Id)>();

    /// The node of a known position.
    ///
    /// Two positions may share a 64-bit key. They are confused only if they also have the same mover and legal moves.
    /// Every edge of the table is created through this lookup.
    pub(super) fn find(&self, key: PositionKey) -> Option<Id> {
        let id = *self.by_key.get(&key.key)?;
        (self.nodes[id as usize].signature == key.signature).then_some(id)
    }

    /// Adds a node for a position that was not [found](Self::find). If its 64-bit key is taken, the node is not
    /// indexed.
    pub(super) fn add(&mut self, key: PositionKey, mover: Seat) -> Id {
        let id = self.nodes.len() as Id;
        self.nodes.push(Node {
            key: key.key,
            signature: key.signature,
            mover,
            values: Values::default(),
            bounds: Bounds::UNKNOWN,
            resolved: false,
            expanded: false,
            iteration: 0,
            visits: 0,
            edges: Vec::new(),
            unexpanded: Vec::new(),
        });
        self.by_key.entry(key.key).or_insert(id);
        id
    }

    /// The size of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * Self::NODE_BYTES + self.edges * size_of::<Edge<M>>() + self.moves * size_of::<M>()
    }

    /// The number of positions that can be added, each with an edge to it, before the table exceeds `max_bytes`.
    pub(super) fn room(&self, max_bytes: usize) -> usize {
        max_bytes.saturating_sub(self.bytes()) / (Self::NODE_BYTES + size_of::<Edge<M>>())
    }

    pub(super) fn push_edge(&mut self, from: Id, edge: Edge<M>) {
        self.edges += 1;
        self.moves += edge.forced.len();
        self.nodes[from as usize].edges.push(edge);
    }

    pub(super) fn pop_edge(&mut self, from: Id) -> Option<Edge<M>> {
        let edge = self.nodes[from as usize].edges.pop()?;
        self.edges -= 1;
        self.moves -= edge.forced.len();
        Some(edge)
    }

    /// Sets the moves that are to be expanded later.
    pub(super) fn set_unexpanded(&mut self, id: Id, moves: Vec<M>) {
        let unexpanded = &mut self.nodes[id as usize].unexpanded;
        self.moves = self.moves - unexpanded.len() + moves.len();
        *unexpanded = moves;
    }

    /// Removes and returns the first `count` unexpanded moves, or all if there are fewer.
    pub(super) fn take_unexpanded(&mut self, id: Id, count: usize) -> Vec<M> {
        let unexpanded = &mut self.nodes[id as usize].unexpanded;
        let rest = unexpanded.split_off(count.min(unexpanded.len()));
        let taken = std::mem::replace(unexpanded, rest);
        self.moves -= taken.len();
        taken
    }

    /// Removes the nodes that were added last, so that `length` remain. No edge of a remaining node may lead to them.
    pub(super) fn truncate(&mut self, length: usize) {
        for (id, node) in self.nodes.drain(length..).enumerate() {
            if self.by_key.get(&node.key) == Some(&((length + id) as Id)) {
                self.by_key.remove(&node.key);
            }
        }
    }

    pub(super) fn node(&self, id: Id) -> &Node<M> {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Node<M> {
        &mut self.nodes[id as usize]
    }

    /// The bounds after an edge, in the parent's seat order.
    pub(super) fn bounds_after(&self, edge: &Edge<M>) -> Bounds {
        self.node(edge.child).bounds.to_parent(edge.permutation)
    }

    /// The values after an edge, in the parent's seat order.
    pub(super) fn values_after(&self, edge: &Edge<M>) -> Values {
        edge.permutation.to_parent(self.node(edge.child).values)
    }

    /// Reduces the table to what can be reached from `root`, which becomes the first node.
    #[must_use]
    pub(super) fn below(mut self, root: Id) -> Self {
        let mut kept = Self::default();
        let mut new_ids: Vec<Option<Id>> = vec![None; self.nodes.len()];
        let mut order = vec![root];
        new_ids[root as usize] = Some(0);
        let mut next = 0;
        while let Some(&old) = order.get(next) {
            next += 1;
            for edge in &mut self.nodes[old as usize].edges {
                let new = *new_ids[edge.child as usize].get_or_insert_with(|| {
                    order.push(edge.child);
                    order.len() as Id - 1
                });
                edge.child = new;
            }
        }
        let mut nodes: Vec<Option<Node<M>>> = self.nodes.into_iter().map(Some).collect();
        for (new, &old) in order.iter().enumerate() {
            let node = nodes[old as usize].take().expect("each node is reached once");
            let node = Node { iteration: 0, ..node };
            kept.edges += node.edges.len();
            kept.moves +=
                node.unexpanded.len() + node.edges.iter().map(|edge| edge.forced.len()).sum::<usize>();
            // A node that was not indexed may be indexed now, if the other node with its key is gone.
            kept.by_key.entry(node.key).or_insert(new as Id);
            kept.nodes.push(node);
        }
        kept
    }
}

/// A cheap hasher, since keys are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, key: u64) {
        // Toy games have small keys, but the hash map also uses the highest bits.
        self.0 = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A hash that is the same in every run, which the standard hasher does not guarantee.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x0100_0000_01b3_9e37);
    }
}
