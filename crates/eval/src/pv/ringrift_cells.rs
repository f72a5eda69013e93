//! RingRift for policy and value networks.
//!
//! Square boards share one encoder and hex boards another, so that one network can play on both sizes: counts are divided by
//! what the rules make of the board. A hex board sits in the square of its axial coordinates. There is no history.
//!
//! | planes | per cell; seats are relative to the seat to move |
//! |---|---|
//! | 0 | the cell is on the board |
//! | 1–4 | marker of seat 0 to 3 |
//! | 5–8 | territory of seat 0 to 3 |
//! | 9–12 | stack controlled by seat 0 to 3 |
//! | 13–16 | rings of seat 0 to 3 in the stack, ÷ 4 |
//! | 17–20 | seat 0 to 3 has a ring below the top one |
//! | 21–24 | the lowest ring is of seat 0 to 3 |
//! | 25–28 | the first ring below the cap is of seat 0 to 3 |
//! | 29–32 | the stack has at least 2, 3, 4, 5 rings |
//! | 33–36 | the cap has at least 2, 3, 4, 5 rings |
//! | 37, 38 | height ÷ 8, cap ÷ 8 |
//! | 39 | the only stack that may act: the one just placed on, or the attacker |
//! | 40 | rings that may be placed here, ÷ 3 |
//! | 41 | a stack or marker can move from here |
//! | 42 | a move without a capture, or a slide, can end here |
//! | 43 | a capture can end here |
//! | 44 | the stack can be captured or struck |
//! | 45 | the cell can be collapsed by the next decision |
//! | 46 | the stack can pay |
//!
//! | globals | per position |
//! |---|---|
//! | 10 for each seat 0 to 3 | in the game; has no rings left; hand empty; hand, rings on the board, both ÷ starting hand; credits ÷ goal; territory ÷ goal; markers ÷ cells, × 4; could act in this round; alone could act in the last rounds |
//! | 7 | phase |
//! | 5 | owes a line, owes a region, has acted, has recovered, may swap sides |
//! | 4 | seat whose turn begins a round |
//! | 1 | rounds alone ÷ rounds that win |
//! | 3 | two, three, four seats |
//! | 2 | lines of three, of four |
//! | 7 | shortest line detected ÷ 4, shortest line of recovery ÷ 4, goal of credits ÷ 3 starting hands, goal of territory ÷ cells, starting hand ÷ 48, √cells ÷ 25, recovery by the published text |

use std::marker::PhantomData;

use game::{Game, MAX_SEATS, Seat};
use nn::{Grid, PvInput, PvLayout, PvTarget};
use ringrift::{
    Bits, Content, Geometry, Kind, Move, Owes, Phase, Position, RecoveryRule, Rules, Stack, Swap,
};

use super::{
    PvEncoder, relative,
    ringrift_policy::{POOLED, PolicyPlanes, add_moves, place},
};

const MARKERS: usize = 1;
const TERRITORY: usize = 5;
const STACKS: usize = 9;
const RINGS: usize = 13;
const BURIED: usize = 17;
const LOWEST: usize = 21;
const BELOW_CAP: usize = 25;
const HEIGHTS: usize = 29;
const CAPS: usize = 33;
const HEIGHT: usize = 37;
const CAP: usize = 38;
const FOCUS: usize = 39;
const PLACEMENT: usize = 40;
const FROM: usize = 41;
const TO: usize = 42;
const CAPTURE_TO: usize = 43;
const CAPTURED: usize = 44;
const COLLAPSING: usize = 45;
const PAYER: usize = 46;
const PLANES: usize = 47;

const OF_SEAT: usize = 10;
const GLOBALS: usize = OF_SEAT * MAX_SEATS + 7 + 5 + 4 + 1 + 3 + 2 + 7;

/// The encoder of RingRift on the board `B`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingRiftPv<B>(PhantomData<B>);

/// The rectangle of cells around the board.
pub(super) fn grid_of<B: Geometry>() -> Grid {
    let mut on_board = vec![false; B::SIZE * B::SIZE];
    B::ON_BOARD.cells().for_each(|cell| on_board[place::<B>(cell)] = true);
    Grid::masked(B::SIZE, B::SIZE, on_board)
}

