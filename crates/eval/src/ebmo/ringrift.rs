//! RingRift for energy-based move optimisation.
//!
//! | planes | per cell |
//! |---|---|
//! | 0–46 | those of [`RingRiftPv`]: markers, territory, stacks as they are, the cell that must act, what can be reached |
//! | 47–53 | the phase, on all cells of the board |
//! | 54, 55 | the mover owes a line, a region, on all cells of the board |
//!
//! | globals | per position; seats are relative to the seat to move |
//! |---|---|
//! | 0–3, 4–7 | hand of seat 0 to 3, rings on the board, both ÷ starting hand |
//! | 8–11, 12–15 | credits ÷ goal, territory ÷ goal |
//! | 16 | rounds in which one seat alone could act ÷ rounds that win |
//! | 17–19 | two, three, four seats |

use std::marker::PhantomData;

use game::{Game, MAX_SEATS, Seat};
use nn::{Grid, PvInput, PvLayout, PvTarget};
use ringrift::{Bits, Cell, Geometry, Kind, Move, Owes, Phase, Position, Rules};

use super::{Action, EbmoEncoder};
use crate::{PvEncoder, RingRiftPv};

const PLANES: usize = 56;
const GLOBALS: usize = 20;
const PHASES: usize = 7;

/// The encoder of RingRift on the board `B`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingRiftEbmo<B>(PhantomData<B>);

impl<B: Geometry> PvEncoder<Position<B>> for RingRiftEbmo<B> {
    fn id() -> String {
        format!("ringrift-{}-ebmo1", if B::HEX { "hex" } else { "square" })
    }

    fn layout() -> PvLayout {
        PvLayout { planes: PLANES, globals: GLOBALS, policy_planes: 1, policy_pooled: 0 }
    }

    fn grid(rules: &Rules) -> Grid {
        RingRiftPv::<B>::grid(rules)
    }

    fn encode(position: &Position<B>, moves: &[Move], input: &mut PvInput<f32>) {
        let mut pv = PvInput::default();
        RingRiftPv::<B>::encode(position, moves, &mut pv);
        let known = RingRiftPv::<B>::layout().planes;
        input.reset(&Self::layout(), B::SIZE * B::SIZE, position.seats());
        let phase = Phase::ALL[..PHASES].iter().position(|&phase| phase == position.phase());
        let owes = match position.owes() {
            Owes::Nothing => None,
            Owes::Line => Some(0),
            Owes::Region => Some(1),
        };
        for (cell, from) in input.planes.chunks_exact_mut(PLANES).zip(pv.planes.chunks_exact(known)) {
            cell[..known].copy_from_slice(from);
            if from[0] > 0.0 {
                if let Some(phase) = phase {
                    cell[known + phase] = 1.0;
                }
                if let Some(owes) = owes {
                    cell[known + PHASES + owes] = 1.0;
                }
            }
        }
        add_globals(position, &mut input.globals);
        for &m in moves {
            action(position, m).add(B::SIZE * B::SIZE, input);
        }
    }

    fn encode_end(last: &Position<B>, seat: Seat, target: &mut PvTarget<f32>) {
        RingRiftPv::<B>::encode_end(last, seat, target);
    }
}

impl<B: Geometry> EbmoEncoder<Position<B>> for RingRiftEbmo<B> {
    fn is_skip(m: Move) -> bool {
        m.kind().is_idle()
    }
}

fn add_globals<B: Geometry>(position: &Position<B>, globals: &mut [f32]) {
    let (seats, mover, goals) = (position.seats(), position.to_move(), position.goals());
    let rings = f32::from(goals.rings);
    for turns in 0..seats {
        let seat = Seat::new((mover.index() + turns) % seats);
        globals[turns] = position.hand(seat) as f32 / rings;
        globals[MAX_SEATS + turns] = position.rings_on_board(seat) as f32 / rings;
        globals[2 * MAX_SEATS + turns] = position.credits(seat) as f32 / f32::from(goals.eliminations);
        globals[3 * MAX_SEATS + turns] = position.territory(seat) as f32 / f32::from(goals.territory);
    }
    globals[16] = f32::from(position.standing().rounds) / f32::from(position.rules().lps_rounds);
    globals[15 + seats] = 1.0;
}

/// The number of a cell in the rectangle around the board.
fn place<B: Geometry>(cell: Cell) -> usize {
    cell.index() / B::STRIDE * B::SIZE + cell.index() % B::STRIDE
}

