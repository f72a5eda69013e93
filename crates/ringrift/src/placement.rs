//! Placing rings (R080–R082).

use game::{Observer, Seat};

use crate::{
    Kind, Move, Position,
    bits::Bits,
    geometry::Geometry,
    position::{Phase, Swap},
};

impl<B: Geometry> Position<B> {
    pub(crate) fn placement_moves(&self, moves: &mut Vec<Move>) {
        let seat = self.seat;
        let hand = self.hand(seat);
        if hand > 0 {
            self.ring_placements(seat, hand.min(3), moves);
            if self.may_skip_placement() {
                moves.push(Move::plain(Kind::SkipPlacement));
            }
        }
        if self.swap == Swap::Open {
            moves.push(Move::plain(Kind::SwapSides));
        }
        if moves.is_empty() {
            moves.push(Move::plain(Kind::NoPlacement));
        }
    }

    fn ring_placements(&self, seat: Seat, most: u32, moves: &mut Vec<Move>) {
        let stacks = self.all_stacks();
        let free = B::ON_BOARD.without(stacks | self.all_collapsed());
        let empty = free.without(self.all_markers());
        // A stack of one, two or three rings can move away from an empty cell if that many steps in a row are free.
        // This computes all such cells at once. Elsewhere a capture may still make the placement legal.
        let mut walkable = [B::Bits::EMPTY; 3];
        for direction in B::directions() {
            let mut reach = free;
            for walkable in &mut walkable {
                reach = B::shift(reach, direction) & free;
                // `reach` holds the ends of free walks, but the starts are wanted. Both ends of a walk are free, so
                // the starts are the ends of the walks in the opposite direction, which the loop visits too.
                *walkable = *walkable | reach;
            }
        }
        // Most cells admit every number of rings without a further test.
        let easy = empty & walkable[most as usize - 1];
        moves.reserve(3 * easy.count() as usize);
        for cell in easy.cells() {
            let all = [Move::place(cell, 1), Move::place(cell, 2), Move::place(cell, 3)];
            // Spelled out because a copy of unknown length costs a function call.
            match most {
                3 => moves.extend_from_slice(&all),
                2 => moves.extend_from_slice(&all[..2]),
                _ => moves.push(all[0]),
            }
        }
        for cell in empty.without(easy).cells() {
            for count in 1..=most {
                if walkable[count as usize - 1].contains(cell) || self.can_capture(cell, count, count) {
                    moves.push(Move::place(cell, count));
                } else if count == 1 {
                    // A cell that does not admit one ring is not offered for two or three either.
                    break;
                }
            }
        }
        for cell in stacks.cells() {
            let stack = self.stack(cell).push(seat);
            if self.can_act(cell, stack.height(), stack.cap()) {
                moves.push(Move::place(cell, 1));
            }
        }
    }

    /// R080: a seat may skip placement if it has rings in hand and another action this turn.
    pub(crate) fn may_skip_placement(&self) -> bool {
        self.hands[self.seat.index()] > 0
            && if self.controlled_by(self.seat).is_empty() {
                self.is_recovery_eligible()
            } else {
                self.move_exists(self.seat)
            }
    }

    /// Whether `seat` can place one ring on some cell.
    pub(crate) fn placement_exists(&self, seat: Seat) -> bool {
        if self.hands[seat.index()] == 0 {
            return false;
        }
        let stacks = self.all_stacks();
        let free = B::ON_BOARD.without(stacks | self.all_collapsed());
        let empty = free.without(self.all_markers());
        B::directions().any(|direction| B::shift(free, direction).meets(empty))
            || empty.cells().any(|cell| self.can_capture(cell, 1, 1))
            || stacks.cells().any(|cell| {
                let stack = self.stack(cell).push(seat);
                self.can_act(cell, stack.height(), stack.cap())
            })
    }

    pub(crate) fn place(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        let (seat, cell, count) = (self.seat, m.cell(), m.count());
        self.hands[seat.index()] -= count as u16;
        self.on_board[seat.index()] += count as u16;
        let stack = (0..count).fold(self.stack(cell), |stack, _| stack.push(seat));
        self.set_stack(cell, stack, observer);
        self.focus = Some(cell);
        self.phase = Phase::Movement;
    }
}
