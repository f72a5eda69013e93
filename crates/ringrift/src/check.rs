//! Checking a single move, with the rule that forbids it.

use game::Game;

use crate::{
    Kind, Move, Position,
    bits::Bits,
    geometry::Geometry,
    position::{Owes, Phase, Swap},
};

/// The rule that forbids a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The move does not exist in the current phase.
    #[error("{} is not possible in the phase {}", kind.name(), phase.name())]
    WrongPhase {
        /// The kind of the move.
        kind: Kind,
        /// The current phase.
        phase: Phase,
    },
    /// The move names a cell that is not on the board.
    #[error("that cell is not on the board")]
    OffBoard,
    /// A payment is due first.
    #[error("a payment is due first: choose a stack to take it from")]
    PaymentDue,
    /// The move is not the payment that is due, if any.
    #[error("no such payment is due now")]
    NothingDue,
    /// Swapping sides is not allowed now.
    #[error("only seat 2 can swap sides, in place of its first move and if the rules allow it")]
    NoSwap,
    /// More rings than the hand holds, or an impossible number.
    #[error("{count} rings cannot be placed: 1 to 3 at a time, and {hand} are in hand")]
    Hand {
        /// The number of rings to place.
        count: u32,
        /// Rings in hand.
        hand: u32,
    },
    /// The cell is collapsed or holds a marker.
    #[error("rings can be placed only on an empty cell or a stack")]
    Occupied,
    /// Two or three rings on a stack.
    #[error("only one ring can be placed on a stack")]
    OneRingOnStack,
    /// A dead placement: the resulting stack could neither move nor capture.
    #[error("a stack placed there could neither move nor capture")]
    DeadPlacement,
    /// Skipping the placement is not allowed.
    #[error("placement can be skipped only with rings in hand and another action available")]
    NoSkip,
    /// A no-op or skip whose condition does not hold.
    #[error("{} is possible only when {}", .0.name(), condition(*.0))]
    NotApplicable(Kind),
    /// The mover does not control a stack on the cell.
    #[error("the mover controls no stack there")]
    NotControlled,
    /// Only another stack may act.
    #[error("only the stack just placed on, moved or capturing may act")]
    OtherStack,
    /// The distance is less than the height of the stack.
    #[error("a stack of height {height} must move at least {height} cells, not {distance}")]
    TooShort {
        /// The height of the stack.
        height: u32,
        /// The distance of the move.
        distance: u32,
    },
    /// The path is blocked.
    #[error("the path is blocked by a stack, a collapsed cell or the edge of the board")]
    Blocked,
    /// There is no stack to capture in that direction.
    #[error("there is no stack to capture in that direction with room to land beyond it")]
    NoTarget,
    /// The target's cap is higher.
    #[error("a cap of {cap} cannot capture a cap of {target}")]
    CapTooHigh {
        /// The cap of the attacker.
        cap: u32,
        /// The cap of the target.
        target: u32,
    },
    /// The mover is not eligible for recovery.
    #[error("recovery requires a marker, a buried ring and no controlled stack")]
    NotEligible,
    /// No such recovery slide.
    #[error(
        "no such recovery slide: it needs a free neighbouring cell, a stack that pays, and a line if any slide \
         completes one"
    )]
    NoSlide,
    /// No such line, or no such option for it.
    #[error("the mover has no such line, or the line does not allow that option")]
    NoLine,
    /// No such claimable region.
    #[error("the mover cannot claim such a region")]
    NoRegion,
    /// The stack holds no buried ring of the mover.
    #[error("that stack cannot pay: it holds no buried ring of the mover")]
    CannotPay,
}

