//! An engine: an agent that is spoken to in the protocol.
//!
//! Input is read on a thread of its own, so that a new line can end an analysis; commands are answered one after the
//! other in their order.

mod analysis;
mod choice;
mod clock;
mod commands;
mod desk;
mod game_commands;
mod inbox;

use std::{
    io::{self, Read, Write},
    time::{Duration, Instant},
};

use game::ForfeitKind;
use go::{Colour, Move, Points, Position, Rules, Verdict};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::{Agent, Limits, Report, Stop};

use self::{
    analysis::Live,
    clock::{Clock, Control},
    desk::Desk,
    inbox::Inbox,
};
use crate::{command::Command, lines::Line, reply::Reply};

/// The longest command that is read.
const LONGEST_COMMAND: usize = 64 * 1024;
/// How often in a row a game has to look hopeless before it is given up.
const PATIENCE: u32 = 3;

/// An agent, and what a move may cost it.
pub type SeatedAgent<P> = (Box<dyn Agent<Position<P>>>, Limits);

/// Where an engine's agents come from.
pub trait Roster {
    /// A new agent for a game that stands at `position`, and what a move may cost it.
    ///
    /// # Errors
    /// If there is none for this game, in words.
    fn agent<P: Points>(&mut self, position: &Position<P>) -> Result<SeatedAgent<P>, String>;

    /// Who plays, as a specification.
    fn name(&self) -> String;

    /// Takes another agent from now on, named by a specification.
    ///
    /// # Errors
    /// If there is no such agent, in words.
    fn choose(&mut self, specification: &str) -> Result<(), String>;
}

/// The choices of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineOptions {
    /// What it calls itself.
    pub name: String,
    /// And its version.
    pub version: String,
    /// The rules of a game before anybody says otherwise. A handicap is set by commands only.
    pub rules: Rules,
    /// The chance to win below which it resigns, from 0 to 1; `None` if it plays on to the end.
    pub resign: Option<f32>,
    /// Playouts behind an estimate of which stones are dead.
    pub playouts: u32,
    /// Where the random numbers of those playouts come from.
    pub seed: u64,
}

impl EngineOptions {
    /// An engine of this name and version that never resigns, with these rules to begin with.
    pub fn new(name: impl Into<String>, version: impl Into<String>, rules: Rules) -> Self {
        Self { name: name.into(), version: version.into(), rules, resign: None, playouts: 400, seed: 1 }
    }
}

/// How stones are estimated to be dead.
struct Estimate<'a> {
    playouts: u32,
    rng: &'a mut Xoshiro256PlusPlus,
}

impl Estimate<'_> {
    fn of<P: Points>(&mut self, position: &Position<P>) -> Verdict<P> {
        Verdict::estimate(position, self.rng, self.playouts)
    }
}

/// An engine in a session.
pub struct Engine<R> {
    options: EngineOptions,
    roster: R,
    /// The rules of the next game.
    rules: Rules,
    desk: Box<dyn Desk<R>>,
    clock: Clock,
    rng: Xoshiro256PlusPlus,
    /// How often in a row each colour saw no hope.
    hopeless: [u32; 2],
    /// All the time it has thought.
    thought: Duration,
}

/// What comes of thinking.
enum Choice {
    Play(Move),
    Resign,
}

impl<R: Roster> Engine<R> {
    /// An engine with an empty board.
    ///
    /// # Errors
    /// If the roster has no agent for these rules.
    pub fn new(options: EngineOptions, mut roster: R) -> Result<Self, String> {
        let rules = Rules { handicap: 0, ..options.rules };
        let desk = desk::lay(rules, &mut roster)?;
        let rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let clock = Clock::new(Control::Unlimited);
        Ok(Self { options, roster, rules, desk, clock, rng, hopeless: [0; 2], thought: Duration::ZERO })
    }

