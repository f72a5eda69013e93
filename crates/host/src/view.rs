//! Serializable views of positions, moves and reports. `docs/web.md` describes the JSON.

use std::collections::BTreeMap;

use record::Options;
use serde::Serialize;
use utoipa::ToSchema;

/// A position with its legal moves.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct View {
    /// The game and its options.
    #[schema(value_type = Object)]
    pub setup: Options,
    /// The position as text.
    pub text: String,
    /// The number of moves played.
    pub ply: usize,
    /// The seat to move; `null` once the game is over.
    pub to_move: Option<usize>,
    /// The phase of the turn.
    pub phase: String,
    /// A prompt for the seat to move.
    pub prompt: String,
    /// The cells that are not empty.
    pub cells: Vec<CellView>,
    /// The counts of every seat.
    pub players: Vec<PlayerView>,
    /// The numbers that win the game, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goals: Option<GoalsView>,
    /// The cells that the last turn changed.
    pub last: Vec<String>,
    /// The legal moves.
    pub moves: Vec<MoveView>,
    /// The result, once the game is over.
    pub result: Option<ResultView>,
    /// The score, in Go after two passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreView>,
}

/// A cell with its content: a stack, a marker, territory or a stone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct CellView {
    /// The name of the cell.
    pub at: String,
    /// The seats of the rings, from top to bottom.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<usize>,
    /// The seat of the marker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marker: Option<usize>,
    /// The seat that owns the territory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collapsed: Option<usize>,
    /// The seat of the stone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stone: Option<usize>,
}

/// The counts of a seat; those that do not apply to the game are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct PlayerView {
    /// The seat.
    pub seat: usize,
    /// Rings in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<u32>,
    /// Rings that the seat has eliminated, of any colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eliminated: Option<u32>,
    /// Cells of territory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory: Option<u32>,
    /// Cells of territory that would win now: the goal, or one more than all others have together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory_to_win: Option<u32>,
    /// Rings of this colour on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_board: Option<u32>,
    /// Stones taken from the opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prisoners: Option<u32>,
}

/// The numbers that win the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct GoalsView {
    /// Eliminated rings.
    pub eliminations: u32,
    /// Cells of territory.
    pub territory: u32,
    /// Markers that form a line.
    pub line: u32,
}

/// A legal move with its clicks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct MoveView {
    /// The move in the notation of the game.
    pub text: String,
    /// A label for a button: `Place 2 rings`.
    pub words: String,
    /// The kind of the move.
    pub kind: &'static str,
    /// Sets of cells: a click on a cell in step `k` selects the moves whose set `k` contains it.
    pub steps: Vec<Vec<String>>,
    /// The cells that the move affects.
    pub marks: Vec<String>,
    /// The cells that the move passes over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<String>,
    /// The cell of the captured stack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captures: Option<String>,
}

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ResultView {
    /// The seat of the winner, if there is exactly one.
    pub winner: Option<usize>,
    /// The rank of each seat, from 1.
    pub ranking: Vec<u8>,
    /// The rule that ended the game.
    pub reason: String,
    /// A description of the result.
    pub words: String,
    /// Why the game ended so, in sentences for a newcomer; empty if the description says it all.
    pub explanation: String,
}

/// What the other seats can do next, for the seat to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct ThreatsView {
    /// The best turns that other seats could play if it were their turn now, as far as they are dangerous.
    pub threats: Vec<ThreatView>,
    /// The legal moves that allow something dangerous.
    pub risks: Vec<RiskView>,
}

/// A dangerous turn of another seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ThreatView {
    /// The seat that threatens.
    pub seat: usize,
    /// Whether it would win the game.
    pub wins: bool,
    /// The cells that it would claim.
    pub cells: Vec<String>,
    /// The number of rings that it would eliminate.
    pub rings: u32,
    /// The movement in that turn, if there is one.
    pub by: Option<MoveView>,
    /// The threat as a sentence.
    pub words: String,
}

/// A move after which another seat can do something dangerous.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct RiskView {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The seat that could exploit it.
    pub seat: usize,
    /// Whether that seat would win the game.
    pub wins: bool,
    /// The cells that it would claim.
    pub cells: Vec<String>,
    /// The danger in words.
    pub words: String,
}

