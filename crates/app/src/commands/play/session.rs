//! The dialogue between a game and the people who play it.

use std::mem;

use game::{ForfeitKind, Seat};
use host::{HostedGame, Marks, Occupant, Status, view::ReportView};
use record::GameRecord;
use search::Stop;

use super::{
    input::{HELP, Input},
    storage::{self, Keeper},
};
use crate::{
    agents::Who,
    colours, failure,
    printer::{Printer, Style},
    words,
};

/// One game at the terminal.
pub(super) struct Session<'a> {
    pub(super) game: Box<dyn HostedGame>,
    /// The record as it was when the session began, to be filled with the moves.
    head: GameRecord,
    /// Forced steps not yet told.
    asides: Vec<String>,
    /// The board is to be drawn before the next question.
    stale: bool,
    /// How many moves had been played when the board was last drawn.
    drawn: usize,
    pub(super) seed: u64,
    pub(super) printer: &'a Printer,
}

/// What follows a line that a person typed.
pub(super) enum Next {
    /// The same question again.
    Ask,
    /// The position is another one.
    Moved,
    Leave,
    Load(Box<GameRecord>),
}

impl<'a> Session<'a> {
    /// The game of a record, which may be under way. Players that are no agents are taken for people.
    pub(super) fn new(head: GameRecord, seed: u64, printer: &'a Printer) -> anyhow::Result<Self> {
        let mut game = host::open_record(&head)?;
        let occupant = |player: &String| player.parse().unwrap_or(Who::Human).occupant(game.venue());
        let occupants = head.players.iter().map(occupant).collect::<Result<_, _>>()?;
        game.take_seats(occupants, seed)?;
        let drawn = game.plies().len();
        Ok(Self { game, head, asides: Vec::new(), stale: true, drawn, seed, printer })
    }

    /// Plays until somebody leaves; a game to play instead is handed back.
    pub(super) fn run(mut self, keeper: &mut Keeper) -> anyhow::Result<Option<GameRecord>> {
        self.greet()?;
        let people = self.game.participants().iter().any(Occupant::is_human);
        loop {
            if !self.is_playing() && !people {
                self.tell_asides()?;
                self.tell_position()?;
                self.farewell(keeper)?;
                return Ok(None);
            }
            if self.game.forced_move().is_some() {
                self.play_forced()?;
                continue;
            }
            if self.game.agent_to_move().is_some() {
                self.play_agent()?;
                continue;
            }
            self.tell_asides()?;
            keeper.autosave(&self.record())?;
            if mem::take(&mut self.stale) {
                self.tell_position()?;
            }
            match self.ask(keeper)? {
                Next::Ask => {}
                Next::Moved => self.stale = true,
                Next::Load(record) => return Ok(Some(*record)),
                Next::Leave => {
                    self.farewell(keeper)?;
                    return Ok(None);
                }
            }
        }
    }

    /// Whether moves are being played. What is agreed on after the last move can still change.
    pub(super) fn is_playing(&self) -> bool {
        self.game.status() == Status::Playing
    }

    /// The record of the game as it stands; players who stop after the last move accept the result as it is proposed.
    fn record(&self) -> GameRecord {
        let played = self.game.record(&self.head.id, Vec::new());
        GameRecord {
            players: self.game.participants().iter().map(Occupant::to_string).collect(),
            moves: played.moves,
            stats: played.stats,
            result: self.game.provisional_result(),
            ..self.head.clone()
        }
    }

    fn greet(&self) -> anyhow::Result<()> {
        let printer = self.printer;
        printer.line(printer.paint(Style::Bold, &self.game.title()))?;
        for occupant in self.game.participants() {
            if let Some(fallback) = occupant.player().and_then(|player| player.fallback.as_ref()) {
                printer.line(format!("{occupant}: {fallback}"))?;
            }
        }
        if self.game.participants().iter().any(Occupant::is_human) {
            printer.line(self.game.legend())?;
            printer.line("Type a move, or: moves, hint, undo, help, quit.")?;
        }
        Ok(())
    }

