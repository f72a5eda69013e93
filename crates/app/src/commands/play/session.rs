//! The dialogue between the table and the people at it.

use game::{ForfeitKind, Seat};
use record::{GameRecord, PlyStats};
use search::Report;

use super::{
    input::{HELP, Input},
    log::Log,
    storage::{self, Keeper},
};
use crate::{
    agents::{self, Seated, Who},
    carets, failure,
    hosted::{self, Hosted, Marks},
    printer::{Printer, Style},
    words,
};

/// One game at the terminal.
pub(super) struct Session<'a, P: Hosted> {
    log: Log<P>,
    /// The agents, by participant; people have none.
    agents: Vec<Option<Seated<P>>>,
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

impl<'a, P: Hosted> Session<'a, P> {
    pub(super) fn new(record: &GameRecord, seed: u64, printer: &'a Printer) -> anyhow::Result<Self> {
        let log = Log::<P>::new(record)?;
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
            if self.log.result().is_some() {
                moves.clear();
            }
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
        printer.line(printer.paint(Style::Bold, &self.log.position().title()))?;
        for (who, agent) in self.log.specs().iter().zip(&self.agents) {
            if let Some(fallback) = agent.as_ref().and_then(|agent| agent.fallback.as_ref()) {
                printer.line(format!("{who}: {fallback}"))?;
            }
        }
        if self.log.specs().contains(&Who::Human) {
            printer.line(P::LEGEND)?;
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
        hosted::in_colour(seat, &P::seat_name(seat), self.printer)
    }

    /// Steps without a choice: bookkeeping goes into one line, anything else is told in full.
    fn play_forced(&mut self, only: P::Move) -> anyhow::Result<()> {
        let position = self.log.position().clone();
        let deed = position.deed(only);
        if P::is_bookkeeping(only) {
            self.asides.push(deed);
        } else {
            self.tell_asides()?;
            let text = position.move_text(only);
            let seat = position.to_move();
            self.printer.line(format!("  {}  {text}  {deed}, the only move", self.label(seat)))?;
        }
        self.log.play(only, None);
        self.stale = true;
        if self.log.position().turns_taken() != position.turns_taken() {
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
            let text = format!("  {}  {}", P::seat_name(seat), self.asides.join(", "));
            self.printer.line(self.printer.paint(Style::Dim, &text))?;
            self.asides.clear();
        }
        Ok(())
    }

    fn play_agent(&mut self, seat: Seat) -> anyhow::Result<()> {
        self.tell_asides()?;
        let position = self.log.position().clone();
        let participant = self.log.participant(seat);
        let spinner = self.printer.spinner(format!("{} is thinking", P::seat_name(seat)));
        let Some(player) = self.agents[participant].as_mut() else { return Ok(()) };
        let report = player.think(&position);
        spinner.finish_and_clear();
        if let Some(forfeit) = &report.forfeit {
            self.printer.line(format!("  {}  gives up: {}", self.label(seat), forfeit.message))?;
            self.log.forfeit(forfeit.kind);
            self.stale = true;
            return Ok(());
        }
        let (text, deed) = (position.move_text(report.best), position.deed(report.best));
        let thoughts = thoughts(&report, seat);
        let thoughts = self.printer.paint(Style::Dim, &thoughts);
        self.printer.line(format!("  {}  {text:10}  {deed}{thoughts}", self.label(seat)))?;
        self.log.play(report.best, stats(&report, position.seats()));
        self.stale = true;
        Ok(())
    }

    fn tell_position(&mut self, moves: &[P::Move]) -> anyhow::Result<()> {
        let marks = Marks { changed: self.log.take_changed(), ..Marks::default() };
        let position = self.log.position();
        let printer = self.printer;
        printer.line("")?;
        printer.line(position.drawing(&marks, printer))?;
        let names: Vec<String> = Seat::all(position.seats()).map(|seat| self.name(seat)).collect();
        printer.line(position.standing(self.log.result().is_some(), &names, printer))?;
        if let Some(result) = self.log.result() {
            printer.line(printer.paint(Style::Bold, &position.ending(result)))?;
            if position.seats() > 2 {
                printer.line(words::ranking(&result.ranking))?;
            }
        } else {
            printer.paragraph(&position.choice(moves))?;
        }
        Ok(())
    }

    fn ask(&mut self, moves: &[P::Move], keeper: &mut Keeper) -> anyhow::Result<Next> {
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

    fn answer(&mut self, input: Input, moves: &[P::Move], keeper: &mut Keeper) -> anyhow::Result<Next> {
        let printer = self.printer;
        match input {
            Input::Nothing => {}
            Input::Help => printer.line(format!("{}\n\n{HELP}", P::HELP))?,
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
                self.log.forfeit(ForfeitKind::Resignation);
                return Ok(Next::Moved);
            }
            Input::Score => {
                let told = self.log.result().map(|result| self.log.position().ending(result));
                let count = told.or_else(|| self.log.position().count());
                printer
                    .line(count.unwrap_or_else(|| {
                        "This game is not counted: board shows how it stands.".to_owned()
                    }))?;
            }
            Input::Dead(place) => match self.log.amend(&place) {
                Ok(()) => return Ok(Next::Moved),
                Err(words) => printer.line(words)?,
            },
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

    fn try_move(&mut self, text: &str, moves: &[P::Move]) -> anyhow::Result<Next> {
        let (position, printer) = (self.log.position().clone(), self.printer);
        if moves.is_empty() {
            printer.line("The game is over: undo takes a move back, quit leaves.")?;
            return Ok(Next::Ask);
        }
        // What is typed comes in small letters.
        let written = |m: P::Move| position.move_text(m).to_ascii_lowercase();
        let beginnings: Vec<P::Move> =
            moves.iter().copied().filter(|&m| written(m).starts_with(text)).collect();
        let exact = beginnings.iter().copied().find(|&m| written(m) == text);
        let m = match (exact, &beginnings[..]) {
            (Some(m), _) => m,
            (None, [only]) => *only,
            (None, _) => match position.parse_move(text) {
                Ok(m) if position.is_legal(m) => m,
                Ok(m) => {
                    printer.paragraph(&position.refusal(m, moves))?;
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
        let deed = position.deed(m);
        let label = self.label(position.to_move());
        printer.line(format!("  {label}  {:10}  {deed}", position.move_text(m)))?;
        self.log.play(m, None);
        Ok(Next::Moved)
    }

    fn list(&self, moves: &[P::Move], prefix: &str) -> anyhow::Result<()> {
        let position = self.log.position();
        let meant = position.matching(moves, prefix);
        if meant.is_empty() {
            self.printer.line(format!("No legal move starts with {prefix:?}."))?;
            return Ok(());
        }
        if !prefix.is_empty() {
            let targets = meant.iter().flat_map(|&m| position.targets(m)).collect();
            let marks = Marks { targets, ..Marks::default() };
            self.printer.line(position.drawing(&marks, self.printer))?;
        }
        for line in position.move_lines(&meant) {
            self.printer.line(format!("  {line}"))?;
        }
        Ok(())
    }

    fn hint(&self) -> anyhow::Result<()> {
        let position = self.log.position().clone();
        let seat = position.to_move();
        let best = agents::best(&P::written(&position.config()));
        let mut player = Seated::new(&best, &position, self.seed)?;
        let spinner = self.printer.spinner("looking".to_owned());
        let report = player.think(&position);
        spinner.finish_and_clear();
        self.printer.line(format!("  I would play {}.", hosted::spelled(&position, report.best)))?;
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

fn thoughts<M>(report: &Report<M>, seat: Seat) -> String {
    let Some(values) = report.values else { return String::new() };
    format!(
        "  ({} nodes in {:.1} s, expects {})",
        report.nodes,
        report.time.as_secs_f64(),
        words::chance(values.of(seat))
    )
}

fn stats<M>(report: &Report<M>, seats: usize) -> Option<PlyStats> {
    let values = report.values?;
    Some(PlyStats {
        value: values.0[..seats].to_vec(),
        visits: Some(report.nodes),
        time_ms: Some(report.time.as_millis() as u64),
        ..PlyStats::default()
    })
}
