//! Game states in the JSON of the reference service and its clients.
//!
//! This module has the fields. `position` converts a state to a position or returns its faults, and `nearest` finds the valid
//! position nearest to an invalid state.

use std::collections::BTreeMap;

use ringrift::{Board, Phase, Rules};

use crate::{
    ForeignMove, Point,
    foreign_move::{FormedLine, Region},
    model::{Checked, Name, Time, model, name_list},
};

/// The names of the variants of an enumeration, collected at compile time.
macro_rules! all_names {
    ($all:expr) => {{
        let mut names = [""; $all.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = $all[index].name();
            index += 1;
        }
        names
    }};
}

name_list! {
    /// The names of the boards.
    BoardNames = all_names!(Board::ALL)
}

name_list! {
    /// The names of the phases.
    PhaseNames = all_names!(Phase::ALL)
}

name_list! {
    /// The names of the statuses of a game.
    StatusNames = ["waiting", "active", "paused", "abandoned", "completed"]
}

model! {
    /// A game state of the reference service.
    ///
    /// It has less information than a position: the earlier part of the turn is derived from the move history.
    pub struct GameState {
        /// The id of the game.
        pub expected id: Option<String>,
        /// The name of the board.
        pub required board_type "boardType": Name<BoardNames>,
        /// The seed of the game.
        pub nullable rng_seed "rngSeed": Option<i64>,
        /// The pieces.
        pub required board: BoardState,
        /// The seats.
        pub required players: Vec<PlayerState>,
        /// The name of the phase.
        pub required current_phase "currentPhase": Name<PhaseNames>,
        /// The seat to move, from 1.
        pub required current_player "currentPlayer": i64,
        /// The moves so far, or the last of them.
        pub optional move_history "moveHistory": Vec<ForeignMove>,
        expected time_control "timeControl": Checked<TimeControl>,
        optional spectators: Checked<Vec<String>>,
        /// The status of the game, such as `active` or `completed`.
        pub expected game_status "gameStatus": Option<Name<StatusNames>>,
        nullable winner: Checked<i64>,
        expected created_at "createdAt": Checked<Time>,
        expected last_move_at "lastMoveAt": Checked<Time>,
        expected is_rated "isRated": Checked<bool>,
        expected max_players "maxPlayers": Checked<i64>,
        expected total_rings_in_play "totalRingsInPlay": Checked<i64>,
        expected total_rings_eliminated "totalRingsEliminated": Checked<i64>,
        expected victory_threshold "victoryThreshold": Checked<i64>,
        expected territory_victory_threshold "territoryVictoryThreshold": Checked<i64>,
        nullable territory_victory_minimum "territoryVictoryMinimum": Checked<i64>,
        nullable chain_capture_state "chainCaptureState": Checked<ChainCapture>,
        /// The cell of the stack just placed on.
        pub nullable must_move_from_stack_key "mustMoveFromStackKey": Option<String>,
        optional lps_round_index "lpsRoundIndex": Checked<i64>,
        optional lps_consecutive_exclusive_rounds "lpsConsecutiveExclusiveRounds": Checked<i64>,
        /// The number of exclusive rounds that wins by last player standing.
        pub optional lps_rounds_required "lpsRoundsRequired": Option<i64>,
        nullable lps_consecutive_exclusive_player "lpsConsecutiveExclusivePlayer": Checked<i64>,
        /// Options of the game.
        pub nullable rules_options "rulesOptions": Option<RulesOptions>,
        /// Whether an elimination for a line is due.
        pub optional pending_line_reward_elimination "pendingLineRewardElimination": Option<bool>,
        /// The cell of the capturing stack.
        pub private chain_capture_position "chainCapturePosition": Option<Point>,
        /// The progress towards a win by last player standing.
        pub private lps_tracking "lpsTracking": Option<LpsTracking>,
    }
}

model! {
    /// The pieces on the board, by cell key.
    pub struct BoardState {
        expected r#type "type": Checked<Name<BoardNames>>,
        expected size: Checked<i64>,
        /// Stacks.
        pub optional stacks: BTreeMap<String, StackState>,
        /// Markers.
        pub optional markers: BTreeMap<String, MarkerState>,
        /// Owners of collapsed cells.
        pub optional collapsed_spaces "collapsedSpaces": BTreeMap<String, i64>,
        /// Eliminated rings by player; the numbers in the players take precedence.
        pub optional eliminated_rings "eliminatedRings": BTreeMap<String, i64>,
        optional formed_lines "formedLines": Checked<Vec<FormedLine>>,
        optional territories: Checked<BTreeMap<String, Region>>,
    }
}

