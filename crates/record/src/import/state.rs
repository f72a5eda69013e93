//! Positions as the reference service and its clients spell them in JSON.
//!
//! The fields are here; `position` turns them into a position of ours or says why they are none, and `nearest` finds
//! the position that a state most likely means, whatever is wrong with it.

use std::collections::BTreeMap;

use ringrift::{Board, Rules};
use serde::{Deserialize, de::IgnoredAny};

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
    pub current_player: i64,
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
    pub lps_rounds_required: Option<i64>,
    /// The last-player-standing count.
    #[serde(default, alias = "lps_tracking")]
    pub lps_tracking: Option<LpsTracking>,
    /// Seed of the game.
    #[serde(default, alias = "rng_seed")]
    pub rng_seed: Option<i64>,
    /// Whether the game is going on: `active`, `completed` and the like.
    #[serde(default, alias = "game_status")]
    pub game_status: Option<String>,
    /// Rings that have left the game.
    #[serde(default, alias = "total_rings_eliminated")]
    pub total_rings_eliminated: Option<i64>,
    /// Rings in play; 0 from some clients.
    #[serde(default, alias = "total_rings_in_play")]
    pub total_rings_in_play: Option<i64>,
    /// Credited rings that win.
    #[serde(default, alias = "victory_threshold")]
    pub victory_threshold: Option<i64>,
    /// Collapsed cells that win.
    #[serde(default, alias = "territory_victory_threshold")]
    pub territory_victory_threshold: Option<i64>,
    /// Number of seats, once more.
    #[serde(default, alias = "max_players")]
    pub max_players: Option<i64>,
    /// Whether ratings are at stake.
    #[serde(default, alias = "is_rated")]
    pub is_rated: Option<bool>,
    /// The clock; only its presence is of interest.
    #[serde(default, alias = "time_control")]
    pub time_control: Option<IgnoredAny>,
    /// When the game began.
    #[serde(default, alias = "created_at")]
    pub created_at: Option<String>,
    /// When the last move was made.
    #[serde(default, alias = "last_move_at")]
    pub last_move_at: Option<String>,
}

/// The pieces on the board, by cell key.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BoardState {
    /// Name of the board, once more.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its size.
    pub size: Option<i64>,
    /// Stacks.
    pub stacks: BTreeMap<String, StackState>,
    /// Markers.
    pub markers: BTreeMap<String, MarkerState>,
    /// Owners of collapsed cells.
    #[serde(alias = "collapsed_spaces")]
    pub collapsed_spaces: BTreeMap<String, i64>,
    /// Credited rings by player; the players' own numbers come first.
    #[serde(alias = "eliminated_rings")]
    pub eliminated_rings: BTreeMap<String, i64>,
}

/// A stack.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackState {
    /// Owners of the rings, top first; the reference service itself has the top last, see [`GameState::position`].
    pub rings: Vec<i64>,
    /// Owner of the top ring.
    #[serde(default, alias = "controlling_player")]
    pub controlling_player: Option<i64>,
    /// Rings of that owner at the top.
    #[serde(default, alias = "cap_height")]
    pub cap_height: Option<i64>,
}

/// A marker.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct MarkerState {
    /// Its owner.
    pub player: i64,
}

/// A seat.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerState {
    /// Which, from 1.
    #[serde(alias = "player_number")]
    pub player_number: i64,
    /// Rings in hand.
    #[serde(alias = "rings_in_hand")]
    pub rings_in_hand: i64,
    /// Credited rings.
    #[serde(default, alias = "eliminated_rings")]
    pub eliminated_rings: Option<i64>,
    /// Collapsed cells; the board tells them too.
    #[serde(default, alias = "territory_spaces")]
    pub territory_spaces: Option<i64>,
    /// Milliseconds on the clock.
    #[serde(default, alias = "time_remaining")]
    pub time_remaining: Option<i64>,
    /// Whether it is ready.
    #[serde(default, alias = "is_ready")]
    pub is_ready: Option<bool>,
    /// Who sits there; only its presence is of interest, as with the next two.
    #[serde(default)]
    pub id: Option<IgnoredAny>,
    /// The name.
    #[serde(default)]
    pub username: Option<IgnoredAny>,
    /// A person or a program.
    #[serde(default, rename = "type")]
    pub kind: Option<IgnoredAny>,
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
    pub rings_per_player: Option<i64>,
    /// Rounds that make the last player standing.
    #[serde(alias = "lps_rounds_required")]
    pub lps_rounds_required: Option<i64>,
}

/// The last-player-standing count.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LpsTracking {
    /// Rounds so far.
    #[serde(alias = "consecutive_exclusive_rounds")]
    pub consecutive_exclusive_rounds: i64,
    /// Whose.
    #[serde(alias = "consecutive_exclusive_player")]
    pub consecutive_exclusive_player: Option<i64>,
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
                .map_or(defaults.lps_rounds, |rounds| rounds.clamp(0, u8::MAX.into()) as u8),
            rings: options.rings_per_player.map(|rings| rings.clamp(0, u16::MAX.into()) as u16),
            ..defaults
        };
        let faults = rules.faults();
        if faults.is_empty() { Ok(rules) } else { Err(BadState(faults)) }
    }
}
