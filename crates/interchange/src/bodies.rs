//! The request bodies of the reference service, and [`Body::from_body`], which reads them.

use serde_json::{Value, json};

use crate::{
    ForeignMove, GameState, Point, coerce,
    faults::Faults,
    model::{Bounded, Checked, Read, Source, WithJson, model, names},
    parse::{parse, syntax_detail},
};

/// Why a body is rejected.
#[derive(Clone, PartialEq, Debug)]
pub enum Rejection {
    /// The body is not UTF-8.
    NotText,
    /// The body does not match its model. Each detail of status 422 has a type, a location, a message and the input.
    Details(Vec<Value>),
}

/// The body of a request.
pub trait Body: Read {
    /// Reports contradictions in a body whose fields are all valid.
    fn check(&self, _json: &Value, _faults: &mut Faults) {}

    /// Reads a body as the reference service does.
    ///
    /// ```
    /// use interchange::{Body, EvaluateRequest, Rejection};
    /// let Err(Rejection::Details(details)) = EvaluateRequest::from_body(b"{}") else { panic!() };
    /// assert_eq!(details[0]["loc"], serde_json::json!(["body", "game_state"]));
    /// assert_eq!(details[0]["msg"], "Field required");
    /// ```
    ///
    /// # Errors
    /// All faults of the body.
    fn from_body(bytes: &[u8]) -> Result<Self, Rejection> {
        if bytes.is_empty() {
            let missing = json!({"type": "missing", "loc": ["body"], "msg": "Field required", "input": null});
            return Err(Rejection::Details(vec![missing]));
        }
        if std::str::from_utf8(bytes).is_err() {
            return Err(Rejection::NotText);
        }
        let mut json = parse(bytes, Self::SHAPE, Source::Client)
            .map_err(|error| Rejection::Details(vec![syntax_detail(&error, bytes)]))?;
        let mut faults = Faults::new(Source::Client, "body");
        let body = Self::read(&mut json, &mut faults);
        if let Some(body) = body.filter(|_| faults.is_empty()) {
            body.check(&json, &mut faults);
            if faults.is_empty() {
                return Ok(body);
            }
        }
        Err(Rejection::Details(faults.into_details()))
    }
}

/// Arbitrary JSON.
impl Body for Value {}

/// Reads an integer from the query of a request, with the same coercions as [`Body::from_body`].
///
/// # Errors
/// The detail of a rejection.
pub fn query_number(name: &str, text: &str) -> Result<i64, Value> {
    let mut faults = Faults::new(Source::Client, "query");
    let number = faults.inside(name, |faults| faults.coerced(&text.into(), coerce::integer));
    number.ok_or_else(|| faults.into_details().swap_remove(0))
}

names! {
    /// The engines of the reference service.
    pub enum AiType {
        Random = "random", Heuristic = "heuristic", Minimax = "minimax", GpuMinimax = "gpu_minimax",
        MaxN = "maxn", Brs = "brs", Mcts = "mcts", Descent = "descent", NeuralDemo = "neural_demo",
        PolicyOnly = "policy_only", GumbelMcts = "gumbel_mcts", Ebmo = "ebmo", Gmo = "gmo",
        GmoV2 = "gmo_v2", GmoMcts = "gmo_mcts", GmoGumbel = "gmo_gumbel", IgGmo = "ig_gmo", Cage = "cage",
        ImprovedMcts = "improved_mcts", HybridNn = "hybrid_nn", Gnn = "gnn", Hybrid = "hybrid",
        NnueGumbel = "nnue_gumbel", NnueMcts = "nnue_mcts", NnueBrs = "nnue_brs", NnueMaxN = "nnue_maxn",
    }
}

/// A level of play.
pub type Difficulty = Bounded<1, 10>;
/// A seat, from 1.
pub type PlayerNumber = Bounded<1, { i64::MAX }>;
/// A seed of random numbers.
pub type Seed = Bounded<0, { i32::MAX as i64 }>;

model! {
    /// The part of the body of `POST /ai/move` that determines the cost of the request.
    pub struct Effort {
        /// The level.
        pub optional difficulty: i64 = 5,
        /// The engine; that of the level if absent.
        pub nullable ai_type: Option<AiType>,
    }
}

impl Body for Effort {}

model! {
    /// The body of `POST /ai/move`.
    pub struct MoveRequest {
        /// The state.
        pub required game_state: GameState,
        /// The seat to choose a move for.
        pub required player_number: PlayerNumber,
        /// The level.
        pub optional difficulty: Difficulty = Bounded(5),
        /// The engine; that of the level if absent.
        pub nullable ai_type: Option<AiType>,
        /// The seed; that of the state if absent.
        pub nullable seed: Option<Seed>,
    }
}

impl Body for MoveRequest {
    fn check(&self, json: &Value, faults: &mut Faults) {
        check_seat(&self.game_state, self.player_number, json, faults);
    }
}

