//! Converts a game state to a position, or returns all its faults.

use game::{MAX_SEATS, Seat};
use ringrift::{Content, Draft, Geometry, Owes, Part, Phase, Position, Rules, Stack, Standing, Swap};

use crate::{
    ForeignMove, Point, parse_cell_key,
    state::{BadState, GameState, StackState},
};

/// The seat with this number, counted from 1.
pub fn seat(number: i64) -> Option<Seat> {
    usize::try_from(number).ok().and_then(Seat::from_number)
}

impl GameState {
    /// The position on the board `B`, under `rules`.
    ///
    /// Some writers list rings from top to bottom and others from bottom to top. The owner and the cap height of a stack
    /// determine the order. If they match both, the other stacks decide; failing that, it is from top to bottom.
    ///
    /// # Errors
    /// All faults of the state.
    pub fn position<B: Geometry>(&self, rules: &Rules) -> Result<Position<B>, BadState> {
        let mut faults = Vec::new();
        let mut draft = Draft::new::<B>(*rules);
        self.seat_and_phase(&mut draft, &mut faults);
        self.counts(&mut draft, &mut faults);
        self.cells::<B>(&mut draft, &mut faults, |stack, top_last, _| stack.read(top_last));
        self.turn_so_far::<B>(&mut draft, &mut faults);
        if !faults.is_empty() {
            return Err(BadState(faults));
        }
        draft
            .build()
            .or_else(|faults| {
                // A payment that is impossible is waived, which the history does not show.
                let waived = faults.iter().all(|(part, _)| *part == Part::Owes);
                draft.owes = Owes::Nothing;
                if waived { draft.build() } else { Err(faults) }
            })
            .map_err(|faults| BadState(faults.into_iter().map(|(_, fault)| fault).collect()))
    }

    pub(crate) fn seat_and_phase(&self, draft: &mut Draft, faults: &mut Vec<String>) {
        match seat(self.current_player) {
            Some(seat) => draft.seat = seat,
            None => faults.push(format!("current player {}: expected 1 to {MAX_SEATS}", self.current_player)),
        }
        match Phase::ALL.into_iter().find(|phase| phase.name() == &*self.current_phase) {
            Some(Phase::GameOver) => faults.push("the game is already over".to_owned()),
            Some(phase) => draft.phase = phase,
            None => faults.push(format!("{:?} is not a phase", &*self.current_phase)),
        }
    }

    pub(crate) fn counts(&self, draft: &mut Draft, faults: &mut Vec<String>) {
        let mut seen = [false; MAX_SEATS];
        for player in &self.players {
            let number = player.player_number;
            let seat = seat(number).filter(|seat| seat.index() < self.players.len());
            let Some(seat) = seat.filter(|seat| !std::mem::replace(&mut seen[seat.index()], true)) else {
                faults
                    .push(format!("player number {number}: expected 1 to {}, each once", self.players.len()));
                continue;
            };
            let credits = player.eliminated_rings;
            let credits = credits.or_else(|| self.board.eliminated_rings.get(&number.to_string()).copied());
            let mut count = |what: &str, number: i64| {
                u16::try_from(number).unwrap_or_else(|_| {
                    faults.push(format!(
                        "{number} {what} of player {seat}: expected 0 to {}",
                        Draft::MOST_RINGS
                    ));
                    0
                })
            };
            draft.hands[seat.index()] = count("rings in hand", player.rings_in_hand);
            draft.credits[seat.index()] = count("eliminated rings", credits.unwrap_or(0));
        }
    }

    /// Adds the pieces on the board to the draft, with stacks converted by `read`. The contents of a cell that
    /// occurs more than once are in the order stack, collapsed, marker.
    pub(crate) fn cells<B: Geometry>(
        &self,
        draft: &mut Draft,
        faults: &mut Vec<String>,
        read: impl Fn(&StackState, bool, &mut Vec<String>) -> Result<Stack, String>,
    ) {
        let mut add = |key: &str, content: Result<Content, String>, faults: &mut Vec<String>| match (
            parse_cell_key::<B>(key),
            content,
        ) {
            (Some(cell), Ok(content)) => draft.cells.push((cell, content)),
            (None, _) => faults.push(format!("{key:?} is not a cell of {}", B::BOARD)),
            (_, Err(fault)) => faults.push(format!("{key}: {fault}")),
        };
        let seat =
            |number: i64| seat(number).ok_or_else(|| format!("player {number}: expected 1 to {MAX_SEATS}"));
        let top_last = self.is_top_last();
        for (key, stack) in &self.board.stacks {
            let stack = read(stack, top_last, faults);
            add(key, stack.map(Content::Stack), faults);
        }
        for (key, &owner) in &self.board.collapsed_spaces {
            add(key, seat(owner).map(Content::Collapsed), faults);
        }
        for (key, marker) in &self.board.markers {
            add(key, seat(marker.player).map(Content::Marker), faults);
        }
    }

    /// Whether more stacks match only the order from bottom to top than only the reverse.
    fn is_top_last(&self) -> bool {
        let votes = self.board.stacks.values().map(|stack| match (stack.fits(false), stack.fits(true)) {
            (true, false) => -1,
            (false, true) => 1,
            _ => 0,
        });
        votes.sum::<i64>() > 0
    }

