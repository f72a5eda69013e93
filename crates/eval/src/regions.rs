//! Regions that the mover can claim now, and regions that one more marker would cut off.
//!
//! Both are estimates: only the rules decide whether a claim is legal. A single claim often decides a game, and the
//! marker that makes it possible is the one that a stack leaves where it starts, which with a ring in hand may be
//! nearly anywhere. This is why the heuristic looks one move ahead here.

use game::{Game, Seat};
use ringrift::{Bits, Geometry, Phase, Position};

/// Cells to be collapsed and rings to be credited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Claim {
    pub(crate) cells: u32,
    pub(crate) rings: u32,
}

impl Claim {
    fn of<B: Geometry>(position: &Position<B>, region: B::Bits) -> Self {
        let stacks = (region & position.all_stacks()).cells();
        Self { cells: region.count(), rings: stacks.map(|cell| position.stack(cell).height()).sum() }
    }

    /// The claim as a fraction of a win: cells relative to territory, rings relative to credits.
    pub(crate) fn worth<B: Geometry>(self, position: &Position<B>) -> f32 {
        let goals = position.goals();
        self.cells as f32 / f32::from(goals.territory) + self.rings as f32 / f32::from(goals.eliminations)
    }

    /// Whether `seat` would win by the claim, counting the ring that it costs.
    pub(crate) fn wins<B: Geometry>(self, position: &Position<B>, seat: Seat) -> bool {
        let goals = position.goals();
        let by_rings = || position.credits(seat) + self.rings + 1 >= u32::from(goals.eliminations);
        let by_cells = || position.territory(seat) + self.cells >= u32::from(goals.territory);
        self.cells > 0 && (by_rings() || by_cells())
    }
}

/// Whether some colour on the board has no stack in `region`, which is a condition for claiming it.
fn lacks_a_colour<B: Geometry>(position: &Position<B>, region: B::Bits) -> bool {
    Seat::all(position.seats())
        .any(|seat| position.rings_on_board(seat) > 0 && !position.controlled_by(seat).meets(region))
}

/// The best claim that the mover can make now behind walls of one colour.
pub(crate) fn claim_now<B: Geometry>(position: &Position<B>, collapsed: B::Bits) -> Claim {
    let payers = position.controlled_by(position.to_move());
    let mut most = Claim::default();
    if payers.is_empty() {
        return most;
    }
    for colour in Seat::all(position.seats()) {
        let walls = position.markers_of(colour);
        if walls.is_empty() {
            continue;
        }
        let mut found = Claim::default();
        let mut rest = B::ON_BOARD.without(collapsed | walls);
        while let Some(first) = rest.first() {
            let region = B::flood(first, rest);
            rest = rest.without(region);
            if !payers.without(region).is_empty() && lacks_a_colour(position, region) {
                let claim = Claim::of(position, region);
                found = Claim { cells: found.cells + claim.cells, rings: found.rings + claim.rings };
            }
        }
        if found.worth(position) > most.worth(position) {
            most = found;
        }
    }
    most
}

/// The cells where `seat` can leave a marker with its next move.
fn departures<B: Geometry>(position: &Position<B>, seat: Seat, collapsed: B::Bits) -> B::Bits {
    let own = position.controlled_by(seat);
    if position.to_move() == seat {
        if let Some(focus) = position.focus() {
            return B::Bits::EMPTY.with(focus);
        }
        match position.phase() {
            Phase::RingPlacement => {}
            Phase::Movement => return own,
            _ => return B::Bits::EMPTY,
        }
    }
    if position.hand(seat) == 0 {
        return own;
    }
    B::ON_BOARD.without(collapsed | position.all_markers() | position.all_stacks()) | own
}

/// The most valuable region that one more marker of `seat` would cut off.
pub(crate) fn best_closing<B: Geometry>(position: &Position<B>, seat: Seat, collapsed: B::Bits) -> Claim {
    let open = B::ON_BOARD.without(collapsed | position.markers_of(seat));
    let own = position.controlled_by(seat);
    let mut best = (0.0, Claim::default());
    for cell in (narrows::<B>(open) & departures(position, seat, collapsed)).cells() {
        let rest = open.without(B::Bits::EMPTY.with(cell));
        let beside = around::<B>(B::Bits::EMPTY.with(cell)) & rest;
        let mut left = beside;
        while let Some(first) = left.first() {
            let region = B::flood(first, rest);
            if beside.without(region).is_empty() {
                // The open cells around this cell are connected elsewhere.
                break;
            }
            left = left.without(region);
            // A stack that is placed next can stand outside.
            let payable = position.hand(seat) > 0 || !own.without(region).is_empty();
            if payable && lacks_a_colour(position, region) {
                let claim = Claim::of(position, region);
                let worth = claim.worth(position);
                if worth > best.0 {
                    best = (worth, claim);
                }
            }
        }
    }
    best.1
}