/// The turn that decided a lost game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TurningPointView {
    /// The seat that lost.
    pub seat: usize,
    /// The number of the turn, from 1.
    pub turn: u32,
    /// The number of moves before the turn.
    pub ply: usize,
    /// The turn as it was played, to follow the name of the seat.
    pub played: String,
    /// The movement in that turn.
    pub played_by: Option<MoveView>,
    /// What the turn allowed, as a sentence.
    pub consequence: String,
    /// A better turn, to follow the name of the seat.
    pub better: String,
    /// The movement in the better turn.
    pub better_by: Option<MoveView>,
    /// Whether it is proved that the winner could not have won at once after the better turn.
    pub proven: bool,
}

/// The score of a game of Go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ScoreView {
    /// The score as in `B+3.5`.
    pub text: String,
    /// The points that are territory of either colour.
    pub territory: Vec<OwnedView>,
}

/// A point of territory with its owner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct OwnedView {
    /// The point.
    pub at: String,
    /// The seat.
    pub seat: usize,
}

/// The report of an agent, during its search or at the end.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ReportView {
    /// Whether the search continues.
    pub partial: bool,
    /// The search algorithm.
    pub engine: &'static str,
    /// The agent, with all settings that differ from the defaults.
    pub plays: String,
    /// The id of the net that it played with.
    pub net: Option<String>,
    /// Why another agent than the requested one played, if so.
    pub fallback: Option<String>,
    /// The seat of the agent.
    pub seat: usize,
    /// The best move.
    pub best: String,
    /// The clicks of the best move: a set of cells for every step.
    pub steps: Vec<Vec<String>>,
    /// The cells that the move affects.
    pub marks: Vec<String>,
    /// The value for each seat, from −1 to 1.
    pub values: Option<Vec<f64>>,
    /// The number of nodes or simulations.
    pub nodes: u64,
    /// The time in milliseconds.
    pub ms: f64,
    /// The expected line.
    pub line: Vec<String>,
    /// Further statistics of the search, by name.
    pub details: BTreeMap<&'static str, f64>,
    /// The paths of an agent that follows gradients.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathView>,
    /// The number of legal moves.
    pub legal: usize,
    /// The candidate moves, best first.
    pub candidates: Vec<CandidateView>,
    /// Why the agent forfeits instead of moving, if it does. Agents named in requests never do.
    #[serde(skip)]
    #[schema(ignore)]
    pub forfeit: Option<game::Forfeit>,
}

/// A candidate move of an agent.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct CandidateView {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// A description of the move.
    pub words: String,
    /// The cells that the move affects.
    pub marks: Vec<String>,
    /// The number of visits.
    pub visits: u64,
    /// The share of all visits.
    pub share: f64,
    /// The probability of the move in the prior policy.
    pub prior: Option<f64>,
    /// The probability of the move in the policy improved by the search.
    pub policy: Option<f64>,
    /// The value for each seat after the move.
    pub values: Option<Vec<f64>>,
    /// Whether these values are proven.
    pub solved: bool,
    /// The standard deviation of the move's worth for want of knowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sigma: Option<f64>,
    /// The distance of the move's point to those of the moves that the agent chose before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub novelty: Option<f64>,
    /// The energy of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<f64>,
}

/// The path of a point through a space of moves.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct PathView {
    /// The move that it started at, or nothing for a mixture of moves.
    pub from: Option<String>,
    /// The move that it was taken for in the end.
    pub to: String,
    /// What was climbed, or the energy that was descended, before every step.
    pub heights: Vec<f64>,
}

/// The layout of a board.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Shape {
    /// `square`, `hex` or `go`.
    pub kind: &'static str,
    /// All cells, with neighbouring centres at a distance of one.
    pub cells: Vec<PlaceView>,
    /// The labels of rows and columns.
    pub labels: Vec<LabelView>,
    /// The star points.
    pub stars: Vec<String>,
}

/// The position of a cell.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct PlaceView {
    /// The name of the cell.
    pub at: String,
    /// The horizontal coordinate, to the right.
    pub x: f64,
    /// The vertical coordinate, downwards.
    pub y: f64,
}

/// A label beside the board.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct LabelView {
    /// The text of the label.
    pub text: String,
    /// The horizontal coordinate, to the right.
    pub x: f64,
    /// The vertical coordinate, downwards.
    pub y: f64,
}
