//! One game of the service: a hosted game with its id, its pace, pending resignations and its views for clients.

use game::{ForfeitKind, Seat};
use host::{
    Agreement, HostedGame, Occupant, Ply, Status,
    view::{MoveView, ReportView, ResultView, View},
};
use ladder::{Models, Player};
use record::GameRecord;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::seat::{self, SeatView};
use crate::{ApiError, Setup};

/// The description of a new game, as requested and as stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The game and its options; taken from `start` if left out.
    #[serde(default)]
    pub setup: Option<Setup>,
    /// Who takes each seat: `human`, a level such as `d3`, or an agent such as `mcts(sims=400)`.
    pub seats: Vec<String>,
    /// The position to start from; the normal start if left out.
    #[serde(default)]
    pub start: Option<String>,
    /// Moves to play before the game begins, at most 5,000.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether agents are paused.
    #[serde(default)]
    pub paused: bool,
    /// The minimum time per decision of an agent, in milliseconds.
    #[serde(default)]
    pub delay_ms: u64,
}

/// The stored state of a game other than its moves.
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

/// A game of the service.
pub struct Game {
    /// The id of the game.
    pub id: String,
    /// When the game was created.
    pub created: String,
    /// The description that the game was created with.
    pub begun: NewGame,
    /// The hosted game, with its occupants and agents.
    pub hosted: Box<dyn HostedGame>,
    /// Whether agents are paused.
    pub(super) paused: bool,
    /// The minimum time per decision of an agent, in milliseconds.
    pub(super) delay_ms: u64,
    /// The seat that resigns as soon as it is to move.
    pub(super) resigning: Option<Seat>,
    /// The latest progress report of the agent to move.
    pub(super) thinking: Option<ReportView>,
    /// The number of decisions that agents may still make while paused.
    pub(super) steps: u32,
}

/// A game in its present state, for clients.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct GameView {
    /// The id of the game.
    pub id: String,
    /// When the game was created.
    pub created: String,
    /// The game and its options.
    pub setup: Setup,
    /// Whether the game is being played, being scored or over.
    pub status: Status,
    /// The occupants of the seats.
    pub seats: Vec<SeatView>,
    /// The number of moves played.
    pub ply: usize,
    /// All moves played.
    pub moves: Vec<Ply>,
    /// The position the game started from, if not the normal start.
    pub start: Option<String>,
    /// The present position.
    pub view: View,
    /// The latest progress report of the agent to move.
    pub thinking: Option<ReportView>,
    /// Whether agents are paused.
    pub paused: bool,
    /// The minimum time per decision of an agent, in milliseconds.
    pub delay_ms: u64,
    /// Whether there is a decision of a person to take back.
    pub can_undo: bool,
    /// The stones marked as dead.
    pub dead: Vec<String>,
}

/// The difference between a game and its previous state, for clients that know the latter.
#[derive(Serialize, ToSchema)]
pub struct GameChange<'a> {
    /// Whether the game is being played, being scored or over.
    status: Status,
    /// The occupants of the seats.
    seats: Vec<SeatView>,
    /// The number of moves played.
    ply: usize,
    /// The number of moves that are unchanged; later ones have been taken back.
    from: usize,
    /// The moves after those.
    moves: &'a [Ply],
    /// The last move that was a choice, with its clicks.
    played: Option<&'a MoveView>,
    /// The present position, with legal moves only if a person is to move.
    view: View,
    /// Whether agents are paused.
    paused: bool,
    /// The minimum time per decision of an agent, in milliseconds.
    delay_ms: u64,
    /// Whether there is a decision of a person to take back.
    can_undo: bool,
    /// The stones marked as dead.
    dead: &'a [String],
}

/// Appends `value` to `buffer` as JSON.
pub(super) fn to_json(value: &impl Serialize, mut buffer: Vec<u8>) -> Vec<u8> {
    serde_json::to_writer(&mut buffer, value).expect("names, numbers and texts make JSON");
    buffer
}

