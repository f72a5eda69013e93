//! One game of any kind behind one interface: played, taken back, agreed on, put into words, and shared by people and
//! agents.
//!
//! [`HostedGame`] is object-safe, so a server, a terminal and a protocol hold a `Box<dyn HostedGame>` and know no
//! position type. A game is opened from options, from a position text or from a record; moves come as text or as an
//! index into the legal list, which is generated once per position.
//!
//! ```
//! use host::{Occupant, Status};
//! use record::Config;
//! use search::Stop;
//!
//! let mut game = host::open(&Config::go(go::Rules::new(5)))?;
//! let occupants = vec![Occupant::Human, Occupant::agent("mcts(sims=30)", game.venue())?];
//! game.take_seats(occupants, 7)?;
//! game.play("C3")?;
//!
//! // The agent thinks about a copy, on any thread, and stays in the game for its next decision.
//! let mut thinker = game.thinker().expect("an agent is to move");
//! let limits = thinker.player().limits();
//! let report = thinker.think(&limits, 5, &Stop::default(), &mut |_| ());
//! game.play_report(&report)?;
//! assert_eq!((game.plies().len(), game.status()), (2, Status::Playing));
//!
//! assert!(game.undo_decision());
//! assert_eq!(game.plies().len(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Agents
//!
//! An agent lives as long as its game: its tree, its transposition table and its novelty counts survive from one
//! decision to the next. It draws its random numbers from a seed that depends on the game's seed and its seat, so the
//! same game, played again from the start with the same seeds, gets the same decisions. An agent that was dropped
//! (after an undo, after reopening the game, or to bound memory) is built again when it is next needed, from a seed that
//! depends on the ply as well.
//!
//! What is deliberately absent: files, sockets, threads, printing, colours (drawings take a [`Painter`]), and rules.
//!
//! Where to go next: [`HostedGame`] for everything a game can do, [`GoGame`] for what only Go has, `hostable.rs` for
//! what a game has to provide to be hosted.

mod agreement;
mod drawing;
mod error;
mod go;
mod hostable;
mod hosted_game;
mod open;
mod ply;
mod report;
mod ringrift;
mod seating;
mod shape;
#[cfg(test)]
mod tests;
mod thinker;
mod typed;
pub mod view;
mod words;

pub use agreement::Agreement;
pub use drawing::{Highlight, Ink, Marks, Painter};
pub use error::{OpenError, PlayError, SeatError};
pub use go::{ChainStatus, Estimate, GoGame};
pub use hosted_game::{HostedGame, Status};
pub use open::{open, open_position, open_record, open_sgf};
pub use ply::Ply;
pub use seating::{AgentSlot, Occupant};
pub use thinker::Thinker;
pub use words::{capitalised, count_of};
