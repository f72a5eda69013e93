//! Positions given on the command line.

use game::{Fault, Faults};
use record::{Config, Recorded};
use ringrift::Board;

use crate::failure::BadText;

const MESSAGE: &str = "the position cannot be read";

/// What is played in a position text, as far as its first words say: the game and its board. The other options are in the
/// position.
pub(crate) fn config(text: &str) -> anyhow::Result<Config> {
    let mut words = text.split_whitespace();
    if words.next() == Some("go") {
        // A size that makes no sense is explained by whoever reads the whole text.
        let known = |size: &u8| (go::Rules::SMALLEST..=go::Rules::LARGEST).contains(size);
        let size = words.next().and_then(|size| size.parse().ok()).filter(known);
        let size = size.unwrap_or(go::Rules::LARGEST);
        return Ok(Config::go(go::Rules::new(size)));
    }
    let board = Board::of_text(text).map_err(|Fault { span, message }| {
        let fault = Fault::new(span, format!("{message}; or go and a size"));
        BadText::error(MESSAGE, text, Faults(vec![fault]))
    })?;
    Ok(Config::ringrift(board, ringrift::Rules::new(2)))
}

/// The position that the text describes.
pub(crate) fn parse<P: Recorded>(text: &str) -> anyhow::Result<P> {
    P::from_text(text).map_err(|faults| BadText::error(MESSAGE, text, faults))
}
