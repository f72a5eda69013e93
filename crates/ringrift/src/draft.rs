//! Unchecked positions: built field by field, then validated.

use game::{Game, MAX_SEATS, Seat};

use crate::{
    Cell, Position, Rules, Stack,
    bits::Bits,
    geometry::Geometry,
    position::{Content, End, Owes, Phase, Standing, Swap},
};

/// All the fields of a [`Position`], not yet validated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// The options of the game.
    pub rules: Rules,
    /// The cells that are not empty, with their contents.
    pub cells: Vec<(Cell, Content)>,
    /// Rings in hand, by seat.
    pub hands: [u16; MAX_SEATS],
    /// Eliminated rings credited to each seat.
    pub credits: [u16; MAX_SEATS],
    /// The seat to move.
    pub seat: Seat,
    /// The phase of its turn.
    pub phase: Phase,
    /// The only stack that may act, if there is such a restriction.
    pub focus: Option<Cell>,
    /// The payment that is due.
    pub owes: Owes,
    /// Whether the mover has changed the board this turn.
    pub acted: bool,
    /// Whether the mover has recovered this turn.
    pub recovered: bool,
    /// The state of the pie rule.
    pub swap: Swap,
    /// The last-player-standing count.
    pub standing: Standing,
    /// The number of completed turns.
    pub turn: u16,
    /// For each seat, the number of completed turns when it lost its last ring.
    pub eliminated_at: [Option<u16>; MAX_SEATS],
    /// How the game ended, if it has.
    pub ended: Option<End>,
}

/// The part of a draft that a fault concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// [`Draft::rules`].
    Rules,
    /// The cell with this index in [`Draft::cells`].
    Cell(usize),
    /// [`Draft::hands`].
    Hands,
    /// [`Draft::credits`].
    Credits,
    /// The seat to move or the phase.
    Turn,
    /// [`Draft::focus`].
    Focus,
    /// [`Draft::owes`].
    Owes,
    /// [`Draft::acted`] or [`Draft::recovered`].
    Acted,
    /// [`Draft::swap`].
    Swap,
    /// [`Draft::standing`].
    Standing,
    /// [`Draft::ended`].
    End,
}

impl Draft {
    /// The largest number of rings in hand or of credited rings for one seat.
    pub const MOST_RINGS: u16 = 9_999;

    /// An empty board at the start of seat 1's turn.
    pub fn new<B: Geometry>(rules: Rules) -> Self {
        let mut hands = [0; MAX_SEATS];
        hands[..(rules.seats as usize).min(MAX_SEATS)].fill(rules.goals(B::BOARD).rings);
        Self {
            rules,
            cells: Vec::new(),
            hands,
            credits: [0; MAX_SEATS],
            seat: Seat::FIRST,
            phase: Phase::RingPlacement,
            focus: None,
            owes: Owes::Nothing,
            acted: false,
            recovered: false,
            swap: if rules.swap { Swap::Waiting } else { Swap::Closed },
            standing: Standing::default(),
            turn: 0,
            eliminated_at: [None; MAX_SEATS],
            ended: None,
        }
    }

    /// Builds the position, if the draft is valid.
    ///
    /// # Errors
    /// Returns all faults, each with the part it concerns.
    pub fn build<B: Geometry>(&self) -> Result<Position<B>, Vec<(Part, String)>> {
        let mut faults: Vec<(Part, String)> =
            self.rules.faults().into_iter().map(|fault| (Part::Rules, fault)).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        self.count_faults(&mut faults);
        let mut position = Position::<B>::new(&self.rules);
        for (index, &(cell, content)) in self.cells.iter().enumerate() {
            match self.content_fault::<B>(&position, cell, content) {
                Some(fault) => faults.push((Part::Cell(index), fault)),
                None => put(&mut position, cell, content),
            }
        }
        if faults.is_empty() {
            self.fill(&mut position);
            faults = turn_faults(&position);
        }
        if faults.is_empty() { Ok(position) } else { Err(faults) }
    }

    fn fill<B: Geometry>(&self, position: &mut Position<B>) {
        position.hands = self.hands;
        position.credits = self.credits;
        position.seat = self.seat;
        position.phase = self.phase;
        position.focus = self.focus;
        position.owes = self.owes;
        position.acted = self.acted;
        position.recovered = self.recovered;
        position.swap = self.swap;
        position.standing = self.standing;
        position.turn = self.turn;
        position.eliminated_at = self.eliminated_at;
        position.ended = self.ended;
        position.record_eliminations();
    }

    fn count_faults(&self, faults: &mut Vec<(Part, String)>) {
        let seats = self.rules.seats as usize;
        for (part, what, counts) in
            [(Part::Hands, "rings in hand", self.hands), (Part::Credits, "credited rings", self.credits)]
        {
            for (seat, count) in Seat::all(MAX_SEATS).zip(counts) {
                if count > Self::MOST_RINGS {
                    faults.push((
                        part,
                        format!("{count} {what} for seat {seat}: at most {}", Self::MOST_RINGS),
                    ));
                }
                if count > 0 && seat.index() >= seats {
                    faults.push((part, format!("{what} for seat {seat}, but there are only {seats} seats")));
                }
            }
        }
        let standing = self.standing;
        let seats_named =
            [Some(self.seat), standing.first, standing.alone, self.ended.and_then(|end| end.winner)];
        let parts = [Part::Turn, Part::Standing, Part::Standing, Part::End];
        for (seat, part) in seats_named.into_iter().zip(parts) {
            if let Some(seat) = seat.filter(|seat| seat.index() >= seats) {
                faults.push((part, format!("seat {seat}, but there are only {seats} seats")));
            }
        }
        if standing.able >> seats != 0 {
            faults.push((Part::Standing, format!("a seat able to act, but there are only {seats} seats")));
        }
    }