/// The board's family in the names of encoders.
pub(super) fn family<B: Geometry>() -> &'static str {
    if B::HEX { "hex" } else { "square" }
}

impl<B: Geometry> PvEncoder<Position<B>> for RingRiftPv<B> {
    fn id() -> String {
        format!("ringrift-{}-pv1", family::<B>())
    }

    fn layout() -> PvLayout {
        let policy_planes = PolicyPlanes::new(B::AXES).count;
        PvLayout { planes: PLANES, globals: GLOBALS, policy_planes, policy_pooled: POOLED }
    }

    fn grid(_: &Rules) -> Grid {
        grid_of::<B>()
    }

    fn encode(position: &Position<B>, moves: &[Move], input: &mut PvInput<f32>) {
        input.reset(&Self::layout(), B::SIZE * B::SIZE, position.seats());
        add_cells(position, &mut input.planes);
        add_reach(position, moves, &mut input.planes);
        add_globals(position, &mut input.globals);
        add_moves(position, moves, input);
    }

    fn encode_end(last: &Position<B>, seat: Seat, target: &mut PvTarget<f32>) {
        end_of(last, seat, target);
    }
}

/// Owners are those of territory. A seat's margin is by how much it is nearer to one of its goals than all others.
pub(super) fn end_of<B: Geometry>(last: &Position<B>, seat: Seat, target: &mut PvTarget<f32>) {
    let seats = last.seats();
    target.owner.clear();
    target.owner.resize(B::SIZE * B::SIZE, PvTarget::<f32>::UNKNOWN);
    for (cell, content) in last.contents() {
        target.owner[place::<B>(cell)] = match content {
            Content::Collapsed(owner) => relative(owner, seat, seats) as u8,
            _ => MAX_SEATS as u8,
        };
    }
    let goals = last.goals();
    let progress = |turns: usize| {
        let seat = Seat::new((seat.index() + turns) % seats);
        let credits = last.credits(seat) as f32 / f32::from(goals.eliminations);
        credits.max(last.territory(seat) as f32 / f32::from(goals.territory))
    };
    target.margin.clear();
    target.margin.extend((0..seats).map(|turns| {
        let others = (0..seats).filter(|&other| other != turns).map(progress);
        progress(turns) - others.fold(0.0, f32::max)
    }));
}

fn add_cells<B: Geometry>(position: &Position<B>, planes: &mut [f32]) {
    let (seats, mover) = (position.seats(), position.to_move());
    for (cell, content) in position.contents() {
        let planes = &mut planes[place::<B>(cell) * PLANES..][..PLANES];
        planes[0] = 1.0;
        match content {
            Content::Empty => {}
            Content::Marker(owner) => planes[MARKERS + relative(owner, mover, seats)] = 1.0,
            Content::Collapsed(owner) => planes[TERRITORY + relative(owner, mover, seats)] = 1.0,
            Content::Stack(stack) => add_stack(stack, mover, seats, planes),
        }
    }
    if let Some(cell) = position.focus() {
        planes[place::<B>(cell) * PLANES + FOCUS] = 1.0;
    }
}

fn add_stack(stack: Stack, mover: Seat, seats: usize, planes: &mut [f32]) {
    let of = |seat: Seat| relative(seat, mover, seats);
    let (height, cap) = (stack.height(), stack.cap());
    for seat in Seat::all(seats) {
        planes[RINGS + of(seat)] = stack.count(seat) as f32 / 4.0;
        planes[BURIED + of(seat)] = f32::from(u8::from(stack.buries(seat)));
    }
    for (plane, seat) in
        [(STACKS, stack.top()), (LOWEST, stack.rings().next()), (BELOW_CAP, stack.pop(cap).top())]
    {
        if let Some(seat) = seat {
            planes[plane + of(seat)] = 1.0;
        }
    }
    for step in 0..4 {
        planes[HEIGHTS + step] = f32::from(u8::from(height as usize >= step + 2));
        planes[CAPS + step] = f32::from(u8::from(cap as usize >= step + 2));
    }
    planes[HEIGHT] = height as f32 / 8.0;
    planes[CAP] = cap as f32 / 8.0;
}

