//! An interactive game at the terminal: prints the position, reads commands and moves, and lets agents play.

use std::mem;

use game::{ForfeitKind, Seat};
use host::{HostedGame, Marks, Occupant, Status, view::ReportView};
use record::GameRecord;
use search::Stop;

use super::{
    input::{HELP, Input},
    storage::{self, SaveFiles},
};
use crate::{
    agents::SeatSpec,
    colours, failure,
    printer::{Printer, Style},
    words,
};

/// One game at the terminal.
pub(super) struct Session<'a> {
    pub(super) game: Box<dyn HostedGame>,
    /// The record at the start of the session, without the moves played since.
    head: GameRecord,
    /// Descriptions of forced bookkeeping moves that are not printed yet.
    forced_moves: Vec<String>,
    /// Whether the board must be drawn before the next prompt.
    redraw: bool,
    /// The number of moves played when the board was last drawn.
    drawn_ply: usize,
    pub(super) seed: u64,
    pub(super) printer: &'a Printer,
}

/// What to do after a line of input.
pub(super) enum Next {
    /// Prompt again.
    Ask,
    /// The position has changed.
    Moved,
    /// End the session.
    Leave,
    /// Continue with another game.
    Load(Box<GameRecord>),
}

impl<'a> Session<'a> {
    /// Opens the game of a record, which may be unfinished. Players that are not agents are people.
    pub(super) fn new(head: GameRecord, seed: u64, printer: &'a Printer) -> anyhow::Result<Self> {
        let mut game = host::open_record(&head)?;
        let occupant = |player: &String| player.parse().unwrap_or(SeatSpec::Human).occupant(game.venue());
        let occupants = head.players.iter().map(occupant).collect::<Result<_, _>>()?;
        game.take_seats(occupants, seed)?;
        let drawn_ply = game.plies().len();
        Ok(Self { game, head, forced_moves: Vec::new(), redraw: true, drawn_ply, seed, printer })
    }

