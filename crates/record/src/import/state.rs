//! Positions as the reference service spells them in JSON.

use std::collections::BTreeMap;

use game::{MAX_SEATS, Seat};
use ringrift::{
    Board, Content, Draft, Geometry, Owes, Part, Phase, Position, Rules, Stack, Standing, Swap,
    parse_cell_key,
};
use serde::Deserialize;

use super::{ForeignMove, Point};

/// A game state of the reference service, as far as our rules need it; every other field is ignored.
///
/// It says less than a position: what happened earlier in the turn is read from the move history.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameState {
    /// Name of the game.
    #[serde(default)]
    pub id: Option<String>,
    /// Name of the board.
    #[serde(alias = "board_type")]
    pub board_type: String,
    /// The pieces.
    pub board: BoardState,
    /// The seats.
    pub players: Vec<PlayerState>,
    /// The seat to move, from 1.
    #[serde(alias = "current_player")]
    pub current_player: usize,
    /// Name of the phase.
    #[serde(alias = "current_phase")]
    pub current_phase: String,
    /// The stack just placed on.
    #[serde(default, alias = "must_move_from_stack_key")]
    pub must_move_from_stack_key: Option<String>,
    /// The capturing stack.
    #[serde(default, alias = "chain_capture_position")]
    pub chain_capture_position: Option<Point>,
    /// Whether a ring is owed for a line.
    #[serde(default, alias = "pending_line_reward_elimination")]
    pub pending_line_reward_elimination: Option<bool>,
    /// The moves so far, or the last of them.
    #[serde(default, alias = "move_history")]
    pub move_history: Vec<ForeignMove>,
    /// Options.
    #[serde(default, alias = "rules_options")]
    pub rules_options: Option<RulesOptions>,
    /// Rounds that make the last player standing.
    #[serde(default, alias = "lps_rounds_required")]
    pub lps_rounds_required: Option<u8>,
    /// The last-player-standing count.
    #[serde(default, alias = "lps_tracking")]
    pub lps_tracking: Option<LpsTracking>,
}

/// The pieces on the board, by cell key.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BoardState {
    /// Stacks.
    pub stacks: BTreeMap<String, StackState>,
    /// Markers.
    pub markers: BTreeMap<String, MarkerState>,
    /// Owners of collapsed cells.
    #[serde(alias = "collapsed_spaces")]
    pub collapsed_spaces: BTreeMap<String, usize>,
    /// Credited rings by player; the players' own numbers come first.
    #[serde(alias = "eliminated_rings")]
    pub eliminated_rings: BTreeMap<String, u16>,
}

/// A stack.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackState {
    /// Owners of the rings, top first; the reference service itself has the top last, see [`GameState::position`].
    pub rings: Vec<usize>,
    /// Owner of the top ring.
    #[serde(default, alias = "controlling_player")]
    pub controlling_player: Option<usize>,
    /// Rings of that owner at the top.
    #[serde(default, alias = "cap_height")]
    pub cap_height: Option<usize>,
}

/// A marker.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct MarkerState {
    /// Its owner.
    pub player: usize,
}

/// A seat.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerState {
    /// Which, from 1.
    #[serde(alias = "player_number")]
    pub player_number: usize,
    /// Rings in hand.
    #[serde(alias = "rings_in_hand")]
    pub rings_in_hand: u16,
    /// Credited rings.
    #[serde(default, alias = "eliminated_rings")]
    pub eliminated_rings: Option<u16>,
}

/// Options of the game.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RulesOptions {
    /// The pie rule.
    #[serde(alias = "swap_rule_enabled")]
    pub swap_rule_enabled: Option<bool>,
    /// Starting hand.
    #[serde(alias = "rings_per_player")]
    pub rings_per_player: Option<u16>,
    /// Rounds that make the last player standing.
    #[serde(alias = "lps_rounds_required")]
    pub lps_rounds_required: Option<u8>,
}

