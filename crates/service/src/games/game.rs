//! One game that the service keeps: who sits where, what was played, what comes next.

use game::{ForfeitKind, Seat};
use host::{
    Agreement, HostedGame, Occupant, Ply, Status,
    view::{MoveView, ReportView, ResultView, View},
};
use ladder::Player;
use record::GameRecord;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::seat::{self, SeatView};
use crate::{ApiError, Setup, opening};

/// What a game is made of, as asked for and as kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// What is agreed; the start says it if this does not.
    #[serde(default)]
    pub setup: Option<Setup>,
    /// Who sits where: `human`, a level such as `d3`, or an agent such as `mcts(sims=400)`.
    pub seats: Vec<String>,
    /// The position to start from, if it is not the normal one.
    #[serde(default)]
    pub start: Option<String>,
    /// Moves that have been played already.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether agents wait.
    #[serde(default)]
    pub paused: bool,
    /// How long a decision of an agent takes at least, in milliseconds.
    #[serde(default)]
    pub delay_ms: u64,
}

/// What is kept beside the moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Progress {
    paused: bool,
    delay_ms: u64,
    resigning: Option<usize>,
    resigned: bool,
    agreement: Agreement,
    agreed: bool,
}

/// A game in the memory of the service.
pub struct Game {
    /// Its name.
    pub id: String,
    /// When it was begun.
    pub created: String,
    /// What it was begun with.
    pub begun: NewGame,
    /// The game itself, with its seats and agents.
    pub hosted: Box<dyn HostedGame>,
    /// Agents wait.
    pub(super) paused: bool,
    /// How long a decision of an agent takes at least.
    pub(super) delay_ms: u64,
    /// Who wants to give up as soon as it is that seat's turn.
    pub(super) resigning: Option<Seat>,
    /// What the agent to move has found so far.
    pub(super) thinking: Option<ReportView>,
    /// Moves that agents may still make while they wait.
    pub(super) steps: u32,
}

/// A game as the pages get it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct GameView {
    /// Its name.
    pub id: String,
    /// When it was begun.
    pub created: String,
    /// What was agreed.
    pub setup: Setup,
    /// How far it is.
    pub status: Status,
    /// Who sits where.
    pub seats: Vec<SeatView>,
    /// Moves played so far.
    pub ply: usize,
    /// Everything that was played.
    pub moves: Vec<Ply>,
    /// The position it started from, if it is not the normal one.
    pub start: Option<String>,
    /// How it stands.
    pub view: View,
    /// What the agent to move has found so far.
    pub thinking: Option<ReportView>,
    /// Whether agents wait.
    pub paused: bool,
    /// How long a decision of an agent takes at least.
    pub delay_ms: u64,
    /// Whether a decision of a person can be taken back.
    pub can_undo: bool,
    /// Stones that count as dead.
    pub dead: Vec<String>,
}

/// What a change made of a game, for somebody who knows the game before it.
#[derive(Serialize, ToSchema)]
pub struct GameChange<'a> {
    /// How far the game is.
    status: Status,
    /// Who sits where.
    seats: Vec<SeatView>,
    /// Moves played so far.
    ply: usize,
    /// How many moves are as they were; the others are taken back.
    from: usize,
    /// The moves since.
    moves: &'a [Ply],
    /// The last move that somebody chose, as it was made by clicks.
    played: Option<&'a MoveView>,
    /// How it stands; legal moves are left out unless a person is to move.
    view: View,
    /// Whether agents wait.
    paused: bool,
    /// How long a decision of an agent takes at least.
    delay_ms: u64,
    /// Whether a decision of a person can be taken back.
    can_undo: bool,
    /// Stones that count as dead.
    dead: &'a [String],
}

/// `value` as JSON, behind what is on `paper`.
pub(super) fn to_json(value: &impl Serialize, mut paper: Vec<u8>) -> Vec<u8> {
    serde_json::to_writer(&mut paper, value).expect("names, numbers and texts make JSON");
    paper
}

impl Game {
    /// A game that is about to begin, with the moves it begins with.
    ///
    /// # Errors
    /// If the setup, a seat or a move makes no sense.
    pub fn new(id: String, created: String, begun: NewGame) -> Result<Self, ApiError> {
        let mut hosted = opening::open(begun.setup.as_ref(), begun.start.as_deref())?;
        let occupants = begun.seats.iter().map(|text| seat::occupant(text, hosted.venue()));
        let occupants = occupants.collect::<Result<Vec<_>, ApiError>>()?;
        hosted.take_seats(occupants, seed(&id))?;
        for (index, text) in begun.moves.iter().enumerate() {
            // Records hold bookkeeping moves, people leave them out: both are understood.
            while hosted.bookkeeping_move().is_some_and(|note| note != *text) {
                hosted.play_forced();
            }
            let played = hosted.play(text).map(|_| ());
            played.map_err(|error| ApiError::input(format!("move {}: {error}", index + 1)))?;
        }
        let (paused, delay_ms) = (begun.paused, begun.delay_ms);
        let (resigning, thinking, steps) = (None, None, 0);
        Ok(Self { id, created, begun, hosted, paused, delay_ms, resigning, thinking, steps })
    }

