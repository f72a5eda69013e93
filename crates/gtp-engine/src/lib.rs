//! A Go Text Protocol (version 2) engine that lets any agent play in graphical boards and match programs, and a server for
//! `KataGo`'s analysis protocol.
//!
//! The game is a [`host::HostedGame`], so agents keep their memory from move to move. Input is read on a separate
//! thread, so that a new line can end an analysis; commands are answered in order. `docs/games/gtp.md` describes the
//! commands.
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
//! Deliberately absent: the process's own standard streams (streams are passed in), and printing.

mod analysis;
mod clock;
mod commands;
#[cfg(test)]
mod dialogues;
#[cfg(test)]
mod fuzz;
mod game_commands;
mod inbox;
mod insight;
mod interrupt;
mod kata;
mod rule_sets;
mod setup_commands;
#[cfg(test)]
mod tests;

use std::{
    io::{self, Read, Write},
    sync::Arc,
    time::{Duration, Instant},
};

use game::ForfeitKind;
use go::{Colour, Move, Rules};
use gtp::{Command, Line, Reply};
use host::{Estimate, GoGame, HostedGame};
use ladder::{Models, Player, Spec, WithoutNet};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::Config;
use search::{Limits, Report, Stop};

use self::{
    analysis::Live,
    clock::{Clock, Control},
    inbox::Inbox,
    interrupt::Interrupts,
};
use insight::{MoveInsight, forecasts, lead_of, shown_moves};
pub use kata::AnalysisServer;

/// The maximum length of a command line.
const MAX_COMMAND: usize = 64 * 1024;
/// How many consecutive decisions must be below the resign threshold before the engine resigns.
const RESIGN_STREAK: u32 = 3;

/// Options of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineOptions {
    /// The name that it reports.
    pub name: String,
    /// The version that it reports.
    pub version: String,
    /// The initial rules. A handicap can only be set by commands.
    pub rules: Rules,
    /// The probability of winning below which it resigns, from 0 to 1, or `None` to never resign.
    pub resign: Option<f32>,
    /// The number of playouts for estimates of dead stones.
    pub playouts: u32,
    /// The seed of those playouts.
    pub seed: u64,
}

impl EngineOptions {
    /// Options for an engine with this name and version that never resigns and starts with these rules.
    pub fn new(name: impl Into<String>, version: impl Into<String>, rules: Rules) -> Self {
        Self { name: name.into(), version: version.into(), rules, resign: None, playouts: 400, seed: 1 }
    }
}

/// An engine with its current game.
pub struct Engine {
    options: EngineOptions,
    /// The nets that agents can name.
    models: Arc<Models>,
    /// The requested agent.
    spec: Spec,
    /// The player of both colours on this board.
    player: Player,
    /// The rules of the next game.
    rules: Rules,
    game: Box<dyn HostedGame>,
    /// The number of games begun, which varies their seeds.
    begun: u64,
    clock: Clock,
    rng: Xoshiro256PlusPlus,
    /// How many consecutive decisions of each colour were below the resign threshold.
    hopeless: [u32; 2],
    /// The total search time.
    thought: Duration,
    /// Ends the search of the current command.
    stop: Arc<Stop>,
}

/// The result of generating a move.
enum Choice {
    Play(Move),
    Resign,
}

impl Engine {
    /// Creates an engine with an empty board and the agent `spec`, which can name shipped nets.
    ///
    /// # Errors
    /// A message, if this agent cannot play by these rules.
    pub fn new(options: EngineOptions, spec: Spec) -> Result<Self, String> {
        Self::with_models(options, spec, Arc::default())
    }

    /// Like [`Engine::new`], with nets from `models`.
    ///
    /// # Errors
    /// See [`Engine::new`].
    pub fn with_models(options: EngineOptions, spec: Spec, models: Arc<Models>) -> Result<Self, String> {
        let rules = Rules { handicap: 0, ..options.rules };
        let game = host::open(&Config::go(rules)).map_err(|error| error.to_string())?;
        let player = player(&spec, game.as_ref(), &models)?;
        let rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let clock = Clock::new(Control::Unlimited);
        let (hopeless, thought) = ([0; 2], Duration::ZERO);
        let stop = Arc::default();
        let mut engine = Self {
            options,
            models,
            spec,
            player,
            rules,
            game,
            begun: 0,
            clock,
            rng,
            hopeless,
            thought,
            stop,
        };
        engine.take_seats();
        Ok(engine)
    }

