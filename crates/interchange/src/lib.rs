//! Reads and writes positions, moves, games and request bodies in the JSON formats of the reference service.
//!
//! Every body is described once, by a struct that declares the JSON name and type of each field and whether it may be
//! missing. Coercions, error details and the skipping of unknown fields are derived from that description.
//!
//! ```
//! use interchange::{Client, GameState, client_move, client_state, from_json, ForeignMove};
//! use game::{Game, Notation};
//! use ringrift::{Position, Rules, Square8};
//!
//! // Read the state that a client sends as a position ...
//! let position = Position::<Square8>::new(&Rules::new(2));
//! let state: GameState = from_json(client_state(&position, &[], Client::GameServer).into())?;
//! assert_eq!(state.nearest::<Square8>().position, Some(position));
//! // ... and write a move as the client writes its own.
//! let m = position.parse_move("++d4")?;
//! let json = client_move(&position, m, Client::GameServer);
//! assert_eq!(json["to"], serde_json::json!({"x": 3, "y": 3}));
//! assert_eq!(from_json::<ForeignMove>(json.into())?.find(&position), Ok(m));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deliberately absent: the handling of requests (the crate `reference`), our own format (`record`), and the rules of the
//! game.
//!
//! The modules: `model` has the macros for descriptions, and `coerce`, `faults` and `parse` the parsing that is derived from
//! them. `state`, `foreign_move`, `bodies` and `training` are the descriptions. `position` and `nearest` convert states to
//! positions, and `export` writes states and moves. `keys`, `state_string` and `trace` handle conformance traces, and `import`
//! reads files of all formats.

mod bodies;
mod coerce;
mod export;
mod faults;
mod foreign_move;
mod import;
mod keys;
mod model;
mod nearest;
mod parse;
mod position;
mod state;
mod state_string;
pub mod trace;
mod training;

use serde_json::Value;

pub use bodies::{
    AiType, BatchRequest, Body, CaptureOption, ChoiceRequest, Difficulty, Effort, EliminationOption,
    EvaluateMoveRequest, EvaluatePositionRequest, EvaluateRequest, LineOption, LineReward, MoveRequest,
    PlayerNumber, RegionOption, Rejection, Seed, query_number,
};
pub use export::{Client, cell, client_board, client_move, client_state};
pub use faults::Faults;
pub use foreign_move::{CellKey, ForeignMove, FormedLine, MoveTypes, Point, Region};
pub use import::{Format, ImportError, ImportFileError, ImportReader, Imported, detect_format, import_line};
pub use keys::{TraceText, cell_key, digest, parse_cell_key};
pub use model::{Bounded, Checked, Field, Name, Names, Presence, Read, Shape, Time, Tuple, WithJson};
pub use nearest::Nearest;
pub use position::seat;
pub use state::{
    BadState, BoardNames, BoardState, CaptureSegment, ChainCapture, GameState, LpsTracking, MarkerState,
    PhaseNames, PlayerState, RulesOptions, StackState, StatusNames, TimeControl,
};
pub use training::Training;

/// The error for JSON that does not have the expected form.
#[derive(Debug, thiserror::Error)]
pub enum BadJson {
    /// The text is not JSON, or not of the expected form.
    #[error(transparent)]
    Syntax(#[from] serde_json::Error),
    /// Fields are missing or have another type.
    #[error("{0}")]
    Fields(String),
}

/// Reads a value from JSON text in a file of recorded games, in which fields that only the reference service requires may
/// be missing.
///
/// # Errors
/// If the text is not JSON, or a field is missing or has another type.
pub fn from_text<T: Read>(text: &str) -> Result<T, BadJson> {
    from_json(parse::parse(text.as_bytes(), T::SHAPE, model::Source::File)?)
}

/// Reads a value from JSON, like [`from_text`].
///
/// # Errors
/// If a field is missing or has another type.
pub fn from_json<T: Read>(mut json: Value) -> Result<T, BadJson> {
    let mut faults = Faults::new(model::Source::File, "");
    let value = T::read(&mut json, &mut faults).filter(|_| faults.is_empty());
    value.ok_or_else(|| BadJson::Fields(faults.to_string()))
}

/// Removes every field that is null, at any depth.
pub fn drop_nulls(json: &mut Value) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        _ => {}
    }
}
