//! Perft: counts of move sequences, to verify move generators.

use crate::Game;

/// Counts the move sequences of exactly `depth` plies, and the shorter ones that end the game.
///
/// ```
/// use game::{Game, perft, toy::{Take, TakeRules}};
/// let start = Take::new(&TakeRules { tokens: 4, most: 2, seats: 2 });
/// assert_eq!(perft(&start, 1), 1);
/// assert_eq!(perft(&start, 2), 2);
/// ```
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    fn count<G: Game>(position: &G, depth: u32, lists: &mut [Vec<G::Move>]) -> u64 {
        let Some((moves, deeper)) = lists.split_first_mut() else { return 1 };
        position.legal_moves(moves);
        if moves.is_empty() {
            return 1;
        }
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|&m| {
                let mut child = position.clone();
                child.play_unchecked(m, &mut ());
                count(&child, depth - 1, deeper)
            })
            .sum()
    }
    count(position, depth, &mut vec![Vec::new(); depth as usize])
}

/// [`perft`] of every move separately, in the order of the legal list. Helps to find where two engines differ.
pub fn perft_split<G: Game>(position: &G, depth: u32) -> Vec<(G::Move, u64)> {
    let mut moves = Vec::new();
    if depth > 0 {
        position.legal_moves(&mut moves);
    }
    moves
        .into_iter()
        .map(|m| {
            let mut child = position.clone();
            child.play_unchecked(m, &mut ());
            (m, perft(&child, depth - 1))
        })
        .collect()
}
