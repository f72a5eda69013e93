//! The twelve planes of [`SeedFeatures`](crate::SeedFeatures) for policy and value networks, to measure others by.
//!
//! For each seat, counted from the seat to move: cells with a ring of that seat (planes 0–3), with a stack that it controls
//! (4–7), with its territory (8–11). The only global is 1. Moves are encoded as for [`RingRiftPv`](super::RingRiftPv).
//! Markers, heights, hands, phases and the edge of hex boards are not among the inputs.

use std::marker::PhantomData;

use game::{Game, MAX_SEATS, Seat};
use nn::{Grid, PvInput, PvLayout, PvTarget};
use ringrift::{Content, Geometry, Move, Position, Rules};

use super::{
    PvEncoder, relative,
    ringrift_cells::{end_of, family, grid_of},
    ringrift_policy::{POOLED, PolicyPlanes, add_moves, place},
};

const PLANES: usize = 3 * MAX_SEATS;
const STACKS: usize = MAX_SEATS;
const TERRITORY: usize = 2 * MAX_SEATS;

/// The twelve-plane encoder of RingRift on the board `B`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingRiftSeedPv<B>(PhantomData<B>);

impl<B: Geometry> PvEncoder<Position<B>> for RingRiftSeedPv<B> {
    fn id() -> String {
        format!("ringrift-{}-seed12-pv", family::<B>())
    }

    fn layout() -> PvLayout {
        let policy_planes = PolicyPlanes::new(B::AXES).count;
        PvLayout { planes: PLANES, globals: 1, policy_planes, policy_pooled: POOLED }
    }

    fn grid(_: &Rules) -> Grid {
        grid_of::<B>()
    }

    fn encode(position: &Position<B>, moves: &[Move], input: &mut PvInput<f32>) {
        let (seats, mover) = (position.seats(), position.to_move());
        input.reset(&Self::layout(), B::SIZE * B::SIZE, seats);
        input.globals[0] = 1.0;
        for (cell, content) in position.contents() {
            let planes = &mut input.planes[place::<B>(cell) * PLANES..][..PLANES];
            match content {
                Content::Empty | Content::Marker(_) => {}
                Content::Collapsed(owner) => planes[TERRITORY + relative(owner, mover, seats)] = 1.0,
                Content::Stack(stack) => {
                    for owner in Seat::all(seats).filter(|&owner| stack.count(owner) > 0) {
                        planes[relative(owner, mover, seats)] = 1.0;
                    }
                    if let Some(controller) = stack.top() {
                        planes[STACKS + relative(controller, mover, seats)] = 1.0;
                    }
                }
            }
        }
        add_moves(position, moves, input);
    }

    fn encode_end(last: &Position<B>, seat: Seat, target: &mut PvTarget<f32>) {
        end_of(last, seat, target);
    }
}
