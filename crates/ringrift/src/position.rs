//! The position, and the elementary changes that all moves are composed of.

use std::fmt;

use game::{MAX_SEATS, Observer, Seat};

use crate::{Cell, Goals, Rules, Stack, bits::Bits, geometry::Geometry, rays::LineWord};

/// A position on the board `B`: everything that the future of the game depends on, as one flat value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position<B: Geometry> {
    pub(crate) rings: B::Rings,
    pub(crate) lines: B::Lines,
    /// The stacks that each seat controls.
    pub(crate) controlled: [B::Bits; MAX_SEATS],
    pub(crate) markers: [B::Bits; MAX_SEATS],
    pub(crate) collapsed: [B::Bits; MAX_SEATS],
    /// The Zobrist-style key of the rules and of the contents of all cells.
    pub(crate) cells_key: u64,
    pub(crate) hands: [u16; MAX_SEATS],
    pub(crate) credits: [u16; MAX_SEATS],
    pub(crate) territory: [u16; MAX_SEATS],
    /// The number of rings of each colour in stacks, at any depth.
    pub(crate) on_board: [u16; MAX_SEATS],
    /// For each seat, the number of completed turns when it lost its last ring.
    pub(crate) eliminated_at: [Option<u16>; MAX_SEATS],
    /// The number of completed turns.
    pub(crate) turn: u16,
    /// The only stack that may act: in `movement` the stack just placed on, in the capture phases the attacker.
    pub(crate) focus: Option<Cell>,
    pub(crate) rules: Rules,
    pub(crate) goals: Goals,
    pub(crate) seat: Seat,
    pub(crate) phase: Phase,
    pub(crate) owes: Owes,
    /// The mover has changed the board this turn.
    pub(crate) acted: bool,
    /// The mover has played a recovery slide this turn, so regions are paid for with buried rings.
    pub(crate) recovered: bool,
    pub(crate) swap: Swap,
    pub(crate) standing: Standing,
    pub(crate) ended: Option<End>,
}

/// The current phase of a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The mover places rings. Every turn starts here.
    RingPlacement,
    /// The mover moves a stack, captures, or plays a recovery slide.
    Movement,
    /// The stack that moved may capture.
    Capture,
    /// The stack that captured must capture again.
    ChainCapture,
    /// The mover collapses lines.
    LineProcessing,
    /// The mover claims regions.
    TerritoryProcessing,
    /// The mover has not acted this turn and must eliminate a cap.
    ForcedElimination,
    /// The game is over.
    GameOver,
}

impl Phase {
    /// All phases in the order of a turn.
    pub const ALL: [Self; 8] = [
        Self::RingPlacement,
        Self::Movement,
        Self::Capture,
        Self::ChainCapture,
        Self::LineProcessing,
        Self::TerritoryProcessing,
        Self::ForcedElimination,
        Self::GameOver,
    ];

    /// The interchange name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RingPlacement => "ring_placement",
            Self::Movement => "movement",
            Self::Capture => "capture",
            Self::ChainCapture => "chain_capture",
            Self::LineProcessing => "line_processing",
            Self::TerritoryProcessing => "territory_processing",
            Self::ForcedElimination => "forced_elimination",
            Self::GameOver => "game_over",
        }
    }
}

/// The payment that the mover must make before any other decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owes {
    /// No payment is due.
    Nothing,
    /// One ring for a collapsed line.
    Line,
    /// A cap, or a buried ring, for a claimed region.
    Region,
}

/// The state of the pie rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Swap {
    /// The rule is not in force, or seat 2 declined to swap.
    Closed,
    /// Seat 1 has not finished its first turn.
    Waiting,
    /// Seat 2 may swap now.
    Open,
    /// The participants have exchanged seats.
    Used,
}

/// The last-player-standing count: consecutive rounds in which exactly one seat had a real action (R172).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Standing {
    /// The seat whose turn begins each round.
    pub first: Option<Seat>,
    /// A bit mask of the seats that had a real action at the start of their turn in this round.
    pub able: u8,
    /// The seat that alone had a real action in the most recent complete rounds.
    pub alone: Option<Seat>,
    /// The number of consecutive rounds for which [`alone`](Self::alone) has been the only such seat.
    pub rounds: u8,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct End {
    /// The winner; `None` if a game of three or four seats ended by forfeit.
    pub winner: Option<Seat>,
    /// The rule that ended the game.
    pub reason: Reason,
    /// Whether the stalemate ladder decided the game, on a board without stacks.
    pub stalemate: bool,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A seat reached the threshold of credited rings.
    RingElimination,
    /// A seat reached the threshold of collapsed cells.
    TerritoryControl,
    /// Only one seat could still act, or only one still had rings.
    LastPlayerStanding,
    /// A seat resigned, as declared by the host.
    Resignation,
    /// A seat ran out of time, as declared by the host.
    Timeout,
}

