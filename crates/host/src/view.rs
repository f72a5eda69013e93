//! Positions, moves and reports as plain data, for pages and programs. `docs/web.md` describes the JSON.

use std::collections::BTreeMap;

use record::Options;
use serde::Serialize;
use utoipa::ToSchema;

/// A position with everything that can be done in it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct View {
    /// What was agreed: the game and its options.
    #[schema(value_type = Object)]
    pub setup: Options,
    /// The position as text.
    pub text: String,
    /// Moves played so far.
    pub ply: usize,
    /// The seat to move; nobody once the game is over.
    pub to_move: Option<usize>,
    /// The part of the turn.
    pub phase: String,
    /// What the seat to move has to choose.
    pub prompt: String,
    /// Cells that are not empty.
    pub cells: Vec<CellView>,
    /// How every seat stands.
    pub players: Vec<PlayerView>,
    /// What wins, where a number does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goals: Option<GoalsView>,
    /// Cells that the last turn touched.
    pub last: Vec<String>,
    /// What can be played.
    pub moves: Vec<MoveView>,
    /// How it ended, once it has.
    pub result: Option<ResultView>,
    /// How it stands by points, in Go, once both have passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreView>,
}

/// A cell and what is on it: one of the four.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct CellView {
    /// Its name.
    pub at: String,
    /// Seats of the rings, the top one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<usize>,
    /// Seat of the marker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marker: Option<usize>,
    /// Seat whose territory it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collapsed: Option<usize>,
    /// Seat of the stone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stone: Option<usize>,
}

/// How a seat stands; what a game does not count is left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct PlayerView {
    /// The seat.
    pub seat: usize,
    /// Rings in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<u32>,
    /// Rings credited to the seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eliminated: Option<u32>,
    /// Cells of territory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory: Option<u32>,
    /// Rings of this colour on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_board: Option<u32>,
    /// Stones taken from the opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prisoners: Option<u32>,
}

/// What wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct GoalsView {
    /// Credited rings.
    pub eliminations: u32,
    /// Cells of territory.
    pub territory: u32,
    /// Markers that make a line.
    pub line: u32,
}

/// A legal move, and how it is made by clicks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct MoveView {
    /// In the notation of the game.
    pub text: String,
    /// What it does, as an offer: `Place 2 rings`.
    pub words: String,
    /// What sort of move it is.
    pub kind: &'static str,
    /// Sets of cells: a click in step `k` keeps the moves whose set `k` has the cell.
    pub steps: Vec<Vec<String>>,
    /// Cells that it touches.
    pub marks: Vec<String>,
    /// Cells it passes over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<String>,
    /// The cell whose stack it jumps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captures: Option<String>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ResultView {
    /// The only seat with the first rank.
    pub winner: Option<usize>,
    /// Rank by seat, from 1.
    pub ranking: Vec<u8>,
    /// By which rule.
    pub reason: String,
    /// The same for people.
    pub words: String,
}

/// How a game of Go stands by points.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ScoreView {
    /// `B+3.5`.
    pub text: String,
    /// Points that somebody owns.
    pub territory: Vec<OwnedView>,
}

/// A point and who owns it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct OwnedView {
    /// The point.
    pub at: String,
    /// The seat.
    pub seat: usize,
}

/// What an agent found, so far or at the end.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ReportView {
    /// Whether it goes on thinking.
    pub partial: bool,
    /// The search that really ran.
    pub engine: &'static str,
    /// The agent that really played, with all its settings that differ from the defaults.
    pub plays: String,
    /// Why it is not the agent that was asked for, if it is not.
    pub fallback: Option<String>,
    /// The seat that it thought for.
    pub seat: usize,
    /// The move to play.
    pub best: String,
    /// The same as clicks: sets of cells, one for every step.
    pub steps: Vec<Vec<String>>,
    /// Cells that the move touches.
    pub marks: Vec<String>,
    /// What each seat can expect, from −1 to 1.
    pub values: Option<Vec<f64>>,
    /// Nodes or simulations spent.
    pub nodes: u64,
    /// Milliseconds spent.
    pub ms: f64,
    /// The moves expected from here on.
    pub line: Vec<String>,
    /// The agent's own numbers by name.
    pub details: BTreeMap<&'static str, f64>,
    /// How many moves were legal.
    pub legal: usize,
    /// The moves looked at, the preferred ones first.
    pub candidates: Vec<CandidateView>,
    /// Why the agent gives the game up instead of moving, if it does. No request can name an agent that does.
    #[serde(skip)]
    #[schema(ignore)]
    pub forfeit: Option<search::Forfeit>,
}

/// A move that an agent looked at.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct CandidateView {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// What it does.
    pub words: String,
    /// Cells that it touches.
    pub marks: Vec<String>,
    /// Nodes spent on it.
    pub visits: u64,
    /// Its part of all visits.
    pub share: f64,
    /// How likely it looked before the search.
    pub prior: Option<f64>,
    /// How likely a player improved by the search would choose it.
    pub policy: Option<f64>,
    /// What each seat can expect after it.
    pub values: Option<Vec<f64>>,
    /// Whether that is certain.
    pub solved: bool,
}

/// A board to draw.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Shape {
    /// `square`, `hex` or `go`.
    pub kind: &'static str,
    /// Every cell: to the right and down, neighbours one apart.
    pub cells: Vec<PlaceView>,
    /// Names of rows and columns, outside the board.
    pub labels: Vec<LabelView>,
    /// Points that are marked for orientation.
    pub stars: Vec<String>,
}

/// Where a cell lies.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct PlaceView {
    /// Its name.
    pub at: String,
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// A word beside the board.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct LabelView {
    /// The word.
    pub text: String,
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}
