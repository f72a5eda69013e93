//! Random choices and random playouts, with a generator that is passed in.

use rand::Rng;

use crate::Game;

/// A uniform index below `count`.
///
/// Uses one multiplication instead of a rejection loop; the bias is below `count / 2⁶⁴`.
///
/// # Panics
/// In debug builds, if `count` is 0.
#[inline]
pub fn pick(rng: &mut impl Rng, count: usize) -> usize {
    debug_assert!(count > 0, "nothing to pick from");
    ((u128::from(rng.next_u64()) * count as u128) >> 64) as usize
}

/// Plays uniformly random legal moves to the end of the game, generating the full legal list at every ply, and
/// returns the number of plies. `moves` is scratch space.
pub fn play_out<G: Game>(position: &mut G, rng: &mut impl Rng, moves: &mut Vec<G::Move>) -> u32 {
    let mut plies = 0;
    loop {
        position.legal_moves(moves);
        if moves.is_empty() {
            return plies;
        }
        let m = moves[pick(rng, moves.len())];
        position.play_unchecked(m, &mut ());
        plies += 1;
    }
}

/// Derives an independent seed for every index and purpose.
pub fn derive_seed(seed: u64, index: u64, purpose: u64) -> u64 {
    [seed, index, purpose].into_iter().fold(0x9e37_79b9_7f4a_7c15, |state, word| {
        // The finaliser of SplitMix64.
        let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}
