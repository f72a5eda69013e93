//! A small tree search about the fate of one chain: the attacker wants to capture it, the defender to keep it.
//!
//! Playouts alone find neither the one move that saves a group nor the one that kills it. The tree contains moves near
//! the chain and passes; the leaves are careful playouts.

use rand::Rng;

use super::{
    CarefulPlayouts,
    playout_board::{EMPTY, PlayoutBoard},
    sized_board::{SizedBoard, with_board},
};
use crate::{Colour, Point, Points};

/// The weight of exploration, for results of 0 and 1.
const EXPLORATION: f32 = 0.4;

/// The visits of a leaf before it gets children.
const EXPANSION: u32 = 4;

/// Moves are tried up to this many steps away from the chain, diagonals included.
const REACH: usize = 2;

/// A position in the tree, reached by `at` (or a pass) from its parent.
struct Node {
    at: Option<usize>,
    visits: u32,
    /// The number of playouts in which the chain was kept.
    kept: u32,
    /// The children are `first..first + count`; there are none if `count` is 0.
    first: usize,
    count: usize,
}

impl Node {
    const fn new(at: Option<usize>) -> Self {
        Self { at, visits: 0, kept: 0, first: 0, count: 0 }
    }
}

impl CarefulPlayouts {
    /// The share of playouts in which `colour` keeps most points of its chain `stones`, if both colours choose their
    /// next moves near it as well as a search of this many playouts can.
    pub(crate) fn survival<P: Points>(
        &self,
        stones: P,
        colour: Colour,
        rng: &mut impl Rng,
        playouts: u32,
    ) -> f32 {
        with_board!(&self.board, board => {
            let cells: Vec<usize> = stones.iter().map(|point: Point| board.cell(point)).collect();
            board.survival(&cells, colour.index() as u8, rng, playouts)
        })
    }
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    fn survival(&self, stones: &[usize], colour: u8, rng: &mut impl Rng, playouts: u32) -> f32 {
        let near = self.surroundings(stones);
        let mut nodes = vec![Node::new(None)];
        let mut path = Vec::new();
        for _ in 0..playouts {
            let mut board = self.clone();
            let (mut at, mut last) = (0, None);
            path.clear();
            path.push(0);
            while !board.is_over() {
                if nodes[at].count == 0 {
                    if nodes[at].visits < EXPANSION {
                        break;
                    }
                    board.expand(&near, at, &mut nodes);
                }
                at = best_child(&nodes, at, board.to_move == colour, rng);
                last = nodes[at].at;
                board.play_or_pass(last);
                path.push(at);
            }
            board.play_carefully(last, rng, |_, _| ());
            let kept = stones.iter().filter(|&&stone| board.belongs_to(stone, colour)).count();
            let kept = u32::from(2 * kept > stones.len());
            for &at in &path {
                nodes[at].visits += 1;
                nodes[at].kept += kept;
            }
        }
        // The most visited line tells what the search came to believe.
        let root = &nodes[0];
        let children = &nodes[root.first..root.first + root.count];
        let believed = children.iter().max_by_key(|child| child.visits).unwrap_or(root);
        believed.kept as f32 / believed.visits.max(1) as f32
    }

    /// The points where moves about these stones are tried: near them, and the liberties of the chains next to them.
    fn surroundings(&self, stones: &[usize]) -> Vec<usize> {
        let mut near = vec![false; CELLS];
        let mut layer = stones.to_vec();
        for step in 0..=REACH {
            let mut next = Vec::new();
            for &at in &layer {
                for n in self.ring(at) {
                    if self.content[n] > EMPTY || near[n] {
                        continue;
                    }
                    near[n] = true;
                    next.push(n);
                    if step == 0 && self.content[n] != EMPTY {
                        self.for_each_liberty(self.chain[n] as usize & Self::MASK, |liberty| {
                            near[liberty] = true;
                        });
                    }
                }
            }
            layer = next;
        }
        // Stones that are captured leave points where moves matter, so these stay in the list.
        (0..CELLS).filter(|&at| near[at]).collect()
    }

    fn for_each_liberty(&self, chain: usize, mut visit: impl FnMut(usize)) {
        let mut at = chain;
        loop {
            self.around(at).into_iter().filter(|&n| self.is_vacant(n)).for_each(&mut visit);
            at = self.next[at] as usize & Self::MASK;
            if at == chain {
                return;
            }
        }
    }

    /// Adds the sensible moves near the chain, and a pass, as children.
    fn expand(&mut self, near: &[usize], at: usize, nodes: &mut Vec<Node>) {
        let first = nodes.len();
        for &cell in near {
            if self.is_vacant(cell) && self.is_sensible(cell, self.to_move) {
                nodes.push(Node::new(Some(cell)));
            }
        }
        nodes.push(Node::new(None));
        (nodes[at].first, nodes[at].count) = (first, nodes.len() - first);
    }

    /// Whether there is a stone of this colour on a point, or the point is empty next to nothing but such stones.
    fn belongs_to(&self, at: usize, colour: u8) -> bool {
        self.content[at] == colour
            || self.is_vacant(at) && self.around(at).iter().all(|&n| self.content[n] != colour ^ 1)
    }
}

/// The child with the largest upper confidence bound, for the colour of the chain or its opponent.
fn best_child(nodes: &[Node], at: usize, keeps: bool, rng: &mut impl Rng) -> usize {
    let Node { first, count, visits, .. } = nodes[at];
    let weight = EXPLORATION * (visits.max(1) as f32).ln().sqrt();
    let bound = |child: &Node| {
        if child.visits == 0 {
            return f32::INFINITY;
        }
        let kept = child.kept as f32 / child.visits as f32;
        (if keeps { kept } else { 1.0 - kept }) + weight / (child.visits as f32).sqrt()
    };
    // Of equal children the first is taken, starting anywhere.
    let start = game::pick(rng, count);
    let indices = (start..count).chain(0..start).map(|index| first + index);
    let mut best = (f32::NEG_INFINITY, first);
    for index in indices {
        let bound = bound(&nodes[index]);
        if bound > best.0 {
            best = (bound, index);
        }
    }
    best.1
}
