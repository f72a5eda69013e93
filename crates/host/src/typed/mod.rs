//! A hosted game on positions of one type: its state and its transitions. `interface.rs` implements [`HostedGame`] for it.
//!
//! [`HostedGame`]: crate::HostedGame

mod interface;
mod legal;
mod turning_point;

use game::{Seat, SeatPermutation};
use record::{GameRecord, GameResult, ReplayError};

use self::legal::Legal;
use crate::{
    Agreement, Occupant, PlayError, Ply, SeatError, Status,
    hostable::Hostable,
    seating::{self, Seating, Seeds},
    view::{MoveView, ReportView},
};

/// A game on positions of the type `G`.
pub(crate) struct Typed<G: Hostable> {
    pub(crate) start: G,
    pub(crate) position: G,
    /// All moves with their seats, which in Go need not alternate.
    pub(crate) moves: Vec<(Seat, G::Move)>,
    /// The same moves with descriptions and statistics.
    plies: Vec<Ply>,
    legal: Legal<G>,
    /// The changes of the last turn.
    changes: Vec<G::Change>,
    /// The last move that was not forced.
    chosen: Option<MoveView>,
    /// The present seats of the participants.
    permutation: SeatPermutation,
    seating: Seating<G>,
    /// The result of a game that was forfeited or adjudicated.
    declared: Option<GameResult>,
    agreement: Agreement,
    accepted: bool,
    revision: u64,
}

/// How a move is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decider {
    /// By the occupant of the seat to move.
    Seat,
    /// It is the only legal move.
    Forced,
}

impl<G: Hostable> Typed<G> {
    /// A game that starts from `start`, without occupants.
    pub(crate) fn new(start: G) -> Self {
        let mut game = Self {
            position: start.clone(),
            start,
            moves: Vec::new(),
            plies: Vec::new(),
            legal: Legal::default(),
            changes: Vec::new(),
            chosen: None,
            permutation: SeatPermutation::default(),
            seating: Seating::empty(),
            declared: None,
            agreement: Agreement::default(),
            accepted: false,
            revision: 0,
        };
        game.settle();
        game
    }

    /// The game of a record.
    pub(crate) fn replayed(record: &GameRecord) -> Result<Self, ReplayError> {
        let mut game = Self::new(record.start_as::<G>()?);
        record.replay_as::<G>(|_, m| game.commit(m, Decider::Seat, None))?;
        for stats in &record.stats {
            if let Some(ply) = game.plies.get_mut(stats.ply as usize) {
                ply.set_stats(stats);
            }
        }
        if let Some(result) = &record.result {
            game.agreement = Agreement { dead: result.dead.clone(), seki: result.seki.clone() };
            game.accepted = true;
            // A result that does not follow from the moves and the agreement was declared.
            if game.result().as_ref() != Some(result) {
                game.declared = Some(result.clone());
            }
        }
        Ok(game)
    }

    fn legal(&self) -> &[G::Move] {
        self.legal.moves(&self.position)
    }

    pub(crate) fn status(&self) -> Status {
        if self.declared.is_some() {
            Status::Over
        } else if !self.position.is_over() {
            Status::Playing
        } else if self.position.has_agreement() && !self.accepted {
            Status::Scoring
        } else {
            Status::Over
        }
    }

    fn to_move(&self) -> Option<Seat> {
        (self.status() == Status::Playing).then(|| self.position.to_move())
    }

    /// The result, whether it is accepted or not.
    fn provisional_result(&self) -> Option<GameResult> {
        let plies = self.plies.len() as u32;
        if self.declared.is_some() {
            return self.declared.clone();
        }
        let counted = self.position.has_agreement().then(|| self.position.counted(&self.agreement, plies));
        counted.flatten().map(|(_, result)| result).or_else(|| self.position.result(plies))
    }

    fn result(&self) -> Option<GameResult> {
        self.provisional_result().filter(|_| self.status() == Status::Over)
    }

    /// Parses `text` and checks that the move is legal.
    fn read_move(&self, text: &str) -> Result<G::Move, PlayError> {
        if self.status() != Status::Playing {
            return Err(PlayError::Over);
        }
        let unreadable = |fault| PlayError::Unreadable { text: text.to_owned(), fault };
        let m = self.position.parse_move(text).map_err(unreadable)?;
        if self.legal.has(m) {
            return Ok(m);
        }
        let illegal = |reason: G::Illegal| PlayError::Illegal {
            text: text.to_owned(),
            advice: self.position.advice(&reason, self.legal()),
            reason: reason.to_string(),
        };
        self.position.check(m).map_err(illegal)?;
        Ok(m)
    }