    fn farewell(&self, keeper: &mut Keeper) -> anyhow::Result<()> {
        if let Some(path) = keeper.autosave(&self.record())? {
            let path = path.display();
            self.printer
                .line(format!("The game is in {path}: riftlab play --load {path} goes on with it."))?;
        }
        Ok(())
    }

    /// Who plays a seat, for people.
    fn name(&self, seat: Seat) -> String {
        let people = self.game.people().len();
        match self.game.occupant(seat) {
            Some(Occupant::Human) if people == 1 => "you".to_owned(),
            occupant => occupant.map(Occupant::to_string).unwrap_or_default(),
        }
    }

    pub(super) fn label(&self, seat: Seat) -> String {
        colours::in_colour(seat, &self.game.seat_name(seat), self.printer)
    }

    /// Steps without a choice: bookkeeping goes into one line, anything else is told in full.
    fn play_forced(&mut self) -> anyhow::Result<()> {
        let bookkeeping = self.game.forced_move().is_some_and(|only| self.game.is_bookkeeping(only));
        if !bookkeeping {
            self.tell_asides()?;
        }
        let turns = self.game.turns_taken();
        let Some(ply) = self.game.play_forced().cloned() else { return Ok(()) };
        let seat = Seat::new(ply.seat - 1);
        if bookkeeping {
            self.asides.push(ply.words);
        } else {
            let line = format!("  {}  {}  {}, the only move", self.label(seat), ply.text, ply.words);
            self.printer.line(line)?;
        }
        self.stale = true;
        if self.game.turns_taken() != turns {
            self.tell_asides_of(seat)?;
        }
        Ok(())
    }

    fn tell_asides(&mut self) -> anyhow::Result<()> {
        let last = self.game.plies().last().map(|ply| Seat::new(ply.seat - 1));
        self.game.to_move().or(last).map_or(Ok(()), |seat| self.tell_asides_of(seat))
    }

    fn tell_asides_of(&mut self, seat: Seat) -> anyhow::Result<()> {
        if !self.asides.is_empty() {
            let text = format!("  {}  {}", self.game.seat_name(seat), self.asides.join(", "));
            self.printer.line(self.printer.paint(Style::Dim, &text))?;
            self.asides.clear();
        }
        Ok(())
    }

    fn play_agent(&mut self) -> anyhow::Result<()> {
        self.tell_asides()?;
        let Some((seat, mut thinker)) = self.game.to_move().zip(self.game.thinker()) else { return Ok(()) };
        let spinner = self.printer.spinner(format!("{} is thinking", self.game.seat_name(seat)));
        let limits = thinker.player().limits();
        let report = thinker.think(&limits, 0, &Stop::default(), &mut |_| ());
        spinner.finish_and_clear();
        self.stale = true;
        if let Some(forfeit) = &report.forfeit {
            self.printer.line(format!("  {}  gives up: {}", self.label(seat), forfeit.message))?;
            self.game.forfeit(forfeit.kind);
            return Ok(());
        }
        let ply = self.game.play_report(&report)?.clone();
        let thoughts = self.printer.paint(Style::Dim, &thoughts(&report));
        self.printer.line(format!("  {}  {:10}  {}{thoughts}", self.label(seat), ply.text, ply.words))?;
        Ok(())
    }

    fn tell_position(&mut self) -> anyhow::Result<()> {
        let (game, printer) = (&self.game, self.printer);
        let marks = Marks { changed: game.changed_since(self.drawn), ..Marks::default() };
        self.drawn = game.plies().len();
        let painter = colours::painter(printer);
        printer.line("")?;
        printer.line(game.drawing(&marks, painter))?;
        let names: Vec<String> = Seat::all(game.seats()).map(|seat| self.name(seat)).collect();
        printer.line(game.standing(&names, painter))?;
        if let Some(result) = game.provisional_result() {
            printer.line(printer.paint(Style::Bold, &game.result_view(&result).words))?;
            if game.seats() > 2 {
                printer.line(words::ranking(&result.ranking))?;
            }
        } else {
            printer.paragraph(&game.prompt(true))?;
        }
        Ok(())
    }