impl Reason {
    /// The interchange name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RingElimination => "ring_elimination",
            Self::TerritoryControl => "territory_control",
            Self::LastPlayerStanding => "last_player_standing",
            Self::Resignation => "resignation",
            Self::Timeout => "timeout",
        }
    }

    /// All reasons.
    pub const ALL: [Self; 5] = [
        Self::RingElimination,
        Self::TerritoryControl,
        Self::LastPlayerStanding,
        Self::Resignation,
        Self::Timeout,
    ];
}

/// The content of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// An empty cell.
    Empty,
    /// A stack of rings.
    Stack(Stack),
    /// A marker of this seat.
    Marker(Seat),
    /// A collapsed cell: territory of this seat, permanently.
    Collapsed(Seat),
}

/// A change of one cell's content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The cell that changed.
    pub cell: Cell,
    /// The content before the change.
    pub before: Content,
    /// The content after the change.
    pub after: Content,
}

/// Accessors.
impl<B: Geometry> Position<B> {
    /// The current phase of the turn.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The options the game is played with.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The lengths and thresholds that the options imply on this board.
    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    /// The number of rings in the seat's hand.
    pub fn hand(&self, seat: Seat) -> u32 {
        self.hands[seat.index()].into()
    }

    /// The number of eliminated rings credited to the seat.
    pub fn credits(&self, seat: Seat) -> u32 {
        self.credits[seat.index()].into()
    }

    /// The number of cells collapsed for the seat.
    pub fn territory(&self, seat: Seat) -> u32 {
        self.territory[seat.index()].into()
    }

    /// The number of rings of the seat's colour on the board, at any depth.
    pub fn rings_on_board(&self, seat: Seat) -> u32 {
        self.on_board[seat.index()].into()
    }

    /// The only stack that may act, if there is such a restriction: the stack just placed on, or the attacker.
    pub fn focus(&self) -> Option<Cell> {
        self.focus
    }

    /// The payment that is due.
    pub fn owes(&self) -> Owes {
        self.owes
    }

    /// Whether the mover has changed the board this turn.
    pub fn has_acted(&self) -> bool {
        self.acted
    }

    /// Whether the mover has played a recovery slide this turn.
    pub fn has_recovered(&self) -> bool {
        self.recovered
    }

    /// The state of the pie rule.
    pub fn swap(&self) -> Swap {
        self.swap
    }

    /// The last-player-standing count.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The number of completed turns.
    pub fn turns(&self) -> u32 {
        self.turn.into()
    }

    /// The number of completed turns when the seat lost its last ring; `None` if it still has one.
    pub fn eliminated_at(&self, seat: Seat) -> Option<u32> {
        self.eliminated_at[seat.index()].map(u32::from)
    }

    /// How the game ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.ended
    }

    /// The content of a cell.
    pub fn content(&self, cell: Cell) -> Content {
        let stack = self.stack(cell);
        if !stack.is_empty() {
            return Content::Stack(stack);
        }
        for seat in Seat::all(MAX_SEATS) {
            if self.markers[seat.index()].contains(cell) {
                return Content::Marker(seat);
            }
            if self.collapsed[seat.index()].contains(cell) {
                return Content::Collapsed(seat);
            }
        }
        Content::Empty
    }

    /// All cells of the board in canonical order, with their contents.
    pub fn contents(&self) -> impl Iterator<Item = (Cell, Content)> {
        B::ON_BOARD.cells().map(|cell| (cell, self.content(cell)))
    }

    /// The stack on a cell; empty if there is none.
    #[inline]
    pub fn stack(&self, cell: Cell) -> Stack {
        Stack::from_word(self.rings.as_ref()[B::slot(cell)])
    }

    /// The stacks a seat controls.
    #[inline]
    pub fn controlled_by(&self, seat: Seat) -> B::Bits {
        self.controlled[seat.index()]
    }

    /// A seat's markers.
    #[inline]
    pub fn markers_of(&self, seat: Seat) -> B::Bits {
        self.markers[seat.index()]
    }

    #[inline]
    fn union(&self, sets: &[B::Bits; MAX_SEATS]) -> B::Bits {
        // Seats that are not in the game own nothing; skipping them is faster.
        sets[2..self.rules.seats as usize].iter().fold(sets[0] | sets[1], |all, &set| all | set)
    }

    /// The cells of all stacks.
    #[inline]
    pub fn all_stacks(&self) -> B::Bits {
        self.union(&self.controlled)
    }

    /// The cells of all markers.
    #[inline]
    pub fn all_markers(&self) -> B::Bits {
        self.union(&self.markers)
    }

    /// All collapsed cells.
    #[inline]
    pub fn all_collapsed(&self) -> B::Bits {
        self.union(&self.collapsed)
    }

    /// Whether the seat is permanently eliminated: it has no ring in hand or on the board, at any depth.
    #[inline]
    pub(crate) fn is_ringless(&self, seat: Seat) -> bool {
        self.hands[seat.index()] == 0 && self.on_board[seat.index()] == 0
    }

    /// The seats of this game, in order.
    #[inline]
    pub(crate) fn every_seat(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone + use<B> {
        Seat::all(self.rules.seats as usize)
    }
}