impl<B: Geometry> Position<B> {
    pub(crate) fn why_illegal(&self, m: Move) -> Option<Illegal> {
        let (kind, phase) = (m.kind(), self.phase);
        if phase == Phase::GameOver {
            return Some(Illegal::Over);
        }
        if !is_possible_in(kind, phase) {
            return Some(Illegal::WrongPhase { kind, phase });
        }
        if self.owes != Owes::Nothing
            && !matches!(kind, Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried)
        {
            return Some(Illegal::PaymentDue);
        }
        match kind {
            Kind::PlaceRing => self.why_not_place(m),
            Kind::SwapSides => (self.swap != Swap::Open).then_some(Illegal::NoSwap),
            Kind::SkipPlacement => (!self.may_skip_placement()).then_some(Illegal::NoSkip),
            Kind::MoveStack | Kind::Capture | Kind::ChainCapture => self.why_not_move_or_capture(m),
            Kind::SkipCapture => None,
            Kind::SkipRecovery => {
                (self.focus.is_some() || !self.is_recovery_eligible()).then_some(Illegal::NotEligible)
            }
            Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
                if self.focus.is_some() || !self.is_recovery_eligible() {
                    Some(Illegal::NotEligible)
                } else {
                    self.unless_listed(m, Illegal::NoSlide)
                }
            }
            Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => {
                self.unless_listed(m, Illegal::NoLine)
            }
            Kind::ClaimRegion => self.unless_listed(m, Illegal::NoRegion),
            Kind::PayLine | Kind::PayRegion | Kind::PayRegionBuried => self.why_not_pay(m),
            Kind::ForcedElimination => self.unless_controlled(m),
            Kind::NoPlacement | Kind::NoMovement | Kind::NoLine | Kind::NoTerritory | Kind::SkipTerritory => {
                self.unless_listed(m, Illegal::NotApplicable(kind))
            }
        }
    }

    /// Checks a move against the list of legal moves, for kinds that have no simpler condition.
    fn unless_listed(&self, m: Move, reason: Illegal) -> Option<Illegal> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        (!moves.contains(&m)).then_some(reason)
    }

    fn unless_controlled(&self, m: Move) -> Option<Illegal> {
        if !B::has(m.cell()) {
            return Some(Illegal::OffBoard);
        }
        (!self.controlled_by(self.seat).contains(m.cell())).then_some(Illegal::NotControlled)
    }

    fn why_not_place(&self, m: Move) -> Option<Illegal> {
        let (cell, count, hand) = (m.cell(), m.count(), self.hand(self.seat));
        if !B::has(m.cell()) {
            return Some(Illegal::OffBoard);
        }
        if !(1..=hand.min(3)).contains(&count) {
            return Some(Illegal::Hand { count, hand });
        }
        if (self.all_markers() | self.all_collapsed()).contains(cell) {
            return Some(Illegal::Occupied);
        }
        let stack = self.stack(cell);
        if !stack.is_empty() && count > 1 {
            return Some(Illegal::OneRingOnStack);
        }
        // A placement of two or three rings also requires that one ring could be placed.
        let one = stack.push(self.seat);
        let alive =
            self.can_act(cell, one.height(), one.cap()) && (count == 1 || self.can_act(cell, count, count));
        (!alive).then_some(Illegal::DeadPlacement)
    }

    fn why_not_move_or_capture(&self, m: Move) -> Option<Illegal> {
        let (cell, direction, distance) = (m.cell(), m.direction(), m.distance());
        if !B::has(m.cell()) || direction.axis() >= B::AXES {
            return Some(Illegal::OffBoard);
        }
        if !self.controlled_by(self.seat).contains(cell) {
            return Some(Illegal::NotControlled);
        }
        if self.focus.is_some_and(|focus| focus != cell) {
            return Some(Illegal::OtherStack);
        }
        let stack = self.stack(cell);
        let (height, cap) = (stack.height(), stack.cap());
        let ray = self.ray(cell, direction);
        if distance < height {
            return Some(Illegal::TooShort { height, distance });
        }
        if m.kind() == Kind::MoveStack {
            return (distance > ray.free).then_some(Illegal::Blocked);
        }
        if !ray.stack || ray.beyond == 0 || distance < ray.free + 2 {
            return Some(Illegal::NoTarget);
        }
        let target = self.stack(B::ahead(cell, direction, ray.free + 1)).cap();
        if target > cap {
            return Some(Illegal::CapTooHigh { cap, target });
        }
        (distance > ray.free + 1 + ray.beyond).then_some(Illegal::Blocked)
    }

    fn why_not_pay(&self, m: Move) -> Option<Illegal> {
        let kind = m.kind();
        let due = match self.owes {
            Owes::Nothing => None,
            Owes::Line => Some(Kind::PayLine),
            Owes::Region if self.recovered => Some(Kind::PayRegionBuried),
            Owes::Region => Some(Kind::PayRegion),
        };
        if due != Some(kind) {
            return Some(Illegal::NothingDue);
        }
        if kind == Kind::PayRegionBuried {
            let pays = B::has(m.cell()) && self.stack(m.cell()).buries(self.seat);
            return (!pays).then_some(Illegal::CannotPay);
        }
        self.unless_controlled(m)
    }
}

/// The condition of a no-op or of skipping territory, in words.
fn condition(kind: Kind) -> &'static str {
    match kind {
        Kind::NoPlacement => "no ring can be placed",
        Kind::NoMovement => "no stack can move and no recovery is possible",
        Kind::NoLine => "there is no line to process",
        Kind::NoTerritory => "no region can be claimed",
        _ => "a region can be claimed",
    }
}

/// Whether moves of this kind exist in this phase.
fn is_possible_in(kind: Kind, phase: Phase) -> bool {
    match kind {
        Kind::PlaceRing | Kind::SkipPlacement | Kind::NoPlacement | Kind::SwapSides => {
            phase == Phase::RingPlacement
        }
        Kind::MoveStack
        | Kind::RecoverFallback
        | Kind::RecoverStrike
        | Kind::RecoverLine
        | Kind::RecoverWindow
        | Kind::SkipRecovery
        | Kind::NoMovement => phase == Phase::Movement,
        Kind::Capture => phase == Phase::Movement || phase == Phase::Capture,
        Kind::SkipCapture => phase == Phase::Capture,
        Kind::ChainCapture => phase == Phase::ChainCapture,
        Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow | Kind::PayLine | Kind::NoLine => {
            phase == Phase::LineProcessing
        }
        Kind::ClaimRegion
        | Kind::PayRegion
        | Kind::PayRegionBuried
        | Kind::SkipTerritory
        | Kind::NoTerritory => phase == Phase::TerritoryProcessing,
        Kind::ForcedElimination => phase == Phase::ForcedElimination,
    }
}
