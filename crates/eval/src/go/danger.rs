//! Chains that will not stay.

use go::{Board, Colour, Points};

use super::sign;

/// What threatens the chains of a board.
pub(super) struct Threats<P> {
    /// Stones to be counted as taken.
    pub(super) lost: P,
    /// Points that Black has to expect to lose by other threats, less those of White.
    pub(super) doubtful: f32,
}

/// Chances to lose a chain that is not as good as lost.
const ANOTHER_ATARI: f32 = 0.5;
const ATARI_ON_MOVER: f32 = 0.15;
const LADDER: f32 = 0.7;
const TWO_LIBERTIES: f32 = 0.08;

/// Looks at every chain of few liberties. `kept` is what each colour has for certain: enemy stones in there are
/// lost, own ones safe.
///
/// Whoever is to move takes the largest chain in atari, for which there is time, and has as much trouble saving an own
/// chain as a ladder says.
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

/// The chains of a colour with one or two liberties, but for those settled already.
fn weak<P: Points>(board: &Board<P>, colour: Colour, settled: P) -> impl Iterator<Item = (P, u32)> {
    let open = board.stones(colour).without(settled);
    open.parts().map(|chain| (chain, board.liberties(chain).len())).filter(|&(_, liberties)| liberties <= 2)
}

/// What hangs on a chain, in points: its own and those of whoever takes it.
fn stake<P: Points>(chain: P) -> f32 {
    2.0 * chain.len() as f32 + 1.0
}