    fn content_fault<B: Geometry>(
        &self,
        so_far: &Position<B>,
        cell: Cell,
        content: Content,
    ) -> Option<String> {
        if !B::has(cell) {
            return Some(format!("the cell is not on the board {}", B::BOARD));
        }
        if so_far.content(cell) != Content::Empty {
            return Some("the cell is listed twice".to_owned());
        }
        let seats = self.rules.seats as usize;
        let unknown = |seat: Seat| format!("a piece of seat {seat}, but there are only {seats} seats");
        match content {
            Content::Empty => None,
            Content::Marker(seat) | Content::Collapsed(seat) => {
                (seat.index() >= seats).then(|| unknown(seat))
            }
            Content::Stack(stack) => {
                let height = stack.height();
                if !(1..=Stack::MAX_HEIGHT).contains(&height) {
                    return Some(format!("a stack of {height} rings: expected 1 to {}", Stack::MAX_HEIGHT));
                }
                stack.rings().find(|seat| seat.index() >= seats).map(unknown)
            }
        }
    }
}

fn put<B: Geometry>(position: &mut Position<B>, cell: Cell, content: Content) {
    match content {
        Content::Empty => {}
        Content::Marker(seat) => position.put_marker(cell, seat, &mut ()),
        Content::Collapsed(seat) => position.collapse(cell, seat, &mut ()),
        Content::Stack(stack) => {
            for ring in stack.rings() {
                position.on_board[ring.index()] += 1;
            }
            position.set_stack(cell, stack, &mut ());
        }
    }
}

/// Checks that the phase, the stack in focus and pending payments fit together, so that the position is playable.
fn turn_faults<B: Geometry>(position: &Position<B>) -> Vec<(Part, String)> {
    let mut faults = Vec::new();
    let mut require = |holds: bool, part: Part, otherwise: &str| {
        if !holds {
            faults.push((part, otherwise.to_owned()));
        }
    };
    let phase = position.phase;
    let capturing = matches!(phase, Phase::Capture | Phase::ChainCapture);
    let controls = !position.controlled_by(position.seat).is_empty();
    match position.focus {
        None => require(!capturing, Part::Focus, "the capturing stack must be named in a capture phase"),
        Some(cell) => {
            let own = B::has(cell) && position.controlled_by(position.seat).contains(cell);
            require(own, Part::Focus, "the stack in focus must be one of the mover's");
            let stack = if own { position.stack(cell) } else { Stack::EMPTY };
            let (height, cap) = (stack.height(), stack.cap());
            if capturing {
                let able = own && position.can_capture(cell, height, cap);
                require(able, Part::Focus, "the stack in focus has nothing to capture");
            } else {
                require(phase == Phase::Movement, Part::Focus, "no stack is in focus in this phase");
                let able = own && position.can_act(cell, height, cap);
                require(able, Part::Focus, "the stack in focus can neither move nor capture");
            }
        }
    }
    match position.owes {
        Owes::Nothing => {}
        Owes::Line => {
            require(phase == Phase::LineProcessing, Part::Owes, "a line is paid for in line_processing");
            require(controls, Part::Owes, "a line is paid for only by a seat that controls a stack");
        }
        Owes::Region => {
            require(
                phase == Phase::TerritoryProcessing,
                Part::Owes,
                "a region is paid for in territory_processing",
            );
            require(!position.region_payers().is_empty(), Part::Owes, "no stack can pay for the region");
        }
    }
    if phase == Phase::ForcedElimination {
        require(controls, Part::Turn, "forced_elimination needs a stack of the mover");
        require(!position.acted, Part::Acted, "a mover who has acted is not forced to eliminate");
    }
    require(position.acted || !position.recovered, Part::Acted, "recovering counts as having acted");
    require(position.rules.swap || position.swap == Swap::Closed, Part::Swap, "the rules have no swap");
    let may_swap = position.seat.number() == 2 && phase == Phase::RingPlacement;
    require(position.swap != Swap::Open || may_swap, Part::Swap, "only seat 2 may swap, in ring_placement");
    require(
        (phase == Phase::GameOver) == position.ended.is_some(),
        Part::End,
        "a result is required in the phase game_over and not allowed in any other",
    );
    faults
}

impl<B: Geometry> Position<B> {
    /// Returns the fields of the position as a draft that [builds](Draft::build) it again.
    pub fn draft(&self) -> Draft {
        Draft {
            rules: self.rules,
            cells: self.contents().filter(|(_, content)| *content != Content::Empty).collect(),
            hands: self.hands,
            credits: self.credits,
            seat: self.seat,
            phase: self.phase,
            focus: self.focus,
            owes: self.owes,
            acted: self.acted,
            recovered: self.recovered,
            swap: self.swap,
            standing: self.standing,
            turn: self.turn,
            eliminated_at: self.eliminated_at,
            ended: self.ended,
        }
    }
}