    /// Adds what the mover has done and owes in this turn, from explicit fields or the history.
    pub(crate) fn turn_so_far<B: Geometry>(&self, draft: &mut Draft, faults: &mut Vec<String>) {
        let (phase, mover) = (draft.phase, draft.seat);
        let turn = self.moves_of_turn();
        let last = turn.last();
        let played = |name: &str| turn.iter().any(|m| m.name() == name);
        let last_is = |names: &[&str]| last.is_some_and(|m| names.contains(&m.name()));
        let must_move = self.must_move_from_stack_key.as_deref().and_then(parse_cell_key::<B>);
        let landed = last.and_then(|m| m.to).and_then(Point::cell::<B>);
        draft.focus = match phase {
            Phase::Movement => must_move.or(landed.filter(|_| last_is(&["place_ring"]))),
            Phase::Capture | Phase::ChainCapture => {
                let capturing = self.chain_capture_position.and_then(Point::cell::<B>);
                let after = ["move_stack", "overtaking_capture", "continue_capture_segment"];
                capturing.or(landed.filter(|_| last_is(&after))).or(must_move)
            }
            _ => None,
        };
        draft.recovered = played("recovery_slide");
        // Without a history, assume that the turn so far was a normal one.
        let acted = turn.iter().any(|m| !is_idle(m.name()));
        let unknown = turn.is_empty()
            && !matches!(phase, Phase::RingPlacement | Phase::Movement | Phase::ForcedElimination);
        draft.acted = acted || draft.focus.is_some() || unknown;
        let collapsed_all = last.is_some_and(|m| m.name() == "process_line" || m.collapses_all());
        draft.owes = match phase {
            Phase::LineProcessing if self.pending_line_reward_elimination.unwrap_or(collapsed_all) => {
                Owes::Line
            }
            Phase::TerritoryProcessing if last_is(&["choose_territory_option"]) => Owes::Region,
            _ => Owes::Nothing,
        };
        if draft.rules.swap {
            draft.swap = self.swap_status(phase, mover);
        }
        if let Some(lps) = &self.lps_tracking {
            let alone = lps.consecutive_exclusive_player;
            if alone.is_some_and(|number| seat(number).is_none()) {
                faults.push(format!("the only player able to act is {alone:?}: expected 1 to {MAX_SEATS}"));
            }
            let alone = alone.and_then(seat);
            let rounds = lps.consecutive_exclusive_rounds.clamp(0, u8::MAX.into()) as u8;
            draft.standing = Standing { alone, rounds, ..Standing::default() };
        }
    }

    /// The moves of the history that belong to the current turn, from its placement phase on.
    fn moves_of_turn(&self) -> &[ForeignMove] {
        let own = |m: &ForeignMove| m.player.is_none_or(|player| player == self.current_player);
        let run = self.move_history.iter().rev().take_while(|m| own(m)).count();
        let run = &self.move_history[self.move_history.len() - run..];
        if &*self.current_phase == Phase::RingPlacement.name() {
            let swapped = run.last().is_some_and(|m| m.name() == "swap_sides");
            return &run[run.len() - usize::from(swapped)..];
        }
        let begins =
            |m: &ForeignMove| matches!(m.name(), "place_ring" | "skip_placement" | "no_placement_action");
        let start = run.iter().rposition(begins).unwrap_or(0);
        let swapped = start > 0 && run[start - 1].name() == "swap_sides";
        &run[start - usize::from(swapped)..]
    }

    fn swap_status(&self, phase: Phase, seat: Seat) -> Swap {
        let by = |number| self.move_history.iter().filter(move |m| m.player == Some(number));
        if by(2).any(|m| m.name() == "swap_sides") {
            Swap::Used
        } else if by(2).next().is_some() {
            Swap::Closed
        } else if seat == Seat::FIRST {
            Swap::Waiting
        } else if phase == Phase::RingPlacement && by(1).next().is_some() {
            Swap::Open
        } else {
            Swap::Closed
        }
    }
}

impl ForeignMove {
    /// Whether the move collapses the whole line.
    fn collapses_all(&self) -> bool {
        let line = self.formed_lines.as_ref().and_then(|lines| lines.first());
        let part = self.collapsed_markers.as_ref();
        self.name() == "choose_line_option"
            && line.is_some_and(|line| part.is_none_or(|part| part.len() == line.positions.len()))
    }
}

fn is_idle(name: &str) -> bool {
    name.starts_with("skip_") || name.starts_with("no_")
}

impl StackState {
    /// Whether the rings match the owner and the cap height, with the top ring last or first.
    fn fits(&self, top_last: bool) -> bool {
        let (mut down, mut up) = (self.rings.iter(), self.rings.iter().rev());
        let rings: &mut dyn Iterator<Item = &i64> = if top_last { &mut up } else { &mut down };
        let Some(top) = rings.next() else { return false };
        let cap = 1 + rings.take_while(|ring| *ring == top).count();
        self.controlling_player.is_none_or(|owner| owner == *top)
            && self.cap_height.is_none_or(|height| height == cap as i64)
    }

    pub(crate) fn read(&self, mostly_top_last: bool) -> Result<Stack, String> {
        let rings = &self.rings;
        let top_last = match (self.fits(false), self.fits(true)) {
            (true, true) => mostly_top_last,
            (false, true) => true,
            (true, false) => false,
            (false, false) => {
                let (owner, cap) = (self.controlling_player, self.cap_height);
                return Err(format!(
                    "rings {rings:?} do not match owner {owner:?} and cap height {cap:?} in either order"
                ));
            }
        };
        if let Some(ring) = rings.iter().find(|ring| !(1..=MAX_SEATS as i64).contains(ring)) {
            return Err(format!("a ring of player {ring}: expected 1 to {MAX_SEATS}"));
        }
        let digits = rings.iter().map(ToString::to_string);
        let text: String = if top_last { digits.collect() } else { digits.rev().collect() };
        text.parse().map_err(|error: ringrift::BadStack| error.to_string())
    }
}
