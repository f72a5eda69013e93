//! The game so far, with the way back.

use game::{ForfeitKind, Places, Seat};
use record::{GameRecord, GameResult, PlyStats, ReplayError};

use crate::{agents::Who, hosted::Hosted};

/// Everything played, and who plays what.
pub(super) struct Log<P: Hosted> {
    /// The record as it was when the session began, to be filled with the moves.
    head: GameRecord,
    /// Who plays, as seated before the first move.
    specs: Vec<Who>,
    plies: Vec<Ply<P>>,
    position: P,
    /// How it ended, once it has: by its rules, by an agreement, or because somebody gave up.
    result: Option<GameResult>,
    /// Places changed since the board was last drawn.
    changed: Vec<P::Place>,
}

struct Ply<P: Hosted> {
    before: P,
    m: P::Move,
    stats: Option<PlyStats>,
}

impl<P: Hosted> Log<P> {
    /// The game of a record, which may be under way. Players that cannot sit here are taken for people.
    pub(super) fn new(record: &GameRecord) -> Result<Self, ReplayError> {
        let mut plies = Vec::new();
        let position =
            record.replay_as::<P>(|before, m| plies.push(Ply { before: before.clone(), m, stats: None }))?;
        for stats in &record.stats {
            if let Some(ply) = plies.get_mut(stats.ply as usize) {
                ply.stats = Some(stats.clone());
            }
        }
        let specs = record.players.iter().map(|player| player.parse().unwrap_or(Who::Human)).collect();
        let result = record.result.clone();
        Ok(Self { head: record.clone(), specs, plies, position, result, changed: Vec::new() })
    }

    pub(super) fn position(&self) -> &P {
        &self.position
    }

    pub(super) fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    pub(super) fn specs(&self) -> &[Who] {
        &self.specs
    }

    /// The participant who sits there now, by the seat taken before the first move.
    pub(super) fn participant(&self, seat: Seat) -> usize {
        let mut places = Places::default();
        self.plies.iter().for_each(|ply| places.follow(&ply.before, ply.m));
        places.origin(seat).index()
    }

    /// Who plays the seat.
    pub(super) fn spec(&self, seat: Seat) -> &Who {
        &self.specs[self.participant(seat)]
    }

    /// Places changed since the last call.
    pub(super) fn take_changed(&mut self) -> Vec<P::Place> {
        std::mem::take(&mut self.changed)
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, m: P::Move, stats: Option<PlyStats>) {
        let stats = stats.map(|stats| PlyStats { ply: self.plies.len() as u32, ..stats });
        self.plies.push(Ply { before: self.position.clone(), m, stats });
        let mut changes = Vec::new();
        self.position.play_unchecked(m, &mut changes);
        self.changed.extend(changes.into_iter().map(P::place));
        let people = self.specs.contains(&Who::Human);
        let plies = self.plies.len() as u32;
        // Agents alone are counted as the rules count; people are spared the mopping up.
        self.result = if people { self.position.proposal(plies) } else { self.position.result(plies) };
    }

    /// The seat to move gives the game up, or loses it by default.
    pub(super) fn forfeit(&mut self, how: ForfeitKind) {
        self.result = Some(self.position.forfeited(how, self.plies.len() as u32));
    }

    /// Changes what is agreed on at `place`.
    pub(super) fn amend(&mut self, place: &str) -> Result<(), String> {
        let result = self.result.as_ref().ok_or("The game is not over.")?;
        self.result = Some(self.position.amended(result, place)?);
        Ok(())
    }

    /// Goes back to the last decision that a person made; tells whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        // Giving up was a decision, too, but no move.
        let result = self.result.take();
        if result.as_ref().is_some_and(|result| ForfeitKind::parse(&result.reason).is_some()) {
            return true;
        }
        let mut moves = Vec::new();
        for index in (0..self.plies.len()).rev() {
            let before = self.plies[index].before.clone();
            before.legal_moves(&mut moves);
            // Who decided depends on the swaps before the move.
            let after = self.plies.split_off(index);
            if moves.len() > 1 && self.spec(before.to_move()).is_human() {
                self.position = before;
                self.changed = Vec::new();
                return true;
            }
            self.plies.extend(after);
        }
        self.result = result;
        false
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
        record.result.clone_from(&self.result);
        record
    }
}
