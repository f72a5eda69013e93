//! The position, and the few elementary changes everything else is made of.

use std::fmt;

use game::{MAX_SEATS, Observer, Seat};

use crate::{Cell, Goals, Rules, Stack, bits::Bits, geometry::Geometry, sight::LineWord};

/// A position on the board `B`: everything the future of the game depends on, as one flat value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position<B: Geometry> {
    pub(crate) rings: B::Rings,
    pub(crate) lines: B::Lines,
    /// Stacks by the seat that controls them.
    pub(crate) controlled: [B::Bits; MAX_SEATS],
    pub(crate) markers: [B::Bits; MAX_SEATS],
    pub(crate) collapsed: [B::Bits; MAX_SEATS],
    /// Key of the rules and of the contents of all cells.
    pub(crate) cells_key: u64,
    pub(crate) hands: [u16; MAX_SEATS],
    pub(crate) credits: [u16; MAX_SEATS],
    pub(crate) territory: [u16; MAX_SEATS],
    /// Rings of each colour in stacks, at any depth.
    pub(crate) on_board: [u16; MAX_SEATS],
    /// How many turns had ended when a seat first had no ring left.
    pub(crate) eliminated_at: [Option<u16>; MAX_SEATS],
    /// Turns that have ended.
    pub(crate) turn: u16,
    /// In `movement` the stack just placed on, which alone may act; in the capture phases the capturing stack.
    pub(crate) focus: Option<Cell>,
    pub(crate) rules: Rules,
    pub(crate) goals: Goals,
    pub(crate) seat: Seat,
    pub(crate) phase: Phase,
    pub(crate) owes: Owes,
    /// The mover has changed the board this turn.
    pub(crate) acted: bool,
    /// The mover has played a recovery slide this turn: regions are paid with buried rings.
    pub(crate) recovered: bool,
    pub(crate) swap: Swap,
    pub(crate) standing: Standing,
    pub(crate) ended: Option<End>,
}

/// The part of a turn that comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Placing rings; every turn starts here.
    RingPlacement,
    /// Moving a stack, or recovering.
    Movement,
    /// The stack that moved may capture.
    Capture,
    /// The stack that captured must capture again.
    ChainCapture,
    /// Collapsing lines.
    LineProcessing,
    /// Claiming regions.
    TerritoryProcessing,
    /// Losing a cap because nothing was done.
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

/// What the mover has to pay before anything else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owes {
    /// Nothing.
    Nothing,
    /// One ring for a collapsed line.
    Line,
    /// A cap, or a buried ring, for a claimed region.
    Region,
}

/// How the pie rule stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Swap {
    /// Not part of this game, or declined.
    Closed,
    /// Seat 1 has not finished its first turn.
    Waiting,
    /// Seat 2 may swap now.
    Open,
    /// The participants have changed seats.
    Used,
}

/// The count of rounds in which one seat alone had a real action (R172).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Standing {
    /// The seat whose turns separate the rounds.
    pub first: Option<Seat>,
    /// Seats, as bits, that could act when their turn of this round began.
    pub able: u8,
    /// The seat that was alone able in the last complete rounds.
    pub alone: Option<Seat>,
    /// How many such rounds there were.
    pub rounds: u8,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct End {
    /// The winner; nobody if a game of three or four was broken off.
    pub winner: Option<Seat>,
    /// By which rule.
    pub reason: Reason,
    /// Decided by the ladder of comparisons on a board without stacks.
    pub stalemate: bool,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Enough rings were credited.
    RingElimination,
    /// Enough cells were collapsed.
    TerritoryControl,
    /// Only one seat could still act, or was left at all.
    LastPlayerStanding,
    /// A seat gave up; declared by the host.
    Resignation,
    /// A seat ran out of time; declared by the host.
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

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// Nothing.
    Empty,
    /// Rings.
    Stack(Stack),
    /// A marker of this seat.
    Marker(Seat),
    /// Territory of this seat, for good.
    Collapsed(Seat),
}

/// One cell changed what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The cell.
    pub cell: Cell,
    /// What it held.
    pub before: Content,
    /// What it holds now.
    pub after: Content,
}