model! {
    /// A stack.
    pub struct StackState {
        /// Its cell.
        pub expected position: Option<Point>,
        /// The owners of the rings, top first; the reference service itself writes the top last, see [`GameState::position`].
        pub required rings: Vec<i64>,
        expected stack_height "stackHeight": Checked<i64>,
        /// The cap height.
        pub expected cap_height "capHeight": Option<i64>,
        /// The owner of the top ring.
        pub expected controlling_player "controllingPlayer": Option<i64>,
    }
}

model! {
    /// A marker.
    pub struct MarkerState {
        /// Its owner.
        pub required player: i64,
        expected position: Checked<Point>,
        expected r#type "type": Checked<String>,
    }
}

model! {
    /// A seat.
    pub struct PlayerState {
        expected id: Checked<String>,
        expected username: Checked<String>,
        expected r#type "type": Checked<String>,
        /// The number of the seat, from 1.
        pub required player_number "playerNumber": i64,
        expected is_ready "isReady": Checked<bool>,
        expected time_remaining "timeRemaining": Checked<i64>,
        nullable ai_difficulty "aiDifficulty": Checked<i64>,
        /// Rings in hand.
        pub required rings_in_hand "ringsInHand": i64,
        /// Credited rings.
        pub expected eliminated_rings "eliminatedRings": Option<i64>,
        expected territory_spaces "territorySpaces": Checked<i64>,
    }
}

model! {
    /// The clock.
    pub struct TimeControl {
        expected initial_time "initialTime": Checked<i64>,
        expected increment: Checked<i64>,
        expected r#type "type": Checked<String>,
    }
}

model! {
    /// A chain capture in progress.
    pub struct ChainCapture {
        expected player_number "playerNumber": Checked<i64>,
        expected start_position "startPosition": Checked<Point>,
        expected current_position "currentPosition": Checked<Point>,
        expected segments: Checked<Vec<CaptureSegment>>,
        expected available_moves "availableMoves": Checked<Vec<ForeignMove>>,
        expected visited_positions "visitedPositions": Checked<Vec<String>>,
    }
}

model! {
    /// One capture of a chain.
    pub struct CaptureSegment {
        expected from_pos "from": Checked<Point>,
        expected target: Checked<Point>,
        expected landing: Checked<Point>,
        expected captured_cap_height "capturedCapHeight": Checked<i64>,
    }
}

model! {
    /// Options of the game.
    #[derive(Default)]
    pub struct RulesOptions: open {
        /// Whether the pie rule is on.
        pub private swap_rule_enabled "swapRuleEnabled": Option<bool>,
        /// The number of rings in each starting hand.
        pub private rings_per_player "ringsPerPlayer": Option<i64>,
        /// The number of exclusive rounds that wins by last player standing.
        pub private lps_rounds_required "lpsRoundsRequired": Option<i64>,
    }
}

model! {
    /// The progress towards a win by last player standing.
    pub struct LpsTracking {
        /// The number of consecutive exclusive rounds so far.
        pub optional consecutive_exclusive_rounds "consecutiveExclusiveRounds": i64,
        /// The seat that had them.
        pub nullable consecutive_exclusive_player "consecutiveExclusivePlayer": Option<i64>,
    }
}

/// The error for a game state that is not a valid position, with all its faults.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct BadState(pub Vec<String>);

impl GameState {
    /// The board.
    ///
    /// # Errors
    /// If the name of the board is unknown.
    pub fn board(&self) -> Result<Board, BadState> {
        self.board_type.parse().map_err(|error: ringrift::UnknownBoard| BadState(vec![error.to_string()]))
    }

    /// The options, with our defaults for those that the state does not have.
    ///
    /// # Errors
    /// If the options are invalid.
    pub fn rules(&self) -> Result<Rules, BadState> {
        let options = self.rules_options.clone().unwrap_or_default();
        let defaults = Rules::new(u8::try_from(self.players.len()).unwrap_or(u8::MAX));
        let rules = Rules {
            swap: options.swap_rule_enabled.unwrap_or(false) && self.players.len() == 2,
            lps_rounds: options
                .lps_rounds_required
                .or(self.lps_rounds_required)
                .map_or(defaults.lps_rounds, |rounds| rounds.clamp(0, u8::MAX.into()) as u8),
            rings: options.rings_per_player.map(|rings| rings.clamp(0, u16::MAX.into()) as u16),
            ..defaults
        };
        let faults = rules.faults();
        if faults.is_empty() { Ok(rules) } else { Err(BadState(faults)) }
    }
}
