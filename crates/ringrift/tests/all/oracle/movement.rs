//! Moving and capturing with stacks (R090–R103).

use super::geometry::Pos;
use super::moves::Move;
use super::state::{Content, Oracle, Player, cap, controller};

impl Oracle {
    /// Cells that a stack of this height standing on `from` can move to without
    /// capturing (R091).
    ///
    /// A stack must move at least its height, over empty cells and markers.
    pub(super) fn landings(&self, from: Pos, height: usize) -> Vec<Pos> {
        let mut landings = Vec::new();
        for &direction in self.board.directions() {
            for (index, cell) in self.board.ray(from, direction).into_iter().enumerate() {
                if self.blocks(cell) {
                    break;
                }
                if index + 1 >= height {
                    landings.push(cell);
                }
            }
        }
        landings
    }

    /// Pairs of target and landing cell for a stack with these rings on `from`
    /// (R101).
    ///
    /// The first stack in a direction is the target. Only caps are compared,
    /// and neither owner matters. The whole distance counts against the height
    /// the stack has before it takes the ring.
    pub(super) fn captures(&self, from: Pos, rings: &[Player]) -> Vec<(Pos, Pos)> {
        let mut captures = Vec::new();
        for &direction in self.board.directions() {
            let ray = self.board.ray(from, direction);
            let Some(first) = ray.iter().position(|&cell| self.blocks(cell)) else {
                continue;
            };
            let target = ray[first];
            let Some(victim) = self.stack_at(target) else {
                continue;
            };
            if cap(rings) < cap(victim) {
                continue;
            }
            for (index, &cell) in ray.iter().enumerate().skip(first + 1) {
                if self.blocks(cell) {
                    break;
                }
                if index + 1 >= rings.len() {
                    captures.push((target, cell));
                }
            }
        }
        captures
    }

    /// Stacks and collapsed cells stop a stack; markers do not.
    fn blocks(&self, cell: Pos) -> bool {
        matches!(self.cells.get(&cell), Some(Content::Stack(_) | Content::Collapsed(_)))
    }

    /// Whether a stack with these rings on `from` could move or capture. The
    /// stack need not really be there.
    pub(super) fn can_act(&self, from: Pos, rings: &[Player]) -> bool {
        !self.landings(from, rings.len()).is_empty() || !self.captures(from, rings).is_empty()
    }

    /// Whether some stack of the player can move or capture.
    pub(super) fn move_exists(&self, player: Player) -> bool {
        let stacks = self.stacks();
        stacks.iter().any(|(pos, rings)| controller(rings) == player && self.can_act(*pos, rings))
    }

    /// Whether the player has a placement, a move or a capture (R172).
    /// Recovery and forced elimination do not count.
    pub(super) fn has_real_action(&self, player: Player) -> bool {
        self.placement_exists(player) || self.move_exists(player)
    }

    /// Everything the current player may do in `movement`.
    ///
    /// After a placement only the stack placed on may act (R090).
    pub(super) fn movement_moves(&self) -> Vec<Move> {
        let sources = match self.must_move {
            Some(pos) => vec![pos],
            None => self.controlled(self.current),
        };
        let mut moves = Vec::new();
        for from in sources {
            let rings = self.stack_at(from).expect("only stacks move");
            for to in self.landings(from, rings.len()) {
                moves.push(Move::MoveStack { from, to });
            }
            for (target, to) in self.captures(from, rings) {
                moves.push(Move::OvertakingCapture { from, target, to });
            }
        }
        if self.may_recover(self.current) {
            moves.extend(self.recovery_slides());
            moves.push(Move::SkipRecovery);
        }
        if moves.is_empty() {
            moves.push(Move::NoMovementAction);
        }
        moves
    }

    /// The voluntary capture after a plain move, by the moved stack only (R093).
    pub(super) fn capture_moves(&self) -> Vec<Move> {
        let (from, captures) = self.attacker_captures();
        let mut moves: Vec<Move> =
            captures.into_iter().map(|(target, to)| Move::OvertakingCapture { from, target, to }).collect();
        moves.push(Move::SkipCapture);
        moves
    }

    /// The compulsory continuation of a capture (R103).
    pub(super) fn chain_moves(&self) -> Vec<Move> {
        let (from, captures) = self.attacker_captures();
        captures.into_iter().map(|(target, to)| Move::ContinueCaptureSegment { from, target, to }).collect()
    }

    fn attacker_captures(&self) -> (Pos, Vec<(Pos, Pos)>) {
        let from = self.attacker.expect("a capture phase always has an attacker");
        let rings = self.stack_at(from).expect("the attacker is a stack");
        (from, self.captures(from, rings))
    }

    /// Moves a stack, taking the top ring of `target` on the way if there is one
    /// (R092, R102).
    ///
    /// The stack leaves a marker. Along the path, the mover's own markers collapse
    /// and others change colour. Landing on a marker removes it and costs the top
    /// ring. A captured ring goes to the bottom, so it can end up on top only
    /// if no other ring is left.
    pub(super) fn move_or_capture(&mut self, from: Pos, target: Option<Pos>, to: Pos) {
        let mut rings = self.stack_at(from).expect("only stacks move").clone();
        self.cells.insert(from, Content::Marker(self.current));
        for cell in self.board.between(from, to) {
            if let Some(Content::Marker(owner)) = self.cells.get(&cell) {
                let passed = if *owner == self.current {
                    Content::Collapsed(self.current)
                } else {
                    Content::Marker(self.current)
                };
                self.cells.insert(cell, passed);
            }
        }
        if let Some(target) = target {
            let mut victim = self.stack_at(target).expect("the target is a stack").clone();
            rings.insert(0, victim.pop().expect("a stack has at least one ring"));
            self.set_stack(target, victim);
        }
        let landed_on_marker = self.cells.contains_key(&to);
        self.set_stack(to, rings);
        if landed_on_marker {
            self.eliminate_from_top(to, 1);
        }
    }

    /// Whether the stack that has just landed on `pos` is still the current
    /// player's and can capture from there.
    pub(super) fn can_capture_from(&self, pos: Pos) -> bool {
        self.stack_at(pos)
            .is_some_and(|rings| controller(rings) == self.current && !self.captures(pos, rings).is_empty())
    }
}
