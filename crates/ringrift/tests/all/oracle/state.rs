//! The game state, its textual form and the simple questions one can ask it.

use super::geometry::{Board, Pos};
use std::collections::BTreeMap;
use std::fmt;

/// A seat number, `1..=players`.
pub(crate) type Player = u8;

/// Choices that are fixed before the game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Shortest line that is noticed on `hex8` with three or four players. The
    /// reference engine uses 4 although the required length is 3.
    pub hex8_line_min: u8,
    /// `false` reproduces the reference engine's quirks in recovery by line.
    pub clean_recovery: bool,
    /// Whether player 2 may swap sides (R180; two players only).
    pub swap: bool,
    /// Consecutive exclusive rounds needed to win as last player standing.
    pub lps_rounds: u32,
    /// Replaces the board's starting hand.
    pub rings_per_player: Option<u32>,
}

/// What a non-empty cell holds (R020–R031).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Ring owners from bottom to top; never empty.
    Stack(Vec<Player>),
    Marker(Player),
    Collapsed(Player),
}

/// The phases of a turn (R070). The end of the game is not a phase here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    RingPlacement,
    Movement,
    Capture,
    ChainCapture,
    LineProcessing,
    TerritoryProcessing,
    ForcedElimination,
}

const PHASES: [(Phase, &str); 7] = [
    (Phase::RingPlacement, "ring_placement"),
    (Phase::Movement, "movement"),
    (Phase::Capture, "capture"),
    (Phase::ChainCapture, "chain_capture"),
    (Phase::LineProcessing, "line_processing"),
    (Phase::TerritoryProcessing, "territory_processing"),
    (Phase::ForcedElimination, "forced_elimination"),
];

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = PHASES.iter().find(|(phase, _)| phase == self).expect("the table lists every phase");
        f.write_str(name)
    }
}

/// A payment that is due before any other decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owed {
    /// One ring for a collapsed line (R122).
    LineRing,
    /// A cap, or a buried ring after a recovery, for a claimed region (R145).
    RegionCost,
}

/// Bookkeeping for victory by last player standing (R172).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct LpsTracker {
    /// The player whose turn begins a round.
    pub first: Option<Player>,
    /// Whether a player had a real action when his turn of this round began.
    pub mask: BTreeMap<Player, bool>,
    /// The only player with real actions in the last completed rounds.
    pub who: Option<Player>,
    /// The number of consecutive completed rounds for which this held.
    pub rounds: u32,
}

/// How the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finish {
    pub winner: Player,
    pub reason: &'static str,
    /// Decided by the ladder of R173, where rings in hand count as eliminated.
    pub stalemate: bool,
}

/// The result as compared with the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub winner: usize,
    pub reason: &'static str,
    /// Rank of each seat, the winner having 1; ties share a rank.
    pub ranks: Vec<u8>,
    /// For each seat, when it lost its last ring, see [`Oracle::turns_ended`].
    pub elimination_turns: Vec<Option<u32>>,
}

/// A game state that can be continued without its move history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Oracle {
    pub board: Board,
    pub players: usize,
    pub options: Options,
    /// Every cell that is not empty. The map's order is the canonical one.
    pub cells: BTreeMap<Pos, Content>,
    /// Unplaced rings of seats 1, 2, …
    pub hands: Vec<u32>,
    /// Eliminated rings credited to the player who caused it (R060).
    pub credits: Vec<u32>,
    pub current: Player,
    pub phase: Phase,
    pub finish: Option<Finish>,
    /// The stack placed on this turn, which alone may move (R090).
    pub must_move: Option<Pos>,
    /// The stack that may or must capture next (R093, R103).
    pub attacker: Option<Pos>,
    pub owed: Option<Owed>,
    /// Whether the current player has changed anything this turn.
    pub acted: bool,
    /// Whether the current player slid a marker this turn (R110).
    pub recovered: bool,
    /// Whether `swap_sides` is still open to player 2: the option is on, it has
    /// not been used and player 2 has made no other move.
    pub swap_open: bool,
    pub lps: LpsTracker,
    /// Number of turns that have ended. A player's elimination is stamped with
    /// the value reached after the ply that removed his last ring.
    pub turns_ended: u32,
    pub elimination_turns: Vec<Option<u32>>,
}

