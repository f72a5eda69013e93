//! Conformance traces: games recorded from the reference engine, with digests of every position.

mod import;
mod replay;

use game::{Faults, Game};
use ringrift::{Board, Geometry, Move, Position, Rules, UnknownName, Variant};
use serde::Deserialize;

use crate::TraceText;
pub use replay::Replay;

/// One recorded game of the trace format, version 1.
#[derive(Clone, Debug, Deserialize)]
pub struct Trace {
    /// Version of the format.
    pub v: u32,
    /// A unique name.
    pub id: String,
    /// Name of the board.
    pub board: String,
    /// Number of seats.
    pub players: u8,
    /// Seed of the policy.
    pub seed: Option<String>,
    /// Name of the random policy that chose the moves.
    pub policy: Option<String>,
    /// Rule variant, `base` or `hex8-line3`.
    pub variant: String,
    /// Whether the pie rule is on.
    #[serde(default)]
    pub swap: bool,
    /// The number of exclusive rounds that wins by last player standing.
    #[serde(rename = "lpsRounds", default = "three")]
    pub lps_rounds: u8,
    /// The number of eliminated rings that wins.
    #[serde(rename = "victoryThreshold")]
    pub victory_threshold: Option<u16>,
    /// The number of collapsed cells that wins.
    #[serde(rename = "territoryMinimum")]
    pub territory_minimum: Option<u16>,
    /// The state string of a constructed start position.
    pub start: Option<String>,
    /// The moves, each with the position before it.
    pub plies: Vec<TracePly>,
    /// The result of the game.
    pub result: TraceResult,
}

fn three() -> u8 {
    3
}

/// A position, and the move played in it.
#[derive(Clone, Debug, Deserialize)]
pub struct TracePly {
    /// Seat to move, counted from 1.
    pub p: usize,
    /// Name of the phase.
    pub f: String,
    /// The number of legal moves.
    pub n: usize,
    /// The digest of the legal moves.
    pub l: String,
    /// The digest of the state string.
    pub d: String,
    /// The move played.
    pub m: TraceMove,
    /// The legal moves, if the trace contains them.
    #[serde(rename = "L")]
    pub legal: Option<Vec<String>>,
    /// The state string, if the trace contains it.
    pub s: Option<String>,
    /// The number of exclusive rounds and the seat that had them after this turn, if any.
    pub lps: Option<(u8, usize)>,
}

/// A move with all its parts.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub struct TraceMove {
    /// Move type.
    pub t: String,
    /// Cell placed on, landed on or paid from.
    pub to: Option<String>,
    /// Rings placed.
    pub n: Option<u32>,
    /// Cell moved from.
    pub from: Option<String>,
    /// Cell captured.
    pub over: Option<String>,
    /// Recovery mode.
    pub mode: Option<String>,
    /// Recovery option.
    pub opt: Option<u32>,
    /// Stack that pays for a recovery.
    pub ex: Option<String>,
    /// Cells that collapse.
    pub col: Option<String>,
    /// Cells of the line.
    pub line: Option<String>,
    /// Cells of the region.
    pub region: Option<String>,
    /// The reason for an elimination.
    pub ctx: Option<String>,
}

/// The end of a recorded game.
#[derive(Clone, Debug, Deserialize)]
pub struct TraceResult {
    /// The winner, counted from 1.
    pub winner: Option<usize>,
    /// The reason's name.
    pub reason: String,
    /// Number of turns.
    pub turns: Option<u32>,
    /// The final state string.
    #[serde(rename = "final")]
    pub last: Option<String>,
    /// Its digest.
    pub fd: String,
    /// Rank per seat.
    pub rank: Option<Vec<u8>>,
    /// Turn of elimination per seat.
    #[serde(rename = "elimTurn")]
    pub eliminated_at: Option<Vec<Option<u32>>>,
}

/// The error for a trace that cannot be replayed at all.
#[derive(Debug, thiserror::Error)]
pub enum BadTrace {
    /// The version of the format is not supported.
    #[error("trace format version {0}: expected 1")]
    Version(u32),
    /// The board is unknown.
    #[error(transparent)]
    Board(#[from] ringrift::UnknownBoard),
    /// The variant is unknown.
    #[error(transparent)]
    Variant(#[from] UnknownName),
    /// The options are invalid.
    #[error("invalid options: {0}")]
    Rules(String),
    /// The start is not a valid position.
    #[error("start position: {0}")]
    Start(Faults),
}

impl Trace {
    /// The board.
    ///
    /// # Errors
    /// If the version or the board is unknown.
    pub fn board(&self) -> Result<Board, BadTrace> {
        if self.v != 1 {
            return Err(BadTrace::Version(self.v));
        }
        Ok(self.board.parse()?)
    }

    /// The options of the game.
    ///
    /// # Errors
    /// If they are unknown or invalid.
    pub fn rules(&self) -> Result<Rules, BadTrace> {
        let rules = Rules {
            variant: self.variant.parse::<Variant>()?,
            swap: self.swap,
            lps_rounds: self.lps_rounds,
            ..Rules::new(self.players)
        };
        let faults = rules.faults();
        if faults.is_empty() { Ok(rules) } else { Err(BadTrace::Rules(faults.join("; "))) }
    }

    /// The start position.
    ///
    /// # Errors
    /// If the start cannot be set up.
    pub fn start<B: Geometry>(&self) -> Result<Position<B>, BadTrace> {
        let rules = self.rules()?;
        match &self.start {
            None => Ok(Position::new(&rules)),
            Some(text) => Position::from_state_string(&rules, text).map_err(BadTrace::Start),
        }
    }
}

impl TraceMove {
    /// The canonical key, as in the list of legal moves.
    pub fn key(&self) -> String {
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        let (t, from, to) = (&self.t, text(&self.from), text(&self.to));
        match t.as_str() {
            "place_ring" => format!("{t} {to} x{}", self.n.unwrap_or(1)),
            "move_stack" => format!("{t} {from}>{to}"),
            "overtaking_capture" | "continue_capture_segment" => {
                format!("{t} {from}*{}>{to}", text(&self.over))
            }
            "recovery_slide" => match self.opt {
                Some(option) => format!("{t} {from}>{to} {} {option}", text(&self.mode)),
                None => format!("{t} {from}>{to} {}", text(&self.mode)),
            },
            "process_line" => format!("{t} {}", text(&self.line)),
            "choose_line_option" => format!("{t} {}|{}", text(&self.line), text(&self.col)),
            "eliminate_rings_from_stack" => format!("{t} {to} {}", text(&self.ctx)),
            "choose_territory_option" => format!("{t} {}", text(&self.region)),
            "forced_elimination" => format!("{t} {to}"),
            _ => t.clone(),
        }
    }

    /// Finds the legal move of `position` that matches.
    pub fn find<B: Geometry>(&self, position: &Position<B>) -> Option<Move> {
        let key = self.key();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let payer = self.ex.as_ref().map(|cell| format!(" ex={cell}"));
        let window =
            self.col.as_ref().filter(|_| self.t == "recovery_slide").map(|cells| format!(" col={cells}"));
        moves.into_iter().find(|&m| {
            position.move_key(m) == key && {
                let full = position.full_move_key(m);
                [&payer, &window].into_iter().flatten().all(|detail| full.contains(detail.as_str()))
            }
        })
    }
}