impl Game {
    /// Creates a game and plays the initial moves of its description.
    ///
    /// # Errors
    /// Returns an error if the setup, a seat or a move is invalid.
    pub fn new(id: String, created: String, begun: NewGame, nets: &Models) -> Result<Self, ApiError> {
        let mut hosted = crate::open(begun.setup.as_ref(), begun.start.as_deref())?;
        let occupants = begun.seats.iter().map(|text| seat::occupant(text, hosted.venue(), nets));
        let occupants = occupants.collect::<Result<Vec<_>, ApiError>>()?;
        hosted.take_seats(occupants, seed(&id))?;
        for (index, text) in begun.moves.iter().enumerate() {
            // Records contain bookkeeping moves, hand-written lists omit them: accept both. Legal moves are generated only
            // if a move is refused.
            while let Err(error) = hosted.play(text).map(|_| ()) {
                if hosted.bookkeeping_move().is_none() || hosted.play_forced().is_none() {
                    return Err(ApiError::input(format!("move {}: {error}", index + 1)));
                }
            }
        }
        let (paused, delay_ms) = (begun.paused, begun.delay_ms);
        let (resigning, thinking, steps) = (None, None, 0);
        Ok(Self { id, created, begun, hosted, paused, delay_ms, resigning, thinking, steps })
    }

    /// Restores a stored game.
    ///
    /// # Errors
    /// Returns an error if the stored data is inconsistent.
    pub(super) fn restored(
        id: String,
        created: String,
        begun: NewGame,
        moves: Vec<Ply>,
        progress: Progress,
        nets: &Models,
    ) -> Result<Self, ApiError> {
        let mut game = Self::new(id, created, NewGame { moves: Vec::new(), ..begun.clone() }, nets)?;
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

    /// The stored state of a game other than its moves.
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

    /// Plays a move of the person to move, and the forced moves after it.
    ///
    /// # Errors
    /// Returns an error if the move is illegal.
    pub fn play(&mut self, text: &str) -> Result<(), ApiError> {
        self.hosted.play(text)?;
        self.settle();
        Ok(())
    }

    /// Plays the move that the agent to move has chosen, and the forced moves after it.
    ///
    /// # Errors
    /// Returns an error if the move is illegal.
    pub(super) fn play_report(&mut self, report: &ReportView) -> Result<(), ApiError> {
        self.hosted.play_report(report)?;
        self.settle();
        Ok(())
    }

    /// Plays forced moves and executes a pending resignation.
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

    /// Takes back the last decision of a person and everything after it.
    ///
    /// # Errors
    /// Returns an error if no person has made a decision.
    pub fn undo(&mut self) -> Result<(), ApiError> {
        if !self.hosted.undo_decision() {
            return Err(ApiError::conflict("there is no move to take back"));
        }
        (self.resigning, self.thinking, self.steps) = (None, None, 0);
        Ok(())
    }

    /// Whether the game is being played, being scored or over.
    pub fn status(&self) -> Status {
        self.hosted.status()
    }

    /// The agent to move, if one is.
    pub(super) fn agent(&self) -> Option<&Player> {
        self.hosted.agent_to_move()
    }

    /// The seats of people.
    pub fn people(&self) -> Vec<Seat> {
        self.hosted.people()
    }

    /// The result, once the game is over.
    pub fn result(&self) -> Option<ResultView> {
        self.hosted.ending()
    }

    /// The game as a record, for export.
    pub fn record(&self) -> GameRecord {
        let mut record = self.hosted.record(&self.id, self.begun.seats.clone());
        record.time = Some(self.created.clone());
        record
    }

    fn seats(&self) -> Vec<SeatView> {
        let occupant = |seat: Seat| self.hosted.occupant(seat).unwrap_or(&Occupant::Human);
        Seat::all(self.hosted.seats()).map(|seat| SeatView::of(occupant(seat), seat.number())).collect()
    }

    /// The whole game, for clients.
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

    /// The change for clients that know the game up to its first `from` moves.
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

/// The seed of a game, derived from its id so that agents can be reproduced.
fn seed(id: &str) -> u64 {
    // FNV-1a.
    id.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
