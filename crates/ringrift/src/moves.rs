//! A move, packed into one 32-bit word.

use std::fmt;

use game::Seat;

use crate::{Cell, geometry::Direction};

/// One decision: its [`Kind`] and the data that the kind requires.
///
/// A stack move or capture stores a start, a direction and a distance; the captured stack is the first one on that
/// ray. A claim stores the [`Pass`] that finds the region and the region's first cell. A move is therefore meaningful
/// only together with its position; [`Position::move_text`](game::Notation::move_text) writes it out in full.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u32);

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident => $name:literal,)*) => {
        /// The kind of a decision.
        ///
        /// These are the canonical move types, with recovery split by mode, line options by what they collapse, and
        /// eliminations by what they pay for.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// The interchange name of the move type.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// Put rings from the hand on a cell.
    PlaceRing => "place_ring",
    /// Decline to place.
    SkipPlacement => "skip_placement",
    /// No ring can be placed, and there is no placement to decline.
    NoPlacement => "no_placement_action",
    /// Apply the pie rule: the two participants exchange seats.
    SwapSides => "swap_sides",
    /// Move a stack without capturing.
    MoveStack => "move_stack",
    /// The first capture of a turn.
    Capture => "overtaking_capture",
    /// A further segment of a capture chain.
    ChainCapture => "continue_capture_segment",
    /// Decline to capture after a move.
    SkipCapture => "skip_capture",
    /// Slide a marker to an empty cell; costs a buried ring.
    RecoverFallback => "recovery_slide",
    /// Stack strike: sacrifice a marker to eliminate an adjacent stack's top ring; costs a buried ring.
    RecoverStrike => "recovery_slide",
    /// Slide a marker into a line and collapse the whole line; costs a buried ring.
    RecoverLine => "recovery_slide",
    /// Slide a marker into an overlength line and collapse only the required length; free.
    RecoverWindow => "recovery_slide",
    /// Decline to recover.
    SkipRecovery => "skip_recovery",
    /// No stack can move and no recovery is possible.
    NoMovement => "no_movement_action",
    /// Collapse a line of exactly the required length; costs a ring.
    ProcessLine => "process_line",
    /// Collapse a whole overlength line; costs a ring.
    CollapseLine => "choose_line_option",
    /// Collapse only the required length of an overlength line; free.
    CollapseWindow => "choose_line_option",
    /// Eliminate a ring to pay for a line.
    PayLine => "eliminate_rings_from_stack",
    /// No line to process.
    NoLine => "no_line_action",
    /// Claim a region.
    ClaimRegion => "choose_territory_option",
    /// Eliminate a cap to pay for a region.
    PayRegion => "eliminate_rings_from_stack",
    /// Extract a buried ring to pay for a region, in a turn with a recovery slide.
    PayRegionBuried => "eliminate_rings_from_stack",
    /// Decline to claim any region.
    SkipTerritory => "skip_territory_processing",
    /// No region can be claimed.
    NoTerritory => "no_territory_action",
    /// Eliminate a cap because the mover has not acted this turn.
    ForcedElimination => "forced_elimination",
}

impl Kind {
    /// Whether the move is a forced no-op that only records that a phase was visited.
    pub const fn is_bookkeeping(self) -> bool {
        matches!(self, Self::NoPlacement | Self::NoMovement | Self::NoLine | Self::NoTerritory)
    }

    /// Whether the move leaves the board unchanged and does not count as having acted.
    pub const fn is_idle(self) -> bool {
        self.is_bookkeeping()
            || matches!(
                self,
                Self::SkipPlacement | Self::SkipCapture | Self::SkipRecovery | Self::SkipTerritory
            )
    }
}

/// One pass of the search for regions: which cells, besides collapsed ones, are walls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pass(pub(crate) u8);

impl Pass {
    /// Collapsed cells only.
    pub const PLAIN: Self = Self(4);

    /// Collapsed cells and the markers of this seat.
    pub const fn walled_by(seat: Seat) -> Self {
        Self(seat.index() as u8)
    }

    /// The seat whose markers are walls; `None` if only collapsed cells are.
    pub const fn wall(self) -> Option<Seat> {
        Seat::from_number(self.0 as usize + 1)
    }
}

const CELL: u32 = 17;

