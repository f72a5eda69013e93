//! Go for policy and value networks, on boards of any size.
//!
//! | planes | per point |
//! |---|---|
//! | 0 | the point is on the board |
//! | 1, 2 | own stone, the opponent's stone |
//! | 3–6 | own chain with 1, 2, 3, more liberties |
//! | 7–10 | the opponent's chain with 1, 2, 3, more liberties |
//! | 11 | legal move |
//! | 12 | legal move that captures |
//! | 13 | ko: the stone just taken may not be taken back here now |
//! | 14, 15 | own, the opponent's unconditionally alive stones and their territory |
//!
//! | globals | per position |
//! |---|---|
//! | 0 | 1 |
//! | 1 | the last move was a pass |
//! | 2 | komi for the seat to move, ÷ 15 |
//! | 3 | own lead on the board in area, with komi, ÷ points |
//! | 4 | √points ÷ 19 |
//! | 5–7 | ko rule: positional, situational, simple |
//! | 8 | suicide is allowed |
//! | 9 | territory scoring |
//! | 10 | prisoners taken less stones lost, ÷ points, under territory scoring |
//!
//! The policy has one score per point and a pooled one for the pass. The history that superko depends on is not encoded,
//! other than by the legal moves.

use ::go::{Colour, Ko, Move, Point, Points, Position, Rules, Scoring, Verdict};
use game::Seat;
use nn::{Grid, PvInput, PvLayout, PvTarget};

use super::PvEncoder;

const PLANES: usize = 16;
const GLOBALS: usize = 11;

/// The encoder of Go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoPv;

/// Owners of points: the seat to move, its opponent, nobody.
const NOBODY: u8 = 4;

impl<P: Points> PvEncoder<Position<P>> for GoPv {
    fn id() -> String {
        "go-pv1".to_owned()
    }

    fn layout() -> PvLayout {
        PvLayout { planes: PLANES, globals: GLOBALS, policy_planes: 1, policy_pooled: 1 }
    }

    fn grid(rules: &Rules) -> Grid {
        Grid::full(rules.size.into(), rules.size.into())
    }

    fn encode(position: &Position<P>, moves: &[Move], input: &mut PvInput<f32>) {
        let (board, own) = (position.board(), position.turn());
        let size = board.size();
        input.reset(&<Self as PvEncoder<Position<P>>>::layout(), size * size, 2);
        let mut mark = |points: P, plane: usize| {
            points.iter().for_each(|point| input.planes[place(point, size) * PLANES + plane] = 1.0);
        };
        mark(board.points(), 0);
        for (index, colour) in [own, own.other()].into_iter().enumerate() {
            mark(board.stones(colour), 1 + index);
            for chain in board.chains(colour) {
                let liberties = board.liberties(chain).len().clamp(1, 4) as usize;
                mark(chain, 3 + 4 * index + liberties - 1);
            }
            mark(board.unconditional_life(colour).area(), 14 + index);
        }
        let legal = P::of(moves.iter().filter_map(|m| m.point()));
        mark(legal, 11);
        mark(P::of(legal.iter().filter(|&point| !board.captures(point, own).is_empty())), 12);
        mark(P::of(position.banned_ko()), 13);
        add_globals(position, &mut input.globals);
        for m in moves {
            input.term(m.point().map_or(size * size, |point| place(point, size)), 1.0);
            input.end_move();
        }
    }

    /// Owners and margins as the board stands; margins are shares of the board.
    fn encode_end(last: &Position<P>, seat: Seat, target: &mut PvTarget<f32>) {
        let (board, size) = (last.board(), last.board().size());
        let surrounded = board.surrounded();
        target.owner.clear();
        target.owner.resize(size * size, NOBODY);
        for colour in Colour::BOTH {
            let owner = u8::from(colour.seat() != seat);
            for point in (board.stones(colour) | surrounded[colour.index()]).iter() {
                target.owner[place(point, size)] = owner;
            }
        }
        let lead = last.score(&Verdict::AS_IT_STANDS).half_points() as f32 / (2 * size * size) as f32;
        let own = if seat == Colour::Black.seat() { lead } else { -lead };
        target.margin.clear();
        target.margin.extend([own, -own]);
    }
}

fn add_globals<P: Points>(position: &Position<P>, globals: &mut [f32]) {
    let (rules, own) = (position.rules(), position.turn());
    let points = f32::from(rules.size) * f32::from(rules.size);
    let flag = |is: bool| f32::from(u8::from(is));
    // Komi and leads are White's and Black's; the sign makes them the mover's.
    let sign = if own == Colour::Black { 1.0 } else { -1.0 };
    let komi = -sign * rules.komi.half_points() as f32 / 2.0;
    let territory = rules.scoring == Scoring::Territory;
    let [lost, taken] = [own, own.other()].map(|colour| position.prisoners()[colour.index()] as f32);
    globals.copy_from_slice(&[
        1.0,
        flag(position.passes() > 0),
        komi / 15.0,
        (sign * position.board().area() as f32 + komi) / points,
        points.sqrt() / 19.0,
        flag(rules.ko == Ko::Positional),
        flag(rules.ko == Ko::Situational),
        flag(rules.ko == Ko::Simple),
        flag(rules.suicide),
        flag(territory),
        if territory { (taken - lost) / points } else { 0.0 },
    ]);
}

/// The number of a point in the board's square.
#[inline]
pub(super) fn place(point: Point, size: usize) -> usize {
    point.row() * size + point.column()
}
