//! Chains in danger of capture.

use go::{Board, Colour, Points};

use super::sign;

/// The threats against the chains of a board.
pub(super) struct Threats<P> {
    /// Stones that count as captured.
    pub(super) lost: P,
    /// Black's expected losses by other threats minus White's, in points.
    pub(super) doubtful: f32,
}

/// Probabilities of losing a chain that does not count as captured.
const ANOTHER_ATARI: f32 = 0.5;
const ATARI_ON_MOVER: f32 = 0.15;
const LADDER: f32 = 0.7;
const TWO_LIBERTIES: f32 = 0.08;

/// Assesses every chain with few liberties. `kept` is the unconditional territory of each colour: opposing stones in it
/// are lost, own stones are safe.
///
/// The mover has time to capture the largest chain in atari, and can save its own chains as far as ladders allow.
pub(super) fn threats<P: Points>(board: &Board<P>, mover: Colour, kept: [P; 2]) -> Threats<P> {
    let mut lost = P::EMPTY;
    for colour in Colour::BOTH {
        lost = lost | board.stones(colour) & kept[colour.other().index()];
    }
    let waiting = mover.other();
    let mut doubtful = 0.0;
    let mut prey = P::EMPTY;
    let ladders = board.caught_in_ladders(waiting);
    for (chain, liberties) in weak(board, waiting, lost | kept[waiting.index()]) {
        let chance = if liberties == 1 {
            if chain.len() > prey.len() {
                prey = chain;
            }
            ANOTHER_ATARI
        } else if (chain & ladders).is_empty() {
            TWO_LIBERTIES
        } else {
            LADDER
        };
        doubtful += sign(waiting) * chance * stake(chain);
    }
    if !prey.is_empty() {
        doubtful -= sign(waiting) * ANOTHER_ATARI * stake(prey);
        lost = lost | prey;
    }
    let hopeless = board.lost_in_ladders(mover);
    for (chain, liberties) in weak(board, mover, lost | kept[mover.index()]) {
        if !(chain & hopeless).is_empty() {
            lost = lost | chain;
            continue;
        }
        let chance = if liberties == 1 { ATARI_ON_MOVER } else { TWO_LIBERTIES };
        doubtful += sign(mover) * chance * stake(chain);
    }
    Threats { lost, doubtful }
}

/// The chains of a colour with one or two liberties, except those in `settled`.
fn weak<P: Points>(board: &Board<P>, colour: Colour, settled: P) -> impl Iterator<Item = (P, u32)> {
    let open = board.stones(colour).without(settled);
    open.parts().map(|chain| (chain, board.liberties(chain).len())).filter(|&(_, liberties)| liberties <= 2)
}

/// The points at stake in a chain: those of its owner and those of the captor.
fn stake<P: Points>(chain: P) -> f32 {
    2.0 * chain.len() as f32 + 1.0
}
