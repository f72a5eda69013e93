//! Random positions and moves that quickly reach rare cases of the rules.

use game::{Game, MAX_SEATS, Seat, pick};
use rand::Rng;
use ringrift::{Bits, Content, Draft, Geometry, Kind, Move, Position, Rules, Stack};

/// A random position at the start of some seat's turn: dense or sparse, with few rings in hand and many markers and
/// collapsed cells, so that lines, regions, recovery and eliminations occur within a few plies.
pub(crate) fn scattered<B: Geometry>(rules: Rules, rng: &mut impl Rng) -> Position<B> {
    let seats = rules.seats as usize;
    let mut draft = Draft::new::<B>(rules);
    draft.seat = Seat::new(pick(rng, seats));
    // One seat often gets no stack, as recovery requires.
    let uncrowned = (pick(rng, 3) > 0).then(|| Seat::new(pick(rng, seats)));
    let weights = [pick(rng, 12) + 1, pick(rng, 6), pick(rng, 10), pick(rng, 8)];
    let total: usize = weights.iter().sum();
    let tallest = 1 + pick(rng, 5);
    for cell in B::ON_BOARD.cells() {
        let mut draw = pick(rng, total);
        let sort = weights.iter().position(|&weight| {
            let hit = draw < weight;
            draw = draw.wrapping_sub(weight);
            hit
        });
        let seat = Seat::new(pick(rng, seats));
        let content = match sort {
            Some(1) => {
                let mut stack = Stack::EMPTY;
                for _ in 0..=pick(rng, tallest) {
                    stack = stack.push(Seat::new(pick(rng, seats)));
                }
                while stack.top().is_some() && stack.top() == uncrowned {
                    stack = stack.pop(1).push(Seat::new(pick(rng, seats)));
                }
                Content::Stack(stack)
            }
            Some(2) => Content::Marker(seat),
            Some(3) => Content::Collapsed(seat),
            _ => continue,
        };
        draft.cells.push((cell, content));
    }
    for seat in 0..seats {
        draft.hands[seat] = [0, 0, 1, 2, 5][pick(rng, 5)];
        draft.credits[seat] = pick(rng, 4) as u16;
    }
    draft.hands[seats..].copy_from_slice(&[0; MAX_SEATS][seats..]);
    draft.swap = ringrift::Swap::Closed;
    draft.build().unwrap_or_else(|faults| panic!("scattered pieces make a position: {faults:?}"))
}

/// A random move. Half the time the kind is chosen first, so that rare kinds are as likely as common ones.
fn varied_move(moves: &[Move], rng: &mut impl Rng) -> Move {
    if pick(rng, 2) == 0 {
        return moves[pick(rng, moves.len())];
    }
    let mut kinds: Vec<Kind> = moves.iter().map(|m| m.kind()).collect();
    kinds.sort();
    kinds.dedup();
    let kind = kinds[pick(rng, kinds.len())];
    let of_kind: Vec<Move> = moves.iter().copied().filter(|m| m.kind() == kind).collect();
    of_kind[pick(rng, of_kind.len())]
}

/// Plays up to `most` plies. Calls `visit` before each one with the move about to be played, and once more, without a
/// move, at the end.
pub(crate) fn play_varied<B: Geometry>(
    mut position: Position<B>,
    most: usize,
    rng: &mut impl Rng,
    mut visit: impl FnMut(&Position<B>, Option<Move>),
) {
    let mut moves = Vec::new();
    for _ in 0..most {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let m = varied_move(&moves, rng);
        visit(&position, Some(m));
        position.play_unchecked(m, &mut ());
    }
    visit(&position, None);
}
