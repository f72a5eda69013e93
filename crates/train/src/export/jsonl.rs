//! Games in the training format of the reference service, one per line.

use std::{
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use game::{ForfeitKind, Game};
use interchange::{Client, GameState, client_move, client_state, from_json};
use lab::atomic_file::AtomicFile;
use record::{Config, GameRecord, PlyStats};
use ringrift::{Geometry, Move, Position, on_board};
use selfplay::DataFolder;
use serde_json::{Map, Value, json};

use super::Exported;
use crate::TrainError;

/// Writes the games of folders to the file `out`, one per line.
///
/// # Errors
/// If a folder cannot be read or has games that the format cannot express, such as games of Go, or the file cannot be
/// written.
pub fn write_jsonl(folders: &[PathBuf], out: &Path) -> Result<Exported, TrainError> {
    let folders = folders.iter().map(|path| DataFolder::open(path)).collect::<Result<Vec<_>, _>>()?;
    if folders.iter().all(|folder| folder.games() == 0) {
        return Err(TrainError::Empty);
    }
    let failed = |source| TrainError::Io { path: out.to_owned(), source };
    let mut file = BufWriter::new(AtomicFile::create(out).map_err(failed)?);
    let mut exported = Exported::default();
    for folder in &folders {
        for shard in folder.shards() {
            for game in folder.read(shard)? {
                writeln!(file, "{}", training_game(&game)?).map_err(failed)?;
                exported.games += 1;
                exported.rows += game.moves.len() as u64;
            }
        }
    }
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.commit().map_err(failed)?;
    Ok(exported)
}

/// A game in the training format.
fn training_game(game: &GameRecord) -> Result<Value, TrainError> {
    let Config::RingRift(config) = &game.config else {
        let problem = format!("it is of {}, and the format has only games of RingRift", game.config);
        return Err(TrainError::Export { game: game.id.clone(), problem });
    };
    on_board!(config.board, B => convert::<B>(game))
}

fn convert<B: Geometry>(game: &GameRecord) -> Result<Value, TrainError> {
    let start: Position<B> = game.start_as()?;
    let initial_state = Value::from(client_state(&start, &[], Client::GameServer));
    if !describes(&initial_state, &start) {
        let problem = "the format cannot express its start or its options".to_owned();
        return Err(TrainError::Export { game: game.id.clone(), problem });
    }
    let mut moves = Vec::with_capacity(game.moves.len() + 1);
    let mut decided = game.stats.iter().peekable();
    let end = game.replay_as::<Position<B>>(|position, m| {
        let ply = moves.len();
        while decided.next_if(|stats| (stats.ply as usize) < ply).is_some() {}
        let mut fields = client_move(position, m, Client::GameServer);
        let own = decided.peek().filter(|stats| stats.ply as usize == ply && !stats.candidates.is_empty());
        if let Some(stats) = own {
            fields.insert("mcts_policy_dist".to_owned(), distribution(position, stats));
        }
        number(&mut fields, ply);
        moves.push(Value::from(fields));
    })?;
    let forfeit = game.result.as_ref().and_then(|result| ForfeitKind::parse(&result.reason));
    if let Some(kind) = forfeit.filter(|_| !end.is_over()) {
        let name = if kind == ForfeitKind::Timeout { "timeout" } else { "resign" };
        let mut fields = Map::new();
        fields.insert("type".to_owned(), name.into());
        fields.insert("player".to_owned(), end.to_move().number().into());
        fields.insert("to".to_owned(), json!({"x": 0, "y": 0}));
        number(&mut fields, moves.len());
        moves.push(fields.into());
    }
    Ok(json!({
        "game_id": game.id,
        "board_type": B::BOARD.to_string(),
        "num_players": game.seats(),
        "seed": game.seed,
        "initial_state": initial_state,
        "moves": moves,
        "winner": game.result.as_ref().and_then(|result| result.winner),
        "termination_reason": game.result.as_ref().map(|result| &result.reason),
    }))
}

/// Whether a reader of the state gets this position under the same options.
fn describes<B: Geometry>(state: &Value, position: &Position<B>) -> bool {
    let Ok(state) = from_json::<GameState>(state.clone()) else { return false };
    let Ok(rules) = state.rules() else { return false };
    rules == *position.rules() && state.position(&rules).is_ok_and(|read: Position<B>| read == *position)
}

fn number(fields: &mut Map<String, Value>, ply: usize) {
    fields.insert("id".to_owned(), format!("move-{}", ply + 1).into());
    fields.insert("moveNumber".to_owned(), (ply + 1).into());
}

/// The candidates of a search as moves with probabilities.
fn distribution<B: Geometry>(position: &Position<B>, stats: &PlyStats) -> Value {
    let mut legal: Vec<Move> = Vec::new();
    position.legal_moves(&mut legal);
    let candidate = |&(index, probability, _): &(u16, f32, Option<f32>)| {
        let m = legal.get(usize::from(index))?;
        Some(json!({
            "move": client_move(position, *m, Client::GameServer),
            "probability": probability,
        }))
    };
    stats.candidates.iter().filter_map(candidate).collect()
}
