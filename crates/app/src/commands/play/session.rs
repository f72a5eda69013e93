//! The dialogue between the table and the people at it.

use game::{Game, Notation, Seat, Setup};
use record::{GameRecord, PlyStats};
use ringrift::{Geometry, Illegal, Move, Position};
use search::Report;

use super::{
    input::{HELP, Input},
    log::Log,
    storage::{self, Keeper},
};
use crate::{
    agents::{Seated, Who},
    carets, failure, move_list,
    printer::{Printer, Style},
    sketch::{self, Marks},
    words,
};

/// One game at the terminal.
pub(super) struct Session<'a, B: Geometry> {
    log: Log<B>,
    /// The agents, by participant; people have none.
    agents: Vec<Option<Seated<Position<B>>>>,
    /// Forced steps not yet told.
    asides: Vec<String>,
    /// The board is to be drawn before the next question.
    stale: bool,
    seed: u64,
    printer: &'a Printer,
}

/// What follows a line that a person typed.
enum Next {
    /// The same question again.
    Ask,
    /// The position is another one.
    Moved,
    Leave,
    Load(Box<GameRecord>),
}

impl<'a, B: Geometry> Session<'a, B> {
    pub(super) fn new(record: &GameRecord, seed: u64, printer: &'a Printer) -> anyhow::Result<Self> {
        let log = Log::<B>::new(record)?;
        let seeds = (1..).map(|participant| seed.wrapping_add(participant));
        let seat = |(who, seed): (&Who, u64)| match who {
            Who::Human => Ok(None),
            Who::Agent(spec) => Seated::new(spec, log.position(), seed).map(Some),
        };
        let agents = log.specs().iter().zip(seeds).map(seat).collect::<Result<_, _>>()?;
        Ok(Self { log, agents, asides: Vec::new(), stale: true, seed, printer })
    }

