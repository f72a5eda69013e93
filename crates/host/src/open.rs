//! Opens games from options, position texts, records and SGF trees.

use game::{Faults, Game, Setup as _};
use go::{
    Large, Medium, Points, Position, Small,
    sgf::{GameTree, NodeId},
};
use record::{Config, GameRecord, Recorded, on_game};

use crate::{HostedGame, OpenError, typed::Typed};

/// Opens a game at its normal start.
///
/// # Errors
/// Returns an error if the options are invalid.
pub fn open(config: &Config) -> Result<Box<dyn HostedGame>, OpenError> {
    on_game!(config, P => {
        let options = P::options(config)?;
        Ok(Box::new(Typed::new(P::new(&options))))
    })
}

/// The maximum length of a position text, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 16;

/// Opens a game that starts from a position text of any game.
///
/// # Errors
/// Returns all faults of the text.
pub fn open_position(text: &str) -> Result<Box<dyn HostedGame>, OpenError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(OpenError::TooLong { max: MAX_TEXT_BYTES });
    }
    let text = text.trim();
    let not_a_position = |faults| OpenError::Position { text: text.to_owned(), faults };
    let config = Config::of_text(text).map_err(|fault| not_a_position(Faults(vec![fault])))?;
    on_game!(config, P => Ok(Box::new(Typed::new(P::from_text(text).map_err(not_a_position)?))))
}

/// Opens the game of a record, after its last move and with its result, but without occupants.
///
/// # Errors
/// Returns an error if the record does not replay.
pub fn open_record(record: &GameRecord) -> Result<Box<dyn HostedGame>, OpenError> {
    on_game!(record.config, P => Ok(Box::new(Typed::<P>::replayed(record)?)))
}

/// Opens the game of an SGF tree, after one of its nodes.
///
/// # Errors
/// Returns an error if the node has no valid position.
pub fn open_sgf(tree: &GameTree, node: NodeId) -> Result<Box<dyn HostedGame>, OpenError> {
    fn opened<P: Points>(tree: &GameTree, node: NodeId) -> Result<Box<dyn HostedGame>, OpenError> {
        let last = tree.position::<P>(node).map_err(|error| OpenError::Sgf(error.to_string()))?;
        let start = Position::set_up(last.rules(), &last.start());
        let mut game = Typed::new(start.map_err(|error| OpenError::Sgf(error.to_string()))?);
        for m in last.moves() {
            game.commit(m, crate::typed::Decider::Seat, None);
        }
        Ok(Box::new(game))
    }
    match tree.rules.size {
        ..=7 => opened::<Small>(tree, node),
        8..=10 => opened::<Medium>(tree, node),
        _ => opened::<Large>(tree, node),
    }
}
