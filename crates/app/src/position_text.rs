//! Positions given on the command line.

use host::{HostedGame, OpenError};

use crate::failure::BadText;

/// A game that starts from the position that the text describes.
pub(crate) fn open(text: &str) -> anyhow::Result<Box<dyn HostedGame>> {
    host::open_position(text).map_err(|error| match error {
        OpenError::Position { text, faults } => BadText::error("the position cannot be read", &text, faults),
        other => other.into(),
    })
}