    /// Answers what comes from `input`, until that ends or says `quit`.
    ///
    /// # Errors
    /// If `output` cannot be written to.
    pub fn serve(&mut self, input: impl Read + Send + 'static, output: &mut impl Write) -> io::Result<()> {
        let mut inbox = Inbox::new(input, LONGEST_COMMAND);
        loop {
            let line = match inbox.next() {
                Line::End => return Ok(()),
                Line::TooLong => {
                    let text = format!("a line of more than {LONGEST_COMMAND} bytes");
                    write!(output, "{}", Reply { id: None, fails: true, text })?;
                    output.flush()?;
                    continue;
                }
                Line::Text(line) => line,
            };
            let Some(command) = Command::parse(&line) else { continue };
            if let Some(live) = Live::named(&command.name) {
                self.answer_live(live, &command, &mut inbox, output)?;
            } else {
                let answer = self.answer(&command);
                let (fails, text) = match answer {
                    Ok(text) => (false, text),
                    Err(text) => (true, text),
                };
                write!(output, "{}", Reply { id: command.id, fails, text })?;
            }
            output.flush()?;
            if command.name == "quit" {
                return Ok(());
            }
        }
    }

    /// What the agent may spend on a move of this colour now.
    fn limits(&self, colour: Colour) -> Limits {
        let limits = self.desk.limits();
        let times = [limits.time, self.clock.allowance(colour, self.desk.open())];
        Limits { time: times.into_iter().flatten().min(), ..limits }
    }

    /// Thinks of a move without playing it.
    fn consider(&mut self, colour: Colour) -> Report<Move> {
        let limits = self.limits(colour);
        self.desk.think(colour, &limits, &Stop::default(), &mut |_| ())
    }

    /// Chooses a move of this colour and plays it, unless it resigns. `think` does the thinking.
    fn generate<E>(
        &mut self,
        colour: Colour,
        cleanup: bool,
        think: impl FnOnce(&mut Self) -> Result<Report<Move>, E>,
    ) -> Result<Result<Choice, String>, E> {
        if self.desk.is_over() && !cleanup {
            // Both have passed, and nobody wants to clean up.
            return Ok(Ok(Choice::Play(Move::PASS)));
        }
        let start = Instant::now();
        let report = think(self)?;
        if let Some(forfeit) = &report.forfeit {
            let resigned = forfeit.kind == ForfeitKind::Resignation;
            return Ok(if resigned { Ok(Choice::Resign) } else { Err(forfeit.message.clone()) });
        }
        if self.gives_up(colour, &report) {
            return Ok(Ok(Choice::Resign));
        }
        let m = self.decide(colour, &report, cleanup);
        let spent = start.elapsed();
        self.thought += spent;
        self.clock.spend(colour, spent);
        Ok(match self.desk.play(colour, m) {
            Ok(()) => Ok(Choice::Play(m)),
            Err(illegal) => Err(illegal.to_string()),
        })
    }

    /// The move to play after a report.
    fn decide(&mut self, colour: Colour, report: &Report<Move>, cleanup: bool) -> Move {
        let Self { desk, options, rng, .. } = self;
        desk.decide(colour, report, cleanup, &mut Estimate { playouts: options.playouts, rng })
    }

    /// Whether the game has looked hopeless for long enough.
    fn gives_up(&mut self, colour: Colour, report: &Report<Move>) -> bool {
        let Some(threshold) = self.options.resign else { return false };
        let count = &mut self.hopeless[colour.index()];
        let hopeless =
            report.values.is_some_and(|values| f32::midpoint(values.of(colour.seat()), 1.0) < threshold);
        *count = if hopeless { *count + 1 } else { 0 };
        *count >= PATIENCE
    }

    /// Begins a new game with these rules.
    fn begin(&mut self, rules: Rules) -> Result<(), String> {
        self.desk = desk::lay(rules, &mut self.roster)?;
        self.rules = rules;
        self.forget();
        Ok(())
    }

    /// What belongs to the game that was is forgotten.
    fn forget(&mut self) {
        self.clock = self.clock.restarted();
        self.hopeless = [0; 2];
    }
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