    /// Plays until somebody leaves; a game to go on with instead is handed back.
    pub(super) fn run(mut self, keeper: &mut Keeper) -> anyhow::Result<Option<GameRecord>> {
        self.greet()?;
        let people = self.log.specs().contains(&Who::Human);
        let mut moves = Vec::new();
        loop {
            self.log.position().legal_moves(&mut moves);
            let seat = self.log.position().to_move();
            match moves[..] {
                [] if !people => {
                    self.tell_asides()?;
                    self.tell_position(&moves)?;
                    self.farewell(keeper)?;
                    return Ok(None);
                }
                [only] => self.play_forced(only)?,
                [_, ..] if !self.log.spec(seat).is_human() => self.play_agent(seat)?,
                _ => {
                    self.tell_asides()?;
                    keeper.autosave(&self.log.record())?;
                    if std::mem::take(&mut self.stale) {
                        self.tell_position(&moves)?;
                    }
                    match self.ask(&moves, keeper)? {
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
        }
    }

    fn greet(&self) -> anyhow::Result<()> {
        let printer = self.printer;
        let swap = if self.log.position().rules().swap { ", with the swap rule" } else { "" };
        let title = format!("RingRift on {}{swap}", B::BOARD);
        printer.line(printer.paint(Style::Bold, &title))?;
        for (who, agent) in self.log.specs().iter().zip(&self.agents) {
            if let Some(fallback) = agent.as_ref().and_then(|agent| agent.fallback.as_ref()) {
                printer.line(format!("{who}: {fallback}"))?;
            }
        }
        if self.log.specs().contains(&Who::Human) {
            printer.line("112 is a stack from bottom to top, *1 a marker, #1 territory of seat 1.")?;
            printer.line("Type a move, or: moves, hint, undo, help, quit.")?;
        }
        Ok(())
    }

    fn farewell(&self, keeper: &mut Keeper) -> anyhow::Result<()> {
        if let Some(path) = keeper.autosave(&self.log.record())? {
            let path = path.display();
            self.printer
                .line(format!("The game is in {path}: riftlab play --load {path} goes on with it."))?;
        }
        Ok(())
    }

    /// Who plays a seat, for people.
    fn name(&self, seat: Seat) -> String {
        let people = self.log.specs().iter().filter(|who| who.is_human()).count();
        match self.log.spec(seat) {
            Who::Human if people == 1 => "you".to_owned(),
            who => who.to_string(),
        }
    }

    fn label(&self, seat: Seat) -> String {
        sketch::in_colour(seat, &format!("seat {seat}"), self.printer)
    }

    /// Steps without a choice: bookkeeping goes into one line, anything else is told in full.
    fn play_forced(&mut self, only: Move) -> anyhow::Result<()> {
        let position = *self.log.position();
        let deed = words::deed(&position, only);
        if only.kind().is_bookkeeping() {
            self.asides.push(deed);
        } else {
            self.tell_asides()?;
            let text = position.move_text(only);
            let seat = position.to_move();
            self.printer.line(format!("  {}  {text}  {deed}, the only move", self.label(seat)))?;
        }
        self.log.play(only, None);
        self.stale = true;
        if self.log.position().turns() != position.turns() {
            let seat = position.to_move();
            self.tell_asides_of(seat)?;
        }
        Ok(())
    }

    fn tell_asides(&mut self) -> anyhow::Result<()> {
        let seat = self.log.position().to_move();
        self.tell_asides_of(seat)
    }

    fn tell_asides_of(&mut self, seat: Seat) -> anyhow::Result<()> {
        if !self.asides.is_empty() {
            let text = format!("  seat {seat}  {}", self.asides.join(", "));
            self.printer.line(self.printer.paint(Style::Dim, &text))?;
            self.asides.clear();
        }
        Ok(())
    }

    fn play_agent(&mut self, seat: Seat) -> anyhow::Result<()> {
        self.tell_asides()?;
        let position = *self.log.position();
        let participant = self.log.participant(seat);
        let spinner = self.printer.spinner(format!("seat {seat} is thinking"));
        let Some(player) = self.agents[participant].as_mut() else { return Ok(()) };
        let report = player.think(&position);
        spinner.finish_and_clear();
        let (text, deed) = (position.move_text(report.best), words::deed(&position, report.best));
        let thoughts = thoughts(&report, seat);
        let thoughts = self.printer.paint(Style::Dim, &thoughts);
        self.printer.line(format!("  {}  {text:10}  {deed}{thoughts}", self.label(seat)))?;
        self.log.play(report.best, stats(&report, position.seats()));
        self.stale = true;
        Ok(())
    }

    fn tell_position(&mut self, moves: &[Move]) -> anyhow::Result<()> {
        let marks = Marks { changed: self.log.take_changed(), ..Marks::default() };
        let position = self.log.position();
        let printer = self.printer;
        printer.line("")?;
        printer.line(sketch::board(position, &marks, printer))?;
        let names: Vec<String> = Seat::all(position.seats()).map(|seat| self.name(seat)).collect();
        printer.line(sketch::standing(position, &names, printer))?;
        if let Some((end, outcome)) = position.end().zip(position.outcome()) {
            printer.line(printer.paint(Style::Bold, &words::ending(end)))?;
            if position.seats() > 2 {
                printer.line(words::ranking(outcome.ranks()))?;
            }
        } else {
            printer.paragraph(&words::choice(position, moves))?;
        }
        Ok(())
    }

    fn ask(&mut self, moves: &[Move], keeper: &mut Keeper) -> anyhow::Result<Next> {
        let seat = self.log.position().to_move();
        let prompt = if moves.is_empty() { "over (undo, save, quit)".to_owned() } else { self.label(seat) };
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
        self.answer(input, moves, keeper)
    }

    fn answer(&mut self, input: Input, moves: &[Move], keeper: &mut Keeper) -> anyhow::Result<Next> {
        let printer = self.printer;
        match input {
            Input::Nothing => {}
            Input::Help => printer.line(HELP)?,
            Input::Quit => return Ok(Next::Leave),
            Input::Board => self.tell_position(moves)?,
            Input::Position => printer.line(self.log.position().to_text())?,
            Input::Moves(prefix) => self.list(moves, &prefix)?,
            Input::Hint | Input::Resign if moves.is_empty() => printer.line("The game is over.")?,
            Input::Hint => self.hint()?,
            Input::Undo if self.log.undo() => {
                self.asides.clear();
                printer.line("Taken back.")?;
                return Ok(Next::Moved);
            }
            Input::Undo => printer.line("There is nothing to take back.")?,
            Input::Resign => {
                self.log.resign();
                return Ok(Next::Moved);
            }
            Input::Save(path) => match keeper.save(path, &self.log.record()) {
                Ok(path) => printer.line(format!("Saved in {}.", path.display()))?,
                Err(error) => failure::report(&error, printer),
            },
            Input::Load(path) => {
                match storage::load(&path).and_then(|record| playable(&record).map(|()| record)) {
                    Ok(record) => {
                        keeper.autosave(&self.log.record())?;
                        keeper.follow(&path)?;
                        return Ok(Next::Load(Box::new(record)));
                    }
                    Err(error) => failure::report(&error, printer),
                }
            }
            Input::Move(text) => return self.try_move(&text, moves),
        }
        Ok(Next::Ask)
    }

    fn try_move(&mut self, text: &str, moves: &[Move]) -> anyhow::Result<Next> {
        let (position, printer) = (*self.log.position(), self.printer);
        if moves.is_empty() {
            printer.line("The game is over: undo takes a move back, quit leaves.")?;
            return Ok(Next::Ask);
        }
        let beginnings: Vec<Move> =
            moves.iter().copied().filter(|&m| position.move_text(m).starts_with(text)).collect();
        let exact = beginnings.iter().copied().find(|&m| position.move_text(m) == text);
        let m = match (exact, &beginnings[..]) {
            (Some(m), _) => m,
            (None, [only]) => *only,
            (None, _) => match position.parse_move(text) {
                Ok(m) if position.is_legal(m) => m,
                Ok(m) => {
                    printer.paragraph(&self.refusal(m, moves))?;
                    return Ok(Next::Ask);
                }
                Err(_) if beginnings.len() > 1 => {
                    printer.line(format!("{} moves start with {text}:", beginnings.len()))?;
                    self.list(moves, text)?;
                    return Ok(Next::Ask);
                }
                Err(_) if !text.contains(|character: char| character.is_ascii_digit()) => {
                    printer.line(format!(
                        "There is no {text:?} here: type moves for what is possible, or help."
                    ))?;
                    return Ok(Next::Ask);
                }
                Err(fault) => {
                    for line in carets::excerpt(text, &fault, |carets| printer.paint(Style::Error, carets)) {
                        printer.line(format!("  {line}"))?;
                    }
                    printer.line("Type moves for what is possible, help for how to write it.")?;
                    return Ok(Next::Ask);
                }
            },
        };
        let deed = words::deed(&position, m);
        let label = self.label(position.to_move());
        printer.line(format!("  {label}  {:10}  {deed}", position.move_text(m)))?;
        self.log.play(m, None);
        Ok(Next::Moved)
    }

    /// Why a move cannot be played, and what could.
    fn refusal(&self, m: Move, moves: &[Move]) -> String {
        let position = self.log.position();
        match position.check(m) {
            // The rules speak of phases; a player wants to know what to do instead.
            Err(Illegal::WrongPhase { .. }) => {
                format!("Not now. {}", words::choice(position, moves))
            }
            Err(reason) => format!("Not possible: {reason}."),
            Ok(()) => String::new(),
        }
    }

    fn list(&self, moves: &[Move], prefix: &str) -> anyhow::Result<()> {
        let position = self.log.position();
        let meant = move_list::matching(position, moves, prefix);
        if meant.is_empty() {
            self.printer.line(format!("No legal move starts with {prefix:?}."))?;
            return Ok(());
        }
        if !prefix.is_empty() {
            let targets = meant.iter().flat_map(|&m| move_list::targets(position, m));
            let marks = Marks { targets: sketch::cells::<B>(targets), ..Marks::default() };
            self.printer.line(sketch::board(position, &marks, self.printer))?;
        }
        for line in move_list::lines(position, &meant) {
            self.printer.line(format!("  {line}"))?;
        }
        Ok(())
    }

    fn hint(&self) -> anyhow::Result<()> {
        let position = *self.log.position();
        let seat = position.to_move();
        let Who::Agent(best) = Who::best(B::BOARD) else { return Ok(()) };
        let mut player = Seated::new(&best, &position, self.seed)?;
        let spinner = self.printer.spinner("looking".to_owned());
        let report = player.think(&position);
        spinner.finish_and_clear();
        self.printer.line(format!("  I would play {}.", words::spelled(&position, report.best)))?;
        let known = report.candidates.iter().filter_map(|candidate| Some((candidate, candidate.values?)));
        for (candidate, values) in known.take(3) {
            let chance = words::chance(values.of(seat));
            let share = format!("{:.0} % of {} nodes", candidate.share * 100.0, report.nodes);
            self.printer
                .line(format!("  {:12} wins {chance:>5}   {share}", position.move_text(candidate.m)))?;
        }
        Ok(())
    }
}

/// Whether a loaded record can be gone on with.
fn playable(record: &GameRecord) -> anyhow::Result<()> {
    record.replay()?;
    Ok(())
}

fn thoughts(report: &Report<Move>, seat: Seat) -> String {
    let Some(values) = report.values else { return String::new() };
    format!(
        "  ({} nodes in {:.1} s, expects {})",
        report.nodes,
        report.time.as_secs_f64(),
        words::chance(values.of(seat))
    )
}

fn stats(report: &Report<Move>, seats: usize) -> Option<PlyStats> {
    let values = report.values?;
    Some(PlyStats {
        value: values.0[..seats].to_vec(),
        visits: Some(report.nodes),
        time_ms: Some(report.time.as_millis() as u64),
        ..PlyStats::default()
    })
}