    /// Plays a legal move of the seat to move.
    pub(crate) fn commit(&mut self, m: G::Move, decider: Decider, report: Option<&ReportView>) {
        let seat = self.position.to_move();
        let auto = decider == Decider::Forced || G::is_bookkeeping(m);
        let ply = Ply {
            seat: seat.number(),
            turn: self.position.turn_number(),
            text: self.position.move_text(m),
            words: self.position.describe_move(m),
            auto,
            human: !auto && self.occupant(seat).is_some_and(Occupant::is_human),
            values: report.and_then(|report| report.values.clone()),
            nodes: report.filter(|report| report.values.is_some()).map(|report| report.nodes),
            time_ms: report.filter(|report| report.values.is_some()).map(|report| report.ms as u64),
        };
        if !auto {
            self.chosen = Some(self.position.offer(m));
        }
        self.push(seat, m, ply);
        self.settle();
    }

    /// Plays a move without [settling](Self::settle) the game.
    pub(crate) fn push(&mut self, seat: Seat, m: G::Move, ply: Ply) {
        self.step(seat, m);
        self.plies.push(ply);
        self.touch();
    }

    fn step(&mut self, seat: Seat, m: G::Move) {
        if self.moves.last().is_some_and(|&(last, _)| last != seat) {
            self.changes.clear();
        }
        self.permutation.advance(&self.position, m);
        self.position.advance(seat, m, &mut self.changes);
        self.moves.push((seat, m));
    }

    /// Handles the end of a game: proposes an agreement, and drops agents that are no longer needed.
    pub(crate) fn settle(&mut self) {
        if self.status() == Status::Scoring {
            // Without people, the position is scored as it stands, since agents play until that is correct.
            self.accepted = !self.seating.has_people();
            if !self.accepted {
                self.agreement = self.position.proposal();
            }
        }
        if self.status() == Status::Over {
            self.seating.drop_agents(false);
        }
    }

    /// Must be called after every change of the position.
    fn touch(&mut self) {
        self.legal.clear();
        self.revision += 1;
    }

    /// Takes back all moves from `ply` on, with any result or agreement. Agents are dropped.
    pub(crate) fn rewind(&mut self, ply: usize) {
        let moves = std::mem::take(&mut self.moves);
        self.plies.truncate(ply);
        self.position = self.start.clone();
        self.permutation = SeatPermutation::default();
        self.changes.clear();
        for &(seat, m) in &moves[..ply] {
            self.step(seat, m);
        }
        self.reopen();
        self.touch();
        self.seating.drop_agents(ply == 0);
    }

    /// Removes any result and agreement.
    fn reopen(&mut self) {
        self.chosen = None;
        self.declared = None;
        self.agreement = Agreement::default();
        self.accepted = false;
    }

    /// Takes back the last decision of a person, if there is one.
    fn undo_decision(&mut self) -> bool {
        if self.declared.take().is_some() {
            self.touch();
            return true;
        }
        let last = self.plies.iter().rposition(|ply| ply.human);
        last.inspect(|&ply| self.rewind(ply)).is_some()
    }

    fn take_seats(&mut self, occupants: Vec<Occupant>, seed: u64) -> Result<(), SeatError> {
        let (given, wanted) = (occupants.len(), self.position.seats());
        if given != wanted {
            return Err(SeatError::Count { given, wanted });
        }
        self.seating = Seating::new(occupants, seed, self.plies.is_empty());
        // Moves from before the seats were taken count as moves of the present occupants.
        let mut permutation = SeatPermutation::default();
        let mut position = self.start.clone();
        for (&(seat, m), ply) in self.moves.iter().zip(&mut self.plies) {
            let began = permutation.origin(seat);
            ply.human = !ply.auto && self.seating.participants[began.index()].is_human();
            permutation.advance(&position, m);
            position.advance(seat, m, &mut Vec::new());
        }
        self.revision += 1;
        if self.plies.is_empty() {
            // If a game with people starts from a finished position, they have yet to agree on it.
            self.accepted = false;
            self.settle();
        }
        Ok(())
    }

    pub(crate) fn participant(&self, seat: Seat) -> Seat {
        self.permutation.origin(seat)
    }

    pub(crate) fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        self.seating.participants.get(self.participant(seat).index())
    }

    /// The agent in `seat`, with its slot and seeds.
    pub(crate) fn agent_in(
        &self,
        seat: Seat,
    ) -> Option<(&ladder::Player, &std::sync::Arc<seating::Slot<G>>, Seeds)> {
        let began = self.participant(seat);
        let player = self.seating.participants.get(began.index())?.player()?;
        let seeds = Seeds::new(self.seating.seed, began, self.plies.len());
        Some((player, &self.seating.slots[began.index()], seeds))
    }

    /// Drops all agents, because the rules or the start of the game have changed.
    pub(crate) fn restart_agents(&mut self) {
        self.seating.drop_agents(self.plies.is_empty());
    }

    /// A copy without occupants.
    fn copy(&self) -> Self {
        Self {
            start: self.start.clone(),
            position: self.position.clone(),
            moves: self.moves.clone(),
            plies: self.plies.clone(),
            legal: self.legal.clone(),
            changes: self.changes.clone(),
            chosen: self.chosen.clone(),
            permutation: self.permutation,
            seating: Seating::empty(),
            declared: self.declared.clone(),
            agreement: self.agreement.clone(),
            accepted: self.accepted,
            revision: self.revision,
        }
    }
}