    fn ask(&mut self, keeper: &mut Keeper) -> anyhow::Result<Next> {
        let over = || "over (undo, save, quit)".to_owned();
        let prompt = self.game.to_move().map_or_else(over, |seat| self.label(seat));
        self.printer.prompt(format!("{prompt}> "))?;
        let Some(line) = self.printer.read_line()? else {
            self.printer.line("")?;
            return Ok(Next::Leave);
        };
        if !self.printer.is_interactive() {
            // Without an echo of the keyboard a transcript would not show what was typed.
            self.printer.line(line.trim_end())?;
        }
        let input = match Input::parse(&line) {
            Ok(input) => input,
            Err(fault) => {
                self.printer.line(fault)?;
                return Ok(Next::Ask);
            }
        };
        self.answer(input, keeper)
    }

    fn answer(&mut self, input: Input, keeper: &mut Keeper) -> anyhow::Result<Next> {
        let printer = self.printer;
        match input {
            Input::Nothing => {}
            Input::Help => printer.line(format!("{}\n\n{HELP}", self.game.notation_help()))?,
            Input::Quit => return Ok(Next::Leave),
            Input::Board => self.tell_position()?,
            Input::Position => printer.line(self.game.text())?,
            Input::Moves(prefix) => self.list(&prefix)?,
            Input::Hint | Input::Resign if !self.is_playing() => printer.line("The game is over.")?,
            Input::Hint => self.hint()?,
            Input::Undo if self.undo() => {
                self.asides.clear();
                self.drawn = self.game.plies().len();
                printer.line("Taken back.")?;
                return Ok(Next::Moved);
            }
            Input::Undo => printer.line("There is nothing to take back.")?,
            Input::Resign => {
                self.game.forfeit(ForfeitKind::Resignation);
                return Ok(Next::Moved);
            }
            Input::Score => {
                let result = self.game.provisional_result();
                let told = result.map(|result| self.game.result_view(&result).words);
                let count = told.or_else(|| self.game.count());
                printer
                    .line(count.unwrap_or_else(|| {
                        "This game is not counted: board shows how it stands.".to_owned()
                    }))?;
            }
            Input::Dead(place) => match self.game.toggle_dead(&place) {
                Ok(()) => return Ok(Next::Moved),
                Err(error) => printer.line(format!("{}.", host::capitalised(&error.to_string())))?,
            },
            Input::Save(path) => match keeper.save(path, &self.record()) {
                Ok(path) => printer.line(format!("Saved in {}.", path.display()))?,
                Err(error) => failure::report(&error, printer),
            },
            Input::Load(path) => {
                match storage::load(&path).and_then(|record| playable(&record).map(|()| record)) {
                    Ok(record) => {
                        keeper.autosave(&self.record())?;
                        keeper.follow(&path)?;
                        return Ok(Next::Load(Box::new(record)));
                    }
                    Err(error) => failure::report(&error, printer),
                }
            }
            Input::Move(text) => return self.try_move(&text),
        }
        Ok(Next::Ask)
    }

    /// Goes back to the last decision of a person. A move without an alternative was none, whatever a loaded record says.
    fn undo(&mut self) -> bool {
        let mut undone = false;
        while self.game.undo_decision() {
            undone = true;
            if self.game.forced_move().is_none() {
                break;
            }
        }
        undone
    }
}

/// Whether a loaded record can be played on.
fn playable(record: &GameRecord) -> anyhow::Result<()> {
    record.replay()?;
    Ok(())
}

fn thoughts(report: &ReportView) -> String {
    let value = report.values.as_ref().and_then(|values| values.get(report.seat - 1));
    let Some(value) = value else { return String::new() };
    let (nodes, seconds) = (report.nodes, report.ms / 1000.0);
    format!("  ({nodes} nodes in {seconds:.1} s, expects {})", words::chance(*value))
}
