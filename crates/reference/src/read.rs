//! Bodies: read straight into their types, and looked at again only to say what is wrong with them.

use std::borrow::Cow;

use record::import::{ForeignMove, state::GameState};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Answer, schema::Checker};

/// The largest body whose faults are told one by one; larger ones are refused in one sentence, since looking at a
/// body in detail takes many times its size.
const DETAILED: usize = 512 << 10;

/// A body.
pub(crate) trait Body: DeserializeOwned {
    /// Tells everything that is wrong with it.
    fn check(value: &Value, checker: &mut Checker);

    /// Whether `check` would find nothing, as far as types have not settled that.
    fn is_sound(&self) -> bool;
}

/// Reads a body, or says why not.
pub(crate) fn body<T: Body>(bytes: &[u8]) -> Result<T, Answer> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Answer::invalid(vec![Checker::missing_body()]));
    }
    let error = match serde_json::from_slice::<T>(bytes) {
        Ok(body) if body.is_sound() => return Ok(body),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let says =
        error.as_ref().map_or(Cow::Borrowed("a value is out of range"), |error| error.to_string().into());
    if bytes.len() > DETAILED {
        return Err(Answer::invalid(vec![Checker::plain(&says)]));
    }
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| Answer::invalid(vec![Checker::not_json(&error, bytes)]))?;
    let mut checker = Checker::new(&value);
    T::check(&value, &mut checker);
    if checker.found_nothing() {
        // Fields may have been named twice, which a JSON value forgives: the last one counts.
        let again = serde_json::from_value::<T>(value).ok().filter(T::is_sound);
        return again.ok_or_else(|| Answer::invalid(vec![Checker::plain(&says)]));
    }
    Err(Answer::invalid(checker.into_details()))
}

/// Whether a state has every field that the reference service insists on.
pub(crate) fn is_complete(state: &GameState) -> bool {
    let players = state.players.iter().all(|player| {
        player.id.is_some()
            && player.username.is_some()
            && player.kind.is_some()
            && player.is_ready.is_some()
            && player.time_remaining.is_some()
            && player.eliminated_rings.is_some()
            && player.territory_spaces.is_some()
    });
    players
        && (2..=4).contains(&state.players.len())
        && state.board().is_ok()
        && state.id.is_some()
        && state.board.kind.is_some()
        && state.board.size.is_some()
        && crate::schema::PHASES.contains(&state.current_phase.as_str())
        && state.game_status.as_deref().is_some_and(|status| crate::schema::STATUSES.contains(&status))
        && state.time_control.is_some()
        && state.created_at.is_some()
        && state.last_move_at.is_some()
        && state.is_rated.is_some()
        && state.max_players.is_some()
        && state.total_rings_in_play.is_some()
        && state.total_rings_eliminated.is_some()
        && state.victory_threshold.is_some()
        && state.territory_victory_threshold.is_some()
}

/// Whether there is a seat with this number.
pub(crate) fn is_seat(number: i64, state: &GameState) -> bool {
    usize::try_from(number).is_ok_and(|number| (1..=state.players.len()).contains(&number))
}

pub(crate) const MOST_SEED: i64 = (1 << 31) - 1;

pub(crate) fn default_difficulty() -> i64 {
    5
}

/// `POST /ai/move`.
#[derive(Deserialize)]
pub(crate) struct MoveBody {
    pub(crate) game_state: GameState,
    pub(crate) player_number: i64,
    #[serde(default = "default_difficulty")]
    pub(crate) difficulty: i64,
    #[serde(default)]
    pub(crate) ai_type: Option<String>,
    #[serde(default)]
    pub(crate) seed: Option<i64>,
}

impl Body for MoveBody {
    fn check(value: &Value, checker: &mut Checker) {
        let Some(body) = checker.object(value) else { return };
        checker.state(body, "game_state");
        checker.whole(body, "player_number", true, Some(1), None);
        checker.whole(body, "difficulty", false, Some(1), Some(10));
        checker.ai_type(body, "ai_type");
        checker.whole(body, "seed", false, Some(0), Some(MOST_SEED));
        checker.seat_exists(value, body);
    }

    fn is_sound(&self) -> bool {
        is_complete(&self.game_state)
            && is_seat(self.player_number, &self.game_state)
            && (1..=10).contains(&self.difficulty)
            && self.seed.is_none_or(|seed| (0..=MOST_SEED).contains(&seed))
            && self
                .ai_type
                .as_deref()
                .is_none_or(|name| crate::engines::ai_types().any(|known| known == name))
    }
}