/// What the legal moves can do to each cell.
fn add_reach<B: Geometry>(position: &Position<B>, moves: &[Move], planes: &mut [f32]) {
    for &m in moves {
        let mut mark = |cell, plane: usize| planes[place::<B>(cell) * PLANES + plane] = 1.0;
        match m.kind() {
            Kind::PlaceRing => {
                let rings = &mut planes[place::<B>(m.cell()) * PLANES + PLACEMENT];
                *rings = rings.max(m.count() as f32 / 3.0);
            }
            Kind::MoveStack => {
                mark(m.cell(), FROM);
                mark(Position::<B>::landing(m), TO);
            }
            Kind::Capture | Kind::ChainCapture => {
                mark(m.cell(), FROM);
                mark(Position::<B>::landing(m), CAPTURE_TO);
                position.captured_cell(m).into_iter().for_each(|cell| mark(cell, CAPTURED));
            }
            Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
                mark(m.cell(), FROM);
                let strikes = m.kind() == Kind::RecoverStrike;
                mark(Position::<B>::slide_end(m), if strikes { CAPTURED } else { TO });
                if m.kind() != Kind::RecoverWindow {
                    mark(m.payer(), PAYER);
                }
                position.collapsing(m).into_iter().for_each(|cell| mark(cell, COLLAPSING));
            }
            Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried | Kind::ForcedElimination => {
                mark(m.cell(), PAYER);
            }
            Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow | Kind::ClaimRegion => {
                position.collapsing(m).into_iter().for_each(|cell| mark(cell, COLLAPSING));
            }
            _ => {}
        }
    }
}

fn add_globals<B: Geometry>(position: &Position<B>, globals: &mut [f32]) {
    let (seats, mover, goals, rules) =
        (position.seats(), position.to_move(), position.goals(), position.rules());
    let standing = position.standing();
    let (area, rings) = (B::ON_BOARD.count() as f32, f32::from(goals.rings));
    let flag = |is: bool| f32::from(u8::from(is));
    let (of_seats, rest) = globals.split_at_mut(OF_SEAT * MAX_SEATS);
    for (turns, globals) in of_seats.chunks_exact_mut(OF_SEAT).take(seats).enumerate() {
        let seat = Seat::new((mover.index() + turns) % seats);
        let (hand, on_board) = (position.hand(seat), position.rings_on_board(seat));
        globals.copy_from_slice(&[
            1.0,
            flag(hand + on_board == 0),
            flag(hand == 0),
            hand as f32 / rings,
            on_board as f32 / rings,
            position.credits(seat) as f32 / f32::from(goals.eliminations),
            position.territory(seat) as f32 / f32::from(goals.territory),
            4.0 * position.markers_of(seat).count() as f32 / area,
            flag(standing.able >> seat.index() & 1 != 0),
            flag(standing.alone == Some(seat)),
        ]);
    }
    let phases = Phase::ALL[..7].iter().map(|&phase| flag(phase == position.phase()));
    let first = (0..MAX_SEATS)
        .map(|turns| flag(standing.first.is_some_and(|first| relative(first, mover, seats) == turns)));
    let values = phases
        .chain([
            flag(position.owes() == Owes::Line),
            flag(position.owes() == Owes::Region),
            flag(position.has_acted()),
            flag(position.has_recovered()),
            flag(position.swap() == Swap::Open),
        ])
        .chain(first)
        .chain([f32::from(standing.rounds) / f32::from(rules.lps_rounds)])
        .chain((2..=MAX_SEATS).map(|count| flag(count == seats)))
        .chain([
            flag(goals.line_length == 3),
            flag(goals.line_length == 4),
            f32::from(goals.detected_line) / 4.0,
            f32::from(goals.base_line) / 4.0,
            f32::from(goals.eliminations) / (3.0 * rings),
            f32::from(goals.territory) / area,
            rings / 48.0,
            area.sqrt() / 25.0,
            flag(rules.recovery == RecoveryRule::Text),
        ]);
    rest.iter_mut().zip(values).for_each(|(global, value)| *global = value);
}
