//! Regions and territory (R040, R140–R145).

use std::ops::ControlFlow;

use game::{Observer, Seat};

use crate::{
    Board, Cell, Kind, Move, Pass, Position, Stack,
    bits::Bits,
    geometry::{Direction, Geometry},
    position::Owes,
};

impl<B: Geometry> Position<B> {
    /// The cells that are not walls in this pass.
    #[inline]
    fn open_cells(&self, pass: Pass) -> B::Bits {
        let open = B::ON_BOARD.without(self.all_collapsed());
        if pass == Pass::PLAIN { open } else { open.without(self.markers[pass.0 as usize]) }
    }

    /// The passes to make: one for each seat with a marker on the board, then the plain one.
    #[inline]
    fn passes(&self) -> impl Iterator<Item = Pass> {
        let colours = self.every_seat().filter(|seat| !self.markers_of(*seat).is_empty());
        colours.map(Pass::walled_by).chain([Pass::PLAIN])
    }

    /// The cells of the region that contains `first` in this pass; `None` if that cell is a wall.
    pub(crate) fn region_cells(&self, pass: Pass, first: Cell) -> Option<B::Bits> {
        let open = self.open_cells(pass);
        open.contains(first).then(|| B::flood(first, open))
    }

    /// The stacks that can pay for a region: those that the mover controls or, in a turn with a recovery slide, those
    /// with a buried ring of the mover.
    pub(crate) fn region_payers(&self) -> B::Bits {
        if !self.recovered {
            return self.controlled_by(self.seat);
        }
        let buries = |cell: &Cell| self.stack(*cell).buries(self.seat);
        self.all_stacks().cells().filter(buries).fold(B::Bits::EMPTY, B::Bits::with)
    }

    /// Calls `visit` once for every region that the mover can claim, until it breaks.
    pub(crate) fn for_each_region<T>(&self, mut visit: impl FnMut(Move) -> ControlFlow<T>) -> Option<T> {
        let payers = self.region_payers();
        if payers.is_empty() {
            return None;
        }
        let active = self.every_seat().filter(|seat| self.on_board[seat.index()] > 0).count();
        for pass in self.passes() {
            let mut rest = self.open_cells(pass);
            while let Some(first) = rest.first() {
                let cells = B::flood(first, rest);
                rest = rest.without(cells);
                // R143: a stack outside the region pays the cost. On most boards all open cells are one component
                // that contains every payer, and the pass ends here.
                if payers.without(cells).is_empty() {
                    continue;
                }
                let inside = self.every_seat().filter(|&seat| self.controlled_by(seat).meets(cells)).count();
                let candidate = inside < active && (pass != Pass::PLAIN || inside == 1);
                if candidate
                    && !self.found_in_earlier_pass(pass, cells)
                    && let ControlFlow::Break(value) = visit(Move::claim(first, pass))
                {
                    return Some(value);
                }
            }
        }
        None
    }

    /// Whether an earlier pass finds the same region: none of its cells is a wall there, and walls surround it.
    fn found_in_earlier_pass(&self, pass: Pass, cells: B::Bits) -> bool {
        let around = B::sides().fold(cells, |all, side| all | B::shift(cells, side)).without(cells);
        self.passes().take_while(|&earlier| earlier < pass).any(|earlier| {
            let open = self.open_cells(earlier);
            cells.without(open).is_empty() && !around.meets(open)
        })
    }

    /// Whether the mover can claim a region.
    pub(crate) fn region_exists(&self) -> bool {
        self.for_each_region(|_| ControlFlow::Break(())).is_some()
    }

    pub(crate) fn territory_moves(&self, moves: &mut Vec<Move>) {
        if self.owes == Owes::Region {
            let kind = if self.recovered { Kind::PayRegionBuried } else { Kind::PayRegion };
            moves.extend(self.region_payers().cells().map(|cell| Move::on(kind, cell)));
            return;
        }
        self.for_each_region(|claim| {
            moves.push(claim);
            ControlFlow::<()>::Continue(())
        });
        let closing = if moves.is_empty() { Kind::NoTerritory } else { Kind::SkipTerritory };
        moves.push(Move::plain(closing));
    }

    /// The border set: the markers that collapse together with a region. These are the markers adjacent to it and,
    /// except on the large hexagon, all markers of any colour that are connected to those.
    pub(crate) fn border(&self, region: B::Bits) -> B::Bits {
        let markers = self.all_markers().without(region);
        let beside = |cells| B::sides().fold(B::Bits::EMPTY, |all, side| all | B::shift(cells, side));
        let mut border = beside(region) & markers;
        if B::BOARD == Board::Hexagonal {
            return border;
        }
        loop {
            let all_round = B::directions().fold(border, |all, direction| all | B::shift(border, direction));
            let grown = (all_round | Self::hex_corners(border)) & markers;
            if grown == border {
                return border;
            }
            border = grown;
        }
    }

    /// The cells at (1,1) and (−1,−1) from `cells` on hex boards; none on square ones. The reference engine grows the
    /// border by all (±1,±1) steps in `x,y`, although these two do not lead to neighbours on a hex board.
    fn hex_corners(cells: B::Bits) -> B::Bits {
        if !B::HEX {
            return B::Bits::EMPTY;
        }
        // (1,1) is the sum of (1,0) and (0,1).
        let (next_x, last_x, last_y, next_y) = (Direction(0), Direction(1), Direction(4), Direction(5));
        B::shift(B::shift(cells, next_x), next_y) | B::shift(B::shift(cells, last_x), last_y)
    }

    pub(crate) fn claim(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        let seat = self.seat;
        let Some(region) = self.region_cells(m.pass(), m.cell()) else { return };
        let border = self.border(region);
        for cell in (region & self.all_stacks()).cells() {
            let stack = self.stack(cell);
            for owner in Seat::all(self.rules.seats as usize) {
                self.on_board[owner.index()] -= stack.count(owner) as u16;
            }
            self.credits[seat.index()] += stack.height() as u16;
            self.set_stack(cell, Stack::EMPTY, observer);
        }
        for cell in (region | border).cells() {
            if let Some(owner) = self.marker_owner(cell) {
                self.take_marker(cell, owner, observer);
            }
            self.collapse(cell, seat, observer);
        }
        self.owes = Owes::Region;
    }

    pub(crate) fn pay_region(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        if m.kind() == Kind::PayRegionBuried {
            self.extract(m.cell(), observer);
        } else {
            self.eliminate_top(m.cell(), self.stack(m.cell()).cap(), observer);
        }
        self.owes = Owes::Nothing;
        if !self.region_exists() {
            self.end_turn();
        }
    }
}