impl Move {
    #[inline]
    const fn with(kind: Kind, cell: Cell, rest: u32) -> Self {
        Self((kind as u32) << 27 | (cell.index() as u32) << CELL | rest)
    }

    /// A move that consists of its kind alone.
    #[inline]
    pub const fn plain(kind: Kind) -> Self {
        Self::with(kind, Cell::new(0), 0)
    }

    /// A move that consists of its kind and a cell: a payment or a forced elimination.
    #[inline]
    pub const fn on(kind: Kind, cell: Cell) -> Self {
        Self::with(kind, cell, 0)
    }

    /// Place `count` rings on `cell`.
    #[inline]
    pub const fn place(cell: Cell, count: u32) -> Self {
        Self::with(Kind::PlaceRing, cell, count)
    }

    /// A stack move or capture along a ray.
    #[inline]
    pub const fn slide(kind: Kind, from: Cell, direction: Direction, distance: u32) -> Self {
        Self::with(kind, from, (direction.0 as u32) << 5 | distance)
    }

    /// The same move, landing `steps` farther along its ray.
    #[inline]
    pub(crate) const fn farther(self, steps: u32) -> Self {
        Self(self.0 + steps)
    }

    /// A recovery slide that is paid for from the stack on `payer`. `axis` is the axis of the line for
    /// [`Kind::RecoverLine`], and 0 otherwise.
    #[inline]
    pub const fn recover(kind: Kind, from: Cell, direction: Direction, axis: usize, payer: Cell) -> Self {
        Self::with(kind, from, (direction.0 as u32) << 14 | (axis as u32) << 10 | payer.index() as u32)
    }

    /// A free recovery slide that collapses the window starting `offset` cells into its line.
    #[inline]
    pub const fn recover_window(from: Cell, direction: Direction, axis: usize, offset: u32) -> Self {
        Self::with(Kind::RecoverWindow, from, (direction.0 as u32) << 14 | (axis as u32) << 10 | offset)
    }

    /// A line decision: the line's first cell, axis and length, and the offset at which the window starts.
    #[inline]
    pub const fn line(kind: Kind, first: Cell, axis: usize, length: u32, offset: u32) -> Self {
        Self::with(kind, first, (axis as u32) << 15 | length << 10 | offset)
    }

    /// Claim the region with this first cell.
    #[inline]
    pub const fn claim(first: Cell, pass: Pass) -> Self {
        Self::with(Kind::ClaimRegion, first, pass.0 as u32)
    }

    /// The kind of the move.
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind::ALL[(self.0 >> 27) as usize]
    }

    /// The cell placed on, moved from or paid from, or the first cell of a line or region.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell::new((self.0 >> CELL & 0x3ff) as usize)
    }

    /// The number of rings placed.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0 & 0x1f
    }

    /// The distance moved, in cells.
    #[inline]
    pub const fn distance(self) -> u32 {
        self.0 & 0x1f
    }

    /// The direction of a stack move or capture.
    #[inline]
    pub const fn direction(self) -> Direction {
        Direction((self.0 >> 5 & 7) as u8)
    }

    /// The direction of a recovery slide.
    #[inline]
    pub const fn recovery_direction(self) -> Direction {
        Direction((self.0 >> 14 & 7) as u8)
    }

    /// The axis of the line that a recovery slide collapses.
    #[inline]
    pub const fn recovery_axis(self) -> usize {
        (self.0 >> 10 & 3) as usize
    }

    /// The stack that pays for a recovery slide.
    #[inline]
    pub const fn payer(self) -> Cell {
        Cell::new((self.0 & 0x3ff) as usize)
    }

    /// The axis of a line decision.
    #[inline]
    pub const fn line_axis(self) -> usize {
        (self.0 >> 15 & 3) as usize
    }

    /// The length of the line.
    #[inline]
    pub const fn line_length(self) -> u32 {
        self.0 >> 10 & 0x1f
    }

    /// The offset of the window within its line.
    #[inline]
    pub const fn offset(self) -> u32 {
        self.0 & 0x1f
    }

    /// The pass that finds the region.
    #[inline]
    pub const fn pass(self) -> Pass {
        Pass((self.0 & 7) as u8)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({}, {:#x})", self.kind(), self.cell().index(), self.0 & 0x1_ffff)
    }
}
