//! Opens the hosted game that a request describes, and converts errors of `host` into API errors.

use host::{HostedGame, OpenError, PlayError, SeatError};

use crate::{ApiError, Setup};

/// Opens a game at the normal start of `setup`, or at the position text `start`. If both are given, they must agree.
///
/// # Errors
/// Returns all faults of the setup or the position text.
pub fn open(setup: Option<&Setup>, start: Option<&str>) -> Result<Box<dyn HostedGame>, ApiError> {
    let Some(text) = start else {
        let setup = setup.ok_or_else(|| ApiError::input("expected setup, or a position text in start"))?;
        return Ok(host::open(&setup.config()?)?);
    };
    let game = host::open_position(text)?;
    if let Some(setup) = setup {
        let (asked, found) = (lab::venue(&setup.config()?), game.venue());
        if asked != found {
            return Err(ApiError::input(format!(
                "the setup says {asked}, but the start is a position of {found}"
            )));
        }
    }
    Ok(game)
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        Self::input(error)
    }
}

impl From<SeatError> for ApiError {
    fn from(error: SeatError) -> Self {
        Self::input(error)
    }
}

impl From<PlayError> for ApiError {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Over => Self::conflict(error),
            _ => Self::input(error),
        }
    }
}
