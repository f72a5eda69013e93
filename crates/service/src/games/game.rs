//! One game that the service keeps: who sits where, what was played, what comes next.

use ladder::Player;
use record::{GameRecord, PlyStats};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::seat::{self, SeatView};
use crate::{
    Refusal, Setup,
    shown::Agreement,
    table::{self, Table},
    view::{ReportView, ResultView, View},
};

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

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Moves are being played.
    Playing,
    /// All moves are played; what is dead has to be agreed on.
    Scoring,
    /// It is over.
    Over,
}

/// A move of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Entry {
    /// Who played it.
    pub seat: usize,
    /// In the notation of the game.
    pub text: String,
    /// What it did, to follow the name of a seat.
    pub words: String,
    /// Whether it is a mere note that there was nothing to choose.
    pub auto: bool,
    /// Whether a person chose it.
    #[serde(default)]
    pub human: bool,
    /// What each seat could expect, as the agent that played it saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<f64>>,
}

/// What else changes while a game is played.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// Agents wait.
    pub paused: bool,
    /// How long a decision of an agent takes at least.
    pub delay_ms: u64,
    /// Who wants to give up as soon as it is that seat's turn.
    pub resigning: Option<usize>,
    /// Who gave up.
    pub resigned: bool,
    /// What both agree on, or are asked to.
    pub agreement: Agreement,
    /// Whether they do.
    pub agreed: bool,
}

/// A game in the memory of the service.
pub struct Game {
    /// Its name.
    pub id: String,
    /// When it was begun.
    pub created: String,
    /// What it was begun with.
    pub begun: NewGame,
    /// Everything that was played, notes included.
    pub moves: Vec<Entry>,
    /// What else there is to keep.
    pub progress: Progress,
    pub(super) table: Box<dyn Table>,
    /// Who sits where now, which a pie rule may have changed.
    pub(super) seats: Vec<seat::Occupant>,
    /// What the agent to move has found so far.
    pub(super) thinking: Option<ReportView>,
    /// Rises whenever what an agent thinks about is no longer what is on the table.
    pub(super) generation: u64,
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
    pub moves: Vec<Entry>,
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
    /// Whether a move of a person can be taken back.
    pub can_undo: bool,
    /// Stones that count as dead.
    pub dead: Vec<String>,
}

impl GameView {
    /// The same as JSON, behind what is on `paper`.
    pub(super) fn to_json(&self, mut paper: Vec<u8>) -> Vec<u8> {
        serde_json::to_writer(&mut paper, self).expect("names, numbers and texts make JSON");
        paper
    }
}

impl Game {
    /// A game that is about to begin, with the moves it begins with.
    ///
    /// # Errors
    /// If the setup, a seat or a move makes no sense.
    pub fn new(id: String, created: String, begun: NewGame) -> Result<Self, Refusal> {
        let table = table::open(begun.setup.as_ref(), begun.start.as_deref())?;
        let (given, wanted) = (begun.seats.len(), table.config().seats());
        if given != wanted {
            return Err(Refusal::input(format!("{given} entries in seats: expected {wanted}, one a seat")));
        }
        let seats = begun.seats.iter().map(|text| seat::Occupant::parse(text, table.venue()));
        let seats = seats.collect::<Result<Vec<_>, Refusal>>()?;
        let progress = Progress { paused: begun.paused, delay_ms: begun.delay_ms, ..Progress::default() };
        let moves = begun.moves.clone();
        let mut game = Self {
            id,
            created,
            begun,
            moves: Vec::new(),
            progress,
            table,
            seats,
            thinking: None,
            generation: 0,
            steps: 0,
        };
        for (index, text) in moves.iter().enumerate() {
            let numbered = |refusal: Refusal| Refusal::input(format!("move {}: {refusal}", index + 1));
            // Records hold notes, people leave them out: both are understood.
            while let Some(note) = game.table.note().filter(|note| note != text) {
                game.enter(&note, None).map_err(numbered)?;
            }
            game.enter(text, None).map_err(numbered)?;
        }
        Ok(game)
    }

