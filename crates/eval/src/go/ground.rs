//! Whose the points are.

use go::{Board, Colour, Points};

/// What a point counts by its distance from the nearest stone; further ones count like the last.
const BY_DISTANCE: [f32; 4] = [0.9, 0.7, 0.45, 0.25];

/// By how many points Black is ahead: stones, and empty points by who is nearer.
///
/// Distances are walked over empty points, both colours at the same pace, and whoever comes first keeps the other from
/// going on there. What both reach at once is nobody's. Regions that one colour alone borders count in full once they
/// are small: nothing can live in them.
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

/// Points of a region in which an invader hardly finds room for two eyes.
const SMALL: u32 = 7;
