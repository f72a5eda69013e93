//! Bodies: read by what they have to look like, put right where they say the same in other words, and then taken.

use record::import::{ForeignMove, state::GameState};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    Answer, models, prune,
    schema::{Faults, Kind},
};

/// A body.
pub(crate) trait Body: DeserializeOwned {
    /// What it has to look like.
    fn kind() -> &'static Kind;

    /// Tells what contradicts itself in a body that looks as it should.
    fn contradictions(_body: &Value, _faults: &mut Faults) {}
}

/// Reads a body, or says why not.
pub(crate) fn body<T: Body>(bytes: &[u8]) -> Result<T, Answer> {
    if bytes.is_empty() {
        let missing = json!({"type": "missing", "loc": ["body"], "msg": "Field required", "input": null});
        return Err(Answer::invalid(vec![missing]));
    }
    if std::str::from_utf8(bytes).is_err() {
        return Err(Answer::error(400, "There was an error parsing the body"));
    }
    let mut value = prune::read(bytes, T::kind()).map_err(|detail| Answer::invalid(vec![detail]))?;
    let mut faults = Faults::new();
    faults.examine(T::kind(), &mut value);
    if faults.are_none() {
        T::contradictions(&value, &mut faults);
    }
    if !faults.are_none() {
        return Err(Answer::invalid(faults.into_details()));
    }
    serde_json::from_value(value).map_err(|error| {
        let mut faults = Faults::new();
        faults.contradiction(&json!({}), &error.to_string().chars().take(200).collect::<String>());
        Answer::invalid(faults.into_details())
    })
}

fn seats(body: &Value) -> usize {
    body["game_state"]["players"].as_array().map_or(0, Vec::len)
}

/// A game for 2 to 4, and a player who is one of them.
fn seat_exists(body: &Value, faults: &mut Faults) {
    let (seats, number) = (seats(body), body["player_number"].as_u64().unwrap_or(0));
    if seats == 0 {
        faults.contradiction(body, "game_state.players cannot be empty");
    } else if number > seats as u64 {
        faults.contradiction(body, &format!("player_number {number} exceeds number of players ({seats})"));
    } else if !(2..=4).contains(&seats) {
        faults.contradiction(body, &format!("RingRift is for 2 to 4 players, not {seats}"));
    }
}

pub(crate) fn default_difficulty() -> u8 {
    5
}

/// `POST /ai/move`.
#[derive(Deserialize)]
pub(crate) struct MoveBody {
    pub(crate) game_state: GameState,
    pub(crate) player_number: i64,
    #[serde(default = "default_difficulty")]
    pub(crate) difficulty: u8,
    #[serde(default)]
    pub(crate) ai_type: Option<String>,
    #[serde(default)]
    pub(crate) seed: Option<i64>,
}

impl Body for MoveBody {
    fn kind() -> &'static Kind {
        &models::ASK_MOVE
    }

    fn contradictions(body: &Value, faults: &mut Faults) {
        seat_exists(body, faults);
    }
}

/// `POST /ai/moves_batch`.
#[derive(Deserialize)]
pub(crate) struct BatchBody {
    pub(crate) game_states: Vec<GameState>,
    pub(crate) player_numbers: Vec<i64>,
    #[serde(default = "batch_difficulty")]
    pub(crate) difficulty: u8,
    #[serde(default = "batch_mode")]
    pub(crate) mode: String,
    #[serde(default = "batch_budget")]
    pub(crate) simulation_budget: u64,
}

fn batch_difficulty() -> u8 {
    8
}

fn batch_mode() -> String {
    "batch".to_owned()
}

fn batch_budget() -> u64 {
    64
}

const MOST_STATES: usize = 64;

impl Body for BatchBody {
    fn kind() -> &'static Kind {
        &models::ASK_BATCH
    }

    fn contradictions(body: &Value, faults: &mut Faults) {
        let count = |name: &str| body[name].as_array().map_or(0, Vec::len);
        let (states, players) = (count("game_states"), count("player_numbers"));
        let mut refuse = |message: &str| {
            faults.inside("game_states", |faults| faults.contradiction(&body["game_states"], message));
        };
        if states == 0 {
            refuse("game_states must have at least 1 item");
        } else if states > MOST_STATES {
            refuse(&format!("game_states cannot exceed {MOST_STATES} items"));
        } else if states != players {
            let message =
                format!("game_states ({states}) and player_numbers ({players}) must have the same length");
            faults.contradiction(body, &message);
        }
    }
}

/// `POST /ai/evaluate`.
#[derive(Deserialize)]
pub(crate) struct EvaluateBody {
    pub(crate) game_state: GameState,
    pub(crate) player_number: i64,
}

impl Body for EvaluateBody {
    fn kind() -> &'static Kind {
        &models::ASK_EVALUATION
    }

    fn contradictions(body: &Value, faults: &mut Faults) {
        seat_exists(body, faults);
    }
}

/// `POST /ai/evaluate_position`.
#[derive(Deserialize)]
pub(crate) struct PositionBody {
    pub(crate) game_state: GameState,
    #[serde(default)]
    pub(crate) engine_profile: Option<String>,
}

impl Body for PositionBody {
    fn kind() -> &'static Kind {
        &models::ASK_ALL_EVALUATIONS
    }

    fn contradictions(body: &Value, faults: &mut Faults) {
        // Without any players the question has no answer, which is another refusal.
        if seats(body) > 4 {
            faults.contradiction(body, "RingRift is for 2 to 4 players");
        }
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
    fn kind() -> &'static Kind {
        &models::ASK_RULES
    }
}