    /// Plays until the user leaves. Returns the record to continue with if the user loads another game.
    pub(super) fn run(mut self, save_files: &mut SaveFiles) -> anyhow::Result<Option<GameRecord>> {
        self.greet()?;
        let people = self.game.participants().iter().any(Occupant::is_human);
        loop {
            if !self.is_playing() && !people {
                self.print_forced_moves()?;
                self.print_position()?;
                self.farewell(save_files)?;
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
            self.print_forced_moves()?;
            save_files.autosave(&self.record())?;
            if mem::take(&mut self.redraw) {
                self.print_position()?;
            }
            match self.ask(save_files)? {
                Next::Ask => {}
                Next::Moved => self.redraw = true,
                Next::Load(record) => return Ok(Some(*record)),
                Next::Leave => {
                    self.farewell(save_files)?;
                    return Ok(None);
                }
            }
        }
    }

    /// Whether the game accepts moves. Even if not, players may still change their agreement on dead stones.
    pub(super) fn is_playing(&self) -> bool {
        self.game.status() == Status::Playing
    }

    /// The record of the game so far. Players who leave after the last move accept the proposed result.
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
            if let Some(net) = occupant.player().and_then(|player| player.net.as_ref()) {
                printer.line(format!("{occupant} plays with the net {}", net.id()))?;
            }
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

    fn farewell(&self, save_files: &mut SaveFiles) -> anyhow::Result<()> {
        if let Some(path) = save_files.autosave(&self.record())? {
            let path = path.display();
            self.printer
                .line(format!("The game is saved in {path}: riftlab play --load {path} resumes it."))?;
        }
        Ok(())
    }

    /// The name of the player of a seat, as shown to people.
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

    /// Plays a forced move. Bookkeeping moves are collected and printed on one line, any other on a line of its own.
    fn play_forced(&mut self) -> anyhow::Result<()> {
        let bookkeeping = self.game.forced_move().is_some_and(|only| self.game.is_bookkeeping(only));
        if !bookkeeping {
            self.print_forced_moves()?;
        }
        let turns = self.game.turns_taken();
        let Some(ply) = self.game.play_forced().cloned() else { return Ok(()) };
        let seat = Seat::new(ply.seat - 1);
        if bookkeeping {
            self.forced_moves.push(ply.words);
        } else {
            let spelled = host::spelled(&ply.text, &ply.words);
            let line = format!("  {}  {spelled}, the only move", self.label(seat));
            self.printer.line(line)?;
        }
        self.redraw = true;
        if self.game.turns_taken() != turns {
            self.print_forced_moves_of(seat)?;
        }
        Ok(())
    }

    fn print_forced_moves(&mut self) -> anyhow::Result<()> {
        let last = self.game.plies().last().map(|ply| Seat::new(ply.seat - 1));
        self.game.to_move().or(last).map_or(Ok(()), |seat| self.print_forced_moves_of(seat))
    }

    fn print_forced_moves_of(&mut self, seat: Seat) -> anyhow::Result<()> {
        if !self.forced_moves.is_empty() {
            let text = format!("  {}  {}", self.game.seat_name(seat), self.forced_moves.join(", "));
            self.printer.line(self.printer.paint(Style::Dim, &text))?;
            self.forced_moves.clear();
        }
        Ok(())
    }

    fn play_agent(&mut self) -> anyhow::Result<()> {
        self.print_forced_moves()?;
        let Some((seat, mut thinker)) = self.game.to_move().zip(self.game.thinker()) else { return Ok(()) };
        let spinner = self.printer.spinner(format!("{} is thinking", self.game.seat_name(seat)));
        let limits = thinker.player().limits();
        let report = thinker.think(&limits, 0, &Stop::default(), &mut |_| ());
        spinner.finish_and_clear();
        self.redraw = true;
        if let Some(forfeit) = &report.forfeit {
            self.printer.line(format!("  {}  forfeits: {}", self.label(seat), forfeit.message))?;
            self.game.forfeit(forfeit.kind);
            return Ok(());
        }
        let ply = self.game.play_report(&report)?.clone();
        let thoughts = self.printer.paint(Style::Dim, &thoughts(&report));
        let remark = host::remark(&ply.text, &ply.words);
        self.printer.line(format!("  {}  {:10}  {remark}{thoughts}", self.label(seat), ply.text))?;
        Ok(())
    }

    fn print_position(&mut self) -> anyhow::Result<()> {
        let (game, printer) = (&self.game, self.printer);
        let marks = Marks { changed: game.changed_since(self.drawn_ply), ..Marks::default() };
        self.drawn_ply = game.plies().len();
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

    fn ask(&mut self, save_files: &mut SaveFiles) -> anyhow::Result<Next> {
        let over = || "over (undo, save, quit)".to_owned();
        let prompt = self.game.to_move().map_or_else(over, |seat| self.label(seat));
        self.printer.prompt(format!("{prompt}> "))?;
        let Some(line) = self.printer.read_line()? else {
            self.printer.line("")?;
            return Ok(Next::Leave);
        };
        if !self.printer.is_interactive() {
            // Echo the input, so that a transcript of piped input is complete.
            self.printer.line(line.trim_end())?;
        }
        let input = match Input::parse(&line) {
            Ok(input) => input,
            Err(fault) => {
                self.printer.line(fault)?;
                return Ok(Next::Ask);
            }
        };
        self.answer(input, save_files)
    }

    fn answer(&mut self, input: Input, save_files: &mut SaveFiles) -> anyhow::Result<Next> {
        let printer = self.printer;
        match input {
            Input::Nothing => {}
            Input::Help => printer.line(format!("{}\n\n{HELP}", self.game.notation_help()))?,
            Input::Quit => return Ok(Next::Leave),
            Input::Board => self.print_position()?,
            Input::Position => printer.line(self.game.text())?,
            Input::Moves(prefix) => self.list(&prefix)?,
            Input::Hint | Input::Resign if !self.is_playing() => printer.line("The game is over.")?,
            Input::Hint => self.hint()?,
            Input::Undo if self.undo() => {
                self.forced_moves.clear();
                self.drawn_ply = self.game.plies().len();
                printer.line("Move taken back.")?;
                return Ok(Next::Moved);
            }
            Input::Undo => printer.line("There is nothing to take back.")?,
            Input::Resign => {
                self.game.forfeit(ForfeitKind::Resignation);
                return Ok(Next::Moved);
            }
            Input::Score => {
                let result = self.game.provisional_result();
                let words = result.map(|result| self.game.result_view(&result).words);
                let count = words.or_else(|| self.game.count());
                printer.line(count.unwrap_or_else(|| {
                    "This game has no score to count. Type board for the standings.".to_owned()
                }))?;
            }
            Input::Dead(place) => match self.game.toggle_dead(&place) {
                Ok(()) => return Ok(Next::Moved),
                Err(error) => printer.line(format!("{}.", host::capitalised(&error.to_string())))?,
            },
            Input::Save(path) => match save_files.save(path, &self.record()) {
                Ok(path) => printer.line(format!("Saved in {}.", path.display()))?,
                Err(error) => failure::report(&error, printer),
            },
            Input::Load(path) => {
                match storage::load(&path).and_then(|record| verify(&record).map(|()| record)) {
                    Ok(record) => {
                        save_files.autosave(&self.record())?;
                        save_files.switch_to(&path)?;
                        return Ok(Next::Load(Box::new(record)));
                    }
                    Err(error) => failure::report(&error, printer),
                }
            }
            Input::Move(text) => return self.try_move(&text),
        }
        Ok(Next::Ask)
    }

    /// Goes back to the last decision of a person. A forced move is not a decision, even if a loaded record says so.
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

/// Checks that a loaded record replays.
fn verify(record: &GameRecord) -> anyhow::Result<()> {
    record.replay()?;
    Ok(())
}

fn thoughts(report: &ReportView) -> String {
    let value = report.values.as_ref().and_then(|values| values.get(report.seat - 1));
    let Some(value) = value else { return String::new() };
    let (nodes, seconds) = (report.nodes, report.ms / 1000.0);
    format!("  ({nodes} nodes in {seconds:.1} s, expects {})", words::chance(*value))
}
