//! The legal moves of one position, generated when they are first needed.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

use crate::{hostable::Hostable, view::MoveView};

/// Legal moves and how they are made by clicks, until the position changes.
pub(super) struct Legal<G: Hostable> {
    moves: OnceLock<Vec<G::Move>>,
    offers: OnceLock<Vec<MoveView>>,
    /// How often they were generated, for all positions so far.
    generations: AtomicU64,
}

impl<G: Hostable> Default for Legal<G> {
    fn default() -> Self {
        Self { moves: OnceLock::new(), offers: OnceLock::new(), generations: AtomicU64::new(0) }
    }
}

impl<G: Hostable> Clone for Legal<G> {
    fn clone(&self) -> Self {
        Self {
            moves: self.moves.clone(),
            offers: self.offers.clone(),
            generations: AtomicU64::new(self.generations()),
        }
    }
}

impl<G: Hostable> Legal<G> {
    /// The legal moves of `position`, which must be the same until [`Legal::clear`].
    pub(super) fn moves(&self, position: &G) -> &[G::Move] {
        self.moves.get_or_init(|| {
            self.generations.fetch_add(1, Ordering::Relaxed);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves
        })
    }

    /// The same as clicks.
    pub(super) fn offers(&self, position: &G) -> &[MoveView] {
        self.offers.get_or_init(|| self.moves(position).iter().map(|&m| position.offer(m)).collect())
    }

    /// Whether `m` is known to be legal. `false` says nothing if the moves have not been generated.
    pub(super) fn has(&self, m: G::Move) -> bool {
        self.moves.get().is_some_and(|moves| moves.contains(&m))
    }

    /// Another position has come.
    pub(super) fn clear(&mut self) {
        (self.moves, self.offers) = (OnceLock::new(), OnceLock::new());
    }

    pub(super) fn generations(&self) -> u64 {
        self.generations.load(Ordering::Relaxed)
    }
}
