//! The fields of the reference service's bodies, in the order in which it looks at them.
//!
//! Second names are those that it also takes. Three fields are known to us alone, so nothing is wrong with a body
//! that has something else there: `chainCapturePosition`, `lpsTracking` and the `option` of a move.

use ringrift::{Board, Phase};

use crate::{
    engines,
    schema::{
        Kind::{self, Flag, List, Loose, Map, Model, Nullable, Perhaps, Text, Time, Tuple, Whole, Word},
        may, need,
    },
};

/// The names of some things, made while compiling.
macro_rules! names {
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

static BOARDS: [&str; 4] = names!(Board::ALL);
static PHASES: [&str; 8] = names!(Phase::ALL);
static STATUSES: [&str; 5] = ["waiting", "active", "paused", "abandoned", "completed"];

/// What to collapse of a line that is too long.
pub(crate) const REWARDS: [&str; 2] =
    ["option_1_collapse_all_and_eliminate", "option_2_min_collapse_no_elimination"];

/// The types of moves, old ones at the end.
static MOVES: [&str; 28] = [
    "place_ring",
    "skip_placement",
    "no_placement_action",
    "swap_sides",
    "move_stack",
    "no_movement_action",
    "recovery_slide",
    "skip_recovery",
    "overtaking_capture",
    "continue_capture_segment",
    "skip_capture",
    "process_line",
    "choose_line_option",
    "no_line_action",
    "choose_territory_option",
    "skip_territory_processing",
    "no_territory_action",
    "eliminate_rings_from_stack",
    "forced_elimination",
    "resign",
    "timeout",
    "move_ring",
    "build_stack",
    "choose_line_reward",
    "process_territory_region",
    "line_formation",
    "territory_claim",
    "chain_capture",
];

const WHOLE: Kind = Whole(None, None);
const AI: Kind = Word(&engines::NAMES);
const SOME_WHOLE: Kind = Nullable(&WHOLE);
const SOME_TEXT: Kind = Nullable(&Text);
const SOME_CELL: Kind = Nullable(&CELL);
const DIFFICULTY: Kind = Whole(Some(1), Some(10));
const SEED: Kind = Whole(Some(0), Some((1 << 31) - 1));
const CELL: Kind = Model(&[need("x", "", WHOLE), need("y", "", WHOLE), may("z", "", SOME_WHOLE)]);

const LINE: Kind = Model(&[
    need("positions", "", List(&CELL)),
    need("player", "", WHOLE),
    need("length", "", WHOLE),
    need("direction", "", CELL),
]);

const REGION: Kind = Model(&[
    need("spaces", "", List(&CELL)),
    need("controllingPlayer", "controlling_player", WHOLE),
    need("isDisconnected", "is_disconnected", Flag),
]);

const STACK: Kind = Model(&[
    need("position", "", CELL),
    need("rings", "", List(&WHOLE)),
    need("stackHeight", "stack_height", WHOLE),
    need("capHeight", "cap_height", WHOLE),
    need("controllingPlayer", "controlling_player", WHOLE),
]);

const MARKER: Kind = Model(&[need("player", "", WHOLE), need("position", "", CELL), need("type", "", Text)]);

const PLAYER: Kind = Model(&[
    need("id", "", Text),
    need("username", "", Text),
    need("type", "", Text),
    need("playerNumber", "player_number", WHOLE),
    need("isReady", "is_ready", Flag),
    need("timeRemaining", "time_remaining", WHOLE),
    may("aiDifficulty", "ai_difficulty", SOME_WHOLE),
    need("ringsInHand", "rings_in_hand", WHOLE),
    need("eliminatedRings", "eliminated_rings", WHOLE),
    need("territorySpaces", "territory_spaces", WHOLE),
]);

const MOVE: Kind = Model(&[
    need("id", "", Text),
    need("type", "", Word(&MOVES)),
    need("player", "", WHOLE),
    may("from", "from_pos", SOME_CELL),
    may("to", "", SOME_CELL),
    may("captureTarget", "capture_target", SOME_CELL),
    may("capturedStacks", "captured_stacks", Nullable(&Tuple(&STACK))),
    may("captureChain", "capture_chain", Nullable(&Tuple(&CELL))),
    may("overtakenRings", "overtaken_rings", Nullable(&Tuple(&WHOLE))),
    may("placedOnStack", "placed_on_stack", Nullable(&Flag)),
    may("placementCount", "placement_count", SOME_WHOLE),
    may("stackMoved", "stack_moved", Nullable(&STACK)),
    may("minimumDistance", "minimum_distance", SOME_WHOLE),
    may("actualDistance", "actual_distance", SOME_WHOLE),
    may("markerLeft", "marker_left", SOME_CELL),
    may("lineIndex", "line_index", SOME_WHOLE),
    may("formedLines", "formed_lines", Nullable(&Tuple(&LINE))),
    may("collapsedMarkers", "collapsed_markers", Nullable(&Tuple(&CELL))),
    may("claimedTerritory", "claimed_territory", Nullable(&Tuple(&REGION))),
    may("disconnectedRegions", "disconnected_regions", Nullable(&Tuple(&REGION))),
    may("recoveryOption", "recovery_option", SOME_WHOLE),
    may("recoveryMode", "recovery_mode", SOME_TEXT),
    may("collapsePositions", "collapse_positions", Nullable(&Tuple(&CELL))),
    may("extractionStacks", "extraction_stacks", Nullable(&Tuple(&Text))),
    may("eliminatedRings", "eliminated_rings", Nullable(&Tuple(&Map(&WHOLE)))),
    may("eliminationContext", "elimination_context", SOME_TEXT),
    may("timestamp", "", Nullable(&Time)),
    may("thinkTime", "think_time", SOME_WHOLE),
    may("moveNumber", "move_number", SOME_WHOLE),
    may("option", "", Perhaps(&WHOLE)),
]);

const BOARD: Kind = Model(&[
    need("type", "", Word(&BOARDS)),
    need("size", "", WHOLE),
    may("stacks", "", Map(&STACK)),
    may("markers", "", Map(&MARKER)),
    may("collapsedSpaces", "collapsed_spaces", Map(&WHOLE)),
    may("eliminatedRings", "eliminated_rings", Map(&WHOLE)),
    may("formedLines", "formed_lines", List(&LINE)),
    may("territories", "", Map(&REGION)),
]);

const CLOCK: Kind = Model(&[
    need("initialTime", "initial_time", WHOLE),
    need("increment", "", WHOLE),
    need("type", "", Text),
]);

const SEGMENT: Kind = Model(&[
    need("from", "from_pos", CELL),
    need("target", "", CELL),
    need("landing", "", CELL),
    need("capturedCapHeight", "captured_cap_height", WHOLE),
]);

const CHAIN: Kind = Model(&[
    need("playerNumber", "player_number", WHOLE),
    need("startPosition", "start_position", CELL),
    need("currentPosition", "current_position", CELL),
    need("segments", "", List(&SEGMENT)),
    need("availableMoves", "available_moves", List(&MOVE)),
    need("visitedPositions", "visited_positions", List(&Text)),
]);

const OPTIONS: Kind = Loose(&[
    may("swapRuleEnabled", "swap_rule_enabled", Perhaps(&Flag)),
    may("ringsPerPlayer", "rings_per_player", Perhaps(&WHOLE)),
    may("lpsRoundsRequired", "lps_rounds_required", Perhaps(&WHOLE)),
]);

const STANDING: Kind = Model(&[
    may("consecutiveExclusiveRounds", "consecutive_exclusive_rounds", WHOLE),
    may("consecutiveExclusivePlayer", "consecutive_exclusive_player", SOME_WHOLE),
]);

const STATE: Kind = Model(&[
    need("id", "", Text),
    need("boardType", "board_type", Word(&BOARDS)),
    may("rngSeed", "rng_seed", SOME_WHOLE),
    need("board", "", BOARD),
    need("players", "", List(&PLAYER)),
    need("currentPhase", "current_phase", Word(&PHASES)),
    need("currentPlayer", "current_player", WHOLE),
    may("moveHistory", "move_history", List(&MOVE)),
    need("timeControl", "time_control", CLOCK),
    may("spectators", "", List(&Text)),
    need("gameStatus", "game_status", Word(&STATUSES)),
    may("winner", "", SOME_WHOLE),
    need("createdAt", "created_at", Time),
    need("lastMoveAt", "last_move_at", Time),
    need("isRated", "is_rated", Flag),
    need("maxPlayers", "max_players", WHOLE),
    need("totalRingsInPlay", "total_rings_in_play", WHOLE),
    need("totalRingsEliminated", "total_rings_eliminated", WHOLE),
    need("victoryThreshold", "victory_threshold", WHOLE),
    need("territoryVictoryThreshold", "territory_victory_threshold", WHOLE),
    may("territoryVictoryMinimum", "territory_victory_minimum", SOME_WHOLE),
    may("chainCaptureState", "chain_capture_state", Nullable(&CHAIN)),
    may("mustMoveFromStackKey", "must_move_from_stack_key", SOME_TEXT),
    may("lpsRoundIndex", "lps_round_index", WHOLE),
    may("lpsConsecutiveExclusiveRounds", "lps_consecutive_exclusive_rounds", WHOLE),
    may("lpsRoundsRequired", "lps_rounds_required", WHOLE),
    may("lpsConsecutiveExclusivePlayer", "lps_consecutive_exclusive_player", SOME_WHOLE),
    may("rulesOptions", "rules_options", Nullable(&OPTIONS)),
    may("pendingLineRewardElimination", "pending_line_reward_elimination", Flag),
    may("chainCapturePosition", "chain_capture_position", Perhaps(&CELL)),
    may("lpsTracking", "lps_tracking", Perhaps(&STANDING)),
]);

/// What tells how long the answer to `POST /ai/move` takes.
pub(crate) static ASK_LEVEL: Kind = Model(&[may("difficulty", "", WHOLE), may("ai_type", "", Nullable(&AI))]);

/// `POST /ai/move`.
pub(crate) static ASK_MOVE: Kind = Model(&[
    need("game_state", "", STATE),
    need("player_number", "", Whole(Some(1), None)),
    may("difficulty", "", DIFFICULTY),
    may("ai_type", "", Nullable(&AI)),
    may("seed", "", Nullable(&SEED)),
]);

/// `POST /ai/moves_batch`.
pub(crate) static ASK_BATCH: Kind = Model(&[
    need("game_states", "", List(&STATE)),
    need("player_numbers", "", List(&WHOLE)),
    may("difficulty", "", DIFFICULTY),
    may("mode", "", Text),
    may("device", "", Text),
    may("simulation_budget", "", Whole(Some(10), Some(1000))),
]);

/// `POST /ai/evaluate`.
pub(crate) static ASK_EVALUATION: Kind =
    Model(&[need("game_state", "", STATE), need("player_number", "", Whole(Some(1), None))]);

/// `POST /ai/evaluate_position`.
pub(crate) static ASK_ALL_EVALUATIONS: Kind = Model(&[
    need("game_state", "", STATE),
    may("engine_profile", "", SOME_TEXT),
    may("random_seed", "", SOME_WHOLE),
]);

/// `POST /rules/evaluate_move`.
pub(crate) static ASK_RULES: Kind = Model(&[need("game_state", "", STATE), need("move", "", MOVE)]);

/// A body of `POST /ai/choice/…` with options of one kind.
macro_rules! choice {
    ($name:ident, $option:expr) => {
        pub(crate) static $name: Kind = Model(&[
            may("gameState", "game_state", Nullable(&STATE)),
            need("playerNumber", "player_number", WHOLE),
            may("difficulty", "", DIFFICULTY),
            may("aiType", "ai_type", Nullable(&AI)),
            need("options", "", List(&$option)),
        ]);
    };
}

choice!(CHOOSE_REWARD, Word(&REWARDS));
choice!(
    CHOOSE_ELIMINATION,
    Model(&[
        need("stackPosition", "stack_position", CELL),
        need("capHeight", "cap_height", WHOLE),
        need("totalHeight", "total_height", WHOLE),
    ])
);
choice!(
    CHOOSE_REGION,
    Model(&[
        need("regionId", "region_id", Text),
        need("size", "", WHOLE),
        need("representativePosition", "representative_position", CELL),
    ])
);
choice!(
    CHOOSE_LINE,
    Model(&[need("lineId", "line_id", Text), need("markerPositions", "marker_positions", List(&CELL))])
);
choice!(
    CHOOSE_CAPTURE,
    Model(&[
        need("targetPosition", "target_position", CELL),
        need("landingPosition", "landing_position", CELL),
        need("capturedCapHeight", "captured_cap_height", WHOLE),
    ])
);