/// The neighbours of these cells.
#[inline]
fn around<B: Geometry>(cells: B::Bits) -> B::Bits {
    B::sides().fold(B::Bits::EMPTY, |all, side| all | B::shift(cells, side))
}

/// The cells whose open neighbours form two or more separate parts, computed for all cells at once. Only there can one
/// more wall cut off a region.
fn narrows<B: Geometry>(open: B::Bits) -> B::Bits {
    // Directions in circular order around the cell; on squares every second one is diagonal.
    const SQUARE: [usize; 8] = [0, 4, 2, 7, 1, 5, 3, 6];
    const HEX: [usize; 6] = [0, 2, 4, 1, 3, 5];
    // A wall that touches no other closes nothing, so it is removed before looking for narrows.
    let lonely = B::directions()
        .fold(B::ON_BOARD.without(open), |lonely, direction| lonely & B::shift(open, direction));
    let open = open | lonely;
    let mut by_direction = [B::Bits::EMPTY; 8];
    for (neighbours, direction) in by_direction.iter_mut().zip(B::directions()) {
        *neighbours = B::shift(open, direction);
    }
    let (mut once, mut twice) = (B::Bits::EMPTY, B::Bits::EMPTY);
    let mut count_end = |end| {
        twice = twice | (once & end);
        once = once | end;
    };
    // A part ends where the next neighbour is not open.
    if B::HEX {
        for (place, &direction) in HEX.iter().enumerate() {
            count_end(by_direction[direction].without(by_direction[HEX[(place + 1) % 6]]));
        }
    } else {
        for place in [0, 2, 4, 6] {
            let [side, corner, next] =
                [place, place + 1, (place + 2) % 8].map(|place| by_direction[SQUARE[place]]);
            count_end(side.without(corner & next));
        }
    }
    twice
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pick;
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
    use ringrift::{Board, Rules, on_board};

    /// The best closing found by trying every cell.
    fn tried<B: Geometry>(position: &Position<B>, seat: Seat) -> f32 {
        let collapsed = position.all_collapsed();
        let open = B::ON_BOARD.without(collapsed | position.markers_of(seat));
        let mut best = 0.0_f32;
        for cell in departures(position, seat, collapsed).cells() {
            let rest = open.without(B::Bits::EMPTY.with(cell));
            let whole = if open.contains(cell) { B::flood(cell, open) } else { B::Bits::EMPTY };
            let mut left = whole & rest;
            while let Some(first) = left.first() {
                let region = B::flood(first, rest);
                let split = region != whole & rest;
                left = left.without(region);
                let payable =
                    position.hand(seat) > 0 || !position.controlled_by(seat).without(region).is_empty();
                if split && payable && lacks_a_colour(position, region) {
                    best = best.max(Claim::of(position, region).worth(position));
                }
            }
        }
        best
    }

    #[test]
    fn the_best_closing_equals_that_of_trying_every_cell() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
        for (board, seats) in Board::ALL.into_iter().flat_map(|board| [2, 4].map(|seats| (board, seats))) {
            on_board!(board, B => {
                let mut moves = Vec::new();
                let (mut found, every) = (0, if board.cells() > 100 { 40 } else { 3 });
                for game in 0..6 {
                    let rings = (game % 2 == 0).then_some(12);
                    let mut position = Position::<B>::new(&Rules { rings, ..Rules::new(seats) });
                    for ply in 0..600 {
                        position.legal_moves(&mut moves);
                        if moves.is_empty() {
                            break;
                        }
                        position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
                        if ply % every != 0 {
                            continue;
                        }
                        for seat in Seat::all(position.seats()) {
                            let best = best_closing(&position, seat, position.all_collapsed());
                            let (best, tried) = (best.worth(&position), tried(&position, seat));
                            assert!((best - tried).abs() < 1e-6, "{position:?}, seat {seat}: {best}, {tried}");
                            found += u32::from(best > 0.0);
                        }
                    }
                }
                assert!(found > 5, "{board} for {seats}: only {found} closings to compare");
            });
        }
    }
}
