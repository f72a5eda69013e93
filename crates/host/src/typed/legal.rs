//! A lazy cache of the legal moves of one position.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

use crate::{hostable::Hostable, view::MoveView};

/// The legal moves of a position and their views, generated on first use.
pub(super) struct Legal<G: Hostable> {
    moves: OnceLock<Vec<G::Move>>,
    offers: OnceLock<Vec<MoveView>>,
    /// The number of generations so far, over all positions.
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
    /// The legal moves of `position`, which must not change until [`Legal::clear`].
    pub(super) fn moves(&self, position: &G) -> &[G::Move] {
        self.moves.get_or_init(|| {
            self.generations.fetch_add(1, Ordering::Relaxed);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves
        })
    }

    /// The views of the legal moves.
    pub(super) fn offers(&self, position: &G) -> &[MoveView] {
        self.offers.get_or_init(|| self.moves(position).iter().map(|&m| position.offer(m)).collect())
    }

    /// Whether `m` is known to be legal; also `false` if the moves have not been generated.
    pub(super) fn has(&self, m: G::Move) -> bool {
        self.moves.get().is_some_and(|moves| moves.contains(&m))
    }

    /// Empties the cache, because the position has changed.
    pub(super) fn clear(&mut self) {
        (self.moves, self.offers) = (OnceLock::new(), OnceLock::new());
    }

    pub(super) fn generations(&self) -> u64 {
        self.generations.load(Ordering::Relaxed)
    }
}