/// Where a cell is, from 0 to 1.
fn spot<B: Geometry>(cell: Cell) -> [f32; 2] {
    let place = place::<B>(cell);
    [place % B::SIZE, place / B::SIZE].map(|part| part as f32 / (B::SIZE - 1) as f32)
}

fn action<B: Geometry>(position: &Position<B>, m: Move) -> Action {
    const PLACE: usize = 0;
    const MOVE: usize = 1;
    const CAPTURE: usize = 2;
    const DECLINE: usize = 3;
    const LINE: usize = 4;
    const TERRITORY: usize = 5;
    const EXCHANGE: usize = 6;
    const PAY: usize = 7;
    let kind = m.kind();
    let touch = |action: &mut Action, side, cell| action.touch(side, place::<B>(cell), B::SIZE);
    match kind {
        Kind::PlaceRing => {
            let mut action = Action::new(PLACE, m.count() as f32 / 3.0);
            touch(&mut action, 1, m.cell());
            action
        }
        Kind::MoveStack | Kind::Capture | Kind::ChainCapture => {
            let mut action = Action::new(if kind == Kind::MoveStack { MOVE } else { CAPTURE }, 1.0);
            touch(&mut action, 0, m.cell());
            touch(&mut action, 1, Position::<B>::landing(m));
            action.point();
            action
        }
        Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => {
            let mut action = Action::new(LINE, if kind == Kind::CollapseWindow { 0.5 } else { 1.0 });
            let cells = position.collapsing(m);
            for (side, cell) in [cells.first(), cells.last()].into_iter().enumerate() {
                if let Some(&cell) = cell {
                    touch(&mut action, side, cell);
                }
            }
            action.point();
            action
        }
        Kind::ClaimRegion => {
            let region = position.region(m).expect("a claim is about a region");
            let count = region.count() as f32;
            let mut action = Action::new(TERRITORY, 1.0);
            touch(&mut action, 1, m.cell());
            let mut centre = [0.0; 2];
            for cell in region.cells() {
                let spot = spot::<B>(cell);
                centre = [centre[0] + spot[0] / count, centre[1] + spot[1] / count];
            }
            action.features[..2].copy_from_slice(&centre);
            let of_seat = |seat: Seat| {
                (seat.index() + position.seats() - position.to_move().index()) % position.seats()
            };
            let wall = m.pass().wall().map_or(MAX_SEATS, of_seat);
            action.note([count / (B::SIZE * B::SIZE) as f32, (wall + 1) as f32 / 5.0]);
            action
        }
        Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried | Kind::ForcedElimination => {
            let size = match kind {
                Kind::PayLine => 1.0,
                Kind::PayRegion => 0.9,
                Kind::PayRegionBuried => 0.8,
                _ => 0.7,
            };
            let mut action = Action::new(PAY, size);
            touch(&mut action, 0, m.cell());
            action
        }
        Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
            let axis = 0.02 * m.recovery_axis() as f32;
            let size = match kind {
                Kind::RecoverFallback => 0.6,
                Kind::RecoverStrike => 0.5,
                Kind::RecoverLine => 0.4 + axis,
                _ => 0.3 + axis,
            };
            let mut action = Action::new(PAY, size);
            touch(&mut action, 0, m.cell());
            touch(&mut action, 1, Position::<B>::slide_end(m));
            if kind == Kind::RecoverWindow {
                let cells = position.collapsing(m);
                let [first, last] =
                    [cells.first(), cells.last()].map(|cell| cell.map_or([0.5; 2], |&cell| spot::<B>(cell)));
                action.note([f32::midpoint(first[0], last[0]), f32::midpoint(first[1], last[1])]);
            } else {
                action.note(spot::<B>(m.payer()));
            }
            action
        }
        Kind::SwapSides => Action::new(EXCHANGE, 1.0),
        Kind::SkipPlacement => Action::new(DECLINE, 1.0),
        Kind::SkipCapture => Action::new(DECLINE, 0.8),
        Kind::SkipRecovery => Action::new(DECLINE, 0.6),
        Kind::SkipTerritory => Action::new(DECLINE, 0.4),
        Kind::NoPlacement | Kind::NoMovement | Kind::NoLine | Kind::NoTerritory => Action::new(DECLINE, 0.2),
    }
}