/// Checks that the game has 2 to 4 players, and that the player is one of them.
fn check_seat(state: &GameState, Bounded(number): PlayerNumber, json: &Value, faults: &mut Faults) {
    let seats = state.players.len();
    if seats == 0 {
        faults.contradiction(json, "game_state.players cannot be empty");
    } else if number > seats as i64 {
        faults.contradiction(json, &format!("player_number {number} exceeds number of players ({seats})"));
    } else if !(2..=4).contains(&seats) {
        faults.contradiction(json, &format!("RingRift has 2 to 4 players, not {seats}"));
    }
}

model! {
    /// The body of `POST /ai/moves_batch`.
    pub struct BatchRequest {
        /// The states.
        pub required game_states: Vec<GameState>,
        /// The seat to choose a move for in each of them.
        pub required player_numbers: Vec<i64>,
        /// The level.
        pub optional difficulty: Difficulty = Bounded(8),
        /// The mode: `batch` or `tensor`.
        pub optional mode: String = "batch".to_owned(),
        optional device: Checked<String>,
        /// The number of simulations per move.
        pub optional simulation_budget: Bounded<10, 1000> = Bounded(64),
    }
}

const MAX_STATES: usize = 64;

impl Body for BatchRequest {
    fn check(&self, json: &Value, faults: &mut Faults) {
        let (states, players) = (self.game_states.len(), self.player_numbers.len());
        let mut reject = |message: &str| {
            faults.inside("game_states", |faults| faults.contradiction(&json["game_states"], message));
        };
        if states == 0 {
            reject("game_states must have at least 1 item");
        } else if states > MAX_STATES {
            reject(&format!("game_states cannot exceed {MAX_STATES} items"));
        } else if states != players {
            let message =
                format!("game_states ({states}) and player_numbers ({players}) must have the same length");
            faults.contradiction(json, &message);
        }
    }
}

model! {
    /// The body of `POST /ai/evaluate`.
    pub struct EvaluateRequest {
        /// The state.
        pub required game_state: GameState,
        /// The seat to evaluate the position for.
        pub required player_number: PlayerNumber,
    }
}

impl Body for EvaluateRequest {
    fn check(&self, json: &Value, faults: &mut Faults) {
        check_seat(&self.game_state, self.player_number, json, faults);
    }
}

model! {
    /// The body of `POST /ai/evaluate_position`.
    pub struct EvaluatePositionRequest {
        /// The state.
        pub required game_state: GameState,
        /// The name of the evaluator.
        pub nullable engine_profile: Option<String>,
        nullable random_seed: Checked<i64>,
    }
}

impl Body for EvaluatePositionRequest {
    fn check(&self, json: &Value, faults: &mut Faults) {
        // A state without players is a different error, which the handler reports.
        if self.game_state.players.len() > 4 {
            faults.contradiction(json, "RingRift has 2 to 4 players");
        }
    }
}

model! {
    /// The body of `POST /rules/evaluate_move`. It includes the JSON of the state, most of which is returned unchanged.
    pub struct EvaluateMoveRequest {
        /// The state.
        pub required game_state: WithJson<GameState>,
        /// The move.
        pub required r#move "move": WithJson<ForeignMove>,
    }
}

impl Body for EvaluateMoveRequest {}

model! {
    /// The body of `POST /ai/choice/…`, with options of one type.
    pub struct ChoiceRequest<O> {
        /// The state, if it is needed.
        pub nullable game_state "gameState": Option<GameState>,
        /// The seat that chooses.
        pub required player_number "playerNumber": i64,
        /// The level.
        pub optional difficulty: Difficulty = Bounded(5),
        /// The engine; that of the level if absent.
        pub nullable ai_type "aiType": Option<AiType>,
        /// The options to choose from.
        pub required options: Vec<O>,
    }
}

impl<O: Read> Body for ChoiceRequest<O> {}

names! {
    /// How much of an overlength line to collapse.
    pub enum LineReward {
        CollapseAll = "option_1_collapse_all_and_eliminate",
        CollapseMinimum = "option_2_min_collapse_no_elimination",
    }
}

model! {
    /// A stack that can pay an elimination.
    pub struct EliminationOption {
        required stack_position "stackPosition": Checked<Point>,
        /// The height of its cap.
        pub required cap_height "capHeight": i64,
        /// Its height.
        pub required total_height "totalHeight": i64,
    }
}

model! {
    /// A region that can be processed first.
    pub struct RegionOption {
        required region_id "regionId": Checked<String>,
        /// The number of its cells.
        pub required size: i64,
        /// One of its cells.
        pub required representative_position "representativePosition": Point,
    }
}

model! {
    /// A line that can be processed first.
    pub struct LineOption {
        required line_id "lineId": Checked<String>,
        /// Its cells.
        pub required marker_positions "markerPositions": Vec<Point>,
    }
}

model! {
    /// A capture.
    pub struct CaptureOption {
        required target_position "targetPosition": Checked<Point>,
        /// The landing cell.
        pub required landing_position "landingPosition": Point,
        /// The height of the captured cap.
        pub required captured_cap_height "capturedCapHeight": i64,
    }
}