impl Oracle {
    /// The normal starting position.
    pub(crate) fn new(board: &str, players: usize, options: Options) -> Self {
        let board = Board::from_name(board);
        let hand = options.rings_per_player.unwrap_or_else(|| board.rings_per_player());
        Self {
            board,
            players,
            options,
            cells: BTreeMap::new(),
            hands: vec![hand; players],
            credits: vec![0; players],
            current: 1,
            phase: Phase::RingPlacement,
            finish: None,
            must_move: None,
            attacker: None,
            owed: None,
            acted: false,
            recovered: false,
            swap_open: options.swap && players == 2,
            lps: LpsTracker::default(),
            turns_ended: 0,
            elimination_turns: vec![None; players],
        }
    }

    /// A constructed position with nothing pending and no past.
    ///
    /// The swap needs a move of player 1 before it, so a position in which
    /// player 2 is to move can never offer it.
    ///
    /// # Panics
    /// If the text is not a state string of a running game on this board.
    pub(crate) fn from_state_string(board: &str, players: usize, options: Options, state: &str) -> Self {
        let mut game = Self::new(board, players, options);
        let fields: Vec<&str> = state.split('|').collect();
        assert_eq!(fields.len(), 8, "a state string has eight fields");
        game.current = parse_player(fields[0]);
        (game.phase, _) = *PHASES
            .iter()
            .find(|(_, name)| *name == fields[1])
            .expect("the second field is the phase of a running game");
        game.hands = parse_numbers(field(fields[2], "h:"));
        game.credits = parse_numbers(field(fields[3], "e:"));
        for (pos, rings) in parse_pairs(game.board, field(fields[5], "S:")) {
            let rings = rings.chars().map(|c| parse_player(&c.to_string()));
            game.cells.insert(pos, Content::Stack(rings.collect()));
        }
        for (pos, owner) in parse_pairs(game.board, field(fields[6], "M:")) {
            game.cells.insert(pos, Content::Marker(parse_player(owner)));
        }
        for (pos, owner) in parse_pairs(game.board, field(fields[7], "C:")) {
            game.cells.insert(pos, Content::Collapsed(parse_player(owner)));
        }
        if game.current == 2 {
            game.swap_open = false;
        }
        assert_eq!(game.state_string(), state, "the state must be consistent");
        game
    }

    /// The text from which trace digests are computed.
    pub(crate) fn state_string(&self) -> String {
        let (player, phase) = match self.finish {
            Some(_) => (0, "game_over".to_string()),
            None => (self.current, self.phase.to_string()),
        };
        let mut stacks = Vec::new();
        let mut markers = Vec::new();
        let mut collapsed = Vec::new();
        for (pos, content) in &self.cells {
            match content {
                Content::Stack(rings) => {
                    let digits: String = rings.iter().map(Player::to_string).collect();
                    stacks.push(format!("{pos}={digits}"));
                }
                Content::Marker(owner) => markers.push(format!("{pos}={owner}")),
                Content::Collapsed(owner) => collapsed.push(format!("{pos}={owner}")),
            }
        }
        let territory: Vec<u32> = self.seats().map(|p| self.territory(p)).collect();
        format!(
            "{player}|{phase}|h:{}|e:{}|t:{}|S:{}|M:{}|C:{}",
            join_numbers(&self.hands),
            join_numbers(&self.credits),
            join_numbers(&territory),
            stacks.join(";"),
            markers.join(";"),
            collapsed.join(";"),
        )
    }

