//! The positions seen so far, each once however it was reached.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hash, Hasher},
};

use game::{Game, Seat, SeatPermutation, Values};

use super::bounds::Bounds;

/// Where a node is in [`Table::nodes`].
pub(super) type Id = u32;

/// A decision with at least two moves, or the end of a game.
#[derive(Clone, Debug)]
pub(super) struct Node<M> {
    key: u64,
    /// What else tells the position from others, should they share the key.
    signature: u32,
    pub(super) mover: Seat,
    /// The backed-up values, by the seats of this node, within the bounds.
    pub(super) values: Values,
    pub(super) bounds: Bounds,
    /// Nothing is left to find out here.
    pub(super) resolved: bool,
    /// Some moves were opened, though not necessarily all.
    pub(super) expanded: bool,
    /// The last iteration of this search that came through.
    pub(super) iteration: u64,
    pub(super) visits: u32,
    pub(super) edges: Vec<Edge<M>>,
    /// Moves to open later, the next one first. Of a node that is not expanded: known only if the order matters.
    pub(super) unopened: Vec<M>,
}

/// A move that was opened.
#[derive(Clone, Debug)]
pub(super) struct Edge<M> {
    pub(super) m: M,
    pub(super) child: Id,
    /// The single legal moves that follow it.
    pub(super) forced: Box<[M]>,
    /// Where everybody sits after all of them.
    pub(super) permutation: SeatPermutation,
    pub(super) visits: u32,
}

/// All nodes, and the way to find those whose position comes up again.
#[derive(Clone, Debug)]
pub(super) struct Table<M> {
    pub(super) nodes: Vec<Node<M>>,
    by_key: HashMap<u64, Id, BuildHasherDefault<KeyHasher>>,
}

/// What a position is looked up by.
#[derive(Clone, Copy)]
pub(super) struct Name {
    key: u64,
    signature: u32,
}

impl Name {
    /// The name of a position with these legal moves.
    pub(super) fn of<G: Game>(position: &G, moves: &[G::Move]) -> Self {
        let mut hasher = Fnv::default();
        (position.to_move(), moves).hash(&mut hasher);
        Self { key: position.key(), signature: hasher.finish() as u32 }
    }
}

impl<M: Copy> Default for Table<M> {
    fn default() -> Self {
        Self { nodes: Vec::new(), by_key: HashMap::default() }
    }
}

impl<M: Copy> Table<M> {
    /// The node of a position that was seen before.
    ///
    /// Two positions may share a key. It would take two that share the mover and the list of legal moves as well to
    /// be taken for one another here, and every link of the table was made by this lookup.
    pub(super) fn find(&self, name: Name) -> Option<Id> {
        let id = *self.by_key.get(&name.key)?;
        (self.nodes[id as usize].signature == name.signature).then_some(id)
    }

    /// A node for a position that was not [found](Self::find). If its key is taken it stays without a name.
    pub(super) fn add(&mut self, name: Name, mover: Seat) -> Id {
        let id = self.nodes.len() as Id;
        self.nodes.push(Node {
            key: name.key,
            signature: name.signature,
            mover,
            values: Values::default(),
            bounds: Bounds::OPEN,
            resolved: false,
            expanded: false,
            iteration: 0,
            visits: 0,
            edges: Vec::new(),
            unopened: Vec::new(),
        });
        self.by_key.entry(name.key).or_insert(id);
        id
    }

    pub(super) fn node(&self, id: Id) -> &Node<M> {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Node<M> {
        &mut self.nodes[id as usize]
    }

    /// What is certain after an edge, in the seat order before it.
    pub(super) fn bounds_after(&self, edge: &Edge<M>) -> Bounds {
        self.node(edge.child).bounds.to_parent(edge.permutation)
    }

    /// What can be expected after an edge, in the seat order before it.
    pub(super) fn values_after(&self, edge: &Edge<M>) -> Values {
        edge.permutation.to_parent(self.node(edge.child).values)
    }

    /// Everything that can be reached from `root`, which becomes the first node.
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
            // A name lost to a node that is gone may be had now.
            kept.by_key.entry(node.key).or_insert(new as Id);
            kept.nodes.push(node);
        }
        kept
    }
}

/// Keys are spread well already.
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
        // Toy games have small keys; the table looks at the highest bits too.
        self.0 = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A signature that is the same in every run, which the standard hasher does not promise.
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
