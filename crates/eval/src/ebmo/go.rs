//! Go for energy-based move optimisation, on boards of any size: the planes and globals of [`GoPv`].

use ::go::{Move, Points, Position, Rules};
use game::Seat;
use nn::{Grid, PvInput, PvLayout, PvTarget};

use super::{Action, EbmoEncoder};
use crate::{GoPv, PvEncoder};

/// The encoder of Go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoEbmo;

impl<P: Points> PvEncoder<Position<P>> for GoEbmo {
    fn id() -> String {
        "go-ebmo1".to_owned()
    }

    fn layout() -> PvLayout {
        PvLayout { policy_planes: 1, policy_pooled: 0, ..<GoPv as PvEncoder<Position<P>>>::layout() }
    }

    fn grid(rules: &Rules) -> Grid {
        <GoPv as PvEncoder<Position<P>>>::grid(rules)
    }

    fn encode(position: &Position<P>, moves: &[Move], input: &mut PvInput<f32>) {
        <GoPv as PvEncoder<Position<P>>>::encode(position, moves, input);
        input.clear_moves();
        let size = position.board().size();
        for m in moves {
            let mut action = Action::new(if m.point().is_some() { 0 } else { 3 }, 1.0);
            if let Some(point) = m.point() {
                action.touch(1, point.row() * size + point.column(), size);
            }
            action.add(size * size, input);
        }
    }

    fn encode_end(last: &Position<P>, seat: Seat, target: &mut PvTarget<f32>) {
        <GoPv as PvEncoder<Position<P>>>::encode_end(last, seat, target);
    }
}

impl<P: Points> EbmoEncoder<Position<P>> for GoEbmo {
    /// A pass.
    fn is_skip(m: Move) -> bool {
        m.point().is_none()
    }
}