    /// The reason, if another agent plays than the requested one.
    pub fn fallback(&self) -> Option<&str> {
        self.player.fallback.as_deref()
    }

    /// Assigns new agents to both colours.
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

    /// The game, and the parameters for estimating dead stones.
    fn estimating(&mut self) -> (&dyn GoGame, Estimate<'_>) {
        let game = self.game.as_go().expect("the game is one of Go");
        (game, Estimate { playouts: self.options.playouts, rng: &mut self.rng })
    }

    /// Answers commands from `input` until it ends or a `quit` command arrives.
    ///
    /// # Errors
    /// If `output` cannot be written to.
    pub fn serve(&mut self, input: impl Read + Send + 'static, output: &mut impl Write) -> io::Result<()> {
        let interrupts = Arc::new(Interrupts::default());
        let mut inbox = Inbox::new(input, MAX_COMMAND, &interrupts);
        loop {
            let line = inbox.next();
            self.stop = interrupts.begin(inbox.taken());
            let line = match line {
                Line::End => return Ok(()),
                Line::TooLong => {
                    let text = format!("a line of more than {MAX_COMMAND} bytes");
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

    /// The current limits for a move of this colour.
    fn limits(&self, colour: Colour) -> Limits {
        let limits = self.player.limits();
        let times = [limits.time, self.clock.allowance(colour, self.go().empty_points())];
        Limits { time: times.into_iter().flatten().min(), ..limits }
    }

    /// Searches a move without playing it.
    fn consider(&mut self, colour: Colour) -> Report<Move> {
        let limits = self.limits(colour);
        let stop = Arc::clone(&self.stop);
        let report = self.go_mut().think_as(colour, &limits, &stop, &mut |_| ());
        report.expect("an agent sits in both seats")
    }

    /// Chooses a move of this colour by `think` and plays it, unless it resigns.
    fn generate<E>(
        &mut self,
        colour: Colour,
        cleanup: bool,
        think: impl FnOnce(&mut Self) -> Result<Report<Move>, E>,
    ) -> Result<Result<Choice, String>, E> {
        if self.go().is_over() && !cleanup {
            // Both have passed, and there is no cleanup phase.
            return Ok(Ok(Choice::Play(Move::PASS)));
        }
        let start = Instant::now();
        let report = think(self)?;
        if let Some(forfeit) = &report.forfeit {
            let resigned = forfeit.kind == ForfeitKind::Resignation;
            return Ok(if resigned { Ok(Choice::Resign) } else { Err(forfeit.message.clone()) });
        }
        if self.should_resign(colour, &report) {
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

    /// Whether to resign: enough consecutive decisions were below the threshold.
    fn should_resign(&mut self, colour: Colour, report: &Report<Move>) -> bool {
        let Some(threshold) = self.options.resign else { return false };
        let count = &mut self.hopeless[colour.index()];
        let hopeless =
            report.values.is_some_and(|values| f32::midpoint(values.of(colour.seat()), 1.0) < threshold);
        *count = if hopeless { *count + 1 } else { 0 };
        *count >= RESIGN_STREAK
    }

    /// Begins a new game with these rules.
    fn begin(&mut self, rules: Rules) -> Result<(), String> {
        let game = host::open(&Config::go(rules)).map_err(|error| error.to_string())?;
        self.switch_game(game)?;
        self.rules = rules;
        Ok(())
    }

    /// Replaces the game. Nothing changes if the agent cannot play it.
    fn switch_game(&mut self, game: Box<dyn HostedGame>) -> Result<(), String> {
        self.player = player(&self.spec, game.as_ref(), &self.models)?;
        self.game = game;
        self.take_seats();
        self.clock = self.clock.restarted();
        self.hopeless = [0; 2];
        Ok(())
    }
}

/// Resolves `spec` for this game. If its net is missing, the same search plays without it.
fn player(spec: &Spec, game: &dyn HostedGame, models: &Models) -> Result<Player, String> {
    let player = Player::with_models(spec, game.venue(), WithoutNet::FallBack, models);
    let player = player.map_err(|error| error.to_string())?;
    // An external program that does not run is reported now, not at the first move.
    player.probe(game.venue()).map_err(|error| error.to_string())?;
    Ok(player)
}
