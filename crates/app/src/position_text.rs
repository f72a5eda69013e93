//! Parses positions given on the command line.

use host::{HostedGame, OpenError};

use crate::failure::BadText;

/// Opens a game that starts from the position in `text`.
pub(crate) fn open(text: &str) -> anyhow::Result<Box<dyn HostedGame>> {
    host::open_position(text).map_err(|error| match error {
        OpenError::Position { text, faults } => BadText::error("invalid position", &text, faults),
        other => other.into(),
    })
}
