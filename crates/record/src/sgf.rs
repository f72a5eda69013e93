//! Converts records of games of Go to and from the Smart Game Format (SGF).
//!
//! Deliberately absent: variations and comments, because a record contains only the main line.

use game::Game;
use go::{
    Points, Position, on_size,
    sgf::{GameTree, SgfError},
};

use crate::{Config, GameRecord};

/// The error for a text that is not SGF, or contains a game that cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[error("game {game}: {source}")]
pub struct BadGame {
    /// The number of the game in the text, from 1.
    pub game: usize,
    /// The reason.
    pub source: SgfError,
}

/// Writes a game as SGF; `None` if it is not a game of Go or does not replay.
///
/// An agreement on dead stones affects the score, but is not part of the text.
///
/// ```
/// use record::{Config, GameRecord, sgf};
/// let mut record = GameRecord::new("one", Config::go(go::Rules::new(9)), vec!["a".into(), "b".into()]);
/// record.moves = vec!["E5".into(), "pass".into()];
/// record.declare(&"B+R".parse().unwrap());
/// let text = sgf::write(&record).unwrap();
/// assert!(text.contains("RE[B+R]") && text.ends_with(";B[ee];W[])\n"), "{text}");
/// let again = sgf::read(&text, "one").unwrap().remove(0);
/// assert_eq!(again, record);
/// ```
pub fn write(record: &GameRecord) -> Option<String> {
    let Config::Go(config) = &record.config else { return None };
    let mut tree = on_size!(config.rules.size, P => {
        GameTree::of_position(&record.replay_as::<Position<P>>(|_, _| {}).ok()?)
    });
    for (name, player) in tree.names.iter_mut().zip(&record.players) {
        name.clone_from(player);
    }
    tree.result = record.go_result();
    Some(tree.write())
}

/// Reads the main lines of all games of an SGF text. The first game gets the id `name`, the others `name-2` and so on.
///
/// If the score agrees with the last position, counting all stones as alive, the reason is `score`. Any other score depends
/// on an agreement that the text does not contain, and becomes an `adjudication`. If the board is edited after the start, or
/// play continues after two passes, the record starts from that position, and the tag `skipped` has the number of moves
/// before it. The tag `repaired` names what was [repaired](GameTree::repairs).
///
/// # Errors
/// If the text is not SGF of games of Go, or a move of a main line is not legal.
pub fn read(text: &str, name: &str) -> Result<Vec<GameRecord>, BadGame> {
    records(GameTree::read(text), name)
}

/// Like [`read`], for a file in any character set.
///
/// # Errors
/// If the file is not SGF of games of Go, or a move of a main line is not legal.
pub fn read_bytes(bytes: &[u8], name: &str) -> Result<Vec<GameRecord>, BadGame> {
    records(GameTree::read_bytes(bytes), name)
}

fn records(trees: Result<Vec<GameTree>, SgfError>, name: &str) -> Result<Vec<GameRecord>, BadGame> {
    let fault = |game: usize| move |source| BadGame { game, source };
    (1..)
        .zip(&trees.map_err(fault(1))?)
        .map(|(number, tree)| {
            let id = if number == 1 { name.to_owned() } else { format!("{name}-{number}") };
            on_size!(tree.rules.size, P => game::<P>(tree, &id)).map_err(fault(number))
        })
        .collect()
}

fn game<P: Points>(tree: &GameTree, id: &str) -> Result<GameRecord, SgfError> {
    let (mut last, mut moves) = (tree.root(), 0);
    for node in tree.main_line() {
        last = node;
        moves += usize::from(tree.node(node).play.is_some());
    }
    let (last, repairs) = tree.replay::<P>(last)?;
    let mut position =
        Position::set_up(last.rules(), &last.start()).expect("the start of a position is valid");
    let players = tree.names.iter().map(|name| if name.is_empty() { "unknown" } else { name }.to_owned());
    let mut record = GameRecord::from_position(id, &position, players.collect());
    for m in last.moves() {
        record.push(&position, m);
        position.play_unchecked(m, &mut ());
    }
    if let Some(skipped) = moves.checked_sub(record.moves.len()).filter(|&skipped| skipped > 0) {
        record.tags.insert("skipped".to_owned(), skipped.to_string());
    }
    let repairs: Vec<&str> = tree.repairs.iter().chain(&repairs).map(String::as_str).collect();
    if !repairs.is_empty() {
        record.tags.insert("repaired".to_owned(), repairs.join("; "));
    }
    record.conclude(&position);
    // A result that agrees with the board need not be declared.
    let shown = record.go_result().filter(|shown| tree.result.is_none_or(|declared| declared == *shown));
    if let (None, Some(declared)) = (shown, tree.result.filter(|result| result.outcome().is_some())) {
        record.declare(&declared);
    }
    Ok(record)
}
