//! The training format of the reference service: a start, the moves, the winner.

use game::{ForfeitKind, Game};
use ringrift::{Board, Geometry, Move, Position, Rules, on_board};
use serde::Deserialize;
use serde_json::Value;

use super::{ForeignMove, ImportError, state::GameState};
use crate::GameRecord;

/// One game of the training format, as far as it is of use; other fields are ignored.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Training {
    /// Where the game starts; `None` for the normal start.
    #[serde(default)]
    pub initial_state: Option<GameState>,
    /// The moves.
    pub moves: Vec<ForeignMove>,
    /// The winner, from 1; `None` or 0 for none.
    #[serde(default)]
    pub winner: Option<usize>,
    /// Name of the board; the initial state may say it instead.
    #[serde(default)]
    pub board_type: Option<String>,
    /// Number of seats, for a game without initial state; the highest player of any move if left out.
    #[serde(default)]
    pub num_players: Option<usize>,
    /// Name of the game.
    #[serde(default)]
    pub game_id: Option<Value>,
    /// Another place for the name.
    #[serde(default)]
    pub id: Option<Value>,
    /// Seed of the game.
    #[serde(default)]
    pub seed: Option<Value>,
}

/// The game of a training line, called `name` if it has no name, and how many bookkeeping moves were put in.
///
/// Writers of this format often leave out the forced moves that only say that a phase was visited. They are put in
/// where the recorded move is not legal but such a move is the only legal one; the number is also in the tag
/// `inserted`. A game that breaks off before our rules see its end has no result, but keeps its winner in the tag
/// `claimed-winner`.
///
/// # Errors
/// If the start is no position, a move is not legal, or another seat wins.
pub fn training(game: &Training, name: &str) -> Result<(GameRecord, usize), ImportError> {
    let id = game.name(name);
    let setup = |faults| ImportError::Setup { id: id.clone(), faults };
    let board = game.board().map_err(setup)?;
    let rules = game.rules().map_err(setup)?;
    on_board!(board, B => {
        let start = match &game.initial_state {
            None => Position::<B>::new(&rules),
            Some(state) => state.position(&rules).map_err(|bad| setup(bad.0))?,
        };
        Import { game, id: id.clone(), inserted: 0, position: start }.run()
    })
}

impl Training {
    fn name(&self, otherwise: &str) -> String {
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let own = self.game_id.as_ref().and_then(text).or_else(|| self.id.as_ref().and_then(text));
        own.filter(|id| !id.is_empty()).unwrap_or_else(|| otherwise.to_owned())
    }

    fn board(&self) -> Result<Board, Vec<String>> {
        let inside = self.initial_state.as_ref().map(|state| &state.board_type);
        let Some(name) = self.board_type.as_ref().or(inside) else {
            return Err(vec!["no board: expected board_type".to_owned()]);
        };
        if let Some(inside) = inside.filter(|inside| *inside != name) {
            return Err(vec![format!("board_type is {name}, but the initial state is on {inside}")]);
        }
        name.parse().map_err(|error: ringrift::UnknownBoard| vec![error.to_string()])
    }

    fn rules(&self) -> Result<Rules, Vec<String>> {
        let rules = if let Some(state) = &self.initial_state {
            state.rules().map_err(|bad| bad.0)?
        } else {
            let highest = self.moves.iter().filter_map(|m| m.player).max().unwrap_or(2).max(2);
            let highest = usize::try_from(highest).unwrap_or(usize::MAX);
            Rules::new(u8::try_from(self.num_players.unwrap_or(highest)).unwrap_or(u8::MAX))
        };
        // Whether the pie rule was on is often left out; whoever swapped could.
        let swapped = rules.seats == 2 && self.moves.iter().any(|m| m.name() == "swap_sides");
        let rules = Rules { swap: rules.swap || swapped, ..rules };
        let faults = rules.faults();
        if faults.is_empty() { Ok(rules) } else { Err(faults) }
    }
}

