//! The game so far, with the way back.

use game::{Game, Seat};
use record::{GameRecord, PlyStats, ReplayError};
use ringrift::{Bits, Forfeit, Geometry, Kind, Move, Position, Reason};

use crate::{agents::Who, sketch};

/// Everything played, and who plays what.
pub(super) struct Log<B: Geometry> {
    /// The record as it was when the session began, to be filled with the moves.
    head: GameRecord,
    /// Who plays, as seated before the first move.
    specs: Vec<Who>,
    plies: Vec<Ply<B>>,
    position: Position<B>,
    /// Cells changed since the board was last drawn.
    changed: B::Bits,
}

struct Ply<B: Geometry> {
    before: Position<B>,
    m: Move,
    stats: Option<PlyStats>,
}

impl<B: Geometry> Log<B> {
    /// The game of a record, which may be under way. Players that cannot sit here are taken for people.
    pub(super) fn new(record: &GameRecord) -> Result<Self, ReplayError> {
        let mut plies = Vec::new();
        let position = record
            .replay_as::<Position<B>>(|before, m| plies.push(Ply { before: *before, m, stats: None }))?;
        for stats in &record.stats {
            if let Some(ply) = plies.get_mut(stats.ply as usize) {
                ply.stats = Some(stats.clone());
            }
        }
        let specs = record.players.iter().map(|player| player.parse().unwrap_or(Who::Human)).collect();
        Ok(Self { head: record.clone(), specs, plies, position, changed: B::Bits::EMPTY })
    }

    pub(super) fn position(&self) -> &Position<B> {
        &self.position
    }

    pub(super) fn specs(&self) -> &[Who] {
        &self.specs
    }

    /// The participant who sits there now, by the seat taken before the first move.
    pub(super) fn participant(&self, seat: Seat) -> usize {
        let swaps = self.plies.iter().filter(|ply| ply.m.kind() == Kind::SwapSides).count();
        if swaps % 2 == 1 { 1 - seat.index() } else { seat.index() }
    }

    /// Who plays the seat.
    pub(super) fn spec(&self, seat: Seat) -> &Who {
        &self.specs[self.participant(seat)]
    }

    /// Cells changed since the last call.
    pub(super) fn take_changed(&mut self) -> B::Bits {
        std::mem::replace(&mut self.changed, B::Bits::EMPTY)
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, m: Move, stats: Option<PlyStats>) {
        let stats = stats.map(|stats| PlyStats { ply: self.plies.len() as u32, ..stats });
        self.plies.push(Ply { before: self.position, m, stats });
        let mut changes = Vec::new();
        self.position.play_unchecked(m, &mut changes);
        self.changed = self.changed | sketch::changed_cells::<B>(&changes);
    }

    pub(super) fn resign(&mut self) {
        self.position.forfeit(Forfeit::Resign);
    }

    /// Goes back to the last decision that a person made; tells whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        // Giving up was a decision, too, but no move.
        let resigned = self.position.end().is_some_and(|end| end.reason == Reason::Resignation);
        if resigned {
            self.position = self.replayed();
            return true;
        }
        let mut moves = Vec::new();
        for index in (0..self.plies.len()).rev() {
            let before = self.plies[index].before;
            before.legal_moves(&mut moves);
            // Who decided depends on the swaps before the move.
            let after = self.plies.split_off(index);
            if moves.len() > 1 && self.spec(before.to_move()).is_human() {
                self.position = before;
                self.changed = B::Bits::EMPTY;
                return true;
            }
            self.plies.extend(after);
        }
        false
    }

    fn replayed(&self) -> Position<B> {
        self.plies.last().map_or_else(
            || self.head.start_as::<Position<B>>().unwrap_or(self.position),
            |ply| {
                let mut position = ply.before;
                position.play_unchecked(ply.m, &mut ());
                position
            },
        )
    }

    /// The record of the game as it stands.
    pub(super) fn record(&self) -> GameRecord {
        let mut record = self.head.clone();
        record.players = self.specs.iter().map(Who::to_string).collect();
        record.moves.clear();
        for ply in &self.plies {
            record.push(&ply.before, ply.m);
        }
        record.stats = self.plies.iter().filter_map(|ply| ply.stats.clone()).collect();
        record.conclude(&self.position);
        record
    }
}
