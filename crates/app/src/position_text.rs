//! Positions given on the command line.

use game::Faults;
use record::{Config, Recorded};

use crate::failure::BadText;

const MESSAGE: &str = "the position cannot be read";

/// What is played in a position text.
pub(crate) fn config(text: &str) -> anyhow::Result<Config> {
    Config::of_text(text).map_err(|fault| BadText::error(MESSAGE, text, Faults(vec![fault])))
}

/// The position that the text describes.
pub(crate) fn parse<P: Recorded>(text: &str) -> anyhow::Result<P> {
    P::from_text(text).map_err(|faults| BadText::error(MESSAGE, text, faults))
}
