//! An engine that speaks the Go Text Protocol, version 2: any agent, for programs that show a board or play matches.
//!
//! The game is a [`host::HostedGame`], so agents keep what they know from move to move. Input is read on a thread of its
//! own, so that a new line can end an analysis; commands are answered one after the other in their order.
//! `docs/games/gtp.md` lists the commands and explains what they do here.
//!
//! ```
//! use gtp_engine::{Engine, EngineOptions};
//!
//! let options = EngineOptions::new("riftlab", "1", go::Rules::new(9));
//! let mut engine = Engine::new(options, "random".parse().unwrap()).unwrap();
//! let mut said = Vec::new();
//! engine.serve("play black E5\nis_legal white E5\n".as_bytes(), &mut said).unwrap();
//! assert_eq!(String::from_utf8(said).unwrap(), "=\n\n= 0\n\n");
//! ```
//!
//! What is deliberately absent: the process's own streams (they are handed in), printing.

mod analysis;
mod clock;
mod commands;
#[cfg(test)]
mod fuzz;
mod game_commands;
mod inbox;
#[cfg(test)]
mod tests;

use std::{
    io::{self, Read, Write},
    time::{Duration, Instant},
};

use game::ForfeitKind;
use go::{Colour, Move, Rules};
use gtp::{Command, Line, Reply};
use host::{Estimate, GoGame, HostedGame};
use ladder::{Player, Spec, WithoutNet};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::Config;
use search::{Limits, Report, Stop};

use self::{
    analysis::Live,
    clock::{Clock, Control},
    inbox::Inbox,
};

/// The longest command that is read.
const LONGEST_COMMAND: usize = 64 * 1024;
/// How often in a row a game has to look hopeless before it is given up.
const PATIENCE: u32 = 3;

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

/// An engine in a session.
pub struct Engine {
    options: EngineOptions,
    /// Who plays, as asked for.
    spec: Spec,
    /// Who plays on this board, both colours alike.
    player: Player,
    /// The rules of the next game.
    rules: Rules,
    game: Box<dyn HostedGame>,
    /// Games begun, which get different random numbers.
    begun: u64,
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

impl Engine {
    /// An engine with an empty board, for which `spec` plays.
    ///
    /// # Errors
    /// If this agent cannot play by these rules, in words.
    pub fn new(options: EngineOptions, spec: Spec) -> Result<Self, String> {
        let rules = Rules { handicap: 0, ..options.rules };
        let game = host::open(&Config::go(rules)).map_err(|error| error.to_string())?;
        let player = player(&spec, game.as_ref())?;
        let rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let clock = Clock::new(Control::Unlimited);
        let (hopeless, thought) = ([0; 2], Duration::ZERO);
        let mut engine = Self { options, spec, player, rules, game, begun: 0, clock, rng, hopeless, thought };
        engine.take_seats();
        Ok(engine)
    }

    /// Why it is not the agent that was asked for who plays, if it is not.
    pub fn fallback(&self) -> Option<&str> {
        self.player.fallback.as_deref()
    }

    /// Seats the agent for both colours, as one that knows nothing yet.
    fn take_seats(&mut self) {
        self.begun += 1;
        let seats = vec![self.player.clone().into(); 2];
        let seed = self.options.seed.wrapping_add(self.begun);
        self.game.take_seats(seats, seed).expect("a game of Go has two seats");
    }

    fn go(&self) -> &dyn GoGame {
        self.game.as_go().expect("the game is one of Go")
    }

    fn go_mut(&mut self) -> &mut dyn GoGame {
        self.game.as_go_mut().expect("the game is one of Go")
    }

    /// The game, and how dead stones in it are estimated.
    fn estimating(&mut self) -> (&dyn GoGame, Estimate<'_>) {
        let game = self.game.as_go().expect("the game is one of Go");
        (game, Estimate { playouts: self.options.playouts, rng: &mut self.rng })
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
        let limits = self.player.limits();
        let times = [limits.time, self.clock.allowance(colour, self.go().empty_points())];
        Limits { time: times.into_iter().flatten().min(), ..limits }
    }

    /// Thinks of a move without playing it.
    fn consider(&mut self, colour: Colour) -> Report<Move> {
        let limits = self.limits(colour);
        let report = self.go_mut().think_as(colour, &limits, &Stop::default(), &mut |_| ());
        report.expect("an agent sits in both seats")
    }

    /// Chooses a move of this colour and plays it, unless it resigns. `think` does the thinking.
    fn generate<E>(
        &mut self,
        colour: Colour,
        cleanup: bool,
        think: impl FnOnce(&mut Self) -> Result<Report<Move>, E>,
    ) -> Result<Result<Choice, String>, E> {
        if self.go().is_over() && !cleanup {
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
        Ok(match self.go_mut().play_as(colour, m) {
            Ok(()) => Ok(Choice::Play(m)),
            Err(illegal) => Err(illegal.to_string()),
        })
    }

    /// The move to play after a report.
    fn decide(&mut self, colour: Colour, report: &Report<Move>, cleanup: bool) -> Move {
        let (game, mut estimate) = self.estimating();
        game.decide(colour, report, cleanup, &mut estimate)
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
        let game = host::open(&Config::go(rules)).map_err(|error| error.to_string())?;
        self.turn_to(game)?;
        self.rules = rules;
        Ok(())
    }

    /// Turns to another game. Nothing changes if the agent cannot play it.
    fn turn_to(&mut self, game: Box<dyn HostedGame>) -> Result<(), String> {
        self.player = player(&self.spec, game.as_ref())?;
        self.game = game;
        self.take_seats();
        self.clock = self.clock.restarted();
        self.hopeless = [0; 2];
        Ok(())
    }
}

/// Whoever `spec` stands for in this game. Without its net, the same search without it plays.
fn player(spec: &Spec, game: &dyn HostedGame) -> Result<Player, String> {
    Player::new(spec, game.venue(), WithoutNet::FallBack).map_err(|error| error.to_string())
}
