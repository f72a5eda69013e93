//! The components, each a small function of one seat. Rings are counted in starting hands and cells in winning
//! territories, so that a weight means about the same on every board.

use game::{Game, Seat};
use ringrift::{Bits, Geometry, Phase};

use crate::facts::Facts;

pub(crate) fn stacks<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.of(seat).stacks as f32 * facts.ring
}

/// A stack of more than five rings hardly moves any more, so the rest counts nothing.
pub(crate) fn height<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.of(seat).height as f32 * facts.ring
}

pub(crate) fn caps<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.of(seat).caps as f32 * facts.ring
}

pub(crate) fn centre<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    (facts.position.controlled_by(seat) & facts.centre).count() as f32 * facts.ring
}

pub(crate) fn hand<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.position.hand(seat) as f32 * facts.ring
}

pub(crate) fn captives<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    (facts.position.rings_on_board(seat) - facts.of(seat).held) as f32 * facts.ring
}

pub(crate) fn credits<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.position.credits(seat) as f32 / f32::from(facts.position.goals().eliminations)
}

pub(crate) fn territory<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.position.territory(seat) as f32 * facts.cell
}

/// Fourth powers: half way to a goal is worth a sixteenth of it. The better of the two ways counts.
pub(crate) fn proximity<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    credits(facts, seat).max(territory(facts, seat)).min(1.0).powi(4)
}

pub(crate) fn markers<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.position.markers_of(seat).count() as f32 * facts.cell
}

pub(crate) fn chains<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let markers = facts.position.markers_of(seat);
    // One direction of each axis sees every pair once.
    let pairs = B::directions().step_by(2).map(|forward| (markers & B::shift(markers, forward)).count());
    pairs.sum::<u32>() as f32 * facts.cell
}

/// Windows of a line's length with one cell short; that cell may hold anything but territory, since a marker of
/// another seat can be turned and a stack leaves a marker behind.
pub(crate) fn near_lines<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let markers = facts.position.markers_of(seat);
    let length = facts.position.goals().line_length;
    if markers.count() + 1 < u32::from(length) {
        return 0.0;
    }
    let mut windows = 0;
    for forward in B::directions().step_by(2) {
        // Ends of windows by what they lack so far: nothing, or one marker.
        let (mut whole, mut short) = (B::ON_BOARD, B::Bits::EMPTY);
        let (mut own, mut open) = (markers, B::ON_BOARD.without(facts.collapsed));
        for _ in 0..length {
            short = (short & own) | (whole & open).without(own);
            whole = whole & own;
            own = B::shift(own, forward);
            open = B::shift(open, forward);
        }
        windows += (short & B::ON_BOARD).count();
    }
    windows as f32 * facts.cell
}

/// Own markers and the directions in which a wall goes on: an own marker, territory, or the edge.
pub(crate) fn walls<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let markers = facts.position.markers_of(seat);
    let open = B::ON_BOARD.without(facts.collapsed | markers);
    let directions = 2 * B::AXES as u32;
    let into_the_open: u32 =
        B::directions().map(|direction| (markers & B::shift(open, direction)).count()).sum();
    (directions * markers.count() - into_the_open) as f32 / directions as f32 * facts.cell
}

/// Cells and rings that own walls cut off where at least one colour is missing, and that a stack outside can pay
/// for. An estimate: whether a claim is legal is for the rules to say, when the time comes.
pub(crate) fn enclosures<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let position = facts.position;
    let payers = position.controlled_by(seat);
    if payers.is_empty() || position.markers_of(seat).is_empty() {
        return 0.0;
    }
    let present = Seat::all(position.seats()).filter(|&other| position.rings_on_board(other) > 0);
    let mut rest = B::ON_BOARD.without(facts.collapsed | position.markers_of(seat));
    let mut worth = 0.0;
    while let Some(first) = rest.first() {
        let region = B::flood(first, rest);
        rest = rest.without(region);
        let payable = !payers.without(region).is_empty();
        if payable && present.clone().any(|other| !position.controlled_by(other).meets(region)) {
            let rings: u32 =
                (region & position.all_stacks()).cells().map(|cell| position.stack(cell).height()).sum();
            worth +=
                region.count() as f32 * facts.cell + rings as f32 / f32::from(position.goals().eliminations);
        }
    }
    worth
}

pub(crate) fn mobility<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.of(seat).ways as f32 / (2 * B::AXES) as f32 * facts.ring
}

pub(crate) fn blocked<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.of(seat).blocked as f32 * facts.ring
}

pub(crate) fn overtakes<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.of(seat).targets.count() as f32 * facts.ring
}

pub(crate) fn vulnerable<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.of(seat).attacked.count() as f32 * facts.ring
}

/// Threats can be parried, unless it is one's own turn.
pub(crate) fn initiative<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let position = facts.position;
    let about_to_move = position.to_move() == seat
        && matches!(position.phase(), Phase::RingPlacement | Phase::Movement)
        && position.focus().is_none();
    if about_to_move { overtakes(facts, seat) } else { 0.0 }
}

pub(crate) fn stackless<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    f32::from(u8::from(facts.of(seat).stacks == 0))
}

pub(crate) fn idle<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let stuck = facts.of(seat).ways == 0 && facts.position.hand(seat) == 0;
    f32::from(u8::from(stuck))
}

pub(crate) fn alone<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let standing = facts.position.standing();
    let rounds = if standing.alone == Some(seat) { standing.rounds } else { 0 };
    f32::from(rounds) / f32::from(facts.position.rules().lps_rounds)
}

/// No stack, a marker to slide and a buried ring to pay with (R110).
pub(crate) fn recovery<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let position = facts.position;
    let eligible = facts.of(seat).stacks == 0
        && position.rings_on_board(seat) > 0
        && !position.markers_of(seat).is_empty();
    f32::from(u8::from(eligible))
}
