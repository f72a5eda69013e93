//! Why a move is refused.

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
    /// The move belongs to another part of the turn.
    #[error("{} is not possible in the phase {}", kind.name(), phase.name())]
    WrongPhase {
        /// What was tried.
        kind: Kind,
        /// Where the turn stands.
        phase: Phase,
    },
    /// The move names a cell that the board does not have.
    #[error("that cell is not on the board")]
    OffBoard,
    /// A payment comes first.
    #[error("a ring has to be paid first: choose a stack to take it from")]
    PaymentDue,
    /// Nothing has to be paid.
    #[error("nothing has to be paid now")]
    NothingDue,
    /// The pie rule is not open.
    #[error("sides can be swapped only by seat 2, once, instead of its first move and if the rules allow it")]
    NoSwap,
    /// More rings than the hand holds, or an impossible number.
    #[error("{count} rings cannot be placed: 1 to 3 at a time, and {hand} are in hand")]
    Hand {
        /// Rings asked for.
        count: u32,
        /// Rings in hand.
        hand: u32,
    },
    /// The cell is collapsed or holds a marker.
    #[error("rings can be placed only on an empty cell or on a stack")]
    NoRoom,
    /// Two or three rings on a stack.
    #[error("only one ring can be placed on a stack")]
    OneRingOnStack,
    /// The stack that results could never move.
    #[error("a stack placed there could neither move nor capture")]
    DeadPlacement,
    /// Skipping the placement is not allowed.
    #[error("placement can be skipped only with rings in hand and something else to do")]
    NoSkip,
    /// A bookkeeping step while there is a real choice.
    #[error("there is something to decide: {} is for when there is not", .0.name())]
    NotIdle(Kind),
    /// The start of the move is not a stack of the mover.
    #[error("the mover controls no stack there")]
    NotYours,
    /// Another stack has to act.
    #[error("only the stack just placed, moved or capturing may act")]
    OtherStack,
    /// The landing is nearer than the stack is high.
    #[error("a stack of height {height} has to go at least {height} cells, not {distance}")]
    TooShort {
        /// Rings in the stack.
        height: u32,
        /// Cells asked for.
        distance: u32,
    },
    /// Something stands in the way.
    #[error("the way is blocked by a stack, a collapsed cell or the edge of the board")]
    Blocked,
    /// There is no stack to capture in that direction.
    #[error("there is no stack to capture in that direction with room to land beyond it")]
    NoTarget,
    /// The target's cap is higher.
    #[error("a cap of {cap} cannot capture a cap of {target}")]
    CapTooHigh {
        /// Cap of the attacker.
        cap: u32,
        /// Cap of the stack attacked.
        target: u32,
    },
    /// The mover may not recover.
    #[error("recovery is for a seat without stacks that has a marker and a buried ring")]
    NotEligible,
    /// No such recovery slide.
    #[error(
        "no such recovery: it needs a free neighbouring cell and a payer, and a line if any slide makes one"
    )]
    NoSlide,
    /// No such line.
    #[error("the mover has no such line, or it does not allow that choice")]
    NoLine,
    /// No such region.
    #[error("the mover can claim no such region")]
    NoRegion,
    /// The stack cannot pay.
    #[error("that stack cannot pay")]
    CannotPay,
}

impl<B: Geometry> Position<B> {
    pub(crate) fn why_illegal(&self, m: Move) -> Option<Illegal> {
        let (kind, phase) = (m.kind(), self.phase);
        if phase == Phase::GameOver {
            return Some(Illegal::Over);
        }
        if !belongs(kind, phase) {
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
            Kind::MoveStack | Kind::Capture | Kind::ChainCapture => self.why_not_travel(m),
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
            Kind::ForcedElimination => self.unless_yours(m),
            Kind::NoPlacement | Kind::NoMovement | Kind::NoLine | Kind::NoTerritory | Kind::SkipTerritory => {
                self.unless_listed(m, Illegal::NotIdle(kind))
            }
        }
    }

    /// For the decisions whose conditions are the enumeration itself.
    fn unless_listed(&self, m: Move, reason: Illegal) -> Option<Illegal> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        (!moves.contains(&m)).then_some(reason)
    }

    fn unless_yours(&self, m: Move) -> Option<Illegal> {
        if !B::has(m.cell()) {
            return Some(Illegal::OffBoard);
        }
        (!self.controlled_by(self.seat).contains(m.cell())).then_some(Illegal::NotYours)
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
            return Some(Illegal::NoRoom);
        }
        let stack = self.stack(cell);
        if !stack.is_empty() && count > 1 {
            return Some(Illegal::OneRingOnStack);
        }
        // One ring has to be placeable even where two or three are placed.
        let one = stack.push(self.seat);
        let alive =
            self.can_act(cell, one.height(), one.cap()) && (count == 1 || self.can_act(cell, count, count));
        (!alive).then_some(Illegal::DeadPlacement)
    }

    fn why_not_travel(&self, m: Move) -> Option<Illegal> {
        let (cell, direction, distance) = (m.cell(), m.direction(), m.distance());
        if !B::has(m.cell()) || direction.axis() >= B::AXES {
            return Some(Illegal::OffBoard);
        }
        if !self.controlled_by(self.seat).contains(cell) {
            return Some(Illegal::NotYours);
        }
        if self.focus.is_some_and(|focus| focus != cell) {
            return Some(Illegal::OtherStack);
        }
        let stack = self.stack(cell);
        let (height, cap) = (stack.height(), stack.cap());
        let view = self.view(cell, direction);
        if distance < height {
            return Some(Illegal::TooShort { height, distance });
        }
        if m.kind() == Kind::MoveStack {
            return (distance > view.free).then_some(Illegal::Blocked);
        }
        if !view.stack || view.beyond == 0 || distance < view.free + 2 {
            return Some(Illegal::NoTarget);
        }
        let target = self.stack(B::ahead(cell, direction, view.free + 1)).cap();
        if target > cap {
            return Some(Illegal::CapTooHigh { cap, target });
        }
        (distance > view.free + 1 + view.beyond).then_some(Illegal::Blocked)
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
        self.unless_yours(m)
    }
}

/// Whether moves of this kind exist in this phase at all.
fn belongs(kind: Kind, phase: Phase) -> bool {
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