/// The last-player-standing count.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LpsTracking {
    /// Rounds so far.
    #[serde(alias = "consecutive_exclusive_rounds")]
    pub consecutive_exclusive_rounds: u8,
    /// Whose.
    #[serde(alias = "consecutive_exclusive_player")]
    pub consecutive_exclusive_player: Option<usize>,
}

/// A game state that is no position of ours.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct BadState(pub Vec<String>);

impl GameState {
    /// The board.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn board(&self) -> Result<Board, BadState> {
        self.board_type.parse().map_err(|error: ringrift::UnknownBoard| BadState(vec![error.to_string()]))
    }

    /// The options, ours where the state does not say.
    ///
    /// # Errors
    /// If they make no game.
    pub fn rules(&self) -> Result<Rules, BadState> {
        let options = self.rules_options.clone().unwrap_or_default();
        let defaults = Rules::new(u8::try_from(self.players.len()).unwrap_or(u8::MAX));
        let rules = Rules {
            swap: options.swap_rule_enabled.unwrap_or(false) && self.players.len() == 2,
            lps_rounds: options
                .lps_rounds_required
                .or(self.lps_rounds_required)
                .unwrap_or(defaults.lps_rounds),
            rings: options.rings_per_player,
            ..defaults
        };
        let faults = rules.faults();
        if faults.is_empty() { Ok(rules) } else { Err(BadState(faults)) }
    }

    /// The position on the board `B`, under `rules`.
    ///
    /// Rings are listed from top to bottom by some writers and from bottom to top by others. Owner and height of
    /// the cap tell which; where they fit both, the other stacks decide, and without any, the first order.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn position<B: Geometry>(&self, rules: &Rules) -> Result<Position<B>, BadState> {
        let mut faults = Vec::new();
        let mut draft = Draft::new::<B>(*rules);
        self.seat_and_phase(&mut draft, &mut faults);
        self.counts(&mut draft, &mut faults);
        self.cells::<B>(&mut draft, &mut faults);
        self.turn_so_far::<B>(&mut draft, &mut faults);
        if !faults.is_empty() {
            return Err(BadState(faults));
        }
        draft
            .build()
            .or_else(|faults| {
                // A debt that nobody can pay is waived, which a history does not show.
                let waived = faults.iter().all(|(part, _)| *part == Part::Owes);
                draft.owes = Owes::Nothing;
                if waived { draft.build() } else { Err(faults) }
            })
            .map_err(|faults| BadState(faults.into_iter().map(|(_, fault)| fault).collect()))
    }

    fn seat_and_phase(&self, draft: &mut Draft, faults: &mut Vec<String>) {
        match Seat::from_number(self.current_player) {
            Some(seat) => draft.seat = seat,
            None => faults.push(format!("current player {}: expected 1 to {MAX_SEATS}", self.current_player)),
        }
        match Phase::ALL.into_iter().find(|phase| phase.name() == self.current_phase) {
            Some(Phase::GameOver) => faults.push("the game is over already: nothing can follow".to_owned()),
            Some(phase) => draft.phase = phase,
            None => faults.push(format!("{:?} is not a phase", self.current_phase)),
        }
    }

    fn counts(&self, draft: &mut Draft, faults: &mut Vec<String>) {
        let mut seen = [false; MAX_SEATS];
        for player in &self.players {
            let number = player.player_number;
            let seat = Seat::from_number(number).filter(|seat| seat.index() < self.players.len());
            let Some(seat) = seat.filter(|seat| !std::mem::replace(&mut seen[seat.index()], true)) else {
                faults
                    .push(format!("player number {number}: expected 1 to {}, each once", self.players.len()));
                continue;
            };
            draft.hands[seat.index()] = player.rings_in_hand;
            let credits = player.eliminated_rings;
            let credits = credits.or_else(|| self.board.eliminated_rings.get(&number.to_string()).copied());
            draft.credits[seat.index()] = credits.unwrap_or(0);
        }
    }

    fn cells<B: Geometry>(&self, draft: &mut Draft, faults: &mut Vec<String>) {
        let mut add = |key: &str, content: Result<Content, String>| match (parse_cell_key::<B>(key), content)
        {
            (Some(cell), Ok(content)) => draft.cells.push((cell, content)),
            (None, _) => faults.push(format!("{key:?} is not a cell of {}", B::BOARD)),
            (_, Err(fault)) => faults.push(format!("{key}: {fault}")),
        };
        let seat = |number: usize| {
            Seat::from_number(number).ok_or_else(|| format!("player {number}: expected 1 to {MAX_SEATS}"))
        };
        let top_last = self.is_top_last();
        for (key, stack) in &self.board.stacks {
            add(key, stack.read(top_last).map(Content::Stack));
        }
        for (key, marker) in &self.board.markers {
            add(key, seat(marker.player).map(Content::Marker));
        }
        for (key, &owner) in &self.board.collapsed_spaces {
            add(key, seat(owner).map(Content::Collapsed));
        }
    }

    /// Whether more stacks fit only the order from bottom to top than only the other.
    fn is_top_last(&self) -> bool {
        let votes = self.board.stacks.values().map(|stack| match (stack.fits(false), stack.fits(true)) {
            (true, false) => -1,
            (false, true) => 1,
            _ => 0,
        });
        votes.sum::<i64>() > 0
    }

    /// What the mover has done and owes, from explicit fields or else from the history.
    fn turn_so_far<B: Geometry>(&self, draft: &mut Draft, faults: &mut Vec<String>) {
        let (phase, seat) = (draft.phase, draft.seat);
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
        // Without a history a turn that got this far is taken for a normal one.
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
            draft.swap = self.swap_status(phase, seat);
        }
        if let Some(lps) = &self.lps_tracking {
            let alone = lps.consecutive_exclusive_player;
            if alone.is_some_and(|number| Seat::from_number(number).is_none()) {
                faults.push(format!("player {alone:?} alone able to act: expected 1 to {MAX_SEATS}"));
            }
            let (alone, rounds) = (alone.and_then(Seat::from_number), lps.consecutive_exclusive_rounds);
            draft.standing = Standing { alone, rounds, ..Standing::default() };
        }
    }

    /// The last moves of the history that belong to the turn going on: from its placement phase on.
    fn moves_of_turn(&self) -> &[ForeignMove] {
        let own = |m: &ForeignMove| m.player.is_none_or(|player| player == self.current_player);
        let run = self.move_history.iter().rev().take_while(|m| own(m)).count();
        let run = &self.move_history[self.move_history.len() - run..];
        if self.current_phase == Phase::RingPlacement.name() {
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
    /// Whether it is a line decision for the whole line.
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
    /// Whether owner and height of the cap are right with the top ring last, or first.
    fn fits(&self, top_last: bool) -> bool {
        let (mut down, mut up) = (self.rings.iter(), self.rings.iter().rev());
        let rings: &mut dyn Iterator<Item = &usize> = if top_last { &mut up } else { &mut down };
        let Some(top) = rings.next() else { return false };
        let cap = 1 + rings.take_while(|ring| *ring == top).count();
        self.controlling_player.is_none_or(|owner| owner == *top)
            && self.cap_height.is_none_or(|height| height == cap)
    }

    fn read(&self, mostly_top_last: bool) -> Result<Stack, String> {
        let rings = &self.rings;
        let top_last = match (self.fits(false), self.fits(true)) {
            (true, true) => mostly_top_last,
            (false, true) => true,
            (true, false) => false,
            (false, false) => {
                let (owner, cap) = (self.controlling_player, self.cap_height);
                return Err(format!("rings {rings:?} fit neither owner {owner:?} nor a cap of {cap:?}"));
            }
        };
        if let Some(ring) = rings.iter().find(|ring| !(1..=MAX_SEATS).contains(ring)) {
            return Err(format!("a ring of player {ring}: expected 1 to {MAX_SEATS}"));
        }
        let digits = rings.iter().map(ToString::to_string);
        let text: String = if top_last { digits.collect() } else { digits.rev().collect() };
        text.parse().map_err(|error: ringrift::BadStack| error.to_string())
    }
}
