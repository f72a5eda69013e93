//! The components of the heuristic, each a small function of one seat. Rings are measured in units of a starting hand
//! and cells in units of a winning territory, so that weights are comparable between boards.

use game::{Game, Seat};
use ringrift::{Bits, Geometry};

use crate::facts::Facts;

pub(crate) fn stacks<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    f32::from(facts.tally(seat).stacks) * facts.ring
}

pub(crate) fn height<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    f32::from(facts.tally(seat).height) * facts.ring
}

pub(crate) fn caps<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    f32::from(facts.tally(seat).caps) * facts.ring
}

pub(crate) fn thin<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    f32::from(facts.tally(seat).thin) * facts.ring
}

pub(crate) fn hand<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.position.hand(seat) as f32 * facts.ring
}

pub(crate) fn captives<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    (facts.position.rings_on_board(seat) - u32::from(facts.tally(seat).held)) as f32 * facts.ring
}

pub(crate) fn credits<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.position.credits(seat) as f32 / f32::from(facts.position.goals().eliminations)
}

pub(crate) fn territory<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.position.territory(seat) as f32 * facts.cell
}

/// The fourth power of the progress towards the nearer of the two goals: half-way counts a sixteenth.
pub(crate) fn proximity<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    credits(facts, seat).max(territory(facts, seat)).min(1.0).powi(4)
}

pub(crate) fn markers<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.position.markers_of(seat).count() as f32 * facts.cell
}

fn if_to_move<B: Geometry>(facts: &Facts<'_, B>, seat: Seat, value: impl FnOnce() -> f32) -> f32 {
    if facts.position.to_move() == seat { value() } else { 0.0 }
}

pub(crate) fn tempo<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    if_to_move(facts, seat, || 1.0)
}

pub(crate) fn claims<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    if_to_move(facts, seat, || facts.claim.worth(facts.position))
}

pub(crate) fn winning_claim<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    if_to_move(facts, seat, || truth(facts.claim.wins(facts.position, seat)))
}

pub(crate) fn closings<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    facts.of(seat).closing.worth(facts.position)
}

pub(crate) fn next_closing<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    if_to_move(facts, seat, || closings(facts, seat))
}

pub(crate) fn winning_closing<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    if_to_move(facts, seat, || truth(facts.of(seat).closing.wins(facts.position, seat)))
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

/// A capture takes one ring, so a cap of one is lost at once.
pub(crate) fn exposed<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let attacked = facts.of(seat).attacked.cells();
    attacked.filter(|&cell| facts.position.stack(cell).cap() == 1).count() as f32 * facts.ring
}

pub(crate) fn stackless<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    truth(facts.tally(seat).stacks == 0)
}

pub(crate) fn idle<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    truth(facts.of(seat).ways == 0 && facts.position.hand(seat) == 0)
}

pub(crate) fn alone<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let standing = facts.position.standing();
    let rounds = if standing.alone == Some(seat) { standing.rounds } else { 0 };
    f32::from(rounds) / f32::from(facts.position.rules().lps_rounds)
}

/// No stack, a marker to slide and a buried ring for the cost (R110).
pub(crate) fn recovery<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> f32 {
    let position = facts.position;
    truth(
        facts.tally(seat).stacks == 0
            && position.rings_on_board(seat) > 0
            && !position.markers_of(seat).is_empty(),
    )
}

fn truth(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}
