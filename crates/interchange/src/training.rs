//! The training format of the reference service: a start position, moves and a winner.

use game::{ForfeitKind, Game};
use record::GameRecord;
use ringrift::{Board, Geometry, Move, Position, Rules, on_board};
use serde_json::Value;

use crate::{ForeignMove, GameState, import::ImportError, model::model};

model! {
    /// A game in the training format.
    pub struct Training {
        /// The start position; `None` for the normal start.
        pub nullable initial_state: Option<GameState>,
        /// The moves.
        pub required moves: Vec<ForeignMove>,
        /// The winner, from 1; `None` or 0 if there is none.
        pub nullable winner: Option<i64>,
        /// The name of the board, unless the initial state has it.
        pub nullable board_type: Option<String>,
        /// The number of seats of a game without initial state; if absent, the highest player of any move.
        pub nullable num_players: Option<i64>,
        /// The id of the game.
        pub nullable game_id: Option<Value>,
        /// An alternative field for the id.
        pub nullable id: Option<Value>,
        /// The seed of the game.
        pub nullable seed: Option<Value>,
    }
}

impl Training {
    /// Converts the game to a record, with the id `name` if it has none, and returns the number of inserted no-ops.
    ///
    /// Writers of this format often omit forced no-ops. They are inserted where the recorded move is illegal and a no-op is
    /// the only legal move; their number is also in the tag `inserted`. A game that is not over by our rules after its last
    /// move has no result; its winner is stored in the tag `claimed-winner`.
    ///
    /// # Errors
    /// If the start is not a valid position, a move is illegal, or another seat wins.
    pub fn to_record(&self, name: &str) -> Result<(GameRecord, usize), ImportError> {
        let id = self.name(name);
        let setup = |faults| ImportError::Setup { id: id.clone(), faults };
        let board = self.board().map_err(setup)?;
        let rules = self.rules().map_err(setup)?;
        on_board!(board, B => {
            let start = match &self.initial_state {
                None => Position::<B>::new(&rules),
                Some(state) => state.position(&rules).map_err(|bad| setup(bad.0))?,
            };
            Import { game: self, id: id.clone(), inserted: 0, position: start }.run()
        })
    }

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
        let inside = self.initial_state.as_ref().map(|state| &*state.board_type);
        let Some(name) = self.board_type.as_deref().or(inside) else {
            return Err(vec!["the board is missing: expected board_type".to_owned()]);
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
            Rules::new(u8::try_from(self.num_players.unwrap_or(highest)).unwrap_or(u8::MAX))
        };
        // The pie rule is often missing; if a swap was played, it was on.
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
            match recorded.forfeit() {
                None => self.play(&mut record, ply, recorded)?,
                Some(forfeit) => self.break_off(ply, recorded, forfeit)?,
            }
        }
        let claimed = self.game.winner.filter(|&winner| winner > 0);
        let claimed = claimed.map(|winner| usize::try_from(winner).unwrap_or(usize::MAX));
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

    /// The only legal move, if it is a no-op.
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
            let reason = "a forfeit must be the last move".to_owned();
            return Err(self.illegal(ply, recorded, reason));
        }
        if recorded.player.is_some_and(|player| player != mover) {
            let reason = "only the seat to move can resign or run out of time".to_owned();
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
