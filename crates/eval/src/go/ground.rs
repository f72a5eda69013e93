//! Ownership of stones and empty points.

use go::{Board, Colour, Points};

/// The value of an empty point by its distance from the nearest stone; larger distances count like the last.
const BY_DISTANCE: [f32; 4] = [0.9, 0.7, 0.45, 0.25];

/// Black's lead in points: stones, and empty points by the nearer colour.
///
/// Both colours expand over empty points at the same pace; a point belongs to the colour that reaches it first and
/// blocks the other. Points that both reach at the same time are neutral. Small regions that only one colour borders
/// count in full, since the opponent cannot live in them.
pub(super) fn lead<P: Points>(board: &Board<P>) -> f32 {
    let stones = Colour::BOTH.map(|colour| board.stones(colour));
    let mut lead = stones[0].len() as f32 - stones[1].len() as f32;
    let mut free = board.empty();
    let surrounded = board.surrounded();
    for (own, sign) in surrounded.into_iter().zip([1.0, -1.0]) {
        for region in own.parts().filter(|region| region.len() <= SMALL) {
            lead += sign * region.len() as f32;
            free = free.without(region);
        }
    }
    let mut edges = stones;
    for distance in 0.. {
        let next = edges.map(|edge| edge.around() & free);
        let both = next[0] & next[1];
        free = free.without(next[0] | next[1]);
        edges = next.map(|points| points.without(both));
        let weight = BY_DISTANCE[distance.min(BY_DISTANCE.len() - 1)];
        lead += weight * (edges[0].len() as f32 - edges[1].len() as f32);
        if (edges[0] | edges[1]).is_empty() {
            return lead;
        }
    }
    lead
}

/// The maximum size of a region in which an invader can hardly make two eyes.
const SMALL: u32 = 7;