struct Import<'a, B: Geometry> {
    game: &'a Training,
    id: String,
    inserted: usize,
    position: Position<B>,
}

impl<B: Geometry> Import<'_, B> {
    fn run(mut self) -> Result<(GameRecord, usize), ImportError> {
        let players = vec!["unknown".to_owned(); self.position.seats()];
        let mut record = GameRecord::from_position(&self.id, &self.position, players);
        record.seed = self.game.seed.as_ref().and_then(Value::as_u64);
        for (ply, recorded) in self.game.moves.iter().enumerate() {
            let forfeit = match recorded.name() {
                "resign" => Some(ForfeitKind::Resignation),
                "timeout" => Some(ForfeitKind::Timeout),
                _ => None,
            };
            match forfeit {
                None => self.play(&mut record, ply, recorded)?,
                Some(forfeit) => self.break_off(ply, recorded, forfeit)?,
            }
        }
        let claimed = self.game.winner.filter(|&winner| winner > 0);
        if claimed.is_some() {
            while let Some(m) = self.only_bookkeeping() {
                self.insert(&mut record, m);
            }
        }
        record.conclude(&self.position);
        self.compare(&mut record, claimed)?;
        if self.inserted > 0 {
            record.tags.insert("inserted".to_owned(), self.inserted.to_string());
        }
        Ok((record, self.inserted))
    }

    fn play(
        &mut self,
        record: &mut GameRecord,
        ply: usize,
        recorded: &ForeignMove,
    ) -> Result<(), ImportError> {
        loop {
            let reason = match recorded.find(&self.position) {
                Ok(m) => {
                    record.push(&self.position, m);
                    self.position.play_unchecked(m, &mut ());
                    return Ok(());
                }
                Err(reason) => reason,
            };
            match self.only_bookkeeping() {
                Some(m) => self.insert(record, m),
                None => return Err(self.illegal(ply, recorded, reason)),
            }
        }
    }

    /// The only legal move, if it is one and is bookkeeping.
    fn only_bookkeeping(&self) -> Option<Move> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        if let [only] = moves[..] { Some(only).filter(|m| m.kind().is_bookkeeping()) } else { None }
    }

    fn insert(&mut self, record: &mut GameRecord, m: Move) {
        record.push(&self.position, m);
        self.position.play_unchecked(m, &mut ());
        self.inserted += 1;
    }

    fn break_off(
        &mut self,
        ply: usize,
        recorded: &ForeignMove,
        forfeit: ForfeitKind,
    ) -> Result<(), ImportError> {
        let mover = self.position.to_move().number() as i64;
        if self.position.is_over() || ply + 1 < self.game.moves.len() {
            let reason = "a game ends once, with its last move".to_owned();
            return Err(self.illegal(ply, recorded, reason));
        }
        if recorded.player.is_some_and(|player| player != mover) {
            let reason = "only the seat to move can give up or run out of time".to_owned();
            return Err(self.illegal(ply, recorded, reason));
        }
        self.position.forfeit(forfeit);
        Ok(())
    }

    fn illegal(&self, ply: usize, recorded: &ForeignMove, reason: String) -> ImportError {
        ImportError::Illegal {
            id: self.id.clone(),
            ply,
            text: recorded.text(),
            seat: self.position.to_move().number(),
            phase: self.position.phase().name(),
            reason,
        }
    }

    fn compare(&self, record: &mut GameRecord, claimed: Option<usize>) -> Result<(), ImportError> {
        match (&record.result, claimed) {
            (None, Some(winner)) => {
                record.tags.insert("claimed-winner".to_owned(), winner.to_string());
                Ok(())
            }
            (Some(result), Some(winner)) if result.winner != Some(winner) => Err(ImportError::Result {
                id: self.id.clone(),
                recorded: format!("won by seat {winner}"),
                replayed: result.to_string(),
            }),
            _ => Ok(()),
        }
    }
}
