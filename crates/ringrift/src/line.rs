//! Lines of markers (R120–R123).

use game::Observer;

use crate::{
    Cell, Kind, Move, Position,
    bits::Bits,
    geometry::{Direction, Geometry},
    position::{Owes, Phase},
};

/// A maximal run of the mover's markers along one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) first: Cell,
    pub(crate) axis: usize,
    pub(crate) length: u32,
}

impl<B: Geometry> Position<B> {
    /// The first cells of all runs of `count` markers along one axis, overlapping runs included.
    #[inline]
    fn runs(markers: B::Bits, axis: usize, count: u8) -> B::Bits {
        let back = Direction(2 * axis as u8 + 1);
        let (mut runs, mut shifted) = (markers, markers);
        for _ in 1..count {
            shifted = B::shift(shifted, back);
            runs = runs & shifted;
        }
        runs
    }

    /// Whether the mover has a line to process.
    #[inline]
    pub(crate) fn line_exists(&self) -> bool {
        let markers = self.markers_of(self.seat);
        (0..B::AXES).any(|axis| !Self::runs(markers, axis, self.goals.detected_line).is_empty())
    }

    /// Calls `visit` for every line of the mover.
    pub(crate) fn for_each_line(&self, mut visit: impl FnMut(Line)) {
        let markers = self.markers_of(self.seat);
        for axis in 0..B::AXES {
            let starts = Self::runs(markers, axis, self.goals.detected_line);
            if starts.is_empty() {
                continue;
            }
            let forward = Direction(2 * axis as u8);
            // A maximal run starts at a marker without a predecessor.
            for first in starts.without(B::shift(markers, forward)).cells() {
                let length = 1 + Self::run_ahead(markers, first, forward);
                visit(Line { first, axis, length });
            }
        }
    }

    /// The number of consecutive cells of `set` that follow `cell` in one direction.
    pub(crate) fn run_ahead(set: B::Bits, cell: Cell, direction: Direction) -> u32 {
        let mut length = 0;
        let mut last = cell;
        while let Some(next) = B::neighbour(last, direction).filter(|&next| set.contains(next)) {
            length += 1;
            last = next;
        }
        length
    }

    pub(crate) fn line_moves(&self, moves: &mut Vec<Move>) {
        if self.owes == Owes::Line {
            moves.extend(self.controlled_by(self.seat).cells().map(|cell| Move::on(Kind::PayLine, cell)));
            return;
        }
        let required = u32::from(self.goals.line_length);
        self.for_each_line(|Line { first, axis, length }| {
            if length == required {
                moves.push(Move::line(Kind::ProcessLine, first, axis, length, 0));
                return;
            }
            moves.push(Move::line(Kind::CollapseLine, first, axis, length, 0));
            moves.extend(
                (0..=length - required)
                    .map(|offset| Move::line(Kind::CollapseWindow, first, axis, length, offset)),
            );
        });
        if moves.is_empty() {
            moves.push(Move::plain(Kind::NoLine));
        }
    }

    pub(crate) fn collapse_line(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        let window = m.kind() == Kind::CollapseWindow;
        let length = if window { u32::from(self.goals.line_length) } else { m.line_length() };
        self.collapse_run(m.cell(), m.line_axis(), m.offset(), length, observer);
        // R122: a mover who controls no stack cannot pay and does not have to.
        if !window && !self.controlled_by(self.seat).is_empty() {
            self.owes = Owes::Line;
        } else if !self.line_exists() {
            self.finish_line_processing();
        }
    }

    /// Collapses `length` of the mover's markers, from `offset` cells after `first`.
    pub(crate) fn collapse_run(
        &mut self,
        first: Cell,
        axis: usize,
        offset: u32,
        length: u32,
        observer: &mut impl Observer<Self>,
    ) {
        for distance in offset..offset + length {
            let cell = B::ahead(first, Direction(2 * axis as u8), distance);
            self.collapse_marker(cell, self.seat, self.seat, observer);
        }
    }

    pub(crate) fn enter_line_processing(&mut self) {
        self.focus = None;
        self.phase = Phase::LineProcessing;
    }

    /// Enters territory processing or, if the mover controls a stack, has not acted this turn and cannot claim a
    /// region, forced elimination.
    pub(crate) fn finish_line_processing(&mut self) {
        let idle = !self.acted && !self.controlled_by(self.seat).is_empty();
        self.phase =
            if idle && !self.region_exists() { Phase::ForcedElimination } else { Phase::TerritoryProcessing };
    }
}