    /// All seats in order.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Player> + use<> {
        let last = Player::try_from(self.players).expect("there are at most four players");
        1..=last
    }

    pub(crate) fn hand(&self, player: Player) -> u32 {
        self.hands[index(player)]
    }

    pub(crate) fn credit(&self, player: Player) -> u32 {
        self.credits[index(player)]
    }

    /// Collapsed cells owned by a player (R041), counted from scratch.
    pub(crate) fn territory(&self, player: Player) -> u32 {
        self.count(&Content::Collapsed(player))
    }

    /// Markers of a player on the board.
    pub(crate) fn markers(&self, player: Player) -> u32 {
        self.count(&Content::Marker(player))
    }

    fn count(&self, wanted: &Content) -> u32 {
        let found = self.cells.values().filter(|&content| content == wanted);
        u32::try_from(found.count()).expect("a board has few cells")
    }

    /// All stacks in canonical order.
    pub(crate) fn stacks(&self) -> Vec<(Pos, &Vec<Player>)> {
        let mut stacks = Vec::new();
        for (&pos, content) in &self.cells {
            if let Content::Stack(rings) = content {
                stacks.push((pos, rings));
            }
        }
        stacks
    }

    /// The stack on a cell, if there is one.
    pub(crate) fn stack_at(&self, pos: Pos) -> Option<&Vec<Player>> {
        match self.cells.get(&pos) {
            Some(Content::Stack(rings)) => Some(rings),
            _ => None,
        }
    }

    /// Cells of the stacks a player controls.
    pub(crate) fn controlled(&self, player: Player) -> Vec<Pos> {
        let stacks = self.stacks().into_iter();
        stacks.filter(|(_, rings)| controller(rings) == player).map(|(pos, _)| pos).collect()
    }

    /// Cells of the stacks that hold a buried ring of a player: one that is not
    /// the top ring.
    pub(crate) fn burying(&self, player: Player) -> Vec<Pos> {
        let stacks = self.stacks().into_iter();
        stacks.filter(|(_, rings)| rings[..rings.len() - 1].contains(&player)).map(|(pos, _)| pos).collect()
    }

    /// Whether a player owns a ring anywhere: in hand or in a stack at any depth.
    pub(crate) fn has_ring(&self, player: Player) -> bool {
        self.hand(player) > 0 || self.stacks().iter().any(|(_, rings)| rings.contains(&player))
    }

    /// Adds to the current player's credit; whose rings they were is irrelevant.
    pub(crate) fn credit_current(&mut self, rings: usize) {
        self.credits[index(self.current)] += u32::try_from(rings).expect("rings are few");
    }

    /// Puts a stack on a cell, or clears the cell if no ring is left.
    pub(crate) fn set_stack(&mut self, pos: Pos, rings: Vec<Player>) {
        if rings.is_empty() {
            self.cells.remove(&pos);
        } else {
            self.cells.insert(pos, Content::Stack(rings));
        }
    }

    /// Turns cells into the current player's territory, whatever they held.
    pub(crate) fn collapse(&mut self, cells: &[Pos]) {
        for &pos in cells {
            self.cells.insert(pos, Content::Collapsed(self.current));
        }
    }

    /// Eliminates the given number of rings from the top of a stack.
    pub(crate) fn eliminate_from_top(&mut self, pos: Pos, count: usize) {
        let mut rings = self.stack_at(pos).expect("rings are eliminated from a stack").clone();
        rings.truncate(rings.len() - count);
        self.set_stack(pos, rings);
        self.credit_current(count);
    }
}

/// The slot of a seat in per-player lists.
pub(crate) fn index(player: Player) -> usize {
    usize::from(player) - 1
}

/// The owner of the top ring.
pub(crate) fn controller(rings: &[Player]) -> Player {
    *rings.last().expect("a stack has at least one ring")
}

/// Cap height: how many rings of the controller lie on top (R023).
pub(crate) fn cap(rings: &[Player]) -> usize {
    let owner = controller(rings);
    let run = rings.iter().rev().take_while(|&&ring| ring == owner);
    run.count()
}

fn field<'a>(text: &'a str, prefix: &str) -> &'a str {
    text.strip_prefix(prefix).expect("every field starts with its own prefix")
}

fn parse_player(text: &str) -> Player {
    text.parse().expect("a player is a digit")
}

fn parse_numbers(text: &str) -> Vec<u32> {
    let numbers = text.split(',');
    numbers.map(|part| part.parse().expect("counters are decimal numbers")).collect()
}

fn join_numbers(numbers: &[u32]) -> String {
    let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
    texts.join(",")
}

/// Splits `cell=value;cell=value`; an empty text has no entries.
fn parse_pairs(board: Board, text: &str) -> Vec<(Pos, &str)> {
    let mut pairs = Vec::new();
    for entry in text.split(';').filter(|entry| !entry.is_empty()) {
        let (cell, value) = entry.split_once('=').expect("an entry is a cell and a value");
        pairs.push((board.parse(cell), value));
    }
    pairs
}