/// `POST /ai/moves_batch`.
#[derive(Deserialize)]
pub(crate) struct BatchBody {
    pub(crate) game_states: Vec<GameState>,
    pub(crate) player_numbers: Vec<i64>,
    #[serde(default = "batch_difficulty")]
    pub(crate) difficulty: i64,
    #[serde(default = "batch_mode")]
    pub(crate) mode: String,
    #[serde(default = "batch_budget")]
    pub(crate) simulation_budget: i64,
}

fn batch_difficulty() -> i64 {
    8
}

fn batch_mode() -> String {
    "batch".to_owned()
}

fn batch_budget() -> i64 {
    64
}

const MODES: [&str; 2] = ["batch", "tensor"];
const MOST_STATES: usize = 64;

impl Body for BatchBody {
    fn check(value: &Value, checker: &mut Checker) {
        let Some(body) = checker.object(value) else { return };
        let states = checker.list(body, "game_states", 1, MOST_STATES);
        for (index, state) in states.iter().enumerate() {
            checker.inside("game_states", |checker| {
                checker.inside(index, |checker| checker.state_fields(state));
            });
        }
        let players = checker.list(body, "player_numbers", 1, MOST_STATES);
        for (index, player) in players.iter().enumerate() {
            checker.inside("player_numbers", |checker| {
                checker.inside(index, |checker| checker.whole_value(player, Some(1), None));
            });
        }
        checker.whole(body, "difficulty", false, Some(1), Some(10));
        checker.one_of(body, "mode", false, &MODES);
        checker.whole(body, "simulation_budget", false, Some(10), Some(1000));
        if checker.found_nothing() && states.len() != players.len() {
            let (states, players) = (states.len(), players.len());
            checker.value_error(value, &format!("{players} player_numbers for {states} game_states"));
        } else if checker.found_nothing() {
            checker.value_error(value, "a player_number exceeds the number of players of its game");
        }
    }

    fn is_sound(&self) -> bool {
        (1..=MOST_STATES).contains(&self.game_states.len())
            && self.game_states.len() == self.player_numbers.len()
            && self
                .game_states
                .iter()
                .zip(&self.player_numbers)
                .all(|(state, &number)| is_complete(state) && is_seat(number, state))
            && (1..=10).contains(&self.difficulty)
            && (10..=1000).contains(&self.simulation_budget)
            && MODES.contains(&self.mode.as_str())
    }
}

/// `POST /ai/evaluate`.
#[derive(Deserialize)]
pub(crate) struct EvaluateBody {
    pub(crate) game_state: GameState,
    pub(crate) player_number: i64,
}

impl Body for EvaluateBody {
    fn check(value: &Value, checker: &mut Checker) {
        let Some(body) = checker.object(value) else { return };
        checker.state(body, "game_state");
        checker.whole(body, "player_number", true, Some(1), None);
        checker.seat_exists(value, body);
    }

    fn is_sound(&self) -> bool {
        is_complete(&self.game_state) && is_seat(self.player_number, &self.game_state)
    }
}

/// `POST /ai/evaluate_position`.
#[derive(Deserialize)]
pub(crate) struct PositionBody {
    pub(crate) game_state: GameState,
    #[serde(default)]
    pub(crate) engine_profile: Option<String>,
    #[serde(default)]
    pub(crate) random_seed: Option<i64>,
}

impl Body for PositionBody {
    fn check(value: &Value, checker: &mut Checker) {
        let Some(body) = checker.object(value) else { return };
        checker.state(body, "game_state");
        checker.text(body, "engine_profile", false);
        checker.whole(body, "random_seed", false, Some(0), Some(MOST_SEED));
    }

    fn is_sound(&self) -> bool {
        is_complete(&self.game_state) && self.random_seed.is_none_or(|seed| (0..=MOST_SEED).contains(&seed))
    }
}

/// `POST /rules/evaluate_move`, kept as it came: most of the state goes back unchanged.
#[derive(Deserialize)]
pub(crate) struct RulesBody {
    pub(crate) game_state: Value,
    #[serde(rename = "move")]
    pub(crate) m: Value,
}

impl RulesBody {
    /// What state and move mean.
    pub(crate) fn understood(&self) -> Option<(GameState, ForeignMove)> {
        Some((GameState::deserialize(&self.game_state).ok()?, ForeignMove::deserialize(&self.m).ok()?))
    }
}

impl Body for RulesBody {
    fn check(value: &Value, checker: &mut Checker) {
        let Some(body) = checker.object(value) else { return };
        checker.state(body, "game_state");
        checker.played(body, "move");
    }

    fn is_sound(&self) -> bool {
        self.understood().is_some_and(|(state, m)| is_complete(&state) && !m.kind.is_empty())
    }
}
