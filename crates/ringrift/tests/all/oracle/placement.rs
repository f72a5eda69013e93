//! The `ring_placement` phase (R080–R082).

use super::geometry::Pos;
use super::moves::Move;
use super::state::{Content, Oracle, Player, index};

impl Oracle {
    /// Everything the current player may do in `ring_placement`.
    pub(super) fn placement_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for to in self.board.cells() {
            for count in self.placement_counts(self.current, to) {
                moves.push(Move::PlaceRing { to, count });
            }
        }
        if self.may_skip_placement() {
            moves.push(Move::SkipPlacement);
        }
        if self.swap_open && self.current == 2 {
            moves.push(Move::SwapSides);
        }
        if moves.is_empty() {
            moves.push(Move::NoPlacementAction);
        }
        moves
    }

    /// How many rings a player may put on a cell.
    ///
    /// Each count is tested separately, with one exception made by the reference
    /// engine: where one ring is not allowed, two or three are not either. A
    /// taller stack might have had a move, because a higher cap captures more,
    /// so this does rule out some placements.
    fn placement_counts(&self, player: Player, to: Pos) -> Vec<usize> {
        if !self.may_place(player, to, 1) {
            return Vec::new();
        }
        (1..=3).filter(|&count| self.may_place(player, to, count)).collect()
    }

    /// Whether putting `count` rings on `to` is possible and leaves a stack that
    /// can act (R081, R082: a placed stack must not be dead).
    fn may_place(&self, player: Player, to: Pos, count: usize) -> bool {
        if (self.hand(player) as usize) < count {
            return false;
        }
        let mut rings = match self.cells.get(&to) {
            None => Vec::new(),
            Some(Content::Stack(rings)) => rings.clone(),
            Some(Content::Marker(_) | Content::Collapsed(_)) => return false,
        };
        if !rings.is_empty() && count > 1 {
            return false;
        }
        rings.extend(vec![player; count]);
        self.can_act(to, &rings)
    }

    /// Whether some cell admits a placement of one ring.
    pub(super) fn placement_exists(&self, player: Player) -> bool {
        let cells = self.board.cells();
        cells.iter().any(|&to| self.may_place(player, to, 1))
    }

    /// A player with rings in hand may skip if another action exists: moving a
    /// stack or, without stacks, recovering. Whether a placement is possible
    /// does not matter.
    fn may_skip_placement(&self) -> bool {
        if self.hand(self.current) == 0 {
            return false;
        }
        if self.controlled(self.current).is_empty() {
            self.may_recover(self.current)
        } else {
            self.move_exists(self.current)
        }
    }

    /// Puts rings from the hand on a cell and obliges the player to move that
    /// stack.
    pub(super) fn place(&mut self, to: Pos, count: usize) {
        let mut rings = self.stack_at(to).cloned().unwrap_or_default();
        rings.extend(vec![self.current; count]);
        self.set_stack(to, rings);
        self.hands[index(self.current)] -= u32::try_from(count).expect("at most three rings");
        self.must_move = Some(to);
    }
}
