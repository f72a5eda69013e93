//! From what a request says to a hosted game.

use host::{HostedGame, OpenError, PlayError, SeatError};

use crate::{Refusal, Setup};

/// A game at its start: the normal one of a setup, or a position text. If both are given, they must agree.
///
/// # Errors
/// Everything that is wrong with the setup or the start.
pub fn open(setup: Option<&Setup>, start: Option<&str>) -> Result<Box<dyn HostedGame>, Refusal> {
    let Some(text) = start else {
        let setup = setup.ok_or_else(|| Refusal::input("expected setup, or start with a position text"))?;
        return Ok(host::open(&setup.config()?)?);
    };
    let game = host::open_position(text)?;
    if let Some(setup) = setup {
        let (asked, found) = (lab::venue(&setup.config()?), game.venue());
        if asked != found {
            return Err(Refusal::input(format!(
                "the setup says {asked}, but the start is a position of {found}"
            )));
        }
    }
    Ok(game)
}

impl From<OpenError> for Refusal {
    fn from(error: OpenError) -> Self {
        Self::input(error)
    }
}

impl From<SeatError> for Refusal {
    fn from(error: SeatError) -> Self {
        Self::input(error)
    }
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Over => Self::conflict(error),
            _ => Self::input(error),
        }
    }
}