    /// A game as it was kept.
    ///
    /// # Errors
    /// If it makes no sense.
    pub(super) fn restored(
        id: String,
        created: String,
        begun: NewGame,
        moves: Vec<Ply>,
        progress: Progress,
    ) -> Result<Self, ApiError> {
        let mut game = Self::new(id, created, NewGame { moves: Vec::new(), ..begun.clone() })?;
        game.begun = begun;
        game.hosted.restore(moves)?;
        game.hosted.set_agreement(progress.agreement, progress.agreed);
        if progress.resigned {
            game.hosted.forfeit(ForfeitKind::Resignation);
        }
        (game.paused, game.delay_ms) = (progress.paused, progress.delay_ms);
        game.resigning = progress.resigning.and_then(Seat::from_number);
        Ok(game)
    }

    /// What is kept beside the moves.
    pub(super) fn progress(&self) -> Progress {
        let hosted = &self.hosted;
        let over = hosted.status() == Status::Over;
        Progress {
            paused: self.paused,
            delay_ms: self.delay_ms,
            resigning: self.resigning.map(Seat::number),
            resigned: hosted.result().is_some_and(|result| ForfeitKind::parse(&result.reason).is_some()),
            agreement: hosted.agreement().clone(),
            agreed: over && hosted.has_agreement(),
        }
    }

    /// Plays a move of the person to move, and what leaves no choice after it.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play(&mut self, text: &str) -> Result<(), ApiError> {
        self.hosted.play(text)?;
        self.settle();
        Ok(())
    }

    /// Plays what the agent to move has found, and what leaves no choice after it.
    ///
    /// # Errors
    /// If it is not legal.
    pub(super) fn play_report(&mut self, report: &ReportView) -> Result<(), ApiError> {
        self.hosted.play_report(report)?;
        self.settle();
        Ok(())
    }

    /// Plays what leaves no choice, and lets a seat that wants to give up do so.
    pub(super) fn settle(&mut self) {
        self.thinking = None;
        loop {
            if self.resigning.is_some() && self.resigning == self.hosted.to_move() {
                self.resigning = None;
                self.hosted.forfeit(ForfeitKind::Resignation);
            }
            if self.hosted.bookkeeping_move().is_none() || self.hosted.play_forced().is_none() {
                return;
            }
        }
    }

    /// Takes back everything since the last decision of a person, that one included.
    ///
    /// # Errors
    /// If no person has decided anything.
    pub fn undo(&mut self) -> Result<(), ApiError> {
        if !self.hosted.undo_decision() {
            return Err(ApiError::conflict("there is no move to take back"));
        }
        (self.resigning, self.thinking, self.steps) = (None, None, 0);
        Ok(())
    }

    /// How far it is.
    pub fn status(&self) -> Status {
        self.hosted.status()
    }

    /// The agent whose move it is, if it is an agent's.
    pub(super) fn agent(&self) -> Option<&Player> {
        self.hosted.agent_to_move()
    }

    /// The seats of the people at the screen.
    pub fn people(&self) -> Vec<Seat> {
        self.hosted.people()
    }

    /// How it ended.
    pub fn result(&self) -> Option<ResultView> {
        self.hosted.ending()
    }

    /// The game as it is kept and handed on.
    pub fn record(&self) -> GameRecord {
        let mut record = self.hosted.record(&self.id, self.begun.seats.clone());
        record.time = Some(self.created.clone());
        record
    }

    fn seats(&self) -> Vec<SeatView> {
        let occupant = |seat: Seat| self.hosted.occupant(seat).unwrap_or(&Occupant::Human);
        Seat::all(self.hosted.seats()).map(|seat| SeatView::of(occupant(seat), seat.number())).collect()
    }

    /// Everything, for a page.
    pub fn to_view(&self) -> GameView {
        let hosted = &self.hosted;
        GameView {
            id: self.id.clone(),
            created: self.created.clone(),
            setup: Setup::from(&hosted.config()),
            status: self.status(),
            seats: self.seats(),
            ply: hosted.plies().len(),
            moves: hosted.plies().to_vec(),
            start: self.begun.start.clone(),
            view: hosted.view(),
            thinking: self.thinking.clone(),
            paused: self.paused,
            delay_ms: self.delay_ms,
            can_undo: hosted.can_undo_decision(),
            dead: hosted.agreement().dead.clone(),
        }
    }

    /// What has changed for somebody who knows the game with the first `from` moves of now.
    pub(super) fn to_change(&self, from: usize) -> GameChange<'_> {
        let hosted = &self.hosted;
        let for_person = self.agent().is_none();
        GameChange {
            status: self.status(),
            seats: self.seats(),
            ply: hosted.plies().len(),
            from,
            moves: &hosted.plies()[from..],
            played: hosted.last_chosen(),
            view: if for_person { hosted.view() } else { hosted.view_without_moves() },
            paused: self.paused,
            delay_ms: self.delay_ms,
            can_undo: hosted.can_undo_decision(),
            dead: &hosted.agreement().dead,
        }
    }
}

/// The seed of a game, from its name: the same game can be played again.
fn seed(id: &str) -> u64 {
    // FNV-1a.
    id.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