/// Reading a position.
impl<B: Geometry> Position<B> {
    /// The phase of the turn.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The options the game is played with.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What the options mean on this board.
    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    /// Rings in the seat's hand.
    pub fn hand(&self, seat: Seat) -> u32 {
        self.hands[seat.index()].into()
    }

    /// Eliminated rings credited to the seat.
    pub fn credits(&self, seat: Seat) -> u32 {
        self.credits[seat.index()].into()
    }

    /// Collapsed cells of the seat.
    pub fn territory(&self, seat: Seat) -> u32 {
        self.territory[seat.index()].into()
    }

    /// Rings of the seat's colour on the board, at any depth.
    pub fn rings_on_board(&self, seat: Seat) -> u32 {
        self.on_board[seat.index()].into()
    }

    /// The stack that alone may act: the one just placed on, just moved or just capturing.
    pub fn focus(&self) -> Option<Cell> {
        self.focus
    }

    /// What has to be paid next.
    pub fn owes(&self) -> Owes {
        self.owes
    }

    /// Whether the mover has changed the board this turn.
    pub fn has_acted(&self) -> bool {
        self.acted
    }

    /// Whether the mover has recovered this turn.
    pub fn has_recovered(&self) -> bool {
        self.recovered
    }

    /// How the pie rule stands.
    pub fn swap(&self) -> Swap {
        self.swap
    }

    /// The last-player-standing count.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// How many turns have ended.
    pub fn turns(&self) -> u32 {
        self.turn.into()
    }

    /// How many turns had ended when the seat first had no ring anywhere.
    pub fn eliminated_at(&self, seat: Seat) -> Option<u32> {
        self.eliminated_at[seat.index()].map(u32::from)
    }

    /// How the game ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.ended
    }

    /// What a cell holds.
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

    /// All cells of the board in canonical order, with what they hold.
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
        // Seats that do not exist own nothing, but skipping them pays.
        sets[2..self.rules.seats as usize].iter().fold(sets[0] | sets[1], |all, &set| all | set)
    }

    /// All stacks.
    #[inline]
    pub fn all_stacks(&self) -> B::Bits {
        self.union(&self.controlled)
    }

    /// All markers.
    #[inline]
    pub fn all_markers(&self) -> B::Bits {
        self.union(&self.markers)
    }

    /// All collapsed cells.
    #[inline]
    pub fn all_collapsed(&self) -> B::Bits {
        self.union(&self.collapsed)
    }

    /// Whether the seat has no ring left anywhere.
    #[inline]
    pub(crate) fn is_ringless(&self, seat: Seat) -> bool {
        self.hands[seat.index()] == 0 && self.on_board[seat.index()] == 0
    }

    /// All seats.
    #[inline]
    pub(crate) fn every_seat(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone + use<B> {
        Seat::all(self.rules.seats as usize)
    }
}

/// Elementary changes. Each keeps sets, lines and key in step and tells the observer.
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

    /// The owner of the marker on a cell.
    #[inline]
    pub(crate) fn marker_owner(&self, cell: Cell) -> Option<Seat> {
        self.every_seat().find(|seat| self.markers[seat.index()].contains(cell))
    }

    /// Takes the top `count` rings, all of one colour, out of the game for the mover's credit.
    pub(crate) fn eliminate_top(&mut self, cell: Cell, count: u32, observer: &mut impl Observer<Self>) {
        let stack = self.stack(cell);
        self.on_board[stack.controller().index()] -= count as u16;
        self.credits[self.seat.index()] += count as u16;
        self.set_stack(cell, stack.pop(count), observer);
    }

    /// Takes the mover's lowest ring out of a stack, for the mover's credit.
    pub(crate) fn extract(&mut self, cell: Cell, observer: &mut impl Observer<Self>) {
        let stack = self.stack(cell);
        self.on_board[self.seat.index()] -= 1;
        self.credits[self.seat.index()] += 1;
        self.set_stack(cell, stack.extract(self.seat), observer);
    }
}

/// Scrambles all bits of `input` into all bits of the result, one to one.
#[inline]
pub(crate) const fn mix(input: u64) -> u64 {
    let x = input.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ x >> 32
}

/// Room for 25 rings and the height mark below, two bits for the sort of content above.
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
    /// One line from which the position can be set up again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&game::Setup::to_text(self))
    }
}
