//! Positions, moves, games and request bodies in the JSON of the reference service and its recorders, read and
//! written.
//!
//! Every body is described once, by a struct that says for each field its JSON name, its type and whether it may be
//! missing. Lenient reading, the details of a rejection and the skipping of unknown fields all follow from that.
//!
//! ```
//! use interchange::{Client, GameState, client_move, client_state, from_json, ForeignMove};
//! use game::{Game, Notation};
//! use ringrift::{Position, Rules, Square8};
//!
//! // What a client sends is understood as a position ...
//! let position = Position::<Square8>::new(&Rules::new(2));
//! let state: GameState = from_json(client_state(&position, &[], Client::GameServer).into())?;
//! assert_eq!(state.nearest::<Square8>().position, Some(position));
//! // ... and a move for it is written as it writes its own.
//! let m = position.parse_move("++d4")?;
//! let json = client_move(&position, m, Client::GameServer);
//! assert_eq!(json["to"], serde_json::json!({"x": 3, "y": 3}));
//! assert_eq!(from_json::<ForeignMove>(json.into())?.find(&position), Ok(m));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is deliberately absent: what to answer to a request (the crate `reference`), our own format (`record`), and
//! rules of the game.
//!
//! The map of the crate: `model` is the language of descriptions, `coerce`, `faults` and `parse` what follows from it.
//! `state`, `foreign_move`, `bodies` and `training` are the descriptions. `position` and `nearest` turn states into
//! positions, `export` writes states and moves. `keys`, `state_string` and `trace` are about conformance traces;
//! `import` reads files of any format.

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
pub use model::{Checked, Field, Name, Names, Presence, Read, Shape, Time, Tuple, WithJson, Within};
pub use nearest::Nearest;
pub use position::seat;
pub use state::{
    BadState, BoardNames, BoardState, CaptureSegment, ChainCapture, GameState, LpsTracking, MarkerState,
    PhaseNames, PlayerState, RulesOptions, StackState, StatusNames, TimeControl,
};
pub use training::Training;

/// JSON that is not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum BadJson {
    /// No JSON, or not of the expected form.
    #[error(transparent)]
    Syntax(#[from] serde_json::Error),
    /// Fields that are missing or of another type.
    #[error("{0}")]
    Fields(String),
}

/// Reads a value from the text of a file of recorded games. Fields that only the reference service demands may be
/// missing.
///
/// # Errors
/// If it is not JSON, or a field is missing or of another type.
pub fn from_text<T: Read>(text: &str) -> Result<T, BadJson> {
    from_json(parse::parse(text.as_bytes(), T::SHAPE, model::Source::File)?)
}

/// Reads a value from JSON, as [`from_text`] does.
///
/// # Errors
/// If a field is missing or of another type.
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
