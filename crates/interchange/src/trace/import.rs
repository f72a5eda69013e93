//! Converts conformance traces to records.

use game::Game;
use record::GameRecord;
use ringrift::{Geometry, Position, on_board};

use super::{BadTrace, Trace};
use crate::{foreign_move::describe_legal, import::ImportError};

impl Trace {
    /// Converts the game to a record. Checks the moves and the result, but not the digests, as [`Trace::replay`] does.
    ///
    /// # Errors
    /// If the trace cannot be set up, a move is illegal, or the result differs.
    pub fn to_record(&self) -> Result<GameRecord, ImportError> {
        let board = self.board().map_err(named(self))?;
        on_board!(board, B => {
            let start = self.start::<B>().map_err(named(self))?;
            convert(self, start)
        })
    }
}

fn named(trace: &Trace) -> impl Fn(BadTrace) -> ImportError {
    |source| ImportError::Trace { id: trace.id.clone(), source }
}

fn convert<B: Geometry>(trace: &Trace, mut position: Position<B>) -> Result<GameRecord, ImportError> {
    let policy = trace.policy.as_deref().unwrap_or("unknown");
    let players = vec![format!("reference-{policy}"); position.seats()];
    let mut record = GameRecord::from_position(&trace.id, &position, players);
    if let Some(seed) = &trace.seed {
        record.tags.insert("seed".to_owned(), seed.clone());
    }
    for (ply, recorded) in trace.plies.iter().enumerate() {
        let m = recorded.m.find(&position).ok_or_else(|| ImportError::Illegal {
            id: trace.id.clone(),
            ply,
            text: recorded.m.key(),
            seat: position.to_move().number(),
            phase: position.phase().name(),
            reason: describe_legal(&position),
        })?;
        record.push(&position, m);
        position.play_unchecked(m, &mut ());
    }
    record.conclude(&position);
    let ours = record.result.as_ref();
    let agrees = ours.is_some_and(|ours| {
        ours.winner == trace.result.winner
            && ours.reason == trace.result.reason
            && trace.result.rank.as_ref().is_none_or(|rank| *rank == ours.ranking)
    });
    if agrees {
        return Ok(record);
    }
    let winner = trace.result.winner.map_or_else(|| "no seat".to_owned(), |seat| format!("seat {seat}"));
    Err(ImportError::Result {
        id: trace.id.clone(),
        recorded: format!("won by {winner} ({}) with ranks {:?}", trace.result.reason, trace.result.rank),
        replayed: ours.map_or_else(|| "no result".to_owned(), ToString::to_string),
    })
}