    /// The same game with other moves, as kept in a file or after some were taken back.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn with_moves(&self, moves: Vec<Entry>) -> Result<Self, Refusal> {
        let begun = NewGame { moves: Vec::new(), ..self.begun.clone() };
        let mut game = Self::new(self.id.clone(), self.created.clone(), begun)?;
        game.begun = self.begun.clone();
        for entry in moves {
            let played = game.table.play(&entry.text)?;
            if played.swapped {
                game.seats.swap(0, 1);
            }
            game.moves.push(entry);
        }
        game.progress = self.progress.clone();
        game.generation = self.generation + 1;
        Ok(game)
    }

    /// Plays a move of whoever is to move, and what leaves no choice after it; `found` is what an agent saw.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play(&mut self, text: &str, found: Option<&ReportView>) -> Result<(), Refusal> {
        self.enter(text, found)?;
        self.settle();
        Ok(())
    }

    fn enter(&mut self, text: &str, found: Option<&ReportView>) -> Result<(), Refusal> {
        if self.status() != Status::Playing {
            return Err(Refusal::conflict("the game is over"));
        }
        let auto = self.table.note().is_some();
        let human = self.agent().is_none();
        let played = self.table.play(text)?;
        if played.swapped {
            self.seats.swap(0, 1);
        }
        let values = found.and_then(|found| found.values.clone());
        let (seat, text, words) = (played.seat, played.text, played.words);
        self.moves.push(Entry { seat, text, words, auto, human: human && !auto, values });
        self.generation += 1;
        self.thinking = None;
        if self.status() == Status::Scoring {
            // Agents have nobody to agree with: they play on until the board shows it.
            self.progress.agreed = self.seats.iter().all(|seat| !seat.is_human());
            if !self.progress.agreed {
                self.progress.agreement = self.table.proposal();
            }
        }
        Ok(())
    }

    /// Plays what leaves no choice, and lets a seat that wants to give up do so.
    pub(super) fn settle(&mut self) {
        if self.progress.resigning.is_some() && self.progress.resigning == self.table.to_move() {
            self.progress.resigned = true;
            self.progress.resigning = None;
        }
        if let Some(note) = self.table.note().filter(|_| self.status() == Status::Playing) {
            // A note is always legal: there is nothing else.
            let _ = self.play(&note, None);
        }
    }

    /// How far it is.
    pub fn status(&self) -> Status {
        if self.progress.resigned {
            Status::Over
        } else if self.table.to_move().is_some() {
            Status::Playing
        } else if self.table.wants_agreement() && !self.progress.agreed {
            Status::Scoring
        } else {
            Status::Over
        }
    }

    /// The agent whose move it is, if it is an agent's.
    pub(super) fn agent(&self) -> Option<&Player> {
        let seat = self.table.to_move().filter(|_| !self.progress.resigned)?;
        self.seats[seat - 1].player()
    }

    /// How it ended.
    pub fn result(&self) -> Option<ResultView> {
        match self.status() {
            Status::Over if self.progress.resigned => self.table.resigned(),
            Status::Over if self.table.wants_agreement() => {
                self.table.counted(&self.progress.agreement).map(|(_, result)| result)
            }
            Status::Over => self.table.ending(),
            Status::Playing | Status::Scoring => None,
        }
    }

    /// Takes back everything since the last decision of a person, that one included.
    ///
    /// # Errors
    /// If no person has decided anything.
    pub fn undone(&self) -> Result<Self, Refusal> {
        let last = self.moves.iter().rposition(|entry| entry.human);
        let last = last.ok_or_else(|| Refusal::conflict("there is no move to take back"))?;
        let mut game = self.with_moves(self.moves[..last].to_vec())?;
        let Progress { paused, delay_ms, .. } = game.progress;
        game.progress = Progress { paused, delay_ms, ..Progress::default() };
        Ok(game)
    }

    /// Whether there is something to take back.
    pub fn can_undo(&self) -> bool {
        self.moves.iter().any(|entry| entry.human)
    }

    /// The seats of the people at the screen.
    pub fn people(&self) -> Vec<usize> {
        (1..).zip(&self.seats).filter(|(_, seat)| seat.is_human()).map(|(number, _)| number).collect()
    }

    /// The game as it is kept and handed on.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn record(&self) -> Result<GameRecord, Refusal> {
        let start = table::open(self.begun.setup.as_ref(), self.begun.start.as_deref())?;
        let mut record = start.record(&self.id, self.begun.seats.clone());
        record.time = Some(self.created.clone());
        record.moves = self.moves.iter().map(|entry| entry.text.clone()).collect();
        let found = (0..).zip(&self.moves).filter_map(|(ply, entry)| {
            let value = entry.values.as_ref()?.iter().map(|&value| value as f32).collect();
            Some(PlyStats { ply, value, ..PlyStats::default() })
        });
        record.stats = found.collect();
        if self.status() == Status::Over {
            self.table.conclude(&mut record, self.progress.resigned, &self.progress.agreement);
        }
        Ok(record)
    }

    /// How it stands, for a page.
    pub fn view(&self) -> View {
        let mut view = self.table.view(self.moves.len());
        let status = self.status();
        view.result = self.result();
        if status != Status::Playing {
            (view.moves, view.to_move) = (Vec::new(), None);
            if let Some(result) = &view.result {
                view.prompt.clone_from(&result.words);
            }
        }
        if self.table.wants_agreement() && !self.progress.resigned {
            view.score = self.table.counted(&self.progress.agreement).map(|(score, _)| score);
        }
        if status == Status::Scoring {
            "Click stones that are dead, then accept the score.".clone_into(&mut view.prompt);
        }
        view
    }

    /// Everything, for a page.
    pub fn to_view(&self) -> GameView {
        let view = self.view();
        GameView {
            id: self.id.clone(),
            created: self.created.clone(),
            setup: view.setup.clone(),
            status: self.status(),
            seats: (1..).zip(&self.seats).map(|(number, seat)| seat.view(number)).collect(),
            ply: self.moves.len(),
            moves: self.moves.clone(),
            start: self.begun.start.clone(),
            view,
            thinking: self.thinking.clone(),
            paused: self.progress.paused,
            delay_ms: self.progress.delay_ms,
            can_undo: self.can_undo(),
            dead: self.progress.agreement.dead.clone(),
        }
    }
}