/// Elementary changes. Each one updates the sets, line words and key together, and notifies the observer.
impl<B: Geometry> Position<B> {
    pub(crate) fn set_stack(&mut self, cell: Cell, after: Stack, observer: &mut impl Observer<Self>) {
        let before = self.stack(cell);
        self.rings.as_mut()[B::slot(cell)] = after.word();
        if !before.is_empty() {
            self.controlled[before.controller().index()].toggle(cell);
            self.cells_key ^= stack_key(cell, before);
        }
        if !after.is_empty() {
            self.controlled[after.controller().index()].toggle(cell);
            self.cells_key ^= stack_key(cell, after);
        }
        if before.is_empty() != after.is_empty() {
            for on in &B::lines_through(cell)[..B::AXES] {
                self.lines.as_mut()[on.line as usize].toggle_stack(on.position);
            }
        }
        let content = |stack: Stack| if stack.is_empty() { Content::Empty } else { Content::Stack(stack) };
        observer.changed(Change { cell, before: content(before), after: content(after) });
    }

    pub(crate) fn put_marker(&mut self, cell: Cell, seat: Seat, observer: &mut impl Observer<Self>) {
        self.toggle_marker(cell, seat);
        observer.changed(Change { cell, before: Content::Empty, after: Content::Marker(seat) });
    }

    pub(crate) fn take_marker(&mut self, cell: Cell, seat: Seat, observer: &mut impl Observer<Self>) {
        self.toggle_marker(cell, seat);
        observer.changed(Change { cell, before: Content::Marker(seat), after: Content::Empty });
    }

    fn toggle_marker(&mut self, cell: Cell, seat: Seat) {
        self.markers[seat.index()].toggle(cell);
        self.cells_key ^= marker_key(cell, seat);
    }

    /// Collapses an empty cell for `seat`.
    pub(crate) fn collapse(&mut self, cell: Cell, seat: Seat, observer: &mut impl Observer<Self>) {
        self.collapsed[seat.index()].toggle(cell);
        self.cells_key ^= collapsed_key(cell, seat);
        self.territory[seat.index()] += 1;
        for on in &B::lines_through(cell)[..B::AXES] {
            self.lines.as_mut()[on.line as usize].toggle_blocker(on.position);
        }
        observer.changed(Change { cell, before: Content::Empty, after: Content::Collapsed(seat) });
    }

    /// Collapses a cell that holds a marker of `owner`.
    pub(crate) fn collapse_marker(
        &mut self,
        cell: Cell,
        owner: Seat,
        seat: Seat,
        observer: &mut impl Observer<Self>,
    ) {
        self.take_marker(cell, owner, observer);
        self.collapse(cell, seat, observer);
    }

    /// The owner of the marker on a cell; `None` if the cell holds no marker.
    #[inline]
    pub(crate) fn marker_owner(&self, cell: Cell) -> Option<Seat> {
        self.every_seat().find(|seat| self.markers[seat.index()].contains(cell))
    }

    /// Eliminates the top `count` rings of a stack, all of one colour, and credits them to the mover.
    pub(crate) fn eliminate_top(&mut self, cell: Cell, count: u32, observer: &mut impl Observer<Self>) {
        let stack = self.stack(cell);
        self.on_board[stack.controller().index()] -= count as u16;
        self.credits[self.seat.index()] += count as u16;
        self.set_stack(cell, stack.pop(count), observer);
    }

    /// Eliminates the mover's lowest ring in a stack and credits it to the mover.
    pub(crate) fn extract(&mut self, cell: Cell, observer: &mut impl Observer<Self>) {
        let stack = self.stack(cell);
        self.on_board[self.seat.index()] -= 1;
        self.credits[self.seat.index()] += 1;
        self.set_stack(cell, stack.extract(self.seat), observer);
    }
}

/// A bijective mixing function that spreads every bit of `input` over the whole result.
#[inline]
pub(crate) const fn mix(input: u64) -> u64 {
    let x = input.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ x >> 32
}

/// The bit at which a cell's index starts in the input of [`mix`]. The lower bits hold a kind of content (two bits)
/// and a stack of up to 25 rings with its height mark.
const CELL_SHIFT: u32 = 54;

#[inline]
pub(crate) const fn stack_key(cell: Cell, stack: Stack) -> u64 {
    mix((cell.index() as u64) << CELL_SHIFT ^ stack.word() << 2)
}

#[inline]
pub(crate) const fn marker_key(cell: Cell, seat: Seat) -> u64 {
    mix((cell.index() as u64) << CELL_SHIFT ^ (seat.index() as u64) << 2 ^ 1)
}

#[inline]
pub(crate) const fn collapsed_key(cell: Cell, seat: Seat) -> u64 {
    mix((cell.index() as u64) << CELL_SHIFT ^ (seat.index() as u64) << 2 ^ 2)
}

impl<B: Geometry> fmt::Debug for Position<B> {
    /// Writes the one-line text from which the position can be set up again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&game::Setup::to_text(self))
    }
}
